//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lorimer::Host;
use lorimer::overlap::Level;

pub(crate) use self::common::Common;
pub(crate) use self::compare::{CompareArgs, Only, Sort};
use self::host::surroundings;
pub(crate) use self::host::{directory, find_profile, no_profile};
use crate::error::CliError;

mod common;
mod compare;
mod host;

/// What each agent harness would do with your skills
#[derive(Debug, Parser)]
#[command(name = "lorimer", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 fine, 1 findings, 2 usage, 3 I/O")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Walk a small project through all seven stages, in three turns
    Tour(TourArgs),
    /// Show the listing that a harness would give its model, and why each skill stands where it stands
    List(ListArgs),
    /// Show which skills each harness still sees, side by side: a row a skill, a column a harness
    #[command(mut_arg("profile", compare::profiles), mut_arg("config", compare::settings))]
    Compare(CompareArgs),
    /// Report everything that is odd about the skills that a harness would find
    Check(CheckArgs),
    /// Tell what changes while you write: skills that come, go and change, findings that appear and are resolved
    Watch(WatchArgs),
    /// Run one turn: what the model gets, what was selected, where each skill stopped
    Turn(TurnArgs),
    /// Load one skill by its name, as the model's `load_skill` tool does
    Load(LoadArgs),
    /// Show every place in which harnesses look for skills, and what is there
    Roots(RootsArgs),
    /// Find skills that a model would confuse, which one to keep, and what would be lost with the others
    Overlap(OverlapArgs),
    /// Compare a skill that is not yet installed with those that are; nothing is installed or run
    AddReview(AddReviewArgs),
    /// Explain a diagnostic code, or list all of them
    Explain(ExplainArgs),
}

#[derive(Args, Debug)]
pub(crate) struct TourArgs {
    /// Harness to imitate
    #[arg(long = "as", value_name = "PROFILE", default_value = "native")]
    pub(crate) profile: String,
}

#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Print only the text that the model gets, and a line feed
    #[arg(long, conflicts_with = "json")]
    pub(crate) text: bool,
}

#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Skill files, skill folders or folders of skills to look at, instead of the harness's own places
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Form of the report [`--json` is short for `--format json`]
    #[arg(long, value_enum, default_value_t, conflicts_with = "json")]
    format: Format,
    /// Report a code as an error, a warning or a note, or not at all; may be given several times
    #[arg(long, value_name = "CODE=error|warning|note|off")]
    pub(crate) severity: Vec<String>,
    /// Count notes as findings too
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print the sum and no single finding
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Put right what can be put right without changing what a skill says, then report what is left
    #[arg(long)]
    pub(crate) fix: bool,
    /// Show what `--fix` would change, and write nothing
    #[arg(long, conflicts_with = "fix")]
    pub(crate) diff: bool,
}

impl CheckArgs {
    pub(crate) fn format(&self) -> Format {
        if self.common.json { Format::Json } else { self.format }
    }
}

/// Who reads the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A person: each finding with its line underlined
    #[default]
    Human,
    /// A program: the shape of docs/json.md
    Json,
    /// A code scanner: SARIF 2.1.0
    Sarif,
    /// A GitHub workflow: commands that become annotations
    Github,
}

#[derive(Args, Debug)]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// End after the first change
    #[arg(long)]
    pub(crate) once: bool,
    /// Look at the files every so many seconds instead of asking the system to tell
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) poll: Option<Duration>,
}

#[derive(Args, Debug)]
pub(crate) struct TurnArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// What the user says; may be given several times, one text item each
    #[arg(long, value_name = "TEXT")]
    pub(crate) input: Vec<String>,
    /// A skill that a user interface selected, by its name and its path
    #[arg(long, value_name = "NAME=LOCATOR")]
    pub(crate) select: Vec<String>,
    /// A connector that is available; a mention of its name is not taken for a skill
    #[arg(long, value_name = "SLUG")]
    pub(crate) connector: Vec<String>,
    /// Keep the session in this folder, and go on from it; without it nothing is written
    #[arg(long, value_name = "DIR")]
    pub(crate) journal: Option<PathBuf>,
    /// Name of the session in the journal
    #[arg(long, value_name = "NAME", default_value = "session")]
    pub(crate) session: String,
}

#[derive(Args, Debug)]
pub(crate) struct LoadArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// The skill's name, never a path
    pub(crate) name: String,
    /// Load it as the user, who may also load skills that the model must not pick
    #[arg(long)]
    pub(crate) user: bool,
}

#[derive(Args, Debug)]
pub(crate) struct RootsArgs {
    /// Harness to show [default: all of them]
    #[arg(long = "as", value_name = "HARNESS")]
    pub(crate) harness: Option<String>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where a harness would run.
#[derive(Args, Debug)]
pub(crate) struct PlaceArgs {
    /// Working directory of the session [default: the current one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Home directory of the user [default: yours]
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// Stands for the harness's system-wide configuration directory
    #[arg(long, value_name = "DIR")]
    system_root: Option<PathBuf>,
    /// Look as if you trusted the project
    #[arg(long)]
    trusted: bool,
    /// A setting under the harness's own key, its value in TOML, JSON or plain text; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    config: Vec<String>,
}

impl PlaceArgs {
    /// Returns the surroundings that the options describe.
    pub(crate) fn host(&self) -> Result<Host, CliError> {
        let mut host = surroundings(self.cwd.as_deref(), self.home.as_deref(), self.system_root.as_deref())?;
        host.trusted = self.trusted;
        for assignment in &self.config {
            host.settings.assign(assignment)?;
        }
        Ok(host)
    }
}

#[derive(Args, Debug)]
pub(crate) struct OverlapArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Folders of skills to look at, instead of the harness's own places
    #[arg(value_name = "DIR")]
    pub(crate) paths: Vec<PathBuf>,
    /// Leave out what is less alike: name, subject, description, near-copy or copy
    #[arg(long, value_name = "LEVEL", default_value = "name")]
    pub(crate) min: Level,
}

#[derive(Args, Debug)]
pub(crate) struct AddReviewArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// The skill: its folder, its SKILL.md, a folder of skills, or an archive
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
    /// Leave out what is less alike: name, subject, description, near-copy or copy
    #[arg(long, value_name = "LEVEL", default_value = "name")]
    pub(crate) min: Level,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The code, as in `discover/frontmatter-unclosed`; without it all codes are listed
    pub(crate) code: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "expected a number of seconds above 0".to_owned())
}
