//! What of a case's configuration our library has a notion of, and which steps depend on the rest.

use std::collections::BTreeMap;
use std::path::Path;

use lorimer::core::Scope;
use serde_json::{Map, Value};

use super::case::Step;

/// Where the native profile looks by itself, below a project and below a home directory.
const OWN_FOLDER: &str = ".agents/skills";

/// A folder of skills, as a case names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RootGiven {
    /// Below the working copy.
    pub(crate) path: String,
    pub(crate) scope: Scope,
}

/// Where to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Roots {
    /// Where the profile looks by itself.
    Own,
    /// Here, in this order.
    Given(Vec<RootGiven>),
    /// Here, whoever they belong to.
    Derived(Vec<String>),
    /// In the folder `skills` of a folder that a variable moves.
    Moved {
        variable: String,
        /// Where the folder is unless it was moved, below the home directory.
        otherwise: String,
    },
    /// Where the plugins lie that this file says are installed for this project.
    Registry { file: String, project: String },
}

/// The surroundings of one step; steps in the same surroundings share a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    pub(crate) cwd: String,
    pub(crate) home: Option<String>,
    pub(crate) roots: Roots,
    /// Variables of the environment, as the step has them.
    pub(crate) env: BTreeMap<String, String>,
}

impl Placement {
    /// Returns the surroundings of a step.
    pub(crate) fn of(config: &Map<String, Value>, step: &Step) -> Self {
        let text =
            |map: &Map<String, Value>, key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
        let cwd = text(&step.given, "cwd").or_else(|| text(config, "cwd")).unwrap_or_else(|| ".".to_owned());
        let mut home = text(config, "home");
        let given = step.given.get("roots").or_else(|| config.get("roots")).and_then(Value::as_array);
        let derived = || {
            let roots = config.get("derived_roots")?.get(&step.id)?.as_array()?;
            Some(roots.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        };
        let env = step.given.get("env").and_then(Value::as_object);
        let env: BTreeMap<String, String> = env
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
            .collect();
        if let (Some(file), Some(project)) = (text(config, "plugin_registry"), text(config, "project")) {
            return Self { cwd, home, roots: Roots::Registry { file, project }, env };
        }
        if let Some(roots) = moved(config) {
            return Self { cwd, home, roots, env };
        }
        let roots = match given.map(|roots| roots.iter().filter_map(root).collect::<Vec<_>>()) {
            Some(given) => match own_home(&given, &cwd, home.as_deref()) {
                Some(own) => {
                    home = own;
                    Roots::Own
                }
                None => Roots::Given(given),
            },
            None if is_own_search(config) => Roots::Own,
            None => derived().map_or(Roots::Own, Roots::Derived),
        };
        Self { cwd, home, roots, env }
    }
}

fn root(value: &Value) -> Option<RootGiven> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let scope = match (text("scope")?, text("plugin")) {
        ("plugin", Some(name)) => Scope::Plugin { name: name.to_owned() },
        ("project", None) => Scope::Project { depth: 0 },
        (other, _) => other.parse().ok()?,
    };
    Some(RootGiven { path: text("path")?.to_owned(), scope })
}

/// When these are just the folders that the profile would look in by itself, in its order, returns the home
/// directory with which it does.
#[expect(clippy::option_option, reason = "no, yes without a home, yes with this one")]
fn own_home(roots: &[RootGiven], cwd: &str, home: Option<&str>) -> Option<Option<String>> {
    let project = Path::new(cwd).join(OWN_FOLDER);
    let is_project =
        |root: &RootGiven| matches!(root.scope, Scope::Project { .. }) && Path::new(&root.path) == project;
    let user_home = |root: &RootGiven| {
        let found = root.path.strip_suffix(OWN_FOLDER)?.strip_suffix('/')?;
        (root.scope == Scope::User && home.is_none_or(|home| home == found)).then(|| found.to_owned())
    };
    match roots {
        [one] if is_project(one) => Some(home.map(str::to_owned)),
        [one, two] if is_project(one) => user_home(two).map(Some),
        _ => None,
    }
}

/// Returns whether the case says which plugins are installed, and for which project it asks.
fn is_registry(config: &Map<String, Value>) -> bool {
    config.contains_key("plugin_registry") && config.contains_key("project")
}

