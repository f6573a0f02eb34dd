//! The surroundings that a case describes, and the harness's own words for the places in them.

use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use lorimer::core::Skill;
use lorimer::discover::{ResolvedRoot, resolve};
use lorimer::profiles::roots::{self, MadeRule, Root, Surroundings, Table};
use lorimer::{Host, Settings};
use serde_json::Value;

use super::case::Options;
use super::dialects::Dialect;
use super::layout::Layout;

/// Options that every harness's cases may have and that are applied here.
const UNDERSTOOD: [&str; 6] = ["agent", "args", "env", "model", "tools", "trusted"];

/// Returns the options of a case that are not understood and so are not applied.
pub(crate) fn not_applied<'a>(
    options: &'a Options,
    dialect: &'a dyn Dialect,
) -> impl Iterator<Item = &'a str> {
    options.not_applied().filter(|key| !UNDERSTOOD.contains(key) && !dialect.understood().contains(key))
}

/// Returns the surroundings of a case.
pub(crate) fn host(options: &Options, dialect: &dyn Dialect, layout: &Layout) -> anyhow::Result<Host> {
    // Without a working directory there is no project, as where there is nothing.
    let cwd = layout.place(options.cwd.as_deref().unwrap_or("no-such-folder"));
    let mut host = Host::new(plain(&cwd));
    host.home = options.home.as_deref().map(|home| layout.place(home));
    // Where a recording has no machine-wide folder, there was none.
    host.system_root = Some(layout.place(options.system_root.as_deref().unwrap_or("no-such-folder")));
    host.window = options.window;
    host.max_window = options.max_window;
    host.trusted = options.flag("trusted");
    host.model = options.text("model").map(str::to_owned);
    host.agent = options.text("agent").map(str::to_owned);
    let tools = options.texts("tools");
    host.tools = options.has("tools").then(|| tools.into_iter().map(str::to_owned).collect());
    for (name, value) in options.map("env") {
        host.variables.insert(name, layout.substitute(value.as_str().unwrap_or_default()));
    }
    let mut settings = Settings::default();
    for (key, value) in &layout.substitute_map(&options.config) {
        // Settings that lie in the tree as files are read from there.
        if !key.starts_with("settings.") {
            settings.set(key, toml_of(value).with_context(|| format!("`{key}` cannot be TOML"))?)?;
        }
    }
    let texts: Vec<String> = options.texts("args").iter().map(|text| layout.substitute(text)).collect();
    for (flag, value) in flags(&texts) {
        settings.set(&flag, value)?;
    }
    host.settings = settings;
    dialect.surroundings(&mut host, options, layout)?;
    Ok(host)
}

/// Reads a command line: each flag with the texts behind it, or with a yes.
fn flags(texts: &[String]) -> Vec<(String, toml::Value)> {
    let mut found: Vec<(String, Vec<toml::Value>)> = Vec::new();
    for text in texts {
        match found.last_mut() {
            Some((_, values)) if !text.starts_with("--") => values.push(toml::Value::from(text.as_str())),
            _ => found.push((text.clone(), Vec::new())),
        }
    }
    let value = |values: Vec<toml::Value>| {
        if values.is_empty() { toml::Value::Boolean(true) } else { toml::Value::Array(values) }
    };
    found.into_iter().map(|(flag, values)| (flag, value(values))).collect()
}

fn toml_of(value: &Value) -> anyhow::Result<toml::Value> {
    Ok(toml::Value::try_from(value)?)
}

fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// Takes `..` and the folder in front of it out of a path, as programs write paths.
fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// The harness's own words for its places.
#[derive(Debug)]
pub(crate) struct Labels {
    table: Option<&'static Table>,
    made: Vec<MadeRule>,
    resolved: Vec<ResolvedRoot>,
}

impl Labels {
    /// Returns the words for the places of a harness in these surroundings.
    pub(crate) fn new(harness: &str, host: &Host) -> Self {
        let table = roots::by_name(harness);
        let around = table.map(|table| Surroundings::of(table, host));
        let (made, resolved) = match (table, around) {
            (Some(table), Some(around)) => {
                let made = table.rules(&around);
                let rules: Vec<_> = made.iter().map(|made| made.rule.clone()).collect();
                let resolved = resolve(&around.place, &rules);
                (made, resolved)
            }
            _ => (Vec::new(), Vec::new()),
        };
        Self { table, made, resolved }
    }

    /// Returns the places, in order, with the words for them.
    pub(crate) fn roots(&self) -> impl Iterator<Item = (PathBuf, &'static str)> {
        let label = |root: &ResolvedRoot| Some(self.table?.roots.get(self.made.get(root.rule)?.row)?.label);
        self.resolved.iter().map(move |root| (without_parents(&root.path), label(root).unwrap_or_default()))
    }

    /// Returns the word for the place that a path lies in.
    pub(crate) fn of_path(&self, path: &Path) -> Option<&'static str> {
        let holds = self.roots().filter(|(root, _)| path.starts_with(root));
        holds.max_by_key(|(root, _)| root.as_os_str().len()).map(|(_, label)| label)
    }

    /// Returns the word for the place that a skill was found in.
    pub(crate) fn of(&self, skill: &Skill) -> Option<&'static str> {
        Some(self.row_of(skill)?.label)
    }

    /// Returns the place that a skill was found in, as it stands in the table.
    pub(crate) fn place_of(&self, skill: &Skill) -> Option<&'static str> {
        Some(self.row_of(skill)?.place)
    }

    fn row_of(&self, skill: &Skill) -> Option<&'static Root> {
        let root = self.resolved.get(usize::try_from(skill.root.order).ok()?)?;
        self.table?.roots.get(self.made.get(root.rule)?.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn flags_are_settings() {
        let texts = ["--bare", "--add-dir", "a", "b"].map(str::to_owned);
        let flags = flags(&texts);
        assert_eq!(flags[0], ("--bare".to_owned(), toml::Value::Boolean(true)));
        assert_eq!(flags[1].1.as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn settings_keep_their_types() {
        let value = json!([{"name": "a", "enabled": false, "n": 3}]);
        let toml = toml_of(&value).unwrap();
        assert_eq!(toml[0]["enabled"].as_bool(), Some(false));
        assert_eq!(toml[0]["n"].as_integer(), Some(3));
    }
}
