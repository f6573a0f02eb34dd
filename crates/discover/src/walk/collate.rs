//! The order in which a person would sort names, without the tables that every script would need.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Punctuation in the order of the Unicode collation's root (CLDR); symbols behind it.
const MARKS: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Returns a key by which names sort: punctuation, digits, letters without their accents; case tells only names apart
/// that are equal otherwise, small letters first.
pub(super) fn collation_key(text: &str) -> (Vec<(u8, u32)>, Vec<bool>) {
    let letters = text.nfd().filter(|character| !is_combining_mark(*character));
    let primary = letters.map(|character| match MARKS.find(character) {
        Some(at) => (0, u32::try_from(at).unwrap_or(u32::MAX)),
        None if character.is_ascii_digit() => (1, u32::from(character)),
        None if character.is_alphabetic() => (2, lower(character)),
        None => (0, u32::MAX),
    });
    (primary.collect(), text.chars().map(char::is_uppercase).collect())
}

fn lower(character: char) -> u32 {
    character.to_lowercase().next().map_or(0, u32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order that a harness with ICU's collation was seen to list names in.
    #[test]
    fn names_sort_as_people_sort_them() {
        let sorted = [
            "_x", "-x", "1", "10", "9", "a b", "a_b", "a-b", "Ä-dir", "a.b", "ab", "abc", "alpha", "Alpha",
            "b-dir", "zeta", "Zeta", "日本",
        ];
        let mut names = sorted;
        names.sort_unstable();
        names.sort_by_key(|name| collation_key(name));
        assert_eq!(names, sorted);
    }
}
