//! The recordings of DeepSeek Harness.

use std::path::Path;

use lorimer::core::{Code, Skill};
use lorimer::{Host, Turn, View};
use serde_json::{Map, Value, json};

use super::Dialect;
use crate::parity::answer::text;
use crate::parity::case::Step;
use crate::parity::host::Labels;

pub(super) struct DeepSeek;

/// The program has one message for all of these; which one a recording has is a reading of the input.
const ONE_MESSAGE: [&str; 3] = ["missing-description", "invalid-name", "wrong-type"];

impl Dialect for DeepSeek {
    fn placed(&self, _host: &Host, labels: &Labels, _view: &View, answer: &mut Map<String, Value>) {
        for field in ["errors", "warnings", "logged"] {
            let Some(Value::Array(facts)) = answer.get_mut(field) else { continue };
            for fact in facts.iter_mut().filter(|fact| text(fact, "code") == Code::NameCollision.as_str()) {
                let name = text(fact, "message").split('`').nth(1).unwrap_or_default().to_owned();
                let scope = labels.of_path(Path::new(text(fact, "path")));
                // Once for each that loses, without its path.
                *fact = json!({"kind": "shadowed", "name": name, "message": fact["message"], "code": fact["code"],
                    "recorded": {"scope": scope}});
            }
        }
    }

    /// A load that fails makes the program look at its files again.
    fn changes(&self, step: &Step) -> bool {
        step.op == "load" && step.expect.get("error").is_some_and(|error| !error.is_null())
    }

    /// What user messages load is not built.
    fn turned(&self, _turn: &Turn, answer: &mut Map<String, Value>) {
        answer.remove("injected");
    }

    fn path(&self, skill: &Skill) -> String {
        skill.shown_location()
    }

    fn same_kind(&self, recorded: &str, ours: &str) -> bool {
        recorded == ours || (ONE_MESSAGE.contains(&recorded) && ONE_MESSAGE.contains(&ours))
    }
}
