//! The cache during one scan.

use std::collections::HashSet;
use std::path::Path;
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
    /// A moment before the first file of this scan was read.
    pub(super) now: OnceLock<Option<Moment>>,
}

/// What a scan found out about one entry.
#[derive(Debug)]
pub(crate) enum News {
    /// It is as good as it was.
    Kept,
    /// The file was read; there is a new entry if that may be trusted.
    Read(Option<Vec<u8>>),
}

impl Session<'_> {
    /// Returns what was read from a file, if the file is as it was then.
    pub(crate) fn recall(
        &self,
        file: &FoundFile,
        folder: &str,
        source: &SourceId,
    ) -> Option<(Option<Skill>, Vec<Diagnostic>)> {
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
    ) -> Option<(Option<Skill>, Vec<Diagnostic>)> {
        if self.force || self.touched.concerns(file) {
            return None;
        }
        let bytes = self.shard.entries.get(&Shard::key(&file.canonical))?;
        let entry = Entry::open(bytes, subject(file, folder))?;
        let metadata = std::fs::symlink_metadata(&file.canonical).ok()?;
        if Stamp::of(&metadata)? != entry.stamps.file {
            return None;
        }
        let beside = match entry.stamps.openai_yaml {
            Beside::Unasked => Beside::Unasked,
            Beside::Absent | Beside::Present(_) if !file.agents => Beside::Absent,
            Beside::Absent | Beside::Present(_) => Beside::look(&path_beside(&file.canonical)?)?,
        };
        if beside != entry.stamps.openai_yaml {
            return None;
        }
        entry.read(&file.canonical, source)
    }

    fn now(&self) -> Option<Moment> {
        *self.now.get_or_init(|| self.cache.now())
    }

    /// Returns the entry for what was read, if an edit that follows at once could be told from it.
    pub(crate) fn record(
        &self,
        file: &FoundFile,
        folder: &str,
        stamps: &Stamps,
        skill: Option<&Skill>,
        diagnostics: &[Diagnostic],
    ) -> Option<Vec<u8>> {
        if !stamps.are_settled(self.now()?) {
            return None;
        }
        encode(subject(file, folder), stamps, skill, diagnostics)
    }

    /// Takes in what the scan found out. Entries about other files go.
    pub(crate) fn finish<'f>(self, news: impl Iterator<Item = (&'f Path, News)>) {
        let Self { cache, key, shard, .. } = self;
        let known = shard.entries.len();
        // The cache can change the shard in place when nobody else looks at it.
        drop(shard);
        let mut kept = HashSet::with_capacity(known);
        let mut entries = Vec::new();
        let mut read = 0;
        for (path, news) in news {
            let hash = Shard::key(path);
            read += u64::from(!matches!(news, News::Kept));
            match news {
                News::Kept => {
                    kept.insert(hash);
                }
                News::Read(None) => {}
                News::Read(Some(entry)) => entries.push((hash, Arc::from(entry))),
            }
        }
        cache.count(u64::try_from(kept.len()).unwrap_or(u64::MAX), read);
        if entries.is_empty() && kept.len() == known {
            return;
        }
        cache.change(&key, |shard| {
            let before = shard.entries.len();
            shard.entries.retain(|hash, _| kept.contains(hash));
            // An entry that was read again is new, not gone.
            let gone = (before - shard.entries.len()).saturating_sub(entries.len());
            shard.unsaved = shard.unsaved.saturating_add(gone + entries.len());
            shard.entries.extend(entries);
        });
    }
}

fn subject<'s>(file: &'s FoundFile, folder: &'s str) -> Subject<'s> {
    Subject { path: &file.canonical, folder, loose: file.directory.is_none() }
}
