//! What is known of one skill, in a form that compares fast.

use std::collections::HashMap;

use super::Document;
use super::minhash::{Signature, sign};
use super::words::{Word, each_word, hash, runs};

/// Words of a body that stand together; shorter runs are shared by texts that have nothing to do with each other.
const BODY_RUN: usize = 4;
/// Words of a description that stand together.
pub(super) const PHRASE: usize = 3;

/// A skill's words and runs.
#[derive(Debug)]
pub(super) struct Features {
    /// The words of the name, sorted by key, each once.
    pub(super) name: Vec<Term>,
    /// Stands for the name whatever the order of its words.
    pub(super) name_key: u64,
    /// The name in lower case, its words joined by hyphens.
    pub(super) plain_name: String,
    /// The words of name and description, sorted by key, each once.
    pub(super) terms: Vec<Term>,
    /// The description's words in order.
    pub(super) order: Vec<u64>,
    /// Stands for the description's text, white space aside.
    pub(super) description_key: u64,
    /// Runs of words of the body, sorted, each once.
    pub(super) body: Vec<u64>,
    /// By which bodies meet; `None` without a body.
    pub(super) signature: Option<Box<Signature>>,
    /// Every word of description and body, sorted, each once.
    vocabulary: Vec<u64>,
    /// The words of description and body that are written like names, sorted, each once.
    pub(super) proper: Vec<u64>,
    /// The description's letters and digits in lower case, nothing between them.
    squeezed: String,
    /// Words in description and body.
    pub(super) size: usize,
}

/// A word of a name or a description.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) key: u64,
    /// As it was written first.
    pub(super) shown: String,
}

impl Features {
    pub(super) fn of(document: &Document) -> Self {
        let mut proper = Vec::new();
        let mut order = Vec::new();
        let mut first: HashMap<u64, &str> = HashMap::new();
        let note_proper = |word: &Word<'_>, proper: &mut Vec<u64>| {
            if word.proper {
                proper.push(word.key);
            }
        };
        each_word(&document.description, |word| {
            first.entry(word.key).or_insert(word.shown);
            order.push(word.key);
            note_proper(&word, &mut proper);
        });
        let mut body = Vec::new();
        each_word(&document.body, |word| {
            body.push(word.key);
            note_proper(&word, &mut proper);
        });
        let size = order.len() + body.len();
        let (name, plain_name) = name_words(&document.name);
        for word in &name {
            first.entry(word.key).or_insert(&word.shown);
        }
        let description = lorimer_core::text::fold_whitespace(&document.description);
        let letters = description.chars().filter(|character| character.is_alphanumeric());
        let squeezed = letters.flat_map(char::to_lowercase).collect();
        let terms = first.into_iter().map(|(key, shown)| Term { key, shown: shown.to_owned() }).collect();
        let body_runs = runs(&body, BODY_RUN);
        Self {
            name_key: hash(&name.iter().flat_map(|word| word.key.to_le_bytes()).collect::<Vec<u8>>()),
            plain_name,
            terms: sorted_terms(terms),
            squeezed,
            description_key: hash(description.as_bytes()),
            signature: sign(&body_runs),
            body: body_runs,
            vocabulary: sorted(order.iter().copied().chain(body)),
            proper: sorted(proper),
            name,
            order,
            size,
        }
    }

    /// Returns whether name, description or body has this word.
    pub(super) fn has_word(&self, word: u64) -> bool {
        self.vocabulary.binary_search(&word).is_ok() || self.name.iter().any(|own| own.key == word)
    }

    /// Returns whether description or body has a word of a name, in the description also with a space inside it.
    pub(super) fn mentions(&self, word: &Term) -> bool {
        /// Shorter ones stand inside other words.
        const LEAST: usize = 6;
        let inside = || word.shown.len() >= LEAST && self.squeezed.contains(&word.shown.to_lowercase());
        self.vocabulary.binary_search(&word.key).is_ok() || inside()
    }

    /// Returns whether the description has this word.
    pub(super) fn describes(&self, word: u64) -> bool {
        self.order.contains(&word)
    }

    /// Returns the runs of words of the description; a short description is one run.
    pub(super) fn phrases(&self) -> Vec<u64> {
        runs(&self.order, PHRASE)
    }
}

fn sorted(words: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut words: Vec<u64> = words.into_iter().collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn sorted_terms(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_by(|left, right| (left.key, &left.shown).cmp(&(right.key, &right.shown)));
    terms.dedup_by_key(|term| term.key);
    terms
}

/// Returns the words of a name, and the name as it is compared letter by letter. The plugin before a colon is not
/// part of what a skill is about.
fn name_words(name: &str) -> (Vec<Term>, String) {
    let own = name.rsplit_once(':').map_or(name, |(_, own)| own);
    let mut words = Vec::new();
    let mut plain = String::new();
    each_word(own, |word| {
        words.push(Term { key: word.key, shown: word.shown.to_owned() });
        if !plain.is_empty() {
            plain.push('-');
        }
        plain.push_str(&word.shown.to_lowercase());
    });
    (sorted_terms(words), plain)
}
