//! Skills in groups: the folders that they lie in, and what a file in such a folder says about it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lorimer_core::{Content, Group, Locator, ReadLimit, Skill, SourceId};

use crate::boundary::Limit;
use crate::frontmatter::read_head;
use crate::{ReadError, Reading, Scan, ScanRequest, Source, WatchRoot};

/// Which folders make a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupBy {
    /// All between the root and the skill's own, joined by `/`. A skill directly below the root is a group of its own,
    /// called like its folder; one in the root belongs to the group of this name.
    Folders {
        /// The group of a skill file in the root.
        in_root: &'static str,
    },
    /// The first one below the root. Skills directly below the root and in it have no group.
    FirstFolder,
}

impl GroupBy {
    /// Returns the group of a skill file by its path below the root.
    fn name(self, below: &Path) -> Option<String> {
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        match (self, parts.as_slice()) {
            (Self::Folders { in_root }, [_]) => Some(in_root.to_owned()),
            (Self::Folders { .. }, [folder, _]) => Some(folder.to_string()),
            (Self::Folders { .. }, [folders @ .., _, _]) => Some(folders.join("/")),
            (Self::FirstFolder, [first, _, _, ..]) => Some(first.to_string()),
            (_, []) | (Self::FirstFolder, _) => None,
        }
    }
}

/// A source that says which group each skill of another source stands in.
#[derive(Debug)]
pub struct GroupedSource<S> {
    inner: S,
    by: GroupBy,
    described: Option<Described>,
}

/// Where what is said about groups is read.
#[derive(Debug)]
struct Described {
    file: &'static str,
    reading: Reading,
    roots: Vec<PathBuf>,
}

/// A file about a group has no more bytes than this; what stands behind them does not count.
const MOST_BYTES: u64 = 1 << 20;

impl<S: Source> GroupedSource<S> {
    /// Returns the source over another one, without descriptions.
    pub fn new(inner: S, by: GroupBy) -> Self {
        Self { inner, by, described: None }
    }

    /// Returns the source with descriptions: the field `description` of a file of this name in a group's folder, read
    /// anew at each scan. A group that lies below several of the roots is described in the first one that says something.
    #[must_use]
    pub fn described_in(mut self, file: &'static str, reading: Reading, roots: Vec<PathBuf>) -> Self {
        self.described = Some(Described { file, reading, roots });
        self
    }

    fn group(&self, skill: &Skill) -> Option<String> {
        let path = PathBuf::from(skill.shown_location());
        self.by.name(path.strip_prefix(&skill.root.path).ok()?)
    }

    fn description(&self, group: &str) -> String {
        let Some(described) = &self.described else { return String::new() };
        let in_root = matches!(self.by, GroupBy::Folders { in_root } if in_root == group);
        // A folder that is called like the group of the root comes later in the walk, and so it counts.
        let folders = described.roots.iter().flat_map(|root| {
            [Some(root.join(group)), Some(root.clone()).filter(|_| in_root)].into_iter().flatten()
        });
        let mut said = folders.filter_map(|folder| described.read(&folder.join(described.file)));
        said.next().unwrap_or_default()
    }
}

impl Described {
    fn read(&self, path: &Path) -> Option<String> {
        use std::io::Read as _;
        let (file, _) = Limit::default().open(path).ok()?;
        let head = read_head(&mut file.take(MOST_BYTES), &self.reading).ok()?;
        head.outcome.description.filter(|description| !description.is_empty())
    }
}

impl<S: Source> Source for GroupedSource<S> {
    fn id(&self) -> &SourceId {
        self.inner.id()
    }

    fn scan(&self, request: &ScanRequest) -> Scan {
        let mut scan = self.inner.scan(request);
        let mut groups: HashMap<String, Group> = HashMap::new();
        for skill in &mut scan.skills {
            let group = self.group(skill).map(|name| {
                let new = || Group { description: self.description(&name), name: name.clone() };
                groups.entry(name.clone()).or_insert_with(new).clone()
            });
            if skill.group != group {
                Arc::make_mut(skill).group = group;
            }
        }
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        self.inner.read(locator, limit)
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        self.inner.files(skill)
    }

    fn watched(&self) -> Vec<WatchRoot> {
        self.inner.watched()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_named_for_folders() {
        let name = |by: GroupBy, path: &str| by.name(Path::new(path));
        let folders = GroupBy::Folders { in_root: "general" };
        assert_eq!(name(folders, "SKILL.md").as_deref(), Some("general"));
        assert_eq!(name(folders, "a/SKILL.md").as_deref(), Some("a"));
        assert_eq!(name(folders, "a/b/SKILL.md").as_deref(), Some("a"));
        assert_eq!(name(folders, "a/b/c/d/SKILL.md").as_deref(), Some("a/b/c"));
        assert_eq!(name(GroupBy::FirstFolder, "a/SKILL.md"), None);
        assert_eq!(name(GroupBy::FirstFolder, "SKILL.md"), None);
        assert_eq!(name(GroupBy::FirstFolder, "a/b/c/SKILL.md").as_deref(), Some("a"));
    }
}
