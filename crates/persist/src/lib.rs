//! Persist: an append-only journal of what the model saw, and the state that is rebuilt from it.
//!
//! A [`Journal`] never rewrites a record.

mod journal;

pub use journal::{Journal, JournalError, Record, Records, Sequence, SessionId};
