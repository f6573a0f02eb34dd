//! A cataloger composed of order, allocation and format.

mod plan;
mod section;
mod write;

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use lorimer_core::{Budget, Size, Skill};

use self::plan::Plan;
pub use self::section::ComposedSection;
use crate::allocation::Allocation;
use crate::cataloger::{Catalog, CatalogRequest, Cataloger};
use crate::format::{Draft, Format, Layout};
use crate::order::Order;
use crate::report::Figures;

/// A cataloger composed of three parts.
///
/// Each layout of the format is allocated on its own. The best one shows more entries, then more characters of
/// descriptions, then costs less; between equals, the format's earlier one is taken.
///
/// A listing may have several sections ([`Self::with_section_before`]). Their lines share the budget as if they were
/// one list, section by section: what stands in the last section is left out first. Entries of an earlier section then
/// count for more than any number of later ones.
#[derive(Debug)]
pub struct Composed {
    allocation: Box<dyn Allocation>,
    /// The last one takes what no other takes.
    parts: Vec<ComposedSection>,
}

impl Composed {
    /// Returns the cataloger with these parts, and one section `skills`.
    pub fn new(
        order: impl Order + 'static,
        allocation: impl Allocation + 'static,
        format: impl Format + 'static,
    ) -> Self {
        Self {
            allocation: Box::new(allocation),
            parts: vec![ComposedSection::new("skills", &[], order, format)],
        }
    }

    /// Returns the cataloger with another order of its main section.
    #[must_use]
    pub fn with_order(self, order: impl Order + 'static) -> Self {
        self.with_main(|part| part.order = Box::new(order))
    }

    /// Returns the cataloger with another allocation.
    #[must_use]
    pub fn with_allocation(mut self, allocation: impl Allocation + 'static) -> Self {
        self.allocation = Box::new(allocation);
        self
    }

    /// Returns the cataloger with another format of its main section.
    #[must_use]
    pub fn with_format(self, format: impl Format + 'static) -> Self {
        self.with_main(|part| part.format = Box::new(format))
    }

    /// Returns the cataloger with another id for its main section; `skills` by default.
    #[must_use]
    pub fn with_section(self, id: &'static str) -> Self {
        self.with_main(|part| part.id = id.into())
    }

    /// Returns the cataloger with a text for its main section when other sections leave it no room; see
    /// [`ComposedSection::squeezed_out`].
    #[must_use]
    pub fn with_squeezed_out(self, text: &'static str) -> Self {
        self.with_main(|part| part.squeezed_out = Some(text))
    }

    /// Returns the cataloger with another section in front of its main one, behind those that were added before. Of
    /// several that would take a skill, the first does.
    #[must_use]
    pub fn with_section_before(mut self, part: ComposedSection) -> Self {
        self.parts.insert(self.parts.len().saturating_sub(1), part);
        self
    }

    fn with_main(mut self, change: impl FnOnce(&mut ComposedSection)) -> Self {
        if let Some(main) = self.parts.last_mut() {
            change(main);
        }
        self
    }

    /// Returns the listing and what it leaves out.
    pub fn compose(&self, request: &CatalogRequest<'_>) -> (Catalog, Figures) {
        let (skills, ranges) = self.sorted(request);
        let input = self.input(&skills, ranges, request.budget);
        let plan = self
            .arrangements(&input)
            .into_iter()
            .filter_map(|layouts| self.plan(&input, layouts))
            // The first of several maxima wins, as `max_by_key` would give the last.
            .reduce(|best, next| if next.rank() > best.rank() { next } else { best })
            .unwrap_or_else(|| Plan::nothing(&input, self.parts.len()));
        self.write(&input, plan)
    }

