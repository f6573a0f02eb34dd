//! What observers keep, and that the funnel adds up.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test, and what helps it, may stop where it fails"
)]

mod funnel;
mod properties;
mod sinks;
mod tracing;

use lorimer_core::{Budget, Code, Digest, Event, Locator, Route, SkillId, SourceId};

fn id(name: &str) -> SkillId {
    SkillId::new(SourceId::new("host"), Locator::Path(format!("/{name}/SKILL.md").into()))
}

fn discovered(name: &str) -> Event {
    Event::SkillDiscovered { skill: id(name), name: name.to_owned() }
}

fn injected(name: &str, route: Route) -> Event {
    Event::SkillInjected { skill: id(name), route, bytes: 10, digest: Digest::of(b"body") }
}

fn resolved(name: &str, route: Route) -> Event {
    Event::MentionResolved { skill: id(name), route }
}

fn denied(name: &str, route: Route, reason: &str) -> Event {
    Event::SkillDenied { skill: id(name), route, reason: reason.to_owned() }
}

fn rejected(name: &str, code: Code) -> Event {
    Event::SkillRejected { source: SourceId::new("host"), locator: id(name).locator, code }
}

fn rendered(chars_cut: usize) -> Event {
    Event::CatalogRendered {
        total: 5,
        included: 3,
        chars_cut,
        budget: Budget::chars(8_000),
        spent: 900,
        told: true,
        sections: Vec::new(),
    }
}
