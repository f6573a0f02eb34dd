//! Pi 1.6.0: sections 1.2 to 1.9 of its notes. Of a list in the settings the paths count, not the patterns that take
//! away from other places; of packages those that are folders, with the skills in their folder `skills`.

use lorimer_discover::frontmatter::{Duplicates, Encoding, FenceRule, NameRule};
use lorimer_discover::{Keep, Reading};

use super::walks::{pi_agents, pi_own};
use super::{Folder, Root, Table, When, Whose};

/// `--no-skills` leaves only what the command line names.
const PROJECT: &[When] = &[When::Trusted, When::NotOn("--no-skills")];
const USER: &[When] = &[When::NotOn("--no-skills")];

pub(in crate::profiles) const TABLE: Table = Table {
    harness: "pi",
    program: "@earendil-works/pi-coding-agent 1.6.0",
    system: "",
    markers: &[".git"],
    markers_setting: "",
    folders: &[Folder { variable: "PI_CODING_AGENT_DIR", otherwise: "~/.pi/agent" }],
    settings: &[],
    roots: &[
        Root::new(Whose::User, "{each -e}/skills", pi_own).called("temporary"),
        Root::new(Whose::Project, "{each skills in {cwd}/.pi/settings.json}", pi_own)
            .called("project")
            .when(PROJECT),
        Root::new(Whose::Project, "{each skills.customDirectories in {cwd}/.pi/settings.json}", pi_own)
            .called("project")
            .when(PROJECT),
        Root::new(Whose::Project, "{cwd}/.pi/skills", pi_own).called("project").when(PROJECT),
        Root::new(Whose::Project, "{cwd..project or top}/.agents/skills", pi_agents)
            .called("project")
            .when(PROJECT)
            .except(&["~/.agents/skills"]),
        Root::new(Whose::User, "{each skills in $PI_CODING_AGENT_DIR/settings.json}", pi_own)
            .called("user")
            .when(USER),
        Root::new(
            Whose::User,
            "{each skills.customDirectories in $PI_CODING_AGENT_DIR/settings.json}",
            pi_own,
        )
        .called("user")
        .when(USER),
        Root::new(Whose::User, "$PI_CODING_AGENT_DIR/skills", pi_own).called("user").when(USER),
        Root::new(Whose::User, "~/.agents/skills", pi_agents).called("user").when(USER),
        Root::new(Whose::Project, "{each packages in {cwd}/.pi/settings.json}/skills", pi_own)
            .called("project")
            .when(PROJECT),
        Root::new(Whose::User, "{each packages in $PI_CODING_AGENT_DIR/settings.json}/skills", pi_own)
            .called("user")
            .when(USER),
        Root::new(Whose::User, "{each --skill}", pi_own).called("temporary"),
    ],
    plugins: &[],
    link_targets: "",
    same_name: Some(Keep::First),
    reading,
};

/// YAML without repair; a description that is no text is none, and without one there is no skill.
fn reading() -> Reading {
    Reading {
        fence: FenceRule::Prefix,
        skip_leading_comments: false,
        encoding: Encoding::Lossy,
        repair: false,
        mind_control_characters: false,
        duplicates: Duplicates::RejectAll,
        loose_name_from_folder: true,
        strings_only: true,
        wrong_type_is_missing: true,
        name_rule: NameRule::KebabAdvised,
        utf16_lengths: true,
        keep_blank_name: true,
        fold_whitespace: false,
        mind_hidden_characters: false,
        ..Reading::lenient()
    }
}
