//! Whether a file system's word about its directories is good.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use super::stamp::Stamp;

/// The file systems that a scan came across, by device.
///
/// A directory is taken for what it was only where the kernel itself gives it a new time for every name that comes,
/// goes or is replaced. Network file systems answer from caches of their own, drivers in user space do as they like,
/// and a directory that an overlay puts together has the stamp of its uppermost layer only.
#[derive(Debug, Default)]
pub(super) struct Trust(RwLock<HashMap<u64, bool>>);

impl Trust {
    /// Returns whether the stamp that was just taken of a directory tells every later change.
    pub(super) fn holds(&self, path: &Path, stamp: &Stamp) -> bool {
        let device = stamp.device();
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&device).copied();
        known.unwrap_or_else(|| {
            let trusted = is_trusted(path, device);
            self.0.write().unwrap_or_else(PoisonError::into_inner).insert(device, trusted);
            trusted
        })
    }
}

#[cfg(target_os = "linux")]
fn is_trusted(path: &Path, device: u64) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    /// ext2 to ext4, XFS, Btrfs, F2FS, tmpfs, ZFS, bcachefs; numbers of `statfs`.
    const TRUSTED: [u32; 7] =
        [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994, 0x2fc1_2fc1, 0xca45_1a4e];

    let Ok(directory) = std::fs::File::open(path) else { return false };
    // The name may lead elsewhere by now.
    let same = directory.metadata().is_ok_and(|metadata| metadata.dev() == device);
    let kind = rustix::fs::fstatfs(&directory).ok().map(|file_system| file_system.f_type);
    same && kind.is_some_and(|kind| TRUSTED.iter().any(|trusted| i128::from(kind) == i128::from(*trusted)))
}

#[cfg(not(target_os = "linux"))]
fn is_trusted(_path: &Path, _device: u64) -> bool {
    false
}
