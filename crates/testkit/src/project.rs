//! A project on disk, made for one test.

use std::path::{Path, PathBuf};

use lorimer::Host;

/// A temporary folder with a project, a home directory and a system directory. It is removed when dropped.
#[derive(Debug)]
pub struct Project {
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl Default for Project {
    fn default() -> Self {
        Self::new()
    }
}

impl Project {
    /// Makes `project` (a git repository as far as anyone can tell), `home` and `etc`.
    pub fn new() -> Self {
        // The length of paths decides what fits into a listing, so it should not depend on TMPDIR where that can
        // be helped.
        let place = if cfg!(target_os = "linux") { PathBuf::from("/tmp") } else { std::env::temp_dir() };
        let folder = tempfile::tempdir_in(place).expect("a temporary folder can be made");
        let root = folder.path().canonicalize().expect("it is there");
        let project = Self { folder, root };
        for name in ["project/.git", "home", "etc"] {
            std::fs::create_dir_all(project.path(name)).expect("folders can be made");
        }
        project
    }

    /// Returns the folder that everything lies in, without links in its path.
    pub fn root(&self) -> &Path {
        debug_assert!(self.folder.path().exists(), "the folder lives as long as the project");
        &self.root
    }

    /// Returns the path of something below the folder.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Writes a file below the folder, making its parents.
    pub fn file(&self, relative: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(relative);
        let parent = path.parent().expect("a file below the folder has a parent");
        std::fs::create_dir_all(parent).expect("folders can be made");
        std::fs::write(path, text).expect("files can be written");
        self
    }

    /// Writes an ordinary skill into the project.
    pub fn skill(&self, name: &str, description: &str, body: &str) -> &Self {
        self.file(
            &format!("project/.agents/skills/{name}/SKILL.md"),
            format!("---\nname: {name}\ndescription: {description}\n---\n{body}"),
        )
    }

    /// Returns surroundings with the project as the working directory.
    pub fn host(&self) -> Host {
        let mut host = Host::new(self.path("project")).home(self.path("home"));
        host.system_root = Some(self.path("etc"));
        host
    }
}
