//! A field case, as it stands in its folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Stands for the absolute path of the working copy.
const PLACEHOLDER: &str = "$ABS";

/// One case.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Case {
    /// Number of the case, for reports only: nothing may depend on it.
    pub(crate) id: String,
    pub(crate) slug: String,
    pub(crate) stage: String,
    pub(crate) agreement: String,
    #[serde(default)]
    pub(crate) setup: Setup,
    pub(crate) action: Action,
    /// What has to hold: flat when there is one step, otherwise by step.
    pub(crate) expect: Map<String, Value>,
    /// What may hold in its place.
    #[serde(default)]
    pub(crate) alternatives: Vec<Alternative>,
    /// The folder of the case.
    #[serde(skip)]
    pub(crate) folder: PathBuf,
}

/// How the tree is made.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Setup {
    pub(crate) script: Option<String>,
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    #[serde(default)]
    pub(crate) facts: Vec<Map<String, Value>>,
}

/// What is done.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Action {
    #[serde(default)]
    pub(crate) config: Map<String, Value>,
    pub(crate) steps: Vec<Step>,
}

/// One operation.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Step {
    pub(crate) id: String,
    pub(crate) op: String,
    /// What the operation is given.
    #[serde(flatten)]
    pub(crate) given: Map<String, Value>,
}

/// Another outcome that is accepted.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Alternative {
    pub(crate) why: String,
    pub(crate) expect: Map<String, Value>,
}

impl Step {
    /// Returns a text that the operation is given; empty when it is not.
    pub(crate) fn text(&self, key: &str) -> &str {
        self.given.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns whether a flag is set.
    pub(crate) fn flag(&self, key: &str) -> bool {
        self.given.get(key).and_then(Value::as_bool).unwrap_or_default()
    }
}

impl Case {
    /// Returns what has to hold after a step. With an alternative, it counts for the steps that it names.
    pub(crate) fn expectation(&self, step: &str, alternative: Option<&Alternative>) -> Map<String, Value> {
        let of = |expect: &Map<String, Value>| match self.action.steps.as_slice() {
            [_] => Some(expect.clone()),
            _ => expect.get(step).and_then(Value::as_object).cloned(),
        };
        alternative
            .and_then(|alternative| of(&alternative.expect))
            .or_else(|| of(&self.expect))
            .unwrap_or_default()
    }

    /// Returns expectations that belong to no step, so that nothing would look at them.
    pub(crate) fn stray(&self) -> Vec<String> {
        if self.action.steps.len() == 1 {
            return Vec::new();
        }
        let all = std::iter::once(&self.expect).chain(self.alternatives.iter().map(|other| &other.expect));
        let is_step = |key: &str| self.action.steps.iter().any(|step| step.id == key);
        all.flat_map(|expect| expect.iter())
            .filter(|(key, value)| !is_step(key) || !value.is_object())
            .map(|(key, _)| key.clone())
            .collect()
    }

