//! Options that most commands share.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use lorimer::catalog::TokenCounter;
use lorimer::discover::MetadataCache;
use lorimer::profiles::Profile;
use lorimer::{Host, Lifecycle, Settings};

use super::host::{self, directory, find_profile, surroundings};
use crate::error::CliError;

/// Options that most commands share.
#[derive(Args, Clone, Debug)]
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
    /// Name of the model, for harnesses whose budget depends on it
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Name of the agent, for harnesses with settings of single agents
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Where the session works, for harnesses whose agents have a workspace of their own; that is then the working
    /// directory
    #[arg(long, value_name = "DIR")]
    pub(crate) execution: Option<PathBuf>,
    /// A tool that the model has [default: the harness's own]; may be given several times
    #[arg(long = "tool", value_name = "NAME")]
    pub(crate) tools: Vec<String>,
    /// Look as if you trusted the project
    #[arg(long)]
    pub(crate) trusted: bool,
    /// A setting under the harness's own key, its value in TOML, JSON or plain text; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) config: Vec<String>,
    /// Count the listing's tokens with this vocabulary too, beside the estimate: `o200k`
    #[arg(long, value_name = "NAME", value_parser = token_counter)]
    pub(crate) tokens: Option<Counter>,
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

/// What `--tokens` counts with.
#[derive(Clone, Debug)]
pub(crate) struct Counter(Arc<dyn TokenCounter>);

fn token_counter(name: &str) -> Result<Counter, String> {
    match name {
        #[cfg(feature = "o200k")]
        "o200k" => Ok(Counter(Arc::new(lorimer::catalog::O200k))),
        #[cfg(not(feature = "o200k"))]
        "o200k" => Err("this program was built without it; build with `--features o200k`".to_owned()),
        _ => Err("expected `o200k`".to_owned()),
    }
}

pub(super) fn window(text: &str) -> Result<Window, String> {
    if text == "unknown" {
        return Ok(Window(None));
    }
    let plain: String = text.chars().filter(|character| !matches!(character, '_' | ',')).collect();
    plain
        .parse()
        .map(|tokens| Window(Some(tokens)))
        .map_err(|_| "expected a number of tokens, or `unknown`".to_owned())
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
            host.origins.push(host::origin(origin)?);
        }
        if !self.no_cache {
            host.cache = self.cache.clone().or_else(cache_folder).map(MetadataCache::open);
        }
        host.window = self.window.0;
        host.model.clone_from(&self.model);
        host.agent.clone_from(&self.agent);
        host.execution =
            self.execution.as_deref().map(|folder| directory("--execution", folder)).transpose()?;
        host.tools = Some(self.tools.clone()).filter(|tools| !tools.is_empty());
        host.trusted = self.trusted;
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
        let builder = profile.builder(&host)?;
        let counter = self.tokens.as_ref().map(|counter| Arc::clone(&counter.0));
        Ok(builder.options(|options| options.token_counter = counter).build())
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
