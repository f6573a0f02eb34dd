//! What a profile is told about the machine, the project and the model.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::SystemTime;

use lorimer_authorize::McpServer;
use lorimer_catalog::Usage;
use lorimer_discover::MetadataCache;

use crate::{Origin, Settings};

/// The surroundings of a session. Nothing in the libraries looks them up by itself.
#[derive(Clone, Debug)]
pub struct Host {
    /// Working directory of the session. Absolute.
    pub cwd: PathBuf,
    /// Home directory of the user; `None` when there is none.
    pub home: Option<PathBuf>,
    /// Stands for the harness's system-wide configuration directory (Codex: `/etc/codex`). `None` is the
    /// harness's own place.
    pub system_root: Option<PathBuf>,
    /// Folders to look for skills in, instead of the harness's own places; empty is the harness's own places.
    pub roots: Vec<PathBuf>,
    /// Where skills come from besides.
    pub origins: Vec<Origin>,
    /// Variables of the environment that may move a harness's folders or switch them off, by name. One that is set to
    /// nothing counts as not set. [`roots::variables`](crate::profiles::roots::variables) names all that count.
    pub variables: BTreeMap<String, String>,
    /// Names of all variables of the environment that are set to something, for harnesses whose skills may require one.
    /// What they are set to is nobody's business here.
    pub environment: BTreeSet<String>,
    /// Folders in which programs are looked for, in order, for harnesses whose skills may require one.
    pub programs: Vec<PathBuf>,
    /// Where the session works, if that is not [`Self::cwd`], for harnesses whose agents have a workspace of their own.
    pub execution: Option<PathBuf>,
    /// Whether the user trusts the project, for harnesses that ask before they read its skills.
    pub trusted: bool,
    /// Files that the session has read or written so far, for harnesses that then look for skills beside them.
    pub opened: Vec<PathBuf>,
    /// Name of the model, for harnesses whose budget depends on it.
    pub model: Option<String>,
    /// How often skills were used so far, for harnesses that rank by it; `None` is what the harness itself has kept.
    pub usage: Option<Usage>,
    /// The time of the look, for harnesses in which a use counts less the longer ago it is; `None` leaves age out.
    pub now: Option<SystemTime>,
    /// Name of the agent within the harness, for harnesses with settings of single agents.
    pub agent: Option<String>,
    /// Tools that the model has, by name, for harnesses that list no skills to a model that could not read them;
    /// `None` is the harness's own set.
    pub tools: Option<Vec<String>>,
    /// Tools of the model that its instructions do not name, for harnesses that point to one of them.
    pub unnamed_tools: Vec<String>,
    /// Context window of the model in tokens; `None` when it is not known.
    pub window: Option<u64>,
    /// Largest window that the model supports, where a setting may raise the window; `None` when it is not known.
    pub max_window: Option<u64>,
    /// Settings given for this run, under the harness's own keys. They override every file.
    pub settings: Settings,
    /// MCP servers that the session has.
    pub servers: Vec<McpServer>,
    /// Remembers what was read from skill files, so that a look opens only those that changed; `None` reads all anew.
    pub cache: Option<MetadataCache>,
}

impl Host {
    /// Returns surroundings with this working directory and nothing else: no home, unknown window, no settings.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Self {
            cwd: cwd.into(),
            home: None,
            system_root: None,
            roots: Vec::new(),
            origins: Vec::new(),
            variables: BTreeMap::new(),
            environment: BTreeSet::new(),
            programs: Vec::new(),
            execution: None,
            trusted: false,
            opened: Vec::new(),
            model: None,
            usage: None,
            now: None,
            agent: None,
            tools: None,
            unnamed_tools: Vec::new(),
            window: None,
            max_window: None,
            settings: Settings::default(),
            servers: Vec::new(),
            cache: None,
        }
    }

    /// Returns the surroundings with this home directory.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// Returns the surroundings in which skills are looked for in this folder, and not in the harness's own places.
    #[must_use]
    pub fn root(mut self, root: impl Into<PathBuf>) -> Self {
        self.roots.push(root.into());
        self
    }

    /// Returns the surroundings with skills from elsewhere, too.
    #[must_use]
    pub fn origin(mut self, origin: Origin) -> Self {
        self.origins.push(origin);
        self
    }

    /// Returns the surroundings with this context window, in tokens.
    #[must_use]
    pub fn window(mut self, tokens: u64) -> Self {
        self.window = Some(tokens);
        self
    }
}
