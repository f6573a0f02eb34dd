//! One turn: seven stages in their order, over one snapshot.

use std::collections::HashMap;

use lorimer_authorize::{Question, missing_dependencies};
use lorimer_catalog::{Catalog, Disposition};
use lorimer_core::{Code, ContextItem, Diagnostic, Event, Refusal, Route, Skill, SkillId, Snapshot, kind};
use lorimer_observe::Funnel;
use lorimer_persist::Record;
use lorimer_resolve::{Reason, ResolveRequest, Structured, Unresolved};

use crate::session::{Session, SessionError};
use crate::stages::Cleared;
use crate::view::View;

/// What the user said and chose in a turn.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TurnInput {
    /// Texts, one item each. They are never changed.
    pub texts: Vec<String>,
    /// Selections of a user interface.
    pub structured: Vec<Structured>,
    /// Slugs of the connectors that are available, lower case.
    pub connectors: Vec<String>,
}

impl TurnInput {
    /// Returns a turn in which the user says this.
    pub fn text(text: impl Into<String>) -> Self {
        Self { texts: vec![text.into()], ..Self::default() }
    }

    /// Adds another text.
    #[must_use]
    pub fn and_text(mut self, text: impl Into<String>) -> Self {
        self.texts.push(text.into());
        self
    }

    /// Adds the selection of a user interface (S3-13): a name for display, a path or URI for identity.
    #[must_use]
    pub fn select(mut self, name: impl Into<String>, locator: impl Into<String>) -> Self {
        self.structured.push(Structured { name: name.into(), locator: locator.into() });
        self
    }

    /// Adds a connector that is available.
    #[must_use]
    pub fn connector(mut self, slug: impl Into<String>) -> Self {
        self.connectors.push(slug.into());
        self
    }
}

/// What the model was told about the listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// A listing, because it is the first or differs from the last one.
    Sent,
    /// That nothing is left of the listing that it was told.
    NoneLeft,
    /// Nothing, because the last listing still holds.
    Unchanged,
    /// Nothing, because there is nothing to list.
    Absent,
}

/// What came of a skill that was asked for and found.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a turn has few of them, and hosts match through both enums at once"
)]
pub enum Outcome {
    /// It was handed to the model; whether it may be carried out is inside.
    Loaded(Cleared),
    /// A rule kept it from being used.
    Denied(Refusal),
    /// Its body could not be handed over.
    Failed(String),
}

/// One skill that was asked for and found.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The skill.
    pub skill: SkillId,
    /// How it was asked for.
    pub route: Route,
    /// What came of it.
    pub outcome: Outcome,
}

/// A finished pass through all stages.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Number of the turn in its session, from 1.
    pub index: u64,
    /// What the turn sees, to its end.
    pub snapshot: Snapshot,
    /// The listing as it stands, told or not.
    pub catalog: Catalog,
    /// What the model was told about it.
    pub told: Told,
    /// What is handed to the model, in order. Listings go before the user's own message, instructions behind it.
    pub items: Vec<ContextItem>,
    /// Skills that were asked for and found, in the order in which they are handed over.
    pub selected: Vec<Selected>,
    /// What was asked for and not found.
    pub unresolved: Vec<Unresolved>,
    /// Questions to a person.
    pub questions: Vec<Question>,
    /// Everything that is odd.
    pub diagnostics: Vec<Diagnostic>,
    /// Every fact of the turn, in order.
    pub events: Vec<Event>,
}

impl Turn {
    /// Returns where each skill of this turn got to, and where the others stopped.
    pub fn funnel(&self) -> Funnel {
        self.events.iter().collect()
    }

