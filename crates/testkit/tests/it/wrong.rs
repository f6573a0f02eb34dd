//! A suite that nothing can fail proves nothing: each check is shown an implementation that breaks its rule.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use lorimer::activate::{ActivateError, ActivateRequest, Activation, Activator};
use lorimer::authorize::{Admission, AdmitRequest, Authorizer, ClearRequest, Clearance, Question};
use lorimer::catalog::{Catalog, CatalogRequest, Cataloger, Entry, Section};
use lorimer::core::{
    Content, ContextItem, Digest, Event, Locator, ReadLimit, Refusal, Role, Route, Skill, SkillId, Snapshot,
    SourceId,
};
use lorimer::discover::{ReadError, Scan, ScanRequest, Source};
use lorimer::observe::Observer;
use lorimer::persist::{Journal, JournalError, MemoryJournal, Record, Records, Sequence, SessionId};
use lorimer::resolve::{Resolution, ResolveRequest, Resolver, Selected};
use lorimer_testkit::contract;

/// Fails unless the check fails.
fn fails(rule: &str, check: impl FnOnce()) {
    let outcome = catch_unwind(AssertUnwindSafe(check));
    assert!(outcome.is_err(), "the suite did not notice: {rule}");
}

struct BadSource {
    id: SourceId,
    scans: AtomicUsize,
    foreign: bool,
    reads_anything: bool,
    forgets_limit: bool,
}

impl BadSource {
    fn new() -> Self {
        Self {
            id: SourceId::new("bad"),
            scans: AtomicUsize::new(0),
            foreign: false,
            reads_anything: false,
            forgets_limit: false,
        }
    }
}

impl Source for BadSource {
    fn id(&self) -> &SourceId {
        &self.id
    }

    fn scan(&self, _: &ScanRequest) -> Scan {
        let scans = self.scans.fetch_add(1, Ordering::Relaxed);
        let source = if self.foreign { SourceId::new("other") } else { self.id.clone() };
        let id = SkillId::new(source, Locator::Uri("bad://a".to_owned()));
        Scan { skills: vec![Skill::new(id, format!("scan-{scans}"), "d").into()], ..Scan::default() }
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        let listed = *locator == Locator::Uri("bad://a".to_owned());
        if !listed && !self.reads_anything {
            return Err(ReadError::NotListed(locator.clone()));
        }
        let bytes = &b"0123456789"[..];
        match limit.0 {
            Some(limit) if !self.forgets_limit => Ok(Content {
                bytes: bytes[..limit].to_vec(),
                digest: Digest::of(&bytes[..limit]),
                cut: true,
                instructions: 0,
            }),
            _ => Ok(Content::whole(bytes)),
        }
    }
}

#[test]
fn bad_sources() {
    fails("scans differ", || contract::source::scans_are_deterministic(BadSource::new));
    fails("a foreign id", || {
        contract::source::identities_are_its_own(&BadSource { foreign: true, ..BadSource::new() });
    });
    fails("a limit is forgotten", || {
        contract::source::reads_what_it_listed(&BadSource { forgets_limit: true, ..BadSource::new() });
    });
    fails("anything can be read", || {
        contract::source::refuses_what_it_did_not_list(&BadSource {
            reads_anything: true,
            ..BadSource::new()
        });
    });
    contract::source::reads_what_it_listed(&BadSource::new());
    contract::source::refuses_what_it_did_not_list(&BadSource::new());
}

#[derive(Default)]
struct BadCataloger {
    calls: AtomicUsize,
    moody: bool,
    drops_last: bool,
    overspends: bool,
}

impl Cataloger for BadCataloger {
    fn catalog(&self, request: &CatalogRequest<'_>) -> Catalog {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let mut entries: Vec<Entry> = request.skills.iter().map(|skill| Entry::whole(skill)).collect();
        let mut lines: Vec<String> =
            request.skills.iter().map(|skill| format!("- {}: {}", skill.name, skill.description)).collect();
        if self.moody {
            lines.push(format!("call {call}"));
        }
        if self.drops_last {
            entries.pop();
        }
        Catalog {
            sections: vec![Section::new("skills", Some(lines.join("\n")))],
            entries,
            budget: request.budget,
            spent: if self.overspends { usize::MAX } else { 0 },
            ..Catalog::default()
        }
    }
}

#[test]
fn bad_catalogers() {
    fails("moody", || contract::cataloger::is_pure(&BadCataloger { moody: true, ..Default::default() }));
    fails("a skill without a row", || {
        contract::cataloger::answers_for_every_skill(&BadCataloger {
            drops_last: true,
            ..Default::default()
        });
    });
    fails("more than the budget", || {
        contract::cataloger::stays_inside_the_budget(&BadCataloger {
            overspends: true,
            ..Default::default()
        });
    });
    fails("forged lines", || contract::cataloger::keeps_entries_apart(&BadCataloger::default()));
}

/// Chooses the first skill whose name occurs anywhere, refused or not.
struct Eager {
    twice: bool,
    far_place: bool,
}

impl Resolver for Eager {
    fn resolve(&self, snapshot: &Snapshot, request: &ResolveRequest<'_>) -> Resolution {
        let place = self.far_place.then_some((0, 5_000..5_001));
        let mentioned = |skill: &Skill| {
            let in_text = request.texts.iter().any(|text| text.contains(&skill.name));
            in_text || request.call.is_some_and(|call| call.name == skill.name)
        };
        let mut selected: Vec<Selected> = snapshot
            .skills()
            .filter(|skill| mentioned(skill))
            .map(|skill| Selected { skill: skill.id.clone(), route: Route::Mention, place: place.clone() })
            .collect();
        if self.twice {
            selected.extend(selected.clone());
        }
        Resolution { selected, unresolved: Vec::new() }
    }
}

