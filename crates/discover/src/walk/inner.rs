//! Where a walk really starts: in the root, in a folder of it, or at a single file.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use lorimer_core::{Code, Diagnostic};

use super::{FoundFile, Walk, WalkPolicy, Walked};
use crate::boundary::Limit;
use crate::parallel::Workers;

/// Returns the one skill of a root that is a file.
pub(super) fn single_file(root: &Path, mut walked: Walked) -> Walked {
    if root.extension().is_none_or(|extension| extension != "md") {
        let message = "the skill root is neither a directory nor a Markdown file";
        walked.diagnostics.push(Diagnostic::new(Code::RootNotDirectory, message).at(root.to_owned(), None));
        return walked;
    }
    let Ok(canonical) = fs::canonicalize(root) else { return walked };
    // What is called like a skill file has its directory to itself.
    let own = root.file_name() == Some(OsStr::new("SKILL.md"));
    walked.found.push(FoundFile {
        discovered: root.to_owned(),
        directory: canonical.parent().filter(|_| own).map(Path::to_owned),
        canonical,
        aliases: Vec::new(),
        agents: true,
    });
    walked
}

/// Returns the directory to walk, and how. A root whose skills all lie in its inner folder is walked from there.
pub(super) fn start<'p>(
    root: PathBuf,
    policy: &'p WalkPolicy,
    limit: &Limit,
    workers: &Workers,
) -> (PathBuf, Cow<'p, WalkPolicy>) {
    let Some(folder) = policy.inner_folder else { return (root, Cow::Borrowed(policy)) };
    let deep = || Cow::Owned(WalkPolicy { max_depth: folder.max_depth, ..policy.clone() });
    if root.file_name() == Some(OsStr::new(folder.name)) {
        return (root, deep());
    }
    let inner = root.join(folder.name);
    let holds_own = policy.file_names.iter().any(|name| root.join(name).exists());
    if holds_own || !inner.is_dir() {
        return (root, Cow::Borrowed(policy));
    }
    let finds = |start: &Path, skip: &'static [&'static str], policy: &WalkPolicy| {
        let skip_in_root = if skip.is_empty() { policy.skip_in_root } else { skip };
        let probe = WalkPolicy { skip_in_root, report_too_deep: false, inner_folder: None, ..policy.clone() };
        !Walk::new(start.to_owned(), &probe, limit.clone()).run(workers, None).found.is_empty()
    };
    if !finds(&root, std::slice::from_ref(&folder.name), &deep()) && finds(&inner, &[], &deep()) {
        return (inner, deep());
    }
    (root, Cow::Borrowed(policy))
}
