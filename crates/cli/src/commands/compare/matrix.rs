//! Skills by harnesses.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use anstyle::Style;
use lorimer::Host;
use lorimer::compare::{Cell, Comparison, Row, Standing};

use crate::args::{Only, Sort};
use crate::commands::rows;
use crate::output::{BOLD, DIM, below, columns, fit, one_line, paint};

/// Columns that a name gets at least, and at most.
const NAME: (usize, usize) = (12, 32);
/// Columns from which on the place of a skill is worth showing.
const PLACE: usize = 16;

/// Returns the skills to show, and how many there would be.
pub(super) fn choose(
    comparison: &Comparison,
    only: Option<Only>,
    sort: Sort,
    limit: Option<usize>,
) -> (Vec<&Row>, usize) {
    let is_chosen = |row: &&Row| match only {
        None => true,
        Some(Only::Problems) => row.is_problem(),
        Some(Only::Standing(standing)) => row.cells.iter().any(|cell| cell.standing == standing),
    };
    let mut chosen: Vec<&Row> = comparison.rows.iter().filter(is_chosen).collect();
    match sort {
        // So they are.
        Sort::Name => {}
        Sort::Loss => chosen.sort_by_key(|row| Reverse((row.losses(), chars_cut(row)))),
        Sort::Place => chosen.sort_by(|left, right| left.locator.cmp(&right.locator)),
    }
    let count = chosen.len();
    chosen.truncate(limit.unwrap_or(count));
    (chosen, count)
}

fn chars_cut(row: &Row) -> usize {
    row.cells.iter().map(|cell| cell.chars_cut).sum()
}

/// How a matrix is laid out.
struct Layout {
    name: usize,
    /// Width of each harness's column.
    cells: Vec<usize>,
    /// Whether columns have numbers in the place of names, and cells their symbol alone.
    narrow: bool,
    /// Width that is left for the place, if it is worth it.
    place: Option<usize>,
}

impl Layout {
    fn new(comparison: &Comparison, chosen: &[&Row], most: usize) -> Self {
        let longest = chosen.iter().map(|row| columns(&one_line(&row.name))).max().unwrap_or_default();
        let name = longest.clamp(NAME.0, NAME.1);
        let wide: Vec<usize> = (0..comparison.columns.len())
            .map(|index| {
                let head = comparison.columns.get(index).map_or(0, |column| column.profile.name.len());
                let cells = chosen.iter().filter_map(|row| row.cells.get(index));
                cells.map(|cell| columns(&shown(cell))).max().unwrap_or_default().max(head)
            })
            .collect();
        let taken =
            |name: usize, cells: &[usize]| 2 + name + cells.iter().map(|width| 2 + width).sum::<usize>();
        let narrow = taken(NAME.0, &wide) > most;
        let cells =
            if narrow { (1..=wide.len()).map(|number| number.to_string().len()).collect() } else { wide };
        let name = name.min(most.saturating_sub(taken(0, &cells))).max(NAME.0);
        let place = most.checked_sub(taken(name, &cells) + 2).filter(|left| *left >= PLACE);
        Self { name, cells, narrow, place }
    }

    fn head(&self, comparison: &Comparison) -> String {
        let names = comparison.columns.iter().zip(1..).zip(&self.cells).map(|((column, number), width)| {
            let text = if self.narrow { number.to_string() } else { column.profile.name.to_owned() };
            fit(&text, *width)
        });
        let line = format!("  {}  {}", fit("", self.name), names.collect::<Vec<_>>().join("  "));
        format!("{}\n", paint(BOLD, line.trim_end()))
    }

    fn row(&self, row: &Row, place: &str, is_shared: bool) -> String {
        let cells = row.cells.iter().zip(&self.cells).map(|(cell, width)| {
            let text = if self.narrow { rows::symbol(cell.standing).to_owned() } else { shown(cell) };
            let fill = width.saturating_sub(columns(&text));
            format!("{}{:fill$}", paint(rows::style(cell.standing), text), "")
        });
        let line = format!("  {}  {}", fit(&row.name, self.name), cells.collect::<Vec<_>>().join("  "));
        match self.place {
            Some(width) => format!("{line}  {}\n", paint(DIM, beginning_cut(place, width))),
            // A name that several have tells nothing without its place.
            None if is_shared => format!("{}\n    {}\n", line.trim_end(), paint(DIM, one_line(place))),
            None => format!("{}\n", line.trim_end()),
        }
    }
}

