//! The command line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lorimer::discover::MetadataCache;
use lorimer::profiles::{self, Profile, roots};
use lorimer::{Host, Lifecycle, Origin, Settings};

use crate::error::CliError;

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
pub(crate) struct ExplainArgs {
    /// The code, as in `discover/frontmatter-unclosed`; without it all codes are listed
    pub(crate) code: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options that most commands share.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// Harness to imitate
    #[arg(long = "as", value_name = "PROFILE", default_value = "native")]
    pub(crate) profile: String,
    /// Working directory of the session [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Home directory of the user [default: yours]
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Stands for the harness's system-wide configuration directory
    #[arg(long, value_name = "DIR")]
    pub(crate) system_root: Option<PathBuf>,
    /// Look for skills in this folder instead of the harness's own places; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// Skills from elsewhere, besides: an archive, `https://SITE`, or `pipe:PROGRAM`; may be given several times
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) from: Vec<String>,
    /// Context window of the model in tokens, or `unknown`
    #[arg(long, value_name = "N", default_value = "unknown", value_parser = window)]
    pub(crate) window: Window,
    /// A setting under the harness's own key, its value in TOML, JSON or plain text; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) config: Vec<String>,
    /// Keep what was read of each skill in this folder, so that only what changed is read again [default: `lorimer` in
    /// the system's folder for caches]
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub(crate) cache: Option<PathBuf>,
    /// Read every skill, and keep nothing
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A context window; a type of its own, because clap gives `Option` a meaning of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window(pub(crate) Option<u64>);

fn window(text: &str) -> Result<Window, String> {
    if text == "unknown" {
        return Ok(Window(None));
    }
    let plain: String = text.chars().filter(|character| !matches!(character, '_' | ',')).collect();
    plain
        .parse()
        .map(|tokens| Window(Some(tokens)))
        .map_err(|_| "expected a number of tokens, or `unknown`".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

impl Common {
    /// Returns the profile and the surroundings that the options describe.
    pub(crate) fn resolve(&self) -> Result<(Profile, Host), CliError> {
        let profile = find_profile(&self.profile)?;
        Ok((profile, self.host()?))
    }

    /// Returns the surroundings that the options describe.
    pub(crate) fn host(&self) -> Result<Host, CliError> {
        let mut host = surroundings(self.cwd.as_deref(), self.home.as_deref(), self.system_root.as_deref())?;
        for root in &self.root {
            host.roots.push(directory("--root", root)?);
        }
        for origin in &self.from {
            host.origins.push(self::origin(origin)?);
        }
        if !self.no_cache {
            host.cache = self.cache.clone().or_else(cache_folder).map(MetadataCache::open);
        }
        host.window = self.window.0;
        let mut settings = Settings::default();
        for assignment in &self.config {
            settings.assign(assignment)?;
        }
        host.settings = settings;
        Ok(host)
    }

    /// Returns the lifecycle that the options describe.
    pub(crate) fn lifecycle(&self) -> Result<Lifecycle, CliError> {
        let (profile, host) = self.resolve()?;
        Ok(profile.lifecycle(&host)?)
    }
}

/// Returns the folder of this program's caches, as far as the environment tells.
fn cache_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Caches"))
    } else {
        variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")))
    };
    caches.map(|caches| caches.join("lorimer"))
}

/// Returns surroundings with this machine's variables in them, as far as harnesses look for skills by them.
fn surroundings(
    cwd: Option<&Path>,
    home: Option<&Path>,
    system_root: Option<&Path>,
) -> Result<Host, CliError> {
    let cwd = match cwd {
        Some(cwd) => directory("--cwd", cwd)?,
        None => std::env::current_dir().map_err(|error| {
            CliError::io(format!("cannot tell the current directory: {error}"), "give --cwd DIR")
        })?,
    };
    let mut host = Host::new(cwd);
    host.home = match home {
        Some(home) => Some(directory("--home", home)?),
        None => std::env::home_dir().map(|home| canonical(&home).unwrap_or(home)),
    };
    host.system_root = system_root
        .map(std::path::absolute)
        .transpose()
        .map_err(|error| CliError::io(format!("--system-root: {error}"), "give a folder's path"))?;
    let set = roots::variables().into_iter().filter_map(|name| Some((name, std::env::var(name).ok()?)));
    host.variables = set.map(|(name, value)| (name.to_owned(), value)).collect();
    Ok(host)
}

pub(crate) fn find_profile(name: &str) -> Result<Profile, CliError> {
    profiles::by_name(name).ok_or_else(|| no_profile(name, &[]))
}

/// Returns what is said of an unknown profile; `others` may be named where a profile may.
pub(crate) fn no_profile(name: &str, others: &[&str]) -> CliError {
    let names = profiles::ALL.iter().map(|profile| profile.name).chain(others.iter().copied());
    let mut hint = format!("choose one of: {}", names.collect::<Vec<_>>().join(", "));
    if roots::by_name(name).is_some() {
        hint = format!("{hint}; only its places are known yet: `lorimer roots --as {name}`");
    }
    CliError::usage(format!("there is no profile `{name}`"), hint)
}

/// Returns the path as the system itself would give it: a process never finds itself in `a/../b` or behind a link, and
/// ancestors are looked for by name.
fn canonical(path: &Path) -> std::io::Result<PathBuf> {
    // On Windows the canonical form is one that many programs do not understand.
    if cfg!(windows) { std::path::absolute(path) } else { path.canonicalize() }
}

/// Returns where `--from` takes skills from. An archive has to be there; a relative one starts at the folder that the
/// command was started in.
fn origin(text: &str) -> Result<Origin, CliError> {
    let here = std::path::absolute(".").map_err(|error| {
        CliError::io(format!("cannot tell the current directory: {error}"), "give an absolute path")
    })?;
    let origin = Origin::parse(text, &here).map_err(|error| {
        CliError::usage(format!("--from `{text}` {}", error.problem), "see `lorimer list --help`")
    })?;
    if let Origin::Archive(path) = &origin
        && let Err(error) = std::fs::metadata(path)
    {
        return Err(CliError::io(
            format!("--from `{text}` cannot be used: {error}"),
            "give an archive, a folder of archives, https://SITE or pipe:PROGRAM",
        ));
    }
    Ok(origin)
}

/// Returns the canonical path of a folder that has to be there.
pub(crate) fn directory(option: &str, path: &Path) -> Result<PathBuf, CliError> {
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            return Err(CliError::io(format!("{option} `{shown}` is not a folder"), "give a folder's path"));
        }
        Err(error) => {
            return Err(CliError::io(
                format!("{option} `{shown}` cannot be used: {error}"),
                "check the path and its permissions",
            ));
        }
    }
    canonical(path)
        .map_err(|error| CliError::io(format!("{option} `{shown}`: {error}"), "give an absolute path"))
}
