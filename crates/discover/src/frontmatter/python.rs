//! Values as Python has them once its YAML 1.1 reader is done, and as it prints them.

mod scalar;

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use self::scalar::Scalar;
use super::hidden::is_hidden;
use super::value::{Expansion, TooLarge};
use super::yaml::{NodeId, Tree, View};

/// Mappings that merge each other deeper than this are merged no further.
const MAX_MERGES: usize = 16;

/// Returns the entries of a mapping once `<<` has put other mappings into it: theirs first, so that its own count.
pub(super) fn entries(tree: &Tree<'_>, id: NodeId) -> Vec<(NodeId, NodeId)> {
    merged(tree, id, MAX_MERGES)
}

fn merged(tree: &Tree<'_>, id: NodeId, left: usize) -> Vec<(NodeId, NodeId)> {
    let Some(View::Map(own)) = tree.view(id) else { return Vec::new() };
    let is_merge = |key| matches!(tree.view(key), Some(View::Scalar { text: "<<", plain: true })) && left > 0;
    let mut all = Vec::new();
    for (_, value) in own.iter().filter(|(key, _)| is_merge(*key)) {
        match tree.view(*value) {
            // Of several mappings the first one counts, so it comes last.
            Some(View::List(items)) => {
                all.extend(items.iter().rev().flat_map(|item| merged(tree, *item, left - 1)));
            }
            _ => all.extend(merged(tree, *value, left - 1)),
        }
    }
    all.extend(own.iter().filter(|(key, _)| !is_merge(*key)).copied());
    all
}

/// Returns where a document stands in something that Python's reader refuses although YAML allows it, and what that is: a
/// tag that is not YAML's own, or half a character written as an escape.
pub(super) fn refused(tree: &Tree<'_>, text: &str) -> Option<(usize, &'static str)> {
    let tag = tree.foreign_tag().map(|at| (at, "a tag of its own kind"));
    tag.or_else(|| Some((tree.quoted_with(text, has_half_character)?, "an escape for half a character")))
}

