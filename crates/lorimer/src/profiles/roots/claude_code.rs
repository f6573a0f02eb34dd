//! Claude Code 2.1.332: section 1 of its notes, "Discovery" of the observations. Neither has seen a registry of plugins;
//! its layout here is the one that users' reports quote.

use lorimer_discover::frontmatter::{BodyLine, Duplicates, Encoding, NameRule, OnInvalidYaml, YesNo};
use lorimer_discover::{Keep, ManifestRule, Reading};

use super::plugins::{Enabled, Plugins, Registry};
use super::walks::{commands, one_level};
use super::{Folder, Root, Table, When, Whose};

/// Variables that the profile reads besides those of the table.
pub(in crate::profiles) const VARIABLES: &[&str] = &[LISTING_BUDGET];
/// Sets the listing's budget in characters, and goes before the share of the window.
pub(in crate::profiles) const LISTING_BUDGET: &str = "SLASH_COMMAND_TOOL_CHAR_BUDGET";

/// `--bare` leaves the added directories alone, `--safe-mode` nothing at all.
const MANAGED: &[When] = &[
    When::NotVariable("CLAUDE_CODE_DISABLE_POLICY_SKILLS"),
    When::NotVariable("CLAUDE_CODE_SIMPLE"),
    When::NotOn("--bare"),
    When::NotOn("--safe-mode"),
];
const USER: &[When] = &[
    When::Names("--setting-sources", "user"),
    When::NotVariable("CLAUDE_CODE_SIMPLE"),
    When::NotOn("--bare"),
    When::NotOn("--safe-mode"),
];
const PROJECT: &[When] = &[
    When::Names("--setting-sources", "project"),
    When::NotVariable("CLAUDE_CODE_SIMPLE"),
    When::NotOn("--bare"),
    When::NotOn("--safe-mode"),
];

pub(in crate::profiles) const TABLE: Table = Table {
    harness: "claude-code",
    program: "@anthropic-ai/claude-code 2.1.332",
    system: "/etc",
    markers: &[".git"],
    markers_setting: "",
    folders: &[Folder { variable: "CLAUDE_CONFIG_DIR", otherwise: "~/.claude" }],
    settings: &["$CLAUDE_CONFIG_DIR/settings.json"],
    roots: &[
        Root::new(Whose::Admin, "{system}/claude-code/.claude/skills", one_level)
            .called("managed")
            .when(MANAGED),
        Root::new(Whose::User, "$CLAUDE_CONFIG_DIR/skills", one_level).called("personal").when(USER),
        Root::new(Whose::Project, "{cwd..project or home}/.claude/skills", one_level)
            .called("project")
            .when(PROJECT),
        Root::new(Whose::User, "{each --add-dir}/.claude/skills", one_level)
            .called("added directory")
            .serving_its_folder()
            .when(&[When::NotOn("--safe-mode")]),
        Root::new(Whose::Project, "{below cwd}/.claude/skills", one_level)
            .called("nested")
            .serving_its_folder()
            .when(PROJECT),
        Root::new(Whose::Project, "{cwd..project or home}/.claude/commands", commands)
            .called("project commands")
            .when(PROJECT),
        Root::new(Whose::User, "$CLAUDE_CONFIG_DIR/commands", commands)
            .called("personal commands")
            .when(USER),
    ],
    plugins: &[Plugins {
        place: "$CLAUDE_CONFIG_DIR/plugins",
        levels: 0,
        manifests: CLAUDE,
        needs_manifest: false,
        folders: &["skills"],
        folders_always: true,
        extra_folders: &[],
        skill_file_in_plugin: true,
        registry: Some(Registry {
            file: "$CLAUDE_CONFIG_DIR/plugins/installed_plugins.json",
            rows: "plugins",
            path: "installPath",
            project: "projectPath",
        }),
        enabled: Some(Enabled { setting: "enabledPlugins", field: None }),
        walk: one_level,
    }],
    link_targets: "",
    same_name: Some(Keep::First),
    reading,
};

const CLAUDE: &[ManifestRule] = &[ManifestRule::recursive(".claude-plugin/plugin.json")];

/// Every file loads: what cannot be read as fields counts as if it were not there. The folder's name is the skill's.
fn reading() -> Reading {
    Reading {
        skip_leading_comments: false,
        encoding: Encoding::Lossy,
        repair_starts: &['[', '{', '@', '`', '*', '%'],
        on_invalid_yaml: OnInvalidYaml::NoFields,
        duplicates: Duplicates::LastWins,
        accept_missing_frontmatter: true,
        require_description: false,
        description_from_body: BodyLine::First,
        body_line_units: Some(100),
        name_is_folder: true,
        loose_ignores: &["name", "paths"],
        name_rule: NameRule::NoMarkup,
        wrong_type_is_missing: true,
        yes_no: YesNo::WordsOrNo,
        fold_whitespace: false,
        mind_hidden_characters: false,
        long_name_chars: None,
        long_description_chars: None,
        max_file_bytes: Some(1_000_000),
        ..Reading::lenient()
    }
}
