//! The recordings of Hermes.

use anyhow::Context as _;
use lorimer::core::{Digest, Skill};
use lorimer::profiles::{self, hermes};
use lorimer::{Caller, Host, ToolError, Turn, View};
use serde_json::{Map, Value, json};

use super::Dialect;
use crate::parity::answer::{object, text};
use crate::parity::case::{FileSpec, Step};
use crate::parity::drive::{Driver, turn_input};
use crate::parity::layout::Layout;

/// Characters of a text that are recorded.
const HEAD_CHARS: usize = 200;

pub(super) struct Hermes;

impl Dialect for Hermes {
    /// Entries have a category, and the answer of the tool is read from its text.
    fn listed(&self, view: &View, answer: &mut Map<String, Value>) {
        let shown = view.text();
        if let Ok(mut told) = serde_json::from_str::<Map<String, Value>>(&shown) {
            answer.insert("entries".to_owned(), told.remove("skills").unwrap_or_default());
            return;
        }
        let entry = |entry: &lorimer::catalog::Entry| json!({"name": entry.name, "description": entry.description, "category": entry.group});
        let entries: Value = view.catalog.shown().filter(|_| view.listing).map(entry).collect();
        answer.insert("entries".to_owned(), entries);
        answer.insert("categories".to_owned(), categories(view, &shown));
        if let Some((_, rest)) = shown.split_once("<available_skills>\n")
            && let Some((listing, _)) = rest.rsplit_once("\n</available_skills>")
        {
            answer.insert("listing".to_owned(), Value::from(listing));
        }
    }

    /// The program shows a skill's folder, by the path by which it was found.
    fn turned(&self, turn: &Turn, answer: &mut Map<String, Value>) {
        let Some(Value::Array(injected)) = answer.get_mut("injected") else { return };
        for row in injected {
            let path = text(row, "locator").to_owned();
            let skill = turn.snapshot.skills().find(|skill| skill.id.locator.shown() == path);
            if let (Some(skill), Some(row)) = (skill, row.as_object_mut()) {
                row.insert("locator".to_owned(), Value::from(folder_of(skill)));
            }
        }
    }

    fn operation(&self, step: &Step) -> Option<&'static [&'static str]> {
        match step.op.as_str() {
            "list" => Some(&["surface", "config"]),
            "restart" if step.given.contains_key("env") => Some(&["env"]),
            "write" if step.given.contains_key("keep_mtime") => Some(&["files", "keep_mtime"]),
            "touch" => Some(&["paths"]),
            "load" => Some(&["name", "session_id"]),
            "turn" if !step.given.contains_key("bundles") => Some(&["input"]),
            "preload" => Some(&["names"]),
            "commands" if !step.given.contains_key("cached") => Some(&[]),
            _ => None,
        }
    }

    fn step(&self, driver: &mut Driver, step: &Step, layout: &Layout) -> anyhow::Result<Map<String, Value>> {
        match step.op.as_str() {
            "list" => list(driver, step),
            "load" => load(driver, step, layout),
            "turn" => turn(driver, step, layout),
            "commands" => Ok(commands(driver)),
            "preload" => preload(driver, step, layout),
            "restart" => {
                for (name, value) in step.given.get("env").and_then(Value::as_object).into_iter().flatten() {
                    let value = layout.substitute(value.as_str().unwrap_or_default());
                    driver.host.variables.insert(name.clone(), value);
                }
                driver.restart()?;
                Ok(Map::new())
            }
            "write" => {
                let files: Vec<FileSpec> =
                    serde_json::from_value(step.given.get("files").cloned().unwrap_or_default())?;
                let times: Vec<_> = files
                    .iter()
                    .map(|file| std::fs::metadata(layout.place(&file.path)).and_then(|file| file.modified()))
                    .collect();
                layout.write(&files)?;
                for (file, time) in files.iter().zip(times) {
                    std::fs::File::open(layout.place(&file.path))?.set_modified(time?)?;
                }
                Ok(Map::new())
            }
            _ => {
                let paths: Vec<String> =
                    serde_json::from_value(step.given.get("paths").cloned().unwrap_or_default())?;
                for path in paths {
                    let file = std::fs::File::open(layout.place(&path))?;
                    file.set_modified(std::time::SystemTime::now())?;
                }
                Ok(Map::new())
            }
        }
    }
}

fn list(driver: &mut Driver, step: &Step) -> anyhow::Result<Map<String, Value>> {
    let parameters = step.given.get("config").and_then(Value::as_object);
    let is_tool = text(&Value::Object(step.given.clone()), "surface") == "tool";
    if !is_tool && parameters.is_none() {
        driver.look_once();
        return Ok(driver.list());
    }
    let mut host = Host::clone(&driver.host);
    for (key, value) in parameters.into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        host.settings.set(key, toml::Value::try_from(value)?)?;
    }
    let builder = match profiles::by_name("hermes").filter(|_| !is_tool) {
        Some(profile) => profile.builder(&host),
        None => Ok(hermes::tool_list(&host)),
    };
    driver.list_with(builder)
}

fn folder_of(skill: &Skill) -> String {
    let location = skill.shown_location();
    location.rsplit_once('/').map(|(folder, _)| folder.to_owned()).unwrap_or_default()
}

/// A text is hashed as it was recorded: with a word in the place of the scratch folder.
fn hashed(body: &str, layout: &Layout) -> Map<String, Value> {
    let concealed = layout.conceal(body);
    object(json!({"bytes": concealed.len(), "sha256": Digest::of(concealed.as_bytes()).hex()}))
}

