//! Says in the words of the recordings what our library gave.

use std::collections::HashSet;
use std::path::Path;

use lorimer::catalog::{Catalog, Disposition};
use lorimer::core::{Dependency, Diagnostic, Digest, Skill, SkillId, Unit};
use lorimer::{ConfigError, Loaded, Outcome, Told, Turn, View};
use serde_json::{Map, Value, json};

use super::dialects::Dialect;
use super::host::Labels;
use crate::cases::kinds;

pub(crate) fn refused(error: &ConfigError) -> Map<String, Value> {
    object(json!({"error": "invalid-config", "key": error.key, "message": error.to_string()}))
}

pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

pub(crate) fn listing(dialect: &dyn Dialect, labels: &Labels, view: &View) -> Map<String, Value> {
    let said = view.listing && view.catalog.sections.iter().any(|section| section.text.is_some());
    let nothing = || Value::Array(Vec::new());
    let disabled: HashSet<_> = view
        .hidden
        .iter()
        .filter(|(_, refusal)| refusal.rule == "disabled")
        .map(|(skill, _)| &skill.id)
        .collect();
    let loaded: Vec<Value> = view
        .snapshot
        .skills()
        .map(|skill| loaded(dialect, labels, skill, !disabled.contains(&skill.id)))
        .collect();
    let found = view.diagnostics.iter().chain(&view.catalog.notices);
    let facts: Vec<Value> = found.map(|diagnostic| fact(diagnostic, !view.snapshot.is_empty())).collect();
    object(json!({
        "error": null,
        "complete": view.snapshot.is_complete(),
        "catalog": if said { "sent" } else { "absent" },
        "entries": if said { entries(&view.catalog) } else { nothing() },
        "roots": if said { roots(&view.catalog) } else { nothing() },
        "loaded": loaded,
        "errors": facts,
        "warnings": facts,
        "logged": facts,
        "budget": budget(&view.catalog, |id| {
            view.snapshot.get(id).map_or(0, |skill| skill.description.chars().count())
        }),
    }))
}

pub(crate) fn turned(turn: &Turn, told_before: bool) -> Map<String, Value> {
    let sent = turn.told == Told::Sent;
    let nothing = || Value::Array(Vec::new());
    let loaded = turn.selected.iter().filter_map(|selected| match &selected.outcome {
        Outcome::Loaded(cleared) => Some(injected(cleared.loaded())),
        Outcome::Waiting(..) | Outcome::Denied(_) | Outcome::Failed(_) => None,
    });
    let stages = ["resolve/", "activate/", "authorize/"];
    let own = turn
        .notices
        .iter()
        .filter(|diagnostic| stages.iter().any(|stage| diagnostic.code.as_str().starts_with(stage)));
    object(json!({
        "error": null,
        "catalog": match turn.told {
            Told::Sent | Told::Updated | Told::NoneLeft => "sent",
            Told::Unchanged => "unchanged",
            // Nothing was there to be told, and the model knows that from a turn before.
            Told::Absent if told_before => "unchanged",
            Told::Absent => "absent",
        },
        "form": match turn.told {
            Told::NoneLeft => Value::from("none-left"),
            Told::Updated => Value::from("delta"),
            Told::Sent => Value::from("whole"),
            Told::Unchanged | Told::Absent => Value::Null,
        },
        "entries": match turn.told {
            Told::Sent => entries(&turn.catalog),
            Told::Updated => updated(turn),
            _ => nothing(),
        },
        "roots": if sent { roots(&turn.catalog) } else { nothing() },
        "injected": loaded.collect::<Vec<_>>(),
        "warnings": own.map(|diagnostic| fact(diagnostic, !turn.snapshot.is_empty())).collect::<Vec<_>>(),
    }))
}

pub(crate) fn entries(catalog: &Catalog) -> Value {
    let shown = catalog
        .shown()
        .map(|entry| json!({"name": entry.name, "description": entry.description, "locator": entry.locator}));
    shown.collect()
}

/// The entries of an update: those whose line is in what was told.
fn updated(turn: &Turn) -> Value {
    let lines: HashSet<&str> = turn.items.iter().flat_map(|item| item.text.lines()).collect();
    let told = |entry: &&lorimer::catalog::Entry| {
        let line = format!("- {}: {} (file: {})", entry.name, entry.description, entry.locator);
        lines.contains(line.as_str())
    };
    let shown = turn.catalog.shown().filter(told);
    shown
        .map(|entry| json!({"name": entry.name, "description": entry.description, "locator": entry.locator}))
        .collect()
}

