//! A recorded experiment, as it stands in its file.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Map, Value};

/// One experiment.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Case {
    /// Name of the profile.
    pub(crate) harness: String,
    /// Name of the case, for reports only: nothing may depend on it.
    pub(crate) id: String,
    /// What it pins down.
    #[serde(default)]
    pub(crate) topics: Vec<String>,
    /// Whether what it shows is plainly a defect of the program.
    #[serde(default)]
    pub(crate) quirk: bool,
    /// What lies in the scratch folder.
    pub(crate) files: Vec<FileSpec>,
    /// Surroundings.
    pub(crate) options: Options,
    /// What was done, and what came of it.
    pub(crate) steps: Vec<Step>,
}

/// One file, folder, link or pipe.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct FileSpec {
    pub(crate) path: String,
    pub(crate) text: Option<String>,
    pub(crate) base64: Option<String>,
    pub(crate) head: Option<String>,
    pub(crate) fill: Option<String>,
    pub(crate) bytes: Option<usize>,
    pub(crate) tail: Option<String>,
    pub(crate) symlink: Option<String>,
    pub(crate) mode: Option<String>,
    #[serde(default)]
    pub(crate) fifo: bool,
    #[serde(default)]
    pub(crate) dir: bool,
    #[serde(default)]
    pub(crate) subst: bool,
}

/// Surroundings of the experiment.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Options {
    pub(crate) cwd: Option<String>,
    pub(crate) home: Option<String>,
    pub(crate) system_root: Option<String>,
    #[serde(default)]
    pub(crate) git: bool,
    pub(crate) window: Option<u64>,
    pub(crate) max_window: Option<u64>,
    #[serde(default)]
    pub(crate) config: Map<String, Value>,
    pub(crate) scratch_bytes: Option<usize>,
    pub(crate) system_root_bytes: Option<usize>,
    pub(crate) scratch_sensitive: Option<bool>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Options that change nothing here: how the recording was driven, prose that is not recorded, and settings that lie
/// in the tree as files anyway.
const WITHOUT_EFFECT: [&str; 5] = ["driver", "usage_instructions", "config_user", "config_project", "notes"];

impl Options {
    /// Returns the options that are not understood and so are not applied.
    pub(crate) fn not_applied(&self) -> impl Iterator<Item = &str> {
        self.rest.keys().map(String::as_str).filter(|key| !WITHOUT_EFFECT.contains(key))
    }

    /// Returns whether a further option was recorded.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.rest.contains_key(key)
    }

    /// Returns whether a further option is set.
    pub(crate) fn flag(&self, key: &str) -> bool {
        self.rest.get(key).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Returns a further option that is a text.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.rest.get(key)?.as_str()
    }

    /// Returns a further option that is a list of texts.
    pub(crate) fn texts(&self, key: &str) -> Vec<&str> {
        let items = self.rest.get(key).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Returns a further option that is a table.
    pub(crate) fn map(&self, key: &str) -> Map<String, Value> {
        self.rest.get(key).and_then(Value::as_object).cloned().unwrap_or_default()
    }
}

/// One thing that was done.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Step {
    pub(crate) op: String,
    /// What came of it; absent keys were not recorded.
    #[serde(default)]
    pub(crate) expect: Map<String, Value>,
    /// What the operation is given.
    #[serde(flatten)]
    pub(crate) given: Map<String, Value>,
}

/// Returns the case files at `path`: the file itself, or those in the folder and in the folders below it, by name.
pub(crate) fn find(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let listing = std::fs::read_dir(path).with_context(|| format!("cannot list `{}`", path.display()))?;
    let mut entries: Vec<PathBuf> = listing.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    entries.sort();
    let mut found = Vec::new();
    for entry in entries {
        let inner = if is_packed(&entry) { entry.with_extension("") } else { entry.clone() };
        if entry.is_dir() {
            found.extend(find(&entry)?);
        } else if inner.extension().is_some_and(|extension| extension == "json") {
            found.push(entry);
        }
    }
    Ok(found)
}

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Reads a case.
pub(crate) fn read(path: &Path) -> anyhow::Result<Case> {
    let context = || format!("cannot read the case `{}`", path.display());
    let bytes = std::fs::read(path).with_context(context)?;
    let mut text = String::new();
    if is_packed(path) {
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).with_context(context)?;
    } else {
        text = String::from_utf8(bytes).with_context(context)?;
    }
    serde_json::from_str(&text).with_context(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    const TEXT: &str = r#"{"version": 1, "harness": "codex", "id": "x", "files": [{"path": "a", "dir": true}],
        "options": {"cwd": "project", "window": null, "driver": "exec", "model": "m"},
        "steps": [{"op": "turn", "input": "hi", "expect": {"catalog": "sent"}}, {"op": "reload"}]}"#;

    #[test]
    fn plain_and_packed_cases_are_found_and_read_alike() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("codex");
        std::fs::create_dir(&below).unwrap();
        std::fs::write(below.join("1.json"), TEXT).unwrap();
        std::fs::write(below.join("SUMMARY.md"), "no case").unwrap();
        let file = std::fs::File::create(below.join("2.json.gz")).unwrap();
        let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        packer.write_all(TEXT.as_bytes()).unwrap();
        packer.finish().unwrap();

        let found = find(folder.path()).unwrap();
        assert_eq!(found.len(), 2);
        for path in &found {
            let case = read(path).unwrap();
            assert_eq!(case.steps.first().unwrap().given.get("input"), Some(&Value::from("hi")));
            assert_eq!(case.steps.first().unwrap().expect.len(), 1);
            assert_eq!(case.options.not_applied().collect::<Vec<_>>(), ["model"]);
        }
        assert_eq!(find(found.first().unwrap()).unwrap().len(), 1);
        assert!(find(&folder.path().join("nowhere")).is_err());
    }
}
