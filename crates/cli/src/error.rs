//! What can stop a command, and the exit codes.

use std::process::ExitCode;

use lorimer::persist::JournalError;
use lorimer::{ConfigError, SessionError};

/// A command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Exit code 0.
    Fine,
    /// Exit code 1: it ran, and there is something to look at.
    Findings,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Fine => Self::SUCCESS,
            Outcome::Findings => Self::from(1),
        }
    }
}

/// A command that could not run to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// Exit code 2: the command line or a setting cannot be used.
    #[error("{message}")]
    Usage { message: String, hint: String },
    /// Exit code 3: something could not be read or written.
    #[error("{message}")]
    Io { message: String, hint: String },
    /// Exit code 3: the result could not be printed.
    #[error("cannot write the result: {0}")]
    Output(#[source] std::io::Error),
}

impl CliError {
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: hint.into() }
    }

    pub(crate) fn io(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Io { message: message.into(), hint: hint.into() }
    }

    pub(crate) fn hint(&self) -> Option<&str> {
        match self {
            Self::Usage { hint, .. } | Self::Io { hint, .. } => Some(hint),
            Self::Output(_) => None,
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage { .. } => ExitCode::from(2),
            Self::Io { .. } | Self::Output(_) => ExitCode::from(3),
        }
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        if error.unreadable {
            return Self::io(error.to_string(), "put a readable file there, or take it away");
        }
        let hint = match &error.origin {
            Some(_) => "correct the file, or leave the setting out",
            None => "correct the --config option",
        };
        Self::usage(error.to_string(), hint)
    }
}

impl From<SessionError> for CliError {
    fn from(error: SessionError) -> Self {
        let mut message = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(inner) = cause {
            // Transparent variants print their inner error already.
            if !message.ends_with(&inner.to_string()) {
                message.push_str(": ");
                message.push_str(&inner.to_string());
            }
            cause = inner.source();
        }
        match error {
            SessionError::Journal(JournalError::InvalidSessionId(_)) => {
                Self::usage(message, "choose another --session name")
            }
            _ => Self::io(message, "nothing was written; check the --journal folder"),
        }
    }
}
