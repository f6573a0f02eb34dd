//! Allocation: who gets how many characters of the budget.

use std::fmt;

use lorimer_core::text::first_chars;
use lorimer_core::{Budget, Skill, Unit};

/// How large a piece of text is, in characters and in bytes, so that it can be charged in any unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Unicode scalar values.
    pub chars: usize,
    /// UTF-8 bytes.
    pub bytes: usize,
}

impl Size {
    /// Returns the size of `text`.
    pub fn of(text: &str) -> Self {
        Self { chars: text.chars().count(), bytes: text.len() }
    }

    /// Returns the size of both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { chars: self.chars.saturating_add(other.chars), bytes: self.bytes.saturating_add(other.bytes) }
    }

    /// Returns what this one has more than the other; 0 where it has less.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self { chars: self.chars.saturating_sub(other.chars), bytes: self.bytes.saturating_sub(other.bytes) }
    }

    /// Returns what a line of this size costs.
    pub fn cost(self, unit: Unit) -> usize {
        unit.cost(self.chars, self.bytes)
    }
}

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
        let bytes = if self.size.chars == self.size.bytes {
            chars
        } else {
            first_chars(self.description, chars).len()
        };
        Size { chars, bytes }
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
