//! Folders that a case is laid out in.

use std::fs;
use std::path::Path;

/// Makes a link.
#[cfg(unix)]
pub(crate) fn link(target: &Path, place: &Path) -> anyhow::Result<()> {
    Ok(std::os::unix::fs::symlink(target, place)?)
}

/// Sets the mode of a file or a folder.
#[cfg(unix)]
pub(crate) fn set_mode(place: &Path, mode: u32) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(place, fs::Permissions::from_mode(mode))?)
}

/// Makes a link.
#[cfg(not(unix))]
pub(crate) fn link(_: &Path, _: &Path) -> anyhow::Result<()> {
    anyhow::bail!("links of a case are only made on Unix")
}

/// Sets the mode of a file or a folder.
#[cfg(not(unix))]
pub(crate) fn set_mode(_: &Path, _: u32) -> anyhow::Result<()> {
    anyhow::bail!("modes of a case are only set on Unix")
}

/// Removes a folder with everything in it, whatever rights a case has taken from it.
pub(crate) fn remove(folder: &Path) {
    if fs::remove_dir_all(folder).is_err() {
        // A folder without rights cannot be emptied until it has them again.
        open_up(folder);
        let _ = fs::remove_dir_all(folder);
    }
}

fn open_up(folder: &Path) {
    #[cfg(unix)]
    let _ = set_mode(folder, 0o700);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}
