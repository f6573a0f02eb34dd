//! From text to words that can be compared: in any script, in any case, without endings.

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    /// As it was written.
    pub(super) shown: &'a str,
    /// Stands for the word in whichever case and with whichever ending.
    pub(super) key: u64,
    /// Whether it is written like a name: with a capital, and not because a sentence begins.
    pub(super) proper: bool,
}

/// Calls `take` with every word of a text, in order. Scripts without spaces give each pair of neighbouring characters,
/// which is what a word of theirs mostly has.
pub(super) fn each_word<'a>(text: &'a str, mut take: impl FnMut(Word<'a>)) {
    let mut buffer = String::new();
    let mut run: Option<Run> = None;
    for (start, segment) in text.unicode_word_indices() {
        let end = start + segment.len();
        let spaceless = segment.chars().next().is_some_and(is_spaceless);
        if !spaceless || run.is_some_and(|run| run.end != start) {
            finish(text, run.take(), &mut buffer, &mut take);
        }
        if spaceless {
            if let Some(before) = run.and_then(|run| text.get(run.last..end)) {
                take(word(before, false, &mut buffer));
            }
            let alone = run.is_none();
            run = Some(Run { last: start, end, alone });
            continue;
        }
        let mut at = start;
        for part in segment.split(|character: char| character.is_ascii_punctuation()) {
            let shown = with_sign(text, at, part);
            if !shown.is_empty() {
                take(word(shown, is_proper(text, at, part), &mut buffer));
            }
            at += part.len() + 1;
        }
    }
    finish(text, run, &mut buffer, &mut take);
}

/// Neighbouring characters of a script without spaces.
#[derive(Clone, Copy)]
struct Run {
    last: usize,
    end: usize,
    alone: bool,
}

fn finish<'a>(text: &'a str, run: Option<Run>, buffer: &mut String, take: &mut impl FnMut(Word<'a>)) {
    let Some(run) = run.filter(|run| run.alone) else { return };
    if let Some(shown) = text.get(run.last..run.end) {
        take(word(shown, false, buffer));
    }
}

fn is_spaceless(character: char) -> bool {
    matches!(character,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{309f}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// C, C++ and C# are three languages.
fn with_sign<'a>(text: &'a str, start: usize, part: &'a str) -> &'a str {
    let end = start + part.len();
    let behind = text.get(end..).unwrap_or_default();
    let sign = ["++", "#"].into_iter().find(|sign| behind.starts_with(sign)).unwrap_or_default();
    let next = behind.get(sign.len()..).and_then(|rest| rest.chars().next());
    let is_language = !part.is_empty() && part.len() <= 2 && !next.is_some_and(char::is_alphanumeric);
    if is_language { text.get(start..end + sign.len()).unwrap_or(part) } else { part }
}

fn is_proper(text: &str, start: usize, part: &str) -> bool {
    let mut letters = part.chars();
    if !letters.next().is_some_and(char::is_uppercase) {
        return false;
    }
    // Inside a word is never the beginning of a sentence.
    if letters.any(char::is_uppercase) {
        return true;
    }
    let before = text.get(..start).unwrap_or_default();
    let before = before.trim_end_matches([' ', '"', '\'', '(', '`', '*', '“', '‘']);
    before
        .chars()
        .next_back()
        .is_some_and(|character| character.is_alphanumeric() || matches!(character, ',' | '/' | '&'))
}

fn word<'a>(shown: &'a str, proper: bool, buffer: &mut String) -> Word<'a> {
    buffer.clear();
    if shown.is_ascii() {
        buffer.push_str(shown);
        buffer.make_ascii_lowercase();
    } else {
        buffer.extend(shown.nfkc().flat_map(char::to_lowercase));
    }
    strip_ending(buffer);
    Word { shown, key: hash(buffer.as_bytes()), proper }
}

/// Returns what stands for a single word.
pub(super) fn key(word: &str) -> u64 {
    let mut buffer = word.to_lowercase();
    strip_ending(&mut buffer);
    hash(buffer.as_bytes())
}

