//! What becomes of one skill in one harness.

use std::collections::HashMap;

use lorimer_catalog::Disposition;
use lorimer_core::SkillId;

use super::Marked;
use crate::View;

/// What becomes of a skill in a harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// The listing shows its name and its whole description.
    Whole,
    /// The listing shows a part of the description.
    Shortened,
    /// The listing shows the name, and nothing of the description that there is.
    NameOnly,
    /// The listing leaves it out.
    Omitted,
    /// A rule keeps it from the model.
    Hidden,
    /// Another skill of the same name stands in its place.
    Shadowed,
    /// The harness came across the file, and does not take it for a skill.
    Rejected,
    /// The harness does not look there.
    Absent,
}

impl Standing {
    /// Every standing, from the best to the worst.
    pub const ALL: [Self; 8] = [
        Self::Whole,
        Self::Shortened,
        Self::NameOnly,
        Self::Omitted,
        Self::Hidden,
        Self::Shadowed,
        Self::Rejected,
        Self::Absent,
    ];

    /// Returns its name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Shortened => "shortened",
            Self::NameOnly => "name-only",
            Self::Omitted => "omitted",
            Self::Hidden => "hidden",
            Self::Shadowed => "shadowed",
            Self::Rejected => "rejected",
            Self::Absent => "absent",
        }
    }

    /// Returns whether the model sees at least the name.
    pub fn is_visible(self) -> bool {
        matches!(self, Self::Whole | Self::Shortened | Self::NameOnly)
    }

    /// Returns whether the harness shows less of the skill than there is, and no rule of the user's wants that.
    pub fn is_loss(self) -> bool {
        !matches!(self, Self::Whole | Self::Hidden | Self::Absent)
    }
}

/// How many skills stand how in a harness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the standings")]
pub struct Counts {
    pub whole: usize,
    pub shortened: usize,
    pub name_only: usize,
    pub omitted: usize,
    pub hidden: usize,
    pub shadowed: usize,
    pub rejected: usize,
    pub absent: usize,
}

impl Counts {
    /// Counts these standings.
    pub fn of(standings: impl IntoIterator<Item = Standing>) -> Self {
        let mut counts = Self::default();
        for standing in standings {
            *counts.slot(standing) += 1;
        }
        counts
    }

    fn slot(&mut self, standing: Standing) -> &mut usize {
        match standing {
            Standing::Whole => &mut self.whole,
            Standing::Shortened => &mut self.shortened,
            Standing::NameOnly => &mut self.name_only,
            Standing::Omitted => &mut self.omitted,
            Standing::Hidden => &mut self.hidden,
            Standing::Shadowed => &mut self.shadowed,
            Standing::Rejected => &mut self.rejected,
            Standing::Absent => &mut self.absent,
        }
    }

    /// Returns how many stand like this.
    pub fn get(mut self, standing: Standing) -> usize {
        *self.slot(standing)
    }

    /// Returns how many skills the model has to choose between (S0-15).
    pub fn visible(&self) -> usize {
        self.whole + self.shortened + self.name_only
    }

    /// Returns how many skills the harness found: those that it could have listed.
    pub fn found(&self) -> usize {
        self.visible() + self.omitted + self.hidden + self.shadowed
    }

    /// Returns how many were counted.
    pub fn total(&self) -> usize {
        self.found() + self.rejected + self.absent
    }
}

/// What becomes of one skill in one harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// How it stands.
    pub standing: Standing,
    /// Characters of the description that are not shown, as the harness counts them; 0 where the model sees nothing
    /// of the skill.
    pub chars_cut: usize,
    /// Why, as a stable word: the reason of an omission, the rule that hides, the code of the finding that rejects.
    /// `None` for what is whole or absent, and for cuts.
    pub reason: Option<String>,
    /// The description with what the listing shows of it, where it shows a part.
    pub marked: Option<Marked>,
    /// The harness's own identity of the skill; `None` where it did not take it in.
    pub skill: Option<SkillId>,
}

impl Cell {
    pub(super) fn new(standing: Standing, reason: Option<String>) -> Self {
        Self { standing, chars_cut: 0, reason, marked: None, skill: None }
    }

    pub(super) fn absent() -> Self {
        Self::new(Standing::Absent, None)
    }
}

/// Rules that hide a skill because of its name, and not because somebody wants it hidden.
const SHADOWED: &str = "shadowed";

/// Returns what becomes of each skill of a view.
pub(super) fn cells(view: &View) -> HashMap<SkillId, Cell> {
    let mut cells = HashMap::with_capacity(view.snapshot.len());
    for (skill, refusal) in &view.hidden {
        let standing = if refusal.rule == SHADOWED { Standing::Shadowed } else { Standing::Hidden };
        cells.insert(skill.id.clone(), Cell::new(standing, Some(refusal.rule.clone())));
    }
    for entry in &view.catalog.entries {
        if !view.listing {
            cells.insert(entry.skill.clone(), Cell::new(Standing::Hidden, Some("listing-off".to_owned())));
            continue;
        }
        let marked = || {
            let skill = view.snapshot.get(&entry.skill)?;
            Some(Marked::new(&skill.description, &entry.description))
        };
        let cell = match &entry.disposition {
            Disposition::Full => Cell::new(Standing::Whole, None),
            Disposition::Shortened { chars_cut } => {
                Cell { chars_cut: *chars_cut, marked: marked(), ..Cell::new(Standing::Shortened, None) }
            }
            Disposition::NameOnly { chars_cut } => {
                Cell { chars_cut: *chars_cut, ..Cell::new(Standing::NameOnly, None) }
            }
            Disposition::Omitted { reason } => Cell::new(Standing::Omitted, Some(reason.to_string())),
        };
        cells.insert(entry.skill.clone(), cell);
    }
    for (id, cell) in &mut cells {
        cell.skill = Some(id.clone());
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_standing_is_counted_once() {
        let counts = Counts::of(Standing::ALL);
        assert!(Standing::ALL.iter().all(|standing| counts.get(*standing) == 1));
        assert_eq!((counts.visible(), counts.found(), counts.total()), (3, 6, 8));
        let names: std::collections::HashSet<_> = Standing::ALL.iter().map(|one| one.as_str()).collect();
        assert_eq!(names.len(), Standing::ALL.len());
    }
}