/// Returns where skills lie when a variable may move their folder, below the user's home or elsewhere.
fn moved(config: &Map<String, Value>) -> Option<Roots> {
    let text = |key: &str| config.get(key).and_then(Value::as_str);
    let home = text("home").unwrap_or_default();
    let below_home = text("default_config_home")?.strip_prefix(home)?.strip_prefix('/')?;
    Some(Roots::Moved { variable: text("env_var")?.to_owned(), otherwise: below_home.to_owned() })
}

fn is_own_search(config: &Map<String, Value>) -> bool {
    let is = |key: &str, value: &str| config.get(key).and_then(Value::as_str) == Some(value);
    is("search", "ancestors-to-repository-root") && is("skills_dir", OWN_FOLDER)
}

/// Returns the key of the configuration, or the argument of the step, that the library has no notion of and that this
/// step depends on.
pub(crate) fn lacking(
    config: &Map<String, Value>,
    step: &Step,
    expect: &Map<String, Value>,
) -> Option<String> {
    if let Some(key) = step.given.keys().find(|key| !is_understood(&step.op, key)) {
        return Some(format!("{}.{key}", step.op));
    }
    config.iter().find_map(|(key, value)| lacks(config, key, value, step, expect))
}

/// Returns the keys that the library has no notion of and that no step depends on, because the case says what they come
/// to.
pub(crate) fn replaced(config: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let derived = config.contains_key("derived_roots") && !is_registry(config);
    config.keys().map(String::as_str).filter(move |key| derived && *key == "plugin_registry")
}

/// Arguments of the operations that are built; an operation that is not built is not run anyway.
fn is_understood(op: &str, key: &str) -> bool {
    match op {
        "discover" if key == "env" => true,
        "discover" | "catalog" | "reload" | "resolve_all_listed" | "active_skills" | "list_resources"
        | "read_resource" | "mention" | "enable" | "disable" | "resume" | "compact" => {
            matches!(key, "cwd" | "roots" | "name" | "skill" | "path" | "text")
        }
        "approve" => matches!(key, "cwd" | "roots"),
        "activate" => matches!(key, "cwd" | "roots" | "name" | "by" | "new_session"),
        "fs" => matches!(key, "write" | "append" | "delete" | "rename" | "keep_mtime_and_size"),
        _ => true,
    }
}

fn lacks(
    config: &Map<String, Value>,
    key: &str,
    value: &Value,
    step: &Step,
    expect: &Map<String, Value>,
) -> Option<String> {
    let looks_at_skills = step.op != "fs";
    let (what, depends) = match key {
        // Nobody is asked and no environment is read, so these change nothing.
        "cwd" | "home" | "disabled" | "derived_roots" | "interactive" | "env" | "allow_untrusted_listing" => {
            return None;
        }
        "roots" => return lacks_of_roots(config, value, step),
        // Commands in a body are plain text to the library and never run, so nothing of their output can be there.
        "dynamic_commands" => {
            (key, expect.keys().any(|key| matches!(key.as_str(), "text_contains" | "body_contains")))
        }
        "budget" => {
            let sized = value.get("max_chars").is_some_and(Value::is_u64);
            let only = value.as_object().is_some_and(|budget| budget.len() == 1);
            (key, looks_at_skills && !(sized && only))
        }
        "recursive" => (key, looks_at_skills && *value != true),
        "skills_dir" | "search" => (key, looks_at_skills && !is_own_search(config)),
        // The limit only ever forbids, so it counts where something is to be forbidden by it.
        "boundary" => (key, Value::Object(expect.clone()).to_string().contains("symlink-escape")),
        "path_map" => (key, is_mapped(config, value, step)),
        "drop_unmapped" => (key, matches!(step.op.as_str(), "catalog" | "activate") && *value == true),
        "plugin_registry" | "project" => {
            let known = is_registry(config) || config.contains_key("derived_roots");
            (key, looks_at_skills && !known)
        }
        "env_var" | "default_config_home" => (key, looks_at_skills && moved(config).is_none()),
        "builtins" => (key, matches!(step.op.as_str(), "slash" | "list_commands")),
        "carry_budget" => (key, step.op == "post_compaction_context"),
        "digest" => (key, step.op == "verify_lock"),
        _ => (key, looks_at_skills),
    };
    depends.then(|| what.to_owned())
}

