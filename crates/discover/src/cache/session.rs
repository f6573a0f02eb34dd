//! The cache during one scan.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use lorimer_core::{Diagnostic, Digest, Skill, SourceId};

use super::MetadataCache;
use super::record::{Entry, Subject, encode};
use super::shard::Shard;
use super::stamp::{Beside, Moment, Stamp, Stamps};
use super::touched::Touched;
use crate::openai::path_beside;
use crate::walk::FoundFile;

/// The cache during one scan. Files are looked up from several threads; what is new is handed over at the end.
#[derive(Debug)]
pub(crate) struct Session<'c> {
    pub(super) cache: &'c MetadataCache,
    pub(super) key: Digest,
    pub(super) shard: Arc<Shard>,
    pub(super) force: bool,
    pub(super) touched: Touched,
    /// Whether files that are not touched are as they were.
    pub(super) trusting: bool,
    /// A moment before the first file of this scan was read.
    pub(super) now: OnceLock<Option<Moment>>,
}

/// What a scan found out about one entry.
#[derive(Debug)]
pub(crate) enum News {
    /// It is as good as it was.
    Kept(u64),
    /// The file was read; there is a new entry if that may be trusted.
    Read(Option<(u64, Box<[u8]>)>),
}

impl Session<'_> {
    /// Returns the session of a scan that need not look at files which are not touched.
    pub(crate) fn trusting(self) -> Self {
        Self { trusting: true, ..self }
    }

    /// Returns what was read from a file, if the file is as it was then.
    pub(crate) fn recall(
        &self,
        file: &FoundFile,
        folder: &str,
        source: &SourceId,
    ) -> Option<(Option<Skill>, Vec<Diagnostic>, News)> {
        let recalled = self.look_up(file, folder, source);
        if recalled.is_none() {
            // The moment has to lie before the reading that follows.
            self.now();
        }
        recalled
    }

    fn look_up(
        &self,
        file: &FoundFile,
        folder: &str,
        source: &SourceId,
    ) -> Option<(Option<Skill>, Vec<Diagnostic>, News)> {
        if self.force || self.touched.concerns(file) {
            return None;
        }
        let hash = Shard::key(&file.canonical);
        let bytes = self.shard.get(hash)?;
        let entry = Entry::open(bytes, subject(file, folder))?;
        if !self.trusting && !is_current(file, &entry.stamps) {
            return None;
        }
        let (skill, diagnostics) = entry.read(&file.canonical, source)?;
        Some((skill, diagnostics, News::Kept(hash)))
    }

    fn now(&self) -> Option<Moment> {
        *self.now.get_or_init(|| self.cache.now())
    }

    /// Returns what is new, with an entry if an edit that follows at once could be told from what was read.
    pub(crate) fn record(
        &self,
        file: &FoundFile,
        folder: &str,
        stamps: Option<&Stamps>,
        skill: Option<&Skill>,
        diagnostics: &[Diagnostic],
    ) -> News {
        let entry = || {
            let stamps = stamps.filter(|stamps| self.now().is_some_and(|now| stamps.are_settled(now)))?;
            encode(subject(file, folder), stamps, skill, diagnostics)
        };
        News::Read(entry().map(|entry| (Shard::key(&file.canonical), entry.into_boxed_slice())))
    }

    /// Takes in what the scan found out. Entries about other files go.
    pub(crate) fn finish(self, news: impl Iterator<Item = News>) {
        let Self { cache, key, shard, .. } = self;
        let known = shard.len();
        // The cache can change the shard in place when nobody else looks at it.
        drop(shard);
        let mut keep = HashSet::with_capacity(known);
        let mut add = Vec::new();
        let mut read = 0;
        for news in news {
            match news {
                News::Kept(hash) => {
                    keep.insert(hash);
                }
                News::Read(entry) => {
                    read += 1;
                    add.extend(entry);
                }
            }
        }
        cache.count(u64::try_from(keep.len()).unwrap_or(u64::MAX), read);
        if !add.is_empty() || keep.len() < known {
            cache.change(&key, &keep, add);
        }
    }
}

/// Looks whether the files are as they were.
fn is_current(file: &FoundFile, stamps: &Stamps) -> bool {
    let now = std::fs::symlink_metadata(&file.canonical).ok();
    if now.and_then(|metadata| Stamp::of(&metadata)) != Some(stamps.file) {
        return false;
    }
    let beside = match stamps.openai_yaml {
        Beside::Unasked => return true,
        Beside::Absent | Beside::Present(_) if !file.agents => Some(Beside::Absent),
        Beside::Absent | Beside::Present(_) => {
            path_beside(&file.canonical).and_then(|path| Beside::look(&path))
        }
    };
    beside == Some(stamps.openai_yaml)
}

fn subject<'s>(file: &'s FoundFile, folder: &'s str) -> Subject<'s> {
    Subject { path: &file.canonical, folder, loose: file.directory.is_none() }
}
