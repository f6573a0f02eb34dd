//! Questions that wait for a person, and the answers.

use std::sync::Arc;

use lorimer_authorize::{McpServer, Question};
use lorimer_core::{Dependency, Event, Route, Skill};
use lorimer_persist::Record;

use crate::session::{Session, SessionError};
use crate::stages::{Clearing, Loaded};
use crate::steps::{Outcome, Selected, Steps};

/// A question, and everything that waits for its answer.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) question: Question,
    turn: u64,
    skills: Vec<Pending>,
}

/// A skill that waits.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a session has few of them")]
enum Pending {
    /// For leave to be used at all.
    Admission(Arc<Skill>, Route),
    /// For leave to be carried out.
    Clearance(Loaded),
}

/// A person's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes. The host has done what the question asked for; the session has these MCP servers in addition now.
    Approved(Vec<McpServer>),
    /// No; go on without it. The question is not put again in this session.
    Declined,
    /// The person said yes, and the host could not do it, for this reason. The question may be put again.
    Failed(String),
}

impl Session {
    /// Returns the questions that wait for an answer.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        self.waiting.iter().map(|waiting| &waiting.question)
    }

    /// Gives a person's answer to a question of an earlier turn, and returns what became of the skills that waited for
    /// it. Installing something is the host's work.
    ///
    /// # Errors
    ///
    /// When no such question waits, or the journal refuses; then it still waits.
    pub fn answer(&mut self, question: &str, answer: &Answer) -> Result<Vec<Selected>, SessionError> {
        let position = self
            .waiting
            .iter()
            .position(|waiting| waiting.question.id == question)
            .ok_or_else(|| SessionError::NoSuchQuestion(question.to_owned()))?;
        let Some(Waiting { skills, .. }) = self.waiting.get(position).cloned() else {
            return Err(SessionError::NoSuchQuestion(question.to_owned()));
        };
        let mut servers = self.servers.clone();
        let mut steps = Steps::new(self);
        match answer {
            Answer::Approved(more) => {
                servers.extend(more.iter().cloned());
                steps.approved.push(question.to_owned());
            }
            Answer::Declined => steps.declined.push(question.to_owned()),
            Answer::Failed(_) => {}
        }
        steps.servers.clone_from(&servers);
        let snapshot = self.held_or_look().snapshot;
        let mut settled = Vec::with_capacity(skills.len());
        for pending in skills {
            settled.push(match pending {
                Pending::Admission(skill, route) => {
                    let outcome = steps.hand_over(&snapshot, &skill.id, route);
                    Selected { skill: skill.id.clone(), route, outcome }
                }
                Pending::Clearance(loaded) => settle(&mut steps, loaded, &self.servers, answer),
            });
        }
        let (mut records, events) = (Vec::new(), steps.events);
        if !matches!(answer, Answer::Failed(_)) {
            let declined = *answer == Answer::Declined;
            records.push(Record::Answered { question: question.to_owned(), declined });
        }
        for question in &steps.questions {
            records.push(Record::Asked { question: question.id.clone() });
        }
        self.commit(records, &events)?;
        self.servers = servers;
        self.waiting.remove(position);
        for selected in &settled {
            self.wait_for(selected);
        }
        Ok(settled)
    }

    /// Puts a skill that waits behind its question.
    pub(crate) fn wait_for(&mut self, selected: &Selected) {
        let (question, pending) = match &selected.outcome {
            Outcome::Loaded(cleared) => match cleared.state() {
                Clearing::Waiting(question) => (question, Pending::Clearance(cleared.loaded().clone())),
                Clearing::Ready | Clearing::Blocked(_) => return,
            },
            Outcome::Waiting(skill, question) => {
                (question, Pending::Admission(Arc::clone(skill), selected.route))
            }
            Outcome::Denied(_) | Outcome::Failed(_) => return,
        };
        let turn = self.state().turns;
        match self.waiting.iter_mut().find(|waiting| waiting.question.id == question.id) {
            Some(waiting) => waiting.skills.push(pending),
            None => self.waiting.push(Waiting { question: question.clone(), turn, skills: vec![pending] }),
        }
    }

    /// Questions of turns that were taken back wait no more.
    pub(crate) fn forget_questions_after(&mut self, turn: u64) {
        self.waiting.retain(|waiting| waiting.turn <= turn);
    }
}

/// Asks again whether a loaded skill may be carried out, and tells what became of each thing that it lacked.
fn settle(steps: &mut Steps, loaded: Loaded, before: &[McpServer], answer: &Answer) -> Selected {
    let (skill, route) = (loaded.skill().id.clone(), loaded.route());
    let (before, after) = steps.clear_again(loaded, before);
    let name = |dependency: &Dependency| format!("{}:{}", dependency.kind, dependency.value);
    for dependency in before.missing() {
        let (skill, is_there) = (skill.clone(), !after.missing().contains(dependency));
        let dependency = name(dependency);
        steps.events.push(match answer {
            _ if is_there => Event::DependencyInstalled { skill, dependency },
            Answer::Failed(reason) => Event::DependencyFailed { skill, dependency, reason: reason.clone() },
            Answer::Declined => Event::DependencySkipped { skill, dependency, reason: "declined".to_owned() },
            Answer::Approved(_) => {
                Event::DependencySkipped { skill, dependency, reason: "still-missing".to_owned() }
            }
        });
    }
    let after = match answer {
        // The question is settled for now; it may be put again when the skill is asked for again.
        Answer::Failed(reason) => after.blocked(format!("dependency-failed: {reason}")),
        _ => after,
    };
    steps.tell_clearing(&after);
    Selected { skill, route, outcome: Outcome::Loaded(after) }
}
