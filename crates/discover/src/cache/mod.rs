//! What was read from skill files, for as long as they stay as they are.
//!
//! An entry holds metadata and findings, never a body. It is used when everything that the platform says about the
//! file is as it was (size, times of change to the nanosecond, inode, device), when the same holds for the
//! `agents/openai.yaml` beside it, and when the rules of reading are the same. An entry is only made when the file's
//! last change was over before it was read, as far as the file system's clock can tell: a file that is edited twice in
//! one tick of the clock looks the same both times (git calls such an entry racy).
//!
//! What a directory holds is kept by the same rule, on file systems whose kernel tells every change of a directory by its
//! times. Every skill file is looked at all the same, whatever its directory says.

#[cfg(any(test, fuzzing))]
mod check;
mod codec;
mod listings;
mod look;
mod record;
mod session;
mod shard;
mod stamp;
mod store;
mod touched;
mod trust;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use lorimer_core::Digest;

#[cfg(any(test, fuzzing))]
pub(crate) use self::check::check_bytes;
pub(crate) use listings::ListingNews;
pub(crate) use session::{News, Recalled, Session};
pub(crate) use stamp::{Beside, Stamp, Stamps};

use self::look::Looks;
use self::shard::Shard;
use self::stamp::Moment;
use self::touched::Touched;
use self::trust::Trust;
use crate::ScanRequest;

/// Goes up whenever the same bytes of a skill would be read in another way. Entries of another number are not used.
pub(crate) const READER_VERSION: u32 = 3;

/// Sources that one process asks about. Beyond that, all is forgotten in memory and read from disk again.
const MAX_SHARDS: usize = 64;

/// Remembers what was read from skill files, so that a scan opens only those that changed.
///
/// A clone is the same cache. One cache serves any number of sources, and any number of processes may share a folder:
/// files in it are only ever replaced as a whole, and one that is damaged or foreign counts as none. Scans with and
/// without a cache give the same.
///
/// ```
/// use lorimer_core::SourceId;
/// use lorimer_discover::{FsSource, MetadataCache, Place, Reading, ScanRequest, Source};
/// let cache = MetadataCache::in_memory(std::time::SystemTime::now);
/// let source = FsSource::new(SourceId::new("host"), Place::new("."), Vec::new(), Reading::lenient());
/// let source = source.with_cache(cache);
/// assert!(source.scan(&ScanRequest::default()).complete);
/// ```
#[derive(Clone, Debug)]
pub struct MetadataCache(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    place: Place,
    shards: Mutex<HashMap<Digest, Arc<Shard>>>,
    recalled: AtomicU64,
    read: AtomicU64,
}

/// How often a cache was of use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheCounts {
    /// Skill files that were not opened, because they were as they had been.
    pub recalled: u64,
    /// Skill files that were read.
    pub read: u64,
}

#[derive(Debug)]
enum Place {
    Memory(fn() -> SystemTime),
    Folder(PathBuf),
}

impl MetadataCache {
    /// Returns a cache that ends with the process. `now` is asked what time it is; it must be the clock by which the
    /// file systems of the skills tell time, as [`SystemTime::now`] is.
    pub fn in_memory(now: fn() -> SystemTime) -> Self {
        Self::new(Place::Memory(now))
    }

    /// Returns a cache that lies in a folder of its own. The folder is made when there is something to keep; where
    /// it cannot be read or written, the cache is one that ends with the process, and starts cold.
    pub fn open(folder: impl Into<PathBuf>) -> Self {
        Self::new(Place::Folder(folder.into()))
    }

    fn new(place: Place) -> Self {
        let (recalled, read) = (AtomicU64::new(0), AtomicU64::new(0));
        Self(Arc::new(Inner { place, shards: Mutex::default(), recalled, read }))
    }

    /// Returns the counts of all scans since the cache was made.
    pub fn counts(&self) -> CacheCounts {
        let Inner { recalled, read, .. } = &*self.0;
        CacheCounts { recalled: recalled.load(Ordering::Relaxed), read: read.load(Ordering::Relaxed) }
    }

