//! Who may start the skill, and fields that have no effect beside others.

use lorimer_core::{Code, Diagnostic};
use serde_json::Value;

use super::subject::Looked;
use crate::frontmatter::Field;

const OFF: &str = "disable-model-invocation";
const USER: &str = "user-invocable";

pub(super) fn look(looked: &Looked<'_>, found: &mut Vec<Diagnostic>) {
    let model_off = truth(looked, OFF);
    let user = truth(looked, USER);
    if let (Some(true), Some(false), Some(field)) = (model_off, user, looked.field(USER)) {
        found.push(
            looked
                .finding(
                    Code::Unreachable,
                    format!("with `{OFF}: true` and `{USER}: false` nobody can start the skill"),
                    &field.key_place,
                )
                .with_help("take one of the two out"),
        );
    }
    disagreement(looked, model_off, user, found);
    let hidden = model_off == Some(true);
    let text = |key: &str| looked.outcome.fields.get(key).and_then(Value::as_str);
    let forked = text("context").is_some_and(|context| context.trim() == "fork");
    for (key, dead, because) in [
        ("when_to_use", hidden, "the model does not see it: `disable-model-invocation` is true"),
        ("paths", hidden, "nothing is loaded by itself: `disable-model-invocation` is true"),
        ("argument-hint", user == Some(false), "no user types the skill's name: `user-invocable` is false"),
        ("agent", !forked, "it counts only with `context: fork`"),
        ("background", !forked, "it counts only with `context: fork`"),
    ] {
        if let Some(field) = looked.field(key).filter(|_| dead) {
            let message = format!("`{key}` has no effect, because {because}");
            found.push(looked.finding(Code::FieldWithoutEffect, message, &field.key_place));
        }
    }
}

/// Codex reads `agents/openai.yaml` and not the frontmatter's flags, the others the other way round.
fn disagreement(
    looked: &Looked<'_>,
    model_off: Option<bool>,
    user: Option<bool>,
    found: &mut Vec<Diagnostic>,
) {
    let Some(openai) = &looked.openai else { return };
    let implicit = openai.policy.implicit;
    let at = |field: Option<&Field>| field.map(|field| field.key_place.clone());
    let (place, message) = match (model_off, implicit) {
        (Some(true), true) => (
            at(looked.field(OFF)),
            format!(
                "`{OFF}: true` keeps the skill from the model, and agents/openai.yaml lets Codex's model choose it"
            ),
        ),
        (Some(false), false) => (
            at(looked.field(OFF)),
            format!(
                "`{OFF}: false` lets the model choose the skill, and agents/openai.yaml forbids it to Codex's"
            ),
        ),
        (None, false) if user == Some(false) => (
            at(looked.field(USER)),
            format!(
                "`{USER}: false` leaves the skill to the model, and agents/openai.yaml keeps it from Codex's model"
            ),
        ),
        _ => return,
    };
    if let Some(place) = place {
        let help = match model_off {
            Some(true) => "write `policy.allow_implicit_invocation: false` there too",
            _ => "let `policy.allow_implicit_invocation` there say the same",
        };
        found.push(looked.finding(Code::FlagsDisagree, message, &place).with_help(help));
    }
}

/// Reads a flag as the most tolerant client does.
fn truth(looked: &Looked<'_>, key: &str) -> Option<bool> {
    let value = looked.outcome.fields.get(key)?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_lowercase);
    match text.trim() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}
