//! Requirements: a skill is there only where what it needs is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use lorimer_core::{Refusal, Route, Scope, Skill};
use serde_json::Value;

use crate::needs::Needs;
use crate::{Admission, AdmitRequest, Authorizer, ClearRequest, Clearance};

/// Says which programs the machine has. The host looks; this stage does not.
pub trait Programs: Send + Sync + fmt::Debug {
    /// Returns whether a program of this name can be run.
    fn has(&self, name: &str) -> bool;
}

/// A fixed set of programs.
impl Programs for BTreeSet<String> {
    fn has(&self, name: &str) -> bool {
        self.contains(name)
    }
}

/// What the user's settings say about one skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillSettings {
    /// Whether they switch it off.
    pub disabled: bool,
    /// Names of the variables that they set for it.
    pub env: BTreeSet<String>,
    /// Whether they have a credential for it.
    pub has_key: bool,
}

/// Admits skills whose requirements are met, and that the user's settings and the agent's list of skills allow
/// (OpenClaw 2026.9.6, sections 5.1 to 5.3 of its notes).
///
/// A refusal names the first rule that is against the skill: `disabled` by its own settings, `not-in-bundled-list`,
/// `requirements`, `agent-filter`; by routes of the model `explicit-only`, by routes of a person `not-user-invocable`.
#[derive(Clone, Debug)]
pub struct Requirements {
    /// What the settings say, by the key of a skill: that of its metadata, or its name.
    pub settings: BTreeMap<String, SkillSettings>,
    /// Keys or names of the only skills of [`Scope::System`] that are allowed; empty allows all.
    pub bundled: BTreeSet<String>,
    /// The only skills that the agent has, by name; `None` is all.
    pub only: Option<BTreeSet<String>>,
    /// The platform, as in `darwin`, `linux` or `win32`.
    pub platform: String,
    /// Names of the variables that are set.
    pub environment: BTreeSet<String>,
    /// All settings, for skills that require one.
    pub config: Value,
    /// Dotted keys of settings that are on where nothing says otherwise.
    pub on_by_default: &'static [&'static str],
    /// Which programs there are.
    pub programs: Arc<dyn Programs>,
}

impl Default for Requirements {
    /// Returns the policy of a machine that has nothing: no settings, no variables, no programs, no platform.
    fn default() -> Self {
        Self {
            settings: BTreeMap::new(),
            bundled: BTreeSet::new(),
            only: None,
            platform: String::new(),
            environment: BTreeSet::new(),
            config: Value::Null,
            on_by_default: &[],
            programs: Arc::new(BTreeSet::new()),
        }
    }
}

/// What a skill needs and does not find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// Platforms that it is for, where this is none of them.
    pub os: Vec<String>,
    /// Programs.
    pub bins: Vec<String>,
    /// Programs of which none is there.
    pub any_bins: Vec<String>,
    /// Variables.
    pub env: Vec<String>,
    /// Settings.
    pub config: Vec<String>,
}

impl Missing {
    /// Returns whether nothing is missing.
    pub fn is_empty(&self) -> bool {
        self.rows().iter().all(|(_, names)| names.is_empty())
    }

    fn rows(&self) -> [(&'static str, &[String]); 5] {
        [
            ("os", &self.os),
            ("bins", &self.bins),
            ("anyBins", &self.any_bins),
            ("env", &self.env),
            ("config", &self.config),
        ]
    }
}

impl fmt::Display for Missing {
    /// Writes the fields of the requirement and what is missing of each: ``bins `a`, `b`; env `C` ``.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (field, names) in self.rows().iter().filter(|(_, names)| !names.is_empty()) {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            write!(formatter, "{}{field} {}", if first { "" } else { "; " }, names.join(", "))?;
            first = false;
        }
        Ok(())
    }
}

impl Requirements {
    /// Returns what a skill needs and does not find.
    pub fn missing(&self, skill: &Skill) -> Missing {
        self.missing_of(skill, &Needs::of(skill))
    }

