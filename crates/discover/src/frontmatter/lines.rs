//! Frontmatter that is no YAML: one `key: value` a line (S1-08).

use serde_json::Value;

use super::fence::Lines;
use super::fields::{Draft, Text};

/// Reads a text with one `key: value` a line. `offset` is where it starts in the file.
pub(super) fn draft(text: &str, offset: usize) -> Draft {
    let mut draft = Draft::default();
    for line in (Lines { bytes: text.as_bytes(), at: 0, lone_cr: false, whole: true }) {
        let content = text.get(line.content.clone()).unwrap_or_default();
        let Some((key, value)) = content.split_once(':') else { continue };
        // Blanks behind the value are not part of it, so its place is counted from its start.
        let start = offset + line.content.end - value.trim_start().len();
        let (key, value) = (key.trim(), value.trim());
        if key.is_empty() {
            continue;
        }
        draft.fields.insert(key.to_owned(), Value::String(value.to_owned()));
        let field = Some(Text { text: value.to_owned(), place: start..start + value.len() });
        match key {
            "name" => draft.name = field,
            "description" => draft.description = field,
            _ => {}
        }
    }
    draft
}
