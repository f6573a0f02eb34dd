//! Hermes Agent 0.19.0. The program looks at skills four times, by four sets of rules: the profile is the index in the
//! system prompt, and what its tool `skill_view` loads; [`tool_list`] is what its tool `skills_list` answers; [`commands`]
//! are those that a user types.
//!
//! Not reproduced: one skill that loses the whole index (`platforms: 5`, a condition about tools that is null) loses only
//! itself here. The index is made of what is on the disk, and not of a snapshot that is trusted while sizes and times agree
//! and has forgotten the gates. A link to a folder that it lies in is followed once, and a link that leads nowhere is no
//! skill. Markdown files that lie about are no skills and do not load, nothing in a name is a pattern, and a name in a text
//! of settings (`disabled: one`) is that name alone. Commands in a skill's text (`skills.inline_shell`) are never run; what a
//! skill requires of environment and files is not looked at; bundles and what plugins register by code are not read. Of the
//! program's own commands only those are known that were seen to collide.
//!
//! The program passes line breaks through; the listing then has the same text, and a diagnostic says which entry is not one
//! line. What the program finds out about its machine comes in as settings of the run: `in_container`, `in_s6` and
//! `sys.platform` (by default the system that this was built for); `session_id` is the session's; `available_tools`, `available_toolsets` and
//! `compact_categories` are parameters of the function that makes the index, `category` is the tool's.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use lorimer_activate::WholeText;
use lorimer_authorize::{Admission, AdmitRequest, Authorizer as _, Conditions, Platforms, ToolSets};
use lorimer_catalog::{GroupedIndex, JsonIndex, LineBreaks};
use lorimer_core::text::first_chars;
use lorimer_core::{Budget, Code, Diagnostic, Role, Route, Skill, SourceId};
use lorimer_discover::frontmatter::{BodyLine, Encoding, OtherValues};
use lorimer_discover::{
    EveryPathSource, FsSource, GroupBy, GroupedSource, Place, Reading, ScanRequest, Source, resolve,
};
use lorimer_resolve::ByPlace;
use toml::Value;

use super::Profile;
use super::roots::Surroundings;
use super::roots::hermes::TABLE;
use crate::gather::gather;
use crate::settings::{ConfigError, Layer, Layers};
use crate::{Builder, Host, Lifecycle, Refresh, SnapshotOrder};

pub(super) const PROFILE: Profile = Profile {
    name: "hermes",
    program: "hermes-agent 0.19.0",
    summary: "an index by category, 60 characters of each description, no budget",
    sources: &["agent/skill_utils.py", "agent/prompt_builder.py"],
    compose,
};

/// The tools that do something with skills; a model that has none of them gets no index.
const SKILL_TOOLS: [&str; 3] = ["skills_list", "skill_view", "skill_manage"];
/// What a category may say about itself.
const ABOUT: &str = "DESCRIPTION.md";
/// The category of a skill file in the root.
const IN_ROOT: &str = "general";
/// Characters of a file that the tool's list parses.
const PARSED_CHARS: usize = 4_000;
/// Characters of the body that describe a command.
const SHORT_CHARS: usize = 80;
/// Commands of the program itself that skills were seen to collide with.
const COMMANDS: ByPlace = ByPlace { reserved: &["help", "model", "skills"], most_commands: 5 };
/// Names that a failed load offers.
const MOST_NAMES: usize = 20;
/// Categories that the mode `focus` shows by names alone.
const OUT_OF_FOCUS: [&str; 18] = [
    "apple",
    "communication",
    "cooking",
    "creative",
    "email",
    "finance",
    "gaming",
    "gifs",
    "health",
    "media",
    "music",
    "note-taking",
    "productivity",
    "shopping",
    "smart-home",
    "social-media",
    "travel",
    "yuanbao",
];

#[expect(clippy::unnecessary_wraps, reason = "the signature of every profile")]
fn compose(host: &Host) -> Result<Builder, ConfigError> {
    let config = Config::read(host);
    let by = GroupBy::Folders { in_root: IN_ROOT };
    let source = config.source(host, (TABLE.reading)(), by);
    let index = GroupedIndex {
        names_only: config.names_only(),
        line_breaks: LineBreaks::PassThrough,
        ..GroupedIndex::default()
    };
    let tools = config.tools(host);
    let mut conditions = config.conditions();
    conditions.disabled_folders = true;
    if tools.as_ref().is_some_and(|tools| tools.toolsets.contains("kanban")) {
        conditions.environments.insert("kanban".to_owned(), true);
    }
    conditions.tools = tools;
    let listing = match &host.tools {
        Some(tools) => tools.iter().any(|tool| SKILL_TOOLS.contains(&tool.as_str())),
        None => true,
    };
    let mut builder = config.builder(source).cataloger(index).authorizer(conditions);
    builder = builder.options(|options| options.listing = listing);
    Ok(builder)
}

