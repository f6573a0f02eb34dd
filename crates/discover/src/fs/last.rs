//! What a source keeps of its last scan.

use std::sync::Arc;

use super::load::Loaded;
use super::plan::{Plan, Planned};
use crate::ScanRequest;
use crate::cache::Session;
use crate::parallel::Workers;
use crate::roots::ResolvedRoot;

/// The last scan of a source that has a cache. What it listed is handed out again as it is, not as a copy.
#[derive(Debug)]
pub(super) struct Last {
    pub(super) plan: Arc<Plan>,
    /// What each file of the plan came to.
    pub(super) loaded: Vec<Loaded>,
}

/// How much of a last scan still holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// The plan, and every file that is not touched: the caller says so.
    Everything,
    /// The plan; each file has to be looked at.
    Plan,
    /// Perhaps some files; the roots have to be walked.
    Nothing,
}

impl Last {
    pub(super) fn holds(
        &self,
        request: &ScanRequest,
        roots: &[ResolvedRoot],
        workers: &Workers,
        session: &Session<'_>,
    ) -> Holds {
        if request.force {
            Holds::Nothing
        } else if self.plan.holds(request, roots) {
            Holds::Everything
        } else if self.plan.names_all(&request.touched) && self.plan.is_current(roots, workers, session) {
            Holds::Plan
        } else {
            Holds::Nothing
        }
    }

    /// Returns what a file came to, if it is the same file, reached in the same way, and still as it was.
    pub(super) fn recall(
        &self,
        plan: &Plan,
        index: usize,
        planned: &Planned,
        session: &Session<'_>,
    ) -> Option<&Loaded> {
        let same_plan = std::ptr::eq(&raw const *self.plan, plan);
        let known = if same_plan {
            index
        } else {
            let (known, _, before) = self.plan.files.get_full(&planned.file.canonical)?;
            let same = before == planned && self.plan.roots == plan.roots && self.plan.shown == plan.shown;
            same.then_some(known)?
        };
        let loaded = self.loaded.get(known)?;
        loaded.stamps.as_ref().filter(|stamps| session.is_good(&planned.file, stamps))?;
        Some(loaded)
    }
}
