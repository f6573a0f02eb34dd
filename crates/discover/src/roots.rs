//! Where to look, as data.
//!
//! Rules are resolved anew at each scan, so a root that is made in the middle of a session is noticed.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use lorimer_core::Scope;

use crate::boundary::LinkLimit;
use crate::walk::WalkPolicy;
use crate::{Place, nested};

/// Which of several nested directories comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpwardOrder {
    /// The project's root first, the working directory last.
    OutermostFirst,
    /// The working directory first, the project's root last.
    InnermostFirst,
}

/// Where a walk from the working directory upwards ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// At the project's root; without one it is the working directory alone.
    Project,
    /// At the project's root; without one at the root of the file system.
    ProjectOrTop,
    /// At the project's root or the user's home, whichever is nearer; with neither above, at the root of the file
    /// system.
    ProjectOrHome,
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
    /// A directory below the project's root, and no other one between it and the working directory.
    ProjectRoot(PathBuf),
    /// A directory below the working directory and each of its ancestors.
    Ancestors {
        /// Path below each of them.
        relative: PathBuf,
        /// Which comes first.
        order: UpwardOrder,
        /// Where the ancestors end.
        until: Until,
    },
    /// A directory below a folder that a variable of the environment may move.
    Relocatable {
        /// The variable, as [`Place::variables`] has it. A blank value moves nothing.
        variable: String,
        /// Where the folder is unless it was moved; `None` where it is nowhere then.
        otherwise: Option<Box<RootBase>>,
        /// Path below the folder.
        relative: PathBuf,
    },
    /// A directory below each directory that lies below the working directory, on the way to a file that the session
    /// has [opened](Place::opened). What the repository ignores does not count.
    Nested {
        /// Path below each of them.
        relative: PathBuf,
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
    /// Whether the skills are meant for the folder that the root lies in ([`lorimer_core::Provenance::serves`]).
    pub serves_folder: bool,
}

impl RootRule {
    /// Returns a rule that walks as [`WalkPolicy::default`] does, without exceptions.
    pub fn new(base: RootBase, scope: Scope) -> Self {
        Self { base, scope, walk: WalkPolicy::default(), except: Vec::new(), serves_folder: false }
    }

    /// Returns the rule with this way of walking.
    #[must_use]
    pub fn with_walk(mut self, walk: WalkPolicy) -> Self {
        self.walk = walk;
        self
    }

    /// Returns the rule whose skills are meant for the folder that the root lies in.
    #[must_use]
    pub fn serving_its_folder(mut self) -> Self {
        self.serves_folder = true;
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
    /// The place of its rule among all rules.
    pub rule: usize,
    /// The directory. It need not exist.
    pub path: PathBuf,
    /// Whose skills these are.
    pub scope: Scope,
    /// How to walk. A limit of links to the project names its directory.
    pub walk: WalkPolicy,
    /// The folder that its skills are meant for, where they are not for the whole session.
    pub serves: Option<String>,
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
    for mut base in bases {
        while let RootBase::Relocatable { otherwise: Some(otherwise), .. } = base {
            base = otherwise;
        }
        if matches!(base, RootBase::Nested { .. }) {
            let root = place.project_root();
            for file in &place.opened {
                let on_the_way = file.ancestors().skip(1).take_while(|directory| directory.starts_with(root));
                on_the_way.for_each(|directory| decides(directory.join(".gitignore")));
            }
        }
        match base {
            RootBase::ProjectUpward { .. }
            | RootBase::ProjectRoot(_)
            | RootBase::Ancestors { .. }
            | RootBase::Nested { .. } => {
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
            RootBase::Path(_) | RootBase::Home(_) | RootBase::System(_) | RootBase::Relocatable { .. } => {}
        }
    }
    places
}

/// Resolves rules in their order. Of several roots with literally the same path only the first stays.
///
/// ```
/// use lorimer_core::Scope;
/// use lorimer_discover::{Place, RootBase, RootRule, resolve};
/// let mut place = Place::new("/home/u/app").home("/home/u");
/// let base = RootBase::Relocatable {
///     variable: "AGENT_HOME".to_owned(),
///     otherwise: Some(Box::new(RootBase::Home(".agent".into()))),
///     relative: "skills".into(),
/// };
/// let rules = [RootRule::new(base, Scope::User)];
/// assert_eq!(resolve(&place, &rules)[0].path.to_str(), Some("/home/u/.agent/skills"));
/// place.variables.insert("AGENT_HOME".to_owned(), "/elsewhere".to_owned());
/// assert_eq!(resolve(&place, &rules)[0].path.to_str(), Some("/elsewhere/skills"));
/// ```
pub fn resolve(place: &Place, rules: &[RootRule]) -> Vec<ResolvedRoot> {
    let mut seen = HashSet::new();
    let mut roots = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
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
                let project = place.project_root();
                // A rule may lead to places above the project, which are then held to themselves.
                let below = path.starts_with(project);
                walk.links =
                    if below { LinkLimit::Within(vec![project.to_owned()]) } else { LinkLimit::Root };
            }
            let serves = rule.serves_folder.then(|| served(place, &rule.base, &path)).flatten();
            roots.push(ResolvedRoot { rule: index, path, scope, walk, serves });
        }
    }
    roots
}

/// Returns the folder that a root serves, with `/` between its parts: the one that the rule's relative path starts in, seen
/// from the working directory, or its own name where it does not lie below that.
fn served(place: &Place, base: &RootBase, root: &Path) -> Option<String> {
    let below = match base {
        RootBase::Nested { relative } | RootBase::Ancestors { relative, .. } => relative.components().count(),
        // The folder of settings and the folder of skills in it.
        _ => 2,
    };
    let folder = root.ancestors().nth(below)?;
    let folder = match folder.strip_prefix(&place.cwd) {
        Ok(relative) if relative.as_os_str().is_empty() => return None,
        Ok(relative) => relative,
        Err(_) => Path::new(folder.file_name()?),
    };
    let parts = folder.components().map(|part| part.as_os_str().to_string_lossy());
    Some(parts.collect::<Vec<_>>().join("/"))
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
        RootBase::ProjectUpward { relative, order } => upward(place, relative, *order, Until::Project),
        RootBase::ProjectRoot(relative) => vec![(join(place.project_root(), relative), Some(0))],
        RootBase::Ancestors { relative, order, until } => upward(place, relative, *order, *until),
        RootBase::Relocatable { variable, otherwise, relative } => match place.moved(variable) {
            Some(folder) => vec![(join(&folder, relative), None)],
            None => otherwise
                .iter()
                .flat_map(|otherwise| expand(place, otherwise))
                .map(|(folder, depth)| (join(&folder, relative), depth))
                .collect(),
        },
        RootBase::Nested { relative } => nested::directories(place)
            .into_iter()
            .map(|(directory, depth)| (join(&directory, relative), Some(depth)))
            .collect(),
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

fn upward(place: &Place, relative: &Path, order: UpwardOrder, until: Until) -> Vec<(PathBuf, Option<u16>)> {
    let mut roots: Vec<_> = place
        .ancestors(until)
        .into_iter()
        .zip(0_u16..)
        .map(|(directory, depth)| (join(directory, relative), Some(depth)))
        .collect();
    if order == UpwardOrder::InnermostFirst {
        roots.reverse();
    }
    roots
}

/// Joins without `.` components, so that the same directory is literally the same path. `..` stays: what it
/// means depends on links.
fn join(directory: &Path, relative: &Path) -> PathBuf {
    directory.join(relative).components().filter(|component| *component != Component::CurDir).collect()
}