    /// Returns the case with the path of the working copy in the place of `$ABS`.
    pub(crate) fn placed(&self, scratch: &Path) -> Self {
        let mut case = self.clone();
        let scratch = scratch.to_string_lossy();
        place_map(&mut case.action.config, &scratch);
        for step in &mut case.action.steps {
            place_map(&mut step.given, &scratch);
        }
        place_map(&mut case.expect, &scratch);
        for alternative in &mut case.alternatives {
            place_map(&mut alternative.expect, &scratch);
        }
        case
    }
}

fn place_map(map: &mut Map<String, Value>, scratch: &str) {
    map.values_mut().for_each(|value| place(value, scratch));
}

fn place(value: &mut Value, scratch: &str) {
    match value {
        Value::String(text) => *text = text.replace(PLACEHOLDER, scratch),
        Value::Array(items) => items.iter_mut().for_each(|item| place(item, scratch)),
        Value::Object(map) => place_map(map, scratch),
        _ => {}
    }
}

/// Puts `$ABS` in the place of the working copy, for people.
pub(crate) fn conceal(text: &str, scratch: &Path) -> String {
    text.replace(&*scratch.to_string_lossy(), PLACEHOLDER)
}

/// Returns the folders of the cases at `path`: the folder itself, or those below it, by name.
pub(crate) fn find(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if path.join("case.json").is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let listing = fs::read_dir(path).with_context(|| format!("cannot list `{}`", path.display()))?;
    let mut folders: Vec<PathBuf> = listing.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    folders.retain(|entry| entry.is_dir());
    folders.sort();
    let mut found = Vec::new();
    for folder in folders {
        found.extend(find(&folder)?);
    }
    Ok(found)
}

/// Reads the case in a folder.
pub(crate) fn read(folder: &Path) -> anyhow::Result<Case> {
    let path = folder.join("case.json");
    let context = || format!("cannot read the case `{}`", path.display());
    let text = fs::read_to_string(&path).with_context(context)?;
    let case: Case = serde_json::from_str(&text).with_context(context)?;
    // Scripts are run in another folder, to which a relative path would mean something else.
    Ok(Case { folder: std::path::absolute(folder).with_context(context)?, ..case })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns a case with these steps and expectations.
    pub(crate) fn case(config: &str, steps: &str, expect: &str) -> Case {
        let text = format!(
            r#"{{"id": "x", "slug": "x", "stage": "discover", "agreement": "settled", "expect": {expect},
                "action": {{"config": {config}, "steps": {steps}}}}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    const TWO: &str = r#"[{"id": "s1", "op": "discover"}, {"id": "s2", "op": "catalog", "path": "$ABS/b"}]"#;

    #[test]
    fn expectations_are_flat_for_one_step_and_keyed_for_more() {
        let one = case("{}", r#"[{"id": "s1", "op": "discover"}]"#, r#"{"discovered": []}"#);
        assert_eq!(one.expectation("s1", None).len(), 1);
        let two = case("{}", TWO, r#"{"s2": {"catalog_count": 2}, "s3": {}, "catalog_count": 1}"#);
        assert!(two.expectation("s1", None).is_empty());
        assert_eq!(two.expectation("s2", None).get("catalog_count"), Some(&Value::from(2)));
        assert_eq!(two.stray(), ["s3", "catalog_count"]);
    }

    #[test]
    fn an_alternative_counts_for_the_steps_that_it_names() {
        let case = case("{}", TWO, r#"{"s1": {"a": 1, "b": 1}, "s2": {"a": 1}}"#);
        let expect = serde_json::from_str(r#"{"s1": {"a": 2}}"#).unwrap();
        let alternative = Alternative { why: String::new(), expect };
        let first = case.expectation("s1", Some(&alternative));
        assert_eq!((first.get("a"), first.get("b")), (Some(&Value::from(2)), None));
        assert_eq!(case.expectation("s2", Some(&alternative)).get("a"), Some(&Value::from(1)));
    }

    #[test]
    fn the_working_copy_is_named_by_a_placeholder() {
        let case = case("{}", TWO, r#"{"s1": {"a": ["$ABS/x"]}}"#).placed(Path::new("/t"));
        assert_eq!(case.action.steps[1].text("path"), "/t/b");
        assert_eq!(case.expect["s1"]["a"][0], "/t/x");
        assert_eq!(conceal("at /t/x", Path::new("/t")), "at $ABS/x");
    }

    #[test]
    fn cases_are_found_below_a_folder_and_by_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("cases/01-a");
        fs::create_dir_all(inner.join("input/01-b")).unwrap();
        let text = r#"{"id": "01", "slug": "a", "stage": "s", "agreement": "wish", "expect": {}, "action": {"steps": []}}"#;
        fs::write(inner.join("case.json"), text).unwrap();
        assert_eq!(find(folder.path()).unwrap(), std::slice::from_ref(&inner));
        assert_eq!(find(&inner).unwrap(), std::slice::from_ref(&inner));
        assert_eq!(read(&inner).unwrap().folder, inner);
        assert!(read(folder.path()).is_err());
    }
}
