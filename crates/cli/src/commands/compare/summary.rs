//! A line for each harness, and the reasons.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lorimer::compare::{Comparison, Seen, Standing};
use lorimer::core::Budget;

use super::table::{Item, wrapped};
use crate::commands::rows;
use crate::output::{BOLD, DIM, RED, YELLOW, count, fit, one_line, paint};

/// Returns one row for each harness and reason.
pub(super) fn reasons(comparison: &Comparison) -> String {
    let mut text = String::new();
    let width = comparison.columns.iter().map(|column| column.profile.name.len()).max().unwrap_or_default();
    for (index, column) in comparison.columns.iter().enumerate() {
        for ((standing, reason), number) in reasons_of(comparison, index) {
            let (name, mark) = (fit(column.profile.name, width), rows::mark(standing));
            let _ = writeln!(text, "  {name}  {mark} {}", counted(number, standing, reason));
        }
    }
    if text.is_empty() { text } else { format!("{}\n{text}\n", paint(BOLD, "Why")) }
}

/// Returns how many stand so and why, in words.
pub(super) fn counted(number: usize, standing: Standing, reason: &str) -> String {
    match standing.as_str() {
        name if name == reason => format!("{number} {name}"),
        name => format!("{number} {name}: {}", one_line(reason)),
    }
}

/// Returns how many cells of a column stand so, for which reason.
pub(super) fn reasons_of(comparison: &Comparison, column: usize) -> BTreeMap<(Standing, &str), usize> {
    let mut reasons = BTreeMap::new();
    for cell in comparison.rows.iter().filter_map(|row| row.cells.get(column)) {
        if let Some(reason) = cell.reason.as_deref() {
            *reasons.entry((cell.standing, reason)).or_default() += 1;
        }
    }
    reasons
}

/// Returns one row for each harness: what its model sees, and what that takes.
pub(super) fn describe(comparison: &Comparison, columns: usize) -> String {
    let mut head = vec![Item::new(""), Item::new("sees").right()];
    head.extend(Standing::ALL.map(|standing| Item::new(rows::symbol(standing)).right()));
    head.extend([Item::new("chars lost").right(), Item::new("≈ tokens").right(), Item::new("budget spent")]);
    let mut table = Vec::new();
    let mut broken = String::new();
    for column in &comparison.columns {
        match &column.outcome {
            Ok(seen) => table.push(line(column.profile.name, seen)),
            Err(error) => {
                let name = column.profile.name;
                let _ = writeln!(broken, "  {name}  {}", paint(RED, one_line(&error.to_string())));
            }
        }
    }
    let skills = count(comparison.rows.len(), "skill");
    let mut text =
        format!("{}{}\n", paint(BOLD, skills), paint(DIM, format!(", {}", window(comparison.window))));
    if !table.is_empty() {
        text.push_str(&wrapped(&head, &table, columns));
    }
    text.push_str(&broken);
    text
}

fn line(name: &str, seen: &Seen) -> Vec<Item> {
    let mut line = vec![
        Item::new(name),
        Item::new(format!("{} of {}", seen.counts.visible(), seen.counts.found())).right(),
    ];
    line.extend(Standing::ALL.map(|standing| {
        let number = seen.counts.get(standing);
        let text = Item::number(number);
        if number > 0 && standing.is_loss() { text.styled(YELLOW) } else { text }
    }));
    line.push(Item::number(seen.load.chars_lost));
    line.push(Item::new(seen.load.estimated_tokens.to_string()).right());
    line.push(Item::new(spent(seen.load.budget, seen.load.spent)).styled(DIM));
    line
}

/// Returns a window in words.
pub(super) fn window(window: Option<u64>) -> String {
    match window {
        Some(tokens) => format!("a window of {tokens} tokens"),
        None => "an unknown window".to_owned(),
    }
}

/// Returns what is spent of a budget, in its unit.
pub(super) fn spent(budget: Budget, spent: usize) -> String {
    match budget.limit {
        Some(limit) => format!("{spent} of {limit} {}", budget.unit),
        None => "no budget".to_owned(),
    }
}
