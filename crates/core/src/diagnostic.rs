//! Trouble with one skill. It never stops the others.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Code, Fix, Locator};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing is wrong; someone may want to know.
    Note,
    /// It works, but not as its author or user would expect everywhere.
    Warning,
    /// The skill, or a part of it, cannot be used.
    Error,
}

impl Severity {
    /// Returns the severity's name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A stretch of a file, in bytes of the file as it lies on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
    /// Line of the first byte, from 1. LF, CRLF and a lone CR end a line.
    pub line: u32,
    /// Column of the first byte in characters, from 1.
    pub column: u32,
}

/// Where something is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// The file or resource.
    pub locator: Locator,
    /// The stretch inside it, where one can be named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

/// One finding about one skill, file or setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Stable code; [`Code::info`] explains it.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a final period.
    pub message: String,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// How a program can put it right, where that is safe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Returns a finding with the code's own severity.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.info().severity,
            message: message.into(),
            location: None,
            help: None,
            fix: None,
        }
    }

    /// Returns the finding with its place.
    #[must_use]
    pub fn at(mut self, locator: impl Into<Locator>, span: Option<Span>) -> Self {
        self.location = Some(Location { locator: locator.into(), span });
        self
    }

    /// Returns the finding with a hint what to do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the finding with a way to put it right.
    #[must_use]
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Returns the line that it points at, from 1.
    pub fn line(&self) -> Option<u32> {
        self.location.as_ref()?.span.map(|span| span.line)
    }
}

impl fmt::Display for Diagnostic {
    /// Writes `path:line:column: severity[code]: message`, leaving out what is not known.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.location {
            formatter.write_str(&location.locator.shown())?;
            if let Some(span) = location.span {
                write!(formatter, ":{}:{}", span.line, span.column)?;
            }
            formatter.write_str(": ")?;
        }
        write!(formatter, "{}[{}]: {}", self.severity.as_str(), self.code, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_reads_like_a_compiler_message_and_round_trips() {
        let span = Span { start: 4, end: 9, line: 2, column: 1 };
        let diagnostic = Diagnostic::new(Code::DescriptionMissing, "no `description`")
            .at(std::path::PathBuf::from("/a/SKILL.md"), Some(span))
            .with_help("add one")
            .with_fix(Fix::Rename("SKILL.md".to_owned()));
        assert_eq!(
            diagnostic.to_string(),
            "/a/SKILL.md:2:1: error[discover/description-missing]: no `description`"
        );
        let json = serde_json::to_string(&diagnostic).unwrap();
        assert_eq!(serde_json::from_str::<Diagnostic>(&json).unwrap(), diagnostic);
    }
}
