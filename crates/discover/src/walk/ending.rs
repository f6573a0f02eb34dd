//! What is said and done once everything was visited.

use std::collections::HashMap;
use std::path::PathBuf;

use lorimer_core::Code;

use super::{Walk, WalkPolicy};

impl Walk<'_> {
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
