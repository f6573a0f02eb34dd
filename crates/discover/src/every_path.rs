//! Every path to a skill is a skill, for harnesses that never ask where a link leads.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use lorimer_core::{Code, Content, Locator, ReadLimit, Root, Skill, SourceId};

use crate::{ReadError, Scan, ScanRequest, Source, WatchRoot};

/// A source that offers a skill for each path that leads to it. The one of another source stands under the path by which
/// it was found first; each of its aliases is a skill of its own, whose locator is that path.
///
/// Skills come by their root, then by their path, name by name.
#[derive(Debug)]
pub struct EveryPathSource<S> {
    inner: S,
    /// Where paths of the last scan lead; nothing is known before the first one.
    ways: RwLock<Option<HashMap<Locator, Locator>>>,
}

impl<S: Source> EveryPathSource<S> {
    /// Returns the source over another one.
    pub fn new(inner: S) -> Self {
        Self { inner, ways: RwLock::default() }
    }

    /// Returns under which locator the other source knows a skill. The first question of all makes a scan.
    fn known(&self, locator: &Locator) -> Locator {
        let unknown = self.ways.read().unwrap_or_else(PoisonError::into_inner).is_none();
        if unknown {
            self.scan(&ScanRequest::default());
        }
        let ways = self.ways.read().unwrap_or_else(PoisonError::into_inner);
        ways.as_ref().and_then(|ways| ways.get(locator)).unwrap_or(locator).clone()
    }
}

/// Returns the root that a path lies below: of several, the innermost.
fn root_of<'a>(roots: &'a BTreeMap<PathBuf, Root>, path: &Path) -> Option<&'a Root> {
    path.ancestors().find_map(|folder| roots.get(folder))
}

fn shown(skill: &Skill) -> PathBuf {
    PathBuf::from(skill.shown_location())
}

impl<S: Source> Source for EveryPathSource<S> {
    fn id(&self) -> &SourceId {
        self.inner.id()
    }

    fn scan(&self, request: &ScanRequest) -> Scan {
        let mut scan = self.inner.scan(request);
        let roots: BTreeMap<PathBuf, Root> =
            scan.skills.iter().map(|skill| (PathBuf::from(&skill.root.path), skill.root.clone())).collect();
        let mut ways = HashMap::new();
        let mut further = Vec::new();
        for skill in &mut scan.skills {
            if skill.provenance.aliases.is_empty() {
                continue;
            }
            let aliases = std::mem::take(&mut Arc::make_mut(skill).provenance.aliases);
            for alias in aliases {
                let mut other = Skill::clone(skill);
                other.id.locator = Locator::Path(alias.clone());
                other.provenance.discovered = None;
                // By this it is known that both are one file.
                other.provenance.aliases =
                    skill.id.locator.as_path().map(Path::to_path_buf).into_iter().collect();
                if let Some(root) = root_of(&roots, &alias) {
                    other.root = root.clone();
                }
                ways.insert(other.id.locator.clone(), skill.id.locator.clone());
                further.push(Arc::new(other));
            }
        }
        scan.skills.extend(further);
        scan.skills.sort_by_cached_key(|skill| (skill.root.order, shown(skill)));
        // Nothing is left of what these say.
        scan.diagnostics.retain(|diagnostic| {
            let at = diagnostic.location.as_ref().map(|location| &location.locator);
            diagnostic.code != Code::SameFile || at.is_none_or(|at| !ways.contains_key(at))
        });
        *self.ways.write().unwrap_or_else(PoisonError::into_inner) = Some(ways);
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        self.inner.read(&self.known(locator), limit)
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        self.inner.files(&self.known(skill))
    }

    fn watched(&self) -> Vec<WatchRoot> {
        self.inner.watched()
    }
}
