//! What rows are made of rules in: a place, settings, and whether the project is trusted.

use std::path::{Component, Path, PathBuf};

use lorimer_core::{Code, Diagnostic};
use lorimer_discover::Place;
use toml::Value;

use super::pattern::Pattern;
use super::{Root, Table, When};
use crate::Host;
use crate::settings::{ConfigError, Layer, Layers};

/// What rows are made of rules in.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Where rules are resolved.
    pub place: Place,
    /// Whether the user trusts the project.
    pub trusted: bool,
    /// Where the session works, if that is not the working directory.
    pub execution: Option<PathBuf>,
    /// The agent's name within the harness, where it has one.
    pub agent: Option<String>,
    /// What is odd about files with settings.
    pub diagnostics: Vec<Diagnostic>,
    layers: Layers,
}

impl Surroundings {
    /// Returns the surroundings in which a host's session would look for a harness's skills. A file with settings that
    /// cannot be read counts as none, with a diagnostic.
    pub fn of(table: &Table, host: &Host) -> Self {
        let mut around = Self::with(Self::place(table, host), Layers::default(), host);
        for file in table.settings {
            let Some(path) = Pattern::parse(file).and_then(|file| file.path(table, &around)) else {
                continue;
            };
            match Layer::read(&path) {
                Ok(layer) => around.layers.0.extend(layer),
                Err(error) => around.diagnostics.push(ignored(&path, &error)),
            }
        }
        around.layers.0.push(Layer { origin: None, settings: host.settings.clone() });
        if let Some(Value::Array(markers)) = around.value(table.markers_setting) {
            let markers = markers.iter().map(|marker| marker.as_str().map(str::to_owned));
            // A setting of the wrong type counts as not set.
            if let Some(markers) = markers.collect() {
                around.place.project_markers = markers;
            }
        }
        around
    }

    /// Returns the surroundings of a profile that has read its settings by itself.
    pub(in crate::profiles) fn with(place: Place, layers: Layers, host: &Host) -> Self {
        let (execution, agent) = (host.execution.clone(), host.agent.clone());
        Self { place, trusted: host.trusted, execution, agent, diagnostics: Vec::new(), layers }
    }

    /// Returns the place in which a table's rows are resolved.
    pub(in crate::profiles) fn place(table: &Table, host: &Host) -> Place {
        let mut place = Place::new(&host.cwd);
        place.home.clone_from(&host.home);
        let own = Some(table.system).filter(|system| !system.is_empty()).map(PathBuf::from);
        place.system_root = host.system_root.clone().filter(|_| own.is_some()).or(own);
        place.project_markers = table.markers.iter().map(|marker| (*marker).to_owned()).collect();
        place.variables.clone_from(&host.variables);
        place.opened.clone_from(&host.opened);
        place
    }

    /// Returns why a row does not count here.
    pub fn refusal(&self, root: &Root) -> Option<String> {
        root.when.iter().find_map(|when| match when {
            When::Trusted => (!self.trusted).then(|| "the project is not trusted".to_owned()),
            When::NotVariable(name) => {
                let set = self.place.variable(name).is_some_and(is_yes);
                set.then(|| format!("the variable `{name}` switches it off"))
            }
            When::NotMoved(name, place) => {
                let place = self.place.expanded(&self.place.cwd, place);
                let moved = self.place.moved(name).filter(|moved| *moved != place);
                moved.map(|_| format!("it is read only where `{name}` is not set"))
            }
            When::Agent(name) => {
                let other = self.agent.as_ref().filter(|agent| agent != name);
                other
                    .map(|agent| format!("it is read only for the agent `{name}`, and this one is `{agent}`"))
            }
            When::NotOff(key) => {
                let off = self.value(key).is_some_and(|value| *value == Value::Boolean(false));
                off.then(|| format!("the setting `{key}` is off"))
            }
            When::NotOn(key) => {
                let on = self.value(key).is_some_and(|value| *value == Value::Boolean(true));
                on.then(|| format!("the setting `{key}` is on"))
            }
            When::Names(key, word) => {
                let words = texts(self.value(key)?);
                let named =
                    words.iter().flat_map(|words| words.split(',')).any(|named| named.trim() == *word);
                (!named).then(|| format!("the setting `{key}` does not name `{word}`"))
            }
        })
    }

    /// Returns the settings of all layers, lowest precedence first.
    pub(in crate::profiles) fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Returns the paths that a setting names, in order: that of a file, or that of this run and of the harness's files.
    /// A relative path starts at the folder of its file, or at the working directory.
    pub(in crate::profiles) fn paths(&self, key: &str, file: Option<&Path>) -> Vec<PathBuf> {
        let read;
        let (origin, value) = match file {
            Some(path) => {
                // What is wrong with such a file is the harness's to say; here it names nothing.
                read = Layer::read(path).ok().flatten();
                match read.as_ref().and_then(|layer| layer.settings.get(key)) {
                    Some(value) => (Some(path), value),
                    None => return Vec::new(),
                }
            }
            None => match self.layers.get(key) {
                Some((layer, value)) => (layer.origin.as_deref(), value),
                None => return Vec::new(),
            },
        };
        let base = origin.and_then(Path::parent).unwrap_or(&self.place.cwd);
        let paths = texts(value).into_iter().filter(|path| is_plain_path(path));
        paths.map(|path| without_dots(&self.place.expanded(base, &self.substituted(path.trim())))).collect()
    }

    /// Returns what a setting says.
    pub(super) fn value(&self, key: &str) -> Option<&Value> {
        self.layers.get(key).map(|(_, value)| value)
    }

    /// Puts the values of known variables in the place of `$NAME` and `${NAME}`.
    fn substituted(&self, path: &str) -> String {
        let mut text = path.to_owned();
        for name in self.place.variables.keys() {
            let Some(value) = self.place.variable(name) else { continue };
            text = text.replace(&format!("${{{name}}}"), value);
            if let Some(rest) = text.strip_prefix(&format!("${name}"))
                && (rest.is_empty() || rest.starts_with('/'))
            {
                text = format!("{value}{rest}");
            }
        }
        text
    }
}

/// Takes `.` and `..` out of a path by its words alone, links or not: that is how the harnesses join the paths of
/// settings.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.parent().is_some() => {
                plain.pop();
            }
            _ => plain.push(part),
        }
    }
    plain
}

fn ignored(path: &Path, error: &ConfigError) -> Diagnostic {
    Diagnostic::new(Code::ConfigIgnored, error.to_string()).at(path.to_owned(), None)
}

fn is_yes(value: &str) -> bool {
    ["1", "true", "yes", "on"].iter().any(|yes| value.trim().eq_ignore_ascii_case(yes))
}

/// Returns the texts of a value: one, or those of a list.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Returns whether an entry of a list of paths is one: some lists hold patterns too, which take away from what other
/// places give and name no place of their own.
fn is_plain_path(entry: &str) -> bool {
    !entry.trim().is_empty() && !entry.starts_with(['!', '+', '-']) && !entry.contains(['*', '?'])
}
