//! What a directory holds.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Directory, WalkPolicy, read};
use crate::cache::{ListingNews, Session, Stamp};
use crate::parallel::Workers;

/// What an entry of a directory is, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Directory,
    Link,
    /// A pipe, a device or a socket.
    Other,
}

impl Kind {
    pub(super) fn is_file(self) -> bool {
        self == Self::File
    }

    pub(super) fn is_dir(self) -> bool {
        self == Self::Directory
    }

    pub(super) fn is_symlink(self) -> bool {
        self == Self::Link
    }
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: OsString,
    pub(crate) kind: Kind,
}

/// What one look at a directory came to.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) entries: io::Result<Vec<Entry>>,
    /// By what the directory is known to hold the same later; `None` where that cannot be said.
    pub(super) stamp: Option<Stamp>,
    /// What the cache ought to know, where there is one.
    pub(super) news: Option<ListingNews>,
}

/// Lists directories, several at a time. Once more entries than the policy reads are there, the others are put off:
/// names that nobody will look at must not fill the memory.
pub(super) fn several(
    directories: &[Directory],
    policy: &WalkPolicy,
    workers: &Workers,
    session: Option<&Session<'_>>,
) -> Vec<Option<Listing>> {
    let held = AtomicUsize::new(0);
    workers.in_order(directories, |directory| {
        if held.load(Ordering::Relaxed) > policy.max_entries {
            return None;
        }
        let listing = list(directory.canonical(), policy, session);
        held.fetch_add(listing.entries.as_ref().map_or(0, Vec::len), Ordering::Relaxed);
        Some(listing)
    })
}

/// Lists a directory in the order of the names' bytes, whatever order the platform has; from the cache where that
/// knows it.
pub(super) fn list(path: &Path, policy: &WalkPolicy, session: Option<&Session<'_>>) -> Listing {
    let Some(session) = session else {
        return Listing {
            entries: sorted(path, policy).map(|(entries, _)| entries),
            stamp: None,
            news: None,
        };
    };
    let stamp = match session.recall_listing(path) {
        Ok((entries, stamp, news)) => {
            return Listing { entries: Ok(entries), stamp: Some(stamp), news: Some(news) };
        }
        Err(stamp) => stamp,
    };
    match sorted(path, policy) {
        Ok((entries, whole)) => {
            let stamp = stamp.filter(|_| whole);
            let news = stamp.and_then(|stamp| ListingNews::read(path, &stamp, &entries));
            Listing { entries: Ok(entries), stamp, news }
        }
        Err(error) => Listing { entries: Err(error), stamp: None, news: None },
    }
}

/// Reads a directory, and says whether to its end.
fn sorted(path: &Path, policy: &WalkPolicy) -> io::Result<(Vec<Entry>, bool)> {
    // A directory far beyond every limit is not read to its end, so that its names do not fill the memory.
    let most = policy.max_entries.saturating_mul(4).saturating_add(1);
    let mut entries = Vec::new();
    let whole = read::each_entry(path, |name: &OsStr, kind| {
        entries.push(Entry { name: name.to_owned(), kind });
        entries.len() < most
    })?;
    entries.sort_unstable_by(|left, right| left.name.as_encoded_bytes().cmp(right.name.as_encoded_bytes()));
    Ok((entries, whole))
}
