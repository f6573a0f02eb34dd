//! Seven parts and a few values, composed.

use std::fmt;
use std::sync::Arc;

use lorimer_activate::Activator;
use lorimer_authorize::{Authorizer, Gate, McpServer};
use lorimer_catalog::{Cataloger, TokenCounter};
use lorimer_core::{Budget, Diagnostic, Role, SameName};
use lorimer_discover::Source;
use lorimer_observe::{Fanout, Null, Observer};
use lorimer_persist::{Journal, MemoryJournal, SessionId};
use lorimer_resolve::Resolver;

use crate::gather::SnapshotOrder;
use crate::profiles::native;
use crate::session::{Session, SessionError};

/// When a session looks at its sources again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refresh {
    /// At the start of every turn.
    #[default]
    EveryTurn,
    /// At the start of the session, and with [`Session::reload`] and [`Session::changed`].
    OnReload,
}

/// How a listing that has changed is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// The whole listing again.
    #[default]
    Whole,
    /// Only the lines that the model has not seen, between these texts. What is gone is not told.
    NewLines {
        /// Stands before the lines.
        head: &'static str,
        /// Stands behind them.
        tail: &'static str,
    },
    /// Only the entries that are new or whose text is another one, between these texts. An entry that has its text now
    /// and had none, or the other way round, is told no more: only the budget has changed. What is gone is not told, and
    /// told no second time when it comes back as it was.
    ///
    /// Entries have to be lines `- NAME`, with `: ` or ` (` behind the name where there is more.
    NewEntries {
        /// Stands before the lines.
        head: &'static str,
        /// Stands behind them.
        tail: &'static str,
    },
}

/// What a profile fixes besides its seven parts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Name of the profile, for reports.
    pub profile: String,
    /// Order of the snapshot.
    pub order: SnapshotOrder,
    /// Which of several skills of one name the bare name stands for.
    pub same_name: SameName,
    /// When sources are looked at again.
    pub refresh: Refresh,
    /// How much the listing may cost.
    pub budget: Budget,
    /// Whether the model gets a listing at all; mentions work either way.
    pub listing: bool,
    /// Role of the listing.
    pub listing_role: Role,
    /// How a listing that has changed is told.
    pub update: Update,
    /// What the model is told when a listing that it was told has nothing left to say; `None` is silence.
    pub none_left: Option<&'static str>,
    /// Names and places that an error of the `load_skill` tool lists at most; `None` lists all.
    pub most_names: Option<usize>,
    /// Counts the tokens of a listing for reports, beside the estimate; `None` leaves it at the estimate.
    pub token_counter: Option<Arc<dyn TokenCounter>>,
    /// MCP servers that a session has when it starts.
    pub servers: Vec<McpServer>,
    /// What is odd about the settings that the profile was made from.
    pub diagnostics: Vec<Diagnostic>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            profile: "custom".to_owned(),
            order: SnapshotOrder::AsFound,
            same_name: SameName::default(),
            refresh: Refresh::default(),
            budget: Budget::chars(8_000),
            listing: true,
            listing_role: Role::Developer,
            update: Update::default(),
            none_left: None,
            most_names: Some(50),
            token_counter: None,
            servers: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

/// The skill lifecycle of one harness: seven swappable parts and the [`Options`] around them.
///
/// Cloning is cheap; clones share their parts.
#[derive(Clone)]
pub struct Lifecycle(Arc<Parts>);

#[derive(Clone)]
struct Parts {
    sources: Vec<Arc<dyn Source>>,
    cataloger: Arc<dyn Cataloger>,
    resolver: Arc<dyn Resolver>,
    activator: Arc<dyn Activator>,
    authorizer: Arc<dyn Authorizer>,
    journal: Arc<dyn Journal>,
    observer: Arc<dyn Observer>,
    options: Options,
}

impl Lifecycle {
    /// Returns a builder whose parts are the native ones, with no source.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Returns a builder that starts from these parts, so that single ones can be swapped.
    pub fn to_builder(&self) -> Builder {
        Builder(Parts::clone(&self.0))
    }

