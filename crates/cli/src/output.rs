//! Printing: data to stdout, prose to stderr, sense without colour.

use std::fmt::Write as _;
use std::io::Write as _;

use anstyle::{AnsiColor, Style};
use lorimer::core::{Diagnostic, Severity};
use serde::Serialize;

use crate::error::CliError;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GREEN: Style = AnsiColor::Green.on_default();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default();
pub(crate) const RED: Style = AnsiColor::Red.on_default();
pub(crate) const CYAN: Style = AnsiColor::Cyan.on_default();

/// Returns `text` in a style. Colour is taken out again when stdout is no terminal, or `NO_COLOR` is set.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Prints data.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(CliError::Output)
}

/// Prints exactly these bytes, which belong to somebody else and may hold anything.
pub(crate) fn print_raw(text: &str) -> Result<(), CliError> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(CliError::Output)
}

/// Prints a value as JSON, and a line feed.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), CliError> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|error| CliError::Output(std::io::Error::other(error)))?;
    text.push('\n');
    print_raw(&text)
}

/// Tells what stopped the command, and what to do.
pub(crate) fn complain(error: &CliError) {
    let mut text = format!("{}: {}\n", paint(RED.bold(), "error"), printable(&error.to_string()));
    if let Some(hint) = error.hint() {
        let _ = writeln!(text, "{}: {hint}", paint(CYAN.bold(), "hint"));
    }
    // There is nowhere left to complain to.
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Prints prose for a person.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Returns other people's text so that it cannot move the cursor or change colours.
pub(crate) fn printable(text: &str) -> String {
    let shown = |character: char| match character {
        '\n' | '\t' => character,
        _ if character.is_control() => char::REPLACEMENT_CHARACTER,
        _ => character,
    };
    text.chars().map(shown).collect()
}

/// Returns `text` on one line of at most `width` characters.
pub(crate) fn clip(text: &str, width: usize) -> String {
    let line = printable(text).replace(['\n', '\t'], " ");
    if line.chars().count() <= width {
        return line;
    }
    let kept: String = line.chars().take(width.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// Returns a finding in the form `severity[code]: message`, with its place and hint on lines of their own.
pub(crate) fn finding(diagnostic: &Diagnostic) -> String {
    let style = match diagnostic.severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Note => CYAN,
    };
    let head = format!("{}[{}]", diagnostic.severity.as_str(), diagnostic.code);
    let mut text = format!("{}: {}\n", paint(style.bold(), head), printable(&diagnostic.message));
    if let Some(location) = &diagnostic.location {
        let mut place = printable(&location.locator.shown());
        if let Some(span) = location.span {
            let _ = write!(place, ":{}:{}", span.line, span.column);
        }
        let _ = writeln!(text, "  {} {place}", paint(DIM, "-->"));
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(text, "  {} {}", paint(DIM, "help:"), printable(help));
    }
    text
}

/// Returns `1 skill` or `n skills`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
