//! The policy made of rules for tool calls, what a user made of single skills, and opened files.

use std::collections::HashMap;
use std::path::PathBuf;

use lorimer_core::{Refusal, Route, Skill};
use serde_json::Value;

use crate::{Admission, AdmitRequest, Authorizer, ClearRequest, Clearance, PathCondition, Question};

/// Fields by which a skill asks for more than its text: with one of them set, the model's call needs a person's word.
const POWERS: [&str; 3] = ["allowed-tools", "disallowed-tools", "hooks"];

/// What a user made of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// As its author made it.
    On,
    /// The listing shows the name alone.
    NameOnly,
    /// The model may not choose it.
    UserOnly,
    /// Nobody may use it.
    Off,
}

/// Whose calls a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallRule {
    /// Every skill's.
    Every,
    /// Those of the skill with this name.
    Name(String),
    /// Those of skills whose name begins with this.
    Prefix(String),
}

impl CallRule {
    /// Reads a rule as `TOOL`, `TOOL(name)`, `TOOL(name *)` or `TOOL(name:*)`; `None` for a rule about another tool.
    ///
    /// ```
    /// use lorimer_authorize::CallRule;
    /// assert_eq!(CallRule::parse("Skill", "Skill(deploy)"), Some(CallRule::Name("deploy".to_owned())));
    /// assert_eq!(CallRule::parse("Skill", "Skill(review *)"), Some(CallRule::Prefix("review".to_owned())));
    /// assert_eq!(CallRule::parse("Skill", "Bash(ls *)"), None);
    /// ```
    pub fn parse(tool: &str, rule: &str) -> Option<Self> {
        let rest = rule.trim().strip_prefix(tool)?;
        if rest.is_empty() {
            return Some(Self::Every);
        }
        let name = rest.strip_prefix('(')?.strip_suffix(')')?.trim();
        let name = name.strip_prefix('/').unwrap_or(name);
        if matches!(name, "" | "*") {
            return Some(Self::Every);
        }
        let prefix = name.strip_suffix(" *").or_else(|| name.strip_suffix(":*"));
        Some(prefix.map_or_else(|| Self::Name(name.to_owned()), |prefix| Self::Prefix(prefix.to_owned())))
    }

    fn is_about(&self, name: &str) -> bool {
        match self {
            Self::Every => true,
            Self::Name(own) => own == name,
            Self::Prefix(prefix) => name.starts_with(prefix.as_str()),
        }
    }
}

/// Decides by rules for tool calls, by what the user made of single skills, by the skill's own wishes and by the files that
/// the session has opened.
///
/// | refusal | when | routes |
/// |---|---|---|
/// | `paths` | no file was opened that the skill waits for ([`PathCondition`]) | all |
/// | `override` | the user switched it off, or, where the model is to choose it, made it their own | all |
/// | `explicit-only` | its author keeps it from the model | listing, tool |
/// | `not-user-invocable` | its author keeps it from users | mention, command, structured |
/// | `denied` | a rule denies its name, the name behind its namespace or its label | tool |
///
/// A denied skill stays in the listing, and a user may call it. A call that a rule wants a person asked about, and one of a
/// skill with `allowed-tools`, `disallowed-tools` or `hooks` that no rule allows, is a question. Rules that allow are about
/// the name that the skill is called by and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Permissions {
    /// What the user made of skills, by the name that they are called by.
    pub overrides: HashMap<String, Visibility>,
    /// Rules that deny.
    pub deny: Vec<CallRule>,
    /// Rules that want a person asked.
    pub ask: Vec<CallRule>,
    /// Rules that allow.
    pub allow: Vec<CallRule>,
    /// Files that the session has opened, seen from the project's root; others match no pattern.
    pub opened: Vec<PathBuf>,
}

const QUESTION_PREFIX: &str = "skill-call:";

impl Permissions {
    fn visibility(&self, skill: &Skill) -> Visibility {
        self.overrides.get(skill.call_name()).copied().unwrap_or(Visibility::On)
    }

