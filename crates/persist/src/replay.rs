//! The state of a session, made from its records.

use indexmap::IndexMap;
use lorimer_core::{ContextItem, Digest, SkillId, kind};

use crate::Record;

/// Something that is in the history of a session, in the order in which the model got it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryItem {
    /// The user's own message.
    UserMessage {
        /// The turn that it was part of; 0 before the first turn.
        turn: u64,
        /// Its text.
        text: String,
    },
    /// Something that was handed to the model beside it.
    Item {
        /// The turn that it was part of; 0 before the first turn.
        turn: u64,
        /// The item.
        item: ContextItem,
        /// For a skill's body: digest of the file as it was read.
        digest: Option<Digest>,
    },
    /// What stands for everything before it. Which skills survive inside it, nobody can tell.
    Summary {
        /// The turn that it was made in.
        turn: u64,
        /// Its text.
        text: String,
    },
}

impl HistoryItem {
    /// Returns the turn that it was part of; 0 before the first turn.
    pub fn turn(&self) -> u64 {
        match self {
            Self::UserMessage { turn, .. } | Self::Item { turn, .. } | Self::Summary { turn, .. } => *turn,
        }
    }
}

/// A skill's body that is still in the history. That it can be seen does not make the skill active (S3-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibleBody<'a> {
    /// The skill.
    pub skill: &'a SkillId,
    /// Digest of the file as it was read.
    pub digest: Option<Digest>,
    /// The turn in which it was handed over.
    pub turn: u64,
}

/// What is known about a session: what its records say, and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionState {
    /// Number of the last turn.
    pub turns: u64,
    /// What the model was told last, per section of the listing; `None` when it was told that there is nothing. A
    /// section that it was never told about, or that is no longer in its history, is not here.
    pub catalog: IndexMap<String, Option<String>>,
    /// What the model saw, first to last.
    pub history: Vec<HistoryItem>,
    /// Questions that were put to a person, first to last. They are not taken back with a turn.
    pub asked: Vec<String>,
    /// Questions that a person said no to. They are not put again.
    pub declined: Vec<String>,
    /// Questions that a person said yes to.
    pub approved: Vec<String>,
    /// Digest of the snapshot of the last turn.
    pub snapshot: Option<Digest>,
    /// What has to be known to take turns back.
    marks: Vec<Mark>,
    /// The state before the last compaction, for turns that are taken back across it.
    past: Option<Box<SessionState>>,
}

/// Something that is not in the history and ends with its turn all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mark {
    Turn { turn: u64, snapshot: Digest },
    Told { turn: u64, section: String, text: Option<String> },
}

impl SessionState {
    /// Takes in one record. A running session and a resumed one both come about by this, so they cannot differ.
    pub fn apply(&mut self, record: &Record) {
        match record {
            Record::Turn { index, snapshot } => self.mark(Mark::Turn { turn: *index, snapshot: *snapshot }),
            Record::Catalog { section, text } => {
                self.mark(Mark::Told { turn: self.turns, section: section.clone(), text: text.clone() });
            }
            Record::UserMessage { text } => {
                self.history.push(HistoryItem::UserMessage { turn: self.turns, text: text.clone() });
            }
            Record::Item { item, digest } => {
                let item = item.clone();
                self.history.push(HistoryItem::Item { turn: self.turns, item, digest: *digest });
            }
            Record::Asked { question } => {
                if !self.asked.contains(question) {
                    self.asked.push(question.clone());
                }
            }
            Record::Answered { question, declined } => {
                let (to, from) = match declined {
                    true => (&mut self.declined, &mut self.approved),
                    false => (&mut self.approved, &mut self.declined),
                };
                from.retain(|other| other != question);
                if !to.contains(question) {
                    to.push(question.clone());
                }
            }
            Record::RolledBack { turns } => self.roll_back(self.turns.saturating_sub(*turns)),
            Record::Compacted { summary, messages } => self.compact(summary, *messages),
            Record::Fact { .. } => {}
        }
    }

    /// Returns the user's own messages. Items of the skill lifecycle are none, whatever their role (S3-46).
    pub fn user_messages(&self) -> impl Iterator<Item = &str> {
        self.history.iter().filter_map(|item| match item {
            HistoryItem::UserMessage { text, .. } => Some(text.as_str()),
            HistoryItem::Item { .. } | HistoryItem::Summary { .. } => None,
        })
    }

    /// Returns the bodies that are still in the history, first to last.
    pub fn visible_bodies(&self) -> impl Iterator<Item = VisibleBody<'_>> {
        self.history.iter().filter_map(|item| match item {
            HistoryItem::Item { turn, item, digest }
                if matches!(item.kind.as_str(), kind::SELECTED_SKILL | kind::TOOL_RESULT) =>
            {
                Some(VisibleBody { skill: item.skill.as_ref()?, digest: *digest, turn: *turn })
            }
            _ => None,
        })
    }

    fn mark(&mut self, mark: Mark) {
        match &mark {
            Mark::Turn { turn, snapshot } => {
                self.turns = *turn;
                self.snapshot = Some(*snapshot);
            }
            Mark::Told { section, text, .. } => {
                self.catalog.insert(section.clone(), text.clone());
            }
        }
        self.marks.push(mark);
    }

    /// Takes back every turn behind `last`. What came before the first turn stays.
    fn roll_back(&mut self, last: u64) {
        while let Some(past) = self.past.take_if(|past| past.turns > last) {
            let asked = std::mem::take(&mut self.asked);
            let declined = std::mem::take(&mut self.declined);
            let approved = std::mem::take(&mut self.approved);
            *self = Self { asked, declined, approved, ..*past };
        }
        self.history.retain(|item| item.turn() <= last);
        self.turns = last;
        self.snapshot = None;
        self.catalog.clear();
        for mark in std::mem::take(&mut self.marks) {
            let (Mark::Turn { turn, .. } | Mark::Told { turn, .. }) = &mark;
            if *turn <= last {
                self.mark(mark);
            }
        }
    }

    fn compact(&mut self, summary: &str, messages: Option<usize>) {
        let turn = self.turns;
        let mut history: Vec<_> = self
            .history
            .iter()
            .filter(|item| matches!(item, HistoryItem::UserMessage { .. }))
            .cloned()
            .collect();
        if let Some(messages) = messages {
            history.drain(..history.len().saturating_sub(messages));
        }
        history.push(HistoryItem::Summary { turn, text: summary.to_owned() });
        let marks = self.snapshot.map(|snapshot| Mark::Turn { turn, snapshot }).into_iter().collect();
        let after = Self {
            turns: turn,
            catalog: IndexMap::new(),
            history,
            asked: self.asked.clone(),
            declined: self.declined.clone(),
            approved: self.approved.clone(),
            snapshot: self.snapshot,
            marks,
            past: None,
        };
        let before = std::mem::replace(self, after);
        self.past = Some(Box::new(before));
    }
}

/// Returns the state that these records make.
///
/// ```
/// use lorimer_persist::{Journal, MemoryJournal, Record, SessionId, SessionState, replay};
///
/// let (journal, session) = (MemoryJournal::new(), SessionId::new("monday")?);
/// let mut live = SessionState::default();
/// let record = Record::UserMessage { text: "Make $tea".to_owned() };
/// journal.append(&session, None, std::slice::from_ref(&record))?;
/// live.apply(&record);
/// assert_eq!(replay(&journal.records(&session)?.records), live);
/// # Ok::<(), lorimer_persist::JournalError>(())
/// ```
pub fn replay(records: &[Record]) -> SessionState {
    let mut state = SessionState::default();
    for record in records {
        state.apply(record);
    }
    state
}
