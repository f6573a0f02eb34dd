//! Where the workspace lies and which files belong to it.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use xshell::{Shell, cmd};

/// A text file of the workspace.
#[derive(Clone, Debug)]
pub(crate) struct TextFile {
    /// Its path below the workspace root, with `/` between the parts.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

impl TextFile {
    /// Returns whether the file is Rust source.
    pub(crate) fn is_rust(&self) -> bool {
        self.has_extension("rs")
    }

    /// Returns whether the file is a snapshot that a test compares with.
    pub(crate) fn is_snapshot(&self) -> bool {
        self.has_extension("snap")
    }

    /// Returns whether the whole file belongs to a test.
    pub(crate) fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs") || self.is_snapshot()
    }

    fn has_extension(&self, wanted: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|extension| extension == wanted)
    }
}

/// Returns the root of the workspace: the folder above this crate.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("the crate lies in the workspace").to_owned()
}

/// Returns every text file that Git tracks or would track, by path. Files that are not UTF-8 are left out: no
/// rule about text applies to them.
pub(crate) fn text_files() -> anyhow::Result<Vec<TextFile>> {
    let shell = Shell::new()?;
    let root = root();
    shell.change_dir(&root);
    let listing = cmd!(shell, "git ls-files -z --cached --others --exclude-standard").read()?;
    let mut files = Vec::new();
    for path in listing.split('\0').filter(|path| !path.is_empty()) {
        let on_disk = root.join(path);
        // A deleted file stays in the index until the next commit, and a link is somebody else's text.
        if !on_disk.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
            continue;
        }
        let bytes = std::fs::read(&on_disk).with_context(|| format!("cannot read `{path}`"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(TextFile { path: path.to_owned(), text });
        }
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files)
}
