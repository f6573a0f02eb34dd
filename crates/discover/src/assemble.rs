//! From what was read to a skill.

use indexmap::IndexMap;
use lorimer_core::{Code, Diagnostic, Locator, Skill, SkillId, text};
use serde_json::Value;

use crate::Reading;
use crate::frontmatter::{Finding, Head, check_name};

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
        let folder = if reading.fold_whitespace { text::fold_whitespace(folder) } else { folder.to_owned() };
        outcome.findings.extend(check_name(&folder, reading));
        name = Some(if folder.is_empty() { "skill".to_owned() } else { folder });
    }
    if reading.strict_invocation {
        outcome.findings.extend(misused_invocation_field(&outcome.fields));
    }
    diagnostics.extend(outcome.diagnostics(&id.locator));
    if !outcome.is_accepted() {
        return None;
    }
    let mut skill = Skill::new(id, name?, outcome.description.unwrap_or_default());
    if reading.invocation_fields {
        apply_invocation_fields(&mut skill, &outcome.fields, reading.strict_invocation);
    }
    skill.frontmatter = outcome.fields;
    skill.digest = Some(head.digest);
    Some(skill)
}

/// The fields by which several harnesses let an author say who may choose a skill.
fn apply_invocation_fields(skill: &mut Skill, fields: &IndexMap<String, Value>, words: bool) {
    let truth = |value: &Value| truth(value, words);
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
        .find(|key| fields.get(*key).is_some_and(|value| !is_yes_or_no(value)));
    let message = match (misspelt, unclear) {
        (Some(key), _) => format!("`{key}` is no field; write it with hyphens"),
        (None, Some(key)) => format!("`{key}` is neither yes nor no"),
        (None, None) => return None,
    };
    Some(Finding::new(Code::FieldWrongType, message))
}

fn is_yes_or_no(value: &Value) -> bool {
    let words = ["1", "0", "true", "false", "yes", "no", "on", "off"];
    match value {
        Value::Bool(_) => true,
        Value::Number(number) => matches!(number.as_f64(), Some(0.0 | 1.0)),
        Value::String(text) => {
            let number = matches!(text.parse::<f64>(), Ok(0.0 | 1.0));
            number
                || matches!(text.as_str(), "0x1" | "0x0")
                || words.iter().any(|word| text.eq_ignore_ascii_case(word))
        }
        _ => false,
    }
}

fn truth(value: &Value, words: bool) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::String(text) if words => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        },
        Value::String(text) => text.parse().ok(),
        Value::Number(number) if words => number.as_f64().map(|number| number == 1.0),
        _ => None,
    }
}

/// Returns the name of the folder that a locator's last part lies in.
pub(crate) fn folder_of(locator: &Locator) -> String {
    let shown = match locator {
        Locator::Package { package, .. } => return package.rsplit('/').next().unwrap_or_default().to_owned(),
        Locator::Uri(_) | Locator::Path(_) => locator.shown(),
    };
    shown.rsplit('/').nth(1).unwrap_or_default().to_owned()
}
