//! What every [`Observer`] owes.

use lorimer::core::{Budget, Code, Digest, Event, Locator, Route, SectionRendered, SkillId, SourceId};
use lorimer::observe::Observer;

/// Runs every check.
pub fn all(observer: &dyn Observer) {
    takes_every_event(observer);
    takes_nonsense(observer);
    takes_threads_at_once(observer);
}

/// No event is too much for it.
pub fn takes_every_event(observer: &dyn Observer) {
    for event in every_event("alpha") {
        observer.observe(&event);
    }
}

/// Events in an impossible order, and with hostile names, break nothing.
pub fn takes_nonsense(observer: &dyn Observer) {
    for name in ["", "\u{0}\u{1b}[31m", "line\nfeed", &"long".repeat(10_000)] {
        for event in every_event(name).iter().rev() {
            observer.observe(event);
            observer.observe(event);
        }
    }
}

/// Sessions in several threads may tell it things at once.
pub fn takes_threads_at_once(observer: &dyn Observer) {
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for event in every_event(&format!("thread-{thread}")) {
                    observer.observe(&event);
                }
            });
        }
    });
}

/// Returns one event of every kind, about a skill of this name.
pub fn every_event(name: &str) -> Vec<Event> {
    let source = SourceId::new("contract");
    let locator = Locator::Uri(format!("contract://{name}"));
    let skill = || SkillId::new(source.clone(), locator.clone());
    let (dependency, reason) = (|| "mcp:contract".to_owned(), || "because".to_owned());
    let (route, digest) = (Route::Mention, Digest::of(name.as_bytes()));
    vec![
        Event::SessionResumed { turns: 1 },
        Event::SkillDiscovered { skill: skill(), name: name.to_owned() },
        Event::SkillRejected {
            source: source.clone(),
            locator: locator.clone(),
            code: Code::FrontmatterMissing,
        },
        Event::SkillShadowed { skill: skill(), by: None },
        Event::SnapshotChanged { added: 1, changed: 0, removed: 0, digest },
        Event::EntryListed { skill: skill() },
        Event::EntryShortened { skill: skill(), chars_cut: 1, name_only: false },
        Event::EntryOmitted { skill: skill(), reason: reason() },
        Event::CatalogRendered {
            total: 1,
            included: 1,
            chars_cut: 1,
            budget: Budget::tokens(1),
            spent: 1,
            told: true,
            sections: vec![SectionRendered {
                section: name.to_owned(),
                total: 1,
                included: 1,
                chars_cut: 1,
                told: true,
            }],
        },
        Event::MentionResolved { skill: skill(), route },
        Event::MentionUnresolved { mention: name.to_owned(), reason: reason() },
        Event::SkillDenied { skill: skill(), route, reason: reason() },
        Event::SkillInjected { skill: skill(), route, bytes: 1, digest },
        Event::SkillInjectionFailed { skill: skill(), route, reason: reason() },
        Event::BodyCut { skill: skill(), kept: 1 },
        Event::SkillCleared { skill: skill() },
        Event::SkillWaiting { skill: skill(), question: dependency() },
        Event::SkillBlocked { skill: skill(), reason: reason() },
        Event::DependencyMissing { skill: skill(), dependency: dependency() },
        Event::DependencyInstalled { skill: skill(), dependency: dependency() },
        Event::DependencyFailed { skill: skill(), dependency: dependency(), reason: reason() },
        Event::DependencySkipped { skill: skill(), dependency: dependency(), reason: reason() },
        Event::SessionRolledBack { turns: 1 },
        Event::HistoryCompacted { bodies_dropped: 1 },
    ]
}
