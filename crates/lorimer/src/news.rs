//! What differs from what events were told about last.

use std::collections::HashSet;
use std::sync::Arc;

use lorimer_core::{Claims, Digest, Event, Locator, SameName, Skill, SkillId, Snapshot, SnapshotDiff};
use lorimer_persist::{Record, SessionState};

use crate::gather::Gathered;

/// What events were told about last.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    snapshot: Snapshot,
    /// What an earlier process told, as far as its journal says. Gone once this process has told something.
    before: Option<Before>,
    rejected: HashSet<(Locator, &'static str)>,
    shadowed: HashSet<SkillId>,
    /// Turns of the session that goes on, until that is told.
    resumed: Option<u64>,
}

/// The journal holds identities and one digest, and no metadata.
#[derive(Clone, Debug)]
struct Before {
    digest: Option<Digest>,
    known: HashSet<SkillId>,
}

/// What differs from what was told, as far as it is known.
#[derive(Debug)]
struct Difference {
    added: Vec<Arc<Skill>>,
    changed: usize,
    removed: usize,
}

/// Events about what there is now, and nothing that was told already.
#[derive(Clone, Debug, Default)]
pub(crate) struct News {
    pub(crate) events: Vec<Event>,
    rejected: HashSet<(Locator, &'static str)>,
    shadowed: HashSet<SkillId>,
}

impl Told {
    /// Returns what the journal says that an earlier process told.
    pub(crate) fn from_records(records: &[Record], state: &SessionState) -> Self {
        let mut known = HashSet::new();
        let mut rejected = HashSet::new();
        let mut shadowed = HashSet::new();
        for record in records {
            match record {
                Record::Fact { fact: Event::SkillDiscovered { skill, .. } } => {
                    known.insert(skill.clone());
                }
                Record::Fact { fact: Event::SkillShadowed { skill, .. } } => {
                    shadowed.insert(skill.clone());
                }
                Record::Fact { fact: Event::SkillRejected { locator, code, .. } } => {
                    rejected.insert((locator.clone(), code.as_str()));
                }
                _ => {}
            }
        }
        let before = (state.turns > 0).then_some(Before { digest: state.snapshot, known });
        let resumed = (state.turns > 0).then_some(state.turns);
        Self { snapshot: Snapshot::empty(), before, rejected, shadowed, resumed }
    }

    /// Returns what is new in what was gathered.
    pub(crate) fn news(&self, gathered: &Gathered, rule: SameName) -> News {
        let now = &gathered.snapshot;
        let mut events: Vec<Event> =
            self.resumed.map(|turns| Event::SessionResumed { turns }).into_iter().collect();
        let difference = self.difference(now);
        for skill in difference.iter().flat_map(|difference| &difference.added) {
            let name = skill.call_name().to_owned();
            events.push(Event::SkillDiscovered { skill: skill.id.clone(), name });
        }
        let mut rejected = HashSet::new();
        for event in &gathered.rejected {
            let Event::SkillRejected { locator, code, .. } = event else { continue };
            let row = (locator.clone(), code.as_str());
            if !self.rejected.contains(&row) {
                events.push(event.clone());
            }
            rejected.insert(row);
        }
        let claims = Claims::new(rule, now.skills().map(|skill| &**skill));
        let mut shadowed = HashSet::new();
        for skill in now.skills() {
            let by = claims.shadowed_by(skill).map(|by| by.id.clone());
            if by.is_none() && claims.first(skill.call_name()).is_none_or(|first| first.id == skill.id) {
                continue;
            }
            shadowed.insert(skill.id.clone());
            if !self.shadowed.contains(&skill.id) {
                events.push(Event::SkillShadowed { skill: skill.id.clone(), by });
            }
        }
        if let Some(Difference { added, changed, removed }) = difference {
            events.push(Event::SnapshotChanged {
                added: added.len(),
                changed,
                removed,
                digest: now.digest(),
            });
        }
        News { events, rejected, shadowed }
    }

    /// Returns what differs from what was told; `None` where nothing does.
    fn difference(&self, now: &Snapshot) -> Option<Difference> {
        let Some(before) = &self.before else {
            let diff = SnapshotDiff::between(&self.snapshot, now);
            return (!diff.is_empty()).then_some(Difference {
                changed: diff.changed.len(),
                removed: diff.removed.len(),
                added: diff.added,
            });
        };
        if before.digest == Some(now.digest()) {
            return None;
        }
        // What changed inside a skill that was known cannot be told from identities alone.
        let added = now.skills().filter(|skill| !before.known.contains(&skill.id)).cloned().collect();
        let removed = before.known.iter().filter(|id| now.get(id).is_none()).count();
        Some(Difference { added, changed: 0, removed })
    }

    /// The news were told.
    pub(crate) fn take_in(&mut self, gathered: &Gathered, news: News) {
        *self = Self {
            snapshot: gathered.snapshot.clone(),
            before: None,
            rejected: news.rejected,
            shadowed: news.shadowed,
            resumed: None,
        };
    }
}
