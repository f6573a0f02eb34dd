//! What the model is told of a listing: what differs from what it was told last, section by section.

use std::collections::HashSet;

use lorimer_core::{ContextItem, kind};
use lorimer_persist::Record;

use crate::lifecycle::Update;
use crate::session::Session;
use crate::turn::Told;
use crate::updates;
use crate::view::View;

/// What the model is told of a listing.
pub(crate) struct Telling {
    pub(crate) told: Told,
    pub(crate) items: Vec<ContextItem>,
    /// Ids of the sections that something is told about.
    pub(crate) sections: HashSet<String>,
}

/// Compares each section with what was told last, and says only what differs.
pub(crate) fn tell(session: &Session, view: &View, records: &mut Vec<Record>) -> Telling {
    let options = session.lifecycle.options();
    let item = |text: String| ContextItem {
        role: options.listing_role,
        kind: kind::CATALOG.to_owned(),
        text,
        skill: None,
    };
    let mut items = Vec::new();
    let mut sections = HashSet::new();
    let mut retracted = false;
    let mut anything = false;
    let mut whole = false;
    let now: Vec<(&str, Option<&String>)> = view
        .catalog
        .sections
        .iter()
        .map(|section| (section.id.as_ref(), section.text.as_ref().filter(|_| view.listing)))
        .collect();
    // A section that the cataloger no longer has must not stay with the model either.
    let gone = session.state().catalog.keys().map(String::as_str);
    let gone = gone.filter(|id| !now.iter().any(|(known, _)| known == id)).map(|id| (id, None));
    for (id, text) in now.iter().copied().chain(gone) {
        anything |= text.is_some();
        let before = session.state().catalog.get(id).and_then(Option::as_ref);
        if before == text {
            continue;
        }
        let mut kept = text.cloned();
        match (before, text, options.update) {
            (_, None, _) => {
                let Some(text) = none_left(view, id) else {
                    retracted = true;
                    records.push(Record::Catalog { section: id.to_owned(), text: None });
                    continue;
                };
                whole = true;
                items.push(item(text.to_owned()));
            }
            (Some(before), Some(text), Update::NewLines { head, tail }) => {
                items.extend(updates::lines(before, text).map(|lines| item(format!("{head}{lines}{tail}"))));
            }
            (Some(before), Some(text), Update::NewEntries { head, tail }) => {
                let updated = updates::entries(before, text);
                items.extend(updated.new.map(|lines| item(format!("{head}{lines}{tail}"))));
                kept = updated.known;
            }
            (_, Some(text), _) => {
                whole = true;
                items.push(item(text.clone()));
            }
        }
        if before != kept.as_ref() {
            records.push(Record::Catalog { section: id.to_owned(), text: kept });
        }
        sections.insert(id.to_owned());
    }
    let mut told = match (items.is_empty(), anything) {
        (false, _) if whole => Told::Sent,
        (false, _) => Told::Updated,
        (true, true) => Told::Unchanged,
        (true, false) => Told::Absent,
    };
    if let Some(text) = options.none_left.filter(|_| retracted && !anything) {
        told = Told::NoneLeft;
        items.push(item(text.to_owned()));
    }
    records.extend(items.iter().map(|item| Record::Item { item: item.clone(), digest: None }));
    Telling { told, items, sections }
}

/// Returns what the model is told when nothing is left of a section, where the section has words for it.
fn none_left<'a>(view: &'a View, id: &str) -> Option<&'a str> {
    view.catalog.sections.iter().find(|section| section.id == id)?.none_left.as_deref()
}
