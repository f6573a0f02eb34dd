//! What directories hold, for as long as they stay as they are.
//!
//! A file that is edited in place leaves its directory as it was, so this spares the reading of a directory and no look
//! at a file.

use std::path::Path;

use super::codec::{Reader, Writer};
use super::record::LISTING;
use super::session::Session;
use super::shard::Shard;
use super::stamp::Stamp;
use crate::walk::{Entry, Kind};

/// A directory with more entries is read anew each time.
const MAX_ENTRIES: usize = 1 << 16;

/// What a walk found out about one directory that may be kept.
#[derive(Debug)]
pub(crate) struct ListingNews {
    pub(super) hash: u64,
    /// Where it was read anew.
    pub(super) entry: Option<Box<[u8]>>,
}

impl Session<'_> {
    /// Returns what a directory holds, if it is as it was; otherwise the stamp by which what it holds now is known, if
    /// it has one that is good for that.
    pub(crate) fn recall_listing(
        &self,
        path: &Path,
    ) -> Result<(Vec<Entry>, Stamp, ListingNews), Option<Stamp>> {
        let stamp = self.looks.directory(path).filter(|stamp| self.trust.holds(path, stamp));
        let Some(stamp) = stamp else { return Err(None) };
        let hash = Shard::key(path);
        if !self.force && !self.touched.concerns_directory(path) {
            let known = self.shard.get(hash).and_then(|bytes| decode(bytes, path, &stamp));
            if let Some(entries) = known {
                return Ok((entries, stamp, ListingNews { hash, entry: None }));
            }
        }
        // The moment lies before the reading that follows.
        Err(self.now().is_some_and(|now| stamp.is_settled(now)).then_some(stamp))
    }
}

impl ListingNews {
    /// Returns that a directory was read; `None` where that is not kept.
    pub(crate) fn read(path: &Path, stamp: &Stamp, entries: &[Entry]) -> Option<Self> {
        (entries.len() <= MAX_ENTRIES).then(|| Self {
            hash: Shard::key(path),
            entry: Some(encode(path, stamp, entries).into_boxed_slice()),
        })
    }
}

fn encode(path: &Path, stamp: &Stamp, entries: &[Entry]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.byte(LISTING);
    writer.bytes(path.as_os_str().as_encoded_bytes());
    stamp.write(&mut writer);
    writer.length(entries.len());
    for Entry { name, kind } in entries {
        writer.byte(match kind {
            Kind::File => 0,
            Kind::Directory => 1,
            Kind::Link => 2,
            Kind::Other => 3,
        });
        writer.bytes(name.as_encoded_bytes());
    }
    writer.into_bytes()
}

fn decode(bytes: &[u8], path: &Path, stamp: &Stamp) -> Option<Vec<Entry>> {
    let mut reader = Reader::new(bytes);
    let subject = reader.byte()? == LISTING && reader.bytes()? == path.as_os_str().as_encoded_bytes();
    if !subject || Stamp::read(&mut reader)? != *stamp {
        return None;
    }
    let count = reader.length()?;
    let mut entries = Vec::with_capacity(count);
    for _ in 0..count {
        let kind = match reader.byte()? {
            0 => Kind::File,
            1 => Kind::Directory,
            2 => Kind::Link,
            3 => Kind::Other,
            _ => return None,
        };
        entries.push(Entry { name: os_string(reader.bytes()?)?, kind });
    }
    reader.is_empty().then_some(entries)
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "the same signature on every platform")]
fn os_string(bytes: &[u8]) -> Option<std::ffi::OsString> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(std::ffi::OsStr::from_bytes(bytes).to_owned())
}

#[cfg(not(unix))]
fn os_string(bytes: &[u8]) -> Option<std::ffi::OsString> {
    std::str::from_utf8(bytes).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::{Duration, SystemTime};

    use lorimer_core::Digest;

    use super::*;
    use crate::{MetadataCache, ScanRequest};

    fn later() -> SystemTime {
        SystemTime::now() + Duration::from_secs(10)
    }

    fn recall(cache: &MetadataCache, request: &ScanRequest, path: &Path) -> Result<usize, bool> {
        let session = cache.begin(Digest::of(b"key"), request, std::iter::empty());
        match session.recall_listing(path) {
            Ok((entries, ..)) => Ok(entries.len()),
            Err(stamp) => {
                if let Some(stamp) = stamp {
                    let entries = [Entry { name: "a".into(), kind: Kind::File }];
                    let news = ListingNews::read(path, &stamp, &entries);
                    session.finish(std::iter::empty(), Some(news.into_iter().collect()));
                }
                Err(stamp.is_some())
            }
        }
    }

    #[test]
    fn a_directory_is_read_again_when_it_changed_or_is_said_to_have_or_is_too_young() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let (cache, strict) = (MetadataCache::in_memory(later), MetadataCache::in_memory(SystemTime::now));
        let plain = ScanRequest::default();
        if recall(&cache, &plain, path) == Err(false) {
            // The tests lie on a file system whose word about directories is not taken.
            return;
        }
        assert_eq!(recall(&cache, &plain, path), Ok(1));
        let force = ScanRequest { force: true, ..ScanRequest::default() };
        assert_eq!(recall(&cache, &force, path), Err(true));
        let touched = |path: PathBuf| ScanRequest { touched: vec![path], ..ScanRequest::default() };
        assert_eq!(recall(&cache, &touched(path.join("a")), path), Err(true));
        assert_eq!(recall(&cache, &touched(path.parent().unwrap().to_owned()), path), Err(true));
        assert_eq!(recall(&cache, &touched(path.join("a/b")), path), Ok(1));
        std::thread::sleep(Duration::from_millis(25));
        std::fs::write(path.join("b"), "").unwrap();
        assert_eq!(recall(&cache, &plain, path), Err(true));
        assert_eq!(recall(&strict, &plain, path), Err(false), "it may change once more in this tick");
    }

    #[test]
    fn a_listing_comes_back_for_its_own_directory_and_stamp_only() {
        let folder = tempfile::tempdir().unwrap();
        let stamp = Stamp::of_directory(folder.path()).unwrap();
        let entry = |name: &str, kind| Entry { name: name.into(), kind };
        let entries =
            vec![entry("a", Kind::Directory), entry("SKILL.md", Kind::File), entry("l", Kind::Link)];
        let bytes = encode(folder.path(), &stamp, &entries);
        assert_eq!(decode(&bytes, folder.path(), &stamp), Some(entries));
        assert_eq!(decode(&bytes, Path::new("/elsewhere"), &stamp), None);
        assert_eq!(decode(&bytes, folder.path(), &Stamp::default()), None);
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length], folder.path(), &stamp), None, "cut at {length}");
        }
    }
}
