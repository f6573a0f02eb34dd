//! How visibility falls with smaller windows and more skills.

use lorimer::compare::{Comparison, Listing, SizeStep};

use super::table::{Item, wrapped};
use crate::output::{BOLD, DIM, YELLOW, paint};

/// Returns a row for each harness, a column for each window.
pub(super) fn windows(comparison: &Comparison, columns: usize) -> String {
    let steps = comparison.windows.iter().map(|step| (window(step.window), step.listings.as_slice()));
    let steps: Vec<_> = steps.collect();
    if steps.is_empty() {
        return String::new();
    }
    let title = paint(BOLD, "By window");
    let what = paint(DIM, " in tokens: visible skills, and of them whole ones (●)");
    format!("{title}{what}\n{}\n", table(comparison, &steps, columns))
}

/// Returns a row for each harness, a column for each number of skills.
pub(super) fn growth(comparison: &Comparison, columns: usize) -> String {
    let Some(growth) = comparison.growth.as_ref().filter(|growth| growth.found > 0) else {
        return String::new();
    };
    let head = |step: &SizeStep| format!("{}{}", step.skills, if step.audit { " audit" } else { "" });
    let steps: Vec<_> = growth.steps.iter().map(|step| (head(step), step.listings.as_slice())).collect();
    let title = paint(BOLD, "By number");
    let what = paint(DIM, " of skills: visible ones, and of them whole ones (●)");
    let mut end = String::new();
    if !growth.beyond.is_empty() {
        let beyond: Vec<String> = growth.beyond.iter().map(usize::to_string).collect();
        end = format!("  {} were found, so it ends before {}", growth.found, beyond.join(", "));
        end = format!("{}\n", paint(DIM, end));
    }
    format!("{title}{what}\n{}{end}\n", table(comparison, &steps, columns))
}

/// Returns the name of a window.
pub(super) fn window(window: Option<u64>) -> String {
    window.map_or_else(|| "unknown".to_owned(), |tokens| tokens.to_string())
}

fn table(comparison: &Comparison, steps: &[(String, &[Option<Listing>])], columns: usize) -> String {
    let mut head = vec![Item::new("")];
    head.extend(steps.iter().map(|(name, _)| Item::new(name.as_str()).right()));
    let rows = comparison.columns.iter().enumerate().map(|(index, column)| {
        let mut row = vec![Item::new(column.profile.name)];
        row.extend(steps.iter().map(|(_, listings)| cell(listings.get(index).copied().flatten())));
        row
    });
    wrapped(&head, &rows.collect::<Vec<_>>(), columns)
}

fn cell(listing: Option<Listing>) -> Item {
    let Some(Listing { counts, .. }) = listing else { return Item::new("-").right() };
    let text = Item::new(format!("{} ●{}", counts.visible(), counts.whole)).right();
    if counts.whole < counts.found() - counts.hidden { text.styled(YELLOW) } else { text }
}