    /// Sorts the skills into their sections.
    fn sorted(&self, request: &CatalogRequest<'_>) -> (Vec<Arc<Skill>>, Vec<Range<usize>>) {
        let mut skills = Vec::with_capacity(request.skills.len());
        let mut ranges = Vec::with_capacity(self.parts.len());
        for (index, part) in self.parts.iter().enumerate() {
            let earlier = self.parts.get(..index).unwrap_or_default();
            let is_own =
                |skill: &Arc<Skill>| part.takes(skill) && !earlier.iter().any(|part| part.takes(skill));
            let start = skills.len();
            skills.extend(request.skills.iter().filter(|skill| is_own(skill)).cloned());
            part.order.arrange(skills.get_mut(start..).unwrap_or_default());
            ranges.push(start..skills.len());
        }
        (skills, ranges)
    }

    fn input<'s>(&self, skills: &'s [Arc<Skill>], ranges: Vec<Range<usize>>, budget: Budget) -> Input<'s> {
        let mut drafts = Vec::with_capacity(skills.len());
        for (part, range) in self.parts.iter().zip(&ranges) {
            let own = skills.get(range.clone()).unwrap_or_default();
            drafts.extend(own.iter().map(|skill| part.format.draft(skill)));
        }
        let sizes = drafts.iter().map(|draft| Size::of(&draft.description)).collect();
        Input { skills, drafts, sizes, ranges, budget }
    }

    /// Returns the ways to write the locators: first each section's first one, then another one in a single section,
    /// the main one before the others, then another one in all.
    fn arrangements(&self, input: &Input<'_>) -> Vec<Vec<Rc<Layout>>> {
        let choices: Vec<Vec<Rc<Layout>>> = self
            .parts
            .iter()
            .zip(&input.ranges)
            .map(|(part, range)| {
                let (Some(skills), Some(drafts)) =
                    (input.skills.get(range.clone()), input.drafts.get(range.clone()))
                else {
                    return Vec::new();
                };
                part.format.layouts(skills, drafts, input.budget.unit).into_iter().map(Rc::new).collect()
            })
            .collect();
        let most = choices.iter().map(Vec::len).max().unwrap_or_default();
        let main = choices.len().saturating_sub(1);
        let with_others: Vec<usize> = std::iter::once(main)
            .chain(0..main)
            .filter(|part| choices.get(*part).is_some_and(|own| own.len() > 1))
            .collect();
        let pick = |chosen: &dyn Fn(usize) -> usize| -> Vec<Rc<Layout>> {
            let layouts = choices.iter().enumerate();
            layouts
                .map(|(part, own)| own.get(chosen(part)).or(own.first()).cloned().unwrap_or_default())
                .collect()
        };
        let mut arrangements = vec![pick(&|_| 0)];
        for other in 1..most {
            for single in &with_others {
                arrangements.push(pick(&|part| if part == *single { other } else { 0 }));
            }
            if with_others.len() > 1 {
                arrangements.push(pick(&|_| other));
            }
        }
        arrangements
    }
}

impl Cataloger for Composed {
    fn catalog(&self, request: &CatalogRequest<'_>) -> Catalog {
        self.compose(request).0
    }
}

/// What is to be listed, section by section.
struct Input<'s> {
    skills: &'s [Arc<Skill>],
    drafts: Vec<Draft<'s>>,
    /// The sizes of the drafts' descriptions.
    sizes: Vec<Size>,
    /// Which skills belong to which section.
    ranges: Vec<Range<usize>>,
    budget: Budget,
}

impl Input<'_> {
    /// Returns the section that a skill stands in.
    fn part_of(&self, index: usize) -> usize {
        self.ranges.iter().position(|range| range.contains(&index)).unwrap_or_default()
    }

    /// Returns whether more than one section has skills.
    fn is_mixed(&self) -> bool {
        self.ranges.iter().filter(|range| !range.is_empty()).count() > 1
    }
}

/// The format of a section.
fn format_of(parts: &[ComposedSection], part: usize) -> Option<&dyn Format> {
    parts.get(part).map(|part| &*part.format)
}
