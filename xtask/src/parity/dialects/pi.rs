//! The recordings of Pi.

use lorimer::core::{Code, Skill};
use lorimer::{Host, Told, Turn, View};
use serde_json::{Map, Value, json};

use super::Dialect;
use crate::parity::answer::{entries, text};
use crate::parity::case::Options;
use crate::parity::host::Labels;
use crate::parity::layout::Layout;

pub(super) struct Pi;

impl Dialect for Pi {
    fn path(&self, skill: &Skill) -> String {
        skill.shown_location()
    }

    fn understood(&self) -> &'static [&'static str] {
        &["hidden_tools"]
    }

    fn surroundings(&self, host: &mut Host, options: &Options, _layout: &Layout) -> anyhow::Result<()> {
        host.unnamed_tools = options.texts("hidden_tools").into_iter().map(str::to_owned).collect();
        Ok(())
    }

    fn placed(&self, _host: &Host, labels: &Labels, view: &View, answer: &mut Map<String, Value>) {
        if let Some(Value::Array(rows)) = answer.get_mut("loaded") {
            for (row, skill) in rows.iter_mut().zip(view.snapshot.skills()) {
                // A place that somebody named, as opposed to one that is always looked at.
                let named = labels.place_of(skill).is_some_and(|place| place.contains("{each "));
                row["source"] = json!(if named { "local" } else { "auto" });
            }
        }
        for field in ["errors", "warnings", "logged"] {
            let Some(Value::Array(facts)) = answer.get_mut(field) else { continue };
            for fact in facts {
                in_the_programs_words(fact, view);
            }
        }
    }

    /// What commands of the user load is not built.
    fn turned(&self, turn: &Turn, answer: &mut Map<String, Value>) {
        // The listing stands in the system prompt, so it is there in every turn.
        if turn.told == Told::Unchanged {
            answer.insert("entries".to_owned(), entries(&turn.catalog));
        }
        answer.remove("injected");
        answer.remove("bodies_in_context");
    }

    /// The program says what is wrong with files, names and places, as warnings too.
    fn counts(&self, field: &str, fact: &Value) -> bool {
        let said = [
            "missing-description",
            "invalid-frontmatter",
            "invalid-name",
            "description-too-long",
            "name-collision",
        ];
        match field {
            "errors" => {
                said.contains(&text(fact, "kind")) || text(fact, "code") == Code::RootMissing.as_str()
            }
            _ => super::codex::counts(field, fact),
        }
    }
}

fn in_the_programs_words(fact: &mut Value, view: &View) {
    let message = text(fact, "message").to_owned();
    let code: Option<Code> = text(fact, "code").parse().ok();
    match code {
        // Without a frontmatter that it sees, all that it misses is the description.
        Some(Code::FrontmatterMissing | Code::FrontmatterUnclosed | Code::FrontmatterNotMapping) => {
            fact["kind"] = json!("missing-description");
        }
        // A name that is taken from the folder is nothing to remark on.
        Some(Code::NameMissing) => fact["kind"] = Value::Null,
        Some(Code::NameInvalid) => {
            let rule = ["characters", "start", "consecutive"].into_iter().find(|word| message.contains(word));
            fact["recorded"] = json!({"rule": rule});
        }
        Some(Code::NameTooLong) => fact["recorded"] = json!({"rule": "length"}),
        Some(Code::Shadowed | Code::NameCollision) => {
            let skill =
                view.snapshot.skills().find(|skill| message.contains(&format!("`{}`", skill.call_name())));
            fact["kind"] = json!("name-collision");
            fact["recorded"] = json!({"winner": skill.map(|skill| skill.shown_location())});
        }
        _ => {}
    }
}
