//! The files beside a skill's body.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::boundary::Limit;

/// Bounds on one skill's files. What lies beyond them is not offered.
const MAX_FILES: usize = 1_000;
const MAX_ENTRIES: usize = 10_000;
const MAX_DEPTH: usize = 8;

/// Returns the files below a skill's directory, sorted by path: no skill file, nothing hidden, no link that leads out of
/// it or to a directory, and nothing of a skill that lies further down.
pub(super) fn below(directory: &Path, skill_files: &HashSet<&str>) -> io::Result<Vec<PathBuf>> {
    let limit = Limit::resolved([directory]);
    let mut files = Vec::new();
    let mut entries = 0;
    let mut waiting = vec![(directory.to_owned(), 0)];
    while let Some((current, depth)) = waiting.pop() {
        let listing = match fs::read_dir(&current) {
            Ok(listing) => listing,
            // What cannot be listed further down costs only itself.
            Err(_) if depth > 0 => continue,
            Err(error) => return Err(error),
        };
        let mut here = Vec::new();
        let mut further = Vec::new();
        let mut nested_skill = false;
        for entry in listing.flatten() {
            entries += 1;
            if entries > MAX_ENTRIES {
                break;
            }
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else { continue };
            if name.to_str().is_some_and(|name| skill_files.contains(name)) {
                nested_skill = depth > 0;
            } else if name.as_encoded_bytes().starts_with(b".") {
            } else if kind.is_file() || (kind.is_symlink() && leads_to_file(&limit, &entry.path())) {
                here.push(entry.path());
            } else if kind.is_dir() && depth < MAX_DEPTH {
                further.push((entry.path(), depth + 1));
            }
        }
        if !nested_skill {
            files.append(&mut here);
            waiting.append(&mut further);
        }
    }
    files.sort_unstable();
    files.truncate(MAX_FILES);
    Ok(files)
}

fn leads_to_file(limit: &Limit, link: &Path) -> bool {
    limit.resolve(link).is_ok_and(|target| target.is_file())
}
