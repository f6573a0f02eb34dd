//! A conversation: its snapshot, its journal, and the state rebuilt from it.

use lorimer_authorize::McpServer;
use lorimer_core::{Diagnostic, Event, Route, Snapshot};
use lorimer_discover::ScanRequest;
use lorimer_persist::{JournalError, Record, Records, Sequence, SessionId, SessionState};

use crate::answer::Waiting;
use crate::gather::{Gathered, gather};
use crate::lifecycle::Refresh;
use crate::news::{News, Told};
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
    /// There are not so many turns to take back.
    #[error("cannot take back {asked} of {turns} turns")]
    NoSuchTurns {
        /// How many were to be taken back.
        asked: u64,
        /// How many there are.
        turns: u64,
    },
}

/// One conversation.
///
/// Whatever a method computes is kept in the journal first; only when that has worked does the session change, and are
/// observers told.
#[derive(Debug)]
pub struct Session {
    pub(crate) lifecycle: Lifecycle,
    id: SessionId,
    state: SessionState,
    /// Number of the last record that the state was made from.
    sequence: Sequence,
    /// What the running turn sees.
    held: Option<Gathered>,
    /// What a reload found, until the next turn holds it.
    next: Option<Gathered>,
    told: Told,
    pub(crate) servers: Vec<McpServer>,
    pub(crate) waiting: Vec<Waiting>,
    diagnostics: Vec<Diagnostic>,
}

impl Session {
    pub(crate) fn open(lifecycle: Lifecycle, id: SessionId) -> Result<Self, SessionError> {
        let stored = lifecycle.journal().records(&id)?;
        let state = lorimer_persist::replay(&stored.records);
        let told = Told::from_records(&stored.records, &state);
        let servers = lifecycle.options().servers.clone();
        Ok(Self {
            lifecycle,
            id,
            state,
            sequence: stored.sequence,
            held: None,
            next: None,
            told,
            servers,
            waiting: Vec::new(),
            diagnostics: stored.diagnostics,
        })
    }

    /// Returns the lifecycle that it runs under.
    pub fn lifecycle(&self) -> &Lifecycle {
        &self.lifecycle
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

    /// Returns what the session would tell a model at the next turn. Nothing is told, nothing is kept, and the running
    /// turn goes on seeing what it saw.
    pub fn view(&self) -> View {
        View::new(self, &self.look().snapshot, None)
    }

    /// Runs one turn through all stages, from discovering skills to keeping what happened.
    ///
    /// # Errors
    ///
    /// When the journal refuses, or another process has continued the session; then nothing was handed out, nothing is
    /// kept, and the turn can be tried again.
    pub fn begin(&mut self, input: &TurnInput) -> Result<Turn, SessionError> {
        let gathered = self.look();
        let news = self.told.news(&gathered, self.lifecycle.options().same_name);
        let (turn, records) = Turn::compute(self, &gathered.snapshot, &news, input);
        self.commit(records, &turn.events)?;
        self.install(gathered, news);
        self.next = None;
        for selected in &turn.selected {
            self.wait_for(selected);
        }
        Ok(turn)
    }

    /// Returns the snapshot that the running turn holds; before the first turn, what there is now.
    pub(crate) fn held_or_look(&self) -> Gathered {
        self.held.clone().unwrap_or_else(|| self.look())
    }

    /// Returns what the next turn sees: what was seen last, unless it is time to look at the sources.
    fn look(&self) -> Gathered {
        let due = self.lifecycle.options().refresh == Refresh::EveryTurn;
        match self.seen() {
            Some(seen) if !due => seen.clone(),
            _ => {
                let order = self.lifecycle.options().order;
                gather(self.lifecycle.sources(), order, &ScanRequest::default())
            }
        }
    }

    /// Returns what the session saw last: at a reload, or when the running turn began.
    pub(crate) fn seen(&self) -> Option<&Gathered> {
        self.next.as_ref().or(self.held.as_ref())
    }

    /// Keeps what was seen for the next turn.
    pub(crate) fn prepare(&mut self, gathered: Gathered) {
        self.next = Some(gathered);
    }

    pub(crate) fn news(&self, gathered: &Gathered) -> News {
        self.told.news(gathered, self.lifecycle.options().same_name)
    }

    /// From now on this is what was seen, and what was told about it.
    pub(crate) fn install(&mut self, gathered: Gathered, news: News) {
        self.told.take_in(&gathered, news);
        self.held = Some(gathered);
    }

    /// Keeps records and facts, then tells the observer. Nothing is told that could not be kept.
    pub(crate) fn commit(&mut self, mut records: Vec<Record>, events: &[Event]) -> Result<(), SessionError> {
        let facts = events.iter().filter(|event| is_kept(event)).cloned();
        records.extend(facts.map(|fact| Record::Fact { fact }));
        self.sequence = self.lifecycle.journal().append(&self.id, Some(self.sequence), &records)?;
        for record in &records {
            self.state.apply(record);
        }
        for event in events {
            self.lifecycle.observer().observe(event);
        }
        Ok(())
    }

    pub(crate) fn refusals(&self, snapshot: &Snapshot, routes: &[Route]) -> lorimer_resolve::Refusals {
        let mut refusals = lorimer_resolve::Refusals::default();
        for skill in snapshot.skills() {
            for route in routes {
                if let Some(refusal) = crate::view::refusal(self, skill, *route) {
                    refusals.insert(skill.id.clone(), *route, refusal);
                }
            }
        }
        refusals
    }
}

/// An unchanged listing leaves no trace in the journal (S3-26).
fn is_kept(event: &Event) -> bool {
    !matches!(event, Event::CatalogRendered { told: false, .. })
}
