//! Where every harness looks for skills, as tables that a person can read and edit.
//!
//! A row is a place and whose it is; rows stand in the harness's own order. A place is written like a path with a
//! beginning that says where it starts:
//!
//! | beginning | stands for |
//! |---|---|
//! | `~/…` | the user's home |
//! | `$NAME/…` | a folder that a variable of this name may move; the table says where it is otherwise |
//! | `{system}/…` | the directory of machine-wide settings |
//! | `{cwd}/…` | the working directory |
//! | `{project}/…` | the project's root |
//! | `{project..cwd}/…` | each directory from the project's root down to the working directory |
//! | `{cwd..project}/…` | the same, the working directory first |
//! | `{cwd..project or top}/…` | the same; without a project, up to the root of the file system |
//! | `{cwd..project or home}/…` | up to the project's root or the home, whichever is nearer, else to the root |
//! | `{execution}/…` | where the session works, if that is not the working directory |
//! | `{nearest}/…` | the nearest ancestor of the working directory that has this path |
//! | `{below cwd}/…` | each directory below the working directory in which the session has opened a file |
//! | `{each KEY}/…` | each path that a setting of this run names |
//! | `{each KEY in FILE}/…` | each path that the setting in this file names, or the setting of this run |
//!
//! Behind the beginning, `{agent or NAME}` stands for the agent's name, or for this one where it has none.
//!
//! To add a harness: one file in this folder with a [`Table`], and one entry in [`ALL`].

pub(super) mod claude_code;
pub(super) mod codex;
pub(super) mod deepseek;
pub(super) mod harnessx;
pub(super) mod hermes;
pub(super) mod native;
pub(super) mod openclaw;
mod pattern;
pub(super) mod pi;
mod plugins;
mod report;
mod surroundings;
pub(super) mod walks;

use lorimer_core::Scope;
use lorimer_discover::{Keep, LinkLimit, Reading, RootRule, WalkPolicy};

use self::pattern::Pattern;
pub use self::plugins::{Enabled, Plugins, Registry};
pub use self::report::{PlaceReport, RootsReport};
pub use self::surroundings::Surroundings;

/// Where one harness looks.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The harness's name on command lines.
    pub harness: &'static str,
    /// The program and version that the rows were taken from; empty for our own.
    pub program: &'static str,
    /// The directory of machine-wide settings; empty where there is none.
    pub system: &'static str,
    /// Names that mark a project's root directory.
    pub markers: &'static [&'static str],
    /// The setting that names other such marks; empty where there is none.
    pub markers_setting: &'static str,
    /// Folders that variables may move.
    pub folders: &'static [Folder],
    /// Files that settings are read from, lowest precedence first.
    pub settings: &'static [&'static str],
    /// The places, in order.
    pub roots: &'static [Root],
    /// Where plugins bring skills along.
    pub plugins: &'static [Plugins],
    /// The setting that names directories which links may lead to although they lie outside; empty where there is none.
    pub link_targets: &'static str,
    /// Which of several skills of one name stays; `None` keeps them all.
    pub same_name: Option<Keep>,
    /// How a skill file is read.
    pub reading: fn() -> Reading,
}

/// A folder that a variable may move. A variable that is set to nothing moves nothing.
#[derive(Clone, Copy, Debug)]
pub struct Folder {
    /// The variable.
    pub variable: &'static str,
    /// The place of the folder unless it was moved; empty where it is not known then.
    pub otherwise: &'static str,
}

/// Whose skills lie in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// They ship with the harness.
    Bundled,
    /// The machine's administrator's.
    Admin,
    /// The user's.
    User,
    /// The project's.
    Project,
    /// They belong to where the session works, if that is not the project.
    Execution,
}

impl Whose {
    /// Returns the scope of such skills.
    pub fn scope(self) -> Scope {
        match self {
            Self::Bundled => Scope::System,
            Self::Admin => Scope::Admin,
            Self::User => Scope::User,
            Self::Project => Scope::Project { depth: 0 },
            Self::Execution => Scope::Environment { id: "execution".to_owned() },
        }
    }
}