    pub(crate) fn run(
        session: &mut Session,
        snapshot: Snapshot,
        input: &TurnInput,
    ) -> Result<Self, SessionError> {
        let index = session.state().turns + 1;
        let mut records = vec![Record::Turn { index, snapshot: snapshot.digest() }];
        let mut events = session.snapshot_events(&snapshot);

        let joined = input.texts.join("\n");
        let view = View::new(&session.lifecycle, &snapshot, Some(&joined));
        let mut diagnostics = view.diagnostics.clone();
        diagnostics.extend(view.catalog.notices.iter().cloned());
        let (told, mut items) = tell(session, &view, &mut records);
        events.extend(listing_events(&view, told));

        records.extend(input.texts.iter().map(|text| Record::UserMessage { text: text.clone() }));

        let (selected, unresolved) =
            select(session, &snapshot, input, &view.refused, &mut events, &mut diagnostics);
        let mut questions = Vec::new();
        for Selected { outcome, .. } in &selected {
            let Outcome::Loaded(cleared) = outcome else { continue };
            let loaded = cleared.loaded();
            records.push(Record::Item { item: loaded.item().clone(), digest: Some(loaded.digest()) });
            items.push(loaded.item().clone());
            if let Cleared::Waiting(_, question) = cleared {
                records.push(Record::Asked { question: question.id.clone() });
                questions.push(question.clone());
            }
        }

        session.commit(records, &events)?;
        for Selected { outcome, .. } in &selected {
            if let Outcome::Loaded(cleared) = outcome {
                session.wait_for(cleared);
            }
        }
        Ok(Self {
            index,
            snapshot,
            catalog: view.catalog,
            told,
            items,
            selected,
            unresolved,
            questions,
            diagnostics,
            events,
        })
    }
}

/// Compares each section with what was told last, and says only what differs.
fn tell(session: &Session, view: &View, records: &mut Vec<Record>) -> (Told, Vec<ContextItem>) {
    let options = session.lifecycle.options();
    let item = |text: String| ContextItem {
        role: options.listing_role,
        kind: kind::CATALOG.to_owned(),
        text,
        skill: None,
    };
    let mut items = Vec::new();
    let mut told = Told::Absent;
    for section in &view.catalog.sections {
        let now = section.text.as_ref().filter(|_| view.listing);
        let before = session.state().catalog.get(section.id).and_then(Option::as_ref);
        let said = match (before, now) {
            (None, None) => continue,
            (Some(before), Some(now)) if before == now => {
                told = if told == Told::Absent { Told::Unchanged } else { told };
                continue;
            }
            (_, Some(now)) => {
                told = Told::Sent;
                Some(now.clone())
            }
            (Some(_), None) => {
                told = if told == Told::Sent { Told::Sent } else { Told::NoneLeft };
                options.none_left.map(str::to_owned)
            }
        };
        records.push(Record::Catalog { section: section.id.to_owned(), text: now.cloned() });
        if let Some(text) = said {
            let item = item(text);
            records.push(Record::Item { item: item.clone(), digest: None });
            items.push(item);
        }
    }
    (told, items)
}

fn listing_events(view: &View, told: Told) -> Vec<Event> {
    let changed = matches!(told, Told::Sent | Told::NoneLeft);
    let mut events = Vec::new();
    for (skill, refusal) in view.hidden.iter().filter(|_| changed || told == Told::Absent) {
        events.push(Event::SkillDenied {
            skill: skill.id.clone(),
            route: Route::Listing,
            reason: refusal.rule.clone(),
        });
    }
    for entry in view.catalog.entries.iter().filter(|_| changed) {
        let skill = entry.skill.clone();
        events.push(match entry.disposition {
            Disposition::Full => Event::EntryListed { skill },
            Disposition::Shortened { chars_cut } => {
                Event::EntryShortened { skill, chars_cut, name_only: false }
            }
            Disposition::NameOnly { chars_cut } => {
                Event::EntryShortened { skill, chars_cut, name_only: true }
            }
            Disposition::Omitted { reason } => Event::EntryOmitted { skill, reason: reason.to_owned() },
        });
    }
    events.push(Event::CatalogRendered {
        total: view.catalog.entries.len(),
        included: view.catalog.shown().count(),
        chars_cut: view.catalog.chars_cut(),
        budget: view.catalog.budget,
        spent: view.catalog.spent,
        told: changed,
    });
    events
}

fn select(
    session: &Session,
    snapshot: &Snapshot,
    input: &TurnInput,
    refused: &HashMap<SkillId, Refusal>,
    events: &mut Vec<Event>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Selected>, Vec<Unresolved>) {
    let texts: Vec<&str> = input.texts.iter().map(String::as_str).collect();
    let connectors: Vec<&str> = input.connectors.iter().map(String::as_str).collect();
    let resolution = session.lifecycle.resolver().resolve(
        snapshot,
        &ResolveRequest {
            texts: &texts,
            structured: &input.structured,
            tool_name: None,
            connectors: &connectors,
            refused,
        },
    );
    for unresolved in &resolution.unresolved {
        events.push(Event::MentionUnresolved {
            mention: unresolved.mention.clone(),
            reason: unresolved.reason.as_str().to_owned(),
        });
        diagnostics.push(explain(snapshot, unresolved));
    }
    let mut selected = Vec::with_capacity(resolution.selected.len());
    for found in resolution.selected {
        let outcome = hand_over(session, snapshot, &found.skill, found.route, events, diagnostics);
        selected.push(Selected { skill: found.skill, route: found.route, outcome });
    }
    (selected, resolution.unresolved)
}

