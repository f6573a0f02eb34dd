//! The file that says which plugins are installed, and for which project.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use lorimer_core::{Code, Diagnostic, Scope};
use serde_json::{Map, Value};

use crate::boundary::Limit;
use crate::roots::resolve;
use crate::{Place, RootBase, RootRule, Scan};

/// A registry is a page of settings; anything larger is something else.
const MAX_BYTES: u64 = 4 << 20;

/// Where the registry of plugins is and how it is laid out, as data.
///
/// A registry is a JSON object. Under `rows` it has a list of rows, or an object whose values are rows or lists of rows
/// by the plugin's name. A cache may hold folders of other versions and of plugins that were taken out: only what a row
/// names counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryRule {
    /// The file.
    pub file: RootBase,
    /// The key of the rows.
    pub rows: String,
    /// The key of a row's folder; a relative one starts at the file's own.
    pub path: String,
    /// The key of the project that a row is for. A row without it is for every project.
    pub project: String,
    /// The key of a plugin's name, where rows lie in a list.
    pub name: String,
    /// What this project is called in the registry; `None` where it is named by its root.
    pub this_project: Option<String>,
}

impl RegistryRule {
    /// Returns the rule for a registry that names a plugin under `plugin` and projects by their roots.
    pub fn new(
        file: RootBase,
        rows: impl Into<String>,
        path: impl Into<String>,
        project: impl Into<String>,
    ) -> Self {
        let (rows, path, project) = (rows.into(), path.into(), project.into());
        Self { file, rows, path, project, name: "plugin".to_owned(), this_project: None }
    }

    /// Returns the rule for a project that has this name in the registry.
    #[must_use]
    pub fn for_project(mut self, name: impl Into<String>) -> Self {
        self.this_project = Some(name.into());
        self
    }
}

/// A plugin that is installed for this project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Installed {
    pub(super) name: Option<String>,
    pub(super) folder: PathBuf,
}

/// Returns the plugins that the registry names for this project, in its order. Of several rows that name one plugin,
/// those for this project count before those for every project, and the first counts.
pub(super) fn installed(rule: &RegistryRule, place: &Place, scan: &mut Scan) -> Vec<Installed> {
    let rules = [RootRule::new(rule.file.clone(), Scope::User)];
    let Some(file) = resolve(place, &rules).into_iter().next().map(|root| root.path) else {
        return Vec::new();
    };
    let mut report = |why: String| {
        scan.diagnostics.push(Diagnostic::new(Code::PluginRegistryInvalid, why).at(file.clone(), None));
    };
    let registry = match read(&file) {
        Ok(None) => return Vec::new(),
        Ok(Some(registry)) => registry,
        Err(why) => {
            report(why);
            // It may be half written, so that no plugin is known to be gone.
            scan.complete = false;
            return Vec::new();
        }
    };
    let mut found: Vec<(bool, Installed)> = Vec::new();
    for (key, row) in rows(registry.get(&rule.rows).unwrap_or(&Value::Null)) {
        let text = |key: &str| row.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let Some(folder) = text(&rule.path) else {
            report(format!("a row of the registry has no `{}`", rule.path));
            continue;
        };
        let project = text(&rule.project);
        if project.is_some_and(|project| !is_this(project, rule, place)) {
            continue;
        }
        let folder = place.expanded(file.parent().unwrap_or(Path::new("")), folder);
        let name = key.map(str::to_owned).or_else(|| text(&rule.name).map(str::to_owned));
        found.push((project.is_none(), Installed { name, folder }));
    }
    found.sort_by_key(|(general, _)| *general);
    let mut taken: Vec<Installed> = Vec::new();
    for (_, plugin) in found {
        let known = plugin.name.is_some() && taken.iter().any(|other| other.name == plugin.name);
        if !known {
            taken.push(plugin);
        }
    }
    taken
}

/// Returns the rows, each with the key that it lies under, where there is one.
fn rows(value: &Value) -> Vec<(Option<&str>, &Map<String, Value>)> {
    match value {
        Value::Object(by_name) => {
            by_name.iter().flat_map(|(name, value)| rows_at(Some(name.as_str()), value)).collect()
        }
        list => rows_at(None, list),
    }
}

fn rows_at<'v>(key: Option<&'v str>, value: &'v Value) -> Vec<(Option<&'v str>, &'v Map<String, Value>)> {
    match value {
        Value::Object(row) => vec![(key, row)],
        Value::Array(items) => items.iter().filter_map(|item| Some((key, item.as_object()?))).collect(),
        _ => Vec::new(),
    }
}

fn is_this(project: &str, rule: &RegistryRule, place: &Place) -> bool {
    if let Some(name) = &rule.this_project {
        return project == name;
    }
    let same = |folder: &Path| {
        Path::new(project) == folder || Path::new(project).canonicalize().is_ok_and(|path| path == folder)
    };
    same(place.project_root()) || same(&place.cwd)
}

fn read(path: &Path) -> Result<Option<Map<String, Value>>, String> {
    let file = match Limit::default().open(path) {
        Ok((file, _)) => file,
        Err(error) if error.is_absent() => return Ok(None),
        Err(error) => return Err(format!("the registry of plugins cannot be read: {error}")),
    };
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("the registry of plugins cannot be read: {error}"))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_BYTES) {
        return Err(format!("the registry of plugins has more than {MAX_BYTES} bytes"));
    }
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(registry)) => Ok(Some(registry)),
        Ok(_) => Err("the registry of plugins is no JSON object".to_owned()),
        Err(error) => Err(format!("the registry of plugins is not valid JSON: {error}")),
    }
}