    fn refusal(&self, skill: &Skill, route: Route) -> Option<Refusal> {
        if PathCondition::of(skill).is_some_and(|condition| !condition.is_met(&self.opened)) {
            let help = "It waits until a file is opened that its `paths` match.";
            return Some(Refusal::new("paths").with_help(help));
        }
        let by_user = matches!(route, Route::Mention | Route::Command | Route::Structured);
        let refused = match self.visibility(skill) {
            Visibility::Off => true,
            Visibility::UserOnly => route.is_implicit(),
            Visibility::On | Visibility::NameOnly => false,
        };
        if refused {
            let help = format!("`skillOverrides` says so for `{}`.", skill.call_name());
            return Some(Refusal::new("override").with_help(help));
        }
        if route.is_implicit() && !skill.policy.implicit {
            return Some(Refusal::new("explicit-only").with_help(
                "Its author wants it to be used only when a person asks for it: ask them to run it.",
            ));
        }
        if by_user && !skill.policy.user_invocable {
            return Some(
                Refusal::new("not-user-invocable")
                    .with_help("Its author wants it to be chosen by the model, not called by a user."),
            );
        }
        if route == Route::Tool && self.deny.iter().any(|rule| names(skill).any(|name| rule.is_about(name))) {
            return Some(Refusal::new("denied").with_help("A rule under `permissions.deny` names it."));
        }
        None
    }

    fn needs_approval(&self, skill: &Skill) -> bool {
        let is_about = |rules: &[CallRule]| rules.iter().any(|rule| rule.is_about(skill.call_name()));
        let powers = POWERS.iter().filter_map(|field| skill.frontmatter.get(*field));
        is_about(&self.ask) || (powers.into_iter().any(says_something) && !is_about(&self.allow))
    }
}

