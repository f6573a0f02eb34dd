//! From what was read to a skill.

use indexmap::IndexMap;
use lorimer_core::{Diagnostic, Locator, Skill, SkillId, text};
use serde_json::Value;

use crate::Reading;
use crate::frontmatter::{Head, check_name};

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
    diagnostics.extend(outcome.diagnostics(&id.locator));
    if !outcome.is_accepted() {
        return None;
    }
    let mut skill = Skill::new(id, name?, outcome.description.unwrap_or_default());
    if reading.invocation_fields {
        apply_invocation_fields(&mut skill, &outcome.fields);
    }
    skill.frontmatter = outcome.fields;
    skill.digest = Some(head.digest);
    Some(skill)
}

/// The fields by which several harnesses let an author say who may choose a skill.
fn apply_invocation_fields(skill: &mut Skill, fields: &IndexMap<String, Value>) {
    if fields.get("disable-model-invocation").and_then(truth) == Some(true) {
        skill.policy.implicit = false;
    }
    if fields.get("user-invocable").and_then(truth) == Some(false) {
        skill.policy.user_invocable = false;
    }
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::String(text) => text.parse().ok(),
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