fn turn(driver: &mut Driver, step: &Step, layout: &Layout) -> anyhow::Result<Map<String, Value>> {
    let mut answer = driver.turn(&turn_input(&layout.substitute_map(&step.given)))?;
    if let Some(Value::Array(injected)) = answer.get_mut("injected") {
        for row in injected.iter_mut().filter_map(Value::as_object_mut) {
            let body = row.get("body").and_then(Value::as_str).unwrap_or_default().to_owned();
            row.extend(hashed(&body, layout));
        }
    }
    Ok(answer)
}

fn load(driver: &mut Driver, step: &Step, layout: &Layout) -> anyhow::Result<Map<String, Value>> {
    let given = Value::Object(step.given.clone());
    let mut host = Host::clone(&driver.host);
    if let Some(id) = step.given.get("session_id").and_then(Value::as_str) {
        host.settings.set("session_id", toml::Value::from(id))?;
    }
    // A load reads the disk anew, whatever the index was made of.
    let profile = profiles::by_name("hermes").context("the profile is there")?;
    let mut session = profile.lifecycle(&host)?.session("parity")?;
    let answer = session.load_skill(text(&given, "name"), Caller::Model)?;
    Ok(object(match &answer.result {
        Ok(cleared) => {
            let loaded = cleared.loaded();
            let (skill, body) = (loaded.skill(), loaded.body());
            let location = skill.shown_location();
            let below = location.strip_prefix(&skill.root.path).unwrap_or(&location).trim_start_matches('/');
            json!({
                "error": null,
                "name": skill.frontmatter.get("name").cloned().unwrap_or_else(|| skill.name.clone().into()),
                "description": skill.frontmatter.get("description").cloned().unwrap_or_else(|| "".into()),
                "text_bytes": hashed(body, layout).get("bytes"),
                "text_sha256": hashed(body, layout).get("sha256"),
                "head": layout.substitute(&layout.conceal(body).chars().take(HEAD_CHARS).collect::<String>()),
                "path": below,
                "base_dir": folder_of(skill),
            })
        }
        Err(error) => match error {
            ToolError::Unknown { .. } | ToolError::BlankName => json!({"error": "unknown-skill"}),
            ToolError::Ambiguous { locations, .. } => {
                // What is called otherwise is told by its name here, and by its place in the recordings.
                let snapshot = session.view().snapshot;
                let place = |told: &String| match snapshot.named(told).next() {
                    Some(skill) => skill.shown_location(),
                    None => told.clone(),
                };
                let mut matches: Vec<String> = locations.iter().map(place).collect();
                matches.sort();
                json!({"error": "ambiguous-name", "matches": matches})
            }
            ToolError::Refused { refusal, .. } => json!({"error": match refusal.rule.as_str() {
                "platform" => "not-in-scope",
                rule => rule,
            }}),
            ToolError::NeedsApproval { .. } => json!({"error": "needs-approval"}),
            ToolError::Failed { reason, .. } if reason.contains("UTF-8") => {
                json!({"error": "invalid-encoding"})
            }
            ToolError::Failed { reason, .. } => json!({"error": reason}),
        },
    }))
}

/// What is loaded at the start of a session, as a user would call for it.
fn preload(driver: &mut Driver, step: &Step, layout: &Layout) -> anyhow::Result<Map<String, Value>> {
    let session = driver.session.as_mut().map_err(|error| anyhow::anyhow!("{error}"))?;
    let names: Vec<String> = serde_json::from_value(step.given.get("names").cloned().unwrap_or_default())?;
    let (mut loaded, mut missing) = (Vec::new(), Vec::new());
    for name in names {
        match session.load_skill(&name, Caller::User)?.result {
            Err(_) => missing.push(Value::from(name)),
            Ok(cleared) => {
                let (skill, body) = (cleared.loaded().skill(), cleared.loaded().body());
                let mut row = object(json!({
                    "name": skill.call_name(),
                    "locator": folder_of(skill),
                    "role": cleared.loaded().item().role.as_str(),
                    "body": body,
                }));
                row.extend(hashed(body, layout));
                loaded.push(Value::Object(row));
            }
        }
    }
    Ok(object(json!({"injected": loaded, "missing": missing})))
}

fn commands(driver: &Driver) -> Map<String, Value> {
    let rows = hermes::commands(&driver.host).into_iter().map(|command| {
        let mut row = object(json!({"command": command.command, "name": command.name, "path": command.path}));
        if !command.description.is_null() {
            row.insert("description".to_owned(), command.description);
        }
        Value::Object(row)
    });
    object(json!({"commands": rows.collect::<Vec<_>>()}))
}

/// The headings in their order, with what they say.
fn categories(view: &View, shown: &str) -> Value {
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    for entry in view.catalog.shown() {
        let name = entry.group.clone().unwrap_or_default();
        if rows.last().is_some_and(|row| row.get("name") == Some(&Value::from(name.as_str()))) {
            continue;
        }
        let skill = view.snapshot.get(&entry.skill);
        let said = skill.and_then(|skill| Some(skill.group.as_ref()?.description.trim().to_owned()));
        let mut row = Map::new();
        if shown.contains(&format!("\n  {name} [names only]: ")) {
            row.insert("names_only".to_owned(), Value::Bool(true));
        } else if let Some(said) = said.filter(|said| !said.is_empty()) {
            row.insert("description".to_owned(), Value::from(said));
        }
        row.insert("name".to_owned(), Value::from(name));
        rows.push(row);
    }
    Value::Array(rows.into_iter().map(Value::Object).collect())
}
