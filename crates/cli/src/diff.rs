//! What a fix changes, as a unified diff.

use std::fmt::Write as _;

use similar::TextDiff;

use crate::output::{CYAN, GREEN, RED, paint, printable};

/// Returns a unified diff of a file; empty where nothing but its name changes.
pub(crate) fn unified(path: &str, new_path: &str, before: &[u8], after: &[u8]) -> String {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let diff = TextDiff::from_lines(before.as_ref(), after.as_ref());
    let hunks = diff.unified_diff().context_radius(3).to_string();
    if hunks.is_empty() { hunks } else { format!("--- {path}\n+++ {new_path}\n{hunks}") }
}

/// Returns a diff for a terminal: coloured, and with nothing in it that a terminal would obey.
pub(crate) fn shown(diff: &str) -> String {
    let mut text = String::with_capacity(diff.len());
    for line in diff.lines() {
        let line = printable(line.trim_end_matches('\r')).replace('\u{feff}', "<U+FEFF>");
        let style = match line.get(..1) {
            _ if line.starts_with("@@") => Some(CYAN),
            Some("+") => Some(GREEN),
            Some("-") => Some(RED),
            _ => None,
        };
        let _ = match style {
            Some(style) => writeln!(text, "{}", paint(style, line)),
            None => writeln!(text, "{line}"),
        };
    }
    text
}