    fn count(&self, recalled: u64, read: u64) {
        self.0.recalled.fetch_add(recalled, Ordering::Relaxed);
        self.0.read.fetch_add(read, Ordering::Relaxed);
    }

    /// Begins a scan of the source whose rules of reading and roots have this digest.
    pub(crate) fn begin<'p>(
        &self,
        key: Digest,
        request: &ScanRequest,
        roots: impl Iterator<Item = &'p Path>,
    ) -> Session<'_> {
        Session {
            cache: self,
            key,
            shard: self.with_shards(|shards| self.shard(shards, &key).clone()),
            force: request.force,
            touched: Touched::new(&request.touched),
            trusting: false,
            trust: Trust::default(),
            looks: Looks::below(roots),
            now: OnceLock::new(),
        }
    }

    /// Changes a shard, and writes it to disk where enough has changed.
    fn change(&self, key: &Digest, stays: impl Fn(u64) -> bool, add: Vec<(u64, Box<[u8]>)>) {
        let bytes = self.with_shards(|shards| {
            let shard = Arc::make_mut(self.shard(shards, key));
            if !shard.change(stays, add) {
                return None;
            }
            let bytes = shard.make_file(key);
            matches!(self.0.place, Place::Folder(_)).then(|| bytes.to_vec())
        });
        if let (Some(bytes), Place::Folder(folder)) = (bytes, &self.0.place) {
            store::save(folder, key, &bytes);
        }
    }

    fn with_shards<R>(&self, act: impl FnOnce(&mut HashMap<Digest, Arc<Shard>>) -> R) -> R {
        act(&mut self.0.shards.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn shard<'s>(&self, shards: &'s mut HashMap<Digest, Arc<Shard>>, key: &Digest) -> &'s mut Arc<Shard> {
        if shards.len() >= MAX_SHARDS && !shards.contains_key(key) {
            shards.clear();
        }
        shards.entry(*key).or_insert_with(|| {
            Arc::new(match &self.0.place {
                Place::Memory(_) => Shard::default(),
                Place::Folder(folder) => store::load(folder, key),
            })
        })
    }

    fn now(&self) -> Option<Moment> {
        match &self.0.place {
            Place::Memory(now) => Some(Moment::of(now())),
            Place::Folder(folder) => store::now(folder),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::{Reading, frontmatter, openai};

    /// A cache on disk outlives the program that wrote it. Whoever changes what is read from the same bytes, wording of
    /// the findings included, gives [`READER_VERSION`] the next number and this test its new digest.
    #[test]
    fn a_change_of_the_reader_is_a_change_of_its_version() {
        let mut read = format!("{READER_VERSION}\n");
        for text in [
            "---\nname: a\ndescription: d\n---\n",
            "---\ndescription: Use when: x\nx: [1, 1.50, ~, {a: yes}]\nx: 2\n---\n",
            "\u{feff}\n---\nname: a\u{200b}\ndescription:\n---\n",
            "---\nname: [a]\ndescription: >\n  a\n  b\n---\n",
            "---\nname: a\n",
            "text",
            "---\n{]\n---\n",
        ] {
            for reading in [Reading::lenient(), Reading::trimmed_fences(), Reading::minimal()] {
                let _ = writeln!(read, "{:?}", frontmatter::parse(text.as_bytes(), &reading));
            }
        }
        for text in [
            "interface: {brand_color: red}\npolicy: {products: [CODEX]}\n",
            "dependencies: {tools: [{}]}\n",
            "- [",
        ] {
            let _ = writeln!(read, "{:?}", openai::parse(text.as_bytes(), Path::new("skill")));
        }
        let digest = Digest::of(read.as_bytes()).hex();
        assert_eq!(digest.get(..16), Some("b968f8a852aeb53f"));
    }
}
