//! From what was read to a skill.

use indexmap::IndexMap;
use lorimer_core::{Code, Diagnostic, Locator, Skill, SkillId, text};
use serde_json::Value;

use crate::Reading;
use crate::frontmatter::{Finding, Head, YesNo, check_name};

/// Makes a skill of a file's head, or says why not. `folder` is the name that stands in for a missing one.
///
/// The diagnostics of an accepted skill are those that do not forbid it.
pub(crate) fn assemble(
    id: SkillId,
    head: Head,
    folder: &str,
    reading: &Reading,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Skill> {
    let mut outcome = head.outcome;
    let mut name = outcome.name.take();
    if name.is_none() && outcome.is_accepted() {
        let folder = if reading.fold_whitespace {
            text::fold_whitespace(folder).into_owned()
        } else {
            folder.to_owned()
        };
        outcome.findings.extend(check_name(&folder, reading));
        name = Some(if folder.is_empty() { "skill".to_owned() } else { folder });
    }
    if reading.yes_no == YesNo::WordsOrReject {
        outcome.findings.extend(misused_invocation_field(&outcome.fields));
    }
    diagnostics.extend(outcome.diagnostics(&id.locator));
    if !outcome.is_accepted() {
        return None;
    }
    let mut skill = Skill::new(id, name?, outcome.description.unwrap_or_default());
    if reading.invocation_fields {
        apply_invocation_fields(&mut skill, &outcome.fields, reading.yes_no);
    }
    skill.frontmatter = outcome.fields;
    skill.digest = Some(head.digest);
    Some(skill)
}

/// The fields by which several harnesses let an author say who may choose a skill.
fn apply_invocation_fields(skill: &mut Skill, fields: &IndexMap<String, Value>, rule: YesNo) {
    let truth = |value: &Value| truth(value, rule);
    if fields.get("disable-model-invocation").and_then(&truth) == Some(true) {
        skill.policy.implicit = false;
    }
    if fields.get("user-invocable").and_then(&truth) == Some(false) {
        skill.policy.user_invocable = false;
    }
}

/// Keys that somebody wrote who meant one of the fields: read as unknown, they would open what was to be closed.
const MISSPELT: [&str; 3] = ["disableModelInvocation", "modelInvocable", "userInvocable"];

/// Returns what is wrong with the fields about who may choose a skill.
fn misused_invocation_field(fields: &IndexMap<String, Value>) -> Option<Finding> {
    let misspelt = MISSPELT.into_iter().find(|key| fields.contains_key(*key));
    let unclear = ["disable-model-invocation", "user-invocable"]
        .into_iter()
        .find(|key| fields.get(*key).is_some_and(|value| truth(value, YesNo::WordsOrReject).is_none()));
    match (misspelt, unclear) {
        (Some(key), _) => Some(Finding::new(
            Code::InvocationFieldMisspelt,
            format!("`{key}` is no field; write it with hyphens"),
        )),
        (None, Some(key)) => {
            Some(Finding::new(Code::FieldWrongType, format!("`{key}` is neither yes nor no")))
        }
        (None, None) => None,
    }
}

fn truth(value: &Value, rule: YesNo) -> Option<bool> {
    if let Value::Bool(value) = value {
        return Some(*value);
    }
    let said = match (rule, value) {
        (YesNo::TrueFalse, Value::String(text)) => return text.parse().ok(),
        (YesNo::TrueFalse, _) | (_, Value::Null) => return None,
        (_, Value::String(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" | "0x1" | "1.0" => Some(true),
            "false" | "no" | "off" | "0" | "0x0" | "0.0" => Some(false),
            _ => None,
        },
        (_, Value::Number(number)) => match number.as_f64() {
            Some(1.0) => Some(true),
            Some(0.0) => Some(false),
            _ => None,
        },
        _ => None,
    };
    said.or_else(|| (rule == YesNo::WordsOrNo).then_some(false))
}

/// Returns the name of the folder that a locator's last part lies in.
pub(crate) fn folder_of(locator: &Locator) -> String {
    let shown = match locator {
        Locator::Package { package, .. } => return package.rsplit('/').next().unwrap_or_default().to_owned(),
        Locator::Uri(_) | Locator::Path(_) => locator.shown(),
    };
    shown.rsplit('/').nth(1).unwrap_or_default().to_owned()
}
