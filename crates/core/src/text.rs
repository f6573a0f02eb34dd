//! Small, pure operations on text that more than one stage needs.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns `text` with every run of Unicode white space collapsed to one space and both ends trimmed.
///
/// A folded text is one line, so it cannot add a line to a listing.
///
/// ```
/// assert_eq!(lorimer_core::text::fold_whitespace(" a\n\tb  c "), "a b c");
/// ```
pub fn fold_whitespace(text: &str) -> Cow<'_, str> {
    if is_folded(text) {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    Cow::Owned(folded)
}

/// Returns whether a text has no white space but single spaces between words.
fn is_folded(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Counted to the end, as a compiler makes such loops look at many bytes at once.
    let breaks = bytes.iter().filter(|byte| matches!(byte, b'\t'..=b'\r')).count();
    let next = bytes.get(1..).unwrap_or_default();
    let doubled = bytes.iter().zip(next).filter(|pair| *pair == (&b' ', &b' ')).count();
    breaks + doubled == 0
        && !bytes.starts_with(b" ")
        && !bytes.ends_with(b" ")
        && (text.is_ascii() || !text.chars().any(|character| character != ' ' && character.is_whitespace()))
}

/// White space as the `\s` and `trim` of JavaScript know it: other than in Rust, with the byte order mark and without
/// U+0085.
pub fn is_script_whitespace(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

/// Returns `text` with every run of white space, as JavaScript knows it, collapsed to one space and both ends trimmed.
pub fn fold_script_whitespace(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && is_folded(text) {
        return Cow::Borrowed(text);
    }
    let words: Vec<&str> = text.split(is_script_whitespace).filter(|word| !word.is_empty()).collect();
    Cow::Owned(words.join(" "))
}

/// Returns the first `units` UTF-16 code units of a text. Half of a character at the end becomes U+FFFD, as it does when
/// a program that counts so writes UTF-8.
///
/// ```
/// assert_eq!(lorimer_core::text::first_utf16("a🦀", 1), "a");
/// assert_eq!(lorimer_core::text::first_utf16("a🦀", 2), "a\u{fffd}");
/// ```
pub fn first_utf16(text: &str, units: usize) -> Cow<'_, str> {
    let mut left = units;
    for (at, character) in text.char_indices() {
        if character.len_utf16() > left {
            let beginning = text.get(..at).unwrap_or_default();
            return if left == 0 { beginning.into() } else { format!("{beginning}\u{fffd}").into() };
        }
        left -= character.len_utf16();
    }
    Cow::Borrowed(text)
}

/// Escapes `&`, `<` and `>`.
pub fn escape_tags(text: &str) -> Cow<'_, str> {
    escape(text, |character| matches!(character, '&' | '<' | '>'))
}

/// Escapes `&`, `<`, `>`, `"` and `'`: no text can end an element or an attribute, or begin another one.
///
/// ```
/// assert_eq!(lorimer_core::text::escape_markup("a < 'b'"), "a &lt; &apos;b&apos;");
/// ```
pub fn escape_markup(text: &str) -> Cow<'_, str> {
    escape(text, |character| matches!(character, '&' | '<' | '>' | '"' | '\''))
}

fn escape(text: &str, escaped: fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(escaped) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            _ if !escaped(character) => safe.push(character),
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ => safe.push_str("&apos;"),
        }
    }
    Cow::Owned(safe)
}

/// Returns the largest index of at most `limit` that is a character boundary of `text`.
///
/// ```
/// assert_eq!(lorimer_core::text::floor_char_boundary("aé", 2), 1);
/// ```
pub fn floor_char_boundary(text: &str, limit: usize) -> usize {
    if limit >= text.len() {
        return text.len();
    }
    (0..=limit).rev().find(|index| text.is_char_boundary(*index)).unwrap_or(0)
}

/// Returns the first `count` characters of `text`.
///
/// ```
/// assert_eq!(lorimer_core::text::first_chars("déjà", 3), "déj");
/// ```
pub fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// Returns how deep the brackets of `text` nest, those in strings included: an upper bound, for parsers that descend.
///
/// ```
/// assert_eq!(lorimer_core::text::nesting("{a: [1, [2]], b: {}}"), 3);
/// ```
pub fn nesting(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// Percent-encodes what would make a component of an identity ambiguous: `%`, `#` and control characters.
pub(crate) fn encode_component(component: &str) -> Cow<'_, str> {
    if !component.chars().any(needs_encoding) {
        return Cow::Borrowed(component);
    }
    let mut encoded = String::with_capacity(component.len() + 8);
    let mut buffer = [0_u8; 4];
    for character in component.chars() {
        if needs_encoding(character) {
            for byte in character.encode_utf8(&mut buffer).bytes() {
                push_escape(&mut encoded, byte);
            }
        } else {
            encoded.push(character);
        }
    }
    Cow::Owned(encoded)
}

fn needs_encoding(character: char) -> bool {
    matches!(character, '%' | '#') || character.is_control()
}

/// Encodes bytes that need not be UTF-8: valid parts as [`encode_component`], the others byte by byte.
pub(crate) fn encode_bytes(bytes: &[u8]) -> String {
    let mut encoded = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        encoded.push_str(&encode_component(chunk.valid()));
        for byte in chunk.invalid() {
            push_escape(&mut encoded, *byte);
        }
    }
    encoded
}

fn push_escape(out: &mut String, byte: u8) {
    // Writing to a string cannot fail.
    let _ = write!(out, "%{byte:02X}");
}

/// Undoes [`encode_bytes`]; `None` when an escape is not two hexadecimal digits.
pub(crate) fn decode_bytes(encoded: &str) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            decoded.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            decoded.push(byte);
        }
    }
    Some(decoded)
}

/// Undoes [`encode_component`].
pub(crate) fn decode_component(encoded: &str) -> Option<String> {
    String::from_utf8(decode_bytes(encoded)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn components_round_trip_and_stay_printable(text in any::<String>()) {
            let encoded = encode_component(&text);
            prop_assert!(!encoded.contains('#'));
            prop_assert!(!encoded.chars().any(char::is_control));
            let decoded = decode_component(&encoded);
            prop_assert_eq!(decoded.as_deref(), Some(text.as_str()));
        }

        #[test]
        fn any_bytes_round_trip(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            prop_assert_eq!(decode_bytes(&encode_bytes(&bytes)), Some(bytes));
        }

        #[test]
        fn boundaries_hold(text in any::<String>(), limit in 0_usize..64) {
            let end = floor_char_boundary(&text, limit);
            prop_assert!(text.is_char_boundary(end) && end <= limit.min(text.len()));
            prop_assert_eq!(first_chars(&text, limit).chars().count(), limit.min(text.chars().count()));
        }

        #[test]
        fn folded_text_is_one_line(text in any::<String>()) {
            let folded = fold_whitespace(&text);
            prop_assert!(folded.split(' ').all(|word| !word.contains(char::is_whitespace)));
            prop_assert_eq!(fold_whitespace(&folded), &*folded);
        }
    }
}