/// What has to hold for a row to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The user trusts the project.
    Trusted,
    /// This variable is not set to yes.
    NotVariable(&'static str),
    /// The folder of this variable is where it is by default, which is there.
    NotMoved(&'static str, &'static str),
    /// The agent has this name, or none.
    Agent(&'static str),
    /// This setting is not set to no.
    NotOff(&'static str),
    /// This setting is not set to yes.
    NotOn(&'static str),
    /// This list of words, where it is set, has the word.
    Names(&'static str, &'static str),
}

impl When {
    /// Returns what has to hold, as half a sentence behind "counts where".
    pub fn described(self) -> String {
        match self {
            Self::Trusted => "the project is trusted".to_owned(),
            Self::NotVariable(name) => format!("`{name}` is not set to yes"),
            Self::NotMoved(name, place) => format!("`{name}` is not set, or to `{place}`"),
            Self::Agent(name) => format!("the agent is `{name}`"),
            Self::NotOff(key) => format!("`{key}` is not off"),
            Self::NotOn(key) => format!("`{key}` is not on"),
            Self::Names(key, word) => format!("`{key}` is not set or names `{word}`"),
        }
    }
}

/// One row: a place and whose it is.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// Whose skills these are.
    pub whose: Whose,
    /// The place; the beginnings are those of the [module](self).
    pub place: &'static str,
    /// The harness's own word for it; empty where it has none.
    pub label: &'static str,
    /// How it is walked.
    pub walk: fn() -> WalkPolicy,
    /// What has to hold; all of it.
    pub when: &'static [When],
    /// Places that this row leaves to others.
    pub except: &'static [&'static str],
    /// Places that links may lead to although they lie outside of where links must stay.
    pub link_targets: &'static [&'static str],
    /// Whether its skills are meant for the folder that the place lies in.
    pub serves_folder: bool,
}

impl Root {
    const fn new(whose: Whose, place: &'static str, walk: fn() -> WalkPolicy) -> Self {
        Self {
            whose,
            place,
            label: "",
            walk,
            when: &[],
            except: &[],
            link_targets: &[],
            serves_folder: false,
        }
    }

    const fn called(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    const fn when(self, when: &'static [When]) -> Self {
        Self { when, ..self }
    }

    const fn serving_its_folder(self) -> Self {
        Self { serves_folder: true, ..self }
    }

    const fn links_also(self, link_targets: &'static [&'static str]) -> Self {
        Self { link_targets, ..self }
    }

    const fn except(self, except: &'static [&'static str]) -> Self {
        Self { except, ..self }
    }
}

/// The tables of all harnesses.
pub const ALL: &[Table] = &[
    native::TABLE,
    codex::TABLE,
    claude_code::TABLE,
    pi::TABLE,
    openclaw::TABLE,
    deepseek::TABLE,
    hermes::TABLE,
    harnessx::TABLE,
];

/// Returns the table of this harness.
pub fn by_name(harness: &str) -> Option<&'static Table> {
    ALL.iter().find(|table| table.harness == harness)
}

/// Returns the names of all variables that move a folder, switch a place off, are a setting of a profile or decide about
/// a skill, sorted.
pub fn variables() -> Vec<&'static str> {
    let switches = ALL.iter().flat_map(|table| table.roots).flat_map(|root| root.when);
    let switches = switches.filter_map(|when| match when {
        When::NotVariable(name) => Some(*name),
        _ => None,
    });
    let folders = ALL.iter().flat_map(|table| table.folders).map(|folder| folder.variable);
    let settings = claude_code::VARIABLES.iter().copied().chain(hermes::VARIABLES);
    let mut names: Vec<&str> = folders.chain(switches).chain(settings).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A rule, and the row that it was made of.
#[derive(Clone, Debug)]
pub struct MadeRule {
    /// The place of the row in [`Table::roots`].
    pub row: usize,
    /// The rule.
    pub rule: RootRule,
}

impl Table {
    /// Returns the rules of all rows that count in these surroundings, in order. A row over a setting with several
    /// paths gives several rules.
    pub fn rules(&self, around: &Surroundings) -> Vec<MadeRule> {
        let rows = self.roots.iter().enumerate().filter(|(_, root)| around.refusal(root).is_none());
        rows.flat_map(|(row, root)| {
            self.rules_of(root, around).into_iter().map(move |rule| MadeRule { row, rule })
        })
        .collect()
    }

    /// Returns the rules of one row, whether or not it counts.
    fn rules_of(&self, root: &Root, around: &Surroundings) -> Vec<RootRule> {
        let bases =
            |place| Pattern::parse(place).map_or_else(Vec::new, |pattern| pattern.bases(self, around));
        let except: Vec<_> = root.except.iter().flat_map(|place| bases(place)).collect();
        let mut walk = (root.walk)();
        if walk.links != LinkLimit::Anywhere {
            let allowed = Some(self.link_targets).filter(|key| !key.is_empty());
            walk.link_targets = allowed.map(|key| around.paths(key, None)).unwrap_or_default();
            let folders =
                root.link_targets.iter().filter_map(|place| Pattern::parse(place)?.path(self, around));
            walk.link_targets.extend(folders);
        }
        let rule = |base| {
            let mut rule = RootRule::new(base, root.whose.scope()).with_walk(walk.clone());
            rule.serves_folder = root.serves_folder;
            except.iter().cloned().fold(rule, RootRule::except)
        };
        bases(root.place).into_iter().map(rule).collect()
    }
}
