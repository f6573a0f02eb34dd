//! How a skill came to be asked for, and why it may be refused.

use serde::{Deserialize, Serialize};

/// How a skill came to be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Route {
    /// The model would pick it from the listing.
    Listing,
    /// The user wrote its name or its path in a message.
    Mention,
    /// The user ran it as a command.
    Command,
    /// A user interface sent name and locator.
    Structured,
    /// The model called a skill tool.
    Tool,
    /// The host loads it before the first turn.
    Preload,
    /// It was in the session that is resumed.
    Resume,
}

impl Route {
    /// Returns whether the model, and not a person, chose the skill.
    pub fn is_implicit(self) -> bool {
        matches!(self, Self::Listing | Self::Tool)
    }

    /// Returns the route's name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Listing => "listing",
            Self::Mention => "mention",
            Self::Command => "command",
            Self::Structured => "structured",
            Self::Tool => "tool",
            Self::Preload => "preload",
            Self::Resume => "resume",
        }
    }
}

/// A rule said no.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Refusal {
    /// Stable name of the rule: `disabled`, `explicit-only`, `not-user-invocable`, `untrusted`, `product`, …
    pub rule: String,
    /// Where the rule stands or what to do about it, for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Refusal {
    /// Returns a refusal by the rule of this name.
    pub fn new(rule: impl Into<String>) -> Self {
        Self { rule: rule.into(), help: None }
    }

    /// Returns the refusal with a hint for a person.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
