//! How alike two skills are, and whether a model would confuse them.

use std::collections::BTreeMap;

use lorimer_core::Digest;

use super::features::{Features, Term};
use super::minhash::{containment, jaccard};
use super::weights::Weights;
use super::{Document, Level, Likeness, Options, Pair, Verdict};

/// A body with fewer runs says too little to be a copy by itself.
const LEAST_BODY: usize = 20;
/// A body that holds this much of another one is a longer version of it …
const CONTAINED: f64 = 0.9;
/// … unless it has much else.
const CONTAINED_BODY: f64 = 0.4;
/// A word that fewer than one description in 90 has can be what a skill is about.
const RARE: f64 = 4.5;
/// Rarity of a word that is worth being told: fewer than one description in 40 has it.
pub(super) const TELLING: f64 = 3.7;
/// Likeness of descriptions that have at least something to do with each other. Names with the same words need it: a
/// `design-system` is no `system-design`.
const SOMETHING: f64 = 0.05;
/// Weight that has to be shared: two words as a product's name, or four that one description in 30 has. Less is what
/// any two texts of a few words may share.
const LEAST_SHARED: f64 = 45.0;
/// Words that a pair is explained by.
const MOST_WORDS: usize = 6;

/// Documents and what is known of them.
#[derive(Debug)]
pub(super) struct Set<'a> {
    pub(super) documents: &'a [Document],
    pub(super) features: Vec<Features>,
    pub(super) weights: Weights,
    /// Weight of each term of each description.
    pub(super) terms: Vec<Vec<f64>>,
    /// Places of documents with the same file, the one to keep first, for each file.
    pub(super) classes: Vec<Vec<usize>>,
}

impl<'a> Set<'a> {
    pub(super) fn new(documents: &'a [Document]) -> Self {
        let features = features(documents);
        let classes = classes(documents);
        let firsts = classes.iter().filter_map(|class| features.get(*class.first()?));
        let weights = Weights::of(firsts);
        let terms = features.iter().map(|features| weights.of_terms(features)).collect();
        Self { documents, features, weights, terms, classes }
    }

    /// Returns a pair for each document that has the same file as an earlier one.
    pub(super) fn copies(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for class in &self.classes {
            let Some((first, others)) = class.split_first() else { continue };
            pairs.extend(others.iter().map(|other| self.compare(*first, *other, &Options::default())));
        }
        pairs
    }

    /// Puts pairs into order: the most alike first, and then by the identities of the skills.
    pub(super) fn sort(&self, pairs: &mut [Pair]) {
        let id = |place: usize| self.documents.get(place).map(|document| document.id.as_str());
        let alike = |pair: &Pair| pair.likeness.body.max(pair.likeness.description);
        pairs.sort_by(|left, right| {
            (right.level(), alike(right))
                .partial_cmp(&(left.level(), alike(left)))
                .unwrap_or(std::cmp::Ordering::Equal)
                .then_with(|| (id(left.left), id(left.right)).cmp(&(id(right.left), id(right.right))))
        });
    }

    /// Compares two documents.
    pub(super) fn compare(&self, left: usize, right: usize, options: &Options) -> Pair {
        let likeness = self.likeness(left, right);
        let mut pair = Pair {
            left,
            right,
            verdict: Verdict::Unlike,
            likeness,
            shared: Vec::new(),
            left_only: Vec::new(),
            right_only: Vec::new(),
        };
        let same_file = self.digest(left).is_some_and(|digest| Some(digest) == self.digest(right));
        if let Some(level) = self.level(left, right, &likeness, same_file, options) {
            let subjects = self.subjects(left, right, level).filter(|_| !same_file);
            pair.verdict = match subjects {
                Some((left, right)) => Verdict::Apart { left, right },
                None => Verdict::Alike(level),
            };
        }
        self.explain(&mut pair);
        pair
    }

    fn digest(&self, place: usize) -> Option<Digest> {
        self.documents.get(place)?.digest
    }

    fn level(
        &self,
        left: usize,
        right: usize,
        likeness: &Likeness,
        same_file: bool,
        options: &Options,
    ) -> Option<Level> {
        let is_long = [left, right]
            .iter()
            .all(|place| self.features.get(*place).is_some_and(|features| features.body.len() >= LEAST_BODY));
        let longer = likeness.contained >= CONTAINED && likeness.body >= CONTAINED_BODY;
        let near_copy = (likeness.body >= options.body || longer)
            && (is_long || likeness.description >= options.description);
        let levels = [
            (same_file, Level::Copy),
            (near_copy, Level::NearCopy),
            (likeness.description >= options.description, Level::Description),
            (likeness.description >= options.subject, Level::Subject),
            (likeness.name, Level::Name),
        ];
        levels.into_iter().find_map(|(is, level)| is.then_some(level))
    }

