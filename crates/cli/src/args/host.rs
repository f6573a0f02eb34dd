//! From the words of a command line to the surroundings of a session.

use std::path::{Path, PathBuf};

use lorimer::profiles::{self, Profile, roots};
use lorimer::{Host, Origin};

use crate::error::CliError;

/// Returns surroundings with this machine's variables in them, as far as harnesses look for skills by them.
pub(super) fn surroundings(
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
    let set = std::env::vars_os().filter(|(_, value)| !value.is_empty());
    host.environment = set.filter_map(|(name, _)| name.into_string().ok()).collect();
    host.programs = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    host.now = Some(std::time::SystemTime::now());
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
pub(super) fn origin(text: &str) -> Result<Origin, CliError> {
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