#[test]
fn bad_resolvers() {
    let eager = |twice, far_place| Eager { twice, far_place };
    fails("chosen twice", || contract::resolver::chooses_only_from_the_snapshot(&eager(true, false)));
    fails("refused and chosen", || contract::resolver::respects_refusals(&eager(false, false)));
    fails("guessed", || contract::resolver::never_guesses(&eager(false, false)));
    fails("a place outside", || contract::resolver::places_lie_in_the_text(&eager(false, true)));
}

struct BadActivator {
    calls: AtomicUsize,
    kind: &'static str,
    lossy: bool,
}

impl BadActivator {
    fn new(kind: &'static str, lossy: bool) -> Self {
        Self { calls: AtomicUsize::new(0), kind, lossy }
    }
}

impl Activator for BadActivator {
    fn activate(&self, request: &ActivateRequest<'_>) -> Result<Activation, ActivateError> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let mut text = String::from_utf8_lossy(&request.content.bytes).into_owned();
        if self.lossy {
            text.truncate(10);
        }
        let body = 0..text.len();
        text.push_str(&call.to_string());
        let item = ContextItem {
            role: Role::User,
            kind: self.kind.to_owned(),
            text,
            skill: Some(request.skill.id.clone()),
        };
        Ok(Activation { item, body, cut: false, diagnostics: Vec::new() })
    }
}

#[test]
fn bad_activators() {
    fails("moody", || contract::activator::is_pure(&BadActivator::new("skills.x", false)));
    fails("a foreign kind", || contract::activator::marks_its_items(&BadActivator::new("x", false)));
    fails("a silent cut", || contract::activator::hands_over_the_body(&BadActivator::new("skills.x", true)));
    fails("no text", || contract::activator::refuses_what_is_no_text(&BadActivator::new("skills.x", false)));
}

#[derive(Default)]
struct BadAuthorizer(Mutex<usize>);

impl Authorizer for BadAuthorizer {
    fn admit(&self, _: &AdmitRequest<'_>) -> Admission {
        let mut calls = self.0.lock().unwrap();
        *calls += 1;
        if calls.is_multiple_of(2) {
            Admission::Admitted
        } else {
            Admission::Refused(Refusal::new("not today"))
        }
    }

    fn clear(&self, request: &ClearRequest<'_>) -> Clearance {
        Clearance::Ask {
            missing: request.skill.dependencies.clone(),
            question: Question { id: "again".to_owned(), text: "?".to_owned(), options: Vec::new() },
        }
    }
}

#[test]
fn bad_authorizers() {
    fails("moody", || contract::authorizer::answers_stay_the_same(&BadAuthorizer::default()));
    fails("no rule", || contract::authorizer::refusals_name_their_rule(&BadAuthorizer::default()));
    fails("no answers", || contract::authorizer::questions_can_be_answered(&BadAuthorizer::default()));
}

/// Loses the last record of a batch, or mixes sessions up.
struct BadJournal {
    inner: MemoryJournal,
    loses: bool,
    checks: bool,
}

impl Journal for BadJournal {
    fn append(
        &self,
        _: &SessionId,
        after: Option<Sequence>,
        records: &[Record],
    ) -> Result<Sequence, JournalError> {
        let kept = records.len().saturating_sub(usize::from(self.loses));
        let after = after.filter(|_| self.checks);
        self.inner.append(&SessionId::new("one-for-all")?, after, &records[..kept])
    }

    fn records(&self, _: &SessionId) -> Result<Records, JournalError> {
        self.inner.records(&SessionId::new("one-for-all")?)
    }
}

#[test]
fn bad_journals() {
    let bad = |loses| BadJournal { inner: MemoryJournal::new(), loses, checks: true };
    fails("a record is lost", || contract::journal::keeps_everything_in_order(&bad(true)));
    fails("sessions are mixed", || contract::journal::keeps_sessions_apart(&bad(false)));
    fails("gone when reopened", || contract::journal::survives_reopening(|| bad(false)));
    fails("two writers at once", || {
        contract::journal::refuses_a_writer_that_is_behind(&BadJournal { checks: false, ..bad(false) });
    });
    fails("torn batches", || contract::journal::takes_writers_at_once(&bad(true)));
}

/// Cannot take one thing.
struct Picky(fn(&Event) -> bool);

impl Observer for Picky {
    fn observe(&self, event: &Event) {
        assert!((self.0)(event));
    }
}

#[test]
fn bad_observers() {
    fails("one kind", || {
        contract::observer::takes_every_event(&Picky(|event| event.name() != "history.compacted"));
    });
    fails("an empty name", || {
        contract::observer::takes_nonsense(&Picky(
            |event| !matches!(event, Event::MentionUnresolved { mention, .. } if mention.is_empty()),
        ));
    });
    fails("a second thread", || {
        static BUSY: Mutex<()> = Mutex::new(());
        contract::observer::takes_threads_at_once(&Picky(|_| {
            let free = BUSY.try_lock();
            std::thread::sleep(std::time::Duration::from_millis(5));
            free.is_ok()
        }));
    });
}
