//! What was expected and what came, so that a person sees where they part.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Difference {
    /// What is compared, as in `entries`.
    pub(crate) field: String,
    /// What was recorded.
    pub(crate) expected: Value,
    /// What we give.
    pub(crate) got: Value,
}

impl Difference {
    /// Returns the difference in lines, at most `most` of them and each at most `width` characters wide.
    pub(crate) fn lines(&self, most: usize, width: usize) -> Vec<String> {
        let mut lines = match (&self.expected, &self.got) {
            (Value::Array(expected), Value::Array(got)) => {
                let texts = |items: &[Value]| items.iter().map(ToString::to_string).collect::<Vec<_>>();
                let mut lines = vec![format!("{}: -expected +got", self.field)];
                lines.extend(unified(&texts(expected), &texts(got)));
                lines
            }
            (expected, got) => vec![format!("{}: expected {expected}, got {got}", self.field)],
        };
        if lines.len() > most {
            let left = lines.len() - most;
            lines.truncate(most);
            lines.push(format!("… and {left} more lines"));
        }
        lines.iter().map(|line| shorten(line, width)).collect()
    }
}

fn shorten(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    // The end often tells more than the middle.
    let tail = width / 3;
    let head: String = line.chars().take(width.saturating_sub(tail + 1)).collect();
    let mut end: Vec<char> = line.chars().rev().take(tail).collect();
    end.reverse();
    format!("{head}…{}", end.into_iter().collect::<String>())
}

/// Returns the lines that only one side has, with one common line around them.
fn unified(expected: &[String], got: &[String]) -> Vec<String> {
    let marked = merge(expected, got);
    let changed: Vec<bool> = marked.iter().map(|(mark, _)| *mark != ' ').collect();
    let mut lines = Vec::new();
    let mut skipped = false;
    for (index, (mark, line)) in marked.iter().enumerate() {
        let near = index.saturating_sub(1)..=index + 1;
        if near.into_iter().any(|index| changed.get(index) == Some(&true)) {
            if skipped {
                lines.push("  …".to_owned());
            }
            skipped = false;
            lines.push(format!("{mark} {line}"));
        } else {
            skipped = true;
        }
    }
    lines
}

/// Marks every line as common (` `), only expected (`-`) or only got (`+`), along a longest common subsequence.
fn merge<'a>(expected: &'a [String], got: &'a [String]) -> Vec<(char, &'a str)> {
    let width = got.len() + 1;
    let mut lengths = vec![0_usize; (expected.len() + 1) * width];
    let at = |lengths: &[usize], row: usize, column: usize| {
        lengths.get(row * width + column).copied().unwrap_or_default()
    };
    for (row, left) in expected.iter().enumerate().rev() {
        for (column, right) in got.iter().enumerate().rev() {
            let length = if left == right {
                at(&lengths, row + 1, column + 1) + 1
            } else {
                at(&lengths, row + 1, column).max(at(&lengths, row, column + 1))
            };
            if let Some(cell) = lengths.get_mut(row * width + column) {
                *cell = length;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut marked = Vec::new();
    loop {
        match (expected.get(row), got.get(column)) {
            (Some(left), Some(right)) if left == right => {
                marked.push((' ', left.as_str()));
                row += 1;
                column += 1;
            }
            (Some(left), right)
                if right.is_none() || at(&lengths, row + 1, column) >= at(&lengths, row, column + 1) =>
            {
                marked.push(('-', left.as_str()));
                row += 1;
            }
            (_, Some(right)) => {
                marked.push(('+', right.as_str()));
                column += 1;
            }
            (_, None) => return marked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lines(expected: Value, got: Value) -> Vec<String> {
        Difference { field: "f".to_owned(), expected, got }.lines(20, 40)
    }

    #[test]
    fn lists_show_what_only_one_side_has() {
        let found = lines(json!([1, 2, 3, 4, 5, 6, 7]), json!([1, 2, 9, 4, 5, 6, 7, 8]));
        assert_eq!(found, ["f: -expected +got", "  …", "  2", "- 3", "+ 9", "  4", "  …", "  7", "+ 8"]);
        assert_eq!(lines(json!([]), json!([1])), ["f: -expected +got", "+ 1"]);
        assert_eq!(lines(json!([1]), json!([])), ["f: -expected +got", "- 1"]);
    }

    #[test]
    fn values_stand_on_one_line() {
        assert_eq!(lines(json!("sent"), json!(null)), ["f: expected \"sent\", got null"]);
    }

    #[test]
    fn long_lines_and_long_lists_are_shortened() {
        let difference =
            Difference { field: "f".to_owned(), expected: json!(["x".repeat(99), 1, 2]), got: json!([]) };
        let lines = difference.lines(2, 20);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.chars().count() <= 20), "{lines:?}");
        assert_eq!(lines.last().unwrap(), "… and 2 more lines");
    }
}
