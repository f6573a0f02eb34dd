//! Printing: data to stdout, prose to stderr, sense without colour.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Component, Path};

use anstyle::{AnsiColor, Style};
use lorimer::core::{Diagnostic, Location, Severity};
use serde::Serialize;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

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

/// Prints a value as JSON on one line.
pub(crate) fn print_json_line(value: &impl Serialize) -> Result<(), CliError> {
    let text =
        serde_json::to_string(value).map_err(|error| CliError::Output(std::io::Error::other(error)))?;
    print_raw(&format!("{text}\n"))
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

/// Tells where to look when nothing was found, because an empty answer is most often a wrong place.
pub(crate) fn remark_on_nothing(snapshot: &lorimer::core::Snapshot) {
    if snapshot.is_empty() {
        remark(&paint(
            DIM,
            "no skill was found from this folder and this home; `lorimer roots` shows every place, and --cwd, --home or --root look elsewhere",
        ));
    }
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

/// Returns how many columns of a terminal a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Returns text on one line that takes exactly `width` columns: cut at its end, or filled up with blanks.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let mut line = one_line(text);
    if columns(&line) > width {
        let mut kept = String::new();
        for character in line.chars() {
            if columns(&kept) + character.width().unwrap_or_default() + 1 > width {
                break;
            }
            kept.push(character);
        }
        line = kept;
        line.push('…');
    }
    let fill = width.saturating_sub(columns(&line));
    line.extend(std::iter::repeat_n(' ', fill));
    line
}

/// Returns how many columns the terminal has: as `COLUMNS` says, as it says itself, or 100 where there is none.
pub(crate) fn terminal_columns() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(asked).filter(|columns| *columns > 0).unwrap_or(100)
}

/// Returns other people's text on one line, with everything visible that a terminal would not show.
pub(crate) fn one_line(text: &str) -> String {
    printable(text).chars().fold(String::with_capacity(text.len()), |mut line, character| {
        push_visible(&mut line, if matches!(character, '\n' | '\t') { ' ' } else { character });
        line
    })
}

/// Appends a character so that a person sees that it is there.
pub(crate) fn push_visible(text: &mut String, character: char) {
    match character {
        '\t' => text.push(character),
        _ if character.is_control() => text.push(char::REPLACEMENT_CHARACTER),
        _ if is_invisible(character) => {
            let _ = write!(text, "<U+{:04X}>", u32::from(character));
        }
        _ => text.push(character),
    }
}

/// Returns whether Unicode lets a terminal show nothing for a character, or turn the line around: its property
/// `Default_Ignorable_Code_Point` and the marks of direction. Joiners and variation selectors are left out,
/// because scripts and emoji are written with them.
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180e}' | '\u{200b}'
        | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
}

/// Returns the colour of a severity.
pub(crate) fn severity_style(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Note => CYAN,
    };
    colour.bold()
}

/// Returns `severity[code]: message` and a line feed.
pub(crate) fn finding_title(diagnostic: &Diagnostic) -> String {
    let head = format!("{}[{}]", diagnostic.severity.as_str(), diagnostic.code);
    format!("{}: {}\n", paint(severity_style(diagnostic.severity), head), one_line(&diagnostic.message))
}

/// Returns ` --> path:line:column` and a line feed; the arrow follows `indent` blanks.
pub(crate) fn finding_place(location: &Location, indent: usize) -> String {
    let mut place = one_line(&location.locator.shown());
    if let Some(span) = location.span {
        let _ = write!(place, ":{}:{}", span.line, span.column);
    }
    format!("{:indent$}{} {place}\n", "", paint(DIM, "-->"))
}

/// Returns a finding without the text that it is about: its title, and its place and hint on lines of their own.
pub(crate) fn finding(diagnostic: &Diagnostic) -> String {
    let mut text = finding_title(diagnostic);
    if let Some(location) = &diagnostic.location {
        text.push_str(&finding_place(location, 2));
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(text, "  {} {}", paint(DIM, "help:"), one_line(help));
    }
    text
}

/// Returns the way from `folder` to a path below it.
pub(crate) fn below<'a>(path: &'a Path, folder: &Path) -> Option<&'a Path> {
    let rest = path.strip_prefix(folder).ok()?;
    (!rest.components().any(|component| component == Component::ParentDir)).then_some(rest)
}

/// Returns `1 skill` or `n skills`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use lorimer::core::Code;

    use super::*;

    /// A runner that reads the log would take a line of its own for a command, blanks before it or not.
    #[test]
    fn a_finding_about_odd_names_adds_no_line_and_hides_nothing() {
        let path = Path::new("/r/a\n::error::b\u{202e}/SKILL.md").to_owned();
        let diagnostic = Diagnostic::new(Code::SameFile, "c\r\n::error::d\u{1b}[1m").at(path, None);
        let text = anstream::adapter::strip_str(&finding(&diagnostic)).to_string();
        assert_eq!(
            text,
            "note[discover/same-file]: c\u{fffd} ::error::d\u{fffd}[1m\n  --> /r/a ::error::b<U+202E>/SKILL.md\n"
        );
    }

    #[test]
    fn a_text_is_fitted_by_columns_and_not_by_characters() {
        assert_eq!(fit("tea", 5), "tea  ");
        assert_eq!(fit("brew-tea", 5), "brew…");
        assert_eq!(fit("日本語の説明", 6), "日本… ");
        assert_eq!(fit("日本語", 6), "日本語");
        assert_eq!(fit("a\nb\u{202e}", 20), "a b<U+202E>         ");
    }

    #[test]
    fn what_lies_below_a_folder_does_not_lead_out_of_it() {
        assert_eq!(below(Path::new("/r/a"), Path::new("/r")), Some(Path::new("a")));
        assert_eq!(below(Path::new("/r/../a"), Path::new("/r")), None);
        assert_eq!(below(Path::new("/ra"), Path::new("/r")), None);
    }
}
