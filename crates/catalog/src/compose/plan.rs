//! What one way to write the locators would show.

use std::cmp::Reverse;
use std::rc::Rc;

use lorimer_core::text::first_chars;
use lorimer_core::{Budget, Size};

use super::{Composed, ComposedSection, Input, format_of};
use crate::allocation::{Demand, Share};
use crate::format::{Cut, Format, Layout, Line};

/// What one way to write the locators would show.
pub(super) struct Plan<'i> {
    /// The layout of each section.
    pub(super) layouts: Vec<Rc<Layout>>,
    /// The beginning of each description that is shown; `None` for an entry that is left out.
    pub(super) cuts: Vec<Option<Cut<'i>>>,
    pub(super) costs: Vec<usize>,
    /// The section that says how many are left out, and its line.
    pub(super) omission: Option<(usize, String)>,
    pub(super) spent: usize,
    /// Entries that are shown, section by section.
    included: Vec<usize>,
    cut_chars: usize,
}

impl<'i> Plan<'i> {
    pub(super) fn nothing(input: &Input<'_>, parts: usize) -> Self {
        let count = input.skills.len();
        let layout = |part: usize| Layout {
            locators: vec![String::new(); input.ranges.get(part).map_or(0, ExactSizeIterator::len)],
            ..Layout::default()
        };
        Self {
            layouts: (0..parts).map(|part| Rc::new(layout(part))).collect(),
            cuts: vec![None; count],
            costs: vec![0; count],
            omission: None,
            spent: 0,
            included: vec![0; parts],
            cut_chars: 0,
        }
    }

    pub(super) fn rank(&self) -> (&[usize], Reverse<usize>, Reverse<usize>) {
        (&self.included, Reverse(self.cut_chars), Reverse(self.spent))
    }

    fn keep(&mut self, index: usize, part: usize, cut: Cut<'i>, cost: usize) {
        if let (Some(slot), Some(paid)) = (self.cuts.get_mut(index), self.costs.get_mut(index)) {
            *slot = Some(cut);
            *paid = cost;
            self.spent = self.spent.saturating_add(cost);
            if let Some(included) = self.included.get_mut(part) {
                *included += 1;
            }
        }
    }

    /// Leaves out the last entry that is shown; `false` when there is none.
    fn drop_last(&mut self, input: &Input<'_>) -> bool {
        let Some(last) = self.cuts.iter().rposition(Option::is_some) else { return false };
        if let (Some(slot), Some(paid)) = (self.cuts.get_mut(last), self.costs.get_mut(last)) {
            *slot = None;
            self.spent = self.spent.saturating_sub(*paid);
            *paid = 0;
            if let Some(included) = self.included.get_mut(input.part_of(last)) {
                *included = included.saturating_sub(1);
            }
        }
        true
    }
}

fn cost_of(line: &str, budget: Budget) -> usize {
    Size::of(line).plus(Size::LINE_FEED).cost(budget.unit)
}

/// Returns what a description adds to a line besides itself.
fn joint(format: &dyn Format) -> Size {
    let size = |description| format.size(Line { name: "n", description, locator: "l" });
    size("d").minus(size("")).minus(Size::of("d"))
}

impl Composed {
    /// Allocates one arrangement; `None` when it leaves nothing of the budget for entries.
    pub(super) fn plan<'i>(&self, input: &'i Input<'_>, layouts: Vec<Rc<Layout>>) -> Option<Plan<'i>> {
        let Input { drafts, sizes, budget, .. } = input;
        let budget = *budget;
        let charge = layouts.iter().fold(0_usize, |sum, layout| sum.saturating_add(layout.charge));
        if charge > 0 && budget.limit.is_some_and(|limit| charge >= limit) {
            return None;
        }
        let demands = demands(&self.parts, input, &layouts);
        let lines = Budget { limit: budget.limit.map(|limit| limit.saturating_sub(charge)), ..budget };
        let shares = self.allocation.allocate(&demands, lines);

        let mut plan = Plan { spent: charge, layouts, ..Plan::nothing(input, self.parts.len()) };
        for (index, demand) in demands.iter().enumerate() {
            let Some(Share::Chars(chars)) = shares.get(index).copied() else { continue };
            let part = input.part_of(index);
            let cut = cut(format_of(&self.parts, part), demand, chars);
            let cost = demand.with(Size::of(&cut.text)).cost(budget.unit);
            // An allocation that keeps its contract never gets here with too much.
            if !budget.allows(plan.spent.saturating_add(cost)) {
                continue;
            }
            plan.keep(index, part, cut, cost);
        }
        self.hand_out_rest(&mut plan, input, &demands, &shares);
        self.announce(&mut plan, input);
        debug_assert_eq!(drafts.len(), sizes.len(), "each draft has its size");
        plan.cut_chars = sizes
            .iter()
            .zip(&plan.cuts)
            .map(|(size, cut)| {
                let shown = cut.as_ref().map_or(0, |cut| cut.kept);
                size.chars.saturating_sub(shown)
            })
            .sum();
        Some(plan)
    }

