//! The rows of the page.

use lorimer::compare::{Cell, Comparison, Row, Standing};

use crate::commands::compare::matrix::skill_folder;
use crate::commands::rows;
use crate::output::{count, one_line};

/// One skill.
pub(super) struct Skill {
    pub(super) name: String,
    pub(super) locator: String,
    pub(super) place: String,
    /// What is to be said about it in a few words.
    pub(super) sum: String,
    pub(super) problem: bool,
    pub(super) cells: Vec<Mark>,
    pub(super) blocks: Vec<Block>,
}

/// A cell of the table.
pub(super) struct Mark {
    pub(super) class: &'static str,
    pub(super) symbol: &'static str,
    pub(super) meaning: &'static str,
    pub(super) cut: usize,
}

/// What several harnesses do alike with one skill.
pub(super) struct Block {
    pub(super) class: &'static str,
    pub(super) symbol: &'static str,
    pub(super) who: String,
    pub(super) what: String,
    pub(super) quote: bool,
    pub(super) kept: String,
    pub(super) added: String,
    pub(super) cut: String,
}

pub(super) fn skills(comparison: &Comparison) -> Vec<Skill> {
    let names: Vec<&str> = comparison.columns.iter().map(|column| column.profile.name).collect();
    comparison.rows.iter().map(|row| skill(row, &names)).collect()
}

fn skill(row: &Row, names: &[&str]) -> Skill {
    let mark = |cell: &Cell| Mark {
        class: cell.standing.as_str(),
        symbol: rows::symbol(cell.standing),
        meaning: rows::meaning(cell.standing),
        cut: cell.chars_cut,
    };
    let visible = row.cells.iter().filter(|cell| cell.standing.is_visible()).count();
    let mut sum = format!(
        "{}, seen by {visible} of {}",
        count(row.description.chars().count(), "character"),
        names.len()
    );
    if row.losses() > 0 {
        sum = format!("{sum}, a loss in {}", row.losses());
    }
    Skill {
        name: one_line(&row.name),
        locator: one_line(&row.locator),
        place: one_line(skill_folder(&row.locator)),
        sum,
        problem: row.is_problem(),
        cells: row.cells.iter().map(mark).collect(),
        blocks: blocks(row, names),
    }
}

/// Puts harnesses together that do the same with a skill.
fn blocks(row: &Row, names: &[&str]) -> Vec<Block> {
    let mut alike: Vec<(&Cell, Vec<&str>)> = Vec::new();
    for (cell, name) in row.cells.iter().zip(names) {
        let same = |other: &Cell| {
            (other.standing, other.chars_cut, &other.reason, &other.marked)
                == (cell.standing, cell.chars_cut, &cell.reason, &cell.marked)
        };
        match alike.iter_mut().find(|(other, _)| same(other)) {
            Some((_, who)) => who.push(name),
            None => alike.push((cell, vec![name])),
        }
    }
    alike.sort_by_key(|(cell, _)| cell.standing);
    alike.into_iter().map(|(cell, who)| block(row, cell, &who.join(", "))).collect()
}

fn block(row: &Row, cell: &Cell, who: &str) -> Block {
    let mut what = rows::meaning(cell.standing).to_owned();
    if cell.chars_cut > 0 {
        what = format!("{what}, {} cut", count(cell.chars_cut, "character"));
    }
    if let Some(reason) = cell.reason.as_deref().filter(|reason| *reason != cell.standing.as_str()) {
        what = format!("{what}: {}", one_line(reason));
    }
    let parts = match (&cell.marked, cell.standing) {
        (Some(marked), _) => Some((marked.kept.as_str(), marked.added.as_str(), marked.cut.as_str())),
        (None, Standing::Whole) => Some((row.description.as_str(), "", "")),
        (None, Standing::NameOnly) => Some(("", "", row.description.as_str())),
        _ => None,
    };
    let (kept, added, cut) = parts.unwrap_or_default();
    Block {
        class: cell.standing.as_str(),
        symbol: rows::symbol(cell.standing),
        who: who.to_owned(),
        what,
        quote: !(kept.is_empty() && cut.is_empty()),
        kept: one_line(kept),
        added: one_line(added),
        cut: one_line(cut),
    }
}
