//! What is said and done once everything was visited.

use std::collections::HashMap;
use std::path::PathBuf;

use lorimer_core::{Code, collation_key};

use super::{Directory, Entry, FoundFile, Walk, WalkOrder, WalkPolicy};

impl Walk<'_> {
    /// Leaves those entries of one directory that are beyond the limit.
    pub(super) fn cut_listing(&mut self, directory: &Directory, entries: &mut Vec<Entry>) {
        let (all, most) = (entries.len(), self.policy.max_listed);
        if all > most {
            entries.truncate(most);
            let message = format!("the directory holds {all} entries, and the first {most} are looked at");
            self.report(Code::LimitEntries, &directory.path, message);
            self.walked.complete = false;
        }
    }

    /// Says how many sub-directories of one directory are beyond the limit.
    pub(super) fn report_children(&mut self, directory: &Directory, beyond: usize) {
        if beyond > 0 {
            let most = self.policy.max_children;
            let all = most.saturating_add(beyond);
            let message =
                format!("the directory holds {all} directories, and the first {most} are looked into");
            self.report(Code::LimitDirectories, &directory.path, message);
            self.walked.complete = false;
        }
    }

    pub(super) fn report_limits(&mut self) {
        let root = self.walked.root.clone();
        if let Some(first) = self.too_deep.first().cloned() {
            let WalkPolicy { max_depth, .. } = self.policy;
            let more = self.too_deep.len() - 1;
            let message = if more == 0 {
                format!("this skill lies more than {max_depth} levels below its root")
            } else {
                format!("this skill and {more} more lie more than {max_depth} levels below their root")
            };
            self.report(Code::LimitDepth, &first, message);
        }
        if self.too_many_directories {
            let message = format!("the root holds more than {} directories", self.policy.max_directories);
            self.report(Code::LimitDirectories, &root, message);
        }
        if self.too_many_entries {
            let message = format!("the root holds more than {} entries", self.policy.max_entries);
            self.report(Code::LimitEntries, &root, message);
        }
        if self.too_many_directories || self.too_many_entries || !self.too_deep.is_empty() {
            self.walked.complete = false;
        }
    }

    /// Puts what was found in the policy's order, and leaves what is beyond the limit.
    pub(super) fn put_in_order(&mut self) {
        let root = &self.walked.root;
        match self.policy.order {
            WalkOrder::BreadthFirst => {}
            WalkOrder::ByPath => {
                self.walked.found.sort_by(|left, right| left.discovered.cmp(&right.discovered));
            }
            WalkOrder::Collated => self.walked.found.sort_by_cached_key(|file: &FoundFile| {
                // A skill is called by its directory, a Markdown file that lies about by itself.
                let path = match file.directory {
                    Some(_) => file.discovered.parent().unwrap_or(&file.discovered),
                    None if self.policy.loose_names_are_paths => &file.discovered.with_extension(""),
                    None => &file.discovered,
                };
                collation_key(&path.strip_prefix(root).unwrap_or(path).to_string_lossy())
            }),
        }
        let WalkPolicy { max_skills, .. } = *self.policy;
        if self.walked.found.len() > max_skills {
            self.walked.found.truncate(max_skills);
            self.walked.complete = false;
            let root = self.walked.root.clone();
            self.report(Code::LimitSkills, &root, format!("the root holds more than {max_skills} skills"));
        }
    }

    /// Gives links that were not followed again to the skills that they lead to.
    pub(super) fn assign_aliases(&mut self) {
        if self.links.is_empty() {
            return;
        }
        let mut by_directory: HashMap<PathBuf, Vec<PathBuf>> = HashMap::new();
        for (canonical, link) in self.links.drain(..) {
            by_directory.entry(canonical).or_default().push(link);
        }
        for file in &mut self.walked.found {
            let (Some(directory), Some(name)) = (file.canonical.parent(), file.canonical.file_name()) else {
                continue;
            };
            if let Some(links) = by_directory.get(directory) {
                file.aliases.extend(links.iter().map(|link| link.join(name)));
            }
        }
    }
}
