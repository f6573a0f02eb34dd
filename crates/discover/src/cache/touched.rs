//! Paths that are known to have changed.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::walk::FoundFile;

/// Paths that are known to have changed, as they were told and without links.
#[derive(Debug, Default)]
pub(super) struct Touched {
    paths: HashSet<PathBuf>,
    /// Every folder above one of them.
    above: HashSet<PathBuf>,
}

impl Touched {
    pub(super) fn new(told: &[PathBuf]) -> Self {
        let mut touched = Self::default();
        for path in told {
            for path in [Some(path.clone()), canonical(path)].into_iter().flatten() {
                touched.above.extend(path.ancestors().skip(1).map(Path::to_owned));
                touched.paths.insert(path);
            }
        }
        touched
    }

    /// Returns whether a skill file is one of the paths, lies below one, or has one beside it.
    pub(super) fn concerns(&self, file: &FoundFile) -> bool {
        if self.paths.is_empty() {
            return false;
        }
        let ways = [&file.canonical, &file.discovered].into_iter().chain(&file.aliases);
        ways.into_iter().any(|way| {
            way.parent().is_some_and(|folder| self.above.contains(folder))
                || way.ancestors().any(|ancestor| self.paths.contains(ancestor))
        })
    }
}

/// Returns the path without links, also where its last part is gone.
fn canonical(path: &Path) -> Option<PathBuf> {
    if let Ok(path) = fs::canonicalize(path) {
        return Some(path);
    }
    Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?))
}
