//! Stamps of many files below a few directories.

use std::path::{Path, PathBuf};

use super::stamp::{Beside, Stamp};

/// Directories that are held open at a time.
#[cfg(target_os = "linux")]
const MAX_BASES: usize = 64;

/// Takes stamps. A path below one of the directories is looked up from there, so that the platform need not go through
/// the path's beginning once more for each of thousands of files.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    #[cfg(target_os = "linux")]
    bases: Vec<(PathBuf, std::os::fd::OwnedFd)>,
}

impl Looks {
    /// Returns the looks for files below these directories, which may be missing.
    #[cfg(target_os = "linux")]
    pub(super) fn below<'p>(directories: impl Iterator<Item = &'p Path>) -> Self {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let base = |directory: &Path| {
            let directory = std::fs::canonicalize(directory).ok()?;
            let opened = rustix::fs::open(&directory, flags, Mode::empty()).ok()?;
            Some((directory, opened))
        };
        // Each holds a descriptor for the whole scan; files below the others are looked at by their whole path.
        Self { bases: directories.filter_map(base).take(MAX_BASES).collect() }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn below<'p>(_directories: impl Iterator<Item = &'p Path>) -> Self {
        Self::default()
    }

    /// Returns the stamp of a regular file; a link is none.
    pub(crate) fn file(&self, path: &Path) -> Option<Stamp> {
        #[cfg(target_os = "linux")]
        if let Some(looked) = self.near(path, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
            return Stamp::of_kind(&looked.ok()?, rustix::fs::FileType::RegularFile);
        }
        Stamp::of(&std::fs::symlink_metadata(path).ok()?)
    }

    /// Returns the stamp of the directory that a path leads to.
    pub(crate) fn directory(&self, path: &Path) -> Option<Stamp> {
        #[cfg(target_os = "linux")]
        if let Some(looked) = self.near(path, rustix::fs::AtFlags::empty()) {
            return Stamp::of_kind(&looked.ok()?, rustix::fs::FileType::Directory);
        }
        Stamp::of_directory(path)
    }

    /// Looks at a file beside a skill's; `None` where it cannot be looked at.
    pub(super) fn beside(&self, path: &Path) -> Option<Beside> {
        #[cfg(target_os = "linux")]
        if let Some(looked) = self.near(path, rustix::fs::AtFlags::empty()) {
            return match looked {
                Ok(looked) => Stamp::of_kind(&looked, rustix::fs::FileType::RegularFile).map(Beside::Present),
                Err(error) => Beside::of_error(&error.into()),
            };
        }
        Beside::look(path)
    }

    /// Asks from the directory that a path lies below; `None` where there is no such directory, or no such question.
    #[cfg(target_os = "linux")]
    fn near(
        &self,
        path: &Path,
        flags: rustix::fs::AtFlags,
    ) -> Option<Result<rustix::fs::Statx, rustix::io::Errno>> {
        use std::os::unix::ffi::OsStrExt as _;

        use rustix::fs::StatxFlags;

        let path = path.as_os_str().as_bytes();
        let (base, rest) = self.bases.iter().find_map(|(directory, base)| {
            let rest = path.strip_prefix(directory.as_os_str().as_bytes())?.strip_prefix(b"/")?;
            (!rest.is_empty() && !rest.starts_with(b"/")).then_some((base, rest))
        })?;
        let wanted =
            StatxFlags::TYPE | StatxFlags::SIZE | StatxFlags::MTIME | StatxFlags::CTIME | StatxFlags::INO;
        let looked = rustix::fs::statx(base, rest, flags, wanted);
        // Some sandboxes do not know the question.
        let refused = |error| matches!(error, rustix::io::Errno::NOSYS | rustix::io::Errno::PERM);
        (!looked.as_ref().is_err_and(|error| refused(*error))).then_some(looked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stamp is compared with one that was taken in the other way.
    #[test]
    #[cfg(unix)]
    fn a_stamp_is_the_same_from_wherever_it_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        let file = root.join("a/SKILL.md");
        std::fs::create_dir(root.join("a")).unwrap();
        std::fs::write(&file, "text").unwrap();
        std::os::unix::fs::symlink("SKILL.md", root.join("a/link")).unwrap();
        let (near, far) = (Looks::below([root.as_path()].into_iter()), Looks::default());
        assert!(near.file(&file).is_some());
        assert_eq!(near.file(&file), Stamp::of(&std::fs::File::open(&file).unwrap().metadata().unwrap()));
        for path in ["", "a", "a/SKILL.md", "a/link", "a/gone", "a/SKILL.md/gone"].map(|path| root.join(path))
        {
            assert_eq!(near.file(&path), far.file(&path), "{path:?}");
            assert_eq!(near.directory(&path), far.directory(&path), "{path:?}");
            assert_eq!(near.beside(&path), far.beside(&path), "{path:?}");
        }
    }
}
