//! Which files a scan reads, whatever leads to them.

use std::fs;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use indexmap::map::Entry;
use lorimer_core::{Diagnostic, Root};

use crate::boundary::Limit;
use crate::parallel::Workers;
use crate::roots::ResolvedRoot;
use crate::walk::{FoundFile, walk};
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
}

/// A file that will be read once.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) file: FoundFile,
    /// The place of its root among all.
    pub(super) root: usize,
}

impl Plan {
    /// Walks the roots.
    pub(super) fn new(roots: Vec<ResolvedRoot>, workers: &Workers) -> Self {
        let mut plan = Self {
            roots: Vec::new(),
            shown: Vec::new(),
            limits: Vec::new(),
            files: IndexMap::new(),
            diagnostics: Vec::new(),
            complete: true,
        };
        for ((root, resolved), order) in roots.iter().enumerate().zip(0_u32..) {
            let walked = walk(&resolved.path, &resolved.walk, workers);
            plan.complete &= walked.complete;
            plan.diagnostics.extend(walked.diagnostics);
            plan.shown.push(Root { path: shown_path(&walked.root), order });
            plan.limits.push(walked.limit);
            plan.files.reserve(walked.found.len());
            for file in walked.found {
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
        plan
    }

    /// Returns whether the plan still holds when nothing but the touched paths has changed: all of them are skill files
    /// that it names, or the `openai.yaml` of one, and are still there as files.
    pub(super) fn holds(&self, request: &ScanRequest, roots: &[ResolvedRoot]) -> bool {
        request.only_touched
            && !request.force
            && self.roots == roots
            && request.touched.iter().all(|path| {
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
