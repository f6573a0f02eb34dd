//! By what a file is known to be the one that was read.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::codec::{Reader, Writer};
use crate::boundary::is_absent;

/// A moment of a file system's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Moment {
    seconds: i64,
    nanoseconds: i64,
}

/// Clocks tick coarsely: some file systems know only every other second.
const TICK: i64 = 2;

impl Moment {
    pub(crate) fn of(time: SystemTime) -> Self {
        let (since, sign) = match time.duration_since(UNIX_EPOCH) {
            Ok(since) => (since, 1),
            Err(before) => (before.duration(), -1),
        };
        let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
        Self { seconds: seconds.saturating_mul(sign), nanoseconds: i64::from(since.subsec_nanos()) * sign }
    }

    /// Returns whether nothing that happens from `now` on can get this moment as its time any more.
    pub(crate) fn is_over(self, now: Self) -> bool {
        Self { seconds: self.seconds.saturating_add(TICK), ..self } < now
    }

    /// Returns the whole seconds from an earlier moment to this one.
    pub(crate) fn seconds_since(self, earlier: Self) -> i64 {
        self.seconds.saturating_sub(earlier.seconds)
    }
}

/// What the platform says about a file without opening it. Two equal stamps of one path mean an unchanged file, once
/// the moment of its last change is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Stamp {
    size: u64,
    modified: Moment,
    /// When the inode changed. Nobody can set it back.
    changed: Moment,
    device: u64,
    inode: u64,
}

impl Stamp {
    /// Returns the stamp of a regular file.
    pub(crate) fn of(metadata: &Metadata) -> Option<Self> {
        metadata.is_file().then(|| Self::new(metadata)).flatten()
    }

    /// Returns the stamp of the directory that a path leads to.
    pub(crate) fn of_directory(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        metadata.is_dir().then(|| Self::new(&metadata)).flatten()
    }

    /// Returns the stamp of something of this kind.
    #[cfg(target_os = "linux")]
    pub(super) fn of_kind(looked: &rustix::fs::Statx, kind: rustix::fs::FileType) -> Option<Self> {
        let moment = |time: rustix::fs::StatxTimestamp| Moment {
            seconds: time.tv_sec,
            nanoseconds: i64::from(time.tv_nsec),
        };
        (rustix::fs::FileType::from_raw_mode(looked.stx_mode.into()) == kind).then(|| Self {
            size: looked.stx_size,
            modified: moment(looked.stx_mtime),
            changed: moment(looked.stx_ctime),
            device: rustix::fs::makedev(looked.stx_dev_major, looked.stx_dev_minor),
            inode: looked.stx_ino,
        })
    }

    pub(super) fn device(&self) -> u64 {
        self.device
    }

    #[cfg(unix)]
    #[expect(clippy::unnecessary_wraps, reason = "the same signature on every platform")]
    fn new(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        Some(Self {
            size: metadata.size(),
            modified: Moment { seconds: metadata.mtime(), nanoseconds: metadata.mtime_nsec() },
            changed: Moment { seconds: metadata.ctime(), nanoseconds: metadata.ctime_nsec() },
            device: metadata.dev(),
            inode: metadata.ino(),
        })
    }

    #[cfg(not(unix))]
    fn new(metadata: &Metadata) -> Option<Self> {
        let modified = Moment::of(metadata.modified().ok()?);
        Some(Self { size: metadata.len(), modified, changed: modified, device: 0, inode: 0 })
    }

    /// Returns whether the file, had it changed again since it was looked at, would have another stamp. `now` is a
    /// moment before the file was read.
    pub(crate) fn is_settled(&self, now: Moment) -> bool {
        self.modified.max(self.changed).is_over(now)
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        let Self { size, modified, changed, device, inode } = self;
        for moment in [modified, changed] {
            writer.signed(moment.seconds);
            writer.signed(moment.nanoseconds);
        }
        for number in [size, device, inode] {
            writer.number(*number);
        }
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut moment = || Some(Moment { seconds: reader.signed()?, nanoseconds: reader.signed()? });
        let (modified, changed) = (moment()?, moment()?);
        let (size, device, inode) = (reader.number()?, reader.number()?, reader.number()?);
        Some(Self { size, modified, changed, device, inode })
    }
}

/// What is known of the file beside a skill that adds to its metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Beside {
    /// What it says does not matter for this skill.
    Unasked,
    /// It is not there.
    Absent,
    /// It is there, links followed.
    Present(Stamp),
}

impl Beside {
    /// Looks at the file; `None` where it cannot be looked at.
    pub(crate) fn look(path: &Path) -> Option<Self> {
        match std::fs::metadata(path) {
            Ok(metadata) => Stamp::of(&metadata).map(Self::Present),
            Err(error) => Self::of_error(&error),
        }
    }

    pub(super) fn of_error(error: &io::Error) -> Option<Self> {
        is_absent(error).then_some(Self::Absent)
    }
}

/// What the metadata of one skill was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamps {
    pub(crate) file: Stamp,
    pub(crate) openai_yaml: Beside,
}

impl Stamps {
    /// As [`Stamp::is_settled`], for both files.
    pub(crate) fn are_settled(&self, now: Moment) -> bool {
        let beside = match self.openai_yaml {
            Beside::Present(stamp) => stamp.is_settled(now),
            Beside::Unasked | Beside::Absent => true,
        };
        beside && self.file.is_settled(now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_moment_is_over_when_a_coarse_clock_has_ticked() {
        let at = |seconds, nanoseconds| Moment { seconds, nanoseconds };
        assert!(!at(10, 0).is_over(at(10, 5)));
        assert!(!at(10, 0).is_over(at(12, 0)));
        assert!(at(10, 0).is_over(at(12, 1)));
        assert!(!at(99, 0).is_over(at(12, 0)), "a file from the future is never settled");
    }

    #[test]
    fn moments_before_the_epoch_are_told_apart() {
        let before = Moment::of(UNIX_EPOCH - Duration::from_millis(1_500));
        assert_eq!(before, Moment { seconds: -1, nanoseconds: -500_000_000 });
        assert!(before < Moment::of(UNIX_EPOCH));
    }
}
