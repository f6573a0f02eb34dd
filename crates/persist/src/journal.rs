//! The verb of this stage.

use std::path::PathBuf;
use std::sync::Arc;

use lorimer_core::{ContextItem, Diagnostic, Digest, Event};
use serde::{Deserialize, Serialize};

/// Names a session: 1 to 128 of the characters `A-Z a-z 0-9 . _ -`, not starting with a dot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SessionId(String);

impl SessionId {
    /// Returns the session of this name.
    ///
    /// # Errors
    ///
    /// When the name could not be the name of a file on every platform.
    pub fn new(name: impl Into<String>) -> Result<Self, JournalError> {
        let name = name.into();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        if name.is_empty() || name.len() > 128 || name.starts_with('.') || !name.bytes().all(plain) {
            return Err(JournalError::InvalidSessionId(name));
        }
        Ok(Self(name))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SessionId {
    type Error = JournalError;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::new(name)
    }
}

impl From<SessionId> for String {
    fn from(id: SessionId) -> Self {
        id.0
    }
}

/// One thing that happened in a session. Records are only ever appended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Record {
    /// A turn began.
    Turn {
        /// Its number, from 1.
        index: u64,
        /// Digest of the snapshot that the turn holds.
        snapshot: Digest,
    },
    /// What a section of the listing says from now on; `None` when it has nothing to say. Written only when it
    /// differs from what was told last (S3-26, S3-27).
    Catalog {
        /// The section.
        section: String,
        /// Its text.
        text: Option<String>,
    },
    /// The user's own message.
    UserMessage {
        /// Its text.
        text: String,
    },
    /// Something that was handed to the model.
    Item {
        /// The item.
        item: ContextItem,
        /// For a skill's body: digest of the file as it was read, so that it can be told whether it has changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        digest: Option<Digest>,
    },
    /// A question was put to a person.
    Asked {
        /// Its id.
        question: String,
    },
    /// The last turns were taken back, with everything that was said in them (S3-46).
    RolledBack {
        /// How many.
        turns: u64,
    },
    /// The history was replaced by the user's own messages and a summary. No body and no listing is kept word for
    /// word (S3-47), so what the model was told about skills has to be told again (S3-49).
    Compacted {
        /// The summary.
        summary: String,
        /// How many of the user's messages are kept, counted from the last one; `None` keeps all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        messages: Option<usize>,
    },
    /// A question that was put to a person is settled.
    Answered {
        /// Its id.
        question: String,
        /// Whether the person said no, so that it is not put again in this session.
        declined: bool,
    },
    /// A fact for reports. It has no part in the state.
    Fact {
        /// The fact.
        fact: Event,
    },
}

/// Number of the last record of a session, from 1; 0 for a session without records.
pub type Sequence = u64;

/// Refuses records that were computed from another state than the one that they would be appended to.
pub(crate) fn check_end(
    session: &SessionId,
    expected: Option<Sequence>,
    found: Sequence,
) -> Result<(), JournalError> {
    match expected.filter(|expected| *expected != found) {
        Some(expected) => Err(JournalError::Conflict { session: session.clone(), expected, found }),
        None => Ok(()),
    }
}

/// Returns a length as the number that goes into a file; no length is larger on any platform that Rust knows.
pub(crate) fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// The records of a session, first to last, and what was odd about reading them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// The records.
    pub records: Vec<Record>,
    /// Number of the last record, counting those that could not be read because they are of a newer kind.
    pub sequence: Sequence,
    /// A torn tail that was set aside, records of a newer kind, …
    pub diagnostics: Vec<Diagnostic>,
}

/// A journal cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The name of a session would not be a file name everywhere.
    #[error("`{0}` is not a session id (1 to 128 of A-Z a-z 0-9 . _ -, not starting with a dot)")]
    InvalidSessionId(String),
    /// The journal holds something, before its last line, that is no record.
    #[error("{}:{line}: expected a journal record; the file was changed by something else", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why the line cannot be read.
        #[source]
        source: serde_json::Error,
    },
    /// The journal was written by a later version.
    #[error("{}: format {found} is newer than this version can read ({supported})", path.display())]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format that can be read.
        supported: u32,
    },
    /// Another writer has the session.
    #[error("{}: another process is writing this session", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The session has moved on since the writer read it.
    #[error("session `{}` was continued by another writer; open it again", session.as_str())]
    Conflict {
        /// The session.
        session: SessionId,
        /// Where the writer thought that it ends.
        expected: Sequence,
        /// Where it ends.
        found: Sequence,
    },
    /// A store of another kind failed.
    #[error("the journal's store failed")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A record cannot be written as text.
    #[error("cannot encode a record")]
    Encode(#[from] serde_json::Error),
    /// The platform failed.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What went wrong.
        #[source]
        source: std::io::Error,
    },
}

/// Keeps what happened.
///
/// # Contract
///
/// * `append` is durable when it returns, and all or nothing: after a crash either all of its records are there,
///   in order, once, or none.
/// * A record is never rewritten.
/// * Sessions do not see each other.
/// * Methods may be called from several threads at once and may block on I/O.
pub trait Journal: Send + Sync {
    /// Appends records to a session and returns the number of the last one.
    ///
    /// `after` is the number of the last record that the writer knows of: whoever computed records from a state may
    /// only append them to that state. With `None` they go wherever the session ends.
    ///
    /// # Errors
    ///
    /// [`JournalError::Conflict`] when the session does not end at `after`; others when the records could not be made
    /// durable. Either way none of them is there.
    fn append(
        &self,
        session: &SessionId,
        after: Option<Sequence>,
        records: &[Record],
    ) -> Result<Sequence, JournalError>;

    /// Returns all records of a session, first to last; none for a session that nobody wrote to.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read. A torn tail is no error: it is set aside and reported.
    fn records(&self, session: &SessionId) -> Result<Records, JournalError>;
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<J: Journal + ?Sized> Journal for $pointer {
            fn append(
                &self,
                session: &SessionId,
                after: Option<Sequence>,
                records: &[Record],
            ) -> Result<Sequence, JournalError> {
                (**self).append(session, after, records)
            }

            fn records(&self, session: &SessionId) -> Result<Records, JournalError> {
                (**self).records(session)
            }
        }
    )+};
}

forward!(&J, Box<J>, Arc<J>);