/// Returns whether a text in double quotes has an escape for a surrogate.
fn has_half_character(quoted: &str) -> bool {
    let mut rest = quoted;
    while let Some((_, behind)) = rest.split_once('\\') {
        let digits = behind.strip_prefix('u').and_then(|behind| behind.get(..4));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if code.is_some_and(|code| (0xd800..0xe000).contains(&code)) {
            return true;
        }
        // Whatever is escaped here, it begins nothing else.
        rest = behind.get(behind.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
    }
    false
}

/// Returns a value's text.
pub(super) fn text(tree: &Tree<'_>, id: NodeId, expansion: &mut Expansion) -> Option<String> {
    match tree.view(id)? {
        View::Scalar { text, plain: true } => Some(Scalar::of(text).shown(text)),
        View::Scalar { text, .. } => Some(text.to_owned()),
        // The expansion bounds what aliases may come to.
        View::List(_) | View::Map(_) => json(tree, id, expansion).ok().map(|_| nested(tree, id)),
    }
}

/// Returns whether a value is a string.
pub(super) fn is_string(tree: &Tree<'_>, id: NodeId) -> bool {
    match tree.view(id) {
        Some(View::Scalar { text, plain }) => !plain || Scalar::of(text) == Scalar::String,
        _ => false,
    }
}

/// Returns whether Python takes a value for nothing.
pub(super) fn is_nothing(tree: &Tree<'_>, id: NodeId) -> bool {
    match tree.view(id) {
        Some(View::Scalar { text, plain: true }) => Scalar::of(text).is_nothing(text),
        Some(View::Scalar { text, .. }) => text.is_empty(),
        Some(View::List(items)) => items.is_empty(),
        Some(View::Map(entries)) => entries.is_empty(),
        None => true,
    }
}

/// Returns a value as JSON, typed as Python types it. A date is its text.
pub(super) fn json(tree: &Tree<'_>, id: NodeId, expansion: &mut Expansion) -> Result<Value, TooLarge> {
    json_at(tree, id, expansion, 0)
}

fn json_at(tree: &Tree<'_>, id: NodeId, expansion: &mut Expansion, depth: usize) -> Result<Value, TooLarge> {
    // The depth bounds the recursion, whatever aliases do.
    if expansion.is_too_deep(depth) {
        return Err(TooLarge);
    }
    expansion.spend(1)?;
    Ok(match tree.view(id).ok_or(TooLarge)? {
        View::Scalar { text, plain } => {
            expansion.spend(text.len())?;
            if plain { Scalar::of(text).json(text) } else { Value::String(text.to_owned()) }
        }
        View::List(items) => {
            let items = items.iter().map(|item| json_at(tree, *item, expansion, depth + 1));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        View::Map(_) => {
            let mut map = Map::new();
            for (key, value) in entries(tree, id) {
                let key = match tree.view(key) {
                    Some(View::Scalar { text, .. }) => text.to_owned(),
                    _ => json_at(tree, key, expansion, depth + 1)?.to_string(),
                };
                expansion.spend(key.len())?;
                map.insert(key, json_at(tree, value, expansion, depth + 1)?);
            }
            Value::Object(map)
        }
    })
}

/// Returns the text of a value inside a list or a mapping, where texts stand in quotes.
fn nested(tree: &Tree<'_>, id: NodeId) -> String {
    match tree.view(id) {
        Some(View::Scalar { text, plain: true }) if Scalar::of(text) != Scalar::String => {
            Scalar::of(text).nested(text)
        }
        Some(View::Scalar { text, .. }) => quoted(text),
        Some(View::List(items)) => {
            let items: Vec<String> = items.iter().map(|item| nested(tree, *item)).collect();
            format!("[{}]", items.join(", "))
        }
        Some(View::Map(_)) => {
            // A key keeps its first place; of several values the last one counts.
            let mut places: HashMap<String, usize> = HashMap::new();
            let mut shown: Vec<(String, String)> = Vec::new();
            for (key, value) in entries(tree, id) {
                let (key, value) = (nested(tree, key), nested(tree, value));
                let place = *places.entry(key.clone()).or_insert(shown.len());
                match shown.get_mut(place) {
                    Some(entry) => entry.1 = value,
                    None => shown.push((key, value)),
                }
            }
            let entries: Vec<String> =
                shown.into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
            format!("{{{}}}", entries.join(", "))
        }
        None => "None".to_owned(),
    }
}

/// Returns a string as Python writes it down.
fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for character in text.chars() {
        let code = u32::from(character);
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(character);
            }
            ' ' => out.push(' '),
            _ if character.is_control() || character.is_whitespace() || is_hidden(character) => {
                // Writing to a string cannot fail.
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
            _ => out.push(character),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontmatter::Limits;
    use serde_json::json;

    fn with<T>(yaml: &str, look: impl FnOnce(&Tree<'_>, NodeId, &mut Expansion) -> T) -> T {
        let limits = Limits::default();
        let tree = Tree::parse(yaml, &limits).unwrap();
        let root = tree.root().unwrap();
        look(&tree, root, &mut Expansion::new(limits.expanded, limits.depth))
    }

    #[test]
    fn values_print_as_python_has_them() {
        for (yaml, shown) in [
            ("on", "True"),
            ("No", "False"),
            ("12:30:00", "45000"),
            ("010", "8"),
            ("1_000", "1000"),
            ("0x1F", "31"),
            ("~", "None"),
            ("2024-01-01", "2024-01-01"),
            ("\"on\"", "on"),
            ("[a, 1, it's, no]", "['a', 1, \"it's\", False]"),
            ("{a: b}", "{'a': 'b'}"),
            ("12:99", "12:99"),
            ("99999999999999999999", "99999999999999999999"),
            (
                "[\"a\\nb\", \"'\\\"\", 2024-02-29, 1.50]",
                "['a\\nb', '\\'\"', datetime.date(2024, 2, 29), 1.5]",
            ),
            ("[\"\\u202e\", \"\\a\", é]", "['\\u202e', '\\x07', 'é']"),
            ("{a: 1, b: 2, a: 3}", "{'a': 3, 'b': 2}"),
        ] {
            assert_eq!(with(yaml, text).as_deref(), Some(shown), "{yaml}");
        }
    }

    #[test]
    fn nothing_is_what_python_takes_for_nothing() {
        for yaml in ["~", "no", "0", "0.0", "\"\"", "[]", "{}", "0x0"] {
            assert!(with(yaml, |tree, id, _| is_nothing(tree, id)), "{yaml}");
        }
        for yaml in ["yes", "1", "\" \"", "\"no\"", "[0]", "a", "2024-01-01"] {
            assert!(!with(yaml, |tree, id, _| is_nothing(tree, id)), "{yaml}");
        }
    }

    #[test]
    fn what_python_refuses_is_found() {
        let refused = |yaml: &str| with(yaml, |tree, _, _| refused(tree, yaml).is_some());
        for yaml in ["a: \"\\ud83d\\ude00\"", "a: !mine b", "[!!python/name:os.system x]"] {
            assert!(refused(yaml), "{yaml}");
        }
        for yaml in
            ["a: \"\\\\ud83d\"", "a: '\\ud83d'", "a: \\ud83d", "a: !!str 5", "a: ! b", "a: \"\\u202e\""]
        {
            assert!(!refused(yaml), "{yaml}");
        }
    }

    #[test]
    fn mappings_are_merged_and_values_typed() {
        let yaml = "a: &a {x: on, y: 1}\nb: &b {x: 010}\nc: {<<: [*a, *b], y: 2}\n";
        let value = with(yaml, |tree, id, expansion| json(tree, id, expansion).unwrap());
        assert_eq!(value["c"], json!({"x": true, "y": 2}));
        assert_eq!(value["b"], json!({"x": 8}));
        assert_eq!(
            with("2024-01-01", |tree, id, expansion| json(tree, id, expansion).unwrap()),
            "2024-01-01"
        );
        assert!(with("2024-01-01", |tree, id, _| !is_string(tree, id)));
    }
}
