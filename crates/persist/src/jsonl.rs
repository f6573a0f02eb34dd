//! One file per session, one line per record.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lorimer_core::{Code, Diagnostic};

use crate::files::{add, failed, open_to_read, open_to_write, read_all, sync_directory, write_at};
use crate::journal::{check_end, wide};
use crate::lines::{HEADER, Parsed, Unreadable, VERSION, encode, parse};
use crate::{Journal, JournalError, Record, Records, Sequence, SessionId};

/// Keeps each session in a file of its own, `SESSION.jsonl`, one line per record.
///
/// A batch of records is one write that the disk has taken before [`Journal::append`] returns. After a crash in the
/// middle of it the whole batch counts as never written: [`Journal::records`] reports it, and the next append moves it
/// to `SESSION.jsonl.torn`, so that no byte is lost. Several processes may share a directory; while one writes a session
/// the others wait for it shortly, and then are told that it is busy.
///
/// ```
/// use lorimer_persist::{Journal, JsonlJournal, Record, SessionId};
///
/// let directory = tempfile::tempdir()?;
/// let journal = JsonlJournal::open(directory.path());
/// let session = SessionId::new("monday")?;
/// journal.append(&session, None, &[Record::UserMessage { text: "Hello".to_owned() }])?;
/// assert_eq!(journal.records(&session)?.records.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JsonlJournal {
    directory: PathBuf,
    tails: Mutex<HashMap<SessionId, Arc<Mutex<Option<Tail>>>>>,
}

/// Where the last append of this process ended, so that the next one need not read the file again.
#[derive(Clone, Copy, Debug)]
struct Tail {
    length: u64,
    sequence: Sequence,
}

impl JsonlJournal {
    /// Returns the journal in this directory. Nothing is created before the first record is appended.
    pub fn open(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), tails: Mutex::default() }
    }

    /// Returns the file of a session, whether or not it exists.
    pub fn path(&self, session: &SessionId) -> PathBuf {
        self.directory.join(format!("{}.jsonl", session.as_str()))
    }

    /// Returns the sessions that have a file, by name.
    ///
    /// # Errors
    ///
    /// When the directory is there and cannot be listed.
    pub fn sessions(&self) -> Result<Vec<SessionId>, JournalError> {
        let entries = match std::fs::read_dir(&self.directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed("list", &self.directory)(error)),
        };
        let mut sessions = Vec::new();
        for entry in entries {
            let name = entry.map_err(failed("list", &self.directory))?.file_name();
            let session = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
            sessions.extend(session.and_then(|session| SessionId::new(session).ok()));
        }
        sessions.sort();
        Ok(sessions)
    }

    /// Returns the lock that keeps the threads of this process apart, one session at a time.
    fn tail(&self, session: &SessionId) -> Arc<Mutex<Option<Tail>>> {
        let mut tails = self.tails.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(tails.entry(session.clone()).or_default())
    }
}

impl Journal for JsonlJournal {
    fn append(
        &self,
        session: &SessionId,
        after: Option<Sequence>,
        records: &[Record],
    ) -> Result<Sequence, JournalError> {
        let path = self.path(session);
        let tail = self.tail(session);
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        if records.is_empty() {
            let end = read(&path)?.map_or(0, |(parsed, _)| parsed.sequence);
            return check_end(session, after, end).map(|()| end);
        }
        let mut file = open_to_write(&path)?;
        let length = file.metadata().map_err(failed("read", &path))?.len();
        // It is put back only when all went well; otherwise the next append looks at the file itself.
        let end = match tail.take() {
            Some(known) if known.length == length => known,
            _ => repair(&mut file, &path)?,
        };
        if let Err(conflict) = check_end(session, after, end.sequence) {
            *tail = Some(end);
            return Err(conflict);
        }
        let mut bytes = Vec::new();
        if end.length == 0 {
            bytes.extend_from_slice(HEADER.as_bytes());
        }
        encode(&mut bytes, end.sequence, records)?;
        if let Err(error) = write_at(&mut file, end.length, &bytes) {
            // Nothing of a batch that was not acknowledged may stay. Where even that fails, the end mark is most
            // likely missing, and the rest is set aside later.
            if let Err(error) = file.set_len(end.length).and_then(|()| file.sync_data()) {
                tracing::warn!(path = %path.display(), %error, "cannot take back a batch that failed");
            }
            return Err(failed("write", &path)(error));
        }
        if end.length == 0 {
            sync_directory(&path)?;
        }
        let sequence = end.sequence + wide(records.len());
        *tail = Some(Tail { length: end.length + wide(bytes.len()), sequence });
        Ok(sequence)
    }

    fn records(&self, session: &SessionId) -> Result<Records, JournalError> {
        let path = self.path(session);
        let tail = self.tail(session);
        let _alone = tail.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((parsed, length)) = read(&path)? else { return Ok(Records::default()) };
        let mut diagnostics = Vec::new();
        for (line, kind) in &parsed.unknown {
            let message = format!("the record `{kind}` in line {line} is of a newer kind and was skipped");
            diagnostics.push(Diagnostic::new(Code::JournalUnknownRecord, message).at(path.clone(), None));
        }
        let torn = length - parsed.committed;
        if torn > 0 {
            let message = format!("the last {torn} bytes are no whole batch of records and were left out");
            diagnostics.push(
                Diagnostic::new(Code::JournalTornTail, message)
                    .at(path.clone(), None)
                    .with_help(format!("The next append keeps them in {}.", torn_path(&path).display())),
            );
        }
        Ok(Records { records: parsed.records, sequence: parsed.sequence, diagnostics })
    }
}

/// Reads a file and returns what it holds, and its length.
fn read(path: &Path) -> Result<Option<(Parsed, usize)>, JournalError> {
    let Some(mut file) = open_to_read(path)? else { return Ok(None) };
    let bytes = read_all(&mut file, path)?;
    let parsed = parse(&bytes).map_err(|problem| unreadable(problem, path))?;
    Ok(Some((parsed, bytes.len())))
}

/// Sets aside what stands behind the last whole batch, and returns where that ends.
fn repair(file: &mut File, path: &Path) -> Result<Tail, JournalError> {
    let bytes = read_all(file, path)?;
    let parsed = parse(&bytes).map_err(|problem| unreadable(problem, path))?;
    let end = Tail { length: wide(parsed.committed), sequence: parsed.sequence };
    let torn = bytes.get(parsed.committed..).unwrap_or_default();
    if !torn.is_empty() {
        // First kept, then cut: a crash in between keeps the bytes twice rather than not at all.
        add(&torn_path(path), torn)?;
        file.set_len(end.length).and_then(|()| file.sync_data()).map_err(failed("repair", path))?;
        tracing::warn!(path = %path.display(), bytes = torn.len(), "set a torn tail aside");
    }
    Ok(end)
}

fn torn_path(path: &Path) -> PathBuf {
    let mut torn = path.as_os_str().to_owned();
    torn.push(".torn");
    PathBuf::from(torn)
}

fn unreadable(problem: Unreadable, path: &Path) -> JournalError {
    let path = path.to_path_buf();
    match problem {
        Unreadable::Corrupt { line, source } => JournalError::Corrupt { path, line, source },
        Unreadable::Newer { found } => JournalError::NewerFormat { path, found, supported: VERSION },
    }
}
