//! What `lorimer compare --json` prints, as values. The shapes are versioned as those of [`report`](crate::report).

use lorimer_core::SkillId;
use serde::{Serialize, Serializer};

use super::{AUDIT_AT, Cell, Column, Comparison, Counts, Growth, Listing, Load, Row};
use crate::report::{BudgetReport, DiagnosticReport, VERSION};

/// What several harnesses make of the same skills.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are described in docs/json.md, under the same names")]
pub struct CompareReport {
    pub version: u32,
    pub window: Option<u64>,
    pub audit_at: usize,
    pub harnesses: Vec<HarnessReport>,
    pub skills: Vec<RowReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<WindowReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<GrowthReport>,
}

/// One harness.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct HarnessReport {
    pub profile: &'static str,
    pub program: &'static str,
    pub error: Option<String>,
    pub complete: bool,
    #[serde(flatten)]
    pub counts: CountsReport,
    pub rejected: usize,
    pub absent: usize,
    pub audit: bool,
    #[serde(flatten)]
    pub load: LoadingReport,
    pub notices: Vec<DiagnosticReport>,
}

/// How many of the skills that a harness found stand how.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct CountsReport {
    pub found: usize,
    pub visible: usize,
    pub whole: usize,
    pub shortened: usize,
    pub name_only: usize,
    pub omitted: usize,
    pub hidden: usize,
    pub shadowed: usize,
}

/// What a listing takes.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct LoadingReport {
    pub budget: Option<BudgetReport>,
    pub chars_lost: usize,
    pub estimated_tokens: usize,
    pub bytes: usize,
}

/// One skill.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct RowReport {
    pub skill: Option<SkillId>,
    pub name: String,
    pub locator: String,
    pub description_chars: usize,
    #[serde(serialize_with = "as_map")]
    pub cells: Vec<(&'static str, CellReport)>,
}

/// What becomes of one skill in one harness.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct CellReport {
    pub disposition: &'static str,
    pub chars_cut: usize,
    pub reason: Option<String>,
}

/// The listings for one window.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct WindowReport {
    pub window: Option<u64>,
    #[serde(serialize_with = "as_map")]
    pub harnesses: Vec<(&'static str, Option<ListingReport>)>,
}

/// The listings of fewer skills.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct GrowthReport {
    pub found: usize,
    pub beyond: Vec<usize>,
    pub steps: Vec<SizeReport>,
}

/// The listings of so many skills.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct SizeReport {
    pub skills: usize,
    pub audit: bool,
    #[serde(serialize_with = "as_map")]
    pub harnesses: Vec<(&'static str, Option<ListingReport>)>,
}

/// One listing.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct ListingReport {
    #[serde(flatten)]
    pub counts: CountsReport,
    #[serde(flatten)]
    pub load: LoadingReport,
}

fn as_map<S: Serializer, V: Serialize>(
    pairs: &[(&'static str, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

impl CompareReport {
    /// Describes a comparison.
    pub fn new(comparison: &Comparison) -> Self {
        let names: Vec<&'static str> = comparison.columns.iter().map(|column| column.profile.name).collect();
        let windows = comparison
            .windows
            .iter()
            .map(|step| WindowReport { window: step.window, harnesses: listings(&names, &step.listings) });
        Self {
            version: VERSION,
            window: comparison.window,
            audit_at: AUDIT_AT,
            harnesses: comparison
                .columns
                .iter()
                .map(|column| harness(column, comparison.rows.len()))
                .collect(),
            skills: comparison.rows.iter().map(|row| RowReport::new(&names, row)).collect(),
            windows: windows.collect(),
            growth: comparison.growth.as_ref().map(|growth| GrowthReport::new(&names, growth)),
        }
    }
}

fn harness(column: &Column, rows: usize) -> HarnessReport {
    let (profile, program) = (column.profile.name, column.profile.program);
    match &column.outcome {
        Ok(seen) => HarnessReport {
            profile,
            program,
            error: None,
            complete: seen.complete,
            counts: CountsReport::from(&seen.counts),
            rejected: seen.counts.rejected,
            absent: seen.counts.absent,
            audit: seen.counts.found() >= AUDIT_AT,
            load: LoadingReport::from(&seen.load),
            notices: seen.notices.iter().map(DiagnosticReport::from).collect(),
        },
        Err(error) => HarnessReport {
            profile,
            program,
            error: Some(error.to_string()),
            complete: false,
            counts: CountsReport::default(),
            rejected: 0,
            absent: rows,
            audit: false,
            load: LoadingReport { budget: None, chars_lost: 0, estimated_tokens: 0, bytes: 0 },
            notices: Vec::new(),
        },
    }
}

impl From<&Counts> for CountsReport {
    fn from(counts: &Counts) -> Self {
        Self {
            found: counts.found(),
            visible: counts.visible(),
            whole: counts.whole,
            shortened: counts.shortened,
            name_only: counts.name_only,
            omitted: counts.omitted,
            hidden: counts.hidden,
            shadowed: counts.shadowed,
        }
    }
}

impl From<&Load> for LoadingReport {
    fn from(load: &Load) -> Self {
        let budget = BudgetReport {
            unit: load.budget.unit.as_str(),
            measure: load.budget.unit.measure(),
            limit: load.budget.limit,
            spent: load.spent,
        };
        Self {
            budget: Some(budget),
            chars_lost: load.chars_lost,
            estimated_tokens: load.estimated_tokens,
            bytes: load.bytes,
        }
    }
}

impl RowReport {
    fn new(names: &[&'static str], row: &Row) -> Self {
        let cell = |cell: &Cell| CellReport {
            disposition: cell.standing.as_str(),
            chars_cut: cell.chars_cut,
            reason: cell.reason.clone(),
        };
        Self {
            skill: row.skill.clone(),
            name: row.name.clone(),
            locator: row.locator.clone(),
            description_chars: row.description.chars().count(),
            cells: names.iter().copied().zip(row.cells.iter().map(cell)).collect(),
        }
    }
}

impl GrowthReport {
    fn new(names: &[&'static str], growth: &Growth) -> Self {
        let steps = growth.steps.iter().map(|step| SizeReport {
            skills: step.skills,
            audit: step.audit,
            harnesses: listings(names, &step.listings),
        });
        Self { found: growth.found, beyond: growth.beyond.clone(), steps: steps.collect() }
    }
}

fn listings(
    names: &[&'static str],
    listings: &[Option<Listing>],
) -> Vec<(&'static str, Option<ListingReport>)> {
    let listing = |listing: &Option<Listing>| {
        let Listing { counts, load } = listing.as_ref()?;
        Some(ListingReport { counts: CountsReport::from(counts), load: LoadingReport::from(load) })
    };
    names.iter().copied().zip(listings.iter().map(listing)).collect()
}
