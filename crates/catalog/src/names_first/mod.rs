//! Every name, and the whole texts of those that fit.

mod label;
mod text;

use std::collections::HashSet;
use std::sync::Arc;

use lorimer_core::{Code, Diagnostic, Scope, Size, Skill};

use crate::allocation::{Allocation, Demand, Share};
use crate::cataloger::{Catalog, CatalogRequest, Cataloger, Disposition, Entry, Section};
use crate::report::Figures;
use crate::whole_entries::WholeEntriesByRank;

pub use label::usable_label;
pub use text::one_line;

use text::Capped;

/// Lists every skill with its name, and with its text as far as the budget goes: `- name: text`, `- name (label): text`
/// or `- name`.
///
/// * The text is the description, ` - ` and the field `when_to_use`. It is one line, its angle brackets are escaped, and it
///   ends with `…` where it is too long for any budget.
/// * When all lines fit they stand whole. Otherwise names are paid for first, and the texts go in whole or not at all, as
///   [`WholeEntriesByRank`] ranks them.
/// * A label is the field `name` of a skill that is called by its folder. It is shown before a text, when the skill could be called by
///   it: see [`usable_label`].
/// * The budget counts the lines and the breaks between them.
///
/// A name is never left out. So that [`Catalog::spent`] keeps its promise, a budget that cannot pay for the names pays for
/// nothing: every row costs 0, and a notice says how far the names go beyond it.
#[derive(Clone, Debug)]
pub struct NamesFirst {
    /// Who gets a text. [`Rest`](crate::Rest) has no say in this listing.
    pub ranking: WholeEntriesByRank,
    /// UTF-16 units that a text may have; a longer one ends with `…`, which counts. 1,536 by default.
    pub most_units: usize,
    /// Whether that end may fall into a character, which is then U+FFFD, or into an escaped bracket, as it does in programs
    /// that count units. `false` by default.
    pub splits: bool,
    /// Names of skills that are listed by name alone, whatever the budget.
    pub bare: HashSet<String>,
    /// Names that no label may take because the harness has them for something else.
    pub reserved: &'static [&'static str],
    /// The text of a skill that has none. `Skill` by default.
    pub missing: &'static str,
    /// Stands before the lines. Nothing by default.
    pub head: &'static str,
    /// Stands behind them. Nothing by default.
    pub tail: &'static str,
}

impl Default for NamesFirst {
    fn default() -> Self {
        Self {
            ranking: WholeEntriesByRank::default(),
            most_units: 1_536,
            splits: false,
            bare: HashSet::new(),
            reserved: &[],
            missing: "Skill",
            head: "",
            tail: "",
        }
    }
}

/// One entry as it would be shown whole.
struct Draft {
    name: String,
    /// The label in brackets, with a blank before it; empty where there is none.
    label: String,
    text: Capped,
    bare: bool,
}

impl Draft {
    fn shown(&self) -> &str {
        if self.bare { "" } else { &self.text.shown }
    }

    fn line(&self, text: &str) -> String {
        let Self { name, label, .. } = self;
        if text.is_empty() { format!("- {name}") } else { format!("- {name}{label}: {text}") }
    }
}

impl NamesFirst {
    /// Returns what the lines of these skills take when all of them are shown whole, breaks between them included.
    pub fn size(&self, skills: &[Arc<Skill>]) -> Size {
        let drafts = self.drafts(skills);
        let lines = drafts.iter().map(|draft| Size::of(&draft.line(draft.shown())).plus(Size::LINE_FEED));
        lines.fold(Size::default(), Size::plus).minus(Size::LINE_FEED)
    }

    /// Returns what stands behind the description of a skill that is meant for one folder; nothing for others.
    ///
    /// The sentences are ours, and as long as those of Claude Code 2.1.332 (observed cases 139, 144, 264), so that budgets
    /// come out the same.
    pub fn hint(skill: &Skill) -> String {
        let Some(folder) = &skill.provenance.serves else { return String::new() };
        let folder = one_line(folder);
        if skill.qualified_name.is_some() {
            let name = one_line(skill.call_name());
            return format!(
                " (It is meant for the files below {folder}. For work on those files, use {name} and not its namesake elsewhere.)"
            );
        }
        match skill.scope {
            Scope::Project { .. } => {
                format!(" (It lies in {folder}, and is meant for files that you work on below {folder}.)")
            }
            _ => String::new(),
        }
    }

