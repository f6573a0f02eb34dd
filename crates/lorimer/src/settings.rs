//! Settings under a harness's own keys, with the place that each layer comes from.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use lorimer_core::Severity;
use lorimer_core::text::nesting;
use lorimer_discover::Reading;
use toml::{Table, Value};

/// One table of settings, as in a configuration file or on a command line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    table: Table,
}

/// A setting cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", place(origin.as_deref(), key))]
pub struct ConfigError {
    /// The file; `None` for settings given for this run.
    pub origin: Option<PathBuf>,
    /// The setting, as a dotted key; empty when the file as a whole is meant.
    pub key: String,
    /// What is wrong, and what was expected.
    pub problem: String,
    /// Whether the file could not be read at all, as opposed to holding something that cannot be used.
    pub unreadable: bool,
}

fn place(origin: Option<&Path>, key: &str) -> String {
    let origin = origin.map_or("settings".to_owned(), |path| path.display().to_string());
    if key.is_empty() { format!("{origin}: ") } else { format!("{origin}: `{key}` ") }
}

impl ConfigError {
    pub(crate) fn new(origin: Option<&Path>, key: &str, problem: impl Into<String>) -> Self {
        Self {
            origin: origin.map(Path::to_path_buf),
            key: key.to_owned(),
            problem: problem.into(),
            unreadable: false,
        }
    }

    fn unreadable(path: &Path, problem: impl Into<String>) -> Self {
        Self { unreadable: true, ..Self::new(Some(path), "", problem) }
    }
}

impl Settings {
    /// Returns the settings of this table.
    pub fn from_table(table: Table) -> Self {
        Self { table }
    }

    /// Reads `KEY=VALUE`: a dotted key, and a TOML value or, failing that, a JSON value or plain text.
    ///
    /// ```
    /// use lorimer::Settings;
    /// let mut settings = Settings::default();
    /// settings.assign("skills.max_context_tokens=5000").unwrap();
    /// assert_eq!(settings.get("skills.max_context_tokens").and_then(|value| value.as_integer()), Some(5000));
    /// assert!(settings.assign("no equals sign").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no `=`, no key, or a part of the key is a value already.
    pub fn assign(&mut self, assignment: &str) -> Result<(), ConfigError> {
        let error = |key: &str, problem: &str| ConfigError::new(None, key, problem);
        let (key, text) = assignment
            .split_once('=')
            .ok_or_else(|| error(assignment, "has no value; expected KEY=VALUE"))?;
        let key = key.trim();
        let value = format!("value = {text}")
            .parse::<Table>()
            .ok()
            .and_then(|mut table| table.remove("value"))
            .or_else(|| from_json(serde_json::from_str(text).ok()?))
            .unwrap_or_else(|| Value::String(text.trim().to_owned()));
        self.set(key, value)
    }

    /// Sets the value of a dotted key.
    ///
    /// # Errors
    ///
    /// When the key is empty or a part of it is a value already.
    pub fn set(&mut self, key: &str, value: Value) -> Result<(), ConfigError> {
        let mut parts: Vec<&str> = key.split('.').collect();
        let last = parts.pop().unwrap_or_default();
        if last.is_empty() || parts.iter().any(|part| part.is_empty()) {
            return Err(ConfigError::new(None, key, "is not a key; expected NAME or TABLE.NAME"));
        }
        let mut table = &mut self.table;
        for part in parts {
            let entry = table.entry(part).or_insert_with(|| Value::Table(Table::new()));
            table = entry.as_table_mut().ok_or_else(|| {
                ConfigError::new(None, key, format!("cannot be set, because `{part}` is not a table"))
            })?;
        }
        table.insert(last.to_owned(), value);
        Ok(())
    }

    /// Returns the settings as JSON; what JSON has no word for is a text.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.table).unwrap_or_default()
    }

    /// Returns the values of the outermost keys.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.table.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// Sets the value of an outermost key.
    pub(crate) fn insert(&mut self, key: &str, value: Value) {
        self.table.insert(key.to_owned(), value);
    }

    /// Returns the dotted keys of all values, tables opened up.
    pub(crate) fn keys(&self) -> Vec<String> {
        fn collect(table: &Table, prefix: &str, keys: &mut Vec<String>) {
            for (name, value) in table {
                match value {
                    Value::Table(inner) => collect(inner, &format!("{prefix}{name}."), keys),
                    _ => keys.push(format!("{prefix}{name}")),
                }
            }
        }
        let mut keys = Vec::new();
        collect(&self.table, "", &mut keys);
        keys
    }

    /// Returns the value of a dotted key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let mut parts = key.split('.');
        let mut value = self.table.get(parts.next()?)?;
        for part in parts {
            value = value.get(part)?;
        }
        Some(value)
    }
}

