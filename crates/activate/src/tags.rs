//! Keeping a body inside its wrapper.

use std::borrow::Cow;

use lorimer_core::text::floor_char_boundary;

/// What happens to text that would close, or forge, the wrapper around it.
///
/// A tag of the wrapper is recognised as a model would read it: in any case, with white space around the slash
/// (`</ Skill >`), with invisible characters in between, with or without attributes, and also without its `>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClosingTags {
    /// Every byte is passed on as it is; a warning says when that lets a text out of its wrapper.
    PassThrough,
    /// The `<` of every `skill` tag inside a body, and every `<` inside a name or a path, is written as `&lt;`.
    /// Control characters in a name or a path are written as escapes, so that each stays one line. Nothing else is
    /// touched, and a note says that it happened.
    #[default]
    Defuse,
}

/// A `<` written so that it opens no tag.
const DEFUSED: &str = "&lt;";

/// Returns whether `text` has a closing tag of this name.
pub(crate) fn closes(text: &str, name: &str) -> bool {
    angles(text).any(|(_, rest)| tag(rest, name) == Some(Tag::Closing))
}

/// Returns `text` with no `skill` tag in it.
pub(crate) fn defuse(text: &str) -> Cow<'_, str> {
    let mut defused = String::new();
    let mut copied = 0;
    for (start, rest) in angles(text) {
        if tag(rest, "skill").is_some() {
            defused.push_str(text.get(copied..start).unwrap_or_default());
            defused.push_str(DEFUSED);
            copied = start + 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    defused.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(defused)
}

/// Returns as much of the beginning of `text` as has at most `limit` bytes after [`defuse`], defused, and how many
/// bytes of `text` that are.
pub(crate) fn defuse_within(text: &str, limit: usize) -> (Cow<'_, str>, usize) {
    let mut end = floor_char_boundary(text, limit);
    loop {
        let defused = defuse(text.get(..end).unwrap_or_default());
        // Cutting can make a tag out of a longer word, so each attempt is defused anew. Every attempt is shorter.
        let excess = defused.len().saturating_sub(limit);
        if excess == 0 || end == 0 {
            return (defused, end);
        }
        end = floor_char_boundary(text, end.saturating_sub(excess));
    }
}

/// Returns a name or a path as one line that opens no tag and closes no quotation.
pub(crate) fn defuse_label(label: &str) -> Cow<'_, str> {
    let harmless = |character: char| !is_line_break(character) && !matches!(character, '<' | '"');
    if label.chars().all(harmless) {
        return Cow::Borrowed(label);
    }
    let mut defused = String::with_capacity(label.len() + DEFUSED.len());
    for character in label.chars() {
        match character {
            '<' => defused.push_str(DEFUSED),
            '"' => defused.push_str("&quot;"),
            character if is_line_break(character) => defused.extend(character.escape_default()),
            character => defused.push(character),
        }
    }
    Cow::Owned(defused)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Opening,
    Closing,
}

/// Returns the offset of each `<` with the text behind it.
fn angles(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('<').map(|(start, _)| (start, text.get(start + 1..).unwrap_or_default()))
}

/// Returns which tag of this name begins with the `<` before `rest`.
fn tag(rest: &str, name: &str) -> Option<Tag> {
    let mut characters = rest.chars().filter(|character| !is_invisible(*character)).peekable();
    let mut spaces = 0_usize;
    while characters.next_if(|character| character.is_whitespace()).is_some() {
        spaces += 1;
    }
    let kind = if characters.next_if_eq(&'/').is_some() {
        while characters.next_if(|character| character.is_whitespace()).is_some() {}
        Tag::Closing
    } else if spaces == 0 {
        Tag::Opening
    } else {
        // `a < skill` compares; no one reads it as a tag.
        return None;
    };
    for expected in name.chars() {
        characters.next_if(|character| character.eq_ignore_ascii_case(&expected))?;
    }
    let longer = |character: &char| character.is_alphanumeric() || matches!(character, '-' | '_' | ':' | '.');
    if characters.peek().is_some_and(longer) { None } else { Some(kind) }
}

/// Characters that take no place on a screen: soft hyphen, zero width, direction marks, byte order mark.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    )
}

fn is_line_break(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tags_are_recognised_as_a_model_reads_them() {
        for closing in [
            "</skill>",
            "</SKILL>",
            "</ skill >",
            "< / skill>",
            "</\u{200b}skill>",
            "</ski\u{ad}ll>",
            "</skill\n>",
            "</skill",
            "</skill x='1'>",
        ] {
            assert!(closes(closing, "skill"), "{closing:?}");
            assert_eq!(defuse(closing), format!("&lt;{}", &closing[1..]), "{closing:?}");
        }
        for other in
            ["</skills>", "</skill-set>", "a < skill", "<a></a>", "<", "</", "&lt;/skill>", "</name>"]
        {
            assert!(!closes(other, "skill"), "{other:?}");
            assert!(matches!(defuse(other), Cow::Borrowed(_)), "{other:?}");
        }
        assert_eq!(defuse("x <skill name=\"y\"> <skill/> z"), "x &lt;skill name=\"y\"> &lt;skill/> z");
        assert!(!closes("<skill>", "skill"));
    }

    #[test]
    fn labels_stay_one_line() {
        assert_eq!(defuse_label("a\n</name>\"b"), "a\\n&lt;/name>&quot;b");
        assert!(matches!(defuse_label("/home/ü/a b/SKILL.md"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_cut_that_makes_a_tag_out_of_a_word_is_defused_too() {
        assert_eq!(defuse_within("</skillful>", 11), (Cow::Borrowed("</skillful>"), 11));
        let (defused, end) = defuse_within("ab</skillful>", 9);
        assert_eq!((&*defused, end), ("ab</sk", 6), "defused, nine bytes would be twelve");
    }

    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("</skill>".to_owned()),
            Just("<skill>".to_owned()),
            Just("</ skill".to_owned()),
            Just("<".to_owned()),
            Just("/SKILL".to_owned()),
            Just("\u{200b}".to_owned()),
            Just("\n---\n".to_owned()),
            "[ -~é\u{a0}\n]{0,6}",
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn defused_text_has_no_tag_and_within_holds(text in hostile(), limit in 0_usize..80) {
            let whole = defuse(&text);
            prop_assert!(!closes(&whole, "skill"));
            prop_assert_eq!(defuse(&whole), whole.clone(), "once is enough");
            let (within, end) = defuse_within(&text, limit);
            prop_assert!(within.len() <= limit && end <= text.len());
            prop_assert!(!closes(&within, "skill"));
            if whole.len() <= limit {
                prop_assert_eq!((within, end), (whole, text.len()));
            }
        }
    }
}
