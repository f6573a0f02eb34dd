//! Reading a directory with as few questions to the platform as it takes.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::listing::Kind;

/// Hands over every entry until it is told to stop; returns whether the end was reached.
///
/// `readdir` of the C library asks what it opened and takes a buffer from the heap each time, which a walk over
/// thousands of small directories notices.
#[cfg(target_os = "linux")]
pub(super) fn each_entry(path: &Path, mut take: impl FnMut(&OsStr, Kind) -> bool) -> io::Result<bool> {
    use std::mem::MaybeUninit;
    use std::os::unix::ffi::OsStrExt as _;

    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, ResolveFlags, openat2};
    use rustix::io::Errno;

    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    // The path was resolved: a link in it is not what was checked.
    let directory = match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        // Linux before 5.6, and containers that forbid what they don't know.
        Err(Errno::NOSYS | Errno::PERM) => rustix::fs::open(path, flags | OFlags::NOFOLLOW, Mode::empty())?,
        opened => opened?,
    };
    let mut buffer = [const { MaybeUninit::uninit() }; 16 * 1024];
    let mut entries = RawDir::new(&directory, &mut buffer);
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            // The directory was removed while it was read.
            Err(Errno::NOENT) => return Ok(true),
            Err(error) => return Err(error.into()),
        };
        let name = entry.file_name();
        let mut file_type = entry.file_type();
        if file_type == FileType::Unknown {
            // An entry that vanishes between the two calls was not there.
            match rustix::fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => file_type = FileType::from_raw_mode(stat.st_mode),
                Err(_) => continue,
            }
        }
        let kind = match file_type {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Directory,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        };
        let name = name.to_bytes();
        if name != b"." && name != b".." && !take(OsStr::from_bytes(name), kind) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Hands over every entry until it is told to stop; returns whether the end was reached.
#[cfg(not(target_os = "linux"))]
pub(super) fn each_entry(path: &Path, mut take: impl FnMut(&OsStr, Kind) -> bool) -> io::Result<bool> {
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        // An entry that vanishes between the two calls was not there.
        let Ok(kind) = entry.file_type() else { continue };
        let kind = if kind.is_file() {
            Kind::File
        } else if kind.is_dir() {
            Kind::Directory
        } else if kind.is_symlink() {
            Kind::Link
        } else {
            Kind::Other
        };
        if !take(&entry.file_name(), kind) {
            return Ok(false);
        }
    }
    Ok(true)
}
