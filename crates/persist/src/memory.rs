//! A journal that lives as long as its value.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::journal::{check_end, wide};
use crate::{Journal, JournalError, Record, Records, Sequence, SessionId};

/// Keeps records in memory: for tests, and for sessions that nobody will resume.
#[derive(Debug, Default)]
pub struct MemoryJournal(Mutex<HashMap<SessionId, Vec<Record>>>);

impl MemoryJournal {
    /// Returns an empty journal.
    pub fn new() -> Self {
        Self::default()
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<SessionId, Vec<Record>>> {
        // A batch goes in by one `extend`, so a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journal for MemoryJournal {
    fn append(
        &self,
        session: &SessionId,
        after: Option<Sequence>,
        records: &[Record],
    ) -> Result<Sequence, JournalError> {
        let mut sessions = self.sessions();
        let end = sessions.get(session).map_or(0, |kept| wide(kept.len()));
        check_end(session, after, end)?;
        if records.is_empty() {
            return Ok(end);
        }
        let kept = sessions.entry(session.clone()).or_default();
        kept.extend_from_slice(records);
        Ok(wide(kept.len()))
    }

    fn records(&self, session: &SessionId) -> Result<Records, JournalError> {
        let records = self.sessions().get(session).cloned().unwrap_or_default();
        Ok(Records { sequence: wide(records.len()), records, diagnostics: Vec::new() })
    }
}
