//! DeepSeek Harness 0.1.0-rc.8: section 1 of its notes.

use lorimer_discover::frontmatter::{Duplicates, Encoding, FenceRule, NameRule, YesNo};
use lorimer_discover::{Keep, Reading};

use super::walks::{flat, flat_without_system};
use super::{Folder, Root, Table, When, Whose};

/// The default places can be switched off as a whole.
const DEFAULT: &[When] = &[When::NotOff("includeDefaultRoots")];

pub(in crate::profiles) const TABLE: Table = Table {
    harness: "deepseek",
    program: "@deepseek-ai/dsh 0.1.0-rc.8",
    system: "",
    markers: &[".git"],
    markers_setting: "",
    folders: &[
        Folder { variable: "DSH_HOME", otherwise: "~/.dsh" },
        Folder { variable: "DSH_AGENTS_HOME", otherwise: "~/.agents" },
        Folder { variable: "DSH_BUNDLED_SKILL_DIR", otherwise: "" },
    ],
    settings: &[],
    roots: &[
        Root::new(Whose::Project, "{project}/.dsh/skills", flat).called("project-dsh").when(DEFAULT),
        Root::new(Whose::Project, "{project}/.agents/skills", flat).called("project-agents").when(DEFAULT),
        Root::new(Whose::User, "{each customSkillDirs}", flat).called("custom"),
        Root::new(Whose::User, "$DSH_HOME/skills", flat_without_system).called("user-dsh").when(DEFAULT),
        Root::new(Whose::User, "$DSH_AGENTS_HOME/skills", flat).called("user-agents").when(DEFAULT),
        Root::new(Whose::Bundled, "{each bundledSkillDir}", flat).called("bundled"),
        Root::new(Whose::Bundled, "$DSH_BUNDLED_SKILL_DIR", flat).called("bundled").when(DEFAULT),
    ],
    plugins: &[],
    link_targets: "",
    same_name: Some(Keep::First),
    reading,
};

/// The setting that takes the program's service for files away, and with it how strictly files are read.
pub(in crate::profiles) const FILE_SERVICE: &str = "fs_service";

/// Without its service for files the program takes bytes that are no text for U+FFFD, and a byte order mark for text.
pub(in crate::profiles) fn raw_reading() -> Reading {
    Reading {
        encoding: Encoding::Lossy,
        skip_byte_order_mark: false,
        binary_probe_bytes: None,
        mind_control_characters: false,
        ..reading()
    }
}

/// Strict: text that is UTF-8, YAML without repair, a name and a description that are strings, and no doubt about who
/// may choose the skill.
fn reading() -> Reading {
    Reading {
        fence: FenceRule::Exact,
        skip_leading_comments: false,
        encoding: Encoding::WholeFile,
        repair: false,
        duplicates: Duplicates::RejectAll,
        reject_empty: true,
        name_from_folder: false,
        name_rule: NameRule::Kebab,
        strings_only: true,
        yes_no: YesNo::WordsOrReject,
        fold_whitespace: false,
        keep_blank_text: true,
        mind_hidden_characters: false,
        long_name_chars: None,
        long_description_chars: None,
        binary_probe_bytes: Some(8_192),
        ..Reading::lenient()
    }
}
