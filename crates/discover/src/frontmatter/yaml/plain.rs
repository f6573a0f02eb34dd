//! A short cut for what most files say: `key: value`, one a line, and mappings of such lines one level down.
//!
//! It is no second dialect. It knows a small part of YAML in which nothing has two meanings, gives exactly the tree
//! that the parser gives, and leaves everything else to the parser. The tests below hold the two against each other.

use std::borrow::Cow;
use std::ops::Range;

use super::{Limits, Node, NodeId, NodeValue, Tree};

/// The parser has limits of its own for keys; these are far below.
const MAX_KEY_BYTES: usize = 64;
/// The tree has two levels. With tighter limits the parser decides.
const MIN_DEPTH: usize = 8;

/// Reads a text that is plain enough; `None` says nothing about any other.
pub(super) fn tree<'a>(text: &'a str, limits: &Limits) -> Option<Tree<'a>> {
    if limits.depth < MIN_DEPTH || !text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return None;
    }
    if !has_plain_characters(text) {
        return None;
    }
    let mut reader = Reader { nodes: Vec::with_capacity(16), entries: Vec::new(), inner: None };
    reader.add(NodeValue::Map(Vec::new()), 0..text.len());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        reader.line(line.strip_suffix('\n').unwrap_or(line), start)?;
        start += line.len();
    }
    reader.close_inner(text.len())?;
    if let Some(root) = reader.nodes.first_mut() {
        root.value = NodeValue::Map(reader.entries);
    }
    (reader.nodes.len() <= limits.nodes).then_some(Tree {
        nodes: reader.nodes,
        root: Some(NodeId(0)),
        foreign_tag: None,
    })
}

/// Returns whether nothing but printable characters and line feeds is there. What ends a line in some version of YAML,
/// and what is no character of it, is for the parser.
fn has_plain_characters(text: &str) -> bool {
    if text.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~')) {
        return true;
    }
    text.chars().all(|character| match character {
        '\n' | ' '..='~' => true,
        '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        _ => character >= '\u{a0}',
    })
}

struct Reader<'a> {
    nodes: Vec<Node<'a>>,
    entries: Vec<(NodeId, NodeId)>,
    inner: Option<Inner>,
}

/// The mapping one level down that is being read.
struct Inner {
    key: NodeId,
    /// The mapping and its indent, once its first line is there.
    map: Option<(NodeId, usize)>,
    entries: Vec<(NodeId, NodeId)>,
}

impl<'a> Reader<'a> {
    fn add(&mut self, value: NodeValue<'a>, span: Range<usize>) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node { value, span });
        id
    }

    /// Takes one line, which starts at this offset.
    fn line(&mut self, line: &'a str, start: usize) -> Option<()> {
        let content = line.trim_start_matches(' ');
        let indent = line.len() - content.len();
        if indent == 0 {
            self.close_inner(start)?;
        } else {
            let inner = self.inner.as_mut()?;
            match inner.map {
                Some((_, expected)) if expected == indent => {}
                Some(_) => return None,
                None => {
                    let id = NodeId(self.nodes.len());
                    inner.map = Some((id, indent));
                    let begin = start + indent;
                    self.add(NodeValue::Map(Vec::new()), begin..begin);
                }
            }
        }
        let (key, rest) = content.split_once(':')?;
        if !is_key(key) {
            return None;
        }
        let begin = start + indent;
        let scalar = NodeValue::Scalar { text: Cow::Borrowed(key), plain: true };
        let key_id = self.add(scalar, begin..begin + key.len());
        let written = rest.trim_start_matches(' ');
        if written.is_empty() {
            // Only a mapping may follow, and it may not be the last line.
            if indent > 0 || !rest.is_empty() {
                return None;
            }
            self.inner = Some(Inner { key: key_id, map: None, entries: Vec::new() });
            return Some(());
        }
        if written.len() == rest.len() {
            return None;
        }
        let (text, plain) = value(written)?;
        let begin = start + line.len() - written.len();
        let scalar = NodeValue::Scalar { text: Cow::Borrowed(text), plain };
        let value_id = self.add(scalar, begin..begin + written.len());
        match &mut self.inner {
            Some(inner) => inner.entries.push((key_id, value_id)),
            None => self.entries.push((key_id, value_id)),
        }
        Some(())
    }

    /// Ends the mapping one level down, if one is open: the parser sees its end where the next thing starts.
    fn close_inner(&mut self, end: usize) -> Option<()> {
        let Some(inner) = self.inner.take() else { return Some(()) };
        let (id, _) = inner.map?;
        let node = self.nodes.get_mut(id.0)?;
        node.span.end = end;
        node.value = NodeValue::Map(inner.entries);
        self.entries.push((inner.key, id));
        Some(())
    }
}

