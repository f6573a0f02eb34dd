//! Which pairs are worth comparing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::compare::Set;
use super::minhash;
use super::{Level, Options};

/// A word in more descriptions than this brings none together by itself. What it could add is taken for granted, so no
/// pair is missed that shares any rarer word.
const MOST_POSTINGS: usize = 200;
/// Skills of one name or description that are compared each with each; behind that each with so many more.
const MOST_SAME: usize = 48;

/// Returns the pairs, each once, the nearer skill first. Copies are compared once for all of them.
pub(super) fn find(set: &Set<'_>, options: &Options) -> Vec<(usize, usize)> {
    let firsts: Vec<usize> = set.classes.iter().filter_map(|class| class.first().copied()).collect();
    let mut pairs = BTreeSet::new();
    if options.min <= Level::NearCopy {
        let bodies = firsts.iter().filter_map(|place| set.features.get(*place));
        pairs.extend(minhash::candidates(bodies.map(|features| features.signature.as_deref())));
    }
    if options.min <= Level::Description {
        pairs.extend(by_words(set, &firsts, options.description.min(options.subject)));
        pairs.extend(by_key(set, &firsts, |features| vec![features.description_key]));
    }
    if options.min <= Level::Name {
        pairs.extend(by_key(set, &firsts, |features| vec![features.name_key]));
        pairs.extend(by_key(set, &firsts, |features| spellings(&features.plain_name)));
    }
    let places = pairs.into_iter();
    places.filter_map(|(left, right)| Some((*firsts.get(left)?, *firsts.get(right)?))).collect()
}

/// Returns pairs that share a key.
fn by_key(
    set: &Set<'_>,
    firsts: &[usize],
    keys: impl Fn(&super::features::Features) -> Vec<u64>,
) -> Vec<(usize, usize)> {
    let mut having: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, place) in firsts.iter().enumerate() {
        for key in set.features.get(*place).map(&keys).unwrap_or_default() {
            having.entry(key).or_default().push(index);
        }
    }
    let mut pairs = Vec::new();
    for places in having.into_values() {
        for (at, left) in places.iter().enumerate() {
            let later = places.iter().skip(at + 1).take(MOST_SAME);
            pairs.extend(later.filter(|right| *right != left).map(|right| (*left, *right)));
        }
    }
    pairs
}

/// Returns a key for the name and for each name that is one letter shorter. Names that differ in one letter share one.
fn spellings(name: &str) -> Vec<u64> {
    let mut keys = vec![super::words::hash(name.as_bytes())];
    keys.extend(name.char_indices().filter_map(|(at, letter)| {
        let shorter = [name.get(..at)?, name.get(at + letter.len_utf8()..)?].concat();
        Some(super::words::hash(shorter.as_bytes()))
    }));
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Returns pairs whose descriptions may be `least` alike: by what they share of rarer words, and at most of others.
fn by_words(set: &Set<'_>, firsts: &[usize], least: f64) -> Vec<(usize, usize)> {
    let mut postings: HashMap<u64, Vec<(usize, f64)>> = HashMap::new();
    // The whole weight of each description, and the weight of its words that are in too many others.
    let mut wholes = Vec::with_capacity(firsts.len());
    for (index, place) in firsts.iter().enumerate() {
        let (mut whole, mut common) = (0.0, 0.0);
        for (word, weight) in set.weighed(*place) {
            whole += weight;
            if set.weights.count(word) > MOST_POSTINGS {
                common += weight;
            } else {
                postings.entry(word).or_default().push((index, weight));
            }
        }
        wholes.push((whole, common));
    }
    let mut pairs = Vec::new();
    for (index, (place, (whole, common))) in firsts.iter().zip(&wholes).enumerate() {
        let mut shared: BTreeMap<usize, f64> = BTreeMap::new();
        for (word, weight) in set.weighed(*place) {
            let having = postings.get(&word).map(Vec::as_slice).unwrap_or_default();
            let later = having.partition_point(|(other, _)| *other <= index);
            for (other, others) in having.iter().skip(later) {
                *shared.entry(*other).or_default() += weight.min(*others);
            }
        }
        for (other, shared) in shared {
            let Some((other_whole, other_common)) = wholes.get(other) else { continue };
            let most = shared + common.min(*other_common);
            // What rounding takes away must cost no pair.
            if most / (whole + other_whole - most) + 1e-9 >= least {
                pairs.push((index, other));
            }
        }
    }
    pairs
}
