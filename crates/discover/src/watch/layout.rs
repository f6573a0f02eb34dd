//! Which directories a scan depends on, and which names in them.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::Stamp;
use crate::walk::{LooseMarkdown, limit_of};
use crate::{WalkPolicy, WatchRoot};

/// The file that adds to a skill's metadata.
const OPENAI_YAML: &str = "openai.yaml";

/// Links that lead to links, at most.
const MAX_LINKS: usize = 16;

/// Whether every folder above a root is watched. Where one watch covers a whole tree, watching the top of the file
/// system is too dear, and only the nearest folder is.
const WHOLE_WAY: bool = cfg!(not(any(target_os = "macos", target_os = "windows")));

/// The directories that a scan depends on, as they are at one moment. No path in it leads through a link.
#[derive(Debug, Default)]
pub(super) struct Layout {
    roots: Vec<WatchRoot>,
    /// Directories that a walk lists.
    directories: HashSet<PathBuf>,
    /// Names in any directory that lead to one of these or to a file that is read: folders above a root, links, and
    /// what they lead to.
    ways: HashMap<PathBuf, HashSet<OsString>>,
    /// The state of all files that are read, and of all directories, if it was asked for; `None` where there is none.
    states: Option<BTreeMap<PathBuf, Option<Stamp>>>,
    /// Paths, as they are written, of which the whole way is known.
    approached: HashSet<PathBuf>,
    /// Whether a limit kept a walk from directories that a scan may come to.
    cut: bool,
}

/// What an event means for a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing.
    None,
    /// A file that it reads is another one.
    File,
    /// Directories or links are others, so the layout is.
    Structure,
}

impl Layout {
    /// Finds everything below and above the roots, and the state of every file if that is asked for.
    pub(super) fn of(roots: Vec<WatchRoot>, states: bool) -> Self {
        let mut layout = Self { states: states.then(BTreeMap::new), ..Self::default() };
        for root in &roots {
            layout.approach(&root.path, MAX_LINKS);
            let Ok(real) = fs::canonicalize(&root.path) else { continue };
            if real.is_file() {
                if let (Some(_), Some(folder)) = (&root.walk, real.parent()) {
                    layout.beside(folder);
                }
                layout.note(real);
            } else if let Some(policy) = &root.walk {
                layout.walk(&real, root, policy);
            }
        }
        layout.roots = roots;
        layout
    }

    /// Returns whether there may be more than the layout has.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Returns every directory to watch, each before those below it, and whether what lies further down matters.
    pub(super) fn watched(&self) -> Vec<(&Path, bool)> {
        let mut all: Vec<(&Path, bool)> =
            self.directories.iter().map(|directory| (directory.as_path(), true)).collect();
        let ways = self.ways.keys().filter(|directory| !self.directories.contains(*directory));
        all.extend(ways.map(|directory| (directory.as_path(), false)));
        all.sort_unstable();
        all
    }

    /// Returns the paths whose state is another one than it was in an earlier layout.
    pub(super) fn differences(&self, earlier: &Self) -> Vec<PathBuf> {
        let (Some(now), Some(then)) = (&self.states, &earlier.states) else { return Vec::new() };
        let new = now.iter().filter(|(path, state)| then.get(*path) != Some(state));
        let gone = then.keys().filter(|path| !now.contains_key(*path));
        new.map(|(path, _)| path).chain(gone).cloned().collect()
    }

    /// Returns whether a directory is one that is watched.
    pub(super) fn has(&self, directory: &Path) -> bool {
        self.directories.contains(directory) || self.ways.contains_key(directory)
    }

    /// Says what it means that something happened to a path.
    pub(super) fn judge(&self, path: &Path) -> Verdict {
        if self.has(path) {
            return Verdict::Structure;
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Verdict::None };
        let kind = fs::symlink_metadata(path).map(|metadata| metadata.file_type()).ok();
        let read = name == OPENAI_YAML || self.roots.iter().any(|root| reads(root, name));
        let leads = kind.is_some_and(|kind| kind.is_dir() || kind.is_symlink());
        if self.ways.get(parent).is_some_and(|names| names.contains(name)) {
            let file = read && kind.is_some_and(|kind| kind.is_file());
            return if file { Verdict::File } else { Verdict::Structure };
        }
        if !self.directories.contains(parent) {
            return Verdict::None;
        }
        let mut policies = self.roots.iter().filter_map(|root| root.walk.as_ref());
        match (read, leads) {
            (true, false) => Verdict::File,
            (false, true) if policies.all(|policy| is_skipped(policy, name)) => Verdict::None,
            (_, true) => Verdict::Structure,
            (false, false) => Verdict::None,
        }
    }

