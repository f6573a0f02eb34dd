//! Looking again while a conversation goes on.

use lorimer_core::{Diagnostic, FindingDiff, SameName, SnapshotDiff};
use lorimer_discover::{Changes, ScanRequest};

use crate::Session;
use crate::gather::{Gathered, collisions, gather};

/// What another look at all sources came to.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Reloaded {
    /// Skills that were added, changed and removed.
    pub skills: SnapshotDiff,
    /// What is odd about files and names and was not, and the other way round.
    pub findings: FindingDiff,
    /// Whether every source was scanned to its end. Where it was not, a removed skill may only be out of reach; the
    /// findings say why.
    pub complete: bool,
}

impl Reloaded {
    fn new(before: Option<&Gathered>, after: &Gathered, rule: SameName) -> Self {
        let none = Gathered::default();
        let before = before.unwrap_or(&none);
        Self {
            skills: SnapshotDiff::between(&before.snapshot, &after.snapshot),
            findings: FindingDiff::between(&findings(before, rule), &findings(after, rule)),
            complete: after.snapshot.is_complete(),
        }
    }

    /// Returns whether nothing differs, neither skills nor findings.
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty() && self.findings.is_empty()
    }
}

fn findings(gathered: &Gathered, rule: SameName) -> Vec<Diagnostic> {
    let mut findings = gathered.snapshot.diagnostics().to_vec();
    findings.extend(collisions(&gathered.snapshot, rule));
    findings
}

impl Session {
    /// Looks at all sources again, whatever they have cached (S3-29), and returns what differs from what the session
    /// saw last. Before it has seen anything, every skill is new.
    ///
    /// What was found waits for the next turn: the running one goes on seeing what it saw (S3-28). With
    /// [`Refresh::EveryTurn`](crate::Refresh::EveryTurn) that turn looks once more by itself.
    ///
    /// ```
    /// use lorimer::{Lifecycle, TurnInput, core::SourceId, discover::MemorySource};
    /// use std::sync::Arc;
    /// let source = Arc::new(MemorySource::new(SourceId::new("memory")));
    /// let lifecycle = Lifecycle::builder().source(Arc::clone(&source)).build();
    /// let mut session = lifecycle.session("s")?;
    /// session.begin(&TurnInput::text("hello"))?;
    /// source.add("brew-tea", "Brews tea.", "Warm the pot first.");
    /// assert_eq!(session.reload().skills.added[0].name, "brew-tea");
    /// assert!(session.reload().is_empty());
    /// # Ok::<(), lorimer::SessionError>(())
    /// ```
    pub fn reload(&mut self) -> Reloaded {
        let mut request = ScanRequest::default();
        request.force = true;
        self.look_again(&request)
    }

    /// As [`Session::reload`], but looks only at what is known to have changed, as far as the sources allow that.
    ///
    /// [`Changes::only_touched`] is a promise about the sources, which a lifecycle's sessions share: who makes it passes
    /// every batch to one of them at least.
    pub fn changed(&mut self, changes: &Changes) -> Reloaded {
        self.look_again(&changes.request())
    }

    fn look_again(&mut self, request: &ScanRequest) -> Reloaded {
        let options = self.lifecycle.options();
        let gathered = gather(self.lifecycle.sources(), options.order, request);
        let reloaded = Reloaded::new(self.seen(), &gathered, options.same_name);
        self.prepare(gathered);
        reloaded
    }
}
