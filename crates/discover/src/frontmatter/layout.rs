//! Where everything of a frontmatter is written, for whoever looks at the whole file.

use std::ops::Range;

use super::fence::{Search, Start, search};
use super::repair::repair;
use super::yaml::{Tree, View};
use super::{Fenced, Reading};

/// Where the parts of a frontmatter are written, in bytes of the file.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) fenced: Fenced,
    /// The opening and the closing fence, as long as their lines are.
    pub(crate) fences: [Range<usize>; 2],
    /// The fields in file order; empty where the text is no YAML mapping, also after the repair.
    pub(crate) fields: Vec<Field>,
    /// Plain values that are valid only in quotes.
    pub(crate) quoted: Vec<Range<usize>>,
}

/// A field of the frontmatter.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) key: String,
    pub(crate) key_place: Range<usize>,
    pub(crate) value_place: Range<usize>,
    /// Whether the value is a scalar without quotes.
    pub(crate) plain: bool,
}

impl Layout {
    /// Returns the first field with this key.
    pub(crate) fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }
}

/// Returns where the parts of a file's frontmatter are; `None` without one, or where it is not UTF-8.
pub(crate) fn layout(file: &[u8], reading: &Reading) -> Option<Layout> {
    let Search::Found(found) = search(file, reading.fence, Start::of(reading), true) else { return None };
    let line_end = |from: usize| {
        let rest = file.get(from..).unwrap_or_default();
        rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(file.len(), |at| from + at)
    };
    let close = found.fenced.frontmatter.end;
    let mut layout = Layout {
        fences: [found.open..line_end(found.open), close..line_end(close)],
        fenced: found.fenced,
        fields: Vec::new(),
        quoted: Vec::new(),
    };
    let offset = layout.fenced.frontmatter.start;
    let text = std::str::from_utf8(file.get(layout.fenced.frontmatter.clone())?).ok()?;
    if let Ok(tree) = Tree::parse(text, &reading.limits) {
        layout.fields = fields(&tree, |at| offset + at);
    } else if let Some(repaired) = repair(text, reading)
        && let Ok(tree) = Tree::parse(&repaired.text, &reading.limits)
    {
        layout.fields = fields(&tree, |at| offset + repaired.original(at));
        layout.quoted =
            repaired.quoted.iter().map(|value| offset + value.start..offset + value.end).collect();
    }
    Some(layout)
}

fn fields(tree: &Tree<'_>, original: impl Fn(usize) -> usize) -> Vec<Field> {
    let Some(root) = tree.root() else { return Vec::new() };
    let place = |id| {
        let span = tree.span(id);
        original(span.start)..original(span.end)
    };
    let field = |(key, key_id, value)| Field {
        key: String::from(key),
        key_place: place(key_id),
        value_place: place(value),
        plain: matches!(tree.view(value), Some(View::Scalar { plain: true, .. })),
    };
    tree.entries(root).map(field).collect()
}
