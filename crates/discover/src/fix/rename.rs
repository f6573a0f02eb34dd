//! Another name for a file, never at the cost of a second one.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::Error;

/// Refuses a name that another file has. Where case does not matter, a file is found under the new name too and is
/// still the same one, so only what the folder lists counts.
pub(super) fn check(path: &Path, name: &str) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let taken = fs::read_dir(folder)?.flatten().any(|entry| entry.file_name() == *name);
    if taken && path.file_name().is_none_or(|own| own != name) {
        return Err(Error::Exists(name.to_owned()));
    }
    Ok(())
}

/// Renames a file inside its folder.
pub(super) fn rename(path: &Path, name: &str) -> Result<(), Error> {
    check(path, name)?;
    let target = path.with_file_name(name);
    // A second link fails where the name is taken, in one step; a rename would replace whatever came there meanwhile.
    match fs::hard_link(path, &target) {
        Ok(()) => Ok(fs::remove_file(path)?),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            // The folder does not list it, so it is the file itself on a disk that does not mind case.
            check(path, name)?;
            Ok(fs::rename(path, &target)?)
        }
        // Some file systems have no links of this kind.
        Err(_) if !target.exists() => Ok(fs::rename(path, &target)?),
        Err(error) => Err(error.into()),
    }
}
