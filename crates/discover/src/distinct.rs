//! One skill of each name, for harnesses in which a name is an identity.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lorimer_core::{Code, Content, Diagnostic, Locator, ReadLimit, Scope, Skill, SkillId, SourceId};

use crate::refused::Refused;
use crate::{ReadError, Scan, ScanRequest, Source, WatchRoot};

/// Which of several skills of one name stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first one.
    First,
    /// The last one.
    Last,
}

/// A source that offers one skill of each name. What the others were is told, and they cannot be read.
///
/// Names are compared as they are called, namespace included, and exactly. A skill that is meant for one folder
/// ([`Provenance::serves`](lorimer_core::Provenance::serves)) does not go for another of its name: it gets the folder in
/// front, `apps/web:deploy`, as long as that is free.
///
/// ```
/// use lorimer_core::SourceId;
/// use lorimer_discover::{DistinctSource, Keep, MemorySource, ScanRequest, Source};
/// let inner = MemorySource::new(SourceId::new("memory"));
/// inner.add("a", "Does a.", "Do it.");
/// let source = DistinctSource::new(inner, Keep::First);
/// assert_eq!(source.scan(&ScanRequest::default()).skills.len(), 1);
/// ```
#[derive(Debug)]
pub struct DistinctSource<S> {
    inner: S,
    keep: Keep,
    refused: Refused,
}

impl<S: Source> DistinctSource<S> {
    /// Returns the source over another one.
    pub fn new(inner: S, keep: Keep) -> Self {
        Self { inner, keep, refused: Refused::default() }
    }

    /// Gives those skills a longer name that are meant for one folder and would lose theirs.
    fn name_after_folders(&self, skills: &mut [Arc<Skill>]) {
        if self.keep != Keep::First || skills.iter().all(|skill| skill.provenance.serves.is_none()) {
            return;
        }
        let mut taken = HashSet::new();
        for skill in skills.iter_mut() {
            if taken.insert(skill.call_name().to_owned()) {
                continue;
            }
            let Some(folder) = &skill.provenance.serves else { continue };
            let qualified = format!("{folder}:{}", skill.call_name());
            if taken.insert(qualified.clone()) {
                Arc::make_mut(skill).qualified_name = Some(qualified);
            }
        }
        // Where a folder was added by hand, they stand behind the others of its root (Claude Code, observed case 144).
        let is_added = |skill: &Skill| {
            skill.provenance.serves.is_some() && !matches!(skill.scope, Scope::Project { .. })
        };
        for root in skills.chunk_by_mut(|left, right| left.root == right.root && is_added(left)) {
            root.sort_by_key(|skill| is_added(skill) && skill.qualified_name.is_some());
        }
    }

    fn check(&self, locator: &Locator) -> Result<(), ReadError> {
        self.refused.check(locator, || self.scan(&ScanRequest::default()))
    }
}

impl<S: Source> Source for DistinctSource<S> {
    fn id(&self) -> &SourceId {
        self.inner.id()
    }

    fn scan(&self, request: &ScanRequest) -> Scan {
        let mut scan = self.inner.scan(request);
        self.name_after_folders(&mut scan.skills);
        let mut winners: HashMap<String, (SkillId, String)> = HashMap::with_capacity(scan.skills.len());
        for skill in &scan.skills {
            let this = || (skill.id.clone(), skill.shown_location());
            match self.keep {
                Keep::First => {
                    winners.entry(skill.call_name().to_owned()).or_insert_with(this);
                }
                Keep::Last => {
                    winners.insert(skill.call_name().to_owned(), this());
                }
            }
        }
        let mut refused = HashSet::new();
        scan.skills.retain(|skill| {
            let winner = winners.get(skill.call_name()).filter(|(id, _)| *id != skill.id);
            let Some((_, place)) = winner else { return true };
            let message =
                format!("`{}` is also the name of {place}, and only that one is used", skill.call_name());
            scan.diagnostics.push(
                Diagnostic::new(Code::NameCollision, message)
                    .at(skill.id.locator.clone(), None)
                    .with_help("rename one of them"),
            );
            refused.insert(skill.id.locator.clone());
            false
        });
        self.refused.set(refused);
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        self.check(locator)?;
        self.inner.read(locator, limit)
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        self.check(skill)?;
        self.inner.files(skill)
    }

    fn watched(&self) -> Vec<WatchRoot> {
        self.inner.watched()
    }
}
