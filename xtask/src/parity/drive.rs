//! Runs the steps of a case through our library and says what came of them in the words of the recordings.
//!
//! This is the only file that knows both sides.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use lorimer::catalog::{Catalog, Disposition};
use lorimer::core::{Dependency, Diagnostic, Digest, Scope, Skill, Unit};
use lorimer::persist::MemoryJournal;
use lorimer::profiles::{self, Profile};
use lorimer::{ConfigError, Host, Loaded, Outcome, Session, Settings, Told, Turn, TurnInput, View};
use serde_json::{Map, Value, json};

use super::case::Options;
use super::layout::Layout;
use crate::cases::kinds;

/// Returns whether there is a profile for the harness.
pub(crate) fn knows(harness: &str) -> bool {
    profiles::by_name(harness).is_some()
}

/// A conversation under one profile, over restarts.
#[derive(Debug)]
pub(crate) struct Driver {
    profile: Profile,
    host: Host,
    journal: Arc<MemoryJournal>,
    /// `Err` when the profile refuses its settings, as the harness does.
    session: Result<Session, ConfigError>,
    /// Whether the model was ever told a listing.
    told: bool,
}

impl Driver {
    /// Starts the conversation.
    pub(crate) fn start(harness: &str, options: &Options, layout: &Layout) -> anyhow::Result<Self> {
        let profile = profiles::by_name(harness).with_context(|| format!("no profile `{harness}`"))?;
        let cwd = options.cwd.as_deref().context("the session has no working directory")?;
        let mut host = Host::new(layout.place(cwd));
        host.home = options.home.as_deref().map(|home| layout.place(home));
        host.system_root = options.system_root.as_deref().map(|root| layout.place(root));
        host.window = options.window;
        host.max_window = options.max_window;
        let mut settings = Settings::default();
        for (key, value) in &layout.substitute_map(&options.config) {
            settings.set(key, toml_of(value).with_context(|| format!("`{key}` cannot be TOML"))?)?;
        }
        host.settings = settings;
        let journal = Arc::new(MemoryJournal::default());
        let session = open(&profile, &host, &journal)?;
        Ok(Self { profile, host, journal, session, told: false })
    }

    /// The program noticed that something changed.
    pub(crate) fn reload(&mut self) {
        if let Ok(session) = &mut self.session {
            session.reload();
        }
    }

    /// The history becomes a summary; what the summary says is never compared.
    pub(crate) fn compact(&mut self) -> anyhow::Result<()> {
        if let Ok(session) = &mut self.session {
            session.compact("summary")?;
        }
        Ok(())
    }

    /// A new process goes on with the conversation.
    pub(crate) fn resume(&mut self) -> anyhow::Result<()> {
        self.session = open(&self.profile, &self.host, &self.journal)?;
        Ok(())
    }

    /// Returns the listing as a model would get it now, and everything that was found.
    pub(crate) fn list(&mut self) -> Map<String, Value> {
        match &mut self.session {
            Ok(session) => listing(self.profile.name, &session.view()),
            Err(error) => refused(error),
        }
    }

    /// Runs a turn.
    pub(crate) fn turn(&mut self, input: &TurnInput) -> anyhow::Result<Map<String, Value>> {
        let session = match &mut self.session {
            Ok(session) => session,
            Err(error) => return Ok(refused(error)),
        };
        let turn = session.begin(input)?;
        let mut answer = turned(&turn, self.told);
        answer.insert("bodies_in_context".to_owned(), json!(session.state().visible_bodies().count()));
        self.told |= matches!(turn.told, Told::Sent | Told::Updated | Told::NoneLeft | Told::Unchanged);
        Ok(answer)
    }
}

