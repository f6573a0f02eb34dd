//! Where to look, as data.
//!
//! Rules are resolved anew at each scan, so a root that is made in the middle of a session is noticed.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use lorimer_core::Scope;

use crate::boundary::LinkLimit;
use crate::walk::WalkPolicy;

/// The surroundings that rules are resolved in. Nothing is read from the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The working directory.
    pub cwd: PathBuf,
    /// The user's home directory; rules relative to it give no root where it is not known.
    pub home: Option<PathBuf>,
    /// The directory of machine-wide settings; rules relative to it give no root where it is not known.
    pub system_root: Option<PathBuf>,
    /// Names that mark a project's root directory. With none, the project is the working directory alone.
    pub project_markers: Vec<String>,
}

impl Place {
    /// Returns a place with this working directory, no home, no system root, and `.git` as the project marker.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Self { cwd: cwd.into(), home: None, system_root: None, project_markers: vec![".git".to_owned()] }
    }

    /// Returns the project's root: the nearest ancestor of the working directory, itself included, that holds
    /// one of the markers as a file or a directory. Without a marker it is the working directory.
    pub fn project_root(&self) -> &Path {
        self.cwd
            .ancestors()
            .find(|directory| self.project_markers.iter().any(|marker| directory.join(marker).exists()))
            .unwrap_or(&self.cwd)
    }

    /// Returns the directories from the project's root down to the working directory.
    fn project_directories(&self) -> Vec<&Path> {
        let root = self.project_root();
        let mut directories: Vec<&Path> =
            self.cwd.ancestors().take_while(|directory| directory.starts_with(root)).collect();
        directories.reverse();
        directories
    }
}

/// Which of several nested directories comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpwardOrder {
    /// The project's root first, the working directory last.
    OutermostFirst,
    /// The working directory first, the project's root last.
    InnermostFirst,
}

/// How a rule finds its directories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootBase {
    /// This directory; a relative path starts at the working directory.
    Path(PathBuf),
    /// A directory below the user's home.
    Home(PathBuf),
    /// A directory below the machine-wide settings.
    System(PathBuf),
    /// A directory below each directory between the project's root and the working directory.
    ProjectUpward {
        /// Path below each of them.
        relative: PathBuf,
        /// Which comes first.
        order: UpwardOrder,
    },
    /// A path below the nearest ancestor of the working directory, itself included, where that path exists,
    /// up to the root of the file system. It only has to exist: a file gives a root without skills (S1-06).
    NearestUpward {
        /// Path below the ancestor.
        relative: PathBuf,
    },
}

/// One rule: where, whose, and how to walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootRule {
    /// Where to look.
    pub base: RootBase,
    /// Whose skills these are. The depth of a project scope is filled in when the rule is resolved.
    pub scope: Scope,
    /// How to walk.
    pub walk: WalkPolicy,
    /// Directories that this rule leaves to others, although its base names them.
    pub except: Vec<RootBase>,
}

impl RootRule {
    /// Returns a rule that walks as [`WalkPolicy::default`] does, without exceptions.
    pub fn new(base: RootBase, scope: Scope) -> Self {
        Self { base, scope, walk: WalkPolicy::default(), except: Vec::new() }
    }

    /// Returns the rule with this way of walking.
    #[must_use]
    pub fn with_walk(mut self, walk: WalkPolicy) -> Self {
        self.walk = walk;
        self
    }

    /// Returns the rule with one more exception.
    #[must_use]
    pub fn except(mut self, base: RootBase) -> Self {
        self.except.push(base);
        self
    }
}

/// A directory to walk, as a rule gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedRoot {
    /// The directory. It need not exist.
    pub path: PathBuf,
    /// Whose skills these are.
    pub scope: Scope,
    /// How to walk. A limit of links to the project names its directory.
    pub walk: WalkPolicy,
}

/// A place on this machine that a scan depends on, and what matters there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchRoot {
    /// The directory or file. It need not exist.
    pub path: PathBuf,
    /// How far a scan looks below a directory, and at which skill files; `None` where only counts whether the path is
    /// there.
    pub walk: Option<WalkPolicy>,
    /// Names of further files below a directory that a scan reads.
    pub files: Vec<OsString>,
}

