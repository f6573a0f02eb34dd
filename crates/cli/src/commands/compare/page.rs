//! The comparison as one page that needs nothing else: no network, no fonts, and no script to be read.
//!
//! Texts of skills are hostile until the template has escaped them; what cannot be seen is made visible before.

use askama::Template;
use lorimer::compare::{AUDIT_AT, Comparison, Seen, Standing};

use self::chart::{Group, groups};
use self::skills::{Skill, skills};
use super::summary::{counted, reasons_of, spent, window};
use crate::commands::rows;
use crate::error::CliError;
use crate::output::{count, one_line};

mod chart;
mod skills;

#[derive(Template)]
#[template(path = "compare.html")]
struct Page {
    count: String,
    window: String,
    audit_at: usize,
    audit: String,
    harnesses: Vec<Harness>,
    charts: Vec<Group>,
    legend: Vec<Part>,
    rows: Vec<Skill>,
}

/// One harness.
struct Harness {
    name: &'static str,
    program: &'static str,
    error: String,
    seen: Option<Figures>,
}

/// What a harness makes of the skills.
struct Figures {
    visible: usize,
    found: usize,
    /// Stretches of the bar: what the harness found.
    parts: Vec<Part>,
    /// Every standing that occurs.
    all: Vec<Part>,
    tokens: usize,
    tokens_percent: usize,
    budget: String,
    budget_percent: Option<usize>,
    chars_lost: usize,
    complete: bool,
    reasons: Vec<String>,
}

/// A standing and how often it occurs.
struct Part {
    class: &'static str,
    symbol: &'static str,
    meaning: &'static str,
    number: usize,
    /// Share of all, with one decimal.
    percent: String,
}

impl Part {
    fn new(standing: Standing, number: usize, of: usize) -> Self {
        let tenths = (number * 1_000).checked_div(of).unwrap_or_default();
        Self {
            class: standing.as_str(),
            symbol: rows::symbol(standing),
            meaning: rows::meaning(standing),
            number,
            percent: format!("{}.{}", tenths / 10, tenths % 10),
        }
    }
}

/// Returns the page.
pub(super) fn render(comparison: &Comparison) -> Result<String, CliError> {
    let page = Page {
        count: count(comparison.rows.len(), "skill"),
        window: window(comparison.window),
        audit_at: AUDIT_AT,
        audit: super::to_audit(comparison).join(", "),
        harnesses: harnesses(comparison),
        charts: groups(comparison),
        legend: Standing::ALL.map(|standing| Part::new(standing, 0, 0)).into(),
        rows: skills(comparison),
    };
    page.render().map_err(|error| CliError::Output(std::io::Error::other(error)))
}

fn harnesses(comparison: &Comparison) -> Vec<Harness> {
    let seen = comparison.columns.iter().filter_map(|column| column.outcome.as_ref().ok());
    let most = seen.map(|seen| seen.load.estimated_tokens).max().unwrap_or_default();
    let harness = comparison.columns.iter().enumerate().map(|(index, column)| {
        let error = column.outcome.as_ref().err().map(|error| one_line(&error.to_string()));
        let reasons = || {
            let reasons = reasons_of(comparison, index).into_iter();
            reasons.map(|((standing, reason), number)| counted(number, standing, reason))
        };
        let figures = |seen: &Seen| Figures::new(seen, most, reasons().collect());
        Harness {
            name: column.profile.name,
            program: column.profile.program,
            error: error.unwrap_or_default(),
            seen: column.outcome.as_ref().ok().map(figures),
        }
    });
    harness.collect()
}

impl Figures {
    fn new(seen: &Seen, most_tokens: usize, reasons: Vec<String>) -> Self {
        let (counts, load) = (&seen.counts, &seen.load);
        let found = counts.found();
        let occurring = Standing::ALL.into_iter().filter(|standing| counts.get(*standing) > 0);
        let in_bar =
            occurring.clone().filter(|standing| !matches!(standing, Standing::Rejected | Standing::Absent));
        let percent = |part: usize, of: usize| (part * 100).checked_div(of).unwrap_or_default().min(100);
        Self {
            visible: counts.visible(),
            found,
            parts: in_bar.map(|standing| Part::new(standing, counts.get(standing), found)).collect(),
            all: occurring.map(|standing| Part::new(standing, counts.get(standing), found)).collect(),
            tokens: load.estimated_tokens,
            tokens_percent: percent(load.estimated_tokens, most_tokens),
            budget: spent(load.budget, load.spent),
            budget_percent: load.budget.limit.map(|limit| percent(load.spent, limit)),
            chars_lost: load.chars_lost,
            complete: seen.complete,
            reasons,
        }
    }
}
