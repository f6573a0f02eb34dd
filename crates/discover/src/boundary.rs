//! Where a path may lead, and the one way in which the files of a skill are opened.
//!
//! A path is resolved once, against a [`Limit`]. What comes out has no link in it, and [`open`] refuses every link: so
//! what was checked is what is opened, whatever is put in its place in between. The walk, the loader, the reader of
//! bodies and supporting files, and the checker all come through here.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use lorimer_core::Locator;

use crate::ReadError;

/// Where links below a root may lead. The root itself is held to it too, except by [`LinkLimit::Root`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkLimit {
    /// Wherever they lead: whoever owns the root made them.
    Anywhere,
    /// Into the root that they lie in.
    Root,
    /// Into the project that the root was found in (see [`crate::Place::project_root`]).
    Project,
    /// Into one of these directories.
    Within(Vec<PathBuf>),
}

/// The directories that paths must stay in, without links; `None` where they may lead anywhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limit(Option<Vec<PathBuf>>);

impl Limit {
    /// Returns the limit that keeps paths inside these directories. One that is not there allows nothing.
    pub(crate) fn within<'a>(directories: impl IntoIterator<Item = &'a Path>) -> Self {
        Self(Some(directories.into_iter().filter_map(|directory| fs::canonicalize(directory).ok()).collect()))
    }

    /// As [`Limit::within`], for directories that were resolved before. One that has become a link since allows nothing:
    /// where it leads now is not what was checked.
    pub(crate) fn resolved<'a>(directories: impl IntoIterator<Item = &'a Path>) -> Self {
        Self(Some(directories.into_iter().map(Path::to_owned).collect()))
    }

    /// Returns whether a path without links keeps to the limit.
    pub(crate) fn allows(&self, resolved: &Path) -> bool {
        self.0
            .as_ref()
            .is_none_or(|directories| directories.iter().any(|directory| resolved.starts_with(directory)))
    }

    /// Follows every link of a path, and returns where it leads.
    pub(crate) fn resolve(&self, path: &Path) -> Result<PathBuf, OpenError> {
        let resolved = fs::canonicalize(path)?;
        if self.allows(&resolved) { Ok(resolved) } else { Err(OpenError::Outside) }
    }

    /// Opens a regular file, through links where they keep to the limit.
    pub(crate) fn open(&self, path: &Path) -> Result<(File, Metadata), OpenError> {
        open(&self.resolve(path)?)
    }
}

/// Why something was not opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    /// There is something, but no regular file.
    #[error("it is not a regular file")]
    NotRegularFile,
    /// A directory on the way has become a link, so that it is not known where the path leads.
    #[error("a folder on the way has become a link")]
    Moved,
    /// It leads out of the directories that it must stay in.
    #[error("it leads out of the folder that it must stay in")]
    Outside,
    /// The platform says no.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl OpenError {
    /// Returns whether there is nothing at all.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Io(error) if is_absent(error))
    }

    /// Returns the same for one who wanted to read this.
    pub(crate) fn reading(self, locator: &Locator) -> ReadError {
        let locator = locator.clone();
        match self {
            Self::NotRegularFile => ReadError::NotRegularFile(locator),
            Self::Moved | Self::Outside => ReadError::Outside(locator),
            Self::Io(error) if is_absent(&error) => ReadError::NotFound(locator),
            Self::Io(source) => ReadError::Io { locator, source },
        }
    }
}

/// Returns whether a path leads to nothing.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Opens a regular file for reading, with what the platform says about it. The path was resolved before, so it has no
/// link in it; if there is one by now, nothing is opened.
///
/// A pipe would block for ever, so nothing is waited for, and what was opened is looked at once more: the name may
/// have been given to something else since it was listed.
pub(crate) fn open(resolved: &Path) -> Result<(File, Metadata), OpenError> {
    let file = open_without_links(resolved)?;
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(OpenError::NotRegularFile) }
}

/// Reads the beginning of a skill's file, at most so many bytes, as a checker wants it: a path with a link in it is not
/// gone through, and what is no regular file is not opened.
///
/// # Errors
///
/// When it cannot be opened or read.
pub fn read_beginning(resolved: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, _) = open(resolved)?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl From<OpenError> for io::Error {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Io(error) => error,
            error => Self::new(io::ErrorKind::InvalidInput, error),
        }
    }
}

/// Opens a regular file that is not a skill's, such as one of our own. Only a link in the last place is refused.
pub(crate) fn open_regular(path: &Path) -> Result<File, OpenError> {
    let file = open_last(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(OpenError::NotRegularFile) }
}

