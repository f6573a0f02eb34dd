//! The order `Selection -> Loaded -> Cleared` as types: each can only be made from the one before it, in here.
//!
//! ```compile_fail
//! # fn f(lifecycle: lorimer::Lifecycle, selection: lorimer::Selection) {
//! lifecycle.clear(selection, &[], &[]); // nothing was loaded yet
//! # }
//! ```
//!
//! ```compile_fail
//! # fn f(skill: std::sync::Arc<lorimer::core::Skill>) -> lorimer::Selection {
//! lorimer::Selection { skill, route: lorimer::core::Route::Mention } // nobody admitted it
//! # }
//! ```
//!
//! ```compile_fail
//! # fn f(loaded: lorimer::Loaded) -> lorimer::Cleared {
//! lorimer::Cleared { loaded, state: lorimer::Clearing::Ready } // nobody looked
//! # }
//! ```

use std::sync::Arc;

use lorimer_activate::{ActivateError, ActivateRequest, Activation};
use lorimer_authorize::{Admission, AdmitRequest, ClearRequest, Clearance, McpServer, Question};
use lorimer_core::{ContextItem, Dependency, Diagnostic, Digest, Route, Skill};
use lorimer_discover::ReadError;

use crate::Lifecycle;

/// A skill that was asked for and may be used.
#[derive(Clone, Debug)]
#[must_use = "a selection does nothing until it is loaded"]
pub struct Selection {
    skill: Arc<Skill>,
    route: Route,
}

impl Selection {
    /// Returns the skill.
    pub fn skill(&self) -> &Arc<Skill> {
        &self.skill
    }

    /// Returns how it was asked for.
    pub fn route(&self) -> Route {
        self.route
    }
}

/// A selected skill whose body was read and wrapped. Loaded is not the same as usable (S3-39).
#[derive(Clone, Debug)]
pub struct Loaded {
    selection: Selection,
    activation: Activation,
    digest: Digest,
}

impl Loaded {
    /// Returns the skill.
    pub fn skill(&self) -> &Arc<Skill> {
        &self.selection.skill
    }

    /// Returns how it was asked for.
    pub fn route(&self) -> Route {
        self.selection.route
    }

    /// Returns what is handed to the model.
    pub fn item(&self) -> &ContextItem {
        &self.activation.item
    }

    /// Returns the instructions without the wrapper around them.
    pub fn body(&self) -> &str {
        self.activation.item.text.get(self.activation.body.clone()).unwrap_or_default()
    }

    /// Returns the digest of the file as it was read.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns whether the body was cut at a limit.
    pub fn is_cut(&self) -> bool {
        self.activation.cut
    }

    /// Returns what is odd about the body.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.activation.diagnostics
    }
}

/// A loaded skill, and whether it may be carried out. The body stays with the model either way.
#[derive(Clone, Debug)]
pub struct Cleared {
    loaded: Loaded,
    missing: Vec<Dependency>,
    state: Clearing,
}

/// Whether a loaded skill may be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clearing {
    /// Everything it needs is there.
    Ready,
    /// A person has to say.
    Waiting(Question),
    /// It may not be carried out, by this rule.
    Blocked(String),
}

impl Cleared {
    /// Returns the loaded skill, whatever the answer is.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Returns whether it may be carried out.
    pub fn state(&self) -> &Clearing {
        &self.state
    }

    /// Returns whether it may be carried out now.
    pub fn is_ready(&self) -> bool {
        self.state == Clearing::Ready
    }

    /// Returns what it needs and the session does not have.
    pub fn missing(&self) -> &[Dependency] {
        &self.missing
    }

    /// Returns the same skill, blocked for this reason.
    pub(crate) fn blocked(self, reason: String) -> Self {
        Self { state: Clearing::Blocked(reason), ..self }
    }
}

/// A selected skill could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The lifecycle has no source of that id.
    #[error("no source is called `{0}`")]
    NoSource(String),
    /// The source could not read it.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The bytes cannot become instructions.
    #[error(transparent)]
    Activate(#[from] ActivateError),
}

/// The single steps. A [`Session`](crate::Session) takes them in their order, keeps what happened and tells observers;
/// who takes them by hand does without that.
impl Lifecycle {
    /// Asks whether a skill may be used by this route, and selects it if so.
    ///
    /// # Errors
    ///
    /// Any other answer than yes.
    pub fn admit(
        &self,
        skill: Arc<Skill>,
        route: Route,
        approved: &[String],
    ) -> Result<Selection, Admission> {
        match self.authorizer().admit(&AdmitRequest { skill: &skill, route, approved }) {
            Admission::Admitted => Ok(Selection { skill, route }),
            other => Err(other),
        }
    }

    /// Reads a selected skill's body, now, and wraps it for the model.
    ///
    /// # Errors
    ///
    /// When the body cannot be read, or is no text.
    pub fn load(&self, selection: Selection, arguments: Option<&str>) -> Result<Loaded, LoadError> {
        let id = &selection.skill.id;
        let limit = self.activator().limit(&selection.skill);
        let mut content = Err(LoadError::NoSource(id.source.to_string()));
        // Two sources may have one id by mistake; only one of them listed the skill.
        for source in self.sources().iter().filter(|source| *source.id() == id.source) {
            content = source.read(&id.locator, limit).map_err(LoadError::from);
            if !matches!(content, Err(LoadError::Read(ReadError::NotListed(_)))) {
                break;
            }
        }
        let content = content?;
        let activation = self.activator().activate(&ActivateRequest {
            skill: &selection.skill,
            content: &content,
            route: selection.route,
            arguments,
        })?;
        Ok(Loaded { selection, activation, digest: content.digest })
    }

    /// Asks whether a loaded skill may be carried out, in a session with these servers, in which a person said no to
    /// these questions.
    pub fn clear(&self, loaded: Loaded, servers: &[McpServer], declined: &[String]) -> Cleared {
        let request = ClearRequest { skill: loaded.skill(), digest: loaded.digest(), servers, declined };
        let (missing, state) = match self.authorizer().clear(&request) {
            Clearance::Cleared => (Vec::new(), Clearing::Ready),
            Clearance::Blocked { missing, reason } => (missing, Clearing::Blocked(reason)),
            Clearance::Ask { missing, question } => (missing, Clearing::Waiting(question)),
        };
        Cleared { loaded, missing, state }
    }
}