/// Returns the parts behind the tool `skills_list`, whose listing is one JSON object. It reads 4,000 characters of a file,
/// takes the first line of the body for a missing description, and leaves out what is no text where text belongs.
#[must_use]
pub fn tool_list(host: &Host) -> Builder {
    let config = Config::read(host);
    let reading = Reading { parsed_chars: Some(PARSED_CHARS), ..strings_only() };
    let source = config.source(host, reading, GroupBy::FirstFolder);
    let only = config.value("category").and_then(Value::as_str).map(str::to_owned);
    let index = JsonIndex { only, ..JsonIndex::default() };
    config.builder(source).cataloger(index).authorizer(config.conditions())
}

/// One command by which a user calls a skill.
#[derive(Clone, Debug, PartialEq)]
pub struct SlashCommand {
    /// What is typed, with its slash.
    pub command: String,
    /// The skill's name.
    pub name: String,
    /// What is said about it: what the file says, of whatever type, or else the beginning of the body; null where there is
    /// neither.
    pub description: serde_json::Value,
    /// The skill's file, by the path by which it was found.
    pub path: PathBuf,
}

/// Returns the commands for skills, as they are now, in the order of discovery.
pub fn commands(host: &Host) -> Vec<SlashCommand> {
    let config = Config::read(host);
    let reading = Reading { other_values: OtherValues::PythonNames, ..strings_only() };
    let source: Arc<dyn Source> = Arc::new(config.source(host, reading, GroupBy::FirstFolder));
    let gathered = gather(&[source], SnapshotOrder::AsFound, &ScanRequest::default());
    let conditions = config.conditions();
    let is_refused = |skill: &Skill| {
        let request = AdmitRequest { skill, route: Route::Command, approved: &[] };
        conditions.admit(&request) != Admission::Admitted
    };
    let found = COMMANDS.commands(&gathered.snapshot, is_refused).into_iter();
    found
        .map(|command| SlashCommand {
            command: format!("/{}", command.slug),
            name: command.skill.name.clone(),
            description: short_description(command.skill),
            path: PathBuf::from(command.skill.shown_location()),
        })
        .collect()
}

fn short_description(skill: &Skill) -> serde_json::Value {
    use serde_json::Value as Json;
    match skill.frontmatter.get("description") {
        _ if skill.description.is_empty() => Json::Null,
        // What Python takes for nothing is no description, so the text is from the body.
        None | Some(Json::Null | Json::Bool(false)) => {
            Json::from(first_chars(&skill.description, SHORT_CHARS))
        }
        Some(Json::String(text)) if text.is_empty() => {
            Json::from(first_chars(&skill.description, SHORT_CHARS))
        }
        Some(written) => written.clone(),
    }
}

/// Returns how everything besides the index reads a file.
fn strings_only() -> Reading {
    Reading {
        encoding: Encoding::WholeFile,
        other_values: OtherValues::PythonStrings,
        description_from_body: BodyLine::FirstBesidesHeadings,
        keep_blank_text: true,
        ..(TABLE.reading)()
    }
}

/// What the program reads from its settings, and what it is told.
struct Config {
    place: Place,
    layers: Layers,
    diagnostics: Vec<Diagnostic>,
}

impl Config {
    fn read(host: &Host) -> Self {
        let place = Surroundings::place(&TABLE, host);
        let mut config = Self { place, layers: Layers::default(), diagnostics: Vec::new() };
        if let Some(home) = config.home() {
            let path = home.join("config.yaml");
            match Layer::read(&path) {
                Ok(layer) => config.layers.0.extend(layer),
                // The program goes on without it.
                Err(error) => {
                    config.diagnostics.push(ignored(error.to_string()).at(path, None));
                }
            }
        }
        config.layers.0.push(Layer { origin: None, settings: host.settings.clone() });
        config
    }

    /// Returns the program's own folder.
    fn home(&self) -> Option<PathBuf> {
        let own = || self.place.home.as_ref().map(|home| home.join(".hermes"));
        self.place.moved("HERMES_HOME").or_else(own)
    }

    fn builder(&self, source: impl Source + 'static) -> Builder {
        let diagnostics = self.diagnostics.iter().cloned().chain(self.unusable());
        let diagnostics = diagnostics.collect();
        Lifecycle::builder().source(source).resolver(COMMANDS).activator(self.activator()).options(
            |options| {
                options.order = SnapshotOrder::AsFound;
                options.refresh = Refresh::OnReload;
                options.budget = Budget::UNBOUNDED;
                options.listing_role = Role::System;
                options.most_names = Some(MOST_NAMES);
                options.diagnostics = diagnostics;
            },
        )
    }

    /// Returns what hands a skill over: places in the text are filled in unless the settings say no.
    fn activator(&self) -> WholeText {
        if self.value("skills.template_vars").and_then(Value::as_bool) == Some(false) {
            return WholeText::default();
        }
        let session = self.value("session_id").and_then(Value::as_str);
        let values = session.map(|id| ("HERMES_SESSION_ID".to_owned(), id.to_owned())).into_iter().collect();
        WholeText { folder: Some("HERMES_SKILL_DIR"), values }
    }

