//! Whole entries: a description is shown whole or not at all.

use std::collections::HashMap;

use lorimer_core::{Budget, Scope};

use crate::allocation::{Allocation, Demand, Share, everything};
use crate::round_robin::omit;

/// What happens at the first whole entry that does not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Misfit {
    /// It is passed over, and later ones still get their turn.
    #[default]
    Skip,
    /// No later one gets a turn.
    Stop,
}

/// What becomes of the entries that are not shown whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// They stay as names. The names of all entries are paid for first.
    #[default]
    NameOnly,
    /// They are left out.
    Omitted,
}

/// Shows whole entries, best rank first, as long as they fit.
///
/// The rank is the weight of the skill's name, highest first; equal ones follow in the order of the listing, and so do
/// all that have none, which is a weight of 0. Usage makes useful weights ([`Usage::weights`](crate::Usage::weights)).
/// The listing's own order does not change.
#[derive(Clone, Debug, Default)]
pub struct WholeEntriesByRank {
    /// Weights by the name that a skill is called by. Empty by default: the listing's order is the rank.
    pub weights: HashMap<String, f64>,
    /// Whether skills that ship with the harness come before all others, whatever their weight. `false` by default.
    pub system_first: bool,
    /// What happens at an entry that does not fit. [`Misfit::Skip`] by default.
    pub misfit: Misfit,
    /// What becomes of the others. [`Rest::NameOnly`] by default.
    pub rest: Rest,
}

impl Allocation for WholeEntriesByRank {
    fn allocate(&self, demands: &[Demand<'_>], budget: Budget) -> Vec<Share> {
        if let Some(shares) = everything(demands, budget) {
            return shares;
        }
        let limit = budget.limit.unwrap_or(usize::MAX);
        let mut shares = match self.rest {
            Rest::NameOnly => omit(demands, budget, limit),
            Rest::Omitted => vec![Share::Omitted; demands.len()],
        };
        let names = demands
            .iter()
            .zip(&shares)
            .filter(|(_, share)| **share != Share::Omitted)
            .fold(0_usize, |sum, (demand, _)| sum.saturating_add(demand.name_only.cost(budget.unit)));
        let mut left = limit.saturating_sub(names);

        let mut ranked: Vec<_> = demands.iter().zip(shares.iter_mut()).collect();
        let rank = |demand: &Demand<'_>| {
            let ahead = self.system_first && demand.skill.scope == Scope::System;
            (ahead, self.weights.get(demand.skill.call_name()).copied().unwrap_or(0.0))
        };
        ranked.sort_by(|(left, _), (right, _)| {
            let ((ahead, weight), (other_ahead, other_weight)) = (rank(left), rank(right));
            other_ahead.cmp(&ahead).then(other_weight.total_cmp(&weight))
        });
        for (demand, share) in ranked {
            let paid = match share {
                Share::Chars(_) => demand.name_only.cost(budget.unit),
                // A line whose name alone found no room has none for its description either.
                Share::Omitted if self.rest == Rest::NameOnly => continue,
                Share::Omitted => 0,
            };
            match left.checked_sub(demand.full().cost(budget.unit).saturating_sub(paid)) {
                Some(rest) => {
                    left = rest;
                    *share = Share::Chars(demand.size.chars);
                }
                None if self.misfit == Misfit::Stop => break,
                None => {}
            }
        }
        shares
    }
}
