//! Tables that are as wide as the terminal at most.

use anstyle::Style;

use crate::output::{BOLD, DIM, columns, one_line, paint};

/// What stands in a cell: text, and its style.
#[derive(Clone, Debug)]
pub(super) struct Item {
    text: String,
    style: Style,
    right: bool,
}

impl Item {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), style: Style::new(), right: false }
    }

    pub(super) fn number(number: usize) -> Self {
        let style = if number == 0 { DIM } else { Style::new() };
        Self { right: true, style, ..Self::new(number.to_string()) }
    }

    pub(super) fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    pub(super) fn right(self) -> Self {
        Self { right: true, ..self }
    }

    fn shown(&self, width: usize) -> String {
        let text = one_line(&self.text);
        let fill = width.saturating_sub(columns(&text));
        let painted = paint(self.style, text);
        if self.right { format!("{:fill$}{painted}", "") } else { format!("{painted}{:fill$}", "") }
    }
}

/// Returns a table: a first column that stays, and as many of the others beside it as fit; the rest follows below.
pub(super) fn wrapped(head: &[Item], rows: &[Vec<Item>], most: usize) -> String {
    let count = head.len();
    let width = |index: usize| {
        let cells = rows.iter().filter_map(|row| row.get(index)).chain(head.get(index));
        cells.map(|cell| columns(&cell.text)).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let first = widths.first().copied().unwrap_or_default();
    let mut text = String::new();
    let mut from = 1;
    while from < count {
        let mut used = 2 + first;
        let mut to = from;
        while let Some(width) = widths.get(to)
            && (to == from || used + 2 + width <= most)
        {
            used += 2 + width;
            to += 1;
        }
        let line = |cells: &[Item]| {
            let chosen = std::iter::once(0).chain(from..to);
            let shown = chosen.filter_map(|index| Some(cells.get(index)?.shown(*widths.get(index)?)));
            format!("  {}\n", shown.collect::<Vec<_>>().join("  ").trim_end())
        };
        let head: Vec<Item> = head.iter().cloned().map(|cell| cell.styled(BOLD)).collect();
        text.push_str(&line(&head));
        text.extend(rows.iter().map(|row| line(row)));
        from = to;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_beside_follows_below() {
        let head = ["", "a", "bb", "c"].map(Item::new);
        let rows = [vec![Item::new("row"), Item::number(1), Item::number(22), Item::number(0)]];
        let plain = |most| anstream::adapter::strip_str(&wrapped(&head, &rows, most)).to_string();
        assert_eq!(plain(40), "       a  bb  c\n  row  1  22  0\n");
        assert_eq!(plain(12), "       a  bb\n  row  1  22\n       c\n  row  0\n");
        assert_eq!(plain(1).lines().count(), 6);
    }
}