/// Takes one skill from its identity to its body: admit, read and wrap, clear.
pub(crate) fn hand_over(
    session: &Session,
    snapshot: &Snapshot,
    id: &SkillId,
    route: Route,
    events: &mut Vec<Event>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Outcome {
    events.push(Event::MentionResolved { skill: id.clone(), route });
    let Some(skill) = snapshot.get(id) else {
        let reason = "a resolver chose a skill that is not in the snapshot".to_owned();
        events.push(Event::SkillInjectionFailed { skill: id.clone(), route, reason: reason.clone() });
        return Outcome::Failed(reason);
    };
    let selection = match session.lifecycle.admit(skill.clone(), route) {
        Ok(selection) => selection,
        Err(refusal) => {
            events.push(Event::SkillDenied { skill: id.clone(), route, reason: refusal.rule.clone() });
            return Outcome::Denied(refusal);
        }
    };
    let loaded = match session.lifecycle.load(selection, None) {
        Ok(loaded) => loaded,
        Err(error) => {
            let reason = chain(&error);
            diagnostics.push(
                Diagnostic::new(
                    Code::BodyUnreadable,
                    format!("`{}` was selected but not loaded: {reason}", skill.call_name()),
                )
                .at(id.locator.clone(), None)
                .with_help("put the file back, or reload so that the listing follows the disk"),
            );
            events.push(Event::SkillInjectionFailed { skill: id.clone(), route, reason: reason.clone() });
            return Outcome::Failed(reason);
        }
    };
    let bytes = loaded.body().len();
    events.push(Event::SkillInjected { skill: id.clone(), route, bytes, digest: loaded.digest() });
    if loaded.is_cut() {
        events.push(Event::BodyCut { skill: id.clone(), kept: bytes });
    }
    diagnostics.extend(loaded.diagnostics().iter().cloned());
    diagnostics.extend(missing_dependencies(loaded.skill(), &session.servers).diagnostics);
    let (cleared, told) = session.lifecycle.clear(loaded, &session.servers, &session.state().asked);
    diagnostics.extend(told.iter().filter_map(|event| lacks(skill, event)));
    events.extend(told);
    Outcome::Loaded(cleared)
}

fn lacks(skill: &Skill, event: &Event) -> Option<Diagnostic> {
    let Event::DependencyMissing { dependency, .. } = event else { return None };
    let message = format!("`{}` was loaded, but this session lacks {dependency}", skill.call_name());
    let diagnostic = Diagnostic::new(Code::DependencyMissing, message).at(skill.id.locator.clone(), None);
    Some(diagnostic.with_help("add the server to the session, or go on without what the skill does with it"))
}

fn explain(snapshot: &Snapshot, unresolved: &Unresolved) -> Diagnostic {
    let names = || -> Vec<String> {
        let found = unresolved.candidates.iter().filter_map(|id| snapshot.get(id));
        found.map(|skill| format!("{} ({})", skill.call_name(), skill.shown_location())).collect()
    };
    let mention = &unresolved.mention;
    match &unresolved.reason {
        Reason::Unknown => {
            let diagnostic = Diagnostic::new(Code::MentionUnknown, format!("no skill is called `{mention}`"));
            match names().first() {
                Some(similar) => diagnostic.with_help(format!("did you mean {similar}?")),
                None => diagnostic,
            }
        }
        Reason::Ambiguous => {
            Diagnostic::new(Code::MentionAmbiguous, format!("`{mention}` is the name of several skills"))
                .with_help(format!("select one by its path: {}", names().join(", ")))
        }
        Reason::ConnectorClash => Diagnostic::new(
            Code::MentionConnectorClash,
            format!("`{mention}` is also the name of a connector"),
        )
        .with_help(format!("select the skill by its path: {}", names().join(", "))),
        Reason::Refused(refusal) => {
            let diagnostic = Diagnostic::new(
                Code::MentionRefused,
                format!("`{mention}` may not be used here ({})", refusal.rule),
            );
            match &refusal.help {
                Some(help) => diagnostic.with_help(help.clone()),
                None => diagnostic,
            }
        }
    }
}

/// Writes an error and its causes on one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
