//! Lists in the words of OpenClaw's recordings.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lorimer::catalog::{ShownPaths, ShownRoot};
use lorimer::core::{Code, Refusal, SkillId};
use lorimer::discover::display_name;
use lorimer::{Host, View};
use serde_json::{Map, Value, json};

use crate::parity::answer::text;
use crate::parity::host::Labels;

fn put(row: &mut Value, key: &str, value: Value) {
    if let Some(row) = row.as_object_mut() {
        row.insert(key.to_owned(), value);
    }
}

pub(super) fn listed(view: &View, answer: &mut Map<String, Value>) {
    let sent = answer.get("catalog").and_then(Value::as_str) == Some("sent");
    answer.insert("catalog_chars".to_owned(), json!(if sent { view.catalog.spent } else { 0 }));
    if let Some(Value::Array(entries)) = answer.get_mut("entries") {
        for entry in entries.iter_mut().filter(|entry| text(entry, "description").is_empty()) {
            put(entry, "description", Value::Null);
        }
    }
    let refusals: HashMap<SkillId, &Refusal> =
        view.hidden.iter().map(|(skill, refusal)| (skill.id.clone(), refusal)).collect();
    if let Some(Value::Array(rows)) = answer.get_mut("loaded") {
        for (row, skill) in rows.iter_mut().zip(view.snapshot.skills()) {
            let refusal = refusals.get(&skill.id).filter(|refusal| refusal.rule != "explicit-only");
            put(row, "enabled", json!(refusal.is_none()));
            put(row, "model_invocable", json!(skill.policy.implicit));
            put(row, "user_invocable", json!(skill.policy.user_invocable));
            let file = skill.id.locator.as_path().and_then(|path| std::fs::read(path).ok());
            let file = file.unwrap_or_default();
            put(row, "display_name", json!(display_name(skill, &String::from_utf8_lossy(&file))));
            match refusal.map(|refusal| (refusal.rule.as_str(), refusal.help.as_deref())) {
                Some(("disabled", _)) => put(row, "disabled", json!(true)),
                Some(("requirements", help)) => put(row, "missing", missing(help.unwrap_or_default())),
                Some((rule, _)) => put(row, "blocked", json!(rule)),
                None => {}
            }
        }
    }
    let told = view.catalog.text().starts_with('⚠');
    for field in ["errors", "warnings", "logged"] {
        if let Some(Value::Array(facts)) = answer.get_mut(field) {
            for fact in facts.iter_mut() {
                put(fact, "told", json!(told && text(fact, "severity") != "note"));
                in_the_programs_words(fact, view);
            }
        }
    }
}

/// Reads the help of a refusal: fields, and what is missing of each between backticks.
fn missing(help: &str) -> Value {
    let (_, fields) = help.split_once(": ").unwrap_or_default();
    let field = |field: &str| {
        let (name, names) = field.split_once(' ')?;
        let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
        Some((name.to_owned(), json!(names)))
    };
    Value::Object(fields.split("; ").filter_map(field).collect())
}

fn in_the_programs_words(fact: &mut Value, view: &View) {
    let message = text(fact, "message").to_owned();
    let code: Option<Code> = text(fact, "code").parse().ok();
    let recorded = match code {
        Some(Code::FrontmatterUnclosed) => json!({"code": "UNTERMINATED_FRONTMATTER"}),
        Some(Code::FrontmatterDuplicateKey) => json!({"code": "DUPLICATE_KEY"}),
        Some(Code::FrontmatterNotMapping) => json!({"code": "INVALID_ROOT"}),
        Some(Code::FrontmatterMissing) => json!({"kind": "missing-description"}),
        Some(Code::FileTooLarge) => json!({"kind": "unreadable"}),
        Some(Code::DescriptionShortened) => {
            let none = view.catalog.shown().all(|entry| entry.description.is_empty());
            json!({"descriptions": if none { "omitted" } else { "shortened" }})
        }
        Some(Code::FrontmatterInvalidYaml) => json!({"code": yaml_error(&message)}),
        _ => return,
    };
    put(fact, "recorded", recorded);
}

/// Returns the word of the program's parser for what ours says of a text.
fn yaml_error(message: &str) -> Option<&'static str> {
    let words = [
        ("mapping values are not allowed", "BLOCK_AS_IMPLICIT_KEY"),
        ("unexpected character", "BAD_SCALAR_START"),
        ("found a tab", "TAB_AS_INDENT"),
        ("unclosed quote", "MISSING_CHAR"),
    ];
    words.iter().find(|(ours, _)| message.contains(ours)).map(|(_, theirs)| *theirs)
}

