//! A cataloger composed of order, allocation and format.

use std::cmp::Reverse;
use std::sync::Arc;

use lorimer_core::text::first_chars;
use lorimer_core::{Budget, Size, Skill};

use crate::allocation::{Allocation, Demand, Share};
use crate::cataloger::{Catalog, CatalogRequest, Cataloger, Disposition, Entry, Section};
use crate::format::{Body, Cut, Draft, Format, Layout, Line};
use crate::order::Order;
use crate::report::Figures;

/// A cataloger composed of three parts.
///
/// Each layout of the format is allocated on its own. The best one shows more entries, then more characters of
/// descriptions, then costs less; between equals, the format's earlier one is taken.
#[derive(Debug)]
pub struct Composed {
    order: Box<dyn Order>,
    allocation: Box<dyn Allocation>,
    format: Box<dyn Format>,
    section: &'static str,
}

impl Composed {
    /// Returns the cataloger with these parts.
    pub fn new(
        order: impl Order + 'static,
        allocation: impl Allocation + 'static,
        format: impl Format + 'static,
    ) -> Self {
        Self {
            order: Box::new(order),
            allocation: Box::new(allocation),
            format: Box::new(format),
            section: "skills",
        }
    }

    /// Returns the cataloger with another order.
    #[must_use]
    pub fn with_order(mut self, order: impl Order + 'static) -> Self {
        self.order = Box::new(order);
        self
    }

    /// Returns the cataloger with another allocation.
    #[must_use]
    pub fn with_allocation(mut self, allocation: impl Allocation + 'static) -> Self {
        self.allocation = Box::new(allocation);
        self
    }

    /// Returns the cataloger with another format.
    #[must_use]
    pub fn with_format(mut self, format: impl Format + 'static) -> Self {
        self.format = Box::new(format);
        self
    }

    /// Returns the cataloger with another id for its one section; `skills` by default.
    #[must_use]
    pub fn with_section(mut self, id: &'static str) -> Self {
        self.section = id;
        self
    }

    /// Returns the listing and what it leaves out.
    pub fn compose(&self, request: &CatalogRequest<'_>) -> (Catalog, Figures) {
        let mut skills = request.skills.to_vec();
        self.order.arrange(&mut skills);
        let drafts: Vec<Draft> = skills.iter().map(|skill| self.format.draft(skill)).collect();
        let sizes = drafts.iter().map(|draft| Size::of(&draft.description)).collect();
        let input = Input { skills, drafts, sizes, budget: request.budget };
        let plan = self
            .format
            .layouts(&input.skills, &input.drafts, input.budget.unit)
            .into_iter()
            .filter_map(|layout| self.plan(&input, layout))
            // The first of several maxima wins, as `max_by_key` would give the last.
            .reduce(|best, next| if next.rank() > best.rank() { next } else { best })
            .unwrap_or_else(|| Plan::nothing(input.skills.len()));
        self.write(&input, plan)
    }
}

impl Cataloger for Composed {
    fn catalog(&self, request: &CatalogRequest<'_>) -> Catalog {
        self.compose(request).0
    }
}

fn cost_of(line: &str, budget: Budget) -> usize {
    Size::of(line).plus(Size::LINE_FEED).cost(budget.unit)
}

/// What is to be listed, in its order.
struct Input {
    skills: Vec<Arc<Skill>>,
    drafts: Vec<Draft>,
    /// The sizes of the drafts' descriptions.
    sizes: Vec<Size>,
    budget: Budget,
}

/// What one layout would show.
struct Plan {
    layout: Layout,
    /// The beginning of each description that is shown; `None` for an entry that is left out.
    cuts: Vec<Option<Cut>>,
    costs: Vec<usize>,
    omission: Option<String>,
    spent: usize,
    included: usize,
    cut_chars: usize,
}

impl Plan {
    fn nothing(count: usize) -> Self {
        Self {
            layout: Layout { locators: vec![String::new(); count], ..Layout::default() },
            cuts: vec![None; count],
            costs: vec![0; count],
            omission: None,
            spent: 0,
            included: 0,
            cut_chars: 0,
        }
    }

