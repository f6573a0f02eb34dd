//! The policy made of what a skill's own fields ask of the machine and of the session.

use std::collections::{BTreeMap, BTreeSet};

use lorimer_core::{Refusal, Route, Skill};
use serde_json::Value;

use crate::{Admission, AdmitRequest, Authorizer, ClearRequest, Clearance};

/// Decides by lists of names and by these fields of a skill:
///
/// | field | says no |
/// |---|---|
/// | `platforms` | by every route, where none of them is the machine's |
/// | `environments` | to the listing and to users, where all of them are known and none is active |
/// | `metadata.hermes.requires_tools`, `.requires_toolsets` | to the listing, where one is missing |
/// | `metadata.hermes.fallback_for_tools`, `.fallback_for_toolsets` | to the listing, where one is there |
///
/// Each is a list, or one value by itself. The first that says no gives the refusal its name: `disabled`, `platform`,
/// `environment`, `tools`, `fallback`; a condition about tools that is neither a list nor a text is `condition-invalid`, and
/// keeps nothing but its own skill out.
///
/// ```
/// use lorimer_authorize::{Admission, AdmitRequest, Authorizer, Conditions, Platforms};
/// use lorimer_core::{Locator, Route, Skill, SkillId, SourceId};
///
/// let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/tea/SKILL.md".into()));
/// let mut tea = Skill::new(id, "tea", "Makes tea.");
/// tea.frontmatter.insert("platforms".to_owned(), vec!["macos"].into());
/// let platforms = Platforms { system: "linux".to_owned(), ..Platforms::default() };
/// let conditions = Conditions { platforms, ..Conditions::default() };
/// let answer = conditions.admit(&AdmitRequest { skill: &tea, route: Route::Tool, approved: &[] });
/// assert!(matches!(answer, Admission::Refused(refusal) if refusal.rule == "platform"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// Names of skills that are switched off, case minded.
    pub disabled: BTreeSet<String>,
    /// Names that are switched off for a tool's call, where those are others.
    pub disabled_for_tools: Option<BTreeSet<String>>,
    /// Whether the listing leaves out a skill whose folder has such a name, too. `false` by default.
    pub disabled_folders: bool,
    /// What the machine is called.
    pub platforms: Platforms,
    /// Environments that are known, and whether the session runs in them. A skill for one that is not known is for all.
    pub environments: BTreeMap<String, bool>,
    /// Tools that the session has; `None` where that is not known, and then no skill is judged by them.
    pub tools: Option<ToolSets>,
}

/// What a machine is called in the field `platforms`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Platforms {
    /// The system's own name; every beginning of it is a name too, also the empty one.
    pub system: String,
    /// Words that stand for the name of a system.
    pub words: BTreeMap<String, String>,
    /// Names that the machine has besides, whole.
    pub also: BTreeSet<String>,
}

/// Tools that a session has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolSets {
    /// Single tools, by name.
    pub tools: BTreeSet<String>,
    /// Sets of tools, by name.
    pub toolsets: BTreeSet<String>,
}

impl Platforms {
    fn includes(&self, written: &str) -> bool {
        let written = written.trim().to_lowercase();
        let name = self.words.get(&written).unwrap_or(&written);
        self.system.starts_with(name.as_str()) || self.also.contains(name)
    }
}

/// Returns whether a value says something, as a program in Python sees it.
fn says(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) => true,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

/// Returns the texts of a list, or of one value; none where the field says nothing.
fn words(skill: &Skill, field: &str) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match skill.frontmatter.get(field).filter(|value| says(value)) {
        None => Vec::new(),
        Some(Value::Array(items)) => items.iter().map(text).collect(),
        Some(one) => vec![text(one)],
    }
}

/// What a condition about tools names.
enum Named {
    All(Vec<String>),
    /// Neither a list nor a text.
    Nonsense,
}

/// Returns what a condition names. A text is taken letter by letter, as the program does that made these fields up: so
/// written, a condition hardly ever holds.
fn named(conditions: Option<&Value>, field: &str) -> Named {
    // What is no text is kept in a form that no tool is called by.
    let text = |value: &Value| value.as_str().map_or_else(|| format!("({value})"), str::to_owned);
    match conditions.and_then(|conditions| conditions.get(field)) {
        None => Named::All(Vec::new()),
        Some(Value::Array(items)) => Named::All(items.iter().map(text).collect()),
        Some(Value::String(text)) => Named::All(text.chars().map(String::from).collect()),
        Some(Value::Object(map)) => Named::All(map.keys().cloned().collect()),
        Some(_) => Named::Nonsense,
    }
}

