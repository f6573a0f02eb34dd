//! Folders to look into, and short forms of what was found.

use std::fs;
use std::path::{Path, PathBuf};

use lorimer_core::{Code, Diagnostic, Scope, SourceId};
use lorimer_discover::frontmatter::{Outcome, Reading, parse};
use lorimer_discover::{FsSource, Place, RootBase, RootRule, Scan, ScanRequest, Source, WalkPolicy};

/// A folder that goes away with the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// The canonical path of something in it.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        let root = fs::canonicalize(self.0.path()).unwrap();
        if relative.is_empty() { root } else { root.join(relative) }
    }

    pub(crate) fn write(&self, relative: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes a skill that is fine.
    pub(crate) fn skill(&self, directory: &str) -> PathBuf {
        let name = directory.rsplit('/').next().unwrap();
        self.write(&format!("{directory}/SKILL.md"), skill_text(name))
    }

    pub(crate) fn directory(&self, relative: &str) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[cfg(unix)]
    pub(crate) fn link(&self, target: impl AsRef<Path>, relative: &str) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, &path).unwrap();
        path
    }

    /// A source over the whole folder as one root.
    pub(crate) fn source(&self, reading: Reading, walk: WalkPolicy) -> FsSource {
        let rule = RootRule::new(RootBase::Path(self.path("")), Scope::User).with_walk(walk);
        FsSource::new(SourceId::new("host"), Place::new(self.path("")), vec![rule], reading)
    }

    pub(crate) fn scan(&self) -> Scan {
        self.scan_with(WalkPolicy::default())
    }

    pub(crate) fn scan_with(&self, walk: WalkPolicy) -> Scan {
        self.source(Reading::lenient(), walk).scan(&ScanRequest::default())
    }

    /// Diagnostics, one a line, with paths relative to the folder.
    pub(crate) fn told(&self, diagnostics: &[Diagnostic]) -> String {
        let root = self.path("").to_string_lossy().into_owned();
        let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
        lines.join("\n").replace(&format!("{root}/"), "").replace(&root, ".")
    }
}

pub(crate) fn skill_text(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\n\nBody of {name}.\n")
}

pub(crate) fn names(scan: &Scan) -> Vec<&str> {
    scan.skills.iter().map(|skill| skill.name.as_str()).collect()
}

pub(crate) fn codes(diagnostics: &[Diagnostic]) -> Vec<Code> {
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// Findings, one a line: `line:column severity[code]: message`.
pub(crate) fn findings(outcome: &Outcome) -> String {
    let lines = outcome.findings.iter().map(|finding| {
        let place =
            finding.span.map_or_else(|| "-".to_owned(), |span| format!("{}:{}", span.line, span.column));
        format!("{place} {}[{}]: {}", finding.severity.as_str(), finding.code, finding.message)
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub(crate) fn lenient(text: impl AsRef<[u8]>) -> Outcome {
    parse(text.as_ref(), &Reading::lenient())
}

pub(crate) fn trimmed(text: impl AsRef<[u8]>) -> Outcome {
    parse(text.as_ref(), &Reading::trimmed_fences())
}

/// Name and description of a text that must be accepted.
pub(crate) fn accepted(outcome: &Outcome) -> (Option<&str>, Option<&str>) {
    assert!(outcome.is_accepted(), "{}", findings(outcome));
    (outcome.name.as_deref(), outcome.description.as_deref())
}

/// The codes of what rejects a text.
pub(crate) fn rejected(outcome: &Outcome) -> Vec<Code> {
    assert!(!outcome.is_accepted(), "{:?} {:?}", outcome.name, outcome.description);
    let errors = outcome.findings.iter().filter(|finding| finding.severity == lorimer_core::Severity::Error);
    errors.map(|finding| finding.code).collect()
}
