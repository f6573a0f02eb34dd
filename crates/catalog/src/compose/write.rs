//! From a plan to the listing and its report.

use std::rc::Rc;

use super::plan::Plan;
use super::{Composed, Input};
use crate::cataloger::{Catalog, Disposition, Entry, Section};
use crate::format::{Body, Cut, Draft, Line};
use crate::report::Figures;

impl Composed {
    pub(super) fn write(&self, input: &Input<'_>, plan: Plan<'_>) -> (Catalog, Figures) {
        let mixed = input.is_mixed();
        let mut catalog = Catalog {
            entries: Vec::with_capacity(input.skills.len()),
            budget: input.budget,
            spent: plan.spent,
            ..Catalog::default()
        };
        let mut all = Figures::default();
        let mut rows =
            input.skills.iter().zip(&input.drafts).zip(&input.sizes).zip(plan.cuts).zip(plan.costs);
        for (index, ((part, range), layout)) in
            self.parts.iter().zip(&input.ranges).zip(plan.layouts).enumerate()
        {
            let layout = Rc::unwrap_or_clone(layout);
            let mut figures = Figures { total: range.len(), ..Figures::default() };
            let mut lines = Vec::new();
            for (locator, ((((skill, draft), size), cut), cost)) in layout.locators.into_iter().zip(&mut rows)
            {
                let own = size.chars.saturating_sub(draft.added);
                let kept = cut.as_ref().map_or(0, |cut| cut.kept);
                figures.capped += usize::from(draft.added > 0 && draft.whole > own);
                figures.cut_descriptions += usize::from(kept < size.chars);
                figures.cut_chars += size.chars.saturating_sub(kept);
                let disposition = disposition(draft, own, cut.as_ref());
                let description = cut.map(|cut| cut.text.into_owned());
                if let Some(description) = &description {
                    lines.push(part.format.line(Line { name: &draft.name, description, locator: &locator }));
                }
                catalog.entries.push(Entry {
                    skill: skill.id.clone(),
                    name: draft.name.clone().into_owned(),
                    description: description.unwrap_or_default(),
                    locator,
                    group: None,
                    disposition,
                    cost,
                });
            }
            figures.included = lines.len();
            figures.omitted = figures.total - figures.included;
            let omission = plan.omission.as_ref().filter(|(section, _)| *section == index);
            let body = Body {
                lines: &lines,
                roots: &layout.roots,
                omission: omission.map(|(_, line)| line.as_str()),
                total: figures.total,
            };
            let squeezed_out = mixed && figures.total > 0 && lines.is_empty() && body.omission.is_none();
            let text = match part.squeezed_out.filter(|_| squeezed_out) {
                Some(text) => Some(text.to_owned()),
                None => part.format.section(&body),
            };
            all.add(figures);
            catalog.sections.push(Section {
                id: part.id.clone(),
                text,
                figures,
                none_left: part.none_left.map(Into::into),
            });
            catalog.roots.extend(layout.roots);
        }
        catalog.notices = all.notices(input.budget);
        (catalog, all)
    }
}

/// Returns how an entry is shown of whose draft `own` characters are the skill's.
fn disposition(draft: &Draft<'_>, own: usize, cut: Option<&Cut<'_>>) -> Disposition {
    let Some(cut) = cut else { return Disposition::Omitted { reason: "budget".into() } };
    match draft.whole.saturating_sub(cut.kept.min(own)) {
        0 => Disposition::Full,
        chars_cut if cut.text.is_empty() => Disposition::NameOnly { chars_cut },
        chars_cut => Disposition::Shortened { chars_cut },
    }
}
