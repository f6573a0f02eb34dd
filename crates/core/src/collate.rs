//! The order in which a person would sort names, without the tables that every script would need.

use std::fmt;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Punctuation and signs in the order of the Unicode collation's root (CLDR); other signs stand behind them.
const MARKS: &str =
    "\t\n\u{b}\u{c}\r\u{85}\u{2028}\u{2029} _-‐‑–—,;:!¡?¿.…·'‘’\"“”«»()[]{}§¶@*/\\&#%†‡•`´^¯¨¸°©®+±÷×<=>¬|¦~";
/// Signs of currencies stand between the others and the digits.
const CURRENCIES: &str = "¤¢$£¥€";
/// Marks on letters in the order of the same collation; others stand behind them.
const ACCENTS: &str =
    "\u{301}\u{300}\u{306}\u{302}\u{30c}\u{30a}\u{308}\u{30b}\u{303}\u{307}\u{327}\u{338}\u{328}\u{304}";
/// Letters that sort as others do, and what stands for an accent on them.
const EXPANSIONS: [(char, &str, u32); 10] = [
    ('ß', "ss", OTHER_LETTER),
    ('ſ', "s", OTHER_LETTER),
    ('æ', "ae", OTHER_LETTER),
    ('œ', "oe", OTHER_LETTER),
    ('ø', "o", STROKE),
    ('đ', "d", STROKE),
    ('ð', "d", OTHER_LETTER),
    ('ħ', "h", STROKE),
    ('ł', "l", STROKE),
    ('ŀ', "l", OTHER_LETTER),
];
/// A stroke through the letter.
const STROKE: u32 = 12;
const OTHER_LETTER: u32 = u32::MAX;
/// Letters with a place of their own, right behind others.
const BEHIND: [(char, char); 4] = [('ı', 'i'), ('ŋ', 'n'), ('ĸ', 'q'), ('ŧ', 't')];

/// Where a text stands among others; made by [`collation_key`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CollationKey {
    letters: Vec<(u8, u32)>,
    accents: Vec<u32>,
    forms: Vec<u8>,
}

impl fmt::Debug for CollationKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CollationKey").field("letters", &self.letters.len()).finish_non_exhaustive()
    }
}

/// Returns a key by which texts sort: white space, punctuation and signs, digits, letters. Accents tell only texts apart
/// that are equal otherwise, and case those that are equal in that too, small letters first.
///
/// This is the order of the Unicode collation algorithm with CLDR's root table (and so of `Intl.Collator` in English)
/// for Latin script, punctuation and digits. Other scripts stand behind Latin by code point, Hangul before kana.
///
/// ```
/// use lorimer_core::collation_key;
/// let mut names = ["Zeta", "a.b", "zeta", "_x", "a_b", "éclair", "10"];
/// names.sort_by_cached_key(|name| collation_key(name));
/// assert_eq!(names, ["_x", "10", "a_b", "a.b", "éclair", "zeta", "Zeta"]);
/// ```
pub fn collation_key(text: &str) -> CollationKey {
    let mut key =
        CollationKey { letters: Vec::with_capacity(text.len()), accents: Vec::new(), forms: Vec::new() };
    for character in text.nfd() {
        if is_combining_mark(character) {
            let rank = ACCENTS.chars().position(|accent| accent == character);
            let rank = rank.and_then(|rank| u32::try_from(rank).ok());
            key.accents.push(rank.map_or(u32::from(character), |rank| rank + 1));
            continue;
        }
        let small = small(character);
        let expansion = EXPANSIONS.iter().find(|(letter, ..)| *letter == small);
        match expansion {
            Some((_, letters, accent)) => {
                for letter in letters.chars() {
                    // Another form of these letters: it stands behind their own, small or not.
                    key.push(letter, if small == character { 2 } else { 3 });
                }
                key.accents.push(*accent);
            }
            // A sign that has its own place is not taken apart.
            None if MARKS.contains(character) => key.push(character, 0),
            None => {
                decompose_compatible(character, |part| {
                    let form = u8::from(part.is_uppercase()) + if part == character { 0 } else { 2 };
                    key.push(part, form);
                });
            }
        }
    }
    key
}

impl CollationKey {
    fn push(&mut self, character: char, form: u8) {
        let place = |marks: &str| {
            marks.chars().position(|mark| mark == character).and_then(|at| u32::try_from(at).ok())
        };
        let (letter, form) = if let Some(at) = place(MARKS) {
            ((0, at), form)
        } else if character.is_control() || is_invisible(character) {
            return;
        } else if let Some(at) = place(CURRENCIES) {
            ((2, at), form)
        } else if character.is_ascii_digit() {
            ((3, u32::from(character)), form)
        } else if matches!(character, 'ァ'..='ヶ') {
            // A word in either kana is one word.
            ((6, (u32::from(character) - 0x60) * 2), form + 1)
        } else if character.is_alphabetic() {
            let hangul = matches!(character, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}');
            let group = match character {
                _ if hangul => 5,
                '\u{3040}'.. => 6,
                _ => 4,
            };
            let letter = small(character);
            let (before, behind) = match BEHIND.iter().find(|(other, _)| *other == letter) {
                Some((_, before)) => (*before, 1),
                None => (letter, 0),
            };
            ((group, u32::from(before) * 2 + behind), form)
        } else {
            ((1, u32::from(character)), form)
        };
        self.letters.push(letter);
        self.accents.push(0);
        self.forms.push(form);
    }
}

fn small(character: char) -> char {
    character.to_lowercase().next().unwrap_or(character)
}

fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(names: &[&str]) -> bool {
        names.is_sorted_by_key(|name| collation_key(name))
    }

    /// Orders that programs with ICU's collation were seen to list names in.
    #[test]
    fn names_sort_as_people_sort_them() {
        assert!(sorted(&[
            "_x", "-x", "1", "10", "9", "ä", "a b", "a_b", "a-b", "Ä-dir", "a.b", "ab", "abc", "alpha",
            "Alpha", "ALPHA2", "b-dir", "eclair", "éclair", "ecmb", "ss", "ß", "z10", "z9", "zeta", "Zeta",
            "日本",
        ]));
        assert!(sorted(&["–", "•", "😀", "1", "①", "10", "9", "a", "ae", "AE", "æ", "Æ", "af"]));
        assert!(sorted(&[
            "da", "dz", "đz", "ðz", "e", "o", "ø", "oe", "œ", "z", "α", "я", "한", "ひ", "ヒ", "日"
        ]));
    }

    #[test]
    fn ascii_is_in_the_order_of_the_root_collation() {
        const ASCII: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789\
            aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ";
        let keys: Vec<_> = ASCII.chars().map(|character| collation_key(&character.to_string())).collect();
        assert_eq!(keys.len(), 95);
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn what_is_not_seen_does_not_count() {
        assert_eq!(collation_key("a\u{7}b\u{200b}"), collation_key("ab"));
        assert_ne!(collation_key("a b"), collation_key("ab"));
    }

    proptest! {
        /// For plain names this is the order of their bytes.
        #[test]
        fn plain_names_sort_by_their_bytes(left in "[a-z0-9-]{0,12}", right in "[a-z0-9-]{0,12}") {
            prop_assert_eq!(collation_key(&left).cmp(&collation_key(&right)), left.cmp(&right));
        }

        #[test]
        fn any_text_has_a_key(text in any::<String>()) {
            prop_assert_eq!(collation_key(&text), collation_key(&text));
        }
    }
}
