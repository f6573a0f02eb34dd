//! One skill's way from its identity to its body, and what is told about it.

use std::sync::Arc;

use lorimer_authorize::{Admission, ClearRequest, McpServer, Question};
use lorimer_core::{Code, Diagnostic, Event, Refusal, Route, Skill, SkillId, Snapshot};

use crate::session::Session;
use crate::stages::{Cleared, Clearing, Loaded};
use crate::{Lifecycle, LoadError};

/// What came of a skill that was asked for and found.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a turn has few of them")]
pub enum Outcome {
    /// It was handed to the model; whether it may be carried out is inside.
    Loaded(Cleared),
    /// A person has to say whether it may be used at all.
    Waiting(Arc<Skill>, Question),
    /// A rule kept it from being used.
    Denied(Refusal),
    /// Its body could not be handed over.
    Failed(String),
}

/// One skill that was asked for and found.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The skill.
    pub skill: SkillId,
    /// How it was asked for.
    pub route: Route,
    /// What came of it.
    pub outcome: Outcome,
}

/// Takes skills through their stages and collects what is to be told.
#[derive(Debug)]
pub(crate) struct Steps {
    lifecycle: Lifecycle,
    pub(crate) servers: Vec<McpServer>,
    pub(crate) approved: Vec<String>,
    pub(crate) declined: Vec<String>,
    /// Questions that wait already; they are not put twice.
    waiting: Vec<String>,
    pub(crate) events: Vec<Event>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Questions that are put for the first time.
    pub(crate) questions: Vec<Question>,
}

impl Steps {
    pub(crate) fn new(session: &Session) -> Self {
        Self {
            lifecycle: session.lifecycle.clone(),
            servers: session.servers.clone(),
            approved: session.state().approved.clone(),
            declined: session.state().declined.clone(),
            waiting: session.questions().map(|question| question.id.clone()).collect(),
            events: Vec::new(),
            diagnostics: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// Takes one skill from its identity to its body: admit, read and wrap, clear.
    pub(crate) fn hand_over(&mut self, snapshot: &Snapshot, id: &SkillId, route: Route) -> Outcome {
        self.events.push(Event::MentionResolved { skill: id.clone(), route });
        let Some(skill) = snapshot.get(id) else {
            return self.failed(id, route, "a resolver chose a skill that is not in the snapshot".to_owned());
        };
        let selection = match self.lifecycle.admit(Arc::clone(skill), route, &self.approved) {
            Ok(selection) => selection,
            Err(Admission::Ask(question)) => {
                self.denied(id, route, "needs-approval");
                self.ask(&question);
                return Outcome::Waiting(Arc::clone(skill), question);
            }
            Err(Admission::Refused(refusal)) => {
                self.denied(id, route, &refusal.rule);
                return Outcome::Denied(refusal);
            }
            Err(Admission::Admitted) => {
                return self.failed(id, route, "an authorizer admitted and refused at once".to_owned());
            }
        };
        match self.lifecycle.load(selection, None) {
            Ok(loaded) => Outcome::Loaded(self.take_in(loaded)),
            Err(error) => self.unreadable(skill, route, &error),
        }
    }

    fn take_in(&mut self, loaded: Loaded) -> Cleared {
        let (skill, route) = (loaded.skill().id.clone(), loaded.route());
        let bytes = loaded.body().len();
        let digest = loaded.digest();
        self.events.push(Event::SkillInjected { skill: skill.clone(), route, bytes, digest });
        if loaded.is_cut() {
            self.events.push(Event::BodyCut { skill: skill.clone(), kept: bytes });
        }
        self.diagnostics.extend(loaded.diagnostics().iter().cloned());
        self.diagnostics.extend(self.lifecycle.authorizer().findings(&ClearRequest {
            skill: loaded.skill(),
            digest,
            servers: &self.servers,
            declined: &self.declined,
        }));
        let cleared = self.lifecycle.clear(loaded, &self.servers, &self.declined);
        for dependency in cleared.missing() {
            let dependency = format!("{}:{}", dependency.kind, dependency.value);
            self.diagnostics.push(lacks(cleared.loaded().skill(), &dependency));
            self.events.push(Event::DependencyMissing { skill: skill.clone(), dependency });
        }
        self.tell_clearing(&cleared);
        cleared
    }

    /// Clears a loaded skill twice: as it was before anything was answered, and as it is now.
    pub(crate) fn clear_again(&self, loaded: Loaded, before: &[McpServer]) -> (Cleared, Cleared) {
        let was = self.lifecycle.clear(loaded.clone(), before, &[]);
        (was, self.lifecycle.clear(loaded, &self.servers, &self.declined))
    }

    pub(crate) fn tell_clearing(&mut self, cleared: &Cleared) {
        let skill = cleared.loaded().skill().id.clone();
        self.events.push(match cleared.state() {
            Clearing::Ready => Event::SkillCleared { skill },
            Clearing::Blocked(reason) => Event::SkillBlocked { skill, reason: reason.clone() },
            Clearing::Waiting(question) => Event::SkillWaiting { skill, question: question.id.clone() },
        });
        if let Clearing::Waiting(question) = cleared.state() {
            self.ask(question);
        }
    }

    fn ask(&mut self, question: &Question) {
        let known = self.questions.iter().map(|known| &known.id).chain(&self.waiting);
        if !known.into_iter().any(|known| *known == question.id) {
            self.questions.push(question.clone());
        }
    }

    fn denied(&mut self, id: &SkillId, route: Route, rule: &str) {
        self.events.push(Event::SkillDenied { skill: id.clone(), route, reason: rule.to_owned() });
    }

    fn failed(&mut self, id: &SkillId, route: Route, reason: String) -> Outcome {
        self.events.push(Event::SkillInjectionFailed { skill: id.clone(), route, reason: reason.clone() });
        Outcome::Failed(reason)
    }

    fn unreadable(&mut self, skill: &Skill, route: Route, error: &LoadError) -> Outcome {
        let reason = chain(error);
        let message = format!("`{}` was selected but not loaded: {reason}", skill.call_name());
        self.diagnostics.push(
            Diagnostic::new(Code::BodyUnreadable, message)
                .at(skill.id.locator.clone(), None)
                .with_help("put the file back, or reload so that the listing follows the disk"),
        );
        self.failed(&skill.id, route, reason)
    }
}

fn lacks(skill: &Skill, dependency: &str) -> Diagnostic {
    let message = format!("`{}` was loaded, but this session lacks {dependency}", skill.call_name());
    Diagnostic::new(Code::DependencyMissing, message)
        .at(skill.id.locator.clone(), None)
        .with_help("add the server to the session, or go on without what the skill does with it")
}

/// Writes an error and its causes on one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