/// One call of the kernel checks every part of the path and opens it.
#[cfg(target_os = "linux")]
fn open_without_links(path: &Path) -> Result<File, OpenError> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    use rustix::io::Errno;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(CWD, path, flags, Mode::empty(), resolve) {
        Ok(file) => Ok(file.into()),
        Err(Errno::LOOP) => {
            let link_itself = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
            Err(if link_itself { OpenError::NotRegularFile } else { OpenError::Moved })
        }
        // Linux before 5.6, and containers that forbid what they don't know.
        Err(Errno::NOSYS | Errno::PERM) => open_and_compare(path),
        Err(errno) => {
            let error = errno.into();
            Err(if is_other_kind(&error) { OpenError::NotRegularFile } else { OpenError::Io(error) })
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn open_without_links(path: &Path) -> Result<File, OpenError> {
    open_and_compare(path)
}

/// Opens, and looks afterwards whether the path still leads to what was opened.
fn open_and_compare(path: &Path) -> Result<File, OpenError> {
    let file = open_last(path)?;
    let resolved = fs::canonicalize(path)?;
    if resolved == path && same_file(&file, &resolved)? { Ok(file) } else { Err(OpenError::Moved) }
}

#[cfg(unix)]
fn same_file(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (opened, named) = (file.metadata()?, fs::symlink_metadata(path)?);
    Ok((opened.dev(), opened.ino()) == (named.dev(), named.ino()))
}

/// The standard library cannot tell.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on the other platforms")]
fn same_file(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

fn open_last(path: &Path) -> Result<File, OpenError> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_NOCTTY);
    }
    options
        .open(path)
        .map_err(|error| if is_other_kind(&error) { OpenError::NotRegularFile } else { OpenError::Io(error) })
}

/// A link where none is followed, or a socket.
#[cfg(unix)]
fn is_other_kind(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ELOOP | libc::ENXIO | libc::EISDIR))
}

#[cfg(not(unix))]
fn is_other_kind(_error: &io::Error) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    struct Tree(tempfile::TempDir);

    impl Tree {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a scratch folder takes files");
            fs::create_dir(folder.path().join("skill")).expect("a scratch folder takes files");
            fs::write(folder.path().join("skill/SKILL.md"), "text").expect("a scratch folder takes files");
            fs::write(folder.path().join("secret"), "SECRET").expect("a scratch folder takes files");
            Self(folder)
        }

        fn at(&self, relative: &str) -> PathBuf {
            fs::canonicalize(self.0.path()).expect("a scratch folder takes files").join(relative)
        }
    }

    /// Both ways of opening, so that the one which this platform does not take is held to the same.
    fn each(path: &Path) -> [Result<File, OpenError>; 2] {
        [open_without_links(path), open_and_compare(path)]
    }

    #[test]
    fn a_link_in_the_last_place_is_no_regular_file() {
        let tree = Tree::new();
        symlink(tree.at("secret"), tree.at("skill/link")).unwrap();
        for opened in each(&tree.at("skill/link")) {
            assert!(matches!(opened, Err(OpenError::NotRegularFile)), "{opened:?}");
        }
        for opened in each(&tree.at("skill/SKILL.md")) {
            assert!(opened.is_ok());
        }
    }

    #[test]
    fn a_folder_that_became_a_link_is_not_gone_through() {
        let tree = Tree::new();
        fs::create_dir(tree.at("elsewhere")).unwrap();
        fs::write(tree.at("elsewhere/SKILL.md"), "SECRET").unwrap();
        fs::rename(tree.at("skill"), tree.at("was")).unwrap();
        symlink(tree.at("elsewhere"), tree.at("skill")).unwrap();
        for opened in each(&tree.at("skill/SKILL.md")) {
            assert!(matches!(opened, Err(OpenError::Moved)), "{opened:?}");
        }
    }

    #[test]
    fn what_is_no_file_is_never_waited_for() {
        let tree = Tree::new();
        let status = std::process::Command::new("mkfifo").arg(tree.at("skill/pipe")).status().unwrap();
        assert!(status.success());
        assert!(matches!(open(&tree.at("skill/pipe")), Err(OpenError::NotRegularFile)));
        assert!(matches!(open(&tree.at("skill")), Err(OpenError::NotRegularFile)));
        assert!(matches!(open(&tree.at("skill/none")), Err(OpenError::Io(_))));
    }

    #[test]
    fn a_limit_looks_at_where_a_path_leads_and_not_at_how_it_is_written() {
        let tree = Tree::new();
        fs::create_dir(tree.at("skill-evil")).unwrap();
        fs::write(tree.at("skill-evil/SKILL.md"), "x").unwrap();
        symlink("SKILL.md", tree.at("skill/again")).unwrap();
        symlink("../secret", tree.at("skill/out")).unwrap();
        let skill = tree.at("skill");
        let limit = Limit::within([skill.as_path()]);
        assert_eq!(limit.resolve(&tree.at("skill/again")).unwrap(), tree.at("skill/SKILL.md"));
        for outside in ["skill/out", "skill/../secret", "skill-evil/SKILL.md"] {
            assert!(matches!(limit.resolve(&tree.at(outside)), Err(OpenError::Outside)), "{outside}");
        }
        assert!(Limit::default().resolve(&tree.at("skill/out")).is_ok());
        let nowhere = tree.at("nowhere");
        assert!(!Limit::within([nowhere.as_path()]).allows(&tree.at("nowhere/x")));
    }
}