    fn likeness(&self, left: usize, right: usize) -> Likeness {
        let mut likeness = Likeness { body: 0.0, contained: 0.0, description: 0.0, name: false };
        let (Some(one), Some(other)) = (self.features.get(left), self.features.get(right)) else {
            return likeness;
        };
        if !one.body.is_empty() && !other.body.is_empty() {
            likeness.body = jaccard(&one.body, &other.body).unwrap_or_default();
            likeness.contained = containment(&one.body, &other.body).unwrap_or_default();
        }
        likeness.description = self.description(left, right);
        likeness.name = self.same_name(left, right)
            || is_misspelt(one, other)
            || (likeness.description >= SOMETHING && is_rearranged(one, other));
        likeness
    }

    /// Returns the weight of what both have as a share of the weight of what either has. A word weighs less where a
    /// template says it, so each side has a weight of its own; the lesser is shared.
    fn description(&self, left: usize, right: usize) -> f64 {
        let (Some(one), Some(other)) = (self.features.get(left), self.features.get(right)) else {
            return 0.0;
        };
        if one.description_key == other.description_key && !one.order.is_empty() {
            return 1.0;
        }
        let (mut shared, mut all) = (0.0, 0.0);
        for (left, right) in self.merged(left, right).into_values() {
            shared += left.min(right);
            all += left.max(right);
        }
        if shared >= LEAST_SHARED { shared / all } else { 0.0 }
    }

    /// Returns the weights of every word of both on either side.
    fn merged(&self, left: usize, right: usize) -> BTreeMap<u64, (f64, f64)> {
        let mut merged: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
        for (key, weight) in self.weighed(left) {
            merged.entry(key).or_default().0 = weight;
        }
        for (key, weight) in self.weighed(right) {
            merged.entry(key).or_default().1 = weight;
        }
        merged
    }

    /// Returns the terms of a description with their weights.
    pub(super) fn weighed(&self, place: usize) -> impl Iterator<Item = (u64, f64)> {
        let terms = self.features.get(place).map(|features| features.terms.as_slice()).unwrap_or_default();
        let weights = self.terms.get(place).map(Vec::as_slice).unwrap_or_default();
        terms.iter().zip(weights).map(|(term, weight)| (term.key, *weight))
    }

    fn same_name(&self, left: usize, right: usize) -> bool {
        let name = |place: usize| self.features.get(place).map(|features| features.plain_name.as_str());
        name(left) == name(right)
    }

    /// Returns the words that the left one is named after, and uses, and that the right one never mentions: rare words
    /// and names of things. A number is a version, and two versions of a skill are one subject.
    fn subject(&self, left: usize, right: usize) -> Vec<String> {
        let (Some(own), Some(other)) = (self.features.get(left), self.features.get(right)) else {
            return Vec::new();
        };
        let is_own = |word: &&Term| {
            !other.has_word(word.key)
                && !other.mentions(word)
                && own.mentions(word)
                && !word.shown.chars().all(char::is_numeric)
                && (self.weights.rarity(word.key) >= RARE || own.proper.binary_search(&word.key).is_ok())
        };
        own.name.iter().filter(is_own).map(|word| word.shown.clone()).collect()
    }

    /// Returns the words of the left name that fill a gap: the descriptions are the same but for words of either name.
    /// Empty where they differ in anything else.
    fn gap(&self, left: usize, right: usize) -> Vec<String> {
        let (Some(own), Some(other)) = (self.features.get(left), self.features.get(right)) else {
            return Vec::new();
        };
        let mut filled = Vec::new();
        for term in own.terms.iter().filter(|term| own.describes(term.key) && !other.describes(term.key)) {
            match own.name.iter().find(|word| word.key == term.key) {
                Some(word) => filled.push(word.shown.clone()),
                None => return Vec::new(),
            }
        }
        filled
    }

    /// Returns the words that set the left one apart in a family: both names have a telling word in common, and these
    /// are the others, which its own description has and the other's has not. Empty for names that have none in common.
    fn branch(&self, left: usize, right: usize) -> Vec<String> {
        let (Some(own), Some(other)) = (self.features.get(left), self.features.get(right)) else {
            return Vec::new();
        };
        let in_other = |word: &Term| other.name.iter().any(|others| others.key == word.key);
        if !own.name.iter().any(|word| in_other(word) && self.weights.rarity(word.key) >= TELLING) {
            return Vec::new();
        }
        let is_branch =
            |word: &&Term| !in_other(word) && own.describes(word.key) && !other.describes(word.key);
        own.name.iter().filter(is_branch).map(|word| word.shown.clone()).collect()
    }

