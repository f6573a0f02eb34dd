//! How a root is walked, as data.

use std::path::PathBuf;

use crate::boundary::LinkLimit;

/// Whether Markdown files that are not called like a skill file are skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LooseMarkdown {
    /// They are not.
    None,
    /// Those directly in the root are.
    InRoot,
    /// Those in directories below the root are.
    BelowRoot,
    /// All of them are.
    Anywhere,
}

/// In which order a walk's skills come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkOrder {
    /// Level by level; within a level by the bytes of the names.
    BreadthFirst,
    /// Path by path, name by name, by their bytes.
    ByPath,
    /// By the path below the root, as a person would sort it: punctuation, digits, letters, case only where nothing
    /// else differs. Names in other scripts follow by code point.
    Collated,
}

/// A folder in a root that holds the skills where the root itself holds none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerFolder {
    /// Its name.
    pub name: &'static str,
    /// Directory levels below it, and below a root of that name, that are looked into.
    pub max_depth: usize,
}

/// How a root is walked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent policies, each with a name that says what it does"
)]
pub struct WalkPolicy {
    /// Directory levels below the root that are looked into; the root itself is level 0.
    pub max_depth: usize,
    /// Directories that are visited, the root included.
    pub max_directories: usize,
    /// Directory entries that are read, of any type.
    pub max_entries: usize,
    /// Whether links to directories are followed.
    pub follow_directory_links: bool,
    /// Where links may lead; one that leads elsewhere is left alone, with a diagnostic.
    pub links: LinkLimit,
    /// Directories that links may lead to besides, where there is a limit.
    pub link_targets: Vec<PathBuf>,
    /// Whether a skill file may be a link to a regular file.
    pub accept_file_links: bool,
    /// Whether a skill file that is a link must lead to a file in its own directory.
    pub file_links_stay_in_skill: bool,
    /// Whether a skill file may have further names, as hard links give it.
    pub accept_hard_links: bool,
    /// Whether directories whose name starts with a dot are looked into.
    pub descend_hidden: bool,
    /// Whether directories below a skill are looked into for further skills.
    pub descend_into_skills: bool,
    /// Whether a directory is not looked into because it holds something called like a skill file that is none.
    pub odd_skill_file_ends: bool,
    /// Whether the root may be a single Markdown file, which then is a skill.
    pub root_may_be_file: bool,
    /// Whether a skill is shown below the root as it was named, although the root is a link.
    pub root_as_named: bool,
    /// A folder in the root that is walked in its place where nothing else in the root is a skill.
    pub inner_folder: Option<&'static InnerFolder>,
    /// Names of files below the root whose lines, in the manner of `.gitignore`, say what is not to be found. In a file
    /// below the root every line holds for its own directory alone.
    pub ignore_files: &'static [&'static str],
    /// Entries of one directory that are looked at, by the bytes of their names.
    pub max_listed: usize,
    /// Sub-directories of one directory that are looked into.
    pub max_children: usize,
    /// Skill files that are taken, in the walk's order.
    pub max_skills: usize,
    /// In which order they come.
    pub order: WalkOrder,
    /// Whether a skill file directly in the root is one.
    pub skill_file_in_root: bool,
    /// Whether other Markdown files are skills, in directories that hold no skill file. One that has no usable
    /// frontmatter costs only a note: it may be just a text.
    pub loose_markdown: LooseMarkdown,
    /// Whether such a file is called by its path below the root (`a:b` for `a/b.md`), and not by its own name alone.
    pub loose_names_are_paths: bool,
    /// Names of a skill file; the first one that a directory holds is taken. Case matters.
    pub file_names: &'static [&'static str],
    /// Names of directories that are never looked into.
    pub skip_directories: &'static [&'static str],
    /// Names of directories that are not looked into directly below the root, in any case.
    pub skip_in_root: &'static [&'static str],
    /// Whether such a directory is reported.
    pub report_reserved: bool,
    /// Names of directories that are not looked into directly below a skill.
    pub skip_in_skills: &'static [&'static str],
    /// Whether a skill file just below the depth limit is reported; costs one look-up per directory there.
    pub report_too_deep: bool,
    /// Whether a file that differs from a skill file's name only in case is reported.
    pub report_wrong_case: bool,
}

impl Default for WalkPolicy {
    fn default() -> Self {
        Self {
            max_depth: 8,
            max_directories: 50_000,
            max_entries: 500_000,
            follow_directory_links: true,
            links: LinkLimit::Anywhere,
            link_targets: Vec::new(),
            accept_file_links: true,
            file_links_stay_in_skill: false,
            accept_hard_links: true,
            descend_hidden: false,
            descend_into_skills: true,
            odd_skill_file_ends: false,
            root_may_be_file: false,
            root_as_named: false,
            inner_folder: None,
            ignore_files: &[],
            max_listed: usize::MAX,
            max_children: usize::MAX,
            max_skills: usize::MAX,
            order: WalkOrder::BreadthFirst,
            skill_file_in_root: true,
            loose_markdown: LooseMarkdown::None,
            loose_names_are_paths: false,
            file_names: &["SKILL.md"],
            skip_directories: &["node_modules", ".git"],
            skip_in_root: &[],
            report_reserved: false,
            skip_in_skills: &[],
            report_too_deep: true,
            report_wrong_case: true,
        }
    }
}

impl WalkPolicy {
    /// Returns a walk of at most 6 levels, 2,000 directories and 20,000 entries, that takes regular files only,
    /// skips nothing but hidden directories, and says nothing about near misses.
    pub fn six_levels() -> Self {
        Self {
            max_depth: 6,
            max_directories: 2_000,
            max_entries: 20_000,
            accept_file_links: false,
            skip_directories: &[],
            report_too_deep: false,
            report_wrong_case: false,
            ..Self::default()
        }
    }

    /// Returns the same walk, but no link is followed and no link is a skill file.
    #[must_use]
    pub fn without_links(mut self) -> Self {
        self.follow_directory_links = false;
        self.accept_file_links = false;
        self
    }
}