    fn source(&self, host: &Host, reading: Reading, by: GroupBy) -> impl Source + use<> {
        let walk = TABLE.roots.first().map(|root| (root.walk)()).unwrap_or_default();
        let around = Surroundings::with(self.place.clone(), self.layers.clone(), host);
        let rules = super::roots_or(host, &walk, || super::rules_of(&TABLE, &around));
        let roots = resolve(&self.place, &rules).into_iter().map(|root| root.path).collect();
        let files = FsSource::new(SourceId::new("host"), self.place.clone(), rules, reading);
        let files = super::cached(files.with_openai_yaml(false), host);
        GroupedSource::new(EveryPathSource::new(files), by).described_in(ABOUT, (TABLE.reading)(), roots)
    }

    /// Returns what decides about skills, whoever asks.
    fn conditions(&self) -> Conditions {
        let words = [("macos", "darwin"), ("windows", "win32")];
        let termux = self.place.variable("TERMUX_VERSION").is_some()
            || self.place.variable("PREFIX").is_some_and(|prefix| prefix.contains("com.termux/files/usr"));
        let also = if termux { &["linux", "termux", "android"][..] } else { &[] };
        let kanban = ["HERMES_KANBAN_TASK", "HERMES_KANBAN_BOARD"];
        let kanban = kanban.into_iter().any(|name| self.place.variable(name).is_some());
        let environments =
            [("kanban", kanban), ("docker", self.is_on("in_container")), ("s6", self.is_on("in_s6"))];
        Conditions {
            disabled: self.disabled().iter().map(|name| name.trim().to_owned()).collect(),
            // Names for a tool's call are compared as they are written.
            disabled_for_tools: Some(self.disabled().into_iter().collect()),
            platforms: Platforms {
                system: self.system(),
                words: words.map(|(word, name)| (word.to_owned(), name.to_owned())).into(),
                also: owned(also),
            },
            environments: environments.map(|(name, active)| (name.to_owned(), active)).into(),
            ..Conditions::default()
        }
    }

    /// Returns the system's name, as Python has it.
    fn system(&self) -> String {
        let told = self.value("sys.platform").and_then(Value::as_str);
        told.unwrap_or(match std::env::consts::OS {
            "macos" => "darwin",
            "windows" => "win32",
            other => other,
        })
        .to_owned()
    }

    /// Returns the names that are switched off, everywhere or on the platform for messages that the session runs on.
    fn disabled(&self) -> Vec<String> {
        let mut names = texts(self.value("skills.disabled")).unwrap_or_default();
        let platform = self.place.variable("HERMES_PLATFORM");
        let platform = platform.or_else(|| self.place.variable("HERMES_SESSION_PLATFORM"));
        if let Some(platform) = platform {
            let of_platform = self.value("skills.platform_disabled").and_then(|table| table.get(platform));
            names.extend(texts(of_platform).unwrap_or_default());
        }
        names.retain(|name| !name.trim().is_empty());
        names
    }

    fn names_only(&self) -> BTreeSet<String> {
        if let Some(told) = texts(self.value("compact_categories")) {
            return told.into_iter().collect();
        }
        let focus = self.value("agent.coding_context").and_then(Value::as_str) == Some("focus");
        if focus { owned(&OUT_OF_FOCUS) } else { BTreeSet::new() }
    }

    /// Returns the tools that the session has; `None` where nobody said so.
    fn tools(&self, host: &Host) -> Option<ToolSets> {
        let tools = texts(self.value("available_tools")).or_else(|| host.tools.clone());
        let toolsets = texts(self.value("available_toolsets"));
        (tools.is_some() || toolsets.is_some()).then(|| ToolSets {
            tools: tools.into_iter().flatten().collect(),
            toolsets: toolsets.into_iter().flatten().collect(),
        })
    }

    fn value(&self, key: &str) -> Option<&Value> {
        self.layers.get(key).map(|(_, value)| value)
    }

    fn is_on(&self, key: &str) -> bool {
        self.value(key).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Returns what is said about settings that are no list and no text.
    fn unusable(&self) -> Vec<Diagnostic> {
        let lists = ["skills.disabled", "skills.external_dirs", "compact_categories", "available_tools"];
        let odd = lists.into_iter().chain(["available_toolsets"]).filter_map(|key| {
            let (layer, value) = self.layers.get(key)?;
            let odd = texts(Some(value)).is_none();
            let diagnostic = || ignored(format!("`{key}` is neither a list nor a text, so it is not used"));
            odd.then(|| match &layer.origin {
                Some(path) => diagnostic().at(path.clone(), None),
                None => diagnostic(),
            })
        });
        odd.collect()
    }
}

fn ignored(message: String) -> Diagnostic {
    Diagnostic::new(Code::ConfigIgnored, message)
}

fn owned(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns the texts of a list, or a text by itself; `None` where there is neither.
fn texts(value: Option<&Value>) -> Option<Vec<String>> {
    match value? {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(items) => {
            let text = |item: &Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            Some(items.iter().map(text).collect())
        }
        _ => None,
    }
}
