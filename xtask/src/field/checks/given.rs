//! Expectations about what an operation gave and what it left behind.

use serde_json::{Value, json};

use super::{Gap, Seen, Verdict, equal, flag_of, number_of, said, same_set, text_of, texts_of, verdict};
use crate::field::answer::Handed;

fn handed<'a>(seen: &Seen<'a>) -> Result<&'a Handed, Gap> {
    said(seen.answer.handed.as_ref())
}

pub(super) fn already_loaded(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    equal(wanted, Value::from(handed(seen)?.already_loaded))
}

pub(super) fn needs_confirmation(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    equal(wanted, Value::from(handed(seen)?.needs_confirmation))
}

fn base(handed: &Handed) -> Value {
    handed.base.as_ref().map_or(Value::Null, |base| Value::from(base.to_string_lossy()))
}

pub(super) fn base_dir(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let handed = handed(seen)?;
    let places = seen.places(text_of(wanted)?);
    let agrees = handed.base.as_ref().is_some_and(|base| places.contains(base));
    verdict(agrees, || wanted.clone(), || base(handed))
}

pub(super) fn base_dir_absolute(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let handed = handed(seen)?;
    let absolute = handed.base.as_ref().is_some_and(|base| base.is_absolute());
    verdict(absolute == flag_of(wanted)?, || wanted.clone(), || base(handed))
}

pub(super) fn base_dir_in_text(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let handed = handed(seen)?;
    let told = handed.base.as_ref().is_some_and(|base| handed.text.contains(&*base.to_string_lossy()));
    verdict(told == flag_of(wanted)?, || wanted.clone(), || Value::from(handed.text.as_str()))
}

pub(super) fn base_dir_is_not(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let handed = handed(seen)?;
    let is = |path: &&str| handed.base.as_ref().is_some_and(|base| seen.places(path).contains(base));
    let wrong: Vec<&str> = texts_of(wanted)?.into_iter().filter(is).collect();
    verdict(wrong.is_empty(), || json!({"not": wrong}), || base(handed))
}

fn strings(names: &[String]) -> impl Iterator<Item = &str> {
    names.iter().map(String::as_str)
}

pub(super) fn activated(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    same_set(wanted, strings(said(seen.answer.activated.as_ref())?))
}

pub(super) fn active(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    same_set(wanted, strings(said(seen.answer.active.as_ref())?))
}

pub(super) fn unresolved(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    same_set(wanted, strings(said(seen.answer.unresolved.as_ref())?))
}

pub(super) fn added(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    same_set(wanted, strings(&said(seen.answer.changes.as_ref())?.added))
}

pub(super) fn changed(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    same_set(wanted, strings(&said(seen.answer.changes.as_ref())?.changed))
}

pub(super) fn removed(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    same_set(wanted, strings(&said(seen.answer.changes.as_ref())?.removed))
}

pub(super) fn resources_include(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let all = said(seen.answer.resources.as_ref())?;
    let there = texts_of(wanted)?.iter().all(|path| strings(all).any(|found| found == *path));
    verdict(there, || wanted.clone(), || json!(all))
}

pub(super) fn resources_exclude(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let all = said(seen.answer.resources.as_ref())?;
    let is_there = |path: &&str| strings(all).any(|found| found == *path);
    let there: Vec<&str> = texts_of(wanted)?.into_iter().filter(is_there).collect();
    verdict(there.is_empty(), || json!({"without": there}), || json!(all))
}

pub(super) fn file_absent(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let is_there = |path: &&str| seen.answer.present.contains(*path);
    let there: Vec<&str> = texts_of(wanted)?.into_iter().filter(is_there).collect();
    verdict(there.is_empty(), || json!({"without": there}), || json!(seen.answer.present))
}

pub(super) fn max_wall_ms(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let most = number_of(wanted)?;
    let took = seen.answer.wall.as_millis();
    let within = usize::try_from(took).is_ok_and(|took| took <= most);
    verdict(within, || wanted.clone(), || Value::from(took.to_string()))
}