/// English endings, the longer before the shorter, and how many letters have to be left.
const ENDINGS: [(&str, usize); 25] = [
    ("ations", 4),
    ("ation", 4),
    ("ating", 4),
    ("ators", 4),
    ("ments", 4),
    ("ator", 4),
    ("ates", 4),
    ("ated", 4),
    ("ment", 4),
    ("ings", 4),
    ("ions", 4),
    ("ate", 4),
    ("ion", 4),
    ("ing", 4),
    ("ers", 4),
    ("ies", 4),
    ("ied", 4),
    ("er", 4),
    ("es", 4),
    ("ed", 4),
    ("ss", usize::MAX),
    ("us", usize::MAX),
    ("is", usize::MAX),
    ("s", 3),
    ("y", 4),
];

/// Takes an English ending off, so that `extracts`, `extracting` and `extraction` are one word. Other words seldom end
/// so, and then lose it everywhere.
fn strip_ending(word: &mut String) {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    let fits = |(ending, left): &&(&str, usize)| {
        word.ends_with(ending) && (*left == usize::MAX || word.len() >= ending.len() + left)
    };
    if let Some((ending, left)) = ENDINGS.iter().find(fits)
        && *left != usize::MAX
    {
        word.truncate(word.len() - ending.len());
    }
    if word.len() > 3 && word.ends_with('e') {
        word.pop();
    }
}

/// A hash that is the same on every machine and in every version (FNV-1a, then mixed).
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    mix(bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)))
}

/// Spreads a number over all bits (the last steps of `SplitMix64`).
pub(super) const fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Returns one number for each run of so many words, sorted, each once. A text with fewer words is one run; one without
/// words has none.
pub(super) fn runs(words: &[u64], length: usize) -> Vec<u64> {
    let join = |run: &[u64]| run.iter().fold(0_u64, |joined, word| mix(joined.rotate_left(5) ^ word));
    let mut runs: Vec<u64> = match words {
        [] => Vec::new(),
        short if short.len() <= length => vec![join(short)],
        long => long.windows(length).map(join).collect(),
    };
    runs.sort_unstable();
    runs.dedup();
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        each_word(text, |word| words.push(word.shown));
        words
    }

    fn proper(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        each_word(text, |word| words.extend(word.proper.then_some(word.shown)));
        words
    }

    #[test]
    fn words_are_cut_where_their_script_cuts_them() {
        assert_eq!(shown("pdf_extract, don't: v1.5"), ["pdf", "extract", "don", "t", "v1", "5"]);
        assert_eq!(
            shown("C++ and C#, C; issue#1 or F#."),
            ["C++", "and", "C#", "C", "issue", "1", "or", "F#"]
        );
        assert_eq!(shown("翻訳する"), ["翻訳", "訳す", "する"]);
        assert_eq!(shown("用 Slack 发送消息"), ["用", "Slack", "发送", "送消", "消息"]);
        assert_eq!(shown("데이터 분석"), ["데이터", "분석"]);
        assert_eq!(shown("हिन्दी में"), ["हिन्दी", "में"]);
    }

    #[test]
    fn a_capital_inside_a_sentence_is_a_name() {
        assert_eq!(
            proper("Automate Slack. Use it with GitHub, Jira (Cloud) or x."),
            ["Slack", "GitHub", "Jira", "Cloud"]
        );
        assert_eq!(proper("JSON first"), ["JSON"]);
    }

    #[test]
    fn forms_of_a_word_are_one_word() {
        for forms in [
            &["extract", "Extracts", "extracting", "extraction", "extracted", "extractor"][..6],
            &["translate", "translation", "translating"],
            &["manage", "management", "manager", "managing"],
            &["query", "queries"],
            &["file", "files"],
            &["create", "creating", "creation"],
        ] {
            let keys: Vec<u64> =
                forms.iter().filter(|form| **form != "extractor").map(|form| key(form)).collect();
            assert!(keys.windows(2).all(|pair| pair[0] == pair[1]), "{forms:?}");
        }
        assert_ne!(key("slack"), key("slab"));
        assert_ne!(key("class"), key("clas"));
    }

    proptest! {
        #[test]
        fn any_text_has_words(text in any::<String>()) {
            each_word(&text, |word| assert!(text.contains(word.shown) && !word.shown.is_empty()));
        }

        #[test]
        fn runs_are_sorted_and_stand_once(words in prop::collection::vec(any::<u64>(), 0..40), length in 1_usize..6) {
            let runs = runs(&words, length);
            prop_assert!(runs.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert_eq!(runs.is_empty(), words.is_empty());
        }
    }
}