/// Returns the same value in TOML, which knows no null: a null says nothing, so it is left out.
fn from_json(value: serde_json::Value) -> Option<Value> {
    Value::try_from(without_nulls(value)?).ok()
}

fn without_nulls(value: serde_json::Value) -> Option<serde_json::Value> {
    use serde_json::Value as Json;
    Some(match value {
        Json::Null => return None,
        Json::Array(items) => Json::Array(items.into_iter().filter_map(without_nulls).collect()),
        Json::Object(map) => Json::Object(
            map.into_iter().filter_map(|(key, value)| Some((key, without_nulls(value)?))).collect(),
        ),
        other => other,
    })
}

/// Settings of one place.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// The file; `None` for settings given for this run.
    pub(crate) origin: Option<PathBuf>,
    pub(crate) settings: Settings,
}

impl Layer {
    /// Bytes of a configuration file that are read at most; a file may belong to a project, and so to anybody.
    const MOST_BYTES: u64 = 1 << 20;

    /// Reads a file; a file that is not there is no layer.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, ConfigError> {
        let gone = |error: &std::io::Error| {
            matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
        };
        let failed =
            |error: std::io::Error| ConfigError::unreadable(path, format!("cannot be read: {error}"));
        match std::fs::metadata(path) {
            // Opening a pipe or a device could wait, or go on, for ever.
            Ok(metadata) if !metadata.is_file() => {
                return Err(ConfigError::unreadable(path, "is not a regular file"));
            }
            Ok(metadata) if metadata.len() > Self::MOST_BYTES => {
                return Err(ConfigError::unreadable(path, "is larger than 1 MiB, so it is no configuration"));
            }
            Ok(_) => {}
            Err(error) if gone(&error) => return Ok(None),
            Err(error) => return Err(failed(error)),
        }
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path).map_err(failed)?;
        file.take(Self::MOST_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        let text = String::from_utf8(bytes)
            .map_err(|error| ConfigError::new(Some(path), "", format!("is not UTF-8: {error}")))?;
        let table = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json")
                if path.file_name().is_some_and(|name| JSON5_FILES.iter().any(|known| name == *known)) =>
            {
                json5_table(&text)
            }
            Some("json") => json_table(&text),
            Some("yaml" | "yml") => yaml_table(&text),
            _ => toml_table(&text),
        };
        let table = table.map_err(|problem| ConfigError::new(Some(path), "", problem))?;
        Ok(Some(Self { origin: Some(path.to_path_buf()), settings: Settings::from_table(table) }))
    }

    fn wrong(&self, key: &str, found: &Value, expected: &str) -> ConfigError {
        let shown = found.to_string();
        ConfigError::new(self.origin.as_deref(), key, format!("is `{}`; expected {expected}", shown.trim()))
    }
}

/// Returns where a path of a setting leads: relative ones start at `base`, `~/` at the home directory.
pub(crate) fn absolute(path: &str, base: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => base.join(path),
    }
}

fn toml_table(text: &str) -> Result<Table, String> {
    text.parse::<Table>().map_err(|error| {
        let line = error
            .span()
            .map_or(1, |span| text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1));
        format!("is not valid TOML at line {line}: {}", error.message())
    })
}

/// Files that are JSON5, whatever their extension says.
const JSON5_FILES: [&str; 1] = ["openclaw.json"];
/// The parser of JSON5 descends without a limit, so what nests deeper is not given to it.
const MOST_NESTING: usize = 64;

fn json5_table(text: &str) -> Result<Table, String> {
    if nesting(text) > MOST_NESTING {
        return Err(format!("nests deeper than {MOST_NESTING} levels"));
    }
    let value = json5::from_str(text).map_err(|error| format!("is not valid JSON5: {error}"))?;
    match from_json(value) {
        Some(Value::Table(table)) => Ok(table),
        _ => Err("is no JSON5 object".to_owned()),
    }
}

fn json_table(text: &str) -> Result<Table, String> {
    let value = serde_json::from_str(text).map_err(|error| format!("is not valid JSON: {error}"))?;
    match from_json(value) {
        Some(Value::Table(table)) => Ok(table),
        _ => Err("is no JSON object".to_owned()),
    }
}

fn yaml_table(text: &str) -> Result<Table, String> {
    // The reader of frontmatter is the one reader of YAML.
    let fenced = format!("---\n{text}\n---\n");
    let reading = Reading { require_description: false, mind_hidden_characters: false, ..Reading::lenient() };
    let outcome = lorimer_discover::frontmatter::parse(fenced.as_bytes(), &reading);
    if let Some(finding) = outcome.findings.iter().find(|finding| finding.severity == Severity::Error) {
        return Err(format!("is not valid YAML: {}", finding.message));
    }
    match from_json(serde_json::Value::Object(outcome.fields.into_iter().collect())) {
        Some(Value::Table(table)) => Ok(table),
        _ => Err("is no mapping".to_owned()),
    }
}