pub(super) fn placed(host: &Host, labels: &Labels, view: &View, answer: &mut Map<String, Value>) {
    answer.insert("roots".to_owned(), roots(labels));
    let paths = shown_paths(labels);
    if let Some(Value::Array(rows)) = answer.get_mut("loaded") {
        for (row, skill) in rows.iter_mut().zip(view.snapshot.skills()) {
            put(row, "path", json!(paths.location(skill)));
        }
    }
    let winner = |name: &str| view.snapshot.named(name).next().map(|skill| paths.location(skill));
    let limit = |name: &str, default: i64| {
        let set = host.settings.get(&format!("skills.limits.{name}"));
        set.and_then(toml::Value::as_integer).unwrap_or(default)
    };
    let limits = |which: &str, key: &str, number: Value| {
        json!({
            "kind": "budget-truncated",
            "stage": "discovery",
            "limit": which,
            "maxCandidatesPerRoot": limit("maxCandidatesPerRoot", 300),
            "maxSkillsLoadedPerSource": limit("maxSkillsLoadedPerSource", 200),
            key: number,
        })
    };
    for field in ["errors", "warnings", "logged"] {
        let Some(Value::Array(facts)) = answer.get_mut(field) else { continue };
        let losers: Vec<(String, String)> = facts.iter().filter_map(loser).collect();
        let mut more = Vec::new();
        for fact in facts.iter_mut() {
            if let Some((name, path)) = loser(fact) {
                // The program tells of each pair as it goes on from tier to tier; those of another working directory
                // are merged at the end.
                let of = labels.of_path(Path::new(&path));
                let elsewhere =
                    host.execution.as_ref().is_some_and(|place| Path::new(&path).starts_with(place));
                let behind = losers.iter().skip_while(|(_, other)| *other != path).skip(1);
                let mut next = behind.filter(|(other, _)| *other == name && !elsewhere).map(|(_, path)| path);
                let winner = next.next().cloned().or_else(|| winner(&name));
                let of_winner = winner.as_ref().and_then(|path| labels.of_path(Path::new(path)));
                let recorded = json!({
                    "name": name,
                    "scope": of,
                    "winner": winner,
                    "winner_scope": of_winner,
                });
                put(fact, "recorded", recorded);
            }
            if text(fact, "code") == Code::LimitDirectories.as_str() {
                let mut scan = fact.clone();
                let found = fact.pointer("/numbers/0").cloned().unwrap_or_default();
                put(fact, "recorded", limits("candidates", "childDirCount", found));
                put(&mut scan, "recorded", limits("scan", "maxGroupedSkillScanDepth", json!(6)));
                more.push(scan);
            }
        }
        facts.extend(more);
    }
}

/// Loaded skills stand in the recordings as they would be listed, without `~/`.
fn shown_paths(labels: &Labels) -> ShownPaths {
    let root = |(path, label): (PathBuf, &'static str)| {
        let as_it_is = matches!(label, "openclaw-managed" | "agents-skills-personal");
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        ShownRoot { real, shown: (!as_it_is).then_some(path) }
    };
    ShownPaths { homes: Vec::new(), roots: labels.roots().map(root).collect() }
}

/// Returns the name and the path of a skill whose name is another one's.
fn loser(fact: &Value) -> Option<(String, String)> {
    let name = text(fact, "message").split('`').nth(1)?;
    (text(fact, "code") == Code::NameCollision.as_str())
        .then(|| (name.to_owned(), text(fact, "path").to_owned()))
}

/// The folders that are searched, lowest first, without those that the program fills by itself.
fn roots(labels: &Labels) -> Value {
    let tier = |label: &'static str| match label {
        "agents-skills-personal" => "personal",
        "agents-skills-project" => "workspace",
        "openclaw-custodian" => "bundled",
        _ => label.strip_prefix("openclaw-").unwrap_or(label),
    };
    let shown = labels.roots().filter(|(path, _)| !path.ends_with("plugin-skills"));
    shown
        .map(|(path, label)| json!({"path": path.to_string_lossy(), "scope": label, "tier": tier(label)}))
        .collect()
}
