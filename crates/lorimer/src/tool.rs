//! The `load_skill` tool: a name in, instructions or a plain error text out. It executes nothing.

use std::fmt::Write as _;
use std::sync::Arc;

use lorimer_authorize::Question;
use lorimer_core::{ContextItem, Diagnostic, Event, Refusal, Role, Route, Skill, Snapshot, kind};
use lorimer_persist::Record;
use lorimer_resolve::{Call, Reason, ResolveRequest};

use crate::session::{Session, SessionError};
use crate::stages::Cleared;
use crate::steps::{Outcome, Selected, Steps};

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
#[derive(Clone, Debug, PartialEq)]
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
        /// The whole names of those that have another one, and where the others are.
        locations: Vec<String>,
    },
    /// A rule refused.
    Refused {
        /// The name.
        name: String,
        /// The rule.
        refusal: Refusal,
    },
    /// A person has to say first.
    NeedsApproval {
        /// The name.
        name: String,
        /// The skill.
        skill: Arc<Skill>,
        /// What the person is asked.
        question: Question,
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
    /// Returns the text that stands in the tool's result in place of instructions. Lists longer than `most` are cut, and
    /// what is cut is counted.
    pub fn text(&self, most: Option<usize>) -> String {
        match self {
            Self::BlankName => "Error: load_skill.name must be a non-empty string".to_owned(),
            Self::Unknown { name, available, similar } => {
                let (shown, more) = cut(available, most);
                let mut text = format!("Error: unknown skill {name}. Available: {shown}{more}");
                if let Some(similar) = similar.as_ref().filter(|_| !more.is_empty()) {
                    let _ = write!(text, ". Did you mean {similar}?");
                }
                text
            }
            Self::Ambiguous { name, locations } => {
                let (shown, more) = cut(locations, most);
                format!("Error: several skills are called {name}: {shown}{more}")
            }
            Self::Refused { name, refusal } => {
                format!("Error: skill {name} may not be used ({})", refusal.rule)
            }
            Self::NeedsApproval { name, .. } => {
                format!("Error: skill {name} waits until a person has approved it")
            }
            Self::Failed { name, reason } => format!("Error: skill {name} could not be loaded: {reason}"),
        }
    }
}

fn cut(all: &[String], most: Option<usize>) -> (String, String) {
    let shown = most.map_or(all.len(), |most| most.min(all.len()));
    let more = all.len() - shown;
    let text = all.iter().take(shown).map(String::as_str).collect::<Vec<_>>().join(", ");
    (text, if more > 0 { format!(" and {more} more") } else { String::new() })
}

/// What `load_skill` answers.
#[derive(Clone, Debug)]
pub struct ToolAnswer {
    /// What is handed to the model: instructions, or the error's text.
    pub item: ContextItem,
    /// The loaded skill, or why nothing was loaded.
    pub result: Result<Cleared, ToolError>,
    /// Questions to a person that are put for the first time.
    pub questions: Vec<Question>,
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
        let gathered = self.held_or_look();
        let news = self.news(&gathered);
        let mut steps = Steps::new(self);
        let result = find_and_load(self, &gathered.snapshot, name, caller, &mut steps);
        let (item, digest) = match &result {
            Ok(cleared) => (cleared.loaded().item().clone(), Some(cleared.loaded().digest())),
            Err(error) => {
                let text = error.text(self.lifecycle.options().most_names);
                let (role, kind) = (Role::Tool, kind::NOTICE.to_owned());
                (ContextItem { role, kind, text, skill: None }, None)
            }
        };
        let mut records = vec![Record::Item { item: item.clone(), digest }];
        records
            .extend(steps.questions.iter().map(|question| Record::Asked { question: question.id.clone() }));
        let mut events = news.events.clone();
        events.extend(steps.events);
        self.commit(records, &events)?;
        self.install(gathered, news);
        match &result {
            Ok(cleared) => self.wait_for(&Selected {
                skill: cleared.loaded().skill().id.clone(),
                route: caller.route(),
                outcome: Outcome::Loaded(cleared.clone()),
            }),
            Err(ToolError::NeedsApproval { skill, question, .. }) => self.wait_for(&Selected {
                skill: skill.id.clone(),
                route: caller.route(),
                outcome: Outcome::Waiting(Arc::clone(skill), question.clone()),
            }),
            Err(_) => {}
        }
        Ok(ToolAnswer { item, result, questions: steps.questions, diagnostics: steps.diagnostics, events })
    }
}

fn find_and_load(
    session: &Session,
    snapshot: &Snapshot,
    name: &str,
    caller: Caller,
    steps: &mut Steps,
) -> Result<Cleared, ToolError> {
    let as_written = name;
    let name = name.trim();
    if name.is_empty() {
        return Err(ToolError::BlankName);
    }
    let route = caller.route();
    let refused = session.refusals(snapshot, &[route]);
    let resolution = session.lifecycle.resolver().resolve(
        snapshot,
        &ResolveRequest {
            texts: &[],
            structured: &[],
            // Whether blanks around a name matter is the resolver's to say.
            call: Some(Call { name: as_written, route }),
            connectors: &[],
            refused: &refused,
            same_name: session.lifecycle.options().same_name,
        },
    );
    let owned = name.to_owned();
    if let Some(found) = resolution.selected.first() {
        return match steps.hand_over(snapshot, &found.skill, route) {
            Outcome::Loaded(cleared) => Ok(cleared),
            Outcome::Waiting(skill, question) => {
                Err(ToolError::NeedsApproval { name: owned, skill, question })
            }
            Outcome::Denied(refusal) => Err(ToolError::Refused { name: owned, refusal }),
            Outcome::Failed(reason) => Err(ToolError::Failed { name: owned, reason }),
        };
    }
    let unresolved = resolution.unresolved.first();
    let reason = unresolved.map_or(&Reason::Unknown, |unresolved| &unresolved.reason);
    steps
        .events
        .push(Event::MentionUnresolved { mention: owned.clone(), reason: reason.as_str().to_owned() });
    let candidates = || {
        let ids = unresolved.into_iter().flat_map(|unresolved| &unresolved.candidates);
        ids.filter_map(|id| snapshot.get(id))
    };
    Err(match reason {
        Reason::Refused(refusal) => ToolError::Refused { name: owned, refusal: refusal.clone() },
        Reason::Ambiguous => ToolError::Ambiguous {
            locations: candidates().map(|skill| told_apart(skill, name)).collect(),
            name: owned,
        },
        Reason::Unknown | Reason::ConnectorClash => {
            let usable = snapshot.skills().filter(|skill| refused.get(&skill.id, route).is_none());
            let mut seen = std::collections::HashSet::new();
            let names = usable.map(|skill| skill.call_name()).filter(|name| seen.insert(*name));
            ToolError::Unknown {
                name: owned,
                available: names.map(str::to_owned).collect(),
                similar: candidates().next().map(|skill| skill.call_name().to_owned()),
            }
        }
    })
}

/// Returns what tells one of several skills that `name` may mean from the others.
fn told_apart(skill: &Skill, name: &str) -> String {
    if skill.call_name() == name { skill.shown_location() } else { skill.call_name().to_owned() }
}
