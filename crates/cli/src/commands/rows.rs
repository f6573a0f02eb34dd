//! Rows about skills that more than one command prints.

use std::fmt::Write as _;

use anstyle::Style;
use lorimer::compare::Standing;
use lorimer::report::{AbsentReport, EntryReport};

use crate::output::{BOLD, CYAN, DIM, GREEN, RED, YELLOW, clip, paint};

/// Rows of one kind that are printed before the rest is only counted.
const MOST_ABSENT: usize = 20;
const NAME_WIDTH: usize = 32;
const DESCRIPTION_WIDTH: usize = 64;

/// One row per entry: how it is shown, its name, its description as the model sees it.
pub(crate) fn entries(entries: &[EntryReport]) -> String {
    let mut text = String::new();
    let longest = entries.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    let width = longest.min(NAME_WIDTH);
    for entry in entries {
        let mark = match entry.disposition {
            "full" => mark(Standing::Whole),
            "shortened" => mark(Standing::Shortened),
            _ => mark(Standing::NameOnly),
        };
        let cut = match entry.chars_cut {
            0 => String::new(),
            cut => paint(YELLOW, format!("  -{cut} chars")),
        };
        let name = clip(&entry.name, NAME_WIDTH);
        let description = clip(&entry.description, DESCRIPTION_WIDTH);
        let _ = writeln!(text, "  {mark} {name:width$}  {}{cut}", paint(DIM, description));
    }
    text
}

/// One row per skill that the model does not see, and why.
pub(crate) fn absent(title: &str, skills: &[AbsentReport]) -> String {
    let mut text = String::new();
    for skill in skills.iter().take(MOST_ABSENT) {
        let _ = writeln!(
            text,
            "  {} {}  {}",
            paint(BOLD, format!("{title}:")),
            clip(&skill.name, NAME_WIDTH),
            paint(DIM, format!("{} · {}", skill.reason, clip(&skill.locator, 200)))
        );
    }
    if let Some(more) = skills.len().checked_sub(MOST_ABSENT).filter(|more| *more > 0) {
        let _ = writeln!(text, "  {} and {more} more; --json lists them", paint(BOLD, format!("{title}:")));
    }
    text
}

/// Returns the symbol of a standing.
pub(crate) fn symbol(standing: Standing) -> &'static str {
    match standing {
        Standing::Whole => "●",
        Standing::Shortened => "◐",
        Standing::NameOnly => "○",
        Standing::Omitted => "–",
        Standing::Hidden => "⊘",
        Standing::Shadowed => "↷",
        Standing::Rejected => "✗",
        Standing::Absent => "·",
    }
}

/// Returns what a standing means, for a legend.
pub(crate) fn meaning(standing: Standing) -> &'static str {
    match standing {
        Standing::Whole => "whole",
        Standing::Shortened => "shortened",
        Standing::NameOnly => "name only",
        Standing::Omitted => "omitted by the listing",
        Standing::Hidden => "hidden by a rule",
        Standing::Shadowed => "shadowed by its name",
        Standing::Rejected => "rejected",
        Standing::Absent => "not looked for there",
    }
}

/// Returns the style of a standing's symbol.
pub(crate) fn style(standing: Standing) -> Style {
    match standing {
        Standing::Whole => GREEN,
        Standing::Shortened | Standing::NameOnly => YELLOW,
        Standing::Omitted | Standing::Shadowed | Standing::Rejected => RED,
        Standing::Hidden => CYAN,
        Standing::Absent => DIM,
    }
}

/// Returns the symbol of a standing in its style.
pub(crate) fn mark(standing: Standing) -> String {
    paint(style(standing), symbol(standing))
}