    /// Returns what either is about and the other is not, where that tells them apart. A family's members say much of
    /// the same about the product that they are for; one that says nearly all of the same is a copy.
    fn subjects(&self, left: usize, right: usize, level: Level) -> Option<(Vec<String>, Vec<String>)> {
        let both = |way: fn(&Self, usize, usize) -> Vec<String>| {
            let (one, other) = (way(self, left, right), way(self, right, left));
            (!one.is_empty() && !other.is_empty()).then_some((one, other))
        };
        both(Self::subject)
            .or_else(|| both(Self::gap))
            .or_else(|| both(Self::branch).filter(|_| level == Level::Subject))
    }

    fn explain(&self, pair: &mut Pair) {
        let (Some(left), Some(right)) = (self.features.get(pair.left), self.features.get(pair.right)) else {
            return;
        };
        let has = |features: &Features, key: u64| {
            features.terms.binary_search_by_key(&key, |term| term.key).is_ok()
        };
        pair.shared = self.telling(pair.left, |key| has(right, key));
        pair.left_only = self.telling(pair.left, |key| !has(right, key));
        pair.right_only = self.telling(pair.right, |key| !has(left, key));
    }

    /// Returns the weightiest words of a description that are wanted, as they are written there.
    pub(super) fn telling(&self, place: usize, wanted: impl Fn(u64) -> bool) -> Vec<String> {
        let terms = self.features.get(place).map(|features| features.terms.as_slice()).unwrap_or_default();
        let weights = self.terms.get(place).map(Vec::as_slice).unwrap_or_default();
        let mut words: Vec<(f64, &str)> = terms
            .iter()
            .zip(weights)
            .filter(|(term, _)| wanted(term.key) && self.weights.rarity(term.key) >= TELLING)
            .map(|(term, weight)| (*weight, term.shown.as_str()))
            .collect();
        words.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(right.1)));
        words.into_iter().take(MOST_WORDS).map(|(_, word)| word.to_owned()).collect()
    }
}

/// Returns whether names have the same words in another order or with other endings.
fn is_rearranged(left: &Features, right: &Features) -> bool {
    left.name.len() > 1 && left.name_key == right.name_key
}

/// Returns whether names differ in one letter, which is no digit. Short names differ in one letter often.
fn is_misspelt(left: &Features, right: &Features) -> bool {
    const LEAST: usize = 6;
    let length = |features: &Features| features.plain_name.chars().count();
    let digits = |features: &Features| -> String {
        features.plain_name.chars().filter(|character| character.is_numeric()).collect()
    };
    length(left).min(length(right)) >= LEAST
        && digits(left) == digits(right)
        && strsim::osa_distance(&left.plain_name, &right.plain_name) <= 1
}

/// Returns what is known of each document, worked out on as many threads as the machine has.
fn features(documents: &[Document]) -> Vec<Features> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = documents.len().div_ceil(threads).max(64);
    std::thread::scope(|scope| {
        let parts: Vec<_> = documents
            .chunks(share)
            .map(|part| scope.spawn(|| part.iter().map(Features::of).collect::<Vec<_>>()))
            .collect();
        let mut features = Vec::with_capacity(documents.len());
        for (part, chunk) in parts.into_iter().zip(documents.chunks(share)) {
            // A thread that could not finish leaves its work to this one.
            features.extend(part.join().unwrap_or_else(|_| chunk.iter().map(Features::of).collect()));
        }
        features
    })
}

/// Returns the places of documents with the same file, the nearest first.
fn classes(documents: &[Document]) -> Vec<Vec<usize>> {
    let mut places: Vec<usize> = (0..documents.len()).collect();
    let key = |place: &usize| documents.get(*place).map(|document| (document.nearness, document.id.as_str()));
    places.sort_by(|left, right| key(left).cmp(&key(right)));
    let mut known: BTreeMap<Digest, usize> = BTreeMap::new();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for place in places {
        let digest = documents.get(place).and_then(|document| document.digest);
        let class = digest.map(|digest| *known.entry(digest).or_insert(classes.len()));
        match class.and_then(|class| classes.get_mut(class)) {
            Some(class) => class.push(place),
            None => classes.push(vec![place]),
        }
    }
    classes
}
