//! The text of an entry: what it is made of, how it becomes one line, and where it ends.

use lorimer_core::Skill;
use serde_json::Value;

/// A text as it is shown at its longest.
#[derive(Debug)]
pub(super) struct Capped {
    pub(super) shown: String,
    /// Characters that the whole text has.
    pub(super) whole_chars: usize,
    /// Characters of it that are not shown.
    pub(super) cut: usize,
}

/// Returns the whole text of a skill, in one line: its description, `hint` and what it says about when to use it.
pub(super) fn whole(skill: &Skill, missing: &str, hint: &str) -> String {
    let description = match skill.description.trim() {
        "" => missing,
        description => description,
    };
    let mut text = escaped(description);
    text.push_str(hint);
    if let Some(when) = skill.frontmatter.get("when_to_use").and_then(as_text).filter(|when| !when.is_empty())
    {
        text.push_str(" - ");
        text.push_str(&escaped(&when));
    }
    text
}

/// Returns a value as text; `None` for nothing and for mappings. The items of a list stand side by side, with a comma.
pub(super) fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Array(items) => {
            let items = items.iter().map(|item| as_text(item).unwrap_or_default());
            Some(items.collect::<Vec<_>>().join(","))
        }
        Value::Null | Value::Object(_) => None,
    }
}

/// Returns a text as one line that nobody can take for markup, trimmed.
///
/// Escape sequences of a terminal are taken out. Line breaks become one blank, however many there are together; other
/// control characters and invisible ones become one each. Joiners stay, as emoji and several scripts need them. Inner runs of blanks stay. `<` and `>` become
/// `&lt;` and `&gt;`.
///
/// ```
/// use lorimer_catalog::one_line;
/// assert_eq!(one_line(" a\r\nb\u{202e}\tc  <d> \u{1b}[31m&"), "a b  c  &lt;d&gt; &");
/// ```
pub fn one_line(text: &str) -> String {
    escaped(text).trim().to_owned()
}

fn escaped(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    // Invisible copies of ASCII spell the region behind a black flag, and have no other honest use.
    let mut in_flag = false;
    while let Some(character) = rest.chars().next() {
        let sequence = terminal_sequence(rest);
        if sequence > 0 {
            rest = rest.get(sequence..).unwrap_or_default();
            continue;
        }
        let mut end = character.len_utf8();
        let tag = matches!(character, '\u{e0020}'..='\u{e007f}');
        in_flag = character == '\u{1f3f4}' || (in_flag && tag);
        match character {
            '<' => line.push_str("&lt;"),
            '>' => line.push_str("&gt;"),
            '\r' | '\n' => {
                line.push(' ');
                end = rest.len() - rest.trim_start_matches(['\r', '\n']).len();
            }
            _ if character.is_control() || is_invisible(character) || (tag && !in_flag) => line.push(' '),
            _ => line.push(character),
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    line
}

/// Returns how many bytes of a terminal's escape sequence a text begins with: ECMA-48's control sequences, and strings that
/// a bell or ST ends.
fn terminal_sequence(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (start, kind) = match bytes {
        [0x1b, kind @ (b'[' | b']' | b'P' | b'X' | b'^' | b'_'), ..] => (2, *kind),
        [0x1b, b'0'..=b'~', ..] => return 2,
        // The same in one character, U+009B.
        [0xc2, 0x9b, ..] => (2, b'['),
        _ => return 0,
    };
    let body = bytes.get(start..).unwrap_or_default();
    if kind == b'[' {
        let parameters = body.iter().take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
        return match body.get(parameters) {
            Some(0x40..=0x7e) => start + parameters + 1,
            _ => start,
        };
    }
    for (at, byte) in body.iter().enumerate() {
        match byte {
            0x07 => return start + at + 1,
            0x1b if body.get(at + 1) == Some(&b'\\') => return start + at + 2,
            _ => {}
        }
    }
    start
}

/// Characters that nobody sees, and those that turn the direction of writing. Joiners and variation selectors are not among
/// them.
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0001}')
}

