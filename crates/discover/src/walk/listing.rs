//! What a directory holds.

use std::ffi::OsString;
use std::fs::{self, FileType};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Directory, WalkPolicy};
use crate::parallel::Workers;

/// An entry of a directory.
pub(super) struct Entry {
    pub(super) name: OsString,
    pub(super) kind: FileType,
}

/// Lists directories, several at a time. Once more entries than the policy reads are there, the others are put off:
/// names that nobody will look at must not fill the memory.
pub(super) fn several(
    directories: &[Directory],
    policy: &WalkPolicy,
    workers: &Workers,
) -> Vec<Option<io::Result<Vec<Entry>>>> {
    let held = AtomicUsize::new(0);
    workers.in_order(directories, |directory| {
        if held.load(Ordering::Relaxed) > policy.max_entries {
            return None;
        }
        let listing = list(&directory.path, policy);
        held.fetch_add(listing.as_ref().map_or(0, Vec::len), Ordering::Relaxed);
        Some(listing)
    })
}

/// Lists a directory in the order of the names' bytes, whatever order the platform has.
pub(super) fn list(path: &Path, policy: &WalkPolicy) -> io::Result<Vec<Entry>> {
    // A directory far beyond every limit is not read to its end, so that its names do not fill the memory.
    let most = policy.max_entries.saturating_mul(4).saturating_add(1);
    let mut entries = Vec::new();
    for entry in fs::read_dir(path)?.take(most) {
        let entry = entry?;
        // An entry that vanishes between the two calls was not there.
        if let Ok(kind) = entry.file_type() {
            entries.push(Entry { name: entry.file_name(), kind });
        }
    }
    entries.sort_unstable_by(|left, right| left.name.as_encoded_bytes().cmp(right.name.as_encoded_bytes()));
    Ok(entries)
}