impl Conditions {
    fn refusal(&self, skill: &Skill, route: Route) -> Option<Refusal> {
        if let Some(name) = self.disabled_by(skill, route) {
            let help = format!("The settings switch `{name}` off.");
            return Some(Refusal::new("disabled").with_help(help));
        }
        let platforms = words(skill, "platforms");
        if !platforms.is_empty() && !platforms.iter().any(|name| self.platforms.includes(name)) {
            let help = format!("The skill is only for: {}.", platforms.join(", "));
            return Some(Refusal::new("platform").with_help(help));
        }
        if matches!(route, Route::Listing | Route::Mention | Route::Command) {
            let environments = words(skill, "environments");
            let fits = |name: &String| {
                self.environments.get(&name.trim().to_lowercase()).is_none_or(|active| *active)
            };
            if !environments.is_empty() && !environments.iter().any(fits) {
                let help = format!("The skill is only for: {}.", environments.join(", "));
                return Some(Refusal::new("environment").with_help(help));
            }
        }
        let tools = self.tools.as_ref().filter(|_| route == Route::Listing)?;
        tools.refusal(skill)
    }

    /// Returns the name by which a skill is switched off.
    fn disabled_by(&self, skill: &Skill, route: Route) -> Option<&str> {
        let for_tools = self.disabled_for_tools.as_ref().filter(|_| route == Route::Tool);
        if let Some(name) = for_tools.unwrap_or(&self.disabled).get(skill.call_name()) {
            return Some(name);
        }
        let location = skill.shown_location();
        let folder = location.rsplit('/').nth(1)?;
        let counts = self.disabled_folders && route == Route::Listing;
        self.disabled.get(folder).filter(|_| counts).map(String::as_str)
    }
}

impl ToolSets {
    fn refusal(&self, skill: &Skill) -> Option<Refusal> {
        let conditions = skill.frontmatter.get("metadata").and_then(|metadata| metadata.get("hermes"));
        let checks = [
            ("fallback_for_toolsets", &self.toolsets, "fallback"),
            ("fallback_for_tools", &self.tools, "fallback"),
            ("requires_toolsets", &self.toolsets, "tools"),
            ("requires_tools", &self.tools, "tools"),
        ];
        for (field, there, rule) in checks {
            let Named::All(names) = named(conditions, field) else {
                let help = format!("`metadata.hermes.{field}` must be a list of names.");
                return Some(Refusal::new("condition-invalid").with_help(help));
            };
            let stands_in = rule == "fallback";
            if let Some(name) = names.iter().find(|name| there.contains(*name) == stands_in) {
                let help = if stands_in {
                    format!("The skill stands in for `{name}`, which is there.")
                } else {
                    format!("The skill needs `{name}`, which is not there.")
                };
                return Some(Refusal::new(rule).with_help(help));
            }
        }
        None
    }
}

impl Authorizer for Conditions {
    fn admit(&self, request: &AdmitRequest<'_>) -> Admission {
        match self.refusal(request.skill, request.route) {
            Some(refusal) => Admission::Refused(refusal),
            None => Admission::Admitted,
        }
    }

    fn clear(&self, _request: &ClearRequest<'_>) -> Clearance {
        Clearance::Cleared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Locator, SkillId, SourceId};
    use serde_json::json;

    #[expect(clippy::needless_pass_by_value, reason = "tests read best with the value in its place")]
    fn skill(fields: Value) -> Skill {
        let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/folder/SKILL.md".into()));
        let mut skill = Skill::new(id, "name", "d");
        for (key, value) in fields.as_object().expect("fields") {
            skill.frontmatter.insert(key.clone(), value.clone());
        }
        skill
    }

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn rule(conditions: &Conditions, fields: Value, route: Route) -> Option<String> {
        conditions.refusal(&skill(fields), route).map(|refusal| refusal.rule)
    }

