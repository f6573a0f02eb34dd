//! The verbs of this stage.

use std::sync::Arc;

use lorimer_core::{Dependency, Diagnostic, Digest, Refusal, Route, Skill};
use serde::{Deserialize, Serialize};

/// May this invocation happen at all?
#[derive(Clone, Copy, Debug)]
pub struct AdmitRequest<'a> {
    /// The skill.
    pub skill: &'a Skill,
    /// How it is, or would be, asked for.
    pub route: Route,
    /// Ids of questions that a person said yes to in this session.
    pub approved: &'a [String],
}

/// The answer to [`AdmitRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Yes.
    Admitted,
    /// No, by a rule.
    Refused(Refusal),
    /// A person has to say.
    Ask(Question),
}

/// Loaded; may it be carried out?
#[derive(Clone, Copy, Debug)]
pub struct ClearRequest<'a> {
    /// The skill.
    pub skill: &'a Skill,
    /// Digest of the body that was loaded.
    pub digest: Digest,
    /// MCP servers that the session has.
    pub servers: &'a [McpServer],
    /// Ids of questions that a person said no to in this session; they are not put again. A question that still waits
    /// for its answer may be answered with again: whoever asks puts it once.
    pub declined: &'a [String],
}

/// The answer to [`ClearRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clearance {
    /// Yes.
    Cleared,
    /// No: these are missing.
    Blocked {
        /// What is missing.
        missing: Vec<Dependency>,
        /// Why nobody is asked.
        reason: String,
    },
    /// A person has to say.
    Ask {
        /// What is missing.
        missing: Vec<Dependency>,
        /// The question.
        question: Question,
    },
}

/// A question to a person, as a value. The host asks; nobody in here does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Stable id; the same question has the same id for the whole session.
    pub id: String,
    /// The question.
    pub text: String,
    /// Possible answers, the safe one last.
    pub options: Vec<String>,
}

/// An MCP server that the session has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpServer {
    /// Its name in the configuration.
    pub name: String,
    /// `streamable_http` or `stdio`.
    pub transport: String,
    /// Its URL or its command.
    pub target: String,
}

/// Decides who may use a skill.
///
/// # Contract
///
/// * Executes nothing, asks nobody, reads no file.
/// * The same request gets the same answer for as long as nobody changed the rules.
/// * A refusal names its rule.
pub trait Authorizer: Send + Sync {
    /// Says whether the skill may be used by this route. Called before anything is read.
    fn admit(&self, request: &AdmitRequest<'_>) -> Admission;

    /// Says whether a loaded skill may be carried out. Its body stays with the model whatever the answer is.
    fn clear(&self, request: &ClearRequest<'_>) -> Clearance;

    /// Returns what is odd about what a skill declares to need; nothing by default.
    fn findings(&self, request: &ClearRequest<'_>) -> Vec<Diagnostic> {
        let _ = request;
        Vec::new()
    }

    /// Returns what is odd about the rules themselves; nothing by default.
    fn diagnostics(&self) -> Vec<Diagnostic> {
        Vec::new()
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<A: Authorizer + ?Sized> Authorizer for $pointer {
            fn admit(&self, request: &AdmitRequest<'_>) -> Admission {
                (**self).admit(request)
            }

            fn clear(&self, request: &ClearRequest<'_>) -> Clearance {
                (**self).clear(request)
            }

            fn findings(&self, request: &ClearRequest<'_>) -> Vec<Diagnostic> {
                (**self).findings(request)
            }

            fn diagnostics(&self) -> Vec<Diagnostic> {
                (**self).diagnostics()
            }
        }
    )+};
}

forward!(&A, Box<A>, Arc<A>);
