//! Hermes Agent 0.19.0: section 1 of its notes, as the index in the system prompt reads skills. Plugins add
//! skills by code, so there is no place to look for them.

use lorimer_discover::Reading;
use lorimer_discover::frontmatter::{Duplicates, Encoding, FenceRule, OnInvalidYaml, OtherValues};

use super::walks::categories;
use super::{Folder, Root, Table, Whose};

pub(in crate::profiles) const TABLE: Table = Table {
    harness: "hermes",
    program: "hermes-agent 0.19.0",
    system: "",
    markers: &[],
    markers_setting: "",
    folders: &[Folder { variable: "HERMES_HOME", otherwise: "~/.hermes" }],
    settings: &[],
    roots: &[
        Root::new(Whose::User, "$HERMES_HOME/skills", categories).called("local"),
        Root::new(Whose::User, "{each skills.external_dirs in $HERMES_HOME/config.yaml}", categories)
            .called("external"),
    ],
    plugins: &[],
    link_targets: "",
    same_name: None,
    reading,
};

/// Variables that say what a session runs on, and so which skills are for it.
pub(super) const VARIABLES: [&str; 6] = [
    "HERMES_KANBAN_BOARD",
    "HERMES_KANBAN_TASK",
    "HERMES_PLATFORM",
    "HERMES_SESSION_PLATFORM",
    "PREFIX",
    "TERMUX_VERSION",
];

/// Every file is listed; what is no YAML is read line by line.
fn reading() -> Reading {
    Reading {
        fence: FenceRule::OpenText,
        skip_leading_comments: false,
        encoding: Encoding::FieldsOrNone,
        repair: false,
        on_invalid_yaml: OnInvalidYaml::Lines,
        duplicates: Duplicates::LastWins,
        accept_missing_frontmatter: true,
        require_description: false,
        other_values: OtherValues::PythonText,
        invocation_fields: false,
        fold_whitespace: false,
        keep_blank_name: true,
        keep_empty_name: true,
        mind_hidden_characters: false,
        long_name_chars: None,
        long_description_chars: None,
        ..Reading::lenient()
    }
}
