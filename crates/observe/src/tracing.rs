//! Events for whatever subscriber of `tracing` the host has installed.

use ::tracing::Level;
use lorimer_core::{Event, Route};

use crate::Observer;

/// Emits one `tracing` event, with the target `lorimer`, per event.
///
/// The fields are the same for every event, and absent where they say nothing: `event` (the stable name), `skill` (the
/// identity), `route`, `subject` (what else it is about: a file, a mention, a dependency, a question), `reason`,
/// `amount` (bytes, characters, entries or turns, whichever the event counts) and `total`. A body is in none of them.
///
/// What leaves something out, refuses or fails is a warning; what a model or a person will notice is information; what
/// is there once per skill is for debugging.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tracing;

impl Observer for Tracing {
    fn observe(&self, event: &Event) {
        macro_rules! emit {
            ($level:expr) => {
                if ::tracing::enabled!(target: "lorimer", $level) {
                    let Fields { route, subject, reason, amount, total } = Fields::of(event);
                    let skill = event.skill().map(ToString::to_string);
                    ::tracing::event!(
                        target: "lorimer",
                        $level,
                        event = event.name(),
                        skill,
                        route = route.map(Route::as_str),
                        subject,
                        reason,
                        amount,
                        total,
                    );
                }
            };
        }
        match level(event) {
            Level::WARN => emit!(Level::WARN),
            Level::INFO => emit!(Level::INFO),
            _ => emit!(Level::DEBUG),
        }
    }
}

fn level(event: &Event) -> Level {
    match event {
        // That a skill is not for the model is its author's or user's wish, turn by turn, and no trouble.
        Event::SkillDiscovered { .. }
        | Event::EntryListed { .. }
        | Event::EntryShortened { .. }
        | Event::SkillDenied { route: Route::Listing, .. } => Level::DEBUG,
        Event::SkillRejected { .. }
        | Event::SkillShadowed { .. }
        | Event::EntryOmitted { .. }
        | Event::MentionUnresolved { .. }
        | Event::SkillDenied { .. }
        | Event::SkillInjectionFailed { .. }
        | Event::BodyCut { .. }
        | Event::SkillBlocked { .. }
        | Event::DependencyMissing { .. }
        | Event::DependencyFailed { .. }
        | Event::DependencySkipped { .. } => Level::WARN,
        _ => Level::INFO,
    }
}

#[derive(Default)]
struct Fields {
    route: Option<Route>,
    subject: Option<String>,
    reason: Option<String>,
    amount: Option<u64>,
    total: Option<u64>,
}

impl Fields {
    fn of(event: &Event) -> Self {
        let nothing = Self::default();
        match event {
            Event::SkillDiscovered { name, .. } => Self { subject: Some(name.clone()), ..nothing },
            Event::SkillRejected { locator, code, .. } => {
                Self { subject: Some(locator.to_string()), reason: Some(code.to_string()), ..nothing }
            }
            Event::SkillShadowed { by, .. } => {
                Self { subject: by.as_ref().map(ToString::to_string), ..nothing }
            }
            Event::SnapshotChanged { added, changed, removed, digest } => Self {
                subject: Some(digest.to_string()),
                reason: Some(format!("{added} added, {changed} changed, {removed} removed")),
                ..nothing
            },
            Event::CatalogRendered { total, included, spent, budget, told, .. } => Self {
                subject: Some(if *told { "told" } else { "unchanged" }.to_owned()),
                reason: Some(format!("{spent} spent of {budget}")),
                amount: number(*included),
                total: number(*total),
                ..nothing
            },
            Event::EntryShortened { chars_cut, .. } => Self { amount: number(*chars_cut), ..nothing },
            Event::EntryOmitted { reason, .. } | Event::SkillBlocked { reason, .. } => {
                Self { reason: Some(reason.clone()), ..nothing }
            }
            Event::MentionResolved { route, .. } => Self { route: Some(*route), ..nothing },
            Event::MentionUnresolved { mention, reason } => {
                Self { subject: Some(mention.clone()), reason: Some(reason.clone()), ..nothing }
            }
            Event::SkillDenied { route, reason, .. } | Event::SkillInjectionFailed { route, reason, .. } => {
                Self { route: Some(*route), reason: Some(reason.clone()), ..nothing }
            }
            Event::SkillInjected { route, bytes, digest, .. } => Self {
                route: Some(*route),
                subject: Some(digest.to_string()),
                amount: number(*bytes),
                ..nothing
            },
            Event::BodyCut { kept, .. } => Self { amount: number(*kept), ..nothing },
            Event::SkillWaiting { question, .. } => Self { subject: Some(question.clone()), ..nothing },
            Event::DependencyMissing { dependency, .. } | Event::DependencyInstalled { dependency, .. } => {
                Self { subject: Some(dependency.clone()), ..nothing }
            }
            Event::DependencyFailed { dependency, reason, .. }
            | Event::DependencySkipped { dependency, reason, .. } => {
                Self { subject: Some(dependency.clone()), reason: Some(reason.clone()), ..nothing }
            }
            Event::SessionResumed { turns } | Event::SessionRolledBack { turns } => {
                Self { amount: Some(*turns), ..nothing }
            }
            Event::HistoryCompacted { bodies_dropped } => Self { amount: number(*bodies_dropped), ..nothing },
            _ => nothing,
        }
    }
}

fn number(count: usize) -> Option<u64> {
    u64::try_from(count).ok()
}