    fn rank(&self) -> (usize, Reverse<usize>, Reverse<usize>) {
        (self.included, Reverse(self.cut_chars), Reverse(self.spent))
    }
}

impl Composed {
    /// Allocates one layout; `None` when it leaves nothing of the budget for entries.
    fn plan(&self, input: &Input, layout: Layout) -> Option<Plan> {
        let Input { skills, drafts, sizes, budget } = input;
        let budget = *budget;
        if layout.charge > 0 && budget.limit.is_some_and(|limit| layout.charge >= limit) {
            return None;
        }
        let joint = self.joint();
        let demands: Vec<Demand<'_>> = skills
            .iter()
            .zip(drafts)
            .zip(sizes)
            .zip(&layout.locators)
            .map(|(((skill, draft), size), locator)| {
                let line = self.format.line(Line { name: &draft.name, description: "", locator });
                Demand {
                    skill,
                    name_only: Size::of(&line).plus(Size::LINE_FEED),
                    joint,
                    description: &draft.description,
                    size: *size,
                }
            })
            .collect();
        let lines = Budget { limit: budget.limit.map(|limit| limit.saturating_sub(layout.charge)), ..budget };
        let shares = self.allocation.allocate(&demands, lines);

        let mut plan = Plan::nothing(skills.len());
        plan.spent = layout.charge;
        plan.layout = layout;
        for (index, demand) in demands.iter().enumerate() {
            let Some(Share::Chars(chars)) = shares.get(index).copied() else { continue };
            let cut = self.cut(demand, chars);
            let cost = demand.with(Size::of(&cut.text)).cost(budget.unit);
            // An allocation that keeps its contract never gets here with too much.
            if !budget.allows(plan.spent.saturating_add(cost)) {
                continue;
            }
            plan.keep(index, cut, cost);
        }
        self.hand_out_rest(&mut plan, &demands, &shares, budget);
        self.announce(&mut plan, budget);
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
    fn hand_out_rest(&self, plan: &mut Plan, demands: &[Demand<'_>], shares: &[Share], budget: Budget) {
        /// About one long word a line.
        const HELPING: usize = 16;
        let Some(limit) = budget.limit else { return };
        let unused = plan.cuts.iter().zip(shares).any(
            |(cut, share)| matches!((cut, share), (Some(cut), Share::Chars(chars)) if cut.kept < *chars),
        );
        if !unused {
            return;
        }
        for (index, (demand, share)) in demands.iter().zip(shares).enumerate() {
            let Share::Chars(chars @ 1..) = *share else { continue };
            let Some((Some(cut), paid)) = plan.cuts.get_mut(index).zip(plan.costs.get_mut(index)) else {
                continue;
            };
            let longer = self.cut(demand, chars.saturating_add(HELPING));
            let cost = demand.with(Size::of(&longer.text)).cost(budget.unit);
            let spent = (plan.spent - *paid).saturating_add(cost);
            if longer.kept > cut.kept && spent <= limit {
                plan.spent = spent;
                *paid = cost;
                *cut = longer;
            }
        }
    }

    /// Adds the format's line about omissions, and drops entries from the end until it fits. A line that the
    /// whole budget could not pay for drops nothing.
    fn announce(&self, plan: &mut Plan, budget: Budget) {
        let longest = self.format.omission(plan.cuts.len()).map_or(0, |line| cost_of(&line, budget));
        if !budget.allows(longest.saturating_add(plan.layout.charge)) {
            return;
        }
        while plan.included < plan.cuts.len() {
            let omitted = plan.cuts.len() - plan.included;
            let Some(line) = self.format.omission(omitted) else { return };
            let spent = plan.spent.saturating_add(cost_of(&line, budget));
            if budget.allows(spent) {
                plan.spent = spent;
                plan.omission = Some(line);
                return;
            }
            if !plan.drop_last() {
                return;
            }
        }
    }

    /// Cuts a description, and does not trust a format to stay within the space.
    fn cut(&self, demand: &Demand<'_>, chars: usize) -> Cut {
        let description = demand.description;
        if chars >= demand.size.chars {
            return Cut { text: description.to_owned(), kept: demand.size.chars };
        }
        let space = first_chars(description, chars);
        let cut = self.format.cut(description, chars);
        if cut.text.len() <= space.len() && cut.text.chars().count() <= chars {
            return cut;
        }
        Cut { text: space.to_owned(), kept: chars }
    }

    /// Returns what a description adds to a line besides itself.
    fn joint(&self) -> Size {
        let size = |description| Size::of(&self.format.line(Line { name: "n", description, locator: "l" }));
        size("d").minus(size("")).minus(Size::of("d"))
    }

    fn write(&self, input: &Input, plan: Plan) -> (Catalog, Figures) {
        let Input { skills, drafts, sizes, budget } = input;
        let budget = *budget;
        let mut figures = Figures {
            total: skills.len(),
            included: plan.included,
            omitted: skills.len() - plan.included,
            cut_chars: plan.cut_chars,
            ..Figures::default()
        };
        let mut lines = Vec::with_capacity(plan.included);
        let mut entries = Vec::with_capacity(skills.len());
        let shown = plan.layout.locators.into_iter().zip(plan.cuts).zip(plan.costs);
        for (((skill, draft), size), ((locator, cut), cost)) in
            skills.iter().zip(drafts).zip(sizes).zip(shown)
        {
            let chars = size.chars;
            let own = chars.saturating_sub(draft.added);
            figures.capped += usize::from(draft.added > 0 && draft.whole > own);
            let kept = cut.as_ref().map_or(0, |cut| cut.kept);
            figures.cut_descriptions += usize::from(kept < chars);
            let disposition = disposition(draft, own, cut.as_ref());
            let description = cut.map(|cut| {
                let text = cut.text;
                lines.push(self.format.line(Line {
                    name: &draft.name,
                    description: &text,
                    locator: &locator,
                }));
                text
            });
            entries.push(Entry {
                skill: skill.id.clone(),
                name: draft.name.clone(),
                description: description.unwrap_or_default(),
                locator,
                group: None,
                disposition,
                cost,
            });
        }
        let body = Body {
            lines: &lines,
            roots: &plan.layout.roots,
            omission: plan.omission.as_deref(),
            total: skills.len(),
        };
        let text = self.format.section(&body);
        let catalog = Catalog {
            sections: vec![Section { id: self.section.into(), text }],
            entries,
            roots: plan.layout.roots,
            notices: figures.notices(budget),
            budget,
            spent: plan.spent,
        };
        (catalog, figures)
    }
}

/// Returns how an entry is shown of whose draft `own` characters are the skill's.
fn disposition(draft: &Draft, own: usize, cut: Option<&Cut>) -> Disposition {
    let Some(cut) = cut else { return Disposition::Omitted { reason: "budget".into() } };
    match draft.whole.saturating_sub(cut.kept.min(own)) {
        0 => Disposition::Full,
        chars_cut if cut.text.is_empty() => Disposition::NameOnly { chars_cut },
        chars_cut => Disposition::Shortened { chars_cut },
    }
}

impl Plan {
    fn keep(&mut self, index: usize, cut: Cut, cost: usize) {
        if let (Some(slot), Some(paid)) = (self.cuts.get_mut(index), self.costs.get_mut(index)) {
            *slot = Some(cut);
            *paid = cost;
            self.spent = self.spent.saturating_add(cost);
            self.included += 1;
        }
    }

    /// Leaves out the last entry that is shown; `false` when there is none.
    fn drop_last(&mut self) -> bool {
        let Some(last) = self.cuts.iter().rposition(Option::is_some) else { return false };
        if let (Some(slot), Some(paid)) = (self.cuts.get_mut(last), self.costs.get_mut(last)) {
            *slot = None;
            self.spent = self.spent.saturating_sub(*paid);
            *paid = 0;
            self.included -= 1;
        }
        true
    }
}
