//! Another environment behind the pipes of a child process.

use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lorimer_core::{Content, ReadLimit};

use super::call::Connection;
use super::wire::{Answer, Question, line_of};
use super::{Listing, MAX_URI, Remote, RemoteError};

/// Bounds on what a child process may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeLimits {
    /// How long an answer may take.
    pub deadline: Duration,
    /// Bytes of an answer, its line feed included. Text that JSON must escape counts as it is written.
    pub message_bytes: usize,
}

impl Default for PipeLimits {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(10), message_bytes: 16 << 20 }
    }
}

/// An environment that a child process speaks for, over its standard input and output.
///
/// The protocol is one JSON object a line, each question answered before the next is asked:
///
/// ```text
/// -> {"id":1,"method":"list"}
/// <- {"id":1,"skills":[{"uri":"env:/a/SKILL.md","files":["env:/a/notes.md"]}],"complete":true}
/// -> {"id":2,"method":"read","uri":"env:/a/SKILL.md","limit":16384}
/// <- {"id":2,"text":"---\nname: a\n…","cut":false}
/// ```
///
/// Bytes that are not UTF-8 are sent as `"base64":"…"` in place of `text`. `cut` says that the resource has more bytes
/// than the limit. A question that cannot be answered gets `{"id":2,"error":{"code":"not-found","message":"…"}}`; any
/// other code is a refusal. The child ends when its input does.
///
/// The child is started at the first question. If it ends, takes longer than its deadline, or says anything that is no
/// answer, it is killed, the question fails, and the next one starts another. `examples/environment.rs` is such a child.
///
/// ```
/// use lorimer_core::SourceId;
/// use lorimer_discover::{PipeRemote, Reading, RemoteSource, ScanRequest, Source};
/// let remote = PipeRemote::new(std::process::Command::new("/there/is/no/such/program"));
/// let source = RemoteSource::new(SourceId::new("box"), "box", "env:/", remote, Reading::lenient());
/// assert!(!source.scan(&ScanRequest::default()).complete);
/// ```
#[derive(Debug)]
pub struct PipeRemote {
    limits: PipeLimits,
    state: Mutex<State>,
}

struct State {
    command: Command,
    connection: Option<Connection>,
    next: u64,
}

impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { command, connection, next } = self;
        formatter
            .debug_struct("State")
            .field("command", command)
            .field("running", &connection.is_some())
            .field("next", next)
            .finish()
    }
}

impl PipeRemote {
    /// Returns the environment that a child started by this command speaks for. Nothing is started yet. What the child
    /// writes to its standard error goes nowhere.
    pub fn new(mut command: Command) -> Self {
        command.stderr(Stdio::null());
        Self::keeping_stderr(command)
    }

    /// Returns the same, with standard error wherever the command has it.
    pub fn keeping_stderr(command: Command) -> Self {
        let state = State { command, connection: None, next: 0 };
        Self { limits: PipeLimits::default(), state: Mutex::new(state) }
    }

    /// Returns the environment with other bounds.
    #[must_use]
    pub fn with_limits(mut self, limits: PipeLimits) -> Self {
        self.limits = limits;
        self
    }

    fn ask<T>(
        &self,
        question: &Question<'_>,
        of: impl Fn(Answer) -> Result<T, RemoteError>,
    ) -> Result<T, RemoteError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { command, connection, next } = &mut *state;
        *next = next.wrapping_add(1);
        let mut running = match connection.take() {
            Some(running) => running,
            None => {
                Connection::start(command, self.limits.message_bytes).map_err(RemoteError::Unavailable)?
            }
        };
        let line = running.ask(&line_of(*next, question), self.limits.deadline);
        let answer =
            line.map_err(RemoteError::Unavailable).and_then(|line| Answer::parse(&line, *next)).and_then(of);
        // Who does not keep to the protocol once is not listened to again.
        if !matches!(answer, Err(RemoteError::Unavailable(_))) {
            *connection = Some(running);
        }
        answer
    }
}

impl Remote for PipeRemote {
    fn list(&self) -> Result<Listing, RemoteError> {
        self.ask(&Question::List, Answer::listing)
    }

    fn read(&self, uri: &str, limit: ReadLimit) -> Result<Content, RemoteError> {
        if uri.len() > MAX_URI {
            return Err(RemoteError::Refused("the address is too long".to_owned()));
        }
        self.ask(&Question::read(uri, limit), Answer::content)
    }
}