/// Reads what a turn is given: a text or several, and the selections of a user interface.
pub(crate) fn turn_input(given: &Map<String, Value>) -> TurnInput {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut input = TurnInput::default();
    match given.get("input") {
        Some(Value::Array(texts)) => {
            for item in texts {
                input = input.and_text(text(item));
            }
        }
        Some(one) => input = input.and_text(text(one)),
        None => {}
    }
    let selected = given.get("select").and_then(Value::as_array);
    for item in selected.into_iter().flatten() {
        let part = |key: &str| item.get(key).map(text).unwrap_or_default();
        input = input.select(part("name"), part("path"));
    }
    input
}

fn open(
    profile: &Profile,
    host: &Host,
    journal: &Arc<MemoryJournal>,
) -> anyhow::Result<Result<Session, ConfigError>> {
    match profile.builder(host) {
        Ok(builder) => Ok(Ok(builder.journal(Arc::clone(journal)).build().session("parity")?)),
        Err(error) => Ok(Err(error)),
    }
}

fn refused(error: &ConfigError) -> Map<String, Value> {
    object(json!({"error": "invalid-config", "key": error.key, "message": error.to_string()}))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn listing(harness: &str, view: &View) -> Map<String, Value> {
    let said = view.listing && view.catalog.sections.iter().any(|section| section.text.is_some());
    let nothing = || Value::Array(Vec::new());
    let disabled: HashSet<_> = view
        .hidden
        .iter()
        .filter(|(_, refusal)| refusal.rule == "disabled")
        .map(|(skill, _)| &skill.id)
        .collect();
    let loaded: Vec<Value> =
        view.snapshot.skills().map(|skill| loaded(harness, skill, !disabled.contains(&skill.id))).collect();
    let found = view.diagnostics.iter().chain(&view.catalog.notices);
    let facts: Vec<Value> = found.map(|diagnostic| fact(diagnostic, !view.snapshot.is_empty())).collect();
    object(json!({
        "error": null,
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

fn turned(turn: &Turn, told_before: bool) -> Map<String, Value> {
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

fn entries(catalog: &Catalog) -> Value {
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
fn budget(catalog: &Catalog, whole: impl Fn(&lorimer::core::SkillId) -> usize) -> Value {
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
            Unit::Chars => "characters",
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

fn loaded(harness: &str, skill: &Skill, enabled: bool) -> Value {
    let mut row = object(json!({
        "name": skill.call_name(),
        "description": skill.description,
        "path": skill.id.locator.shown(),
        "scope": scope(harness, &skill.scope),
        "enabled": enabled,
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

/// The harness's own word for a scope.
fn scope(harness: &str, scope: &Scope) -> &'static str {
    match (harness, scope) {
        ("codex", Scope::Project { .. }) => "repo",
        (_, scope) => scope.kind(),
    }
}

/// What the model gets of a skill: name and locator as the wrapper shows them, and the text inside it.
fn injected(loaded: &Loaded) -> Value {
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

fn fact(diagnostic: &Diagnostic, skills_load: bool) -> Value {
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

fn toml_of(value: &Value) -> anyhow::Result<toml::Value> {
    Ok(toml::Value::try_from(value)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_message_are_found() {
        assert_eq!(numbers("47 of 100 skills (limit 640)"), [47, 100, 640]);
        assert_eq!(numbers("none"), [0_u64; 0]);
    }

    #[test]
    fn inputs_are_one_text_or_several_and_selections() {
        let given = object(json!({"input": ["a", "b"], "select": [{"name": "n", "path": "/p"}]}));
        let input = turn_input(&given);
        assert_eq!(input.texts, ["a", "b"]);
        let first = input.structured.first().unwrap();
        assert_eq!((first.name.as_str(), first.locator.as_str()), ("n", "/p"));
        assert_eq!(turn_input(&object(json!({"input": "a"}))).texts, ["a"]);
    }

    #[test]
    fn settings_keep_their_types() {
        let value = json!([{"name": "a", "enabled": false, "n": 3}]);
        let toml = toml_of(&value).unwrap();
        assert_eq!(toml[0]["enabled"].as_bool(), Some(false));
        assert_eq!(toml[0]["n"].as_integer(), Some(3));
    }
}