fn is_key(key: &str) -> bool {
    key.len() <= MAX_KEY_BYTES
        && key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Returns the text of a value that fills its line, and whether it is without quotes.
fn value(written: &str) -> Option<(&str, bool)> {
    for (quote, escapes) in [('"', ['"', '\\']), ('\'', ['\'', '\''])] {
        if let Some(rest) = written.strip_prefix(quote) {
            let text = rest.strip_suffix(quote)?;
            return (!text.contains(escapes)).then_some((text, false));
        }
    }
    let bytes = written.as_bytes();
    if !bytes.first()?.is_ascii_alphanumeric() || matches!(bytes.last(), Some(b' ' | b':')) {
        return None;
    }
    let means_something = |pair: &[u8]| matches!(pair, b": " | b" #");
    (!bytes.windows(2).any(means_something)).then_some((written, true))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns whether the short cut was taken, once it is sure that it leads to the same place.
    fn agrees(text: &str) -> bool {
        Tree::check(text, &Limits::default())
    }

    #[test]
    fn plain_texts_take_the_short_cut() {
        for text in [
            "name: a\n",
            "name: a",
            "name: a b\ndescription:  \"Use when: x # y\"\nz: 'it is'\n",
            "description: a (b), [c] {d} \"e\" it's x:y#z`\n",
            "metadata:\n  author: a\n  version: \"1.2\"\nlast: 5\n",
            "metadata:\n   a: b\nother:\n c: d",
            "name: a\nname: b\n",
            "description: an \u{e9}t\u{e9} \u{1f468}\u{200d}\u{1f469}\u{a0}\u{3000}\n",
            "d: a#b -c ?d &e *f !g |h >i %j @k\ne: \"\"\nf: ''\n",
            "null: null\ntrue: true\ny: 2026-01-01\n",
        ] {
            assert!(agrees(text), "{text:?}");
        }
        let long = "x".repeat(3000);
        for value in [long.clone(), format!("\"{long}\""), format!("'{long}'")] {
            assert!(agrees(&format!("a: {value}\nb: c\n")));
        }
    }

    #[test]
    fn everything_else_is_left_to_the_parser() {
        for text in [
            "",
            "a",
            "a:",
            "a: ",
            "a:\n",
            "a:b\n",
            "a: b \n",
            "a: b: c\n",
            "a: b:\n",
            "a: b #c\n",
            "a: |\n b\n",
            "a: >\n b\n",
            "a: - b\n",
            "- a\n",
            "a: &b c\n",
            "a: *b\n",
            "a: !b c\n",
            "a: [b]\n",
            "a: {b: c}\n",
            "a: \"b\\n\"\n",
            "a: 'b''c'\n",
            "a: \"b\" c\n",
            "a: \"b\" # c\n",
            "a: \"b\n",
            "a: b\n c\n",
            "a: b\n\nc: d\n",
            "\na: b\n",
            "a:\n  b:\n    c: d\n",
            "a:\n  b: c\n   d: e\n",
            "a:\n  b: c\n d: e\n",
            "a: b\n---\nc: d\n",
            "a: b\n...\n",
            "# a\nb: c\n",
            "a: b\r\n",
            "a:\tb\n",
            "a : b\n",
            "? a\n",
            "\"a\": b\n",
            "a: b\n  c: d\n",
            "a:\nb: c\n",
            "a: b\u{85}c\n",
            "a: b\u{2028}c\n",
            "\u{feff}a: b\n",
            "a:\n- b\n",
            "a:  \n  b: c\n",
            "a: b\n\n",
        ] {
            assert!(tree(text, &Limits::default()).is_none(), "{text:?}");
        }
        let tight = Limits { nodes: 4, ..Limits::default() };
        assert!(tree("a: b\nc: d\n", &tight).is_none());
        assert!(tree("a: b\n", &tight).is_some());
        assert!(tree("a: b\n", &Limits { depth: 1, ..Limits::default() }).is_none());
    }

    /// Pieces of which something goes wrong sooner or later.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            6 => prop::sample::select(vec![
                "a", "name", "description", ": ", ":", "\n", " ", "  ", "\n  ", "x y", "\"", "'", "#", " #", "-", "- ", "?", "!", "&a",
                "*a", "[", "]", "{", "}", ",", "|", ">", "%", "@", "`", "\\", "~", "null", "1.50", "\u{e9}", "\u{a0}", "\u{85}",
                "\u{2028}", "\u{feff}", "\t", "\r\n", "---", "...", "<<", "=", "a: b\n", "k: \"v\"\n", "m:\n  k: v\n",
            ]).prop_map(str::to_owned),
            1 => any::<char>().prop_map(String::from),
        ];
        prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
    }

    /// Lines that are nearly plain, so that the short cut is taken often.
    fn lines() -> impl Strategy<Value = String> {
        let line = prop_oneof![
            4 => ("[a-z][a-z0-9_-]{0,6}", " {1,3}", "[a-zA-Z0-9][ -~]{0,12}").prop_map(|(key, gap, value)| format!("{key}:{gap}{value}\n")),
            2 => ("[a-z]{1,4}", "[ -~\u{e9}\u{3000}]{0,9}").prop_map(|(key, value)| format!("{key}: \"{value}\"\n")),
            2 => ("[a-z]{1,4}", "[ -~\u{e9}\u{3000}]{0,9}").prop_map(|(key, value)| format!("{key}: '{value}'\n")),
            2 => ("[a-z]{1,4}", " {1,3}", "[a-z]{1,4}", "[a-z0-9][ -~]{0,5}", "[a-z0-9][ -~]{0,5}")
                .prop_map(|(key, indent, inner, one, two)| format!("{key}:\n{indent}{inner}: {one}\n{indent}z: {two}\n")),
            1 => "[ -~]{0,12}\n",
        ];
        (prop::collection::vec(line, 1..5), any::<bool>()).prop_map(|(lines, cut)| {
            let text = lines.concat();
            if cut { text.trim_end_matches('\n').to_owned() } else { text }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

        #[test]
        fn the_short_cut_leads_to_the_same_tree(pieces in pieces(), lines in lines()) {
            agrees(&pieces);
            agrees(&lines);
        }
    }
}
