//! The recordings of Claude Code.

use std::time::{Duration, SystemTime};

use lorimer::authorize::PathCondition;
use lorimer::catalog::{CatalogRequest, Cataloger as _, Disposition, Entry, Usage, Used};
use lorimer::core::{Budget, Code, Diagnostic, Refusal, Skill, Snapshot, kind};
use lorimer::persist::HistoryItem;
use lorimer::{Caller, Host, Session, Told, ToolError, TurnInput, View, catalog::NamesFirst};
use serde_json::{Map, Value, json};

use super::Dialect;
use crate::parity::answer::{self, fact, injected, listing, object};
use crate::parity::case::{Options, Step};
use crate::parity::drive::Driver;
use crate::parity::host::Labels;
use crate::parity::layout::Layout;

pub(super) struct ClaudeCode;

impl Dialect for ClaudeCode {
    fn understood(&self) -> &'static [&'static str] {
        // How many characters a token is taken for is what a name of a model says; the folder is a repository either way.
        &["chars_per_token", "config_local", "git_init", "one_process", "usage"]
    }

    fn surroundings(&self, host: &mut Host, options: &Options, _layout: &Layout) -> anyhow::Result<()> {
        let now = SystemTime::now();
        let rows = options.map("usage").into_iter().map(|(name, row)| {
            let number = |key: &str| row.get(key).and_then(Value::as_f64).unwrap_or_default();
            let days = Duration::try_from_secs_f64(number("days_ago").abs() * 86_400.0).unwrap_or_default();
            let last = if number("days_ago") < 0.0 { now + days } else { now - days };
            let count = row.get("count").and_then(Value::as_u64).unwrap_or_default();
            (name, Used { count, last: Some(last) })
        });
        host.usage = Some(rows.collect());
        host.now = Some(now);
        Ok(())
    }

    fn operation(&self, step: &Step) -> Option<&'static [&'static str]> {
        match step.op.as_str() {
            "list" | "restart" | "resume" | "compact" => Some(&[]),
            // A second copy is not replaced by a note.
            "load" if step.expect.contains_key("note") => None,
            "load" => Some(&["name", "args"]),
            "tool" => Some(&["tool", "input"]),
            "turn" => Some(&["input"]),
            _ => None,
        }
    }

    fn step(&self, driver: &mut Driver, step: &Step, layout: &Layout) -> anyhow::Result<Map<String, Value>> {
        let given = |key: &str| step.given.get(key).and_then(Value::as_str).unwrap_or_default();
        match step.op.as_str() {
            "restart" | "resume" => {
                // What was opened does not outlive the process.
                driver.host.opened.clear();
                if step.op == "restart" {
                    driver.restart()?;
                } else {
                    driver.resume()?;
                }
                Ok(Map::new())
            }
            "tool" => {
                let input = step.given.get("input").and_then(|input| input.get("file_path")?.as_str());
                driver.host.opened.extend(input.map(|path| layout.substitute(path).into()));
                driver.resume()?;
                told(driver, "")
            }
            "list" => told(driver, "hello"),
            "compact" => {
                driver.compact()?;
                Ok(object(json!({"compacted": true})))
            }
            "turn" => typed(driver, given("input")),
            _ => {
                let mut answer = called(driver, given("name"), Caller::Model)?;
                if step.given.contains_key("args") {
                    // Arguments are not put in.
                    answer.remove("injected");
                }
                Ok(answer)
            }
        }
    }

    fn counts(&self, field: &str, fact: &Value) -> bool {
        // The program has a word for settings, but for none that is plainly no fault of a file.
        field == "errors"
            && answer::text(fact, "severity") == "error"
            && answer::text(fact, "code") != "discover/name-invalid"
    }
}

/// Begins a turn, and says what the model was told about the listing.
fn told(driver: &mut Driver, input: &str) -> anyhow::Result<Map<String, Value>> {
    let labels = Labels::new("claude-code", &driver.host);
    let session = match &mut driver.session {
        Ok(session) => session,
        Err(error) => return Ok(answer::refused(error)),
    };
    let turn = session.begin(&TurnInput::text(input))?;
    let view = session.view();
    let mut answer = listing(&ClaudeCode, &labels, &view);
    let lines: Vec<&str> =
        turn.items.iter().flat_map(|item| item.text.lines()).filter(|line| line.starts_with("- ")).collect();
    let said = |entry: &&Entry| {
        let line = if entry.description.is_empty() {
            format!("- {}", entry.name)
        } else {
            format!("- {}: {}", entry.name, entry.description)
        };
        lines.contains(&line.as_str())
    };
    let entries: Vec<Value> =
        turn.catalog.shown().filter(said).map(|entry| shown(entry, &turn.snapshot)).collect();
    answer.insert("entries".to_owned(), Value::from(entries));
    let sent = match turn.told {
        Told::Sent | Told::Updated | Told::NoneLeft => "sent",
        Told::Unchanged => "unchanged",
        Told::Absent => "absent",
    };
    answer.insert("catalog".to_owned(), sent.into());
    let text = lines.join("\n");
    answer.insert("catalog_chars".to_owned(), text.chars().count().into());
    answer.insert("raw".to_owned(), text.into());
    answer.insert("budget".to_owned(), budget(session, &view));
    answer.insert("loaded_counts".to_owned(), counts(&labels, &view));
    let facts: Vec<Value> = view.diagnostics.iter().map(own_fact).collect();
    answer.insert("errors".to_owned(), facts.into());
    answer.extend(history(session, &view.snapshot));
    Ok(answer)
}

