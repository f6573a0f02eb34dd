//! Characters that a person does not see and a model reads.

use std::ops::Range;

use lorimer_core::Code;

use super::outcome::Finding;

/// Returns whether a character is invisible or turns the direction of writing.
///
/// Joiners are not among them: emoji and several scripts need them.
pub(super) fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{180e}' | '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
        || is_tag(character)
}

/// Invisible copies of ASCII. With a black flag before them they are the flag of a region.
fn is_tag(character: char) -> bool {
    matches!(character, '\u{e0000}'..='\u{e007f}')
}

const BLACK_FLAG: char = '\u{1f3f4}';

/// Returns a finding about the hidden characters of a text, if it has any. `range` is where it lies in the file.
pub(super) fn report(file: &[u8], range: Range<usize>) -> Option<Finding> {
    let bytes = file.get(range.clone())?;
    if bytes.is_ascii() {
        return None;
    }
    // Only a whole text is looked at: what a chunk cuts off at its end is left out.
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?,
    };
    let hidden = hidden_characters(text);
    let (first, _) = hidden.first()?;
    let place = range.start + first..range.start + first + text.get(*first..)?.chars().next()?.len_utf8();
    Some(
        Finding::new(Code::HiddenCharacters, describe(&hidden))
            .span(file, &place)
            .help("remove them: a person does not see what the model reads"),
    )
}

/// Returns the hidden characters of a text, each with its byte offset.
pub(crate) fn hidden_characters(text: &str) -> Vec<(usize, char)> {
    let mut in_flag = false;
    let mut hidden = Vec::new();
    for (at, character) in text.char_indices() {
        let tag = is_tag(character);
        in_flag = character == BLACK_FLAG || (in_flag && tag);
        if is_hidden(character) && !(tag && in_flag) {
            hidden.push((at, character));
        }
    }
    hidden
}

/// Says which characters, and what they spell where they are copies of ASCII.
fn describe(hidden: &[(usize, char)]) -> String {
    let mut kinds: Vec<char> = Vec::new();
    for (_, character) in hidden {
        if !is_tag(*character) && !kinds.contains(character) && kinds.len() < 4 {
            kinds.push(*character);
        }
    }
    let mut parts: Vec<String> = kinds.into_iter().map(|kind| format!("U+{:04X}", u32::from(kind))).collect();
    let spelt: String = hidden
        .iter()
        .filter_map(|(_, character)| u32::from(*character).checked_sub(0xE_0000).and_then(char::from_u32))
        .filter(|character| matches!(character, ' '..='~'))
        .take(80)
        .collect();
    if !spelt.is_empty() {
        parts.push(format!("text that reads `{spelt}`"));
    } else if parts.is_empty() {
        parts.push("tag characters".to_owned());
    }
    format!("the file has invisible characters: {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Option<String> {
        report(text.as_bytes(), 0..text.len()).map(|finding| finding.message)
    }

    #[test]
    fn hidden_characters_are_named_and_tags_are_spelt_out() {
        assert_eq!(
            message("a\u{200b}b\u{202e}c\u{200b}").as_deref(),
            Some("the file has invisible characters: U+200B, U+202E")
        );
        let tags: String = "hi you"
            .chars()
            .map(|character| char::from_u32(0xE_0000 + u32::from(character)).unwrap())
            .collect();
        assert_eq!(
            message(&format!("x{tags}")).as_deref(),
            Some("the file has invisible characters: text that reads `hi you`")
        );
    }

    #[test]
    fn scripts_and_emoji_are_not_flagged() {
        for text in [
            "plain",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "می\u{200c}خواهم",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} wins",
            "été 字 👍🏽 ❤️",
        ] {
            assert_eq!(message(text), None, "{text}");
        }
    }
}
