//! One turn: seven stages in their order, over one snapshot.

use std::collections::HashSet;

use lorimer_authorize::Question;
use lorimer_catalog::{Catalog, Disposition, Section};
use lorimer_core::{Code, ContextItem, Diagnostic, Event, Route, SectionRendered, Snapshot};
use lorimer_observe::Funnel;
use lorimer_persist::Record;
use lorimer_resolve::{Reason, ResolveRequest, Structured, Unresolved};

use crate::news::News;
use crate::session::Session;
use crate::steps::{Outcome, Selected, Steps};
use crate::tell::{Telling, tell};
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

    /// Adds the selection of a user interface (S3-13): a name for display; for identity a path, a URI, or the text form
    /// of a [`SkillId`](lorimer_core::SkillId).
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
    /// What is new in the listing, because the profile tells no more than that.
    Updated,
    /// That nothing is left of the listing that it was told.
    NoneLeft,
    /// Nothing, because the last listing still holds.
    Unchanged,
    /// Nothing, because there is nothing to list.
    Absent,
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
    /// Questions to a person that are put for the first time.
    pub questions: Vec<Question>,
    /// Everything that is odd about settings, files, names and rules.
    pub diagnostics: Vec<Diagnostic>,
    /// Everything that is odd about this turn: the listing, what was asked for, what was handed over.
    pub notices: Vec<Diagnostic>,
    /// Every fact of the turn, in order.
    pub events: Vec<Event>,
}

impl Turn {
    /// Returns where each skill of this turn got to, and where the others stopped.
    pub fn funnel(&self) -> Funnel {
        self.events.iter().collect()
    }

    /// Computes a turn and the records that keep it. Nothing changes yet.
    pub(crate) fn compute(
        session: &Session,
        snapshot: &Snapshot,
        news: &News,
        input: &TurnInput,
    ) -> (Self, Vec<Record>) {
        let index = session.state().turns + 1;
        let mut records = vec![Record::Turn { index, snapshot: snapshot.digest() }];
        let mut events = news.events.clone();

        let joined = input.texts.join("\n");
        let view = View::new(session, snapshot, Some(&joined));
        let mut notices = if view.listing { view.catalog.notices.clone() } else { Vec::new() };
        let Telling { told, mut items, sections } = tell(session, &view, &mut records);
        let changed = !matches!(told, Told::Unchanged | Told::Absent) || !news.events.is_empty();
        events.extend(listing_events(&view, changed, &sections));

        records.extend(input.texts.iter().map(|text| Record::UserMessage { text: text.clone() }));

        let mut steps = Steps::new(session);
        let (selected, unresolved) = select(session, snapshot, input, &mut steps);
        for Selected { outcome, .. } in &selected {
            let Outcome::Loaded(cleared) = outcome else { continue };
            let loaded = cleared.loaded();
            records.push(Record::Item { item: loaded.item().clone(), digest: Some(loaded.digest()) });
            items.push(loaded.item().clone());
        }
        records
            .extend(steps.questions.iter().map(|question| Record::Asked { question: question.id.clone() }));
        events.extend(steps.events);
        notices.extend(steps.diagnostics);
        let turn = Self {
            index,
            snapshot: snapshot.clone(),
            catalog: view.catalog,
            told,
            items,
            selected,
            unresolved,
            questions: steps.questions,
            diagnostics: view.diagnostics,
            notices,
            events,
        };
        (turn, records)
    }
}

