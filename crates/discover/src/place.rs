//! The surroundings that rules are resolved in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Until;

/// The surroundings that rules are resolved in. Nothing is read from the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The working directory.
    pub cwd: PathBuf,
    /// The user's home directory; rules relative to it give no root where it is not known.
    pub home: Option<PathBuf>,
    /// The directory of machine-wide settings; rules relative to it give no root where it is not known.
    pub system_root: Option<PathBuf>,
    /// Names that mark a project's root directory. With none, the project is the working directory alone.
    pub project_markers: Vec<String>,
    /// Variables of the environment that may move folders, by name.
    pub variables: BTreeMap<String, String>,
    /// Files that the session has read or written so far, by absolute path.
    pub opened: Vec<PathBuf>,
}

impl Place {
    /// Returns a place with this working directory, no home, no system root, and `.git` as the project marker.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Self {
            cwd: cwd.into(),
            home: None,
            system_root: None,
            project_markers: vec![".git".to_owned()],
            variables: BTreeMap::new(),
            opened: Vec::new(),
        }
    }

    /// Returns the place with this home directory.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// Returns the project's root: the nearest ancestor of the working directory, itself included, that holds
    /// one of the markers as a file or a directory. Without a marker it is the working directory.
    pub fn project_root(&self) -> &Path {
        self.marked().unwrap_or(&self.cwd)
    }

    /// Returns the value of a variable, unless it is blank: a variable that was set to nothing is not set.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.trim().is_empty())
    }

    /// Returns where a variable moves a folder to. `~` is the home directory, and a relative path starts at the working
    /// directory.
    pub fn moved(&self, variable: &str) -> Option<PathBuf> {
        self.variable(variable).map(|value| self.expanded(&self.cwd, value))
    }

    /// Returns a path that a person wrote: `~` is the home directory, and a relative one starts at `base`.
    pub fn expanded(&self, base: &Path, path: &str) -> PathBuf {
        let below_home = path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
        match (below_home, &self.home) {
            (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
            _ => base.join(path),
        }
    }

    fn marked(&self) -> Option<&Path> {
        self.cwd
            .ancestors()
            .find(|directory| self.project_markers.iter().any(|marker| directory.join(marker).exists()))
    }

    /// Returns the directories from where a walk upwards ends down to the working directory.
    pub(crate) fn ancestors(&self, until: Until) -> Vec<&Path> {
        let home = self.home.as_deref().filter(|home| self.cwd.starts_with(home));
        let end = match (until, self.marked()) {
            (Until::Project, marked) => marked.or(Some(&self.cwd)),
            (Until::ProjectOrTop, marked) => marked,
            // Of two ancestors of one directory, the nearer one is the longer one.
            (Until::ProjectOrHome, marked) => {
                marked.into_iter().chain(home).max_by_key(|end| end.components().count())
            }
        };
        let mut directories: Vec<&Path> = self.cwd.ancestors().collect();
        directories.retain(|directory| end.is_none_or(|end| directory.starts_with(end)));
        directories.reverse();
        directories
    }
}
