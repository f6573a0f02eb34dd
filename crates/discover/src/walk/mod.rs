//! A bounded, breadth-first walk of one root.
//!
//! It keeps a queue of its own, so no depth can exhaust the call stack, and it opens no file but
//! ignore files, where the policy heeds them.

mod candidate;
mod ending;
mod ignored;
mod inner;
mod listing;
mod policy;
mod read;

use std::collections::{HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lorimer_core::{Code, Diagnostic};

use crate::boundary::{Limit, LinkLimit, is_absent};
use crate::cache::{ListingNews, Session, Stamp};
use crate::parallel::Workers;
use ignored::Ignored;
pub(crate) use ignored::lines as ignore_lines;
use listing::Listing;
pub(crate) use listing::{Entry, Kind};
pub use policy::{InnerFolder, LooseMarkdown, WalkOrder, WalkPolicy};

/// Directories that are listed at a time.
const BATCH: usize = 1024;

/// A skill file that a walk came across.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundFile {
    /// The canonical root and the names that were walked, links among them.
    pub(crate) discovered: PathBuf,
    /// The file itself.
    pub(crate) canonical: PathBuf,
    /// Further paths below the same root that lead to it.
    pub(crate) aliases: Vec<PathBuf>,
    /// The directory that is the skill's own, without links. A Markdown file that lies about has none: what lies
    /// beside it belongs to others too.
    pub(crate) directory: Option<PathBuf>,
    /// Whether something called `agents` may lie beside the file. Its directory was listed, so mostly this is known
    /// without a further look.
    pub(crate) agents: bool,
}

/// What a walk came to.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The root without links.
    pub(crate) root: PathBuf,
    /// Where links below it may lead.
    pub(crate) limit: Limit,
    pub(crate) found: Vec<FoundFile>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) complete: bool,
    /// By what the walk is known to come to the same again; `None` where that cannot be said.
    pub(crate) witness: Option<Witness>,
    /// What the cache ought to know, where there is one.
    pub(crate) news: Vec<ListingNews>,
}

/// All that a walk went by.
#[derive(Debug, Default)]
pub(crate) struct Witness {
    /// The root without links; `None` where there was nothing.
    root: Option<PathBuf>,
    /// The directories that were visited. None of them held a link.
    pub(crate) directories: Vec<(PathBuf, Stamp)>,
}

impl Witness {
    /// Returns whether a root leads where it led. What its directories hold is to be looked at besides.
    pub(crate) fn is_of(&self, root: &Path) -> bool {
        enter(root).is_ok_and(|entered| entered == self.root)
    }
}

/// Walks one root, breadth first, the entries of each directory in the order of their bytes.
///
/// Several directories are listed at a time, but they are visited one after the other, so that limits and links do the
/// same whatever order I/O finishes in.
pub(crate) fn walk(
    root: &Path,
    policy: &WalkPolicy,
    workers: &Workers,
    session: Option<&Session<'_>>,
) -> Walked {
    let mut walked = Walked { root: root.to_owned(), complete: true, ..Walked::default() };
    if policy.root_may_be_file && root.is_file() {
        return inner::single_file(root, policy, walked);
    }
    let (code, message) = match enter(root) {
        Ok(Some(canonical)) => {
            let limit = limit_of(&canonical, policy);
            if limit.allows(&canonical) {
                let (start, policy) = inner::start(canonical, policy, &limit, workers);
                return Walk::new(start, &policy, limit).run(workers, session);
            }
            (Code::SymlinkEscape, format!("the skill root is a link that leads to `{}`", canonical.display()))
        }
        Ok(None) => {
            walked.witness = session.map(|_| Witness::default());
            return walked;
        }
        Err(trouble) => trouble,
    };
    walked.complete = code != Code::DirectoryUnreadable;
    walked.diagnostics.push(Diagnostic::new(code, message).at(root.to_owned(), None));
    walked
}

/// Returns where links below a root may lead. A project that was not resolved to its directory is the root itself.
pub(crate) fn limit_of(root: &Path, policy: &WalkPolicy) -> Limit {
    let directories = match &policy.links {
        LinkLimit::Anywhere => return Limit::default(),
        LinkLimit::Root | LinkLimit::Project => &[root.to_owned()],
        LinkLimit::Within(directories) => directories.as_slice(),
    };
    Limit::within(directories.iter().chain(&policy.link_targets).map(PathBuf::as_path))
}

