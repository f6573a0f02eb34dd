//! Expectations about texts: instructions, everything that was handed over, resources, errors.

use serde_json::{Map, Value, json};

use super::{Gap, Seen, Verdict, map_of, number_of, said, text_of, texts_of, verdict};
use crate::field::answer::{Answer, Failure, Handed};

fn handed<'a>(seen: &Seen<'a>) -> Result<&'a Handed, Gap> {
    said(seen.answer.handed.as_ref())
}

/// A resource that could not be read has no content, and that is an answer too.
fn content<'a>(seen: &Seen<'a>) -> Result<&'a str, Gap> {
    match (&seen.answer.content, &seen.answer.error) {
        (Some(content), _) => Ok(content),
        (None, Some(_)) => Ok(""),
        (None, None) => Err(Gap::NotBuilt),
    }
}

/// Wants all of these parts in a text.
pub(super) fn has_all(wanted: &Value, text: &str) -> Verdict {
    let lacking: Vec<&str> = texts_of(wanted)?.into_iter().filter(|part| !text.contains(part)).collect();
    verdict(lacking.is_empty(), || json!(lacking), || Value::from(text))
}

/// Wants none of these parts in a text.
pub(super) fn has_none(wanted: &Value, text: &str) -> Verdict {
    let there: Vec<&str> = texts_of(wanted)?.into_iter().filter(|part| text.contains(part)).collect();
    let around = |part: &&str| text.lines().find(|line| line.contains(*part)).unwrap_or(text).to_owned();
    verdict(there.is_empty(), || json!({"without": there}), || there.iter().map(around).collect())
}

/// Puts the error beside what came instead of a text, since it says why.
fn with_error(verdict: Verdict, answer: &Answer) -> Verdict {
    let Some(error) = &answer.error else { return verdict };
    Ok(verdict?.map(|(wanted, _)| (wanted, shown(Some(error)))))
}

fn shown(error: Option<&Failure>) -> Value {
    error.map_or(Value::Null, |error| json!({"error": error.kind, "says": error.text}))
}

pub(super) fn body_contains(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    with_error(has_all(wanted, &handed(seen)?.body), seen.answer)
}

pub(super) fn body_not_contains(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let handed = handed(seen)?;
    has_none(wanted, &without_commands(&handed.body, handed, seen))
}

/// Takes commands that nobody has run out of a text where a case is about what running them would give: they are the
/// author's words, and what a case does not want to see are the commands'.
fn without_commands(text: &str, handed: &Handed, seen: &Seen<'_>) -> String {
    let commands = handed.inert.iter().filter(|_| seen.about_commands);
    commands.fold(text.to_owned(), |text, command| text.replace(command, ""))
}

pub(super) fn text_contains(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    with_error(has_all(wanted, &handed(seen)?.text), seen.answer)
}

pub(super) fn text_not_contains(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let handed = handed(seen)?;
    has_none(wanted, &without_commands(&handed.text, handed, seen))
}

pub(super) fn text_max_chars(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let chars = handed(seen)?.text.chars().count();
    verdict(chars <= number_of(wanted)?, || wanted.clone(), || Value::from(chars))
}

pub(super) fn text_occurrences(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let text = &handed(seen)?.text;
    let mut got = Map::new();
    for part in map_of(wanted)?.keys() {
        got.insert(part.clone(), Value::from(text.matches(part.as_str()).count()));
    }
    super::equal(wanted, Value::Object(got))
}

/// The text of a step is the list, where it showed one.
fn text(answer: &Answer) -> Result<&str, Gap> {
    let listing = answer.listing.as_ref().map(|listing| listing.text.as_str());
    listing.or_else(|| answer.handed.as_ref().map(|handed| handed.text.as_str())).ok_or(Gap::NotBuilt)
}

pub(super) fn same_text_as(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let step = text_of(wanted)?;
    let earlier = seen.earlier.get(step).ok_or_else(|| Gap::NeedsStep(step.to_owned()))?;
    let (before, now) = (text(earlier)?, text(seen.answer)?);
    let lines = |text: &str| text.lines().map(Value::from).collect::<Value>();
    verdict(before == now, || lines(before), || lines(now))
}

pub(super) fn content_contains(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    with_error(has_all(wanted, content(seen)?), seen.answer)
}

pub(super) fn content_not_contains(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    has_none(wanted, content(seen)?)
}

pub(super) fn error(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let kinds = match wanted {
        Value::String(kind) => vec![kind.as_str()],
        several => texts_of(several)?,
    };
    let error = seen.answer.error.as_ref();
    let agrees = error.is_some_and(|error| kinds.contains(&error.kind.as_str()));
    verdict(agrees, || json!(kinds), || shown(error))
}

fn error_text<'a>(seen: &Seen<'a>) -> &'a str {
    seen.answer.error.as_ref().map_or("", |error| error.text.as_str())
}

pub(super) fn error_mentions(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    has_all(wanted, error_text(seen))
}

pub(super) fn error_not_mentions(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    has_none(wanted, error_text(seen))
}
