//! A conversation: its snapshot, its journal, and the state rebuilt from it.

use std::collections::HashSet;

use lorimer_authorize::{McpServer, Question};
use lorimer_core::{Diagnostic, Event, Snapshot};
use lorimer_persist::{JournalError, Record, Records, SessionId, SessionState};

use crate::gather::{Gathered, SnapshotDiff, gather};
use crate::lifecycle::Refresh;
use crate::stages::{Cleared, Loaded};
use crate::view::View;
use crate::{Lifecycle, Turn, TurnInput};

/// A session cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The journal refused.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// No question of this id waits for an answer.
    #[error("no question `{0}` waits for an answer")]
    NoSuchQuestion(String),
}

/// One conversation.
#[derive(Debug)]
pub struct Session {
    pub(crate) lifecycle: Lifecycle,
    id: SessionId,
    state: SessionState,
    held: Option<Gathered>,
    stale: bool,
    /// The snapshot that events were told about last.
    told: Snapshot,
    rejected: HashSet<String>,
    pub(crate) servers: Vec<McpServer>,
    waiting: Vec<(Question, Loaded)>,
    /// What was odd about the journal when the session was opened.
    diagnostics: Vec<Diagnostic>,
    /// A fact from opening the session, told with the first turn.
    resumed: Option<Event>,
}

impl Session {
    pub(crate) fn open(lifecycle: Lifecycle, id: SessionId) -> Result<Self, SessionError> {
        let stored = lifecycle.journal().records(&id)?;
        let state = lorimer_persist::replay(&stored.records);
        let resumed = (state.turns > 0).then_some(Event::SessionResumed { turns: state.turns });
        let servers = lifecycle.options().servers.clone();
        Ok(Self {
            lifecycle,
            id,
            state,
            held: None,
            stale: false,
            told: Snapshot::empty(),
            rejected: HashSet::new(),
            servers,
            waiting: Vec::new(),
            diagnostics: stored.diagnostics,
            resumed,
        })
    }

