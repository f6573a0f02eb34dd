//! A plugin's manifest: its name, and where it says that its skills are.

use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use lorimer_core::{Code, Diagnostic};
use serde_json::Value;

use super::ManifestRule;
use crate::boundary::Limit;

/// A manifest is a page of settings; anything larger is something else.
const MAX_BYTES: u64 = 1 << 20;

/// What a plugin's manifest says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Manifest {
    /// The rule that found it.
    pub(super) rule: ManifestRule,
    /// The namespace of the plugin's skills.
    pub(super) name: String,
    /// Folders of skills that it names, below the plugin's own; `None` where it says nothing.
    pub(super) folders: Option<Vec<PathBuf>>,
}

/// Returns the first valid manifest of a plugin's folder. An invalid one counts as none, but not in silence.
pub(super) fn find(
    plugin: &Path,
    rules: &[ManifestRule],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Manifest> {
    rules.iter().find_map(|rule| {
        let path = plugin.join(rule.file);
        let mut report = |why: String| {
            diagnostics.push(Diagnostic::new(Code::PluginManifestInvalid, why).at(path.clone(), None));
        };
        match read(&path, plugin) {
            Ok(None) => None,
            Ok(Some(text)) => parse(&text, *rule, plugin, &mut report),
            Err(why) => {
                report(why);
                None
            }
        }
    })
}

fn read(path: &Path, plugin: &Path) -> Result<Option<String>, String> {
    let file = match Limit::within([plugin]).open(path) {
        Ok((file, _)) => file,
        Err(error) if error.is_absent() => return Ok(None),
        Err(error) => return Err(format!("the manifest cannot be read: {error}")),
    };
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("the manifest cannot be read: {error}"))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_BYTES) {
        return Err(format!("the manifest has more than {MAX_BYTES} bytes"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| "the manifest is not UTF-8".to_owned())
}

fn parse(text: &str, rule: ManifestRule, plugin: &Path, report: &mut dyn FnMut(String)) -> Option<Manifest> {
    let fields = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => {
            report("the manifest is no JSON object".to_owned());
            return None;
        }
        Err(error) => {
            report(format!("the manifest is not valid JSON: {error}"));
            return None;
        }
    };
    // A file of the same name that belongs to another format is nobody's mistake.
    if rule.schema.is_some_and(|schema| fields.get("$schema").and_then(Value::as_str) != Some(schema)) {
        return None;
    }
    let name = match fields.get("name") {
        None => "",
        Some(Value::String(name)) => name.trim(),
        Some(_) => {
            report("the manifest's `name` is not text".to_owned());
            return None;
        }
    };
    if name.chars().any(char::is_control) {
        report("the manifest's `name` has control characters".to_owned());
        return None;
    }
    let name = if name.is_empty() { folder_name(plugin) } else { name.to_owned() };
    let folders = fields.get("skills").and_then(|skills| named_folders(skills, report));
    Some(Manifest { rule, name, folders })
}

/// Returns the name of a plugin's folder, which stands in for a blank name.
pub(super) fn folder_name(plugin: &Path) -> String {
    plugin.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn named_folders(skills: &Value, report: &mut dyn FnMut(String)) -> Option<Vec<PathBuf>> {
    let paths: Vec<&Value> = match skills {
        Value::String(_) => vec![skills],
        Value::Array(paths) => paths.iter().collect(),
        Value::Null => return None,
        _ => {
            report("the manifest's `skills` is neither a path nor a list of paths".to_owned());
            return None;
        }
    };
    let mut folders = Vec::new();
    for path in paths {
        match path.as_str().map(inside) {
            Some(Some(folder)) => folders.push(folder),
            Some(None) => report(format!("`skills` names {path}, which is no path inside the plugin")),
            None => report("the manifest's `skills` has an entry that is not text".to_owned()),
        }
    }
    Some(folders)
}

/// Returns a path of plain names; `None` where it is absolute, empty or leads upwards.
fn inside(path: &str) -> Option<PathBuf> {
    let mut inside = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => inside.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!path.trim().is_empty() && !path.contains('\0')).then_some(inside)
}
