//! OpenClaw 2026.9.6: sections 1.1 to 1.7 of its notes. The working directory is the agent's workspace. The last skill
//! of a name counts.

use lorimer_discover::frontmatter::{Duplicates, Encoding, OnInvalidYaml, OtherValues, YesNo};
use lorimer_discover::{Keep, Reading};

use super::walks::{grouped, grouped_bundled, grouped_container, grouped_twice, grouped_with_links};
use super::{Folder, Root, Table, When, Whose};

const STATE: &str = "OPENCLAW_STATE_DIR";

pub(in crate::profiles) const TABLE: Table = Table {
    harness: "openclaw",
    program: "openclaw 2026.9.6",
    system: "",
    markers: &[],
    markers_setting: "",
    folders: &[
        Folder { variable: STATE, otherwise: "~/.openclaw" },
        Folder { variable: "OPENCLAW_BUNDLED_SKILLS_DIR", otherwise: "" },
    ],
    settings: &["$OPENCLAW_STATE_DIR/openclaw.json"],
    roots: &[
        // Below everything, so that the agent's own skill of a name counts; they are listed behind all others.
        Root::new(Whose::Execution, "{execution}/.agents/skills", grouped).called("agents-skills-project"),
        Root::new(Whose::Execution, "{execution}/skills", grouped).called("openclaw-workspace"),
        Root::new(Whose::User, "{each skills.load.extraDirs}", grouped_twice).called("openclaw-extra"),
        // The program puts links here that lead to the skills of its plugins.
        Root::new(Whose::User, "$OPENCLAW_STATE_DIR/plugin-skills", grouped_with_links)
            .called("openclaw-extra"),
        Root::new(Whose::Bundled, "$OPENCLAW_BUNDLED_SKILLS_DIR", grouped_bundled).called("openclaw-bundled"),
        Root::new(Whose::Bundled, "$OPENCLAW_BUNDLED_SKILLS_DIR/../custodian-skills", grouped_bundled)
            .called("openclaw-custodian")
            .when(&[When::Agent("main")]),
        Root::new(
            Whose::User,
            "$OPENCLAW_STATE_DIR/agents/{agent or main}/agent/workshop-skills",
            grouped_container,
        )
        .called("openclaw-workshop"),
        Root::new(Whose::User, "$OPENCLAW_STATE_DIR/skills", grouped_with_links).called("openclaw-managed"),
        Root::new(Whose::User, "~/.agents/skills", grouped_with_links)
            .called("agents-skills-personal")
            .when(&[When::NotMoved(STATE, "~/.openclaw")]),
        Root::new(Whose::Project, "{cwd}/.agents/skills", grouped).called("agents-skills-project"),
        Root::new(Whose::Project, "{cwd}/skills", grouped).called("openclaw-workspace"),
    ],
    plugins: &[],
    link_targets: "skills.load.allowSymlinkTargets",
    same_name: Some(Keep::Last),
    reading,
};

/// YAML, with the description alone repaired; every value is text.
fn reading() -> Reading {
    Reading {
        skip_leading_comments: false,
        encoding: Encoding::Lossy,
        repair_starts: &['[', '{', '@', '`', '*', '%', '"', '\''],
        repair_keys: Some(&["description", "summary", "read_when"]),
        on_invalid_yaml: OnInvalidYaml::Reject,
        duplicates: Duplicates::RejectAll,
        other_values: OtherValues::JsonText,
        yes_no: YesNo::Words,
        fold_whitespace: false,
        trim: true,
        mind_hidden_characters: false,
        long_name_chars: None,
        long_description_chars: None,
        max_file_bytes: Some(256_000),
        ..Reading::lenient()
    }
}
