//! Turns and commands in the words of OpenClaw's recordings.

use lorimer::{Outcome, Session, Turn};
use serde_json::{Map, Value, json};

use crate::parity::answer::object;

pub(super) fn turned(turn: &Turn, answer: &mut Map<String, Value>) {
    let loaded = turn.selected.iter().filter_map(|selected| match &selected.outcome {
        Outcome::Loaded(cleared) => Some(cleared.loaded()),
        Outcome::Waiting(..) | Outcome::Denied(_) | Outcome::Failed(_) => None,
    });
    let referenced: Vec<Value> = loaded
        .filter(|loaded| loaded.body().is_empty())
        .map(|loaded| {
            let file = loaded.skill().id.locator.shown();
            let named = loaded.item().text.contains(&file);
            json!({"name": loaded.skill().call_name(), "locator": named.then_some(file)})
        })
        .collect();
    if let Some(Value::Array(injected)) = answer.get_mut("injected") {
        injected.retain(|row| row.get("bytes") != Some(&json!(0)));
    }
    answer.insert("role".to_owned(), json!((!referenced.is_empty()).then_some("user")));
    answer.insert("text_unchanged".to_owned(), json!(referenced.is_empty()));
    answer.insert("referenced".to_owned(), Value::Array(referenced));
    // Nothing is sent at all where a message refers to too much.
    let refused = turn.unresolved.iter().find(|row| row.reason.as_str() == "too-many-references");
    if refused.is_some() {
        answer.insert("error".to_owned(), json!("invocation-not-allowed"));
        answer.insert("limit".to_owned(), json!(8));
    }
}

pub(super) fn commands(session: &Session) -> Map<String, Value> {
    let commands = session.commands().into_iter().map(|command| {
        let mut row = object(json!({
            "command": format!("/{}", command.name),
            "name": command.skill_name,
            "model_visible": command.model_visible,
        }));
        if let Some(tool) = command.tool {
            row.insert("dispatch".to_owned(), json!({"kind": "tool", "toolName": tool, "argMode": "raw"}));
        }
        Value::Object(row)
    });
    object(json!({"error": null, "commands": commands.collect::<Vec<_>>()}))
}
