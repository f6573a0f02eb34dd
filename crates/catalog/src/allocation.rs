//! Allocation: who gets how many characters of the budget.

use std::fmt;

use lorimer_core::text::first_chars;
use lorimer_core::{Budget, Size, Skill};

/// What one line of the listing asks for.
#[derive(Clone, Copy, Debug)]
pub struct Demand<'a> {
    /// The skill, for allocations that rank skills.
    pub skill: &'a Skill,
    /// The line without a description, line feed included.
    pub name_only: Size,
    /// What a description adds to the line besides itself, as the space in front of it.
    pub joint: Size,
    /// The description as the format would show it whole.
    pub description: &'a str,
    /// The size of `description`.
    pub size: Size,
}

impl Demand<'_> {
    /// Returns the size of the line with a description of this size.
    pub fn with(&self, description: Size) -> Size {
        if description == Size::default() {
            return self.name_only;
        }
        self.name_only.plus(self.joint).plus(description)
    }

    /// Returns the size of the line with its whole description.
    pub fn full(&self) -> Size {
        self.with(self.size)
    }

    /// Returns the size of the first `chars` characters of the description.
    pub fn beginning(&self, chars: usize) -> Size {
        if chars >= self.size.chars {
            return self.size;
        }
        // One byte a character, as in most descriptions, needs no walk.
        if self.size.chars == self.size.bytes {
            return Size::ascii(chars);
        }
        Size::of(first_chars(self.description, chars))
    }
}

/// What one line gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// The line, with so many characters of its description.
    Chars(usize),
    /// Nothing: the line is left out.
    Omitted,
}

/// Divides a budget among the lines of a listing.
///
/// # Contract
///
/// * One share for each demand, in the same order.
/// * A line gets no more characters than its description has.
/// * The lines together, as sized by [`Demand::with`], cost no more than the budget.
pub trait Allocation: Send + Sync + fmt::Debug {
    /// Returns the share of each line.
    fn allocate(&self, demands: &[Demand<'_>], budget: Budget) -> Vec<Share>;
}

/// Shows everything whole as long as the budget has no limit; otherwise whole lines, first to last, as long as
/// they fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unbounded;

impl Allocation for Unbounded {
    fn allocate(&self, demands: &[Demand<'_>], budget: Budget) -> Vec<Share> {
        let mut spent = 0_usize;
        let mut open = true;
        demands
            .iter()
            .map(|demand| {
                let cost = spent.saturating_add(demand.full().cost(budget.unit));
                open = open && budget.allows(cost);
                if !open {
                    return Share::Omitted;
                }
                spent = cost;
                Share::Chars(demand.size.chars)
            })
            .collect()
    }
}

/// Returns every line whole when that fits.
pub(crate) fn everything(demands: &[Demand<'_>], budget: Budget) -> Option<Vec<Share>> {
    let cost =
        demands.iter().fold(0_usize, |sum, demand| sum.saturating_add(demand.full().cost(budget.unit)));
    budget.allows(cost).then(|| demands.iter().map(|demand| Share::Chars(demand.size.chars)).collect())
}