/// Returns the end of a text that is too wide: of a path, the end tells more.
fn beginning_cut(text: &str, width: usize) -> String {
    let line = one_line(text);
    if columns(&line) <= width {
        return line;
    }
    let mut start = line.len();
    for (index, _) in line.char_indices().rev() {
        if line.get(index..).map_or(0, columns) + 1 > width {
            break;
        }
        start = index;
    }
    format!("…{}", line.get(start..).unwrap_or_default())
}

/// Returns a cell with the characters that are cut.
fn shown(cell: &Cell) -> String {
    let symbol = rows::symbol(cell.standing);
    if cell.chars_cut == 0 { symbol.to_owned() } else { format!("{symbol} -{}", cell.chars_cut) }
}

/// Returns the matrix of the chosen skills and its legend.
pub(super) fn describe(
    comparison: &Comparison,
    (chosen, of): &(Vec<&Row>, usize),
    host: &Host,
    most: usize,
) -> String {
    let layout = Layout::new(comparison, chosen, most);
    let mut shares: HashMap<&str, usize> = HashMap::new();
    for row in &comparison.rows {
        *shares.entry(&row.name).or_default() += 1;
    }
    let mut text = layout.head(comparison);
    for row in chosen {
        let is_shared = shares.get(row.name.as_str()).is_some_and(|count| *count > 1);
        text.push_str(&layout.row(row, &place(row, host), is_shared));
    }
    if chosen.len() < comparison.rows.len() {
        let more = match of - chosen.len() {
            0 => String::new(),
            more => format!("; --limit hides {more} more"),
        };
        let counted = format!("{} of {} skills{more}", chosen.len(), comparison.rows.len());
        let _ = writeln!(text, "  {}", paint(DIM, counted));
    }
    if layout.narrow {
        let names = comparison.columns.iter().zip(1..);
        let names = names.map(|(column, number)| (format!("{number} {}", column.profile.name), DIM));
        text.push_str(&flowing(names.map(|item| vec![item]), most));
    }
    text.push_str(&legend(comparison, most));
    text
}

/// Returns what the symbols mean that occur, on as many lines as it takes.
fn legend(comparison: &Comparison, most: usize) -> String {
    let occurs = |standing: &Standing| {
        comparison.rows.iter().any(|row| row.cells.iter().any(|cell| cell.standing == *standing))
    };
    let items = Standing::ALL.into_iter().filter(occurs).map(|standing| {
        vec![
            (rows::symbol(standing).to_owned(), rows::style(standing)),
            (rows::meaning(standing).to_owned(), DIM),
        ]
    });
    flowing(items, most)
}

/// Returns items on as many lines as it takes.
fn flowing(items: impl Iterator<Item = Vec<(String, Style)>>, most: usize) -> String {
    let (mut text, mut used) = (String::new(), 0);
    for item in items {
        let width = item.iter().map(|(word, _)| 1 + columns(word)).sum::<usize>() + 1;
        if used > 0 && used + width > most {
            text.push('\n');
            used = 0;
        }
        used += width;
        let words: Vec<String> = item.into_iter().map(|(word, style)| paint(style, word)).collect();
        let _ = write!(text, "  {}", words.join(" "));
    }
    text.push('\n');
    text
}

/// Returns where a skill is: its folder, from the working directory or the home folder on.
fn place(row: &Row, host: &Host) -> String {
    let place = skill_folder(&row.locator);
    let from_home = || {
        let path = below(Path::new(place), host.home.as_deref()?)?;
        Some(format!("~/{}", path.display()))
    };
    match below(Path::new(place), &host.cwd) {
        Some(path) if !path.as_os_str().is_empty() => path.to_string_lossy().into_owned(),
        _ => from_home().unwrap_or_else(|| place.to_owned()),
    }
}

/// Returns a locator without the name that every skill file has.
pub(super) fn skill_folder(locator: &str) -> &str {
    locator.strip_suffix("/SKILL.md").unwrap_or(locator)
}
