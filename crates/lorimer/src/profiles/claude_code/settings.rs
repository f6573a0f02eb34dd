//! What Claude Code reads from its settings, and what it has kept about usage.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lorimer_authorize::{CallRule, Visibility};
use lorimer_catalog::{Usage, Used};
use lorimer_core::{Code, Diagnostic};
use lorimer_discover::Place;
use toml::Value;

use super::TOOL;
use crate::settings::{Layer, Layers};
use crate::{Host, Settings};

const FRACTION: &str = "skillListingBudgetFraction";
const MOST_UNITS: &str = "skillListingMaxDescChars";
const OVERRIDES: &str = "skillOverrides";
const PERMISSIONS: &str = "permissions";
/// Moves the user's own folder.
const CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// Bytes of the file with the usage that are read at most: it keeps much else.
const MOST_USAGE_BYTES: u64 = 64 << 20;

/// What counts.
pub(super) struct Config {
    pub(super) layers: Layers,
    pub(super) overrides: HashMap<String, Visibility>,
    pub(super) deny: Vec<CallRule>,
    pub(super) ask: Vec<CallRule>,
    pub(super) allow: Vec<CallRule>,
    pub(super) most_units: usize,
    pub(super) fraction: f64,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Config {
    /// Reads the settings of the user, the project, this run and the machine, later ones first in rank. Of a place with a
    /// value that cannot be used nothing counts (observed cases 044, 056, 123, 284), but for the switches of the command
    /// line, which are no settings.
    pub(super) fn read(host: &Host, place: &Place) -> Self {
        let mut diagnostics = Vec::new();
        let mut layers = Layers::default();
        let (flags, given) = split(&host.settings);
        let sources = Layers(vec![Layer { origin: None, settings: flags.clone() }]);
        let mut read = |origin: PathBuf| match Layer::read(&origin) {
            Ok(layer) => layer.filter(|layer| is_usable(layer, &mut diagnostics)),
            Err(error) => {
                diagnostics.push(Diagnostic::new(Code::ConfigIgnored, error.to_string()).at(origin, None));
                None
            }
        };
        let mut files = Vec::new();
        if names(&sources, "user") {
            files.extend(user_folder(host, place).map(|folder| folder.join("settings.json")));
        }
        if names(&sources, "project") {
            files.push(host.cwd.join(".claude/settings.json"));
        }
        if names(&sources, "local") {
            files.push(host.cwd.join(".claude/settings.local.json"));
        }
        for file in files {
            layers.0.extend(read(file));
        }
        let managed = place.system_root.as_ref().map(|root| root.join("claude-code/managed-settings.json"));
        let managed = managed.and_then(&mut read);
        layers.0.extend(
            Some(Layer { origin: None, settings: given }).filter(|layer| is_usable(layer, &mut diagnostics)),
        );
        layers.0.push(Layer { origin: None, settings: flags });
        layers.0.extend(managed);

        let rules = |kind: &str, words: [&str; 2]| {
            let key = format!("{PERMISSIONS}.{kind}");
            let lists = layers.0.iter().filter_map(|layer| layer.settings.get(&key)).flat_map(texts);
            let flags =
                words.into_iter().filter_map(|word| layers.get(word)).flat_map(|(_, value)| texts(value));
            let flags = flags.flat_map(|text| text.split(','));
            lists.chain(flags).filter_map(|rule| CallRule::parse(TOOL, rule)).collect()
        };
        Self {
            overrides: overrides(&layers),
            deny: rules("deny", ["--disallowedTools", "--disallowed-tools"]),
            ask: rules("ask", ["", ""]),
            allow: rules("allow", ["--allowedTools", "--allowed-tools"]),
            most_units: layers.get(MOST_UNITS).and_then(|(_, value)| count(value)).unwrap_or(1_536),
            fraction: layers.get(FRACTION).and_then(|(_, value)| number(value)).unwrap_or(0.01),
            layers,
            diagnostics,
        }
    }
}

/// Returns whether a switch of the command line is on.
pub(super) fn is_on(layers: &Layers, flag: &str) -> bool {
    layers.get(flag).is_some_and(|(_, value)| *value == Value::Boolean(true))
}

/// Takes the switches of the command line out of the settings of this run.
fn split(settings: &Settings) -> (Settings, Settings) {
    let (mut flags, mut given) = (Settings::default(), Settings::default());
    for (key, value) in settings.entries() {
        let part = if key.starts_with("--") { &mut flags } else { &mut given };
        part.insert(key, value.clone());
    }
    (flags, given)
}

/// Returns whether settings of this source count, as far as the command line says.
fn names(flags: &Layers, source: &str) -> bool {
    flags.get("--setting-sources").is_none_or(|(_, value)| {
        texts(value).flat_map(|words| words.split(',')).any(|word| word.trim() == source)
    })
}

fn user_folder(host: &Host, place: &Place) -> Option<PathBuf> {
    place.moved(CONFIG_DIR).or_else(|| host.home.as_ref().map(|home| home.join(".claude")))
}

/// Returns whether all values of a layer can be used, and says so where not.
fn is_usable(layer: &Layer, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let get = |key: &str| layer.settings.get(key);
    let problem = if get(FRACTION).is_some_and(|value| number(value).is_none()) {
        Some((FRACTION, "is no number above 0 and up to 1"))
    } else if get(MOST_UNITS).is_some_and(|value| count(value).is_none()) {
        Some((MOST_UNITS, "is no whole number above 0"))
    } else if get(OVERRIDES).is_some_and(|value| {
        value.as_table().is_none_or(|table| table.values().any(|value| visibility(value).is_none()))
    }) {
        Some((OVERRIDES, "is no table of `on`, `name-only`, `user-invocable-only` and `off`"))
    } else if get(PERMISSIONS).is_some_and(|value| !are_permissions(value)) {
        Some((PERMISSIONS, "is no table with lists of rules"))
    } else {
        None
    };
    let Some((key, problem)) = problem else { return true };
    let message = format!("`{key}` {problem}, so no setting of this place counts");
    let diagnostic = Diagnostic::new(Code::ConfigIgnored, message);
    diagnostics.push(match &layer.origin {
        Some(origin) => diagnostic.at(origin.clone(), None),
        None => diagnostic,
    });
    false
}

fn are_permissions(value: &Value) -> bool {
    let lists = |table: &toml::Table| {
        ["deny", "ask", "allow"]
            .iter()
            .filter_map(|kind| table.get(*kind))
            .all(|list| list.as_array().is_some_and(|rules| rules.iter().all(|rule| rule.as_str().is_some())))
    };
    value.as_table().is_some_and(lists)
}

/// Returns a share of the window: above 0 and up to 1.
fn number(value: &Value) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "only 1 is a share")]
    let number = value.as_float().or_else(|| Some(value.as_integer()? as f64))?;
    (number > 0.0 && number <= 1.0).then_some(number)
}

