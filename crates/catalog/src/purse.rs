//! What is left of a budget while a listing is written from its beginning to its end.

use lorimer_core::{Budget, Size, Unit};

/// Pays for parts of a listing, one after the other. The first one that it cannot pay for ends it.
#[derive(Debug)]
pub(crate) struct Purse {
    budget: Budget,
    spent: usize,
    empty: bool,
}

impl Purse {
    pub(crate) fn new(budget: Budget) -> Self {
        Self { budget, spent: 0, empty: false }
    }

    /// Pays for an entry, with the heading before it where it is the first of its group. Returns what the entry itself
    /// costs; `None` where the budget does not allow both.
    pub(crate) fn pay(&mut self, heading: Option<Size>, entry: Size) -> Option<usize> {
        let unit = self.budget.unit;
        // A heading is no entry.
        let heading = heading.filter(|_| unit != Unit::Entries).map_or(0, |heading| heading.cost(unit));
        let cost = entry.cost(unit);
        let spent = self.spent.saturating_add(heading).saturating_add(cost);
        if self.empty || !self.budget.allows(spent) {
            self.empty = true;
            return None;
        }
        self.spent = spent;
        Some(cost)
    }

    pub(crate) fn spent(&self) -> usize {
        self.spent
    }
}
