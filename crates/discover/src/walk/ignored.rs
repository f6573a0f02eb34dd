//! What ignore files below a root keep from being found.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use lorimer_core::Code;

use crate::boundary::Limit;

use super::{Directory, Entry, LooseMarkdown, Walk};

/// An ignore file has a page of lines; anything larger is something else.
const MAX_BYTES: u64 = 1 << 20;

/// Rules by the directory that their file lies in.
#[derive(Debug, Default)]
pub(super) struct Ignored(HashMap<PathBuf, Gitignore>);

impl Ignored {
    /// Returns whether a path is ignored. The nearest file that says something about it decides.
    fn covers(&self, path: &Path, is_dir: bool) -> bool {
        let rules = path.ancestors().skip(1).filter_map(|folder| self.0.get(folder));
        let verdict = rules.map(|rules| rules.matched(path, is_dir)).find(|verdict| !verdict.is_none());
        matches!(verdict, Some(Match::Ignore(_)))
    }
}

impl Walk<'_> {
    /// Reads the ignore files of a directory and takes out the entries that they, or those above, name. Only what would
    /// have been a skill is worth a word.
    pub(super) fn heed_ignore_files(&mut self, directory: &Directory, entries: &mut Vec<Entry>) {
        let names = self.policy.ignore_files;
        if names.is_empty() {
            return;
        }
        let here = names.iter().filter(|name| entries.iter().any(|entry| entry.name == **name));
        let limit = &self.walked.limit;
        if let Some(rules) = read(&directory.path, limit, here.copied(), directory.depth == 0) {
            self.ignored.0.insert(directory.path.clone(), rules);
        }
        if self.ignored.0.is_empty() {
            return;
        }
        let mut missed = Vec::new();
        entries.retain(|entry| {
            let path = directory.path.join(&entry.name);
            let is_dir = entry.kind.is_dir() || entry.kind.is_symlink() && path.is_dir();
            let ignored = self.ignored.covers(&path, is_dir);
            if ignored && self.would_be_found(directory, entry, &path, is_dir) {
                missed.push(path);
            }
            !ignored
        });
        for path in missed {
            self.report(Code::IgnoredByRule, &path, "an ignore file below the root names this skill");
        }
    }

    fn would_be_found(&self, directory: &Directory, entry: &Entry, path: &Path, is_dir: bool) -> bool {
        let is_named = |name: &Path| self.policy.file_names.iter().any(|skill| name.ends_with(skill));
        if is_dir {
            return !self.is_skipped(&entry.name)
                && self.policy.file_names.iter().any(|name| path.join(name).is_file());
        }
        let loose = match self.policy.loose_markdown {
            LooseMarkdown::None => false,
            LooseMarkdown::InRoot => directory.depth == 0,
            LooseMarkdown::BelowRoot => directory.depth > 0,
            LooseMarkdown::Anywhere => true,
        };
        is_named(path) || loose && path.extension().is_some_and(|extension| extension == "md")
    }
}

/// Reads the lines of these files of one directory. Below the root each of them is anchored, so that it speaks of the
/// directory's own entries; in the root a line that starts with a slash speaks of every level (Pi's reading, which
/// differs from git's in both).
fn read<'n>(
    folder: &Path,
    limit: &Limit,
    names: impl Iterator<Item = &'n str>,
    is_root: bool,
) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    let mut any = false;
    for name in names {
        let path = folder.join(name);
        for line in lines(&path, limit).unwrap_or_default().lines() {
            // A line that is no pattern costs only itself.
            any |= builder.add_line(Some(path.clone()), &rewritten(line, is_root)).is_ok();
        }
    }
    any.then(|| builder.build().ok()).flatten()
}

/// Returns the text of an ignore file, if it is one that may be read.
pub(crate) fn lines(path: &Path, limit: &Limit) -> Option<String> {
    let (file, _) = limit.open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
    let size = u64::try_from(bytes.len()).ok()?;
    (size <= MAX_BYTES).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

fn rewritten(line: &str, is_root: bool) -> String {
    let line = line.trim_end();
    if line.is_empty() || line.starts_with('#') {
        return String::new();
    }
    let (not, pattern) = line.strip_prefix('!').map_or(("", line), |pattern| ("!", pattern));
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    format!("{not}{}{pattern}", if is_root { "" } else { "/" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_below_the_root_are_anchored_and_those_in_it_are_not() {
        for (line, root, below) in
            [("a", "a", "/a"), ("/a", "a", "/a"), ("!a/", "!a/", "!/a/"), ("# a", "", ""), ("  ", "", "")]
        {
            assert_eq!(
                (rewritten(line, true).as_str(), rewritten(line, false).as_str()),
                (root, below),
                "{line}"
            );
        }
    }
}