    fn drafts(&self, skills: &[Arc<Skill>]) -> Vec<Draft> {
        let labels = label::shown(skills, self.reserved);
        let draft = |(skill, label): (&Arc<Skill>, Option<String>)| {
            let name = one_line(skill.call_name());
            let name = if name.is_empty() { self.missing.to_owned() } else { name };
            let whole = text::whole(skill, self.missing, &Self::hint(skill));
            Draft {
                name,
                label: label.map(|label| format!(" ({label})")).unwrap_or_default(),
                text: text::capped(whole, self.most_units, self.splits),
                bare: self.bare.contains(skill.call_name()),
            }
        };
        skills.iter().zip(labels).map(draft).collect()
    }
}

impl Cataloger for NamesFirst {
    fn catalog(&self, request: &CatalogRequest<'_>) -> Catalog {
        let CatalogRequest { skills, budget, .. } = *request;
        let drafts = self.drafts(skills);
        // Breaks stand between lines, so the first line has none.
        let breaks = std::iter::once(Size::default()).chain(std::iter::repeat(Size::LINE_FEED));
        let demands: Vec<Demand<'_>> = skills
            .iter()
            .zip(&drafts)
            .zip(breaks)
            .map(|((skill, draft), line_break)| Demand {
                skill,
                name_only: Size::of(&draft.line("")).plus(line_break),
                joint: Size::of(&draft.label).plus(Size::ascii(2)),
                description: draft.shown(),
                size: Size::of(draft.shown()),
            })
            .collect();
        let names: usize = demands.iter().map(|demand| demand.name_only.cost(budget.unit)).sum();
        let excess = budget.limit.and_then(|limit| names.checked_sub(limit)).filter(|excess| *excess > 0);
        let shares = match excess {
            Some(_) => vec![Share::Chars(0); demands.len()],
            None => self.ranking.allocate(&demands, budget),
        };

        let mut figures = Figures { total: skills.len(), included: skills.len(), ..Figures::default() };
        let (mut lines, mut entries, mut spent) = (Vec::new(), Vec::new(), 0_usize);
        for ((skill, draft), (demand, share)) in skills.iter().zip(&drafts).zip(demands.iter().zip(shares)) {
            let shown = if share == Share::Chars(demand.size.chars) { draft.shown() } else { "" };
            let cost = match excess {
                Some(_) => 0,
                None if shown.is_empty() => demand.name_only.cost(budget.unit),
                None => demand.full().cost(budget.unit),
            };
            spent = spent.saturating_add(cost);
            let disposition = match draft.text.cut {
                _ if shown.is_empty() => Disposition::NameOnly { chars_cut: draft.text.whole_chars },
                0 => Disposition::Full,
                chars_cut => Disposition::Shortened { chars_cut },
            };
            if shown.is_empty() && !draft.bare {
                figures.cut_descriptions += 1;
                figures.cut_chars += draft.text.whole_chars;
            }
            figures.capped += usize::from(draft.text.cut > 0);
            lines.push(draft.line(shown));
            entries.push(Entry {
                name: if shown.is_empty() {
                    draft.name.clone()
                } else {
                    format!("{}{}", draft.name, draft.label)
                },
                description: shown.to_owned(),
                disposition,
                cost,
                ..Entry::whole(skill)
            });
        }
        let text = (!lines.is_empty()).then(|| format!("{}{}{}", self.head, lines.join("\n"), self.tail));
        let mut notices = figures.notices(budget);
        notices.extend(excess.map(|excess| {
            let message = format!(
                "the names alone take {names} {unit}, {excess} more than the listing's budget of {budget}, and are listed all the same",
                unit = budget.unit,
            );
            Diagnostic::new(Code::NamesOverBudget, message)
                .with_help("disable skills that are not needed here, or raise the budget")
        }));
        let sections = vec![Section { figures, ..Section::new("skills", text) }];
        Catalog { sections, entries, notices, budget, spent, ..Catalog::default() }
    }
}
