//! The cache during one scan.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use lorimer_core::{Diagnostic, Digest, Revision, Skill, SourceId};

use super::MetadataCache;
use super::listings::ListingNews;
use super::look::Looks;
use super::record::{Entry, Subject, encode};
use super::shard::Shard;
use super::stamp::{Beside, Moment, Stamps};
use super::touched::Touched;
use super::trust::Trust;
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
    /// Which directories can be kept.
    pub(super) trust: Trust,
    pub(crate) looks: Looks,
    /// A moment before the first file of this scan was read.
    pub(super) now: OnceLock<Option<Moment>>,
}

/// What a scan found out about one skill file.
#[derive(Debug)]
pub(crate) enum News {
    /// Its entry is as good as it was.
    Kept(u64),
    /// The file was read; there is a new entry if that may be trusted.
    Read(u64, Option<Box<[u8]>>),
}

impl News {
    /// Returns that a file was found as it had been. Its entry need not be named where the scan is about the same as
    /// the one before.
    pub(crate) fn kept(file: &FoundFile, named: bool) -> Self {
        Self::Kept(if named { Shard::key(&file.canonical) } else { 0 })
    }

    /// Returns that a file was read, with an entry where the stamps are settled.
    pub(crate) fn read(
        file: &FoundFile,
        folder: &str,
        settled: Option<&Stamps>,
        skill: Option<&Skill>,
        diagnostics: &[Diagnostic],
    ) -> Self {
        let entry = settled.and_then(|stamps| encode(subject(file, folder), stamps, skill, diagnostics));
        Self::Read(Shard::key(&file.canonical), entry.map(Vec::into_boxed_slice))
    }
}

/// What was read from a file earlier.
#[derive(Debug)]
pub(crate) struct Recalled {
    pub(crate) skill: Option<Skill>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) stamps: Stamps,
    pub(crate) news: News,
}

impl Session<'_> {
    /// Returns the session of a scan that need not look at files which are not touched.
    pub(crate) fn trusting(self) -> Self {
        Self { trusting: true, ..self }
    }

    /// Returns whether what was read from a file earlier, as these stamps say, is what it holds.
    pub(crate) fn is_good(&self, file: &FoundFile, stamps: &Stamps) -> bool {
        !self.force
            && !self.touched.concerns(file)
            && (self.trusting || is_current(file, stamps, &self.looks))
    }

    /// Returns what was read from a file, if the file is as it was then.
    pub(crate) fn recall(&self, file: &FoundFile, folder: &str, source: &SourceId) -> Option<Recalled> {
        let recalled = self.look_up(file, folder, source);
        if recalled.is_none() {
            // The moment has to lie before the reading that follows.
            self.now();
        }
        recalled
    }

    fn look_up(&self, file: &FoundFile, folder: &str, source: &SourceId) -> Option<Recalled> {
        let hash = Shard::key(&file.canonical);
        let bytes = self.shard.get(hash)?;
        let entry = Entry::open(bytes, subject(file, folder))?;
        let stamps = entry.stamps;
        if !self.is_good(file, &stamps) {
            return None;
        }
        let (mut skill, diagnostics) = entry.read(&file.canonical, source)?;
        if let Some(skill) = &mut skill {
            let Stamps { file: stamp, openai_yaml } = stamps;
            skill.provenance.revision = Some(Revision::of(&(stamp, Some(openai_yaml))));
        }
        Some(Recalled { skill, diagnostics, stamps, news: News::Kept(hash) })
    }

    pub(super) fn now(&self) -> Option<Moment> {
        *self.now.get_or_init(|| self.cache.now())
    }

    /// Returns the stamps of what was read if an edit that follows at once could be told from it.
    pub(crate) fn settled(&self, stamps: Option<Stamps>) -> Option<Stamps> {
        stamps.filter(|stamps| self.now().is_some_and(|now| stamps.are_settled(now)))
    }

    /// Takes in what the scan found out. Entries about other files and directories go; without a word about
    /// directories the scan was about the same as the one before.
    pub(crate) fn finish(self, files: impl Iterator<Item = News>, listings: Option<Vec<ListingNews>>) {
        let Self { cache, key, shard, .. } = self;
        let walked = listings.is_some();
        let mut keep = HashSet::with_capacity(if walked { shard.len() } else { 0 });
        let mut gone = HashSet::new();
        let mut add = Vec::new();
        let (mut recalled, mut read) = (0, 0);
        for ListingNews { hash, entry } in listings.into_iter().flatten() {
            match entry {
                Some(entry) => add.push((hash, entry)),
                None => {
                    keep.insert(hash);
                }
            }
        }
        for news in files {
            match news {
                News::Kept(hash) => {
                    recalled += 1;
                    if walked {
                        keep.insert(hash);
                    }
                }
                News::Read(hash, entry) => {
                    read += 1;
                    match entry {
                        Some(entry) => add.push((hash, entry)),
                        None if shard.get(hash).is_some() => {
                            gone.insert(hash);
                        }
                        None => {}
                    }
                }
            }
        }
        cache.count(recalled, read);
        let dropped = if walked { keep.len() < shard.len() } else { !gone.is_empty() };
        // The cache can change the shard in place when nobody else looks at it.
        drop(shard);
        if !add.is_empty() || dropped {
            let stays = |hash| if walked { keep.contains(&hash) } else { !gone.contains(&hash) };
            cache.change(&key, stays, add);
        }
    }
}

/// Looks whether the files are as they were.
fn is_current(file: &FoundFile, stamps: &Stamps, looks: &Looks) -> bool {
    if looks.file(&file.canonical) != Some(stamps.file) {
        return false;
    }
    let beside = match stamps.openai_yaml {
        Beside::Unasked => return true,
        Beside::Absent | Beside::Present(_) if !file.agents => Some(Beside::Absent),
        Beside::Absent | Beside::Present(_) => {
            path_beside(&file.canonical).and_then(|path| looks.beside(&path))
        }
    };
    beside == Some(stamps.openai_yaml)
}

fn subject<'s>(file: &'s FoundFile, folder: &'s str) -> Subject<'s> {
    Subject { path: &file.canonical, folder, loose: file.directory.is_none() }
}
