//! Persist: an append-only journal of what the model saw, and the state that is rebuilt from it.
//!
//! A [`Journal`] never rewrites a record. [`JsonlJournal`] keeps one file per session, [`MemoryJournal`] keeps nothing
//! longer than it lives. [`replay()`] makes the state of a session from its records, by the same code that keeps the
//! state of a running one: [`SessionState::apply`].

mod files;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod journal;
mod jsonl;
mod lines;
mod memory;
mod replay;

pub use journal::{Journal, JournalError, Record, Records, Sequence, SessionId};
pub use jsonl::JsonlJournal;
pub use memory::MemoryJournal;
pub use replay::{HistoryItem, SessionState, VisibleBody, replay};