/// Returns a whole number above zero, however it is written.
fn count(value: &Value) -> Option<usize> {
    let whole = value.as_integer().or_else(|| {
        let number = value.as_float().filter(|number| number.fract() == 0.0 && number.abs() < 1e15)?;
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
        let whole = number as i64;
        Some(whole)
    });
    whole.and_then(|number| usize::try_from(number).ok()).filter(|number| *number > 0)
}

fn visibility(value: &Value) -> Option<Visibility> {
    Some(match value.as_str()? {
        "on" => Visibility::On,
        "name-only" => Visibility::NameOnly,
        "user-invocable-only" => Visibility::UserOnly,
        "off" => Visibility::Off,
        _ => return None,
    })
}

/// Puts the overrides of all layers together, skill by skill.
fn overrides(layers: &Layers) -> HashMap<String, Visibility> {
    let tables = layers.0.iter().filter_map(|layer| layer.settings.get(OVERRIDES)?.as_table());
    let rows = tables.flatten().filter_map(|(name, value)| Some((name.clone(), visibility(value)?)));
    rows.collect()
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let one = value.as_str().into_iter();
    one.chain(value.as_array().into_iter().flatten().filter_map(Value::as_str))
}

/// Returns the usage that the program has kept: `skillUsage` of `.claude.json`. What cannot be read counts as none.
pub(super) fn usage(host: &Host, place: &Place) -> Usage {
    let folder = place.moved(CONFIG_DIR).or_else(|| host.home.clone());
    folder.and_then(|folder| read_usage(&folder.join(".claude.json"))).unwrap_or_default()
}

fn read_usage(file: &Path) -> Option<Usage> {
    let metadata = std::fs::metadata(file).ok()?;
    if !metadata.is_file() || metadata.len() > MOST_USAGE_BYTES {
        return None;
    }
    let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    let rows = kept.get("skillUsage")?.as_object()?;
    let whole = |value: &serde_json::Value| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a cast from a float saturates, and the whole part is wanted"
        )]
        let whole = value.as_u64().or_else(|| value.as_f64().map(|number| number as u64));
        whole
    };
    let row = |(name, row): (&String, &serde_json::Value)| {
        let last = row.get("lastUsedAt").and_then(whole).map(Duration::from_millis);
        let last = last.and_then(|last| SystemTime::UNIX_EPOCH.checked_add(last));
        Some((name.clone(), Used { count: row.get("usageCount").and_then(whole)?, last }))
    };
    Some(rows.iter().filter_map(row).collect())
}
