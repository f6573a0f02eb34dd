//! Codex CLI 0.171.0: sections 1.2, 1.3 and 1.6 of its notes, section 4 of the observations.

use lorimer_discover::{ManifestRule, Reading};

use super::plugins::{Enabled, Plugins};
use super::walks::{six_levels, six_levels_without_links};
use super::{Folder, Root, Table, When, Whose};

pub(in crate::profiles) const TABLE: Table = Table {
    harness: "codex",
    program: "@openai/codex 0.171.0",
    system: "/etc/codex",
    markers: &[".git"],
    markers_setting: "project_root_markers",
    folders: &[Folder { variable: "CODEX_HOME", otherwise: "~/.codex" }],
    settings: &["{system}/config.toml", "$CODEX_HOME/config.toml"],
    roots: &[
        Root::new(Whose::Project, "{cwd..project}/.codex/skills", six_levels)
            .called("repo")
            .except(&["$CODEX_HOME/skills"]),
        Root::new(Whose::User, "$CODEX_HOME/skills", six_levels).called("user"),
        Root::new(Whose::User, "~/.agents/skills", six_levels).called("user"),
        Root::new(Whose::Bundled, "$CODEX_HOME/skills/.system", six_levels_without_links)
            .called("system")
            .when(&[When::NotOff("skills.bundled.enabled")]),
        Root::new(Whose::Admin, "{system}/skills", six_levels).called("admin"),
        Root::new(Whose::Project, "{project..cwd}/.agents/skills", six_levels).called("repo"),
    ],
    plugins: &[Plugins {
        place: "$CODEX_HOME/plugins/cache",
        levels: 3,
        manifests: ManifestRule::ALL,
        needs_manifest: true,
        folders: &["skills"],
        folders_always: false,
        extra_folders: &[".codex-plugin/migrated-command-skills"],
        skill_file_in_plugin: false,
        registry: None,
        enabled: Some(Enabled { setting: "plugins", field: Some("enabled") }),
        walk: six_levels,
    }],
    link_targets: "",
    same_name: None,
    reading: Reading::trimmed_fences,
};
