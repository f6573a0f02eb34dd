//! Where a walk really starts: in the root, in a folder of it, or at a single file.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use lorimer_core::{Code, Diagnostic};

use super::{FoundFile, Walk, WalkPolicy, Walked, limit_of};
use crate::boundary::Limit;
use crate::parallel::Workers;

/// Returns the one skill of a root that is a file. A link to one is held to the same rules as below a root.
pub(super) fn single_file(root: &Path, policy: &WalkPolicy, mut walked: Walked) -> Walked {
    let mut refuse = |code, message: String| {
        walked.diagnostics.push(Diagnostic::new(code, message).at(root.to_owned(), None));
    };
    if root.extension().is_none_or(|extension| extension != "md") {
        let message = "the skill root is neither a directory nor a Markdown file";
        refuse(Code::RootNotDirectory, message.to_owned());
        return walked;
    }
    let parent = root.parent().unwrap_or(root);
    let (folder, canonical) = match (fs::canonicalize(parent), fs::canonicalize(root)) {
        (Ok(folder), Ok(canonical)) => (folder, canonical),
        (Err(error), _) | (_, Err(error)) => {
            refuse(Code::FileUnreadable, format!("the file cannot be read: {error}"));
            walked.complete = false;
            return walked;
        }
    };
    if !policy.accept_file_links && fs::symlink_metadata(root).is_ok_and(|file| file.is_symlink()) {
        let message = "the skill file is a link, and only regular files are read here";
        refuse(Code::SymlinkFileRefused, message.to_owned());
        return walked;
    }
    let limit = limit_of(&folder, policy);
    if !limit.allows(&canonical) {
        let message = format!("the skill root is a link that leads to `{}`", canonical.display());
        refuse(Code::SymlinkEscape, message);
        return walked;
    }
    walked.limit = limit;
    // What is called like a skill file has its directory to itself.
    let own = policy.file_names.iter().any(|name| root.file_name() == Some(OsStr::new(name)));
    walked.found.push(FoundFile {
        discovered: root.to_owned(),
        directory: own.then_some(folder),
        canonical,
        aliases: Vec::new(),
        agents: true,
    });
    walked
}

/// Returns a folder without links, if it is one that may be looked into. What a link is refused for, the walk of the root
/// says.
fn entered(folder: &Path, policy: &WalkPolicy, limit: &Limit) -> Option<PathBuf> {
    let metadata = fs::symlink_metadata(folder).ok()?;
    if metadata.is_symlink() && policy.follow_directory_links {
        return limit.resolve(folder).ok().filter(|target| target.is_dir());
    }
    metadata.is_dir().then(|| folder.to_owned())
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
    let holds_own = policy.file_names.iter().any(|name| root.join(name).exists());
    let inner = entered(&root.join(folder.name), policy, limit).filter(|_| !holds_own);
    let Some(inner) = inner else { return (root, Cow::Borrowed(policy)) };
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
