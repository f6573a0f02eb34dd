//! Which files a scan reads, whatever leads to them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use indexmap::IndexMap;
use indexmap::map::Entry;
use lorimer_core::{Diagnostic, Root};

use crate::boundary::Limit;
use crate::cache::{ListingNews, Session};
use crate::parallel::Workers;
use crate::roots::ResolvedRoot;
use crate::walk::{FoundFile, Witness, walk};
use crate::{ScanRequest, openai};

/// What walking the roots came to.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) roots: Vec<ResolvedRoot>,
    /// The roots as skills show them.
    pub(super) shown: Vec<Root>,
    /// Where links below the roots may lead.
    pub(super) limits: Vec<Limit>,
    /// Files by their canonical path, in the order of discovery.
    pub(super) files: IndexMap<PathBuf, Planned>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) complete: bool,
    /// What each root's walk went by; `None` where another walk is needed to tell whether the plan holds.
    witnesses: Option<Vec<Witness>>,
}

/// A file that will be read once.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Planned {
    pub(super) file: FoundFile,
    /// The place of its root among all.
    pub(super) root: usize,
}

/// Puts a path below the root as it was named instead of below the directory that the root leads to.
fn below_named(path: &mut PathBuf, root: &Path, named: &Path) {
    if let Ok(rest) = path.strip_prefix(root) {
        *path = if rest.as_os_str().is_empty() { named.to_owned() } else { named.join(rest) };
    }
}

impl Plan {
    /// Walks the roots, and returns what the cache ought to know about that besides.
    pub(super) fn new(
        roots: Vec<ResolvedRoot>,
        workers: &Workers,
        session: Option<&Session<'_>>,
    ) -> (Self, Vec<ListingNews>) {
        let mut news = Vec::new();
        let mut witnesses = Some(Vec::new());
        let mut plan = Self {
            roots: Vec::new(),
            shown: Vec::new(),
            limits: Vec::new(),
            files: IndexMap::new(),
            diagnostics: Vec::new(),
            complete: true,
            witnesses: None,
        };
        for ((root, resolved), order) in roots.iter().enumerate().zip(0_u32..) {
            let walked = walk(&resolved.path, &resolved.walk, workers, session);
            news.extend(walked.news);
            witnesses = witnesses.zip(walked.witness).map(|(mut all, witness)| {
                all.push(witness);
                all
            });
            plan.complete &= walked.complete;
            plan.diagnostics.extend(walked.diagnostics);
            plan.shown.push(Root { path: shown_path(&walked.root), order });
            plan.limits.push(walked.limit);
            plan.files.reserve(walked.found.len());
            for mut file in walked.found {
                if resolved.walk.root_as_named {
                    for path in std::iter::once(&mut file.discovered).chain(&mut file.aliases) {
                        below_named(path, &walked.root, &resolved.path);
                    }
                }
                match plan.files.entry(file.canonical.clone()) {
                    // The first root wins; the others only lead to the same file.
                    Entry::Occupied(mut known) => known.get_mut().also(file),
                    Entry::Vacant(slot) => {
                        slot.insert(Planned { file, root });
                    }
                }
            }
        }
        plan.roots = roots;
        plan.witnesses = witnesses;
        (plan, news)
    }

    /// Returns whether another walk would come to the same: every directory is as it was, and there is no link whose
    /// target could be another one.
    pub(super) fn is_current(
        &self,
        roots: &[ResolvedRoot],
        workers: &Workers,
        session: &Session<'_>,
    ) -> bool {
        let Some(witnesses) = &self.witnesses else { return false };
        if self.roots != roots {
            return false;
        }
        let changed = AtomicBool::new(false);
        for (witness, root) in witnesses.iter().zip(roots) {
            if !witness.is_of(&root.path) {
                return false;
            }
            workers.in_order(&witness.directories, |(path, stamp)| {
                if !changed.load(Ordering::Relaxed) && session.looks.directory(path) != Some(*stamp) {
                    changed.store(true, Ordering::Relaxed);
                }
            });
        }
        !changed.into_inner()
    }

    /// Returns whether the plan still holds when nothing but the touched paths has changed: all of them are skill files
    /// that it names, or the `openai.yaml` of one, and are still there as files.
    pub(super) fn holds(&self, request: &ScanRequest, roots: &[ResolvedRoot]) -> bool {
        request.only_touched && !request.force && self.roots == roots && self.names_all(&request.touched)
    }

    /// Returns whether all paths are skill files that the plan names, or the `openai.yaml` of one, and are there as
    /// files.
    pub(super) fn names_all(&self, paths: &[PathBuf]) -> bool {
        paths.iter().all(|path| {
            self.names(path) && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
        })
    }

    fn names(&self, path: &Path) -> bool {
        if self.files.contains_key(path) {
            return true;
        }
        // The file may lie beside a skill file of any of the names.
        let Some(folder) = path.parent().and_then(Path::parent) else { return false };
        let names = self.roots.iter().flat_map(|root| root.walk.file_names);
        names.into_iter().map(|name| folder.join(name)).any(|skill| {
            openai::path_beside(&skill).is_some_and(|beside| beside == path)
                && self.files.get(&skill).is_some_and(|planned| planned.file.agents)
        })
    }
}

impl Planned {
    /// Takes note of further ways to the same file.
    fn also(&mut self, file: FoundFile) {
        self.file.aliases.push(file.discovered);
        self.file.aliases.extend(file.aliases);
    }
}

/// Returns a path as it is shown, with `/` between its parts on every platform.
fn shown_path(path: &Path) -> String {
    let shown = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' {
        shown.into_owned()
    } else {
        shown.replace(std::path::MAIN_SEPARATOR, "/")
    }
}
