//! Expectations about what the library says about files, skills and listings.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Gap, Seen, Verdict, flag_of, map_of, said, text_of, texts_of, verdict};
use crate::field::answer::{Report, SkillFact};

fn all<'a>(seen: &Seen<'a>) -> Result<&'a Vec<Report>, Gap> {
    said(seen.answer.reports.as_ref())
}

/// What the absence of reports is about: all that a case has a word for, and all that is at least a warning. A note
/// without such a word is none.
fn counting<'a>(seen: &Seen<'a>) -> Result<Vec<&'a Report>, Gap> {
    Ok(all(seen)?.iter().filter(|report| report.kind.is_some() || report.warns).collect())
}

fn shown(report: &Report, seen: &Seen<'_>) -> Value {
    let path = report.path.as_deref().map(|path| path.strip_prefix(seen.scratch).unwrap_or(path));
    json!({"path": path.map(Path::to_string_lossy), "kind": report.kind, "says": report.text})
}

fn list<'a>(reports: impl IntoIterator<Item = &'a Report>, seen: &Seen<'_>) -> Value {
    reports.into_iter().map(|report| shown(report, seen)).collect()
}

fn items(wanted: &Value) -> Result<Vec<&Map<String, Value>>, Gap> {
    wanted.as_array().ok_or(Gap::NotUnderstood)?.iter().map(map_of).collect()
}

fn kinds(wanted: &Value) -> Result<Vec<&str>, Gap> {
    match wanted {
        Value::String(kind) => Ok(vec![kind]),
        several => texts_of(several),
    }
}

/// Returns whether a report is the one that an item describes.
fn matches(item: &Map<String, Value>, report: &Report, seen: &Seen<'_>) -> Result<bool, Gap> {
    for (key, wanted) in item {
        let agrees = match key.as_str() {
            "kind" => report.kind.is_some_and(|kind| kinds(wanted).is_ok_and(|kinds| kinds.contains(&kind))),
            "path" => {
                let path = text_of(wanted)?;
                report.path.as_deref().is_some_and(|found| seen.is_at(path, found))
            }
            "skill" => concerns(report, text_of(wanted)?, seen),
            "mentions" => texts_of(wanted)?.iter().all(|part| report.text.contains(part)),
            "has_line" => report.line.is_some() == flag_of(wanted)?,
            _ => return Err(Gap::NotUnderstood),
        };
        if !agrees {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether a report is about a skill: about its file, about something in a folder of its name, or without a
/// place but with its name.
fn concerns(report: &Report, name: &str, seen: &Seen<'_>) -> bool {
    let Some(path) = &report.path else { return report.text.contains(&format!("`{name}`")) };
    let skills = seen.answer.skills.iter().flatten();
    let is_its_file = |skill: &SkillFact| skill.name == name && skill.paths.contains(path);
    let below = path.strip_prefix(seen.scratch).unwrap_or(path);
    skills.into_iter().any(is_its_file) || below.components().any(|part| part.as_os_str() == name)
}

pub(super) fn warnings(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let reports = all(seen)?;
    let mut lacking = Vec::new();
    for item in items(wanted)? {
        let mut found = false;
        for report in reports {
            found |= matches(item, report, seen)?;
        }
        if !found {
            lacking.push(Value::Object(item.clone()));
        }
    }
    verdict(lacking.is_empty(), || Value::Array(lacking), || list(reports, seen))
}

pub(super) fn warnings_if_non_root(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    if seen.is_root { Ok(None) } else { warnings(wanted, seen) }
}

pub(super) fn warnings_any_of(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let reports = all(seen)?;
    let mut found = false;
    for item in items(wanted)? {
        for report in reports {
            found |= matches(item, report, seen)?;
        }
    }
    verdict(found, || wanted.clone(), || list(reports, seen))
}

/// With this, there is no report that `warnings` does not name.
pub(super) fn warnings_exact(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    if !flag_of(wanted)? {
        return Ok(None);
    }
    let items = items(seen.expect.get("warnings").ok_or(Gap::NotUnderstood)?)?;
    let mut more = Vec::new();
    for report in counting(seen)? {
        let mut named = false;
        for item in &items {
            named |= matches(item, report, seen)?;
        }
        if !named {
            more.push(report);
        }
    }
    verdict(more.is_empty(), || Value::Array(Vec::new()), || list(more, seen))
}

/// Compares with the reports that must not be there.
fn none_of(reports: Vec<&Report>, seen: &Seen<'_>, unwanted: impl Fn(&Report) -> bool) -> Verdict {
    let there: Vec<&Report> = reports.into_iter().filter(|report| unwanted(report)).collect();
    verdict(there.is_empty(), || Value::Array(Vec::new()), || list(there, seen))
}

pub(super) fn no_warning_for(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let names = texts_of(wanted)?;
    none_of(counting(seen)?, seen, |report| names.iter().any(|name| concerns(report, name, seen)))
}

pub(super) fn no_error_for(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let names = texts_of(wanted)?;
    none_of(counting(seen)?, seen, |report| {
        report.is_error && names.iter().any(|name| concerns(report, name, seen))
    })
}

pub(super) fn no_warning_kinds(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let kinds = texts_of(wanted)?;
    none_of(counting(seen)?, seen, |report| report.kind.is_some_and(|kind| kinds.contains(&kind)))
}

fn is_reported(path: &str, seen: &Seen<'_>) -> Result<bool, Gap> {
    let at = |report: &&Report| report.path.as_deref().is_some_and(|found| seen.is_at(path, found));
    Ok(counting(seen)?.iter().any(at))
}

pub(super) fn loaded_or_warned(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let skills = said(seen.answer.skills.as_ref())?;
    let mut silent = Vec::new();
    for path in texts_of(wanted)? {
        let places = seen.places(path);
        let loaded = skills.iter().any(|skill| skill.paths.iter().any(|found| places.contains(found)));
        if !loaded && !is_reported(path, seen)? {
            silent.push(Value::from(path));
        }
    }
    let got = || json!("neither loaded nor reported");
    verdict(silent.is_empty(), || Value::Array(silent), got)
}

pub(super) fn found_or_warned(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let skills = said(seen.answer.skills.as_ref())?;
    let mut silent = Map::new();
    for (name, path) in map_of(wanted)? {
        let found = skills.iter().any(|skill| skill.name == *name);
        if !found && !is_reported(text_of(path)?, seen)? {
            silent.insert(name.clone(), path.clone());
        }
    }
    verdict(silent.is_empty(), || Value::Object(silent), || json!("neither found nor reported"))
}
