//! What a word of a description is worth: little where many have it, or where it belongs to a template.

use std::collections::{HashMap, HashSet};

use super::common::share;
use super::features::{Features, PHRASE};
use super::words::runs;

/// The set's own counts weigh as much as the table of common words where it has so many descriptions.
const TABLE_COUNTS_AS: f64 = 300.0;
/// A phrase under so many names is a template's and not a skill's own. In a larger set it takes more, one for each
/// doubling, because more people come to the same words by themselves.
const TEMPLATE_NAMES: usize = 4;
/// What is left of the weight of a word that stands in such phrases only.
const TEMPLATE_WEIGHT: f64 = 0.1;

/// Counts over a whole set.
#[derive(Debug, Default)]
pub(super) struct Weights {
    descriptions: f64,
    having: HashMap<u64, u32>,
    template: HashSet<u64>,
}

impl Weights {
    /// Counts over these skills. Descriptions that are the same count once, and a phrase counts once for each name, so
    /// that copies of one skill do not make a template.
    pub(super) fn of<'a>(all: impl Iterator<Item = &'a Features> + Clone) -> Self {
        let mut seen = HashSet::new();
        let mut having: HashMap<u64, u32> = HashMap::new();
        let mut phrases: Vec<(u64, u64)> = Vec::new();
        let mut names = HashSet::new();
        for features in all {
            names.insert(features.name_key);
            phrases.extend(features.phrases().into_iter().map(|phrase| (phrase, features.name_key)));
            if seen.insert(features.description_key) {
                for term in &features.terms {
                    *having.entry(term.key).or_default() += 1;
                }
            }
        }
        phrases.sort_unstable();
        phrases.dedup();
        let least = TEMPLATE_NAMES.max(usize::try_from(names.len().max(1).ilog2()).unwrap_or(usize::MAX));
        let template = phrases
            .chunk_by(|left, right| left.0 == right.0)
            .filter(|named| named.len() >= least)
            .filter_map(|named| named.first().map(|(phrase, _)| *phrase))
            .collect();
        let descriptions = f64::from(u32::try_from(seen.len()).unwrap_or(u32::MAX));
        Self { descriptions, having, template }
    }

    /// Returns what a word tells by being there: the logarithm of how rare it is. Never below 0.
    pub(super) fn rarity(&self, word: u64) -> f64 {
        let having = f64::from(self.having.get(&word).copied().unwrap_or_default());
        let share = (having + TABLE_COUNTS_AS * share(word)) / (self.descriptions + TABLE_COUNTS_AS);
        -share.min(1.0).ln()
    }

    /// Returns in how many descriptions a word stands.
    pub(super) fn count(&self, word: u64) -> usize {
        usize::try_from(self.having.get(&word).copied().unwrap_or_default()).unwrap_or(usize::MAX)
    }

    /// Returns the weight of each term of a description, in the terms' order. Squared, so that one word that says what
    /// a skill is about counts for more than two that say how it is written.
    pub(super) fn of_terms(&self, features: &Features) -> Vec<f64> {
        let own = self.own_words(features);
        let weight = |term: &super::features::Term| {
            let rarity = self.rarity(term.key);
            let kept = if own.contains(&term.key) { 1.0 } else { TEMPLATE_WEIGHT };
            rarity * rarity * kept
        };
        features.terms.iter().map(weight).collect()
    }

    /// Returns the words that stand somewhere outside the phrases of a template; those of the name alone do.
    fn own_words(&self, features: &Features) -> HashSet<u64> {
        let order = &features.order;
        let mut covered = vec![false; order.len()];
        for (start, phrase) in order.windows(PHRASE).enumerate() {
            if runs(phrase, PHRASE).first().is_some_and(|phrase| self.template.contains(phrase)) {
                covered.iter_mut().skip(start).take(PHRASE).for_each(|covered| *covered = true);
            }
        }
        let stands: HashSet<u64> = order.iter().copied().collect();
        let named = features.name.iter().map(|word| word.key).filter(|word| !stands.contains(word));
        let own = order.iter().zip(covered).filter(|(_, covered)| !covered).map(|(word, _)| *word);
        own.chain(named).collect()
    }
}
