//! The one repair: plain values that are no valid YAML are put in quotes.
//!
//! It works line by line and only ever inserts characters, so every place of the repaired text has its place in
//! the text as written.

use std::ops::Range;

use super::fence::Lines;
use super::yaml::Tree;
use super::{Limits, Reading};

/// A text with some of its values in quotes.
#[derive(Debug)]
pub(crate) struct Repaired {
    pub(crate) text: String,
    /// The values that were quoted, as byte ranges of the text as written.
    pub(crate) quoted: Vec<Range<usize>>,
    /// Offsets in the repaired text of the characters that were inserted, ascending; each takes one byte.
    inserted: Vec<usize>,
}

impl Repaired {
    /// Returns the offset in the text as written.
    pub(crate) fn original(&self, at: usize) -> usize {
        at - self.inserted.partition_point(|inserted| *inserted < at)
    }
}

/// Quotes what needs it; `None` when nothing does.
pub(crate) fn repair(text: &str, reading: &Reading) -> Option<Repaired> {
    let (starts, limits) = (reading.repair_starts, &reading.limits);
    let mut repaired =
        Repaired { text: String::with_capacity(text.len() + 8), quoted: Vec::new(), inserted: Vec::new() };
    let mut block: Option<usize> = None;
    let lines = Lines { bytes: text.as_bytes(), at: 0, lone_cr: false, whole: true };
    for line in lines {
        let content = text.get(line.content.clone()).unwrap_or_default();
        let whole = text.get(line.content.start..line.next).unwrap_or_default();
        let indent = content.len() - content.trim_start_matches(' ').len();
        if let Some(key_indent) = block {
            if content.trim().is_empty() || indent > key_indent {
                repaired.text.push_str(whole);
                continue;
            }
            block = None;
        }
        match value_of(content) {
            Some(value) if value.text.starts_with(['|', '>']) => {
                block = Some(indent);
                repaired.text.push_str(whole);
            }
            Some(value)
                if is_repaired(content, reading)
                    && needs_quotes(value.text, starts, limits)
                    && !swallows(value.text, text.get(line.next..).unwrap_or_default()) =>
            {
                let start = line.content.start + value.start;
                repaired.quote(text, start..start + value.text.len(), line.content.start, line.next);
            }
            _ => repaired.text.push_str(whole),
        }
    }
    (!repaired.quoted.is_empty()).then_some(repaired)
}

impl Repaired {
    /// Adds a line with the value at `value` in single quotes.
    fn quote(&mut self, text: &str, value: Range<usize>, line_start: usize, line_end: usize) {
        self.text.push_str(text.get(line_start..value.start).unwrap_or_default());
        self.insert_quote();
        for (index, part) in text.get(value.clone()).unwrap_or_default().split('\'').enumerate() {
            if index > 0 {
                self.text.push('\'');
                self.insert_quote();
            }
            self.text.push_str(part);
        }
        self.insert_quote();
        self.text.push_str(text.get(value.end..line_end).unwrap_or_default());
        self.quoted.push(value);
    }

    fn insert_quote(&mut self) {
        self.inserted.push(self.text.len());
        self.text.push('\'');
    }
}

/// The value of a `key: value` line, without a comment behind it.
struct Value<'a> {
    text: &'a str,
    /// Byte offset in the line.
    start: usize,
}

fn value_of(line: &str) -> Option<Value<'_>> {
    let (key, rest) = line.split_once(':')?;
    if key.trim().is_empty() || !(rest.is_empty() || rest.starts_with(char::is_whitespace)) {
        return None;
    }
    let value = rest.trim_start();
    let start = line.len() - value.len();
    let text = value.get(..comment_start(value)).unwrap_or(value).trim_end();
    Some(Value { text, start })
}

/// Returns whether a quote that is never closed reaches into the fields behind it, so that it is not known where the
/// value was to end.
fn swallows(value: &str, behind: &str) -> bool {
    value.starts_with(['"', '\'']) && !behind.trim().is_empty()
}

/// Returns whether the value of this line's key may be touched.
fn is_repaired(line: &str, reading: &Reading) -> bool {
    let key = line.split(':').next().unwrap_or_default();
    reading.repair_keys.is_none_or(|keys| keys.contains(&key))
}

