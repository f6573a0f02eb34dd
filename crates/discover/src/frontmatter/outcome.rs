//! What reading a frontmatter came to.

use std::ops::Range;

use indexmap::IndexMap;
use lorimer_core::{Code, Diagnostic, Locator, Severity, Span};

use super::Fenced;
use super::span::span_of;

/// What reading a frontmatter came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The name, where there is one. Whether the folder's name stands in is for the caller to do.
    pub name: Option<String>,
    /// The description, where there is one.
    pub description: Option<String>,
    /// Every key in file order.
    pub fields: IndexMap<String, serde_json::Value>,
    /// Where frontmatter and body lie in the bytes that were read; `None` without frontmatter.
    pub fenced: Option<Fenced>,
    /// What is wrong or odd, in the order of its discovery.
    pub findings: Vec<Finding>,
}

impl Outcome {
    /// Returns whether nothing forbids to use the skill.
    pub fn is_accepted(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity < Severity::Error)
    }

    /// Returns the findings as diagnostics about this file.
    pub fn diagnostics(&self, locator: &Locator) -> Vec<Diagnostic> {
        self.findings.iter().cloned().map(|finding| finding.at(locator.clone())).collect()
    }
}

/// Something that is wrong or odd, before it is known in which file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Stable code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a final period.
    pub message: String,
    /// Where, in bytes of the file.
    pub span: Option<Span>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Finding {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, severity: code.info().severity, message: message.into(), span: None, help: None }
    }

    pub(crate) fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    pub(crate) fn span(mut self, file: &[u8], range: &Range<usize>) -> Self {
        self.span = Some(span_of(file, range));
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the finding as a diagnostic about this file.
    pub fn at(self, locator: impl Into<Locator>) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(self.code, self.message).at(locator, self.span);
        diagnostic.severity = self.severity;
        diagnostic.help = self.help;
        diagnostic
    }
}