impl From<ResolvedRoot> for WatchRoot {
    fn from(root: ResolvedRoot) -> Self {
        Self { path: root.path, walk: Some(root.walk), files: Vec::new() }
    }
}

/// Returns the roots that rules give, and the places that decide which roots they give.
pub(crate) fn watched(place: &Place, rules: &[RootRule]) -> Vec<WatchRoot> {
    let mut places: Vec<WatchRoot> = resolve(place, rules).into_iter().map(WatchRoot::from).collect();
    let mut seen = HashSet::new();
    let mut decides = |path: PathBuf| {
        if seen.insert(path.clone()) {
            places.push(WatchRoot { path, walk: None, files: Vec::new() });
        }
    };
    let bases = rules.iter().flat_map(|rule| rule.except.iter().chain([&rule.base]));
    for base in bases {
        match base {
            RootBase::ProjectUpward { .. } => {
                let has_marker = |directory: &Path| {
                    place.project_markers.iter().any(|marker| directory.join(marker).exists())
                };
                for directory in place.cwd.ancestors() {
                    place.project_markers.iter().for_each(|marker| decides(directory.join(marker)));
                    if has_marker(directory) {
                        break;
                    }
                }
            }
            RootBase::NearestUpward { relative } => {
                for path in place.cwd.ancestors().map(|directory| join(directory, relative)) {
                    decides(path.clone());
                    if path.exists() {
                        break;
                    }
                }
            }
            RootBase::Path(_) | RootBase::Home(_) | RootBase::System(_) => {}
        }
    }
    places
}

/// Resolves rules in their order. Of several roots with literally the same path only the first stays.
pub(crate) fn resolve(place: &Place, rules: &[RootRule]) -> Vec<ResolvedRoot> {
    let mut seen = HashSet::new();
    let mut roots = Vec::new();
    for rule in rules {
        let excepted: Vec<PathBuf> =
            rule.except.iter().flat_map(|base| expand(place, base)).map(|(path, _)| path).collect();
        for (path, depth) in expand(place, &rule.base) {
            if excepted.contains(&path) || !seen.insert(path.clone()) {
                continue;
            }
            let scope = match (&rule.scope, depth) {
                (Scope::Project { .. }, Some(depth)) => Scope::Project { depth },
                (scope, _) => scope.clone(),
            };
            let mut walk = rule.walk.clone();
            if walk.links == LinkLimit::Project {
                walk.links = LinkLimit::Within(vec![place.project_root().to_owned()]);
            }
            roots.push(ResolvedRoot { path, scope, walk });
        }
    }
    roots
}

/// Returns the directories of a base; for those of a project, also how deep below the project's root they lie.
fn expand(place: &Place, base: &RootBase) -> Vec<(PathBuf, Option<u16>)> {
    let below = |directory: Option<&PathBuf>, relative: &Path| {
        directory.map(|directory| (join(directory, relative), None)).into_iter().collect()
    };
    match base {
        RootBase::Path(path) => vec![(join(&place.cwd, path), None)],
        RootBase::Home(relative) => below(place.home.as_ref(), relative),
        RootBase::System(relative) => below(place.system_root.as_ref(), relative),
        RootBase::ProjectUpward { relative, order } => {
            let mut roots: Vec<_> = place
                .project_directories()
                .into_iter()
                .zip(0_u16..)
                .map(|(directory, depth)| (join(directory, relative), Some(depth)))
                .collect();
            if *order == UpwardOrder::InnermostFirst {
                roots.reverse();
            }
            roots
        }
        RootBase::NearestUpward { relative } => place
            .cwd
            .ancestors()
            .map(|directory| join(directory, relative))
            .find(|path| path.exists())
            .map(|path| (path, None))
            .into_iter()
            .collect(),
    }
}

/// Joins without `.` components, so that the same directory is literally the same path. `..` stays: what it
/// means depends on links.
fn join(directory: &Path, relative: &Path) -> PathBuf {
    directory.join(relative).components().filter(|component| *component != Component::CurDir).collect()
}
