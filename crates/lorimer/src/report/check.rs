//! Findings, as a report.

use lorimer_core::Severity;
use serde::Serialize;

use super::{DiagnosticReport, VERSION};
use crate::View;

/// Findings about everything that a profile looks at.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as in the parent module")]
pub struct CheckReport {
    pub version: u32,
    pub profile: String,
    pub skills: usize,
    pub complete: bool,
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    pub diagnostics: Vec<DiagnosticReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeReport>,
}

/// What `--fix` did to a file, or `--diff` would do.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as in the parent module")]
pub struct ChangeReport {
    pub path: String,
    pub renamed: Option<String>,
    /// `fixed`, `planned` or `left`.
    pub state: &'static str,
    pub detail: Option<String>,
    pub diff: String,
}

impl CheckReport {
    /// Describes what is odd about the files, names and rules of a view.
    pub fn new(profile: &str, view: &View) -> Self {
        let count = |severity: Severity| {
            view.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
        };
        Self {
            version: VERSION,
            profile: profile.to_owned(),
            skills: view.snapshot.len(),
            complete: view.snapshot.is_complete(),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            diagnostics: view.diagnostics.iter().map(DiagnosticReport::from).collect(),
            changes: Vec::new(),
        }
    }
}
