//! Opens what is a regular file, and nothing else.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Why something was not opened.
#[derive(Debug)]
pub(crate) enum OpenError {
    /// There is something, but no regular file.
    NotRegularFile,
    /// The platform says no.
    Io(io::Error),
}

/// Opens a regular file for reading. A link in the last place is not followed.
///
/// A pipe would block for ever, so nothing is waited for, and what was opened is looked at once more: the name may
/// have been given to something else since it was listed.
pub(crate) fn open_regular(path: &Path) -> Result<File, OpenError> {
    open_with_metadata(path).map(|(file, _)| file)
}

/// As [`open_regular`], with what the look at the opened file said.
pub(crate) fn open_with_metadata(path: &Path) -> Result<(File, Metadata), OpenError> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_NOCTTY);
    }
    let file = match options.open(path) {
        Ok(file) => file,
        Err(error) if is_other_kind(&error) => return Err(OpenError::NotRegularFile),
        Err(error) => return Err(OpenError::Io(error)),
    };
    match file.metadata() {
        Ok(metadata) if metadata.is_file() => Ok((file, metadata)),
        Ok(_) => Err(OpenError::NotRegularFile),
        Err(error) => Err(OpenError::Io(error)),
    }
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
