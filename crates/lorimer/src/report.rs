//! What `lorimer list --json`, `check --json`, `turn --json` and `load --json` print, as values.
//!
//! The shapes are versioned: a field is only ever added within a version.

mod check;
mod reload;

pub use check::{ChangeReport, CheckReport};
pub use reload::{ChangedReport, ReloadReport, SkillReport};

use lorimer_authorize::Question;
use lorimer_catalog::Disposition;
use lorimer_core::{ContextItem, Diagnostic, Event, Fix, Skill, SkillId, Snapshot};
use lorimer_observe::FunnelCounts;
use serde::Serialize;

use crate::{Cleared, Clearing, Outcome, Told, ToolAnswer, Turn, View};

/// Version of all shapes in this module.
pub const VERSION: u32 = 1;

/// A listing and where every skill of it stands.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are described in docs/json.md, under the same names")]
pub struct ListReport {
    pub version: u32,
    pub profile: String,
    pub budget: BudgetReport,
    pub entries: Vec<EntryReport>,
    pub roots: Vec<RootReport>,
    pub omitted: Vec<AbsentReport>,
    pub hidden: Vec<AbsentReport>,
    pub diagnostics: Vec<DiagnosticReport>,
    pub notices: Vec<DiagnosticReport>,
    pub tokens: Vec<TokensReport>,
    pub text: String,
}

/// What a listing may cost, and what it does.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct BudgetReport {
    pub unit: &'static str,
    pub measure: &'static str,
    pub limit: Option<usize>,
    pub spent: usize,
}

/// How many tokens a text has.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct TokensReport {
    pub counter: String,
    pub count: usize,
}

/// One line of a listing, exactly as shown.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct EntryReport {
    pub name: String,
    pub description: String,
    pub locator: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    pub scope: &'static str,
    pub disposition: &'static str,
    pub chars_cut: usize,
    pub cost: usize,
}

/// A short name for a root.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct RootReport {
    pub alias: String,
    pub path: String,
}

/// A skill that a listing does not show.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct AbsentReport {
    pub name: String,
    pub locator: String,
    pub reason: String,
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct DiagnosticReport {
    pub code: &'static str,
    pub severity: &'static str,
    pub path: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub message: String,
    pub help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

impl From<&Diagnostic> for DiagnosticReport {
    fn from(diagnostic: &Diagnostic) -> Self {
        let span = diagnostic.location.as_ref().and_then(|location| location.span);
        Self {
            code: diagnostic.code.as_str(),
            severity: diagnostic.severity.as_str(),
            path: diagnostic.location.as_ref().map(|location| location.locator.shown()),
            line: span.map(|span| span.line),
            column: span.map(|span| span.column),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            fix: diagnostic.fix.clone(),
        }
    }
}

impl ListReport {
    /// Describes a view.
    pub fn new(profile: &str, view: &View) -> Self {
        let mut entries = Vec::new();
        let mut omitted = Vec::new();
        for entry in view.catalog.entries.iter().filter(|_| view.listing) {
            let skill = view.snapshot.get(&entry.skill);
            let (disposition, chars_cut) = match entry.disposition {
                Disposition::Full => ("full", 0),
                Disposition::Shortened { chars_cut } => ("shortened", chars_cut),
                Disposition::NameOnly { chars_cut } => ("name-only", chars_cut),
                Disposition::Omitted { ref reason } => {
                    let location = skill.map(|skill| skill.shown_location());
                    omitted.push(AbsentReport {
                        name: entry.name.clone(),
                        locator: location.unwrap_or_else(|| entry.locator.clone()),
                        reason: reason.to_string(),
                    });
                    continue;
                }
            };
            entries.push(EntryReport {
                name: entry.name.clone(),
                description: entry.description.clone(),
                locator: entry.locator.clone(),
                group: entry.group.clone(),
                scope: skill.map_or("", |skill| skill.scope.kind()),
                disposition,
                chars_cut,
                cost: entry.cost,
            });
        }
        let mut hidden: Vec<AbsentReport> =
            view.hidden.iter().map(|(skill, refusal)| absent(skill, &refusal.rule)).collect();
        if !view.listing {
            let unlisted = view.catalog.entries.iter().filter_map(|entry| view.snapshot.get(&entry.skill));
            hidden.extend(unlisted.map(|skill| absent(skill, "listing-off")));
        }
        Self {
            version: VERSION,
            profile: profile.to_owned(),
            budget: BudgetReport {
                unit: view.catalog.budget.unit.as_str(),
                measure: view.catalog.budget.unit.measure(),
                limit: view.catalog.budget.limit,
                spent: if view.listing { view.catalog.spent } else { 0 },
            },
            entries,
            roots: view
                .catalog
                .roots
                .iter()
                .filter(|_| view.listing)
                .map(|root| RootReport { alias: root.alias.clone(), path: root.path.clone() })
                .collect(),
            omitted,
            hidden,
            diagnostics: view.diagnostics.iter().map(DiagnosticReport::from).collect(),
            notices: view
                .catalog
                .notices
                .iter()
                .filter(|_| view.listing)
                .map(DiagnosticReport::from)
                .collect(),
            tokens: view
                .tokens()
                .into_iter()
                .map(|(counter, count)| TokensReport { counter, count })
                .collect(),
            text: view.text(),
        }
    }
}

fn absent(skill: &Skill, reason: &str) -> AbsentReport {
    AbsentReport {
        name: skill.call_name().to_owned(),
        locator: skill.shown_location(),
        reason: reason.to_owned(),
    }
}

/// A turn: what the model got, and what happened to everything that was asked for.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct TurnReport {
    pub version: u32,
    pub profile: String,
    pub turn: u64,
    pub catalog: &'static str,
    pub items: Vec<ItemReport>,
    pub selected: Vec<SelectedReport>,
    pub unresolved: Vec<UnresolvedReport>,
    pub questions: Vec<Question>,
    pub diagnostics: Vec<DiagnosticReport>,
    pub notices: Vec<DiagnosticReport>,
    pub events: Vec<Event>,
    pub funnel: FunnelCounts,
}