fn lacks_of_roots(config: &Map<String, Value>, roots: &Value, step: &Step) -> Option<String> {
    let allowed = config.get("allow_untrusted_listing") == Some(&Value::Bool(true));
    for given in roots.as_array().into_iter().flatten() {
        if let Some(key) = given.as_object().and_then(|given| {
            given.keys().find(|key| !matches!(key.as_str(), "path" | "scope" | "plugin" | "trusted"))
        }) {
            return Some(format!("roots[].{key}"));
        }
        if root(given).is_none() {
            return Some("roots[].scope".to_owned());
        }
        // Where untrusted skills may be listed and called by the user, only the model is kept from them.
        let only_users = allowed && step.text("by") != "model";
        if given.get("trusted") == Some(&Value::Bool(false)) && step.op != "fs" && !only_users {
            return Some("roots[].trusted".to_owned());
        }
    }
    None
}

/// Returns whether a location that the step shows is another one for the consumer.
fn is_mapped(config: &Map<String, Value>, map: &Value, step: &Step) -> bool {
    let shows = !matches!(step.op.as_str(), "fs" | "reload" | "resolve_all_listed");
    let roots = step.given.get("roots").or_else(|| config.get("roots")).and_then(Value::as_array);
    let from: Vec<&str> =
        map.as_array().into_iter().flatten().filter_map(|pair| pair.get(0)?.as_str()).collect();
    let paths = roots.into_iter().flatten().filter_map(|root| root.get("path")?.as_str());
    shows && paths.map(|path| format!("{path}/")).any(|path| from.iter().any(|from| path.starts_with(from)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::case::tests::case;

    fn placement(config: &str, step: &str) -> Placement {
        let case = case(config, &format!("[{step}]"), "{}");
        Placement::of(&case.action.config, &case.action.steps[0])
    }

    const DISCOVER: &str = r#"{"id": "s1", "op": "discover"}"#;

    #[test]
    fn the_folders_that_the_profile_knows_are_left_to_it() {
        let project = r#"{"path": "repo/.agents/skills", "scope": "project"}"#;
        let user = r#"{"path": "home/.agents/skills", "scope": "user"}"#;
        let of = |roots: &str| placement(&format!(r#"{{"roots": [{roots}], "cwd": "repo"}}"#), DISCOVER);
        assert_eq!(
            of(project),
            Placement { cwd: "repo".to_owned(), home: None, roots: Roots::Own, env: BTreeMap::new() }
        );
        let both = of(&format!("{project}, {user}"));
        assert_eq!((both.home.as_deref(), both.roots), (Some("home"), Roots::Own));
        assert!(matches!(of(&format!("{user}, {project}")).roots, Roots::Given(given) if given.len() == 2));
        let elsewhere = of(&project.replace("repo", "other"));
        assert!(matches!(elsewhere.roots, Roots::Given(given) if given[0].path == "other/.agents/skills"));
        let plugin = of(r#"{"path": "p/skills", "scope": "plugin", "plugin": "p"}"#);
        assert!(matches!(plugin.roots, Roots::Given(given) if given[0].scope.to_string() == "plugin:p"));
    }

    #[test]
    fn a_step_may_have_a_place_and_roots_of_its_own() {
        let config = r#"{"skills_dir": ".agents/skills", "search": "ancestors-to-repository-root",
            "derived_roots": {"s1": ["x"]}}"#;
        let step = r#"{"id": "s1", "op": "discover", "cwd": "deep"}"#;
        assert_eq!(placement(config, step).roots, Roots::Own);
        assert_eq!(placement(config, step).cwd, "deep");
        let derived = placement(r#"{"derived_roots": {"s1": ["x"]}}"#, DISCOVER);
        assert_eq!(derived.roots, Roots::Derived(vec!["x".to_owned()]));
        let own = r#"{"id": "s1", "op": "catalog", "roots": [{"path": "y", "scope": "user"}]}"#;
        let given = placement(r#"{"roots": [{"path": "x", "scope": "user"}]}"#, own);
        assert!(matches!(given.roots, Roots::Given(given) if given[0].path == "y"));
    }

    #[test]
    fn a_registry_and_a_moved_folder_are_places_to_look_in() {
        let registry = placement(r#"{"plugin_registry": "r.json", "project": "this"}"#, DISCOVER);
        assert!(
            matches!(registry.roots, Roots::Registry { file, project } if (file.as_str(), project.as_str()) == ("r.json", "this"))
        );
        let config = r#"{"home": "h", "default_config_home": "h/.x", "env_var": "X"}"#;
        let step = r#"{"id": "s1", "op": "discover", "env": {"X": ""}}"#;
        let moved = placement(config, step);
        assert!(matches!(moved.roots, Roots::Moved { otherwise, .. } if otherwise == ".x"));
        assert_eq!(moved.env.get("X").map(String::as_str), Some(""));
    }

    fn reason(config: &str, step: &str, expect: &str) -> Option<String> {
        let case = case(config, &format!("[{step}]"), expect);
        lacking(&case.action.config, &case.action.steps[0], &case.expect)
    }

    #[test]
    fn what_is_understood_stops_no_step() {
        for config in [
            r#"{"cwd": "r", "home": "h", "roots": [{"path": "r/x", "scope": "project", "trusted": true}]}"#,
            r#"{"budget": {"max_chars": 8}, "disabled": ["a"], "recursive": true, "boundary": "r"}"#,
            r#"{"plugin_registry": "p", "project": "p", "derived_roots": {}}"#,
            r#"{"dynamic_commands": "trusted-only", "env": {}, "allow_untrusted_listing": true,
                "roots": [{"path": "r/x", "scope": "project", "trusted": false}]}"#,
        ] {
            assert_eq!(reason(config, DISCOVER, r#"{"discovered": []}"#), None, "{config}");
        }
    }

    #[test]
    fn what_a_case_answers_in_our_place_is_named() {
        let config = |text: &str| case(text, "[]", "{}").action.config;
        let keys = |text: &str| replaced(&config(text)).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(keys(r#"{"plugin_registry": "p", "derived_roots": {}}"#), ["plugin_registry"]);
        assert_eq!(keys(r#"{"plugin_registry": "p", "project": "x", "derived_roots": {}}"#), [""; 0]);
        assert_eq!(keys(r#"{"search": "x", "derived_roots": {}}"#), [""; 0]);
    }

    #[test]
    fn a_key_without_a_notion_stops_the_steps_that_depend_on_it() {
        let activate = r#"{"id": "s1", "op": "activate", "by": "model"}"#;
        let untrusted = r#"{"roots": [{"path": "r", "scope": "user", "trusted": false}]}"#;
        let listed = untrusted.replace("}]}", r#"}], "allow_untrusted_listing": true}"#);
        for (config, step, expect, key) in [
            (untrusted, DISCOVER, "{}", "roots[].trusted"),
            (listed.as_str(), activate, "{}", "roots[].trusted"),
            (r#"{"roots": [{"path": "r", "scope": "user", "hue": 1}]}"#, DISCOVER, "{}", "roots[].hue"),
            (r#"{"roots": [{"path": "r", "scope": "galaxy"}]}"#, DISCOVER, "{}", "roots[].scope"),
            (r#"{"boundary": "r"}"#, DISCOVER, r#"{"warnings": [{"kind": "symlink-escape"}]}"#, "boundary"),
            (r#"{"permissions": []}"#, activate, "{}", "permissions"),
            (r#"{"budget": {"max_chars": 8, "max_tokens": 2}}"#, DISCOVER, "{}", "budget"),
            (r#"{"recursive": false}"#, DISCOVER, "{}", "recursive"),
            (r#"{"search": "everywhere"}"#, DISCOVER, "{}", "search"),
            (r#"{"plugin_registry": "p"}"#, DISCOVER, "{}", "plugin_registry"),
            (r#"{"dynamic_commands": "never"}"#, activate, r#"{"text_contains": []}"#, "dynamic_commands"),
            (r#"{"something_new": 1}"#, DISCOVER, "{}", "something_new"),
            (r#"{"drop_unmapped": true}"#, activate, "{}", "drop_unmapped"),
            ("{}", r#"{"id": "s1", "op": "activate", "args": "x"}"#, "{}", "activate.args"),
            (r#"{"env_var": "X"}"#, DISCOVER, "{}", "env_var"),
            ("{}", r#"{"id": "s1", "op": "activate", "env": {}}"#, "{}", "activate.env"),
        ] {
            assert_eq!(reason(config, step, expect).as_deref(), Some(key), "{config} {step}");
        }
        let fs = r#"{"id": "s1", "op": "fs", "delete": []}"#;
        assert_eq!(reason(r#"{"something_new": 1}"#, fs, "{}"), None);
    }

    #[test]
    fn a_map_of_paths_counts_where_its_paths_are_shown() {
        let config = r#"{"path_map": [["b/", "a/"]], "roots": [{"path": "a/x", "scope": "user"}]}"#;
        let catalog = r#"{"id": "s1", "op": "catalog"}"#;
        assert_eq!(reason(config, catalog, "{}"), None);
        let other = r#"{"id": "s1", "op": "catalog", "roots": [{"path": "b/x", "scope": "user"}]}"#;
        assert_eq!(reason(config, other, "{}").as_deref(), Some("path_map"));
    }
}
