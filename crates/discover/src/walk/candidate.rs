//! Which files of a directory are skill files.

use std::fs;
use std::path::{Path, PathBuf};

use lorimer_core::Code;

use super::{Directory, Entry, FoundFile, Kind, LooseMarkdown, Walk};

impl Walk<'_> {
    /// Takes the directory's skill file, if it has one, and returns whether it does.
    pub(super) fn take_skill_file(&mut self, directory: &Directory, entries: &[Entry]) -> bool {
        let mut odd = false;
        if directory.depth == 0 && !self.policy.skill_file_in_root {
            return false;
        }
        for name in self.policy.file_names {
            let Some(entry) = entries.iter().find(|entry| entry.name == *name) else { continue };
            let path = directory.path.join(name);
            match self.usable(&path, entry.kind) {
                Some(target) => {
                    let agents = target.is_some() || has_agents(entries);
                    let canonical = target.unwrap_or_else(|| directory.canonical().join(name));
                    let own = Some(directory.canonical().to_owned());
                    self.take(FoundFile {
                        discovered: path,
                        canonical,
                        aliases: Vec::new(),
                        directory: own,
                        agents,
                    });
                    return true;
                }
                None => odd = true,
            }
        }
        if !odd && self.policy.report_wrong_case {
            self.report_wrong_case(directory, entries);
        }
        false
    }

    /// Returns whether a skill file may be read and, for a link, where it leads.
    #[expect(clippy::option_option, reason = "no, yes as it stands, yes over there")]
    fn usable(&mut self, path: &Path, kind: Kind) -> Option<Option<PathBuf>> {
        if kind.is_file() {
            if self.policy.accept_hard_links || names_of(path) <= 1 {
                return Some(None);
            }
            let message = "the skill file has further names (hard links), and such files are not read here";
            self.report(Code::SymlinkFileRefused, path, message);
            return None;
        }
        if !kind.is_symlink() {
            let what = if kind.is_dir() { "a directory" } else { "a pipe, a device or a socket" };
            self.report(Code::NotRegularFile, path, format!("this is {what} and not a regular file"));
            return None;
        }
        if !self.policy.accept_file_links {
            self.report(
                Code::SymlinkFileRefused,
                path,
                "the skill file is a link, and only regular files are read here",
            );
            return None;
        }
        match fs::metadata(path).and_then(|metadata| Ok((metadata.is_file(), fs::canonicalize(path)?))) {
            Ok((true, target)) => {
                if self.policy.file_links_stay_in_skill && !stays_beside(path, &target) {
                    let message = "the skill file is a link that leads out of its own directory";
                    self.report(Code::SymlinkEscape, path, message);
                    return None;
                }
                self.is_inside(path, &target).then_some(Some(target))
            }
            Ok(_) => {
                self.report(
                    Code::NotRegularFile,
                    path,
                    "this is a link to something that is not a regular file",
                );
                None
            }
            Err(error) => {
                self.report_broken_link(path, &error);
                self.broken_links.push(path.to_owned());
                None
            }
        }
    }

    /// Returns whether something in a directory is called like a skill file, whatever it is.
    pub(super) fn holds_skill_name(&self, directory: &Directory, entries: &[Entry]) -> bool {
        (directory.depth > 0 || self.policy.skill_file_in_root)
            && entries.iter().any(|entry| self.policy.file_names.iter().any(|name| entry.name == *name))
    }

    fn report_wrong_case(&mut self, directory: &Directory, entries: &[Entry]) {
        let near = entries.iter().find(|entry| {
            entry.kind.is_file()
                && self.policy.file_names.iter().any(|name| entry.name.eq_ignore_ascii_case(name))
        });
        if let Some(entry) = near {
            let expected = self.policy.file_names.first().copied().unwrap_or_default();
            let message = format!("this is not read, because its name is not exactly `{expected}`");
            self.report(Code::FileNameCase, &directory.path.join(&entry.name), message);
        }
    }

    /// Takes Markdown files that lie about, where the policy wants them.
    pub(super) fn take_loose_files(&mut self, directory: &Directory, entries: &[Entry]) {
        let wanted = match self.policy.loose_markdown {
            LooseMarkdown::None => false,
            LooseMarkdown::InRoot => directory.depth == 0,
            LooseMarkdown::BelowRoot => directory.depth > 0,
            LooseMarkdown::Anywhere => true,
        };
        if !wanted {
            return;
        }
        for entry in entries {
            let name = Path::new(&entry.name);
            let markdown = name.extension().is_some_and(|extension| extension == "md");
            let hidden = !self.policy.descend_hidden && entry.name.as_encoded_bytes().starts_with(b".");
            // Where a skill file in the root is none of its kind, it is a Markdown file like others.
            let taken = (directory.depth > 0 || self.policy.skill_file_in_root)
                && self.policy.file_names.iter().any(|skill| entry.name == *skill);
            if !markdown || hidden || taken || entry.kind.is_dir() {
                continue;
            }
            let path = directory.path.join(name);
            // A note that happens to be a link is no trouble worth a word.
            if entry.kind.is_symlink() && !(self.policy.accept_file_links && path.is_file()) {
                continue;
            }
            if let Some(target) = self.usable(&path, entry.kind) {
                let agents = target.is_some() || has_agents(entries);
                let canonical = target.unwrap_or_else(|| directory.canonical().join(name));
                self.take(FoundFile {
                    discovered: path,
                    canonical,
                    aliases: Vec::new(),
                    directory: None,
                    agents,
                });
            }
        }
    }

    /// Returns whether an entry of the root has a name that is kept for something else, and says so where the policy wants
    /// that.
    pub(super) fn is_reserved(&mut self, directory: &Directory, entry: &Entry) -> bool {
        let same = |name: &&str| entry.name.eq_ignore_ascii_case(name);
        if directory.depth > 0 || !self.policy.skip_in_root.iter().any(same) {
            return false;
        }
        if self.policy.report_reserved {
            let message = "a folder of this name is kept for something else, so skills in it are not found";
            self.report(Code::ReservedName, &directory.path.join(&entry.name), message);
        }
        true
    }

    fn take(&mut self, file: FoundFile) {
        self.walked.found.push(file);
    }
}

/// Returns whether a link's target lies in the directory that the link lies in.
fn stays_beside(link: &Path, target: &Path) -> bool {
    let directory = link.parent().and_then(|parent| fs::canonicalize(parent).ok());
    directory.is_some_and(|directory| target.starts_with(directory))
}

/// Returns whether `agents/openai.yaml` may lie in a directory. Some file systems don't mind case.
fn has_agents(entries: &[Entry]) -> bool {
    entries.iter().any(|entry| entry.name.eq_ignore_ascii_case("agents"))
}

/// Returns how many names a file has; one where nobody can tell.
#[cfg(unix)]
fn names_of(path: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    fs::symlink_metadata(path).map_or(1, |metadata| metadata.nlink())
}

#[cfg(not(unix))]
fn names_of(_path: &Path) -> u64 {
    1
}