    fn missing_of(&self, skill: &Skill, needs: &Needs) -> Missing {
        let mut missing = Missing::default();
        if !needs.os.is_empty() && !needs.os.contains(&self.platform) {
            missing.os.clone_from(&needs.os);
        }
        if needs.always {
            return missing;
        }
        let settings = self.settings.get(needs.key(skill));
        let keep = |names: &[String], has: &dyn Fn(&String) -> bool| -> Vec<String> {
            names.iter().filter(|name| !has(name)).cloned().collect()
        };
        missing.bins = keep(&needs.bins, &|name| self.programs.has(name));
        if !needs.any_bins.iter().any(|name| self.programs.has(name)) {
            missing.any_bins.clone_from(&needs.any_bins);
        }
        missing.env = keep(&needs.env, &|name| {
            self.environment.contains(name)
                || settings.is_some_and(|settings| {
                    settings.env.contains(name)
                        || (settings.has_key && needs.primary_env.as_ref() == Some(name))
                })
        });
        missing.config = keep(&needs.config, &|key| self.is_on(key));
        missing
    }

    /// Returns whether a setting has a value that counts as yes.
    fn is_on(&self, key: &str) -> bool {
        let mut value = Some(&self.config);
        for part in key.split('.').filter(|part| !part.is_empty()) {
            value = value.and_then(|value| value.get(part));
        }
        match value {
            None => self.on_by_default.contains(&key),
            Some(Value::Null) => false,
            Some(Value::Bool(on)) => *on,
            Some(Value::Number(number)) => number.as_f64() != Some(0.0),
            Some(Value::String(text)) => !text.trim().is_empty(),
            Some(Value::Array(_) | Value::Object(_)) => true,
        }
    }

    fn refusal(&self, skill: &Skill, route: Route) -> Option<Refusal> {
        let needs = Needs::of(skill);
        let key = needs.key(skill);
        if self.settings.get(key).is_some_and(|settings| settings.disabled) {
            let help = format!("`skills.entries.{key}.enabled` is false.");
            return Some(Refusal::new("disabled").with_help(help));
        }
        let listed = |name: &str| self.bundled.contains(name);
        if skill.scope == Scope::System && !self.bundled.is_empty() && !listed(key) && !listed(&skill.name) {
            let help = "`skills.allowBundled` names other skills only.";
            return Some(Refusal::new("not-in-bundled-list").with_help(help));
        }
        let missing = self.missing_of(skill, &needs);
        if !missing.is_empty() {
            let help = format!("Something that it requires is not there: {missing}.");
            return Some(Refusal::new("requirements").with_help(help));
        }
        if self.only.as_ref().is_some_and(|only| !only.contains(&skill.name)) {
            let help = "The agent's list of skills does not name it.";
            return Some(Refusal::new("agent-filter").with_help(help));
        }
        if route.is_implicit() && !skill.policy.implicit {
            return Some(Refusal::new("explicit-only").with_help(
                "Its author wants it to be used only when a person asks for it: mention it by name.",
            ));
        }
        let by_user = matches!(route, Route::Mention | Route::Command | Route::Structured);
        if by_user && !skill.policy.user_invocable {
            return Some(
                Refusal::new("not-user-invocable")
                    .with_help("Its author wants it to be chosen by the model, not called by a user."),
            );
        }
        None
    }
}

impl Authorizer for Requirements {
    fn admit(&self, request: &AdmitRequest<'_>) -> Admission {
        match self.refusal(request.skill, request.route) {
            Some(refusal) => Admission::Refused(refusal),
            None => Admission::Admitted,
        }
    }

    fn clear(&self, _request: &ClearRequest<'_>) -> Clearance {
        // What a skill needs is there, or it would not have been admitted.
        Clearance::Cleared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Locator, SkillId, SourceId};
    use serde_json::json;

    fn skill(name: &str, block: &Value) -> Skill {
        let id = SkillId::new(SourceId::new("host"), Locator::Path(format!("/{name}/SKILL.md").into()));
        let mut skill = Skill::new(id, name, "");
        skill.frontmatter.insert("metadata".to_owned(), json!({"openclaw": block}));
        skill
    }

    fn rule(policy: &Requirements, skill: &Skill, route: Route) -> Option<String> {
        policy.refusal(skill, route).map(|refusal| refusal.rule)
    }

    fn machine() -> Requirements {
        let set =
            |names: &[&str]| -> BTreeSet<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        let settings = |env: &[&str], has_key| SkillSettings { disabled: false, env: set(env), has_key };
        Requirements {
            settings: BTreeMap::from([
                ("env-conf".to_owned(), settings(&["B"], false)),
                ("env-key".to_owned(), settings(&[], true)),
                ("off".to_owned(), SkillSettings { disabled: true, ..SkillSettings::default() }),
            ]),
            platform: "linux".to_owned(),
            environment: set(&["HOME"]),
            config: json!({"channels": {"discord": {"token": "x"}, "empty": " ", "none": 0}, "browser": {"off": false}}),
            on_by_default: &["browser.enabled"],
            programs: Arc::new(set(&["sh", "cat"])),
            ..Requirements::default()
        }
    }

