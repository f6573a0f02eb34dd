//! Findings as GitHub workflow commands, which the runner turns into annotations of the changed files.

use std::fmt::Write as _;
use std::path::Path;

use lorimer::core::{Diagnostic, Severity};

use crate::output::{below, printable};

/// Returns one line per finding; paths below `cwd` are relative to it, as the runner wants them.
pub(crate) fn commands(diagnostics: &[Diagnostic], cwd: &Path) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(text, "{}", command(diagnostic, cwd));
    }
    text
}

fn command(diagnostic: &Diagnostic, cwd: &Path) -> String {
    let name = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut line = format!("::{name} ");
    if let Some(location) = &diagnostic.location {
        if let Some(path) = location.locator.as_path() {
            let path = below(path, cwd).unwrap_or(path);
            let _ = write!(line, "file={},", property(&path.to_string_lossy()));
        }
        if let Some(span) = location.span {
            let _ = write!(line, "line={},col={},", span.line, span.column);
        }
    }
    let _ = write!(line, "title={}::{}", property(diagnostic.code.as_str()), data(&diagnostic.message));
    if let Some(help) = &diagnostic.help {
        let _ = write!(line, "{}", data(&format!("\nhelp: {help}")));
    }
    line
}

/// Escapes a message, so that no other command can begin inside it.
fn data(text: &str) -> String {
    let kept = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    printable(&kept)
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use lorimer::core::{Code, Locator, Span};

    use super::*;

    #[test]
    fn a_finding_is_one_command_whatever_its_text() {
        let span = Span { start: 0, end: 1, line: 3, column: 14 };
        let diagnostic = Diagnostic::new(Code::NameInvalid, "50% of\r\n::error::x, y: \u{1b}z")
            .at(PathBuf::from("/r/a,b:c\n/SKILL.md"), Some(span))
            .with_help("one\ntwo");
        assert_eq!(
            command(&diagnostic, Path::new("/r")),
            "::error file=a%2Cb%3Ac%0A/SKILL.md,line=3,col=14,title=discover/name-invalid::50%25 of%0D%0A\
             ::error::x, y: \u{fffd}z%0Ahelp: one%0Atwo"
        );
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let note = Diagnostic::new(Code::SameFile, "m").at(PathBuf::from("/elsewhere/SKILL.md"), None);
        assert_eq!(
            command(&note, Path::new("/r")),
            "::notice file=/elsewhere/SKILL.md,title=discover/same-file::m"
        );
        let remote =
            Diagnostic::new(Code::NameCollision, "m").at(Locator::Uri("mem://a/SKILL.md".into()), None);
        assert_eq!(command(&remote, Path::new("/r")), "::warning title=discover/name-collision::m");
    }
}
