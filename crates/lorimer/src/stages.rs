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

use std::sync::Arc;

use lorimer_activate::{ActivateError, ActivateRequest, Activation};
use lorimer_authorize::{Admission, AdmitRequest, ClearRequest, Clearance, McpServer, Question};
use lorimer_core::{ContextItem, Dependency, Diagnostic, Digest, Event, Refusal, Route, Skill};
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
pub enum Cleared {
    /// Everything it needs is there.
    Ready(Loaded),
    /// A person has to say.
    Waiting(Loaded, Question),
    /// It may not be carried out.
    Blocked(Loaded, String),
}

impl Cleared {
    /// Returns the loaded skill, whatever the answer is.
    pub fn loaded(&self) -> &Loaded {
        match self {
            Self::Ready(loaded) | Self::Waiting(loaded, _) | Self::Blocked(loaded, _) => loaded,
        }
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

impl Lifecycle {
    /// Asks whether a skill may be used by this route, and selects it if so.
    ///
    /// # Errors
    ///
    /// When a rule refuses. A question counts as a refusal until it is answered.
    pub fn admit(&self, skill: Arc<Skill>, route: Route) -> Result<Selection, Refusal> {
        match self.authorizer().admit(&AdmitRequest { skill: &skill, route }) {
            Admission::Admitted => Ok(Selection { skill, route }),
            Admission::Refused(refusal) => Err(refusal),
            Admission::Ask(question) => Err(Refusal::new("needs-approval").with_help(question.text)),
        }
    }

    /// Reads a selected skill's body, now, and wraps it for the model.
    ///
    /// # Errors
    ///
    /// When the body cannot be read, or is no text.
    pub fn load(&self, selection: Selection, arguments: Option<&str>) -> Result<Loaded, LoadError> {
        let id = &selection.skill.id;
        let source = self
            .sources()
            .iter()
            .find(|source| *source.id() == id.source)
            .ok_or_else(|| LoadError::NoSource(id.source.to_string()))?;
        let content = source.read(&id.locator, self.activator().limit(&selection.skill))?;
        let activation = self.activator().activate(&ActivateRequest {
            skill: &selection.skill,
            content: &content,
            route: selection.route,
            arguments,
        })?;
        Ok(Loaded { selection, activation, digest: content.digest })
    }

    /// Asks whether a loaded skill may be carried out.
    pub fn clear(&self, loaded: Loaded, servers: &[McpServer], asked: &[String]) -> (Cleared, Vec<Event>) {
        let request = ClearRequest { skill: loaded.skill(), digest: loaded.digest(), servers, asked };
        let skill = loaded.skill().id.clone();
        let missing_events = |missing: &[Dependency]| -> Vec<Event> {
            let name = |dependency: &Dependency| format!("{}:{}", dependency.kind, dependency.value);
            missing
                .iter()
                .map(|dependency| Event::DependencyMissing {
                    skill: skill.clone(),
                    dependency: name(dependency),
                })
                .collect()
        };
        match self.authorizer().clear(&request) {
            Clearance::Cleared => {
                let events = vec![Event::SkillCleared { skill }];
                (Cleared::Ready(loaded), events)
            }
            Clearance::Blocked { missing, reason } => {
                let mut events = missing_events(&missing);
                events.push(Event::SkillBlocked { skill, reason: reason.clone() });
                (Cleared::Blocked(loaded, reason), events)
            }
            Clearance::Ask { missing, question } => {
                let mut events = missing_events(&missing);
                events.push(Event::SkillWaiting { skill, question: question.id.clone() });
                (Cleared::Waiting(loaded, question), events)
            }
        }
    }
}
