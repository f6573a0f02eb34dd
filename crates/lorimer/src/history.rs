//! What a host does to a session's history: take turns back, or put a summary in their place.

use lorimer_core::{Event, Role};
use lorimer_persist::Record;

use crate::session::{Session, SessionError};

impl Session {
    /// Takes back the last `turns` turns: their messages, and what the model was told in them. Nothing is rewritten in
    /// the journal. Items of the lifecycle are never counted as messages of the user's own (S3-46).
    ///
    /// # Errors
    ///
    /// When there are not so many turns, or the journal refuses; then nothing is taken back.
    pub fn roll_back(&mut self, turns: u64) -> Result<(), SessionError> {
        let before = self.state().turns;
        if turns == 0 || turns > before {
            return Err(SessionError::NoSuchTurns { asked: turns, turns: before });
        }
        self.commit(vec![Record::RolledBack { turns }], &[Event::SessionRolledBack { turns }])?;
        self.forget_questions_after(self.state().turns);
        Ok(())
    }

    /// Replaces the history by the user's own messages and this summary. Bodies do not survive word for word, and what
    /// is left of them inside the summary nobody can tell (S3-47, S3-48); the next turn tells the listing again.
    ///
    /// # Errors
    ///
    /// When the journal refuses; then the history stays.
    pub fn compact(&mut self, summary: impl Into<String>) -> Result<(), SessionError> {
        let bodies_dropped = self.state().visible_bodies().count();
        let mut records = vec![Record::Compacted { summary: summary.into(), messages: None }];
        // What stands in the system's role is no part of the conversation, so a summary does not take it away.
        if self.lifecycle.options().listing_role == Role::System {
            let told = self.state().catalog.iter();
            records.extend(
                told.map(|(section, text)| Record::Catalog { section: section.clone(), text: text.clone() }),
            );
        }
        self.commit(records, &[Event::HistoryCompacted { bodies_dropped }])
    }
}
