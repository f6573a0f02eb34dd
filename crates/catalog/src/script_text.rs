//! Text as JavaScript programs trim and cut it.

use lorimer_core::text::is_script_whitespace;

/// Returns the text without white space at its ends.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches(is_script_whitespace)
}

/// Returns a text of at most `most` UTF-16 units, and how many of its characters are shown: the text itself, or its
/// beginning and `...`. No character is split.
pub(crate) fn cut(text: &str, most: usize) -> (String, usize) {
    const MARK: &str = "...";
    if text.encode_utf16().count() <= most {
        return (text.to_owned(), text.chars().count());
    }
    let (room, mark) = if most <= MARK.len() { (most, "") } else { (most - MARK.len(), MARK) };
    let mut units = 0;
    let end = text.char_indices().find(|(_, character)| {
        units += character.len_utf16();
        units > room
    });
    let beginning = end.and_then(|(at, _)| text.get(..at)).unwrap_or(text);
    let beginning =
        if mark.is_empty() { beginning } else { beginning.trim_end_matches(is_script_whitespace) };
    (format!("{beginning}{mark}"), beginning.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::text::fold_script_whitespace;
    use proptest::prelude::*;

    #[test]
    fn a_cut_is_marked_and_ends_at_a_character() {
        assert_eq!(cut("short", 5), ("short".to_owned(), 5));
        assert_eq!(cut("word word word", 8), ("word...".to_owned(), 4));
        assert_eq!(cut("😀😀😀😀", 7), ("😀😀...".to_owned(), 2));
        assert_eq!(cut("😀😀😀😀", 6), ("😀...".to_owned(), 1));
        assert_eq!(cut("abcdef", 3), ("abc".to_owned(), 3));
    }

    proptest! {
        #[test]
        fn a_cut_is_never_too_long(text: String, most in 0_usize..40) {
            let folded = fold_script_whitespace(&text);
            let (shown, kept) = cut(&folded, most);
            prop_assert!(shown.encode_utf16().count() <= most.max(folded.encode_utf16().count().min(most)));
            prop_assert!(kept <= folded.chars().count());
            prop_assert!(!folded.contains('\n'));
        }
    }
}