/// Returns the root without links; `None` where there is nothing, which is no trouble, and the trouble where it is
/// one.
fn enter(root: &Path) -> Result<Option<PathBuf>, (Code, String)> {
    let unreadable =
        |error: io::Error| (Code::DirectoryUnreadable, format!("the skill root cannot be read: {error}"));
    match fs::metadata(root) {
        Ok(metadata) if metadata.is_dir() => fs::canonicalize(root).map(Some).map_err(unreadable),
        Ok(_) => Err((Code::RootNotDirectory, "the skill root is not a directory".to_owned())),
        Err(error) if !is_absent(&error) => Err(unreadable(error)),
        Err(_) if fs::symlink_metadata(root).is_ok() => {
            Err((Code::SymlinkDangling, "the skill root is a link that leads nowhere".to_owned()))
        }
        Err(_) => Ok(None),
    }
}

/// A directory that waits for its turn.
struct Directory {
    path: PathBuf,
    /// The path without links, where that is another one.
    canonical: Option<PathBuf>,
    depth: usize,
}

impl Directory {
    fn canonical(&self) -> &Path {
        self.canonical.as_deref().unwrap_or(&self.path)
    }
}

struct Walk<'p> {
    policy: &'p WalkPolicy,
    walked: Walked,
    queue: VecDeque<Directory>,
    visited: HashSet<PathBuf>,
    /// Links to directories that were visited already: the directory, and the link.
    links: Vec<(PathBuf, PathBuf)>,
    /// Skill files of the directory at hand that are links of which was said that they lead nowhere.
    broken_links: Vec<PathBuf>,
    directories: usize,
    entries: usize,
    too_many_directories: bool,
    too_many_entries: bool,
    too_deep: Vec<PathBuf>,
    ignored: Ignored,
}

impl<'p> Walk<'p> {
    fn new(root: PathBuf, policy: &'p WalkPolicy, limit: Limit) -> Self {
        let first = Directory { path: root.clone(), canonical: None, depth: 0 };
        Self {
            policy,
            visited: HashSet::from([root.clone()]),
            walked: Walked { root, limit, complete: true, ..Walked::default() },
            queue: VecDeque::from([first]),
            links: Vec::new(),
            broken_links: Vec::new(),
            directories: 1,
            entries: 0,
            too_many_directories: false,
            too_many_entries: false,
            too_deep: Vec::new(),
            ignored: Ignored::default(),
        }
    }

