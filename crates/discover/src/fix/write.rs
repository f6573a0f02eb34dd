//! A file that is replaced in one step.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use super::Error;
use crate::boundary::read_beginning;

/// Puts a file with other bytes in the place of one that still has the old ones.
pub(super) fn replace(path: &Path, before: &[u8], after: &[u8]) -> Result<(), Error> {
    // On the same file system, so that one step is enough.
    let folder = path.parent().ok_or_else(|| std::io::Error::other("a file without a folder"))?;
    let mut file = tempfile::Builder::new().prefix(".lorimer-fix-").tempfile_in(folder)?;
    file.write_all(after)?;
    file.as_file().set_permissions(fs::metadata(path)?.permissions())?;
    file.as_file().sync_all()?;
    if read_beginning(path, u64::MAX)? != before {
        return Err(Error::Changed);
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
