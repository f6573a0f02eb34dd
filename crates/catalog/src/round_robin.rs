//! Round-robin: descriptions are shortened to a common length before anything is left out.

use std::str::Chars;

use lorimer_core::{Budget, Size};

use crate::allocation::{Allocation, Demand, Share, everything};

/// Shortens descriptions before it drops them, and drops them before it leaves lines out (S0-08..S0-11, S3-09).
///
/// 1. Everything fits: every line whole.
/// 2. Every line fits without its description: what is left of the budget goes out one character at a time,
///    in turn. Short descriptions are served soon and stay whole; long ones end at about the same length.
/// 3. Otherwise no line has a description, and a line stays if it still fits when its turn comes. A later,
///    shorter line may stay after an earlier one did not fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundRobin;

impl Allocation for RoundRobin {
    fn allocate(&self, demands: &[Demand<'_>], budget: Budget) -> Vec<Share> {
        if let Some(shares) = everything(demands, budget) {
            return shares;
        }
        let limit = budget.limit.unwrap_or(usize::MAX);
        let names: usize = demands
            .iter()
            .fold(0, |sum, demand| usize::saturating_add(sum, demand.name_only.cost(budget.unit)));
        if names <= limit { shorten(demands, budget, limit) } else { omit(demands, budget, limit) }
    }
}

/// A line whose description may still grow.
struct Growing<'a> {
    rest: Chars<'a>,
    shown: usize,
    line: Size,
    paid: usize,
    open: bool,
}

/// Hands out what the names leave of the budget, one character a turn.
///
/// Two observations make this cheap without changing the outcome. As long as a whole round can be paid for, nobody
/// is passed over in it, so the last such round is found by bisection. And a line that cannot pay for its next
/// character never can, for the rest only shrinks, so it leaves the rounds that follow.
fn shorten(demands: &[Demand<'_>], budget: Budget, limit: usize) -> Vec<Share> {
    let level = common_level(demands, budget, limit);
    let mut lines: Vec<Growing<'_>> = demands
        .iter()
        .map(|demand| {
            let shown = demand.beginning(level);
            Growing {
                rest: demand.description.get(shown.bytes..).unwrap_or_default().chars(),
                shown: shown.chars,
                line: demand.name_only.plus(demand.joint).plus(shown),
                paid: demand.with(shown).cost(budget.unit),
                open: true,
            }
        })
        .collect();
    let mut left = lines.iter().fold(limit, |left, line| left.saturating_sub(line.paid));
    let mut round: Vec<&mut Growing<'_>> = lines.iter_mut().collect();
    while !round.is_empty() {
        for growing in &mut round {
            growing.open = growing.step(budget, &mut left);
        }
        round.retain(|growing| growing.open);
    }
    lines.into_iter().map(|line| Share::Chars(line.shown)).collect()
}

impl Growing<'_> {
    /// Adds one character if there is one and it can be paid for.
    fn step(&mut self, budget: Budget, left: &mut usize) -> bool {
        let Some(next) = self.rest.next() else { return false };
        let line = self.line.plus(Size::of(next.encode_utf8(&mut [0; 4])));
        let cost = line.cost(budget.unit).max(self.paid);
        let Some(rest) = left.checked_sub(cost - self.paid) else { return false };
        *left = rest;
        self.line = line;
        self.paid = cost;
        self.shown += 1;
        true
    }
}

/// Returns the most characters that every description may show, shorter ones being whole.
fn common_level(demands: &[Demand<'_>], budget: Budget, limit: usize) -> usize {
    let fits = |level: usize| {
        let costs = demands.iter().map(|demand| demand.with(demand.beginning(level)).cost(budget.unit));
        costs.fold(0_usize, usize::saturating_add) <= limit
    };
    // The names fit, and everything together does not.
    let mut level = 0;
    let mut too_much = demands.iter().map(|demand| demand.size.chars).max().unwrap_or(0);
    while level + 1 < too_much {
        let middle = level + (too_much - level) / 2;
        if fits(middle) {
            level = middle;
        } else {
            too_much = middle;
        }
    }
    level
}

/// Keeps the lines that fit, each when its turn comes, without descriptions.
pub(crate) fn omit(demands: &[Demand<'_>], budget: Budget, mut rest: usize) -> Vec<Share> {
    demands
        .iter()
        .map(|demand| match rest.checked_sub(demand.name_only.cost(budget.unit)) {
            Some(left) => {
                rest = left;
                Share::Chars(0)
            }
            None => Share::Omitted,
        })
        .collect()
}
