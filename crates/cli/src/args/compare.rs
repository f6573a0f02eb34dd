//! Options of `lorimer compare`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Arg, Args, ValueEnum};
use lorimer::compare::{Options, Standing};
use lorimer::profiles::{self, Profile};
use lorimer::{Host, Settings};

use super::common::{Common, Window, window};
use super::find_profile;
use crate::error::CliError;

/// Stands for every profile.
const ALL: &str = "all";

#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Show only skills of which some harness shows less than there is (`problems`), or which stand so in one of them
    #[arg(long, value_name = "problems|omitted|…", value_parser = only, conflicts_with = "json")]
    pub(crate) only: Option<Only>,
    /// Show so many skills at most
    #[arg(long, value_name = "N", conflicts_with = "json")]
    pub(crate) limit: Option<usize>,
    /// Which skills come first
    #[arg(long, value_enum, default_value_t, conflicts_with = "json")]
    pub(crate) sort: Sort,
    /// List the same skills in these windows, too, in tokens
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', value_parser = window)]
    windows: Vec<Window>,
    /// List parts of the skills of these sizes, too [default: 10,50,100,200,500,1000]
    #[arg(
        long,
        value_name = "N,N,…",
        value_delimiter = ',',
        num_args = 0..=1,
        default_missing_value = "10,50,100,200,500,1000"
    )]
    grow: Vec<usize>,
    /// Write one page that holds everything into this file, and no table to the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// Which skills are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Only {
    /// Those that some harness shows in part, or not at all.
    Problems,
    /// Those that stand so in some harness.
    Standing(Standing),
}

/// Which skills come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// By name
    #[default]
    Name,
    /// Those that most harnesses lose
    Loss,
    /// By place
    Place,
}

fn only(text: &str) -> Result<Only, String> {
    if text == "problems" {
        return Ok(Only::Problems);
    }
    let standing = Standing::ALL.into_iter().find(|standing| standing.as_str() == text);
    standing.map(Only::Standing).ok_or_else(|| {
        let names: Vec<&str> = Standing::ALL.iter().map(|standing| standing.as_str()).collect();
        format!("expected problems, {}", names.join(", "))
    })
}

/// Returns the option `--as` as it is here: several profiles, and every one by default.
pub(super) fn profiles(arg: Arg) -> Arg {
    arg.value_name("PROFILE,…").default_value(ALL).help("Harnesses to imitate, with commas between them")
}

/// Returns the option `--config` as it is here: for every harness, or for one.
pub(super) fn settings(arg: Arg) -> Arg {
    arg.value_name("[PROFILE:]KEY=VALUE").help(
        "A setting under a harness's own key, its value in TOML, JSON or plain text; for one harness alone with its \
         name before it; may be repeated",
    )
}

impl CompareArgs {
    /// Returns the profiles, the surroundings that they share, and what to look at.
    pub(crate) fn resolve(&self) -> Result<(Vec<Profile>, Host, Options), CliError> {
        let profiles = self.profiles()?;
        let (own, shared): (Vec<_>, Vec<_>) =
            self.common.config.iter().partition(|text| own_parts(text).is_some());
        let common = Common { config: shared.into_iter().cloned().collect(), ..self.common.clone() };
        let host = common.host()?;
        let mut settings: BTreeMap<String, Settings> = BTreeMap::new();
        for (profile, assignment) in own.into_iter().filter_map(|text| own_parts(text)) {
            let settings = settings.entry(profile.name.to_owned()).or_insert_with(|| host.settings.clone());
            settings.assign(assignment)?;
        }
        let windows = self.windows.iter().map(|window| window.0).collect();
        Ok((profiles, host, Options { windows, sizes: self.grow.clone(), settings }))
    }

    fn profiles(&self) -> Result<Vec<Profile>, CliError> {
        if self.common.profile == ALL {
            return Ok(profiles::ALL.to_vec());
        }
        let mut found: Vec<Profile> = Vec::new();
        for name in self.common.profile.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if found.iter().all(|known| known.name != name) {
                found.push(find_profile(name)?);
            }
        }
        if found.is_empty() {
            return Err(CliError::usage("--as names no profile", "leave it out to compare all of them"));
        }
        Ok(found)
    }
}

/// Splits a setting of one harness into the harness and the assignment.
fn own_parts(text: &str) -> Option<(Profile, &str)> {
    let (name, assignment) = text.split_once(':')?;
    Some((profiles::by_name(name)?, assignment))
}