fn listing_events(view: &View, changed: bool, told: &HashSet<String>) -> Vec<Event> {
    let denied = |skill: &lorimer_core::SkillId, reason: &str| Event::SkillDenied {
        skill: skill.clone(),
        route: Route::Listing,
        reason: reason.to_owned(),
    };
    let mut events = Vec::new();
    if changed {
        events.extend(view.hidden.iter().map(|(skill, refusal)| denied(&skill.id, &refusal.rule)));
    }
    for entry in view.catalog.entries.iter().filter(|_| changed) {
        let skill = entry.skill.clone();
        events.push(match &entry.disposition {
            _ if !view.listing => denied(&skill, "listing-off"),
            Disposition::Full => Event::EntryListed { skill },
            Disposition::Shortened { chars_cut } => {
                Event::EntryShortened { skill, chars_cut: *chars_cut, name_only: false }
            }
            Disposition::NameOnly { chars_cut } => {
                Event::EntryShortened { skill, chars_cut: *chars_cut, name_only: true }
            }
            Disposition::Omitted { reason } => Event::EntryOmitted { skill, reason: reason.to_string() },
        });
    }
    let shown = |number: usize| if view.listing { number } else { 0 };
    events.push(Event::CatalogRendered {
        total: view.catalog.entries.len(),
        included: shown(view.catalog.shown().count()),
        chars_cut: shown(view.catalog.chars_cut()),
        budget: view.catalog.budget,
        spent: shown(view.catalog.spent),
        told: changed,
        sections: view
            .catalog
            .sections
            .iter()
            .filter(|_| view.listing)
            .map(|section| section_row(section, told))
            .collect(),
    });
    events
}

fn section_row(section: &Section, told: &HashSet<String>) -> SectionRendered {
    SectionRendered {
        section: section.id.to_string(),
        total: section.figures.total,
        included: section.figures.included,
        chars_cut: section.figures.cut_chars,
        told: told.contains(section.id.as_ref()),
    }
}

fn select(
    session: &Session,
    snapshot: &Snapshot,
    input: &TurnInput,
    steps: &mut Steps,
) -> (Vec<Selected>, Vec<Unresolved>) {
    let texts: Vec<&str> = input.texts.iter().map(String::as_str).collect();
    let connectors: Vec<&str> = input.connectors.iter().map(String::as_str).collect();
    let refused = session.refusals(snapshot, &[Route::Mention, Route::Structured]);
    let resolution = session.lifecycle.resolver().resolve(
        snapshot,
        &ResolveRequest {
            texts: &texts,
            structured: &input.structured,
            call: None,
            connectors: &connectors,
            refused: &refused,
            same_name: session.lifecycle.options().same_name,
        },
    );
    for unresolved in &resolution.unresolved {
        steps.events.push(Event::MentionUnresolved {
            mention: unresolved.mention.clone(),
            reason: unresolved.reason.as_str().to_owned(),
        });
        steps.diagnostics.push(explain(snapshot, unresolved));
    }
    let mut selected = Vec::with_capacity(resolution.selected.len());
    for found in resolution.selected {
        let outcome = steps.hand_over(snapshot, &found.skill, found.route);
        selected.push(Selected { skill: found.skill, route: found.route, outcome });
    }
    (selected, resolution.unresolved)
}

/// Candidates that a finding names; the answer itself has all of them.
const MOST_CANDIDATES: usize = 5;

fn explain(snapshot: &Snapshot, unresolved: &Unresolved) -> Diagnostic {
    let found = unresolved.candidates.iter().filter_map(|id| snapshot.get(id)).take(MOST_CANDIDATES);
    let names: Vec<String> =
        found.map(|skill| format!("{} ({})", skill.call_name(), skill.shown_location())).collect();
    let mention = &unresolved.mention;
    match &unresolved.reason {
        Reason::Unknown => {
            let diagnostic = Diagnostic::new(Code::MentionUnknown, format!("no skill is called `{mention}`"));
            match names.first() {
                Some(similar) => diagnostic.with_help(format!("did you mean {similar}?")),
                None => diagnostic,
            }
        }
        Reason::Ambiguous => {
            Diagnostic::new(Code::MentionAmbiguous, format!("`{mention}` is the name of several skills"))
                .with_help(format!("select one by its path: {}", names.join(", ")))
        }
        Reason::ConnectorClash => Diagnostic::new(
            Code::MentionConnectorClash,
            format!("`{mention}` is also the name of a connector"),
        )
        .with_help(format!("select the skill by its path: {}", names.join(", "))),
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
