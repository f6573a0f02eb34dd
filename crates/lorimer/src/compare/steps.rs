//! How it would be with other windows, and with fewer skills.

use std::collections::HashSet;

use lorimer_core::{SkillId, Snapshot, SnapshotBuilder};

use super::{AUDIT_AT, Counts, Error, Load, Look, Row, cell};
use crate::View;

/// A listing of the same skills, or of a part of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// How many skills that the harness found stand how. Files that it did not take in are not counted.
    pub counts: Counts,
    /// What the listing takes.
    pub load: Load,
}

impl Listing {
    fn of(view: &View) -> Self {
        let counts = Counts::of(cell::cells(view).values().map(|cell| cell.standing));
        Self { counts, load: Load::of(view) }
    }
}

/// The listings that harnesses would make for one context window.
#[derive(Clone, Debug)]
pub struct WindowStep {
    /// The window in tokens; `None` when it is not known.
    pub window: Option<u64>,
    /// One for each column, in their order; `None` where the harness would not start.
    pub listings: Vec<Option<Listing>>,
}

/// The listings that harnesses would make if a part of the skills were installed.
///
/// The parts are taken evenly from all places and names, each holds the ones before it, and the same skills give the
/// same parts. Of its part, each harness lists what it finds in its own places. What it did not take in when it looked at
/// all of them (for a limit, or a namesake) it does not take in here.
#[derive(Clone, Debug)]
pub struct Growth {
    /// How many skills at least one harness found. The growth ends there.
    pub found: usize,
    /// One for each number that was asked for and does not exceed [`Self::found`], and one for all of them.
    pub steps: Vec<SizeStep>,
    /// Numbers that were asked for and are more than was found.
    pub beyond: Vec<usize>,
}

/// The listings that harnesses would make of so many skills.
#[derive(Clone, Debug)]
pub struct SizeStep {
    /// How many skills are installed.
    pub skills: usize,
    /// Whether this is the first step with as many skills as should be looked through (S0-17, [`AUDIT_AT`]).
    pub audit: bool,
    /// One for each column, in their order; `None` where the harness would not start.
    pub listings: Vec<Option<Listing>>,
}

pub(super) fn windows(windows: &[Option<u64>], looks: &[Result<Look, Error>]) -> Vec<WindowStep> {
    let listing = |look: &Result<Look, Error>, window| {
        let view = look.as_ref().ok()?.in_window(window).ok()?;
        Some(Listing::of(&view))
    };
    let step = |window: &Option<u64>| WindowStep {
        window: *window,
        listings: looks.iter().map(|look| listing(look, *window)).collect(),
    };
    windows.iter().map(step).collect()
}

pub(super) fn growth(sizes: &[usize], looks: &[Result<Look, Error>], rows: &[Row]) -> Growth {
    let found: Vec<&Row> = rows.iter().filter(|row| row.skill.is_some()).collect();
    let order = spread(found.len());
    let mut wanted: Vec<usize> = sizes.to_vec();
    wanted.push(found.len());
    wanted.sort_unstable();
    wanted.dedup();
    let (within, beyond): (Vec<usize>, Vec<usize>) =
        wanted.into_iter().filter(|size| *size > 0).partition(|size| *size <= found.len());
    let mut audited = false;
    let steps = within.into_iter().map(|size| {
        let part: Vec<&Row> =
            order.iter().take(size).filter_map(|index| found.get(*index).copied()).collect();
        let audit = size >= AUDIT_AT && !std::mem::replace(&mut audited, size >= AUDIT_AT);
        let listings = looks.iter().enumerate().map(|(column, look)| {
            let look = look.as_ref().ok()?;
            let part = part.iter().filter_map(|row| row.cells.get(column)?.skill.as_ref());
            let snapshot = subset(&look.view.snapshot, &part.collect());
            Some(Listing::of(&look.of(&snapshot)))
        });
        SizeStep { skills: size, audit, listings: listings.collect() }
    });
    Growth { steps: steps.collect(), found: found.len(), beyond }
}

/// Returns the skills of a snapshot that are in a set, in the snapshot's order.
fn subset(snapshot: &Snapshot, part: &HashSet<&SkillId>) -> Snapshot {
    let mut builder = SnapshotBuilder::default();
    for skill in snapshot.skills().filter(|skill| part.contains(&skill.id)) {
        // Identities of a snapshot differ.
        let _ = builder.push(skill.clone());
    }
    builder.finish()
}

/// Returns the numbers below `count` in an order in which every beginning is spread evenly over all of them: by their
/// bits from behind.
fn spread(count: usize) -> Vec<usize> {
    let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
    let all = 0..1_usize.checked_shl(bits).unwrap_or(count);
    let reversed =
        all.map(|number| if bits == 0 { 0 } else { number.reverse_bits() >> (usize::BITS - bits) });
    reversed.filter(|number| *number < count).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn beginnings_are_spread() {
        assert!(spread(0).is_empty());
        assert_eq!(spread(1), [0]);
        assert_eq!(spread(6), [0, 4, 2, 1, 5, 3]);
    }

    proptest! {
        #[test]
        fn every_number_comes_once_and_beginnings_are_even(count in 1_usize..400, part in 1_usize..400) {
            let order = spread(count);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(&sorted, &(0..count).collect::<Vec<_>>());
            let part = part.min(count);
            let low = order.iter().take(part).filter(|number| **number < count.div_ceil(2)).count();
            prop_assert!(low + 1 >= part / 4, "{low} of {part} are in the lower half");
        }
    }
}
