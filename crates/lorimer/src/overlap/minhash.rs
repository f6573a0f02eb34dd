//! Finds texts that share many runs of words without comparing each with each: min-wise hashing, then bands of the
//! signature as keys (Broder 1997; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, chapter 3).

use std::collections::HashMap;

use super::words::mix;

/// Numbers in a signature.
const LENGTH: usize = BANDS * ROWS;
const BANDS: usize = 20;
/// Two texts meet in one of 20 bands of 4 with a probability of 0.73 when they share half of their runs, 0.996 when
/// they share 0.7, 0.99998 when they share 0.8.
const ROWS: usize = 4;
/// Members of a bucket that are compared each with each. In a larger one every member is compared with this many
/// behind it, so that cost stays linear.
const BUCKET: usize = 48;

/// The least values of the hash functions over the runs of a text.
pub(super) type Signature = [u64; LENGTH];

/// Returns pairs of texts that may be alike, the lower place first, sorted, each once. A text without runs has no
/// signature and is like none.
pub(super) fn candidates<'a>(texts: impl Iterator<Item = Option<&'a Signature>>) -> Vec<(usize, usize)> {
    let signed: Vec<(usize, &Signature)> =
        texts.enumerate().filter_map(|(place, signature)| Some((place, signature?))).collect();
    let mut pairs = Vec::new();
    for band in 0..BANDS {
        let mut buckets: HashMap<&[u64], Vec<usize>> = HashMap::new();
        for (place, signature) in &signed {
            if let Some(key) = signature.chunks(ROWS).nth(band) {
                buckets.entry(key).or_default().push(*place);
            }
        }
        for bucket in buckets.values() {
            for (at, left) in bucket.iter().enumerate() {
                pairs.extend(bucket.iter().skip(at + 1).take(BUCKET).map(|right| (*left, *right)));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Returns the signature of a text; `None` where it has no runs. A function is one multiplication and one addition, the
/// constants of which are made from its number.
pub(super) fn sign(runs: &[u64]) -> Option<Box<Signature>> {
    let mut signature = Box::new([u64::MAX; LENGTH]);
    for run in runs {
        for (least, (factor, offset)) in signature.iter_mut().zip(FUNCTIONS) {
            let value = run.wrapping_mul(factor).wrapping_add(offset);
            *least = (*least).min(value ^ (value >> 32));
        }
    }
    (!runs.is_empty()).then_some(signature)
}

const FUNCTIONS: [(u64, u64); LENGTH] = functions();

const fn functions() -> [(u64, u64); LENGTH] {
    let mut functions = [(0, 0); LENGTH];
    let mut state = 0x5eed_u64;
    let mut rest: &mut [(u64, u64)] = &mut functions;
    while let Some((function, others)) = rest.split_first_mut() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let factor = mix(state) | 1;
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        *function = (factor, mix(state));
        rest = others;
    }
    functions
}

/// Returns how many of the runs of both they share, in 0..=1; `None` when neither has any.
pub(super) fn jaccard(left: &[u64], right: &[u64]) -> Option<f64> {
    let shared = shared(left, right);
    let all = left.len() + right.len() - shared;
    (all > 0).then(|| ratio(shared, all))
}

/// Returns how many of the runs of the shorter one the other has, in 0..=1; `None` when one has none.
pub(super) fn containment(left: &[u64], right: &[u64]) -> Option<f64> {
    let least = left.len().min(right.len());
    (least > 0).then(|| ratio(shared(left, right), least))
}

fn ratio(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole)
}

/// Counts what two sorted sets share.
fn shared(left: &[u64], right: &[u64]) -> usize {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut shared = 0;
    while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
        match one.cmp(other) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                shared += 1;
                left.next();
                right.next();
            }
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sets of 200 runs, each pair of which shares a known part.
    fn sets(pairs: u64, shared: u64) -> Vec<Vec<u64>> {
        let set = |pair: u64, side: u64| {
            let number = |at: u64| mix((pair << 32) + at + if at < shared { 0 } else { (side + 1) << 20 });
            let mut set: Vec<u64> = (0..200).map(number).collect();
            set.sort_unstable();
            set
        };
        (0..pairs).flat_map(|pair| [set(pair, 0), set(pair, 1)]).collect()
    }

    /// Recall on fixed sets: what shares 0.7 of its runs meets, what shares a tenth seldom does.
    #[test]
    fn what_is_alike_meets_and_what_is_not_seldom_does() {
        let met = |shared: u64| {
            let sets = sets(200, shared);
            let signed: Vec<_> = sets.iter().map(|set| sign(set)).collect();
            let found = candidates(signed.iter().map(Option::as_deref));
            let right = found.iter().filter(|(left, right)| left % 2 == 0 && *right == left + 1).count();
            assert_eq!(right, found.len(), "only the sets of one pair share anything");
            right
        };
        // 165 of 200 shared on both sides: a Jaccard index of 165 / 235 = 0.70.
        assert!(met(165) >= 198, "{}", met(165));
        // 133: 0.50.
        assert!(met(133) >= 120, "{}", met(133));
        // 36: 0.10.
        assert!(met(36) <= 4, "{}", met(36));
        assert_eq!(met(200), 200);
    }

    #[test]
    fn a_bucket_that_everybody_is_in_costs_no_square() {
        let same = sign(&[1, 2, 3]);
        let found = candidates(std::iter::repeat_n(same.as_deref(), 1000));
        assert_eq!(sign(&[]), None);
        assert!(found.len() < 1000 * (BUCKET + 1));
        assert!((0..999).all(|place| found.binary_search(&(place, place + 1)).is_ok()));
    }

    proptest! {
        #[test]
        fn likeness_is_symmetric_and_bounded(
            left in prop::collection::btree_set(0_u64..60, 0..40),
            right in prop::collection::btree_set(0_u64..60, 0..40),
        ) {
            let (left, right): (Vec<u64>, Vec<u64>) = (left.into_iter().collect(), right.into_iter().collect());
            for likeness in [jaccard, containment] {
                let there = likeness(&left, &right);
                prop_assert_eq!(there, likeness(&right, &left));
                prop_assert!(there.is_none_or(|there| (0.0..=1.0).contains(&there)));
                prop_assert_eq!(likeness(&left, &left), (!left.is_empty()).then_some(1.0));
            }
        }
    }
}