/// Runs what a user typed: a command of the program's own, a skill by its name, or a message.
fn typed(driver: &mut Driver, input: &str) -> anyhow::Result<Map<String, Value>> {
    let Some(command) = input.strip_prefix('/') else {
        let mut answer = told(driver, input)?;
        answer.insert("injected".to_owned(), json!([]));
        answer.insert("passed_as_text".to_owned(), true.into());
        return Ok(answer);
    };
    if command == "compact" {
        driver.compact()?;
        return Ok(object(json!({"error": null, "injected": [], "passed_as_text": false})));
    }
    let before = told(driver, "")?;
    let (name, arguments) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let mut answer = called(driver, name, Caller::User)?;
    for key in ["catalog", "entries"] {
        answer.extend(before.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    if !arguments.is_empty() {
        answer.remove("injected");
    }
    let refused = matches!(
        answer::text(&Value::Object(answer.clone()), "error"),
        "invocation-not-allowed" | "disabled"
    );
    answer.insert("model_called".to_owned(), (!refused).into());
    Ok(answer)
}

/// Loads a skill by its name.
fn called(driver: &mut Driver, name: &str, caller: Caller) -> anyhow::Result<Map<String, Value>> {
    let session = match &mut driver.session {
        Ok(session) => session,
        Err(error) => return Ok(answer::refused(error)),
    };
    let result = session.load_skill(name, caller)?.result;
    let snapshot = session.view().snapshot;
    let mut answer = history(session, &snapshot);
    let told = if session.state().catalog.is_empty() { "absent" } else { "unchanged" };
    answer.insert("catalog".to_owned(), told.into());
    match result {
        Ok(cleared) => {
            let loaded = cleared.loaded();
            let call_name = loaded.skill().call_name().to_owned();
            let mut row = object(injected(loaded));
            let invoked =
                if caller == Caller::User { &call_name } else { name.trim().trim_start_matches('/') };
            row.insert("name".to_owned(), invoked.into());
            row.insert("text".to_owned(), loaded.body().into());
            let place = loaded.skill().shown_location();
            let directory = place.strip_suffix("/SKILL.md");
            row.insert("locator".to_owned(), directory.unwrap_or(&place).into());
            // What a shell placeholder comes to is not known.
            if !has_commands(loaded.body()) {
                answer.insert("error".to_owned(), Value::Null);
            }
            // A command's text was recorded as nothing, and placeholders are not filled in.
            let rows = directory.map_or_else(Vec::new, |_| vec![Value::Object(row)]);
            let namesakes =
                snapshot.skills().any(|skill| skill.qualified_name.is_some() && skill.name == call_name);
            if !has_placeholders(loaded.body(), loaded.skill()) && !namesakes {
                answer.insert("injected".to_owned(), rows.into());
            }
            // It counts from the next start on.
            let usage = driver.host.usage.get_or_insert_with(Usage::default);
            if usage.get(&call_name).is_none_or(|used| used.last < driver.host.now) {
                usage.record(call_name, Some(SystemTime::now()));
            }
        }
        Err(error) => answer.extend(refusal(&error)),
    }
    Ok(answer)
}

/// Returns whether a body has something that the program would fill in or run.
fn has_placeholders(body: &str, skill: &Skill) -> bool {
    body.contains('$') || has_commands(body) || skill.frontmatter.contains_key("context")
}

fn has_commands(body: &str) -> bool {
    body.contains("!`") || body.contains("```!")
}

fn refusal(error: &ToolError) -> Map<String, Value> {
    let by = |refusal: &Refusal| match refusal.rule.as_str() {
        "override" => json!({"error": "disabled", "stage": "override"}),
        "paths" => json!({"error": "unknown-skill"}),
        "denied" => json!({"error": "denied"}),
        _ => json!({"error": "invocation-not-allowed"}),
    };
    object(match error {
        ToolError::BlankName => json!({"error": null}),
        ToolError::Unknown { similar, .. } => json!({"error": "unknown-skill", "suggested": similar}),
        ToolError::Ambiguous { .. } => json!({"error": "ambiguous-name"}),
        ToolError::Refused { refusal, .. } => by(refusal),
        ToolError::NeedsApproval { .. } => json!({"error": "denied", "stage": "approval"}),
        ToolError::Failed { .. } => json!({"error": "skill-missing"}),
    })
}

/// An entry in the words of the recordings: the label and the hint have keys of their own.
fn shown(entry: &Entry, snapshot: &Snapshot) -> Value {
    let skill = snapshot.get(&entry.skill);
    let label = skill.and_then(|skill| {
        entry.name.strip_prefix(skill.call_name())?.strip_prefix(" (")?.strip_suffix(')').map(str::to_owned)
    });
    let bare = matches!(entry.disposition, Disposition::NameOnly { .. });
    let hint = skill.map(|skill| NamesFirst::hint(skill)).unwrap_or_default();
    let mut row = object(json!({
        "name": skill.map_or(entry.name.as_str(), |skill| skill.call_name()),
        "label": label,
        "description": if bare { Value::Null } else { entry.description.replacen(&hint, "", 1).into() },
    }));
    if let Some(folder) =
        skill.and_then(|skill| skill.provenance.serves.as_ref()).filter(|_| !hint.is_empty())
    {
        let qualified = skill.is_some_and(|skill| skill.qualified_name.is_some());
        row.insert(if qualified { "scoped_to" } else { "from" }.to_owned(), folder.as_str().into());
        row.insert("hint_chars".to_owned(), hint.chars().count().into());
    }
    Value::Object(row)
}

/// The figures of a listing that did not fit.
fn budget(session: &Session, view: &View) -> Value {
    let listed: Vec<_> =
        view.catalog.entries.iter().filter_map(|entry| view.snapshot.get(&entry.skill)).cloned().collect();
    let unlimited = Budget { limit: None, ..view.catalog.budget };
    let request = CatalogRequest { skills: &listed, budget: unlimited, input: None };
    json!({
        "limit": view.catalog.budget.limit,
        "full_chars": session.lifecycle().cataloger().catalog(&request).spent,
        "skills": listed.len(),
    })
}

/// The program's own counts: what was read from each kind of place, and how much of that is there once.
fn counts(labels: &Labels, view: &View) -> Value {
    let mut places: Vec<&str> = Vec::new();
    let (mut unique, mut conditional) = (0, 0);
    for skill in view.snapshot.skills() {
        unique += 1;
        conditional += usize::from(PathCondition::of(skill).is_some());
        places.extend(labels.of(skill));
        places.extend(skill.provenance.aliases.iter().filter_map(|alias| labels.of_path(alias)));
    }
    for diagnostic in view.diagnostics.iter().filter(|diagnostic| diagnostic.code == Code::NameCollision) {
        unique += 1;
        let path = diagnostic.location.as_ref().and_then(|location| location.locator.as_path());
        places.extend(path.and_then(|path| labels.of_path(path)));
    }
    let of = |label: &str| places.iter().filter(|place| **place == label).count();
    json!({
        "unique": unique,
        "conditional": conditional,
        "unconditional": unique - conditional,
        "managed": of("managed"),
        "user": of("personal"),
        "project": of("project"),
        "additional": of("added directory"),
    })
}

fn own_fact(diagnostic: &Diagnostic) -> Value {
    let mut row = object(fact(diagnostic, true));
    let path = diagnostic.location.as_ref().and_then(|location| location.locator.as_path());
    match diagnostic.code {
        Code::ConfigIgnored => {
            let key = diagnostic.message.split('`').nth(1).unwrap_or_default();
            row.insert("kind".to_owned(), "invalid-config".into());
            row.insert("key".to_owned(), key.into());
        }
        Code::SameFile => {
            let name = path.and_then(|path| path.parent()?.file_name()).unwrap_or_default();
            row.insert("message".to_owned(), name.to_string_lossy().into());
            row.insert("reason".to_owned(), "same file".into());
        }
        // The program tries to open the file.
        Code::SymlinkCycle | Code::SymlinkDangling => {
            let path = path.map(|path| path.join("SKILL.md").to_string_lossy().into_owned());
            row.insert("path".to_owned(), path.into());
        }
        _ => {}
    }
    Value::Object(row)
}

/// What of skills stands in the history: listings, and whose bodies.
fn history(session: &Session, snapshot: &Snapshot) -> Map<String, Value> {
    let state = session.state();
    let is_listing =
        |item: &&HistoryItem| matches!(item, HistoryItem::Item { item, .. } if item.kind == kind::CATALOG);
    let mut answer = Map::new();
    answer.insert("listings_in_request".to_owned(), state.history.iter().filter(is_listing).count().into());
    // What is put in again behind a summary is not built.
    if !state.history.iter().any(|item| matches!(item, HistoryItem::Summary { .. })) {
        let names = state.visible_bodies().filter_map(|body| Some(snapshot.get(body.skill)?.call_name()));
        answer.insert("bodies_in_context".to_owned(), names.collect());
    }
    answer
}