/// A context item; `skill` is the identity's text form.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct ItemReport {
    pub role: &'static str,
    pub kind: String,
    pub text: String,
    pub skill: Option<SkillId>,
}

impl From<&ContextItem> for ItemReport {
    fn from(item: &ContextItem) -> Self {
        Self {
            role: item.role.as_str(),
            kind: item.kind.clone(),
            text: item.text.clone(),
            skill: item.skill.clone(),
        }
    }
}

/// A skill that was asked for and found.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct SelectedReport {
    pub name: String,
    pub locator: String,
    pub how: &'static str,
    /// `cleared`, `waiting`, `blocked`, `denied` or `failed`.
    pub state: &'static str,
    pub detail: Option<String>,
}

/// Something that was asked for and not found.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct UnresolvedReport {
    pub mention: String,
    pub reason: String,
    pub candidates: Vec<CandidateReport>,
}

/// A skill that may have been meant.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct CandidateReport {
    pub name: String,
    pub locator: String,
}

impl TurnReport {
    /// Describes a turn.
    pub fn new(profile: &str, turn: &Turn) -> Self {
        let selected = turn.selected.iter().map(|selected| {
            let (state, detail) = match &selected.outcome {
                Outcome::Loaded(cleared) => cleared_state(cleared),
                Outcome::Waiting(_, question) => ("waiting", Some(question.id.clone())),
                Outcome::Denied(refusal) => ("denied", Some(refusal.rule.clone())),
                Outcome::Failed(reason) => ("failed", Some(reason.clone())),
            };
            let skill = turn.snapshot.get(&selected.skill);
            SelectedReport {
                name: skill.map(|skill| skill.call_name().to_owned()).unwrap_or_default(),
                locator: selected.skill.locator.shown(),
                how: selected.route.as_str(),
                state,
                detail,
            }
        });
        let unresolved = turn.unresolved.iter().map(|unresolved| UnresolvedReport {
            mention: unresolved.mention.clone(),
            reason: unresolved.reason.as_str().to_owned(),
            candidates: candidates(&turn.snapshot, &unresolved.candidates),
        });
        Self {
            version: VERSION,
            profile: profile.to_owned(),
            turn: turn.index,
            catalog: match turn.told {
                Told::Sent => "sent",
                Told::Updated => "updated",
                Told::NoneLeft => "none-left",
                Told::Unchanged => "unchanged",
                Told::Absent => "absent",
            },
            items: turn.items.iter().map(ItemReport::from).collect(),
            selected: selected.collect(),
            unresolved: unresolved.collect(),
            questions: turn.questions.clone(),
            diagnostics: turn.diagnostics.iter().map(DiagnosticReport::from).collect(),
            notices: turn.notices.iter().map(DiagnosticReport::from).collect(),
            events: turn.events.clone(),
            funnel: turn.funnel().counts(),
        }
    }
}

fn cleared_state(cleared: &Cleared) -> (&'static str, Option<String>) {
    match cleared.state() {
        Clearing::Ready => ("cleared", None),
        Clearing::Waiting(question) => ("waiting", Some(question.id.clone())),
        Clearing::Blocked(reason) => ("blocked", Some(reason.clone())),
    }
}

fn candidates(snapshot: &Snapshot, ids: &[SkillId]) -> Vec<CandidateReport> {
    let found = ids.iter().filter_map(|id| snapshot.get(id));
    let candidate = |skill: &Skill| CandidateReport {
        name: skill.call_name().to_owned(),
        locator: skill.shown_location(),
    };
    found.map(|skill| candidate(skill)).collect()
}

/// What `load_skill` answered.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct LoadReport {
    pub version: u32,
    pub profile: String,
    pub item: ItemReport,
    /// `cleared`, `waiting`, `blocked` or `error`.
    pub state: &'static str,
    pub detail: Option<String>,
    pub questions: Vec<Question>,
    pub diagnostics: Vec<DiagnosticReport>,
    pub events: Vec<Event>,
}

impl LoadReport {
    /// Describes an answer.
    pub fn new(profile: &str, answer: &ToolAnswer) -> Self {
        let (state, detail) = match &answer.result {
            Ok(cleared) => cleared_state(cleared),
            Err(_) => ("error", Some(answer.item.text.clone())),
        };
        Self {
            version: VERSION,
            profile: profile.to_owned(),
            item: ItemReport::from(&answer.item),
            state,
            detail,
            questions: answer.questions.clone(),
            diagnostics: answer.diagnostics.iter().map(DiagnosticReport::from).collect(),
            events: answer.events.clone(),
        }
    }
}
