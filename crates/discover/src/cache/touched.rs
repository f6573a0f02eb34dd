//! Paths that are known to have changed.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::openai::path_beside;
use crate::walk::FoundFile;

/// Paths that are known to have changed, as they were told and without links.
#[derive(Debug, Default)]
pub(super) struct Touched {
    paths: HashSet<OsString>,
    /// The lengths of the paths, so that only those parts of another path are looked up that can be one of them.
    lengths: HashSet<usize>,
    /// The folders that the paths lie in.
    parents: HashSet<OsString>,
    /// Folders in which the file that adds to a skill's metadata is one of the paths.
    beside: HashSet<OsString>,
}

impl Touched {
    pub(super) fn new(told: &[PathBuf]) -> Self {
        let both = told.iter().flat_map(|path| [Some(path.clone()), canonical(path)]).flatten();
        // Collecting the components takes away what makes two forms of a path differ.
        let paths: HashSet<_> =
            both.map(|path| path.components().collect::<PathBuf>().into_os_string()).collect();
        let beside = paths.iter().flat_map(|path| folders_beside(Path::new(path))).collect();
        let parents =
            paths.iter().filter_map(|path| Some(Path::new(path).parent()?.as_os_str().to_owned())).collect();
        Self { lengths: paths.iter().map(|path| path.len()).collect(), paths, parents, beside }
    }

    /// Returns whether what a directory holds may have changed: one of the paths lies in it, leads to it or lies above
    /// it. Who tells of one way to a directory may mean what lies at the end of it, and only its stamp tells of others.
    pub(super) fn concerns_directory(&self, path: &Path) -> bool {
        !self.paths.is_empty() && (self.parents.contains(path.as_os_str()) || self.holds(path))
    }

    /// Returns whether a skill file, or the file that adds to its metadata, is one of the paths or lies below one.
    pub(super) fn concerns(&self, file: &FoundFile) -> bool {
        if self.paths.is_empty() {
            return false;
        }
        let discovered = (file.discovered != file.canonical).then_some(&file.discovered);
        let ways = [&file.canonical].into_iter().chain(discovered).chain(&file.aliases);
        ways.into_iter().any(|way| {
            let beside = |folder: &Path| self.beside.contains(folder.as_os_str());
            self.holds(way) || (!self.beside.is_empty() && way.parent().is_some_and(beside))
        })
    }

    /// Returns whether a path is one of the paths or lies below one.
    fn holds(&self, path: &Path) -> bool {
        let whole = path.as_os_str().as_encoded_bytes();
        self.lengths.iter().any(|length| {
            let ends = whole.len() == *length || is_cut(whole, *length);
            ends && path.ancestors().any(|ancestor| {
                ancestor.as_os_str().len() == *length && self.paths.contains(ancestor.as_os_str())
            })
        })
    }
}

/// Returns the folders of skills that a path adds to, if it is `agents/openai.yaml` or `agents`.
fn folders_beside(path: &Path) -> impl Iterator<Item = OsString> {
    path.ancestors().skip(1).take(2).filter_map(move |folder| {
        let beside = path_beside(&folder.join("any"))?;
        beside.starts_with(path).then(|| folder.as_os_str().to_owned())
    })
}

/// Returns whether a part of a path ends behind so many bytes: before a separator, or with one that is a root.
fn is_cut(path: &[u8], length: usize) -> bool {
    let separator = |at: usize| path.get(at).is_some_and(|byte| std::path::is_separator(char::from(*byte)));
    separator(length) || length.checked_sub(1).is_some_and(separator)
}

/// Returns the path without links, also where its last part is gone.
fn canonical(path: &Path) -> Option<PathBuf> {
    if let Ok(path) = fs::canonicalize(path) {
        return Some(path);
    }
    Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?))
}