    fn run(mut self, workers: &Workers, session: Option<&Session<'_>>) -> Walked {
        let root = Some(self.walked.root.clone());
        // What ignore files say, and which folder is walked, is told by no directory's stamp.
        let told = self.policy.ignore_files.is_empty() && self.policy.inner_folder.is_none();
        self.walked.witness = session.filter(|_| told).map(|_| Witness { root, directories: Vec::new() });
        'walk: while !self.queue.is_empty() {
            let batch: Vec<Directory> = self.queue.drain(..self.queue.len().min(BATCH)).collect();
            let listings = listing::several(&batch, self.policy, workers, session);
            for (directory, listing) in batch.into_iter().zip(listings) {
                if self.too_many_entries {
                    break 'walk;
                }
                // What was put off may not be needed any more by now.
                let listing =
                    listing.unwrap_or_else(|| listing::list(directory.canonical(), self.policy, session));
                self.take_note(&directory, &listing);
                self.walked.news.extend(listing.news);
                self.visit(&directory, listing.entries);
                if let Some((witness, stamp)) = self.walked.witness.as_mut().zip(listing.stamp) {
                    witness.directories.push((directory.path, stamp));
                }
            }
        }
        self.report_limits();
        self.assign_aliases();
        self.put_in_order();
        self.walked
    }

    fn report(&mut self, code: Code, path: &Path, message: impl Into<String>) {
        self.walked.diagnostics.push(Diagnostic::new(code, message).at(path.to_owned(), None));
    }

    /// Where links lead, and what could not be listed, is told by no directory's stamp.
    fn take_note(&mut self, directory: &Directory, listing: &Listing) {
        let told = listing.stamp.is_some() && directory.canonical.is_none();
        let links =
            |entries: &Vec<Entry>| entries.iter().any(|entry| !entry.kind.is_file() && !entry.kind.is_dir());
        if !told || listing.entries.as_ref().map_or(true, links) {
            self.walked.witness = None;
        }
    }

    fn visit(&mut self, directory: &Directory, listing: io::Result<Vec<Entry>>) {
        let mut entries = match listing {
            Ok(entries) => entries,
            Err(error) => {
                self.walked.complete = false;
                self.report(
                    Code::DirectoryUnreadable,
                    &directory.path,
                    format!("the directory cannot be read: {error}"),
                );
                return;
            }
        };
        self.cut_listing(directory, &mut entries);
        let left = self.policy.max_entries - self.entries;
        if entries.len() > left {
            entries.truncate(left);
            self.too_many_entries = true;
        }
        self.entries += entries.len();
        self.broken_links.clear();
        self.heed_ignore_files(directory, &mut entries);
        let is_skill = self.take_skill_file(directory, &entries);
        if !is_skill {
            self.take_loose_files(directory, &entries);
        }
        let ends = is_skill || self.policy.odd_skill_file_ends && self.holds_skill_name(directory, &entries);
        let descend = self.policy.descend_into_skills || !ends;
        let mut children = 0;
        let mut beyond = 0_usize;
        for entry in entries {
            if !entry.kind.is_dir() && !entry.kind.is_symlink() {
                continue;
            }
            if children == self.policy.max_children && descend {
                beyond += usize::from(entry.kind.is_dir() && !self.is_skipped(&entry.name));
            } else if self.offer(directory, &entry, descend, is_skill) {
                children += 1;
            }
        }
        self.report_children(directory, beyond);
    }

    /// Puts a sub-directory, or what a link leads to, into the queue. Returns whether it is a directory that may be
    /// looked into.
    fn offer(&mut self, directory: &Directory, entry: &Entry, descend: bool, below_skill: bool) -> bool {
        let skipped = self.is_skipped(&entry.name)
            || self.is_reserved(directory, entry)
            || (below_skill && self.policy.skip_in_skills.iter().any(|skipped| entry.name == *skipped));
        if !descend || skipped {
            return false;
        }
        let path = directory.path.join(&entry.name);
        let canonical = if entry.kind.is_symlink() {
            match self.allowed(&path) {
                Some(canonical) => Some(canonical),
                None => return false,
            }
        } else {
            directory.canonical.as_ref().map(|canonical| canonical.join(&entry.name))
        };
        if directory.depth >= self.policy.max_depth {
            if self.policy.report_too_deep {
                // What lies there is looked up and not listed.
                self.walked.witness = None;
            }
            if self.policy.report_too_deep
                && self.policy.file_names.iter().any(|name| path.join(name).is_file())
            {
                self.too_deep.push(path);
            }
            return true;
        }
        if !self.visited.insert(canonical.clone().unwrap_or_else(|| path.clone())) {
            if let Some(canonical) = canonical {
                self.report_visited(directory, path, canonical);
            }
            return true;
        }
        if self.directories >= self.policy.max_directories {
            self.too_many_directories = true;
            return true;
        }
        self.directories += 1;
        self.queue.push_back(Directory { path, canonical, depth: directory.depth + 1 });
        true
    }

    fn is_skipped(&self, name: &OsStr) -> bool {
        (!self.policy.descend_hidden && name.as_encoded_bytes().starts_with(b"."))
            || self.policy.skip_directories.iter().any(|skipped| name == *skipped)
    }

    /// Returns the directory that a link leads to, if links to directories are followed.
    fn follow(&mut self, path: &Path) -> Option<PathBuf> {
        if !self.policy.follow_directory_links {
            return None;
        }
        // As a skill file it was looked at before. Somebody may be changing it, so it is not asked twice.
        if self.broken_links.iter().any(|broken| broken == path) {
            return None;
        }
        let target = fs::metadata(path)
            .and_then(|metadata| if metadata.is_dir() { fs::canonicalize(path).map(Some) } else { Ok(None) });
        target.unwrap_or_else(|error| {
            self.report_broken_link(path, &error);
            None
        })
    }

    fn report_broken_link(&mut self, path: &Path, error: &io::Error) {
        if is_loop(error) {
            self.report(Code::SymlinkCycle, path, "the link leads back to itself");
        } else if is_absent(error) {
            self.report(Code::SymlinkDangling, path, "the link leads nowhere");
        } else {
            self.walked.complete = false;
            self.report(Code::DirectoryUnreadable, path, format!("the link cannot be followed: {error}"));
        }
    }

    /// Returns the directory that a link leads to, if that is one it may lead to.
    fn allowed(&mut self, link: &Path) -> Option<PathBuf> {
        let target = self.follow(link)?;
        self.is_inside(link, &target).then_some(target)
    }

    /// Returns whether a link may lead there.
    fn is_inside(&mut self, link: &Path, target: &Path) -> bool {
        let inside = self.walked.limit.allows(target);
        if !inside {
            let out_of = match self.policy.links {
                LinkLimit::Within(_) => "the directory that it must stay in",
                _ => "its root",
            };
            let message = format!("the link leads out of {out_of}, to `{}`", target.display());
            self.report(Code::SymlinkEscape, link, message);
        }
        inside
    }

    fn report_visited(&mut self, directory: &Directory, path: PathBuf, canonical: PathBuf) {
        if directory.canonical().starts_with(&canonical) {
            self.report(Code::SymlinkCycle, &path, "the link leads back to a folder that it lies in");
        } else if path != canonical {
            self.links.push((canonical, path));
        }
    }
}

#[cfg(unix)]
fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ELOOP)
}

#[cfg(not(unix))]
fn is_loop(_error: &io::Error) -> bool {
    false
}