    /// The kinds of requirements, each met and not met.
    #[test]
    fn every_requirement_counts() {
        for (name, block, missing) in [
            ("bins", json!({"requires": {"bins": "sh, cat"}}), ""),
            ("bins", json!({"requires": {"bins": ["sh", "no", "nor"]}}), "bins `no`, `nor`"),
            ("any", json!({"requires": {"anyBins": ["no", "sh"]}}), ""),
            ("any", json!({"requires": {"anyBins": ["no"]}}), "anyBins `no`"),
            ("env", json!({"requires": {"env": ["HOME"]}}), ""),
            ("env", json!({"requires": {"env": ["A"], "bins": ["no"]}}), "bins `no`; env `A`"),
            ("env-conf", json!({"requires": {"env": ["B"]}}), ""),
            ("env-key", json!({"primaryEnv": "C", "requires": {"env": ["C"]}}), ""),
            ("env-key", json!({"primaryEnv": "C", "requires": {"env": ["D"]}}), "env `D`"),
            ("config", json!({"requires": {"config": ["channels.discord", "browser.enabled"]}}), ""),
            ("config", json!({"requires": {"config": ["channels.empty"]}}), "config `channels.empty`"),
            ("config", json!({"requires": {"config": ["channels.none"]}}), "config `channels.none`"),
            ("config", json!({"requires": {"config": ["browser.off", "x"]}}), "config `browser.off`, `x`"),
            ("os", json!({"os": ["linux"]}), ""),
            ("os", json!({"os": ["darwin", "win32"], "always": true}), "os `darwin`, `win32`"),
            ("always", json!({"always": true, "requires": {"bins": ["no"]}}), ""),
        ] {
            assert_eq!(machine().missing(&skill(name, &block)).to_string(), missing, "{name} {block}");
        }
    }

    #[test]
    fn settings_are_found_by_the_key_of_the_metadata() {
        let policy = machine();
        assert_eq!(rule(&policy, &skill("off", &json!({})), Route::Listing).as_deref(), Some("disabled"));
        let keyed = skill("other", &json!({"skillKey": "off"}));
        assert_eq!(rule(&policy, &keyed, Route::Mention).as_deref(), Some("disabled"));
        assert_eq!(rule(&policy, &skill("off", &json!({"skillKey": "other"})), Route::Listing), None);
    }

    #[test]
    fn lists_of_names_allow_nothing_else() {
        let names =
            |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
        let mut policy =
            Requirements { only: Some(names(&["a"])), bundled: names(&["b", "key"]), ..machine() };
        let mut bundled = skill("a", &json!({}));
        assert_eq!(rule(&policy, &bundled, Route::Listing), None, "only bundled skills are meant");
        bundled.scope = Scope::System;
        assert_eq!(rule(&policy, &bundled, Route::Listing).as_deref(), Some("not-in-bundled-list"));
        let mut keyed = skill("a", &json!({"skillKey": "key"}));
        keyed.scope = Scope::System;
        assert_eq!(rule(&policy, &keyed, Route::Listing), None);
        let filtered = skill("c", &json!({}));
        assert_eq!(rule(&policy, &filtered, Route::Command).as_deref(), Some("agent-filter"));
        policy.only = Some(BTreeSet::new());
        assert_eq!(rule(&policy, &skill("a", &json!({})), Route::Listing).as_deref(), Some("agent-filter"));
    }

    #[test]
    fn the_authors_wishes_count_by_route() {
        let mut hidden = skill("a", &json!({}));
        hidden.policy.implicit = false;
        assert_eq!(rule(&machine(), &hidden, Route::Listing).as_deref(), Some("explicit-only"));
        assert_eq!(rule(&machine(), &hidden, Route::Mention), None);
        let mut silent = skill("a", &json!({}));
        silent.policy.user_invocable = false;
        assert_eq!(rule(&machine(), &silent, Route::Listing), None);
        assert_eq!(rule(&machine(), &silent, Route::Mention).as_deref(), Some("not-user-invocable"));
    }
}
