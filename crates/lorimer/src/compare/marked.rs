//! What a listing shows of a description, and what it cuts.

/// A description in two parts, and what the listing puts behind the first.
///
/// The parts together are the description. Listings fold white space, escape characters and replace those that mislead
/// by `U+FFFD`; none of that counts as a difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    /// What the listing shows.
    pub kept: String,
    /// What it does not show.
    pub cut: String,
    /// What the listing has in its place, as `…`; empty where it has nothing.
    pub added: String,
}

/// Characters as formats escape them.
const ENTITIES: [(&str, char); 7] = [
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&quot;", '"'),
    ("&apos;", '\''),
    ("&#39;", '\''),
    ("&#x27;", '\''),
];

impl Marked {
    /// Finds the longest beginning of a description that the text of a listing begins with, too.
    ///
    /// ```
    /// use lorimer::compare::Marked;
    /// let marked = Marked::new("Brews tea,\n  slowly & well.", "Brews tea, slowly &amp; w...");
    /// assert_eq!((marked.kept.as_str(), marked.cut.as_str()), ("Brews tea,\n  slowly & w", "ell."));
    /// assert_eq!(marked.added, "...");
    /// ```
    pub fn new(description: &str, shown: &str) -> Self {
        let plain = common(description, shown, |shown, character| shown.strip_prefix(character));
        let escaped = common(description, shown, unescape);
        let (at, added) = if escaped.0 > plain.0 { escaped } else { plain };
        let (kept, cut) = description.split_at_checked(at).unwrap_or((description, ""));
        Self { kept: kept.to_owned(), cut: cut.to_owned(), added: added.to_owned() }
    }
}

/// Returns how many bytes of the description are shown, and what is shown besides. `take` takes a character from the
/// beginning of what is shown.
fn common<'s>(
    description: &str,
    shown: &'s str,
    take: impl Fn(&'s str, char) -> Option<&'s str>,
) -> (usize, &'s str) {
    let mut left = description.trim_start();
    let mut right = shown.trim_start();
    while let Some(character) = left.chars().next() {
        let behind = if character.is_whitespace() {
            Some(right.trim_start()).filter(|behind| behind.len() < right.len())
        } else {
            take(right, character).or_else(|| right.strip_prefix(char::REPLACEMENT_CHARACTER))
        };
        let Some(behind) = behind else { break };
        right = behind;
        left = match left.strip_prefix(character) {
            Some(rest) if character.is_whitespace() => rest.trim_start(),
            Some(rest) => rest,
            None => break,
        };
    }
    // Blanks at the end are folded away and nothing that is lost.
    let left = if left.trim().is_empty() { "" } else { left };
    (description.len() - left.len(), right)
}

fn unescape(shown: &str, character: char) -> Option<&str> {
    let mut entities = ENTITIES.iter().filter(|(_, meant)| *meant == character);
    entities.find_map(|(entity, _)| shown.strip_prefix(entity)).or_else(|| shown.strip_prefix(character))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(description: &str, shown: &str) -> (String, String, String) {
        let Marked { kept, cut, added } = Marked::new(description, shown);
        (kept, cut, added)
    }

    #[test]
    fn the_cut_is_found_whatever_the_format_does_to_the_text() {
        let of = |kept: &str, cut: &str, added: &str| (kept.to_owned(), cut.to_owned(), added.to_owned());
        assert_eq!(parts("Brews tea.", "Brews"), of("Brews", " tea.", ""));
        assert_eq!(parts("Brews tea.", "Brews…"), of("Brews", " tea.", "…"));
        assert_eq!(parts(" Brews  tea.\n", "Brews tea."), of(" Brews  tea.\n", "", ""));
        assert_eq!(parts("a < b & c", "a &lt; b &a"), of("a < b &", " c", "a"));
        assert_eq!(parts("say &amp; here", "say &amp;amp; h"), of("say &amp; h", "ere", ""));
        assert_eq!(parts("say &amp; here", "say &amp; h"), of("say &amp; h", "ere", ""));
        assert_eq!(parts("a\u{202e}b &lt; c", "a\u{fffd}b &amp;lt;…"), of("a\u{202e}b &lt;", " c", "…"));
        assert_eq!(parts("", "undefined"), of("", "", "undefined"));
        assert_eq!(parts("日本語の説明", "日本"), of("日本", "語の説明", ""));
    }

    proptest! {
        #[test]
        fn the_parts_are_the_description(description in any::<String>(), shown in any::<String>()) {
            let marked = Marked::new(&description, &shown);
            prop_assert_eq!(marked.kept + &marked.cut, description);
        }

        #[test]
        fn a_beginning_is_kept(description in "[a-z&<' ]{0,40}", count in 0_usize..40) {
            let shown = lorimer_core::text::first_chars(&description, count);
            let marked = Marked::new(&description, shown);
            prop_assert!(marked.kept.len() >= shown.trim_end().len());
            prop_assert!(marked.added.trim().is_empty());
        }
    }
}
