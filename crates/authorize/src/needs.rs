//! What a skill's metadata says that it needs, in the form of OpenClaw 2026.9.6 (section 5.1 of its notes).

use lorimer_core::Skill;
use lorimer_core::text::nesting;
use serde_json::{Map, Value};

/// Names of the block in `metadata`, the current one first.
const BLOCKS: [&str; 2] = ["openclaw", "clawdbot"];

/// What a skill needs of the machine and its settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The key of the skill's settings, where it is not its name.
    pub key: Option<String>,
    /// Nothing but the platform counts.
    pub always: bool,
    /// Platforms that it is for (`darwin`, `linux`, `win32`); empty means all.
    pub os: Vec<String>,
    /// The variable that stands for its credential.
    pub primary_env: Option<String>,
    /// Programs, all of them.
    pub bins: Vec<String>,
    /// Programs, one of them.
    pub any_bins: Vec<String>,
    /// Variables of the environment.
    pub env: Vec<String>,
    /// Settings, as dotted keys.
    pub config: Vec<String>,
}

impl Needs {
    /// Reads what a skill needs. What cannot be read needs nothing, as in the program.
    pub fn of(skill: &Skill) -> Self {
        let read;
        let metadata = match skill.frontmatter.get("metadata") {
            // The text may be JSON or, as people write it, JSON5.
            Some(Value::String(text)) => {
                read = value(text).unwrap_or(Value::Null);
                &read
            }
            Some(value) => value,
            None => return Self::default(),
        };
        let Some(block) = BLOCKS.iter().find_map(|name| metadata.get(*name)?.as_object()) else {
            return Self::default();
        };
        let text = |key: &str| block.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty());
        let empty = Map::new();
        let requires = block.get("requires").and_then(Value::as_object).unwrap_or(&empty);
        Self {
            key: text("skillKey").map(str::to_owned),
            always: block.get("always") == Some(&Value::Bool(true)),
            os: words(block.get("os")),
            primary_env: text("primaryEnv").map(str::to_owned),
            bins: words(requires.get("bins")),
            any_bins: words(requires.get("anyBins")),
            env: words(requires.get("env")),
            config: words(requires.get("config")),
        }
    }

    /// Returns the key of the skill's settings.
    pub fn key<'a>(&'a self, skill: &'a Skill) -> &'a str {
        self.key.as_deref().unwrap_or(&skill.name)
    }
}

/// The parser of JSON5 descends without a limit, so what nests deeper is not given to it.
const MOST_NESTING: usize = 64;

fn value(text: &str) -> Option<Value> {
    let json5 = || if nesting(text) > MOST_NESTING { None } else { json5::from_str(text).ok() };
    serde_json::from_str(text).ok().or_else(json5)
}

/// Returns the words of a list, or those between the commas of a text.
fn words(value: Option<&Value>) -> Vec<String> {
    let words: Vec<String> = match value {
        Some(Value::String(text)) => text.split(',').map(str::to_owned).collect(),
        Some(Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned)).collect()
        }
        _ => Vec::new(),
    };
    words.iter().map(|word| word.trim()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Locator, SkillId, SourceId};
    use proptest::prelude::*;
    use serde_json::json;

    fn needs(metadata: Value) -> Needs {
        let id = SkillId::new(SourceId::new("host"), Locator::Path("/x/SKILL.md".into()));
        let mut skill = Skill::new(id, "x", "");
        skill.frontmatter.insert("metadata".to_owned(), metadata);
        Needs::of(&skill)
    }

    #[test]
    fn metadata_is_a_mapping_or_a_text_of_json() {
        let wanted = Needs { bins: vec!["sh".to_owned(), "cat".to_owned()], ..Needs::default() };
        for metadata in [
            json!({"openclaw": {"requires": {"bins": ["sh", " cat "]}}}),
            json!({"openclaw": {"requires": {"bins": "sh, ,cat"}}}),
            json!({"clawdbot": {"requires": {"bins": ["sh", "cat"]}}}),
            json!(r#"{"openclaw": {"requires": {"bins": ["sh", "cat"]}}}"#),
            json!("{ openclaw: { requires: { bins: ['sh', 'cat',], }, }, } // so"),
        ] {
            assert_eq!(needs(metadata.clone()), wanted, "{metadata}");
        }
        let both = json!({"clawdbot": {"always": true}, "openclaw": {"skillKey": " k ", "os": ["linux"]}});
        let both = needs(both);
        assert_eq!((both.key.as_deref(), both.always, both.os.len()), (Some("k"), false, 1));
    }

    #[test]
    fn what_cannot_be_read_needs_nothing() {
        for metadata in [
            json!("{ not json"),
            json!("[".repeat(200_000)),
            json!(null),
            json!([1]),
            json!({"openclaw": "x"}),
            json!({"openclaw": {"requires": [], "always": "true", "skillKey": 7, "os": {}}}),
            json!({"openclaw": {"requires": {"bins": [], "anyBins": ""}}}),
        ] {
            assert_eq!(needs(metadata), Needs::default());
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in r#"(\PC|[{}\[\]:,'"/*]|openclaw|requires|bins){0,30}"#) {
            needs(Value::String(text));
        }
    }
}