    #[test]
    fn platforms_match_by_the_beginning_of_the_system() {
        let words = [("macos", "darwin"), ("windows", "win32")];
        let words = words.map(|(word, name)| (word.to_owned(), name.to_owned())).into();
        let platforms = Platforms { system: "linux".to_owned(), words, also: set(&["termux"]) };
        let conditions = Conditions { platforms, ..Conditions::default() };
        for fits in [
            json!(["linux"]),
            json!("linux"),
            json!(["Windows", " LINUX "]),
            json!([]),
            json!(""),
            json!([""]),
            json!(["lin"]),
            json!(["termux"]),
            json!(null),
            json!(0),
        ] {
            assert_eq!(rule(&conditions, json!({"platforms": fits}), Route::Tool), None, "{fits}");
        }
        for other in [json!(["macos"]), json!(["term"]), json!({"linux": true}), json!(5), json!("[linux]")] {
            let refused = rule(&conditions, json!({"platforms": other}), Route::Listing);
            assert_eq!(refused.as_deref(), Some("platform"), "{other}");
        }
        assert_eq!(rule(&conditions, json!({"platform": "macos"}), Route::Listing), None);
    }

    #[test]
    fn environments_are_for_listings_and_users() {
        let environments = [("kanban".to_owned(), false), ("docker".to_owned(), true)].into();
        let conditions = Conditions { environments, ..Conditions::default() };
        let rule = |fields: Value, route| rule(&conditions, json!({"environments": fields}), route);
        assert_eq!(rule(json!(["kanban"]), Route::Listing).as_deref(), Some("environment"));
        assert_eq!(rule(json!("kanban"), Route::Command).as_deref(), Some("environment"));
        assert_eq!(rule(json!(["kanban"]), Route::Tool), None);
        for fits in [json!(["kanban", "docker"]), json!(["unknown"]), json!([]), json!(["kanban", "x"])] {
            assert_eq!(rule(fits, Route::Listing), None);
        }
    }

    #[test]
    fn tools_are_asked_about_where_they_are_known() {
        let tools = ToolSets { tools: set(&["terminal"]), toolsets: set(&["web"]) };
        let known = Conditions { tools: Some(tools), ..Conditions::default() };
        let none = Conditions { tools: Some(ToolSets::default()), ..Conditions::default() };
        let unknown = Conditions::default();
        let rule = |conditions: &Conditions, hermes: Value| {
            rule(conditions, json!({"metadata": {"hermes": hermes}}), Route::Listing)
        };
        for (field, name) in [("requires_tools", "terminal"), ("requires_toolsets", "web")] {
            let needs = json!({ field: [name] });
            assert_eq!(rule(&known, needs.clone()), None);
            assert_eq!(rule(&none, needs.clone()).as_deref(), Some("tools"));
            assert_eq!(rule(&unknown, needs), None);
            let text = json!({ field: name });
            assert_eq!(rule(&known, text).as_deref(), Some("tools"), "letter by letter");
            let number = json!({ field: [5] });
            assert_eq!(rule(&known, number).as_deref(), Some("tools"), "no tool is a number");
            let nonsense = json!({ field: null });
            assert_eq!(rule(&known, nonsense.clone()).as_deref(), Some("condition-invalid"));
            assert_eq!(rule(&unknown, nonsense), None);
        }
        for (field, name) in [("fallback_for_tools", "terminal"), ("fallback_for_toolsets", "web")] {
            let for_want_of = json!({ field: [name, "other"] });
            assert_eq!(rule(&known, for_want_of.clone()).as_deref(), Some("fallback"));
            assert_eq!(rule(&none, for_want_of), None);
        }
        let both = skill(json!({"metadata": {"hermes": {"requires_tools": ["other"]}}}));
        assert_eq!(known.refusal(&both, Route::Command), None, "only the listing minds");
    }

    #[test]
    fn disabled_is_a_name_and_for_the_listing_a_folder() {
        let off = |names: &[&str]| Conditions { disabled: set(names), ..Conditions::default() };
        let by = |conditions: &Conditions, route| rule(conditions, json!({}), route).is_some();
        assert!(by(&off(&["name"]), Route::Listing) && by(&off(&["name"]), Route::Tool));
        assert!(!by(&off(&["Name"]), Route::Listing));
        let tools = Conditions { disabled_for_tools: Some(set(&["other"])), ..off(&["name"]) };
        assert!(by(&tools, Route::Listing) && !by(&tools, Route::Tool));
        let folder = Conditions { disabled_folders: true, ..off(&["folder"]) };
        assert!(by(&folder, Route::Listing) && !by(&folder, Route::Tool));
        assert!(!by(&off(&["folder"]), Route::Listing));
    }
}