fn roots(catalog: &Catalog) -> Value {
    catalog.roots.iter().map(|root| json!({"alias": root.alias, "path": root.path})).collect()
}

/// The figures of a listing. `whole` is the length of a skill's description.
fn budget(catalog: &Catalog, whole: impl Fn(&SkillId) -> usize) -> Value {
    let total = catalog.entries.len();
    let included = catalog.shown().count();
    let cuts = catalog.entries.iter().map(|entry| match entry.disposition {
        Disposition::Full => 0,
        Disposition::Shortened { chars_cut } | Disposition::NameOnly { chars_cut } => chars_cut,
        Disposition::Omitted { .. } => whole(&entry.skill),
    });
    let cuts: Vec<usize> = cuts.filter(|cut| *cut > 0).collect();
    json!({
        "unit": match catalog.budget.unit {
            Unit::Chars | Unit::Utf16 | Unit::Columns => "characters",
            unit => unit.as_str(),
        },
        "limit": catalog.budget.limit,
        "total": total,
        "included": included,
        "omitted": total - included,
        "cut_descriptions": cuts.len(),
        "average_cut_chars": cuts.iter().sum::<usize>().div_ceil(total.max(1)),
    })
}

fn loaded(dialect: &dyn Dialect, labels: &Labels, skill: &Skill, enabled: bool) -> Value {
    let path = dialect.path(skill);
    let mut row = object(json!({
        "name": skill.call_name(),
        "description": skill.description,
        "path": path,
        "scope": dialect.scope(labels, skill),
        "enabled": enabled,
        "model_invocable": skill.policy.implicit,
        "user_invocable": skill.policy.user_invocable,
        "base_dir": Path::new(&path).parent().map(|folder| folder.to_string_lossy()),
    }));
    let own = skill.interface.as_ref().and_then(|interface| interface.short_description.clone());
    let short = own.map(Value::String).or_else(|| {
        let value = skill.frontmatter.get("metadata")?.get("short-description")?;
        Some(value.as_str().map_or_else(|| Value::String(value.to_string()), Value::from))
    });
    if let Some(short) = short {
        row.insert("short_description".to_owned(), short);
    }
    if !skill.dependencies.is_empty() {
        let tools: Value = skill.dependencies.iter().map(dependency).collect();
        row.insert("dependencies".to_owned(), json!({"tools": tools}));
    }
    Value::Object(row)
}

fn dependency(dependency: &Dependency) -> Value {
    json!({
        "type": dependency.kind,
        "value": dependency.value,
        "description": dependency.description,
        "transport": dependency.transport,
        "command": dependency.command,
        "url": dependency.url,
    })
}

/// What the model gets of a skill: name and locator as the wrapper shows them, and the text inside it.
pub(crate) fn injected(loaded: &Loaded) -> Value {
    let (item, body) = (loaded.item(), loaded.body());
    let before = body.as_ptr().addr().saturating_sub(item.text.as_ptr().addr());
    let wrapper = item.text.get(..before).unwrap_or_default();
    let tag = wrapper.strip_prefix('<').and_then(|rest| rest.split(['>', ' ', '\n']).next());
    let element = |name: &str| {
        let (_, rest) = wrapper.split_once(&format!("<{name}>"))?;
        rest.split_once(&format!("</{name}>")).map(|(text, _)| text.to_owned())
    };
    json!({
        "name": element("name").unwrap_or_else(|| loaded.skill().call_name().to_owned()),
        "locator": element("path").unwrap_or_else(|| loaded.skill().id.locator.shown()),
        "role": item.role.as_str(),
        "wrapper": tag,
        "bytes": body.len(),
        "sha256": Digest::of(body.as_bytes()).hex(),
        "body": body,
    })
}

/// Returns the text of a key; empty where there is none.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

pub(crate) fn fact(diagnostic: &Diagnostic, skills_load: bool) -> Value {
    let path = diagnostic.location.as_ref().and_then(|location| location.locator.as_path());
    json!({
        "kind": kinds::neutral(diagnostic.code).unwrap_or(diagnostic.code.as_str()),
        "path": path.map(Path::to_string_lossy),
        "code": diagnostic.code.as_str(),
        "severity": diagnostic.severity.as_str(),
        "numbers": numbers(&diagnostic.message),
        "message": diagnostic.message,
        "skills_still_load": skills_load,
    })
}

fn numbers(text: &str) -> Vec<u64> {
    text.split(|character: char| !character.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_message_are_found() {
        assert_eq!(numbers("47 of 100 skills (limit 640)"), [47, 100, 640]);
        assert_eq!(numbers("none"), [0_u64; 0]);
    }
}