/// Returns where a comment starts: at a `#` at the very start or behind white space.
fn comment_start(value: &str) -> usize {
    let mut behind_space = true;
    for (at, character) in value.char_indices() {
        if character == '#' && behind_space {
            return at;
        }
        behind_space = character.is_whitespace();
    }
    value.len()
}

fn needs_quotes(value: &str, starts: &[char], limits: &Limits) -> bool {
    let quote = ['"', '\''].into_iter().find(|quote| value.starts_with(*quote));
    if value.is_empty() || quote.is_some_and(|quote| !starts.contains(&quote)) {
        return false;
    }
    let colon_inside = value
        .match_indices(':')
        .any(|(at, _)| value.get(at + 1..).is_some_and(|rest| rest.starts_with(char::is_whitespace)));
    let opens_something = value.starts_with(starts);
    (colon_inside || opens_something) && !(opens_something && Tree::parse(value, limits).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reading;

    fn repaired(text: &str) -> Option<String> {
        repair(text, &Reading::lenient()).map(|repaired| repaired.text)
    }

    #[test]
    fn plain_values_that_cannot_be_plain_are_quoted() {
        for (line, expected) in [
            ("description: Use when: x", "description: 'Use when: x'"),
            ("a: it's b: c # d", "a: 'it''s b: c' # d"),
            ("a:   @x", "a:   '@x'"),
            ("a: `x` y\r\n", "a: '`x` y'\r\n"),
            ("a: [x] [y]", "a: '[x] [y]'"),
            ("a: {b: c} d", "a: '{b: c} d'"),
            ("- a: b: c", "- a: 'b: c'"),
        ] {
            assert_eq!(repaired(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn a_reading_may_repair_some_keys_only() {
        let reading = Reading { repair_keys: Some(&["description"]), ..Reading::lenient() };
        let repaired = |text: &str| repair(text, &reading).map(|repaired| repaired.text);
        assert_eq!(repaired("description: a: b").as_deref(), Some("description: 'a: b'"));
        assert_eq!(repaired("license: a: b"), None);
        assert_eq!(repaired("  description: a: b"), None, "the key of a nested field is another one");
        let reading = Reading { repair_starts: &['"'], ..Reading::lenient() };
        let repaired = |text: &str| repair(text, &reading).map(|repaired| repaired.text);
        assert_eq!(repaired("a: b\nc: \"open").as_deref(), Some("a: b\nc: '\"open'"));
        assert_eq!(repaired("c: \"open\na: b"), None, "nothing says where it was to end");
        assert_eq!(repaired("c: \"closed\""), None);
    }

    #[test]
    fn what_is_fine_or_hopeless_stays() {
        for line in [
            "a: b",
            "a: b:c",
            "a: b:",
            "a: [b, c]",
            "a: {b: c}",
            "a: 'b' c: d",
            "a: \"b: c",
            "a: | b: c",
            "a: - b",
            "a:b: c",
            ": b: c",
            "a: %b",
            "a: *b",
            "a: # b: c",
        ] {
            assert_eq!(repaired(line), None, "{line}");
        }
        assert_eq!(repaired("a: |\n  b: c: d\n\n  e: f: g\n"), None, "text of a block scalar");
        assert_eq!(repaired("a: >\n  b: c: d\ne: f: g").as_deref(), Some("a: >\n  b: c: d\ne: 'f: g'"));
    }

    #[test]
    fn places_lead_back_to_the_text_as_written() {
        let text = "a: it's: x\nb: c: d\nend";
        let repaired = repair(text, &Reading::lenient()).unwrap();
        assert_eq!(repaired.text, "a: 'it''s: x'\nb: 'c: d'\nend");
        for (part, at) in [("x", 9), ("b:", 11), ("d", 17), ("end", 19)] {
            let there = repaired.text.find(part).unwrap();
            assert_eq!(repaired.original(there), at, "{part}");
            assert!(text[at..].starts_with(part));
        }
        assert_eq!(repaired.quoted, [3..10, 14..18]);
    }
}