/// Cuts a text that has more than `most` UTF-16 units, so that it has so many together with the mark at its end.
pub(super) fn capped(text: String, most: usize, splits: bool) -> Capped {
    const MARK: char = '…';
    let units: usize = text.chars().map(char::len_utf16).sum();
    let whole_chars = text.chars().count();
    if units <= most {
        return Capped { shown: text, whole_chars, cut: 0 };
    }
    let space = most.saturating_sub(1);
    let mut used = 0;
    let mut shown = String::new();
    let mut kept = 0;
    for character in text.chars() {
        let width = character.len_utf16();
        if used + width > space {
            if splits && used < space {
                shown.push(char::REPLACEMENT_CHARACTER);
            }
            break;
        }
        used += width;
        kept += 1;
        shown.push(character);
    }
    if !splits {
        let entity = ["&lt;", "&gt;"].into_iter().find_map(|entity| {
            let parts = (1..entity.len()).rev().filter_map(|length| entity.get(..length));
            let part = parts.filter(|part| shown.ends_with(part)).find(|part| {
                text.get(shown.len()..).is_some_and(|behind| {
                    entity.get(part.len()..).is_some_and(|missing| behind.starts_with(missing))
                })
            })?;
            Some(part.len())
        });
        if let Some(part) = entity {
            shown.truncate(shown.len() - part);
            kept -= part;
        }
    }
    if most > 0 {
        shown.push(MARK);
    }
    Capped { shown, whole_chars, cut: whole_chars - kept }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sequences_of_a_terminal_go_whole() {
        for (text, line) in [
            ("\u{1b}[31mred\u{1b}[0m x", "red x"),
            ("\u{1b}]0;title\u{7}x", "x"),
            ("\u{1b}]8;;http://a\u{1b}\\link", "link"),
            ("\u{9b}1mx", "x"),
            ("\u{1b}cx", "x"),
            ("a\u{1b}", "a"),
            ("a\u{1b}[", "a"),
            ("a\tb\u{7}c\u{7f}d", "a b c d"),
            ("a\u{a0}\u{200d}b", "a\u{a0}\u{200d}b"),
            ("a\u{e0041}\u{e0042}b", "a  b"),
            ("\u{1f3f4}\u{e0067}\u{e007f}", "\u{1f3f4}\u{e0067}\u{e007f}"),
            ("a\n\r\n\nb", "a b"),
            ("a\n \nb", "a   b"),
        ] {
            assert_eq!(one_line(text), line, "{text:?}");
        }
    }

    #[test]
    fn a_text_that_is_too_long_ends_with_a_mark() {
        let shown = |text: &str, most, splits| capped(text.to_owned(), most, splits).shown;
        assert_eq!(shown("abcd", 4, false), "abcd");
        assert_eq!(shown("abcde", 4, false), "abc…");
        assert_eq!(shown("abcde", 1, false), "…");
        assert_eq!(shown("ab🍵d", 4, false), "ab…");
        assert_eq!(shown("ab🍵d", 4, true), "ab\u{fffd}…");
        assert_eq!(shown("a&lt;bc", 5, false), "a…");
        assert_eq!(shown("a&lt;bc", 5, true), "a&lt…");
        assert_eq!(shown("a&ltx&", 5, false), "a&lt…", "no bracket was written there");
        let cut = capped("abcde".to_owned(), 4, false);
        assert_eq!((cut.whole_chars, cut.cut), (5, 2));
    }

    #[test]
    fn other_values_are_written_as_text() {
        let text = |json: &str| as_text(&serde_json::from_str(json).unwrap());
        assert_eq!(text("[\"x\", 5, null, [true]]").as_deref(), Some("x,5,,true"));
        assert_eq!(text("{\"a\": 1}"), None);
        assert_eq!(text("null"), None);
    }

    proptest! {
        #[test]
        fn a_line_is_a_line(text in any::<String>(), most in 0_usize..40, splits: bool) {
            let line = one_line(&text);
            prop_assert!(!line.chars().any(|character| character.is_control() || is_invisible(character)));
            prop_assert!(!line.contains(['<', '>']));
            let capped = capped(line.clone(), most, splits);
            let units: usize = capped.shown.chars().map(char::len_utf16).sum();
            prop_assert!(units <= most);
            prop_assert_eq!(capped.cut == 0, capped.shown == line);
        }
    }
}
