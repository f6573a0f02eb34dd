//! The `load_skill` tool: a name in, instructions or a plain error text out. It executes nothing.

use std::fmt::Write as _;

use lorimer_core::{ContextItem, Diagnostic, Event, Refusal, Role, Route, Snapshot, kind};
use lorimer_persist::Record;
use lorimer_resolve::{Reason, ResolveRequest};

use crate::session::{Session, SessionError};
use crate::stages::Cleared;
use crate::turn::{Outcome, hand_over};
use crate::view::refusals;

/// Who calls the tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caller {
    /// The model, by a tool call.
    #[default]
    Model,
    /// The user, by a command.
    User,
}

impl Caller {
    fn route(self) -> Route {
        match self {
            Self::Model => Route::Tool,
            Self::User => Route::Command,
        }
    }
}

/// Why `load_skill` did not load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolError {
    /// The name was blank.
    BlankName,
    /// No skill that the caller may use has this name; these are the names that there are.
    Unknown {
        /// The name, trimmed.
        name: String,
        /// Names that the caller may use, in snapshot order.
        available: Vec<String>,
        /// A similar name, as a suggestion.
        similar: Option<String>,
    },
    /// Several skills have this name.
    Ambiguous {
        /// The name.
        name: String,
        /// Where they are.
        locations: Vec<String>,
    },
    /// A rule refused.
    Refused {
        /// The name.
        name: String,
        /// The rule.
        refusal: Refusal,
    },
    /// The body could not be read.
    Failed {
        /// The name.
        name: String,
        /// Why.
        reason: String,
    },
}

impl ToolError {
    /// Names of a long list that the model is told; the rest is only counted.
    const MOST_NAMES: usize = 50;

    /// Returns the text that stands in the tool's result in place of instructions.
    pub fn text(&self) -> String {
        match self {
            Self::BlankName => "Error: load_skill.name must be a non-empty string".to_owned(),
            Self::Unknown { name, available, similar } => {
                let shown: Vec<&str> = available.iter().take(Self::MOST_NAMES).map(String::as_str).collect();
                let mut text = format!("Error: unknown skill {name}. Available: {}", shown.join(", "));
                if available.len() > shown.len() {
                    let _ = write!(text, " and {} more", available.len() - shown.len());
                    if let Some(similar) = similar {
                        let _ = write!(text, ". Did you mean {similar}?");
                    }
                }
                text
            }
            Self::Ambiguous { name, locations } => {
                format!("Error: several skills are called {name}: {}", locations.join(", "))
            }
            Self::Refused { name, refusal } => {
                format!("Error: skill {name} may not be used ({})", refusal.rule)
            }
            Self::Failed { name, reason } => format!("Error: skill {name} could not be loaded: {reason}"),
        }
    }
}

/// What `load_skill` answers.
#[derive(Clone, Debug)]
pub struct ToolAnswer {
    /// What is handed to the model: instructions, or the error's text.
    pub item: ContextItem,
    /// The loaded skill, or why nothing was loaded.
    pub result: Result<Cleared, ToolError>,
    /// What is odd.
    pub diagnostics: Vec<Diagnostic>,
    /// Every fact, in order.
    pub events: Vec<Event>,
}

impl Session {
    /// Loads the instructions of a skill by its name, against the snapshot that the running turn holds. The input
    /// is a name and never a path (S1-18).
    ///
    /// # Errors
    ///
    /// When the journal refuses. Everything else is an answer that the model can read.
    pub fn load_skill(&mut self, name: &str, caller: Caller) -> Result<ToolAnswer, SessionError> {
        let snapshot = self.held();
        let mut events = self.snapshot_events(&snapshot);
        let mut diagnostics = Vec::new();
        let result = find_and_load(self, &snapshot, name, caller, &mut events, &mut diagnostics);
        let (item, digest) = match &result {
            Ok(cleared) => (cleared.loaded().item().clone(), Some(cleared.loaded().digest())),
            Err(error) => {
                let (role, kind) = (Role::Tool, kind::NOTICE.to_owned());
                (ContextItem { role, kind, text: error.text(), skill: None }, None)
            }
        };
        let mut records = vec![Record::Item { item: item.clone(), digest }];
        if let Ok(Cleared::Waiting(_, question)) = &result {
            records.push(Record::Asked { question: question.id.clone() });
        }
        self.commit(records, &events)?;
        if let Ok(cleared) = &result {
            self.wait_for(cleared);
        }
        Ok(ToolAnswer { item, result, diagnostics, events })
    }
}

fn find_and_load(
    session: &Session,
    snapshot: &Snapshot,
    name: &str,
    caller: Caller,
    events: &mut Vec<Event>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Cleared, ToolError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(ToolError::BlankName);
    }
    let route = caller.route();
    let refused = refusals(&session.lifecycle, snapshot, route);
    let resolution = session.lifecycle.resolver().resolve(
        snapshot,
        &ResolveRequest {
            texts: &[],
            structured: &[],
            tool_name: Some(name),
            connectors: &[],
            refused: &refused,
        },
    );
    if let Some(found) = resolution.selected.first() {
        let name = name.to_owned();
        return match hand_over(session, snapshot, &found.skill, route, events, diagnostics) {
            Outcome::Loaded(cleared) => Ok(cleared),
            Outcome::Denied(refusal) => Err(ToolError::Refused { name, refusal }),
            Outcome::Failed(reason) => Err(ToolError::Failed { name, reason }),
        };
    }
    let unresolved = resolution.unresolved.first();
    let reason = unresolved.map_or(&Reason::Unknown, |unresolved| &unresolved.reason);
    events.push(Event::MentionUnresolved { mention: name.to_owned(), reason: reason.as_str().to_owned() });
    let candidates = || unresolved.into_iter().flat_map(|unresolved| &unresolved.candidates);
    Err(match reason {
        Reason::Refused(refusal) => ToolError::Refused { name: name.to_owned(), refusal: refusal.clone() },
        Reason::Ambiguous => ToolError::Ambiguous {
            name: name.to_owned(),
            locations: candidates()
                .filter_map(|id| snapshot.get(id))
                .map(|skill| skill.shown_location())
                .collect(),
        },
        Reason::Unknown | Reason::ConnectorClash => {
            let mut available: Vec<String> = Vec::new();
            let mut seen = std::collections::HashSet::new();
            for skill in snapshot.skills().filter(|skill| !refused.contains_key(&skill.id)) {
                if seen.insert(skill.call_name()) {
                    available.push(skill.call_name().to_owned());
                }
            }
            let similar =
                candidates().find_map(|id| snapshot.get(id)).map(|skill| skill.call_name().to_owned());
            ToolError::Unknown { name: name.to_owned(), available, similar }
        }
    })
}