    /// Opens a session: a new one, or, when the journal knows its id, the one that goes on (S3-50: the history is
    /// restored, and the effective state of the skills is computed anew).
    ///
    /// # Errors
    ///
    /// When the id is no session id, or the journal cannot be read.
    pub fn session(&self, id: &str) -> Result<Session, SessionError> {
        Session::open(self.clone(), SessionId::new(id)?)
    }

    /// Returns the options around the parts.
    pub fn options(&self) -> &Options {
        &self.0.options
    }

    /// Returns the origins of skills, in order.
    pub fn sources(&self) -> &[Arc<dyn Source>] {
        &self.0.sources
    }

    /// Returns the part that makes the listing.
    pub fn cataloger(&self) -> &Arc<dyn Cataloger> {
        &self.0.cataloger
    }

    /// Returns the part that finds what was asked for.
    pub fn resolver(&self) -> &Arc<dyn Resolver> {
        &self.0.resolver
    }

    /// Returns the part that wraps bodies.
    pub fn activator(&self) -> &Arc<dyn Activator> {
        &self.0.activator
    }

    /// Returns the part that decides who may use a skill.
    pub fn authorizer(&self) -> &Arc<dyn Authorizer> {
        &self.0.authorizer
    }

    /// Returns the part that keeps what happened.
    pub fn journal(&self) -> &Arc<dyn Journal> {
        &self.0.journal
    }

    /// Returns the part that is told everything.
    pub fn observer(&self) -> &Arc<dyn Observer> {
        &self.0.observer
    }
}

impl fmt::Debug for Lifecycle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lifecycle").field("options", &self.0.options).finish_non_exhaustive()
    }
}

/// Puts a [`Lifecycle`] together.
pub struct Builder(Parts);

impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Builder").field("options", &self.0.options).finish_non_exhaustive()
    }
}

impl Default for Builder {
    fn default() -> Self {
        Self(Parts {
            sources: Vec::new(),
            cataloger: Arc::new(native::cataloger()),
            resolver: Arc::new(native::resolver()),
            activator: Arc::new(native::activator()),
            authorizer: Arc::new(Gate::default()),
            journal: Arc::new(MemoryJournal::default()),
            observer: Arc::new(Null),
            options: Options::default(),
        })
    }
}

macro_rules! part {
    ($($(#[$doc:meta])* $name:ident: $trait:ident;)+) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $name: impl $trait + 'static) -> Self {
            self.0.$name = Arc::new($name);
            self
        }
    )+};
}

impl Builder {
    /// Adds an origin of skills behind those that are there.
    #[must_use]
    pub fn source(mut self, source: impl Source + 'static) -> Self {
        self.0.sources.push(Arc::new(source));
        self
    }

    /// Changes the origins of skills: to replace them, or to wrap each one.
    #[must_use]
    pub fn sources(mut self, change: impl FnOnce(Vec<Arc<dyn Source>>) -> Vec<Arc<dyn Source>>) -> Self {
        self.0.sources = change(self.0.sources);
        self
    }

    /// Adds a part that is told everything, besides those that are there.
    #[must_use]
    pub fn and_observer(mut self, observer: impl Observer + 'static) -> Self {
        let both: Vec<Box<dyn Observer>> = vec![Box::new(self.0.observer), Box::new(observer)];
        self.0.observer = Arc::new(Fanout(both));
        self
    }

    part! {
        /// Swaps the part that makes the listing.
        cataloger: Cataloger;
        /// Swaps the part that finds what was asked for.
        resolver: Resolver;
        /// Swaps the part that wraps bodies.
        activator: Activator;
        /// Swaps the part that decides who may use a skill.
        authorizer: Authorizer;
        /// Swaps the part that keeps what happened.
        journal: Journal;
        /// Swaps the part that is told everything.
        observer: Observer;
    }

    /// Changes the options.
    #[must_use]
    pub fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.0.options);
        self
    }

    /// Returns the lifecycle.
    pub fn build(self) -> Lifecycle {
        Lifecycle(Arc::new(self.0))
    }
}
