//! Expectations about the list that the model is shown.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::texts::{has_all, has_none};
use super::{Gap, Seen, Verdict, equal, flag_of, number_of, said, texts_of, verdict};
use crate::field::answer::Listing;

fn listing<'a>(seen: &Seen<'a>) -> Result<&'a Listing, Gap> {
    said(seen.answer.listing.as_ref())
}

fn names(listing: &Listing) -> Vec<&str> {
    listing.entries.iter().map(|(name, _)| name.as_str()).collect()
}

pub(super) fn visible(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let names = names(listing(seen)?);
    let all = texts_of(wanted)?.iter().all(|name| names.contains(name));
    verdict(all, || wanted.clone(), || json!(names))
}

pub(super) fn hidden(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let names = names(listing(seen)?);
    let shown: Vec<&str> = texts_of(wanted)?.into_iter().filter(|name| names.contains(name)).collect();
    verdict(shown.is_empty(), || json!([]), || json!(shown))
}

pub(super) fn count(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    equal(wanted, Value::from(listing(seen)?.entries.len()))
}

/// The text counts as a reader sees it, so both its raw form and the one without escapes will do.
pub(super) fn contains(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let raw = &listing(seen)?.text;
    let read = raw.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    has_all(wanted, &format!("{raw}\n{read}"))
}

pub(super) fn not_contains(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    has_none(wanted, &listing(seen)?.text)
}

pub(super) fn max_chars(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let chars = |text: &str| text.chars().count();
    let spent = listing(seen)?.entries.iter().map(|(name, text)| chars(name) + chars(text)).sum::<usize>();
    verdict(spent <= number_of(wanted)?, || wanted.clone(), || Value::from(spent))
}

pub(super) fn restated(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    equal(wanted, Value::from(*said(seen.answer.restated.as_ref())?))
}

/// A tag of a text: its name, and whether it closes.
fn tags(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    for part in text.split('<').skip(1) {
        let (closes, rest) = part.strip_prefix('/').map_or((false, part), |rest| (true, rest));
        let Some((inside, _)) = rest.split_once('>') else { continue };
        let name = inside.split([' ', '\n', '\t', '/']).next().unwrap_or_default();
        let is_name = name.chars().next().is_some_and(char::is_alphabetic);
        if is_name && (closes || !inside.ends_with('/')) {
            found.push((name, closes));
        }
    }
    found
}

/// Every tag is closed, in its order.
pub(super) fn well_formed(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let text = &listing(seen)?.text;
    let mut open = Vec::new();
    let mut trouble = Vec::new();
    for (name, closes) in tags(text) {
        match (closes, open.last()) {
            (false, _) => open.push(name),
            (true, Some(last)) if *last == name => {
                open.pop();
            }
            (true, _) => trouble.push(format!("</{name}> closes nothing")),
        }
    }
    trouble.extend(open.iter().map(|name| format!("<{name}> is not closed")));
    verdict(trouble.is_empty() == flag_of(wanted)?, || wanted.clone(), || json!(trouble))
}

pub(super) fn closing_tags_once(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, closes) in tags(&listing(seen)?.text) {
        let (opened, closed) = counts.entry(name).or_default();
        *if closes { closed } else { opened } += 1;
    }
    counts.retain(|_, (opened, closed)| opened != closed);
    verdict(counts.is_empty() == flag_of(wanted)?, || wanted.clone(), || json!(counts))
}

pub(super) fn no_line_starting_with(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let starts = texts_of(wanted)?;
    let text = &listing(seen)?.text;
    let is_forged = |line: &&str| starts.iter().any(|start| line.trim_start().starts_with(start));
    let forged: Vec<&str> = text.lines().filter(is_forged).collect();
    verdict(forged.is_empty(), || json!([]), || json!(forged))
}
