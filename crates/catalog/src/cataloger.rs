//! The verb of this stage.

use std::borrow::Cow;
use std::sync::Arc;

use lorimer_core::{Budget, Diagnostic, Skill, SkillId};

use crate::report::Figures;

/// What is to be listed.
#[derive(Clone, Copy, Debug)]
pub struct CatalogRequest<'a> {
    /// Skills that may be listed, in snapshot order; the cataloger's own order decides how they stand.
    pub skills: &'a [Arc<Skill>],
    /// How much the listing may cost.
    pub budget: Budget,
    /// What the user said this turn, for listings that depend on it.
    pub input: Option<&'a str>,
}

/// How an entry is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// With its whole description.
    Full,
    /// With a part of its description.
    Shortened {
        /// Characters of the description that are not shown.
        chars_cut: usize,
    },
    /// Without a description, although it has one.
    NameOnly {
        /// Characters of the description that are not shown.
        chars_cut: usize,
    },
    /// Not at all.
    Omitted {
        /// Why, as a stable word: `budget`, `duplicate`, …
        reason: Cow<'static, str>,
    },
}

/// One row of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The skill.
    pub skill: SkillId,
    /// The name, exactly as shown.
    pub name: String,
    /// The description, exactly as shown; empty for [`Disposition::NameOnly`] and [`Disposition::Omitted`].
    pub description: String,
    /// The locator, exactly as shown; empty where the listing shows none.
    pub locator: String,
    /// The heading that it stands under, in listings that have headings.
    pub group: Option<String>,
    /// How it is shown.
    pub disposition: Disposition,
    /// What it costs, in the budget's unit; 0 when omitted.
    pub cost: usize,
}

impl Entry {
    /// Returns the row of a skill that is shown whole, without a locator, at no cost.
    pub fn whole(skill: &Skill) -> Self {
        Self {
            skill: skill.id.clone(),
            name: skill.call_name().to_owned(),
            description: skill.description.clone(),
            locator: String::new(),
            group: None,
            disposition: Disposition::Full,
            cost: 0,
        }
    }
}

/// A part of the listing that is compared with what was told last on its own. Most profiles have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Stable id.
    pub id: Cow<'static, str>,
    /// The text, exactly as the model gets it; `None` when this section has nothing to say.
    pub text: Option<String>,
    /// What it shows and leaves out.
    pub figures: Figures,
    /// What the model is told when it was told this section and there is nothing left to say.
    pub none_left: Option<Cow<'static, str>>,
}

impl Section {
    /// Returns the section with this text, and no figures.
    pub fn new(id: impl Into<Cow<'static, str>>, text: Option<String>) -> Self {
        Self { id: id.into(), text, figures: Figures::default(), none_left: None }
    }
}

/// A short name for a long root, as the listing explains it to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootAlias {
    /// The short name, as in `r0`.
    pub alias: String,
    /// The root that it stands for.
    pub path: String,
}

/// The listing and its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalog {
    /// The text, part by part.
    pub sections: Vec<Section>,
    /// One row for every skill of the request, in the order of the listing; omitted ones stand where they would
    /// have stood.
    pub entries: Vec<Entry>,
    /// Short names for roots that the listing uses.
    pub roots: Vec<RootAlias>,
    /// Warnings about the listing as a whole.
    pub notices: Vec<Diagnostic>,
    /// The budget that it was made for.
    pub budget: Budget,
    /// What it costs, in the budget's unit. Never more than the budget.
    pub spent: usize,
}

impl Default for Catalog {
    /// Returns the empty listing: no section, no row, nothing spent.
    fn default() -> Self {
        Self {
            sections: Vec::new(),
            entries: Vec::new(),
            roots: Vec::new(),
            notices: Vec::new(),
            budget: Budget::UNBOUNDED,
            spent: 0,
        }
    }
}

impl Catalog {
    /// Returns the text of all sections that have something to say, joined by line feeds.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.sections.iter().filter_map(|section| section.text.as_deref()).collect();
        texts.join("\n")
    }

    /// Returns the rows that the listing shows.
    pub fn shown(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !matches!(entry.disposition, Disposition::Omitted { .. }))
    }

    /// Returns how many characters of descriptions the listing does not show of the entries that it shows.
    pub fn chars_cut(&self) -> usize {
        self.entries
            .iter()
            .map(|entry| match entry.disposition {
                Disposition::Shortened { chars_cut } | Disposition::NameOnly { chars_cut } => chars_cut,
                Disposition::Full | Disposition::Omitted { .. } => 0,
            })
            .sum()
    }
}

/// Makes the listing.
///
/// # Contract
///
/// * Pure: the same request gives the same bytes, on every machine. No I/O, no clock, no globals.
/// * Every skill of the request has exactly one row; nothing is dropped without one.
/// * [`Catalog::spent`] never exceeds the budget, in the budget's own unit.
/// * Each shown entry is one line or element, whatever its description holds. One that passes a line break through, as its
///   harness does, is named in a notice (`catalog/entry-broken`).
pub trait Cataloger: Send + Sync {
    /// Returns the listing of these skills inside this budget.
    fn catalog(&self, request: &CatalogRequest<'_>) -> Catalog;
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<C: Cataloger + ?Sized> Cataloger for $pointer {
            fn catalog(&self, request: &CatalogRequest<'_>) -> Catalog {
                (**self).catalog(request)
            }
        }
    )+};
}

forward!(&C, Box<C>, Arc<C>);