    /// Gives what a format did not use of its shares to the other descriptions, once round, so that ending at words
    /// does not leave a part of the budget idle.
    fn hand_out_rest<'i>(
        &self,
        plan: &mut Plan<'i>,
        input: &Input<'_>,
        demands: &[Demand<'i>],
        shares: &[Share],
    ) {
        /// About one long word a line.
        const HELPING: usize = 16;
        let Budget { unit, limit: Some(limit) } = input.budget else { return };
        let unused = plan.cuts.iter().zip(shares).any(
            |(cut, share)| matches!((cut, share), (Some(cut), Share::Chars(chars)) if cut.kept < *chars),
        );
        if !unused {
            return;
        }
        for (index, (demand, share)) in demands.iter().zip(shares).enumerate() {
            let Share::Chars(chars @ 1..) = *share else { continue };
            let format = format_of(&self.parts, input.part_of(index));
            let Some((Some(shorter), paid)) = plan.cuts.get_mut(index).zip(plan.costs.get_mut(index)) else {
                continue;
            };
            let longer = cut(format, demand, chars.saturating_add(HELPING));
            let cost = demand.with(Size::of(&longer.text)).cost(unit);
            let spent = (plan.spent - *paid).saturating_add(cost);
            if longer.kept > shorter.kept && spent <= limit {
                plan.spent = spent;
                *paid = cost;
                *shorter = longer;
            }
        }
    }

    /// Adds the line about omissions, and drops entries from the end until it fits. It counts what is left out of the
    /// sections whose format has such a line, and stands in the last of them. A line that the whole budget could not
    /// pay for drops nothing.
    fn announce(&self, plan: &mut Plan<'_>, input: &Input<'_>) {
        let budget = input.budget;
        let announcing: Vec<bool> = self
            .parts
            .iter()
            .zip(&input.ranges)
            .map(|(part, range)| !range.is_empty() && part.format.omission(1).is_some())
            .collect();
        let Some(section) = announcing.iter().rposition(|announces| *announces) else { return };
        let Some(format) = format_of(&self.parts, section) else { return };
        let sum = |counts: &mut dyn Iterator<Item = usize>| -> usize {
            counts.zip(&announcing).filter(|(_, announces)| **announces).map(|(count, _)| count).sum()
        };
        let total = sum(&mut input.ranges.iter().map(ExactSizeIterator::len));
        let charge: usize = plan.layouts.iter().map(|layout| layout.charge).sum();
        let longest = format.omission(total).map_or(0, |line| cost_of(&line, budget));
        if !budget.allows(longest.saturating_add(charge)) {
            return;
        }
        loop {
            let omitted = total.saturating_sub(sum(&mut plan.included.iter().copied()));
            if omitted == 0 {
                return;
            }
            let Some(line) = format.omission(omitted) else { return };
            let spent = plan.spent.saturating_add(cost_of(&line, budget));
            if budget.allows(spent) {
                plan.spent = spent;
                plan.omission = Some((section, line));
                return;
            }
            if !plan.drop_last(input) {
                return;
            }
        }
    }
}

fn demands<'a>(parts: &[ComposedSection], input: &'a Input<'_>, layouts: &[Rc<Layout>]) -> Vec<Demand<'a>> {
    let mut demands = Vec::with_capacity(input.skills.len());
    for ((part, range), layout) in parts.iter().zip(&input.ranges).zip(layouts) {
        let joint = joint(&*part.format);
        for (index, locator) in range.clone().zip(&layout.locators) {
            let (Some(skill), Some(draft), Some(size)) =
                (input.skills.get(index), input.drafts.get(index), input.sizes.get(index))
            else {
                continue;
            };
            let line = part.format.size(Line { name: &draft.name, description: "", locator });
            demands.push(Demand {
                skill,
                name_only: line.plus(Size::LINE_FEED),
                joint,
                description: &draft.description,
                size: *size,
            });
        }
    }
    demands
}

/// Cuts a description, and does not trust a format to stay within the space.
fn cut<'d>(format: Option<&dyn Format>, demand: &Demand<'d>, chars: usize) -> Cut<'d> {
    let description = demand.description;
    if chars >= demand.size.chars {
        return Cut { text: description.into(), kept: demand.size.chars };
    }
    let space = first_chars(description, chars);
    if let Some(cut) = format.map(|format| format.cut(description, chars))
        && cut.text.len() <= space.len()
        && cut.text.chars().count() <= chars
    {
        return cut;
    }
    Cut { text: space.into(), kept: chars }
}
