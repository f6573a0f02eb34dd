//! What `lorimer add-review --json` prints, as values.

use std::sync::Arc;

use lorimer_core::Skill;
use serde::Serialize;

use super::{Advice, Displaced, Listing, Outcome, Review};
use crate::overlap::{Lost, PairReport};
use crate::report::{DiagnosticReport, SkillReport, VERSION};

/// Whether skills are worth taking in.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are described in docs/json.md, under the same names")]
pub struct IntakeReport {
    pub version: u32,
    pub profile: String,
    pub installed: usize,
    pub skills: Vec<ReviewReport>,
    pub listing: ListingReport,
    pub diagnostics: Vec<DiagnosticReport>,
}

/// One skill that may be taken in.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct ReviewReport {
    #[serde(flatten)]
    pub skill: SkillReport,
    /// `take`, `compare` or `refuse`.
    pub advice: &'static str,
    pub because: Option<SkillReport>,
    pub level: Option<&'static str>,
    pub nearest: Vec<PairReport>,
    pub gains: Lost,
    pub clashes: Vec<ClashReport>,
}

/// What a harness makes of two skills of one name.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct ClashReport {
    pub harness: &'static str,
    pub rule: &'static str,
}

/// What the listing costs without and with the new skills.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct ListingReport {
    pub unit: &'static str,
    pub limit: Option<usize>,
    pub before: usize,
    pub after: usize,
    pub displaced: Vec<DisplacedReport>,
    pub not_whole: Vec<DisplacedReport>,
}

/// A skill that the listing does not show whole.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct DisplacedReport {
    pub name: String,
    pub chars_cut: Option<usize>,
}

impl IntakeReport {
    /// Describes a review.
    pub fn new(profile: &str, outcome: &Outcome) -> Self {
        Self {
            version: VERSION,
            profile: profile.to_owned(),
            installed: outcome.installed.len(),
            skills: outcome
                .reviews
                .iter()
                .map(|review| ReviewReport::new(review, &outcome.installed))
                .collect(),
            listing: ListingReport::from(&outcome.listing),
            diagnostics: outcome.diagnostics.iter().map(DiagnosticReport::from).collect(),
        }
    }
}

impl ReviewReport {
    fn new(review: &Review, installed: &[Arc<Skill>]) -> Self {
        let (advice, because, level) = match &review.advice {
            Advice::Take => ("take", None, None),
            Advice::Compare { with, level } => ("compare", Some(with), Some(level.as_str())),
            Advice::Refuse { copy_of } => ("refuse", Some(copy_of), None),
        };
        let because = because.and_then(|id| installed.iter().find(|skill| skill.id == *id));
        // The new skill is the left one of each pair, and its place is behind those that are installed.
        let mut all = installed.to_vec();
        all.push(Arc::clone(&review.skill));
        Self {
            skill: SkillReport::from(&*review.skill),
            advice,
            because: because.map(|skill| SkillReport::from(&**skill)),
            level,
            nearest: review.nearest.iter().filter_map(|pair| PairReport::new(&all, pair)).collect(),
            gains: review.gains.clone(),
            clashes: review
                .clashes
                .iter()
                .map(|clash| ClashReport { harness: clash.harness, rule: clash.rule.as_str() })
                .collect(),
        }
    }
}

impl From<&Listing> for ListingReport {
    fn from(listing: &Listing) -> Self {
        let rows = |rows: &[Displaced]| {
            let row = |row: &Displaced| DisplacedReport { name: row.name.clone(), chars_cut: row.chars_cut };
            rows.iter().map(row).collect()
        };
        Self {
            unit: listing.budget.unit.as_str(),
            limit: listing.budget.limit,
            before: listing.before,
            after: listing.after,
            displaced: rows(&listing.displaced),
            not_whole: rows(&listing.not_whole),
        }
    }
}
