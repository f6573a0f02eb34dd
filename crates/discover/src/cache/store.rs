//! The folder that shards lie in.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;

use lorimer_core::Digest;
use tempfile::NamedTempFile;

use super::shard::Shard;
use super::stamp::Moment;
use crate::boundary::open_regular;

/// All files of the folder begin like this, those that a crash left behind too.
const PREFIX: &str = "metadata-";
/// A larger file is none of ours.
const MAX_BYTES: u64 = 1 << 30;
/// A file that was not written for so long belongs to a place that nobody looks at any more, or to an older version.
const MAX_AGE_SECONDS: i64 = 60 * 24 * 60 * 60;

/// Reads a shard; an empty one where there is none, or none that is whole.
pub(super) fn load(folder: &Path, key: &Digest) -> Shard {
    let read = || {
        let file = open_regular(&folder.join(file_name(key))).ok()?;
        let length = file.metadata().ok()?.len();
        let mut bytes = Vec::with_capacity(usize::try_from(length.min(MAX_BYTES)).ok()?);
        file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        Shard::from_bytes(bytes, key)
    };
    read().unwrap_or_default()
}

/// Writes a shard beside its place and moves it there, so that no reader sees a part of it. Of several writers the last
/// one wins. Without the file the next process only starts cold, so failure is no trouble worth more than a word.
pub(super) fn save(folder: &Path, key: &Digest, bytes: &[u8]) {
    let write = || -> std::io::Result<Moment> {
        let mut file = temporary(folder)?;
        file.write_all(bytes)?;
        let file = file.persist(folder.join(file_name(key))).map_err(|error| error.error)?;
        Ok(Moment::of(file.metadata()?.modified()?))
    };
    match write() {
        Ok(now) => remove_old(folder, now),
        Err(error) => tracing::debug!(%error, "the metadata cache cannot be written"),
    }
}

/// Asks the folder's file system what time it is; `None` where nothing can be written.
pub(super) fn now(folder: &Path) -> Option<Moment> {
    let file = temporary(folder).ok()?;
    Some(Moment::of(file.as_file().metadata().ok()?.modified().ok()?))
}

fn temporary(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(".tmp");
    builder.tempfile_in(folder).or_else(|error| {
        // The folder is made when it is first needed, and again should it go away.
        fs::create_dir_all(folder).map_err(|_| error)?;
        builder.tempfile_in(folder)
    })
}

fn file_name(key: &Digest) -> String {
    let hex = key.hex();
    format!("{PREFIX}{}", hex.get(..32).unwrap_or(&hex))
}

fn remove_old(folder: &Path, now: Moment) {
    let Ok(listing) = fs::read_dir(folder) else { return };
    for entry in listing.flatten() {
        let ours = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        let modified = entry.metadata().ok().filter(|metadata| ours && metadata.is_file());
        let modified = modified.and_then(|metadata| metadata.modified().ok()).map(Moment::of);
        if modified.is_some_and(|modified| now.seconds_since(modified) > MAX_AGE_SECONDS) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