/// Several layers, lowest precedence first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers(pub(crate) Vec<Layer>);

impl Layers {
    /// Returns the value of the highest layer that has the key, and that layer.
    pub(crate) fn get(&self, key: &str) -> Option<(&Layer, &Value)> {
        self.0.iter().rev().find_map(|layer| Some((layer, layer.settings.get(key)?)))
    }

    pub(crate) fn bool(&self, key: &str, default: bool) -> Result<bool, ConfigError> {
        match self.get(key) {
            None => Ok(default),
            Some((layer, value)) => value.as_bool().ok_or_else(|| layer.wrong(key, value, "true or false")),
        }
    }

    /// Returns all settings as one table: a layer's value takes the place of a lower one's, and tables are merged.
    pub(crate) fn merged(&self) -> Settings {
        fn merge(into: &mut Table, from: &Table) {
            for (key, value) in from {
                match (into.get_mut(key), value) {
                    (Some(Value::Table(into)), Value::Table(from)) => merge(into, from),
                    _ => {
                        into.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        let mut table = Table::new();
        for layer in &self.0 {
            merge(&mut table, &layer.settings.table);
        }
        Settings { table }
    }

    /// Returns a whole number of at least `least`.
    pub(crate) fn at_least(&self, key: &str, least: usize) -> Result<Option<usize>, ConfigError> {
        let Some((layer, value)) = self.get(key) else { return Ok(None) };
        match value.as_integer().and_then(|number| usize::try_from(number).ok()) {
            Some(number) if number >= least => Ok(Some(number)),
            _ => Err(layer.wrong(key, value, &format!("a whole number of at least {least}"))),
        }
    }

    /// Returns a count that must not be zero.
    pub(crate) fn non_zero(&self, key: &str) -> Result<Option<usize>, ConfigError> {
        let Some((layer, value)) = self.get(key) else { return Ok(None) };
        match value.as_integer().and_then(|number| usize::try_from(number).ok()) {
            Some(number) if number > 0 => Ok(Some(number)),
            _ => Err(layer.wrong(key, value, "a whole number above zero")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_toml_or_plain_text() {
        let mut settings = Settings::default();
        for assignment in
            ["a.b=1", "a.c=[{name=\"x\", enabled=false}]", "a.d=plain words", "e=true", "f=\"quoted\""]
        {
            settings.assign(assignment).unwrap();
        }
        assert_eq!(settings.get("a.b"), Some(&Value::Integer(1)));
        assert_eq!(settings.get("a.c").and_then(Value::as_array).map(Vec::len), Some(1));
        assert_eq!(settings.get("a.d").and_then(Value::as_str), Some("plain words"));
        assert_eq!(settings.get("f").and_then(Value::as_str), Some("quoted"));
        settings.assign("j=[{\"name\": \"x\", \"enabled\": false}]").unwrap();
        let table = settings.get("j").and_then(|list| list.get(0)).unwrap();
        assert_eq!(table.get("enabled"), Some(&Value::Boolean(false)), "JSON is understood too");
        settings.assign("n=null").unwrap();
        assert_eq!(settings.get("n").and_then(Value::as_str), Some("null"));
        assert_eq!(settings.get("a.x"), None);
        assert_eq!(settings.get("e.x"), None);
    }

    #[test]
    fn bad_assignments_say_what_was_expected() {
        let mut settings = Settings::default();
        settings.assign("a=1").unwrap();
        let message =
            |assignment: &str, settings: &mut Settings| settings.assign(assignment).unwrap_err().to_string();
        assert_eq!(message("a", &mut settings), "settings: `a` has no value; expected KEY=VALUE");
        assert_eq!(
            message(".a=1", &mut settings),
            "settings: `.a` is not a key; expected NAME or TABLE.NAME"
        );
        assert_eq!(
            message("a.b=1", &mut settings),
            "settings: `a.b` cannot be set, because `a` is not a table"
        );
    }

    #[test]
    fn the_highest_layer_wins_and_errors_name_their_file() {
        let layer = |origin: Option<&str>, assignment: &str| {
            let mut settings = Settings::default();
            settings.assign(assignment).unwrap();
            Layer { origin: origin.map(PathBuf::from), settings }
        };
        let layers = Layers(vec![layer(Some("/c.toml"), "n=0"), layer(None, "m=3")]);
        assert_eq!(layers.non_zero("m"), Ok(Some(3)));
        assert_eq!(layers.non_zero("x"), Ok(None));
        let error = layers.non_zero("n").unwrap_err();
        assert_eq!(error.to_string(), "/c.toml: `n` is `0`; expected a whole number above zero");
        assert_eq!(error.key, "n");
    }
}
