//! How folders of skills are walked, under names that say what they do.

use lorimer_discover::{InnerFolder, LinkLimit, LooseMarkdown, WalkOrder, WalkPolicy};

/// Deeper than anybody nests folders; where a harness has no limit, this one stands for none.
const ANY_DEPTH: usize = 256;

/// Our own walk: eight levels, links followed, near misses reported.
pub(super) fn native() -> WalkPolicy {
    WalkPolicy::default()
}

/// The same in a repository, which is somebody else's, and so are its links: they stay in the project.
pub(super) fn native_project() -> WalkPolicy {
    WalkPolicy { links: LinkLimit::Project, ..native() }
}

/// Codex: six levels, 2,000 directories and 20,000 entries, regular files only, nothing hidden.
pub(super) fn six_levels() -> WalkPolicy {
    WalkPolicy::six_levels()
}

/// The same for what the program has written itself: no links.
pub(super) fn six_levels_without_links() -> WalkPolicy {
    WalkPolicy::six_levels().without_links()
}

/// The lesson: everything below the root, hidden folders too.
pub(super) fn everything() -> WalkPolicy {
    WalkPolicy { max_depth: 64, descend_hidden: true, ..WalkPolicy::default() }
}

/// A reader that says nothing about near misses and skips nothing by name.
fn plain() -> WalkPolicy {
    WalkPolicy {
        max_depth: ANY_DEPTH,
        skip_directories: &[],
        report_too_deep: false,
        report_wrong_case: false,
        ..WalkPolicy::default()
    }
}

/// Claude Code: `ROOT/NAME/SKILL.md` and nothing deeper; hidden folders count; `synced` is reserved, in any case.
pub(super) fn one_level() -> WalkPolicy {
    WalkPolicy {
        max_depth: 1,
        skill_file_in_root: false,
        descend_hidden: true,
        skip_in_root: &["synced"],
        report_reserved: true,
        order: WalkOrder::Collated,
        ..plain()
    }
}

/// Claude Code's older form of a skill: `ROOT/a/b.md`, called `a:b`.
pub(super) fn commands() -> WalkPolicy {
    WalkPolicy {
        max_depth: ANY_DEPTH,
        file_names: &[],
        skip_in_root: &[],
        loose_markdown: LooseMarkdown::Anywhere,
        loose_names_are_paths: true,
        skill_file_in_root: true,
        ..one_level()
    }
}

/// Pi: any depth, but nothing below a skill; ignore files below the root count; hidden folders and `node_modules` do
/// not; a root may be a single file.
fn pi() -> WalkPolicy {
    WalkPolicy {
        descend_into_skills: false,
        skip_directories: &["node_modules"],
        ignore_files: &[".gitignore", ".ignore", ".fdignore"],
        root_may_be_file: true,
        root_as_named: true,
        order: WalkOrder::ByPath,
        ..plain()
    }
}

/// Pi's own folders: Markdown files directly in the root are skills too.
pub(super) fn pi_own() -> WalkPolicy {
    WalkPolicy { loose_markdown: LooseMarkdown::InRoot, ..pi() }
}

/// `.agents` folders as Pi reads them: Markdown files below the root are skills too, those in it are not.
pub(super) fn pi_agents() -> WalkPolicy {
    WalkPolicy { loose_markdown: LooseMarkdown::BelowRoot, ..pi() }
}

/// OpenClaw: groups of folders, six deep, 300 folders in one and 200 skills in all; whatever is called `SKILL.md` ends
/// the way down, links stay inside, and a folder `skills` in the root stands for a root without skills of its own.
pub(in crate::profiles) fn grouped() -> WalkPolicy {
    const INNER: InnerFolder = InnerFolder { name: "skills", max_depth: 6 };
    WalkPolicy {
        max_depth: 6,
        max_directories: 1_800,
        descend_into_skills: false,
        odd_skill_file_ends: true,
        skip_directories: &["node_modules"],
        links: LinkLimit::Root,
        file_links_stay_in_skill: true,
        inner_folder: Some(&INNER),
        accept_hard_links: false,
        max_listed: 3_000,
        max_children: 300,
        max_skills: 200,
        order: WalkOrder::Collated,
        ..plain()
    }
}

/// The same for what ships with the program, where a package manager may have linked files.
pub(super) fn grouped_bundled() -> WalkPolicy {
    WalkPolicy { accept_hard_links: true, ..grouped() }
}

/// The same with links that may lead anywhere.
pub(super) fn grouped_with_links() -> WalkPolicy {
    WalkPolicy { links: LinkLimit::Anywhere, ..grouped() }
}

/// The same for folders that a setting names: two levels, except in a folder called `skills`.
pub(super) fn grouped_twice() -> WalkPolicy {
    WalkPolicy { max_depth: 2, ..grouped() }
}

/// The same for a folder that holds skills and nothing else.
pub(super) fn grouped_container() -> WalkPolicy {
    WalkPolicy { inner_folder: None, ..grouped() }
}

/// DeepSeek: `ROOT/NAME/SKILL.md` and `ROOT/NAME.md`, hidden or not.
pub(super) fn flat() -> WalkPolicy {
    WalkPolicy {
        skip_in_root: &[],
        report_reserved: false,
        loose_markdown: LooseMarkdown::InRoot,
        root_as_named: true,
        ..one_level()
    }
}

/// The same for the folder in which the program keeps skills of its own, under `.system`.
pub(super) fn flat_without_system() -> WalkPolicy {
    WalkPolicy { skip_in_root: &[".system"], ..flat() }
}

/// Hermes: any depth, also below skills, hidden folders too; tools' folders do not count, and neither do the folders
/// of a skill's own material.
pub(super) fn categories() -> WalkPolicy {
    WalkPolicy {
        descend_hidden: true,
        skip_directories: &[
            ".git",
            ".github",
            ".hub",
            ".archive",
            ".venv",
            "venv",
            "node_modules",
            "site-packages",
            "__pycache__",
            ".tox",
            ".nox",
            ".pytest_cache",
            ".mypy_cache",
            ".ruff_cache",
        ],
        skip_in_skills: &["references", "templates", "assets", "scripts"],
        order: WalkOrder::ByPath,
        ..plain()
    }
}
