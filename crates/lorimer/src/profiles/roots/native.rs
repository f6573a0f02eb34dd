//! Our own places: the folders that agents look in below a project and below a home, so that a skill which one harness
//! finds is never missing here.

use lorimer_discover::Reading;

use super::walks::{native, native_project};
use super::{Root, Table, Whose};

/// A project that is the home directory has the user's skills, not skills of its own; its links may lead to them.
const USERS: &[&str] = &["~/.agents/skills", "~/.claude/skills", "~/.codex/skills"];

const fn project(place: &'static str) -> Root {
    Root::new(Whose::Project, place, native_project).except(USERS).links_also(USERS)
}

pub(in crate::profiles) const TABLE: Table = Table {
    harness: "native",
    program: "",
    system: "/etc/lorimer",
    markers: &[".git"],
    markers_setting: "",
    folders: &[],
    settings: &["{system}/lorimer.toml", "~/.config/lorimer/lorimer.toml"],
    roots: &[
        project("{cwd..project}/.agents/skills"),
        project("{cwd..project}/.claude/skills"),
        project("{cwd..project}/.codex/skills"),
        Root::new(Whose::User, "~/.agents/skills", native),
        Root::new(Whose::User, "~/.claude/skills", native),
        Root::new(Whose::User, "~/.codex/skills", native),
        Root::new(Whose::Admin, "{system}/skills", native),
    ],
    plugins: &[],
    link_targets: "skills.link_targets",
    same_name: None,
    reading: Reading::lenient,
};
