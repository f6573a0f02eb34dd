//! The folders that the standard names.

use std::fs;

use lorimer_core::{Code, Diagnostic, Locator};

use super::subject::Looked;

/// Folders with a meaning in the standard.
pub(super) const FOLDERS: [&str; 3] = ["scripts", "references", "assets"];

pub(super) fn look(looked: &Looked<'_>, found: &mut Vec<Diagnostic>) {
    let Some(folder) = looked.subject.folder else { return };
    for name in FOLDERS {
        let path = folder.join(name);
        // A link may lead anywhere, and is not empty for whoever made it.
        let own = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
        if own && fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none()) {
            let message = format!("the folder `{name}` is empty");
            found.push(Diagnostic::new(Code::FolderEmpty, message).at(Locator::Path(path), None));
        }
    }
}