/// Returns every name that a rule may deny a skill by.
fn names(skill: &Skill) -> impl Iterator<Item = &str> {
    let label = skill.frontmatter.get("name").and_then(Value::as_str);
    [skill.call_name(), &skill.name].into_iter().chain(label)
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

impl Authorizer for Permissions {
    fn admit(&self, request: &AdmitRequest<'_>) -> Admission {
        let AdmitRequest { skill, route, approved } = *request;
        if let Some(refusal) = self.refusal(skill, route) {
            return Admission::Refused(refusal);
        }
        let id = format!("{QUESTION_PREFIX}{}", skill.call_name());
        if route != Route::Tool || !self.needs_approval(skill) || approved.contains(&id) {
            return Admission::Admitted;
        }
        Admission::Ask(Question {
            id,
            text: format!(
                "The skill `{}` changes which tools may be used, or brings hooks. May it be loaded?",
                skill.call_name()
            ),
            options: vec!["Load it".to_owned(), "Leave it".to_owned()],
        })
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

    fn skill(name: &str, fields: Value) -> Skill {
        let id = SkillId::new(SourceId::new("host"), Locator::Path(format!("/s/{name}/SKILL.md").into()));
        let mut skill = Skill::new(id, name, "d");
        let Value::Object(fields) = fields else { panic!("fields") };
        skill.frontmatter = fields.into_iter().collect();
        skill
    }

    fn rules(rules: &[&str]) -> Vec<CallRule> {
        rules.iter().filter_map(|rule| CallRule::parse("Skill", rule)).collect()
    }

    fn answer(policy: &Permissions, skill: &Skill, route: Route) -> String {
        match policy.admit(&AdmitRequest { skill, route, approved: &[] }) {
            Admission::Admitted => "yes".to_owned(),
            Admission::Refused(refusal) => refusal.rule,
            Admission::Ask(question) => question.id,
        }
    }

    #[test]
    fn rules_are_read_as_they_are_written() {
        assert_eq!(
            rules(&[
                "Skill",
                "Skill(a)",
                "Skill( /a )",
                "Skill(a *)",
                "Skill(a:*)",
                "Skill(*)",
                "Skills",
                "Skill(a"
            ]),
            [
                CallRule::Every,
                CallRule::Name("a".to_owned()),
                CallRule::Name("a".to_owned()),
                CallRule::Prefix("a".to_owned()),
                CallRule::Prefix("a".to_owned()),
                CallRule::Every,
            ]
        );
    }

    /// A denied skill stays listed; folder, label and the name behind a namespace all hit.
    #[test]
    fn deny_is_about_the_tool_and_every_name() {
        let policy = Permissions { deny: rules(&["Skill(lab)", "Skill(deploy)"]), ..Permissions::default() };
        let labelled = skill("dd", json!({"name": "lab"}));
        let mut nested = skill("deploy", json!({}));
        nested.qualified_name = Some("apps/web:deploy".to_owned());
        for skill in [&labelled, &nested] {
            assert_eq!(answer(&policy, skill, Route::Tool), "denied");
            assert_eq!(answer(&policy, skill, Route::Listing), "yes");
            assert_eq!(answer(&policy, skill, Route::Command), "yes");
        }
        let allowed = Permissions { allow: rules(&["Skill(deploy)"]), ..Permissions::default() };
        nested.frontmatter.insert("hooks".to_owned(), json!({"Stop": []}));
        assert_eq!(answer(&allowed, &nested, Route::Tool), "skill-call:apps/web:deploy", "its own name only");
    }

    #[test]
    fn powers_need_a_word_unless_a_rule_gives_it() {
        let policy = Permissions { allow: rules(&["Skill(review-pr *)"]), ..Permissions::default() };
        for (name, fields, asks) in [
            ("a", json!({"allowed-tools": "Read"}), true),
            ("a", json!({"allowed-tools": ["Read", "Edit"]}), true),
            ("a", json!({"allowed-tools": "", "disallowed-tools": "", "hooks": {}}), false),
            ("a", json!({"disallowed-tools": "Write"}), true),
            ("a", json!({"hooks": {"Stop": []}}), true),
            (
                "a",
                json!({"model": "inherit", "effort": "max", "agent": "Explore", "shell": "bash", "x": 1}),
                false,
            ),
            ("review-pr", json!({"allowed-tools": "Read"}), false),
            ("review-prs", json!({"allowed-tools": "Read"}), false),
            ("review", json!({"allowed-tools": "Read"}), true),
        ] {
            let skill = skill(name, fields);
            let tool = answer(&policy, &skill, Route::Tool);
            assert_eq!(tool != "yes", asks, "{skill:?}");
            assert_eq!(answer(&policy, &skill, Route::Command), "yes", "a person who calls it has decided");
            assert_eq!(answer(&policy, &skill, Route::Listing), "yes");
            let approved = [tool];
            let again =
                policy.admit(&AdmitRequest { skill: &skill, route: Route::Tool, approved: &approved });
            assert_eq!(again, Admission::Admitted);
        }
        let asking =
            Permissions { ask: rules(&["Skill(a)"]), allow: rules(&["Skill"]), ..Permissions::default() };
        assert_eq!(
            answer(&asking, &skill("a", json!({})), Route::Tool),
            "skill-call:a",
            "ask goes before allow"
        );
    }

    #[test]
    fn users_and_authors_decide_who_may_use_a_skill() {
        let overrides =
            [("mine", Visibility::UserOnly), ("gone", Visibility::Off), ("short", Visibility::NameOnly)];
        let overrides = overrides.map(|(name, visibility)| (name.to_owned(), visibility)).into();
        let policy = Permissions { overrides, ..Permissions::default() };
        let mut dead = skill("dead", json!({}));
        dead.policy.implicit = false;
        dead.policy.user_invocable = false;
        for (skill, listing, tool, command) in [
            (skill("mine", json!({})), "override", "override", "yes"),
            (skill("gone", json!({})), "override", "override", "override"),
            (skill("short", json!({})), "yes", "yes", "yes"),
            (dead, "explicit-only", "explicit-only", "not-user-invocable"),
            (skill("waits", json!({"paths": "*.ts"})), "paths", "paths", "paths"),
        ] {
            let answers =
                [Route::Listing, Route::Tool, Route::Command].map(|route| answer(&policy, &skill, route));
            assert_eq!(answers, [listing, tool, command], "{}", skill.name);
        }
        let opened = Permissions { opened: vec!["src/a.ts".into()], ..Permissions::default() };
        assert_eq!(answer(&opened, &skill("waits", json!({"paths": "*.ts"})), Route::Tool), "yes");
    }
}