    /// Returns the session's id in its journal.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// Returns what the journal holds: what the model was told, and the history.
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// Returns what was odd about the journal when the session was opened, as a torn tail.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns everything that the journal holds about this session.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn records(&self) -> Result<Records, SessionError> {
        Ok(self.lifecycle.journal().records(&self.id)?)
    }

    /// Makes the next turn look at all sources again, whatever they have cached (S3-29).
    pub fn reload(&mut self) {
        self.stale = true;
    }

    /// Returns what the session would tell a model now. Nothing is told and nothing is kept.
    pub fn view(&mut self) -> View {
        let snapshot = self.refresh();
        View::new(&self.lifecycle, &snapshot, None)
    }

    /// Runs one turn through all stages, from discovering skills to keeping what happened.
    ///
    /// # Errors
    ///
    /// When the journal refuses; then nothing was handed out and nothing is kept.
    pub fn begin(&mut self, input: &TurnInput) -> Result<Turn, SessionError> {
        let snapshot = self.refresh();
        Turn::run(self, snapshot, input)
    }

    /// Returns the snapshot that the running turn holds; the first one is taken when there is none yet.
    pub(crate) fn held(&mut self) -> Snapshot {
        match &self.held {
            Some(gathered) => gathered.snapshot.clone(),
            None => self.refresh(),
        }
    }

    fn refresh(&mut self) -> Snapshot {
        let due = self.stale || self.lifecycle.options().refresh == Refresh::EveryTurn;
        if let Some(gathered) = self.held.as_ref().filter(|_| !due) {
            return gathered.snapshot.clone();
        }
        let gathered = gather(self.lifecycle.sources(), self.lifecycle.options().order, self.stale);
        self.stale = false;
        let snapshot = gathered.snapshot.clone();
        self.held = Some(gathered);
        snapshot
    }

    /// Returns the events that tell what differs from the snapshot that was told about last.
    pub(crate) fn snapshot_events(&mut self, snapshot: &Snapshot) -> Vec<Event> {
        let mut events: Vec<Event> = self.resumed.take().into_iter().collect();
        let diff = SnapshotDiff::between(&self.told, snapshot);
        for skill in diff.added.iter().filter_map(|id| snapshot.get(id)) {
            events
                .push(Event::SkillDiscovered { skill: skill.id.clone(), name: skill.call_name().to_owned() });
        }
        for event in self.held.iter().flat_map(|gathered| &gathered.rejected) {
            let Event::SkillRejected { locator, code, .. } = event else { continue };
            if self.rejected.insert(format!("{code} {locator}")) {
                events.push(event.clone());
            }
        }
        for skill in diff.added.iter().filter_map(|id| snapshot.get(id)) {
            let mut namesakes = snapshot.named(skill.call_name());
            if namesakes.next().is_some_and(|first| first.id != skill.id) {
                events.push(Event::SkillShadowed { skill: skill.id.clone(), by: None });
            }
        }
        if !diff.is_empty() {
            events.push(Event::SnapshotChanged {
                added: diff.added.len(),
                changed: diff.changed.len(),
                removed: diff.removed.len(),
                digest: snapshot.digest(),
            });
        }
        self.told = snapshot.clone();
        events
    }

    /// Keeps records and facts, then tells the observer. Nothing is told that could not be kept.
    pub(crate) fn commit(&mut self, mut records: Vec<Record>, events: &[Event]) -> Result<(), SessionError> {
        records
            .extend(events.iter().filter(|event| is_kept(event)).cloned().map(|fact| Record::Fact { fact }));
        self.lifecycle.journal().append(&self.id, &records)?;
        for record in &records {
            self.state.apply(record);
        }
        for event in events {
            self.lifecycle.observer().observe(event);
        }
        Ok(())
    }

    pub(crate) fn wait_for(&mut self, cleared: &Cleared) {
        if let Cleared::Waiting(loaded, question) = cleared
            && !self.waiting.iter().any(|(other, _)| other.id == question.id)
        {
            self.waiting.push((question.clone(), loaded.clone()));
        }
    }

    /// Returns the questions that wait for an answer.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        self.waiting.iter().map(|(question, _)| question)
    }

    /// Gives a person's answer to a question of an earlier turn, and asks again whether the skill may be carried
    /// out. Installing something is the host's work: [`Answer::Provided`] says that it was done.
    ///
    /// # Errors
    ///
    /// When no such question waits, or the journal refuses.
    pub fn answer(&mut self, question: &str, answer: Answer) -> Result<Cleared, SessionError> {
        let position = self
            .waiting
            .iter()
            .position(|(waiting, _)| waiting.id == question)
            .ok_or_else(|| SessionError::NoSuchQuestion(question.to_owned()))?;
        let (_, loaded) = self.waiting.remove(position);
        let skill = loaded.skill().id.clone();
        let names: Vec<String> = loaded
            .skill()
            .dependencies
            .iter()
            .map(|dependency| format!("{}:{}", dependency.kind, dependency.value))
            .collect();
        let mut events = Vec::new();
        match answer {
            Answer::Provided(servers) => {
                self.servers.extend(servers);
                events.extend(
                    names
                        .into_iter()
                        .map(|dependency| Event::DependencyInstalled { skill: skill.clone(), dependency }),
                );
            }
            Answer::Declined => {
                events.extend(names.into_iter().map(|dependency| Event::DependencySkipped {
                    skill: skill.clone(),
                    dependency,
                    reason: "declined".to_owned(),
                }));
            }
        }
        let (cleared, mut told) = self.lifecycle.clear(loaded, &self.servers, &self.state.asked);
        // What is still missing was told when the question was asked.
        told.retain(|event| !matches!(event, Event::DependencyMissing { .. }));
        events.append(&mut told);
        self.commit(Vec::new(), &events)?;
        Ok(cleared)
    }
}

/// A person's answer to a question about a dependency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The host has installed what was missing; the session has these servers now.
    Provided(Vec<McpServer>),
    /// Go on without it.
    Declined,
}

/// An unchanged listing leaves no trace in the journal (S3-26).
fn is_kept(event: &Event) -> bool {
    !matches!(event, Event::CatalogRendered { told: false, .. })
}