    /// Takes note of every name on the way to a path, through links, whether the path is there or not.
    fn approach(&mut self, path: &Path, links: usize) {
        for (above, folder) in path.ancestors().zip(path.ancestors().skip(1)) {
            if !self.approached.insert(above.to_owned()) {
                break;
            }
            let (Some(name), Ok(real)) = (above.file_name(), fs::canonicalize(folder)) else { continue };
            let entry = real.join(name);
            // What a link leads to may go away, or appear, in a folder of its own.
            if let (Ok(target), Some(links)) = (fs::read_link(&entry), links.checked_sub(1)) {
                self.approach(&real.join(target), links);
            }
            self.ways.entry(real).or_default().insert(name.to_owned());
            if !WHOLE_WAY {
                break;
            }
        }
    }

    fn walk(&mut self, real: &Path, root: &WatchRoot, policy: &WalkPolicy) {
        let mut seen = HashSet::from([real.to_owned()]);
        let mut queue = VecDeque::from([(real.to_owned(), 0)]);
        let mut entries = 0;
        let max_depth = policy.inner_folder.map_or(0, |folder| folder.max_depth).max(policy.max_depth);
        while let Some((directory, depth)) = queue.pop_front() {
            let Ok(listing) = fs::read_dir(&directory) else { continue };
            let (mut is_skill, mut is_read) = (false, false);
            let mut further = Vec::new();
            // In the order of a scan, so that a limit cuts both at the same place.
            let mut listing: Vec<_> = listing.flatten().collect();
            listing.sort_by_cached_key(fs::DirEntry::file_name);
            for entry in listing {
                entries += 1;
                if entries > policy.max_entries {
                    self.cut = true;
                    return;
                }
                let (name, Ok(kind)) = (entry.file_name(), entry.file_type()) else { continue };
                if kind.is_symlink() {
                    let path = entry.path();
                    self.approach(&path, MAX_LINKS);
                    // A scan looks beside what the link leads to.
                    if reads(root, &name)
                        && let Ok(target) = fs::canonicalize(&path)
                        && target.is_file()
                        && let Some(folder) = target.parent()
                    {
                        self.beside(folder);
                    }
                    if policy.follow_directory_links && path.is_dir() {
                        let target =
                            fs::canonicalize(path).ok().filter(|target| may_lead(policy, real, target));
                        further.extend(target.map(|target| (name, target)));
                        continue;
                    }
                } else if kind.is_dir() {
                    further.push((name, entry.path()));
                    continue;
                }
                if reads(root, &name) {
                    is_skill |= policy.file_names.iter().any(|file| name == *file);
                    is_read = true;
                    self.note(entry.path());
                }
            }
            if is_read && further.iter().any(|(name, _)| name.eq_ignore_ascii_case("agents")) {
                self.beside(&directory);
            }
            if let Some(states) = &mut self.states {
                states.insert(directory.clone(), None);
            }
            self.directories.insert(directory);
            if depth >= max_depth || (is_skill && !policy.descend_into_skills) {
                continue;
            }
            for (name, real) in further {
                if is_skipped(policy, &name) || seen.contains(&real) {
                    continue;
                }
                if seen.len() >= policy.max_directories {
                    self.cut = true;
                } else {
                    seen.insert(real.clone());
                    queue.push_back((real, depth + 1));
                }
            }
        }
    }

    /// Takes note of the file that adds to a skill's metadata.
    fn beside(&mut self, directory: &Path) {
        if let Some(file) = crate::openai::path_beside(&directory.join("any")) {
            self.approach(&file, MAX_LINKS);
            self.note(file);
        }
    }

    /// Takes note of a file's state, links followed.
    fn note(&mut self, file: PathBuf) {
        if let Some(states) = &mut self.states
            && let Ok(metadata) = fs::metadata(&file)
        {
            states.insert(file, Stamp::of(&metadata));
        }
    }
}

/// Returns whether a walk follows a link that leads there.
fn may_lead(policy: &WalkPolicy, root: &Path, target: &Path) -> bool {
    limit_of(root, policy).allows(target)
}

/// Returns whether a scan of the root looks at a file of this name.
fn reads(root: &WatchRoot, name: &OsStr) -> bool {
    if root.files.iter().any(|file| file == name) {
        return true;
    }
    let (Some(walk), Some(name)) = (&root.walk, name.to_str()) else { return false };
    let loose = walk.loose_markdown != LooseMarkdown::None
        && Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
    // A name in the wrong case is no skill, but it is told.
    loose
        || walk.ignore_files.contains(&name)
        || walk.file_names.iter().any(|file| file.eq_ignore_ascii_case(name))
}

fn is_skipped(policy: &WalkPolicy, name: &OsStr) -> bool {
    (!policy.descend_hidden && name.as_encoded_bytes().starts_with(b"."))
        || policy.skip_directories.iter().any(|skipped| name == *skipped)
}
