//! `load_skill`: a name in, instructions out.

use lorimer::{Caller, Session, SessionError, ToolAnswer};
use serde_json::{Value, json};

/// The `load_skill` tool: its definition for several APIs, and its call.
#[derive(Clone, Copy, Debug)]
pub struct LoadSkill;

impl LoadSkill {
    /// Name of the tool.
    pub const NAME: &'static str = "load_skill";

    const DESCRIPTION: &'static str =
        "Loads the instructions of one skill from the listing, by its name. It runs nothing.";

    /// Returns the JSON Schema of the arguments: an object with one required string, `name` (S1-16).
    pub fn input_schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Name of the skill, as it stands in the listing"}
            },
            "required": ["name"]
        })
    }

    /// Returns the definition for APIs of the OpenAI kind.
    pub fn for_openai() -> Value {
        json!({
            "type": "function",
            "function": {
                "name": Self::NAME,
                "description": Self::DESCRIPTION,
                "parameters": Self::input_schema()
            }
        })
    }

    /// Returns the definition for APIs of the Anthropic kind.
    pub fn for_anthropic() -> Value {
        json!({"name": Self::NAME, "description": Self::DESCRIPTION, "input_schema": Self::input_schema()})
    }

    /// Returns the definition as MCP lists it.
    pub fn for_mcp() -> Value {
        json!({"name": Self::NAME, "description": Self::DESCRIPTION, "inputSchema": Self::input_schema()})
    }

    /// Answers a call with these arguments. Arguments that are no object with a string `name` are answered as a
    /// blank name is.
    ///
    /// # Errors
    ///
    /// When the session's journal refuses. Everything else is an answer that the model can read.
    pub fn call(session: &mut Session, arguments: &Value) -> Result<ToolAnswer, SessionError> {
        let name = arguments.get("name").and_then(Value::as_str).unwrap_or_default();
        session.load_skill(name, Caller::Model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer::Lifecycle;
    use lorimer::core::SourceId;
    use lorimer::discover::MemorySource;

    /// S1-16: one function, an object with one string property, `name`, required.
    #[test]
    fn s1_16_one_definition_in_the_form_of_each_api() {
        let openai = LoadSkill::for_openai();
        assert_eq!(openai["function"]["name"], "load_skill");
        let schemas = [
            &openai["function"]["parameters"],
            &LoadSkill::for_anthropic()["input_schema"],
            &LoadSkill::for_mcp()["inputSchema"],
        ];
        for schema in schemas {
            assert_eq!(schema["type"], "object");
            assert_eq!(schema["required"], json!(["name"]));
            assert_eq!(schema["properties"]["name"]["type"], "string");
            assert_eq!(schema["properties"].as_object().map(serde_json::Map::len), Some(1));
        }
    }

    /// S1-18, S1-19, S1-27: whatever the model passes, the answer is a text, and nothing is run.
    #[test]
    fn s1_18_s1_19_s1_27_odd_arguments_are_answered() {
        let source = MemorySource::new(SourceId::new("memory"));
        source.add("brew-tea", "Brews tea.", "`touch /tmp/never` Warm the pot.");
        let mut session = Lifecycle::builder().source(source).build().session("s").unwrap();
        let mut text = |arguments: Value| LoadSkill::call(&mut session, &arguments).unwrap().item.text;
        assert!(text(json!({"name": " brew-tea ", "extra": 1})).contains("Warm the pot."));
        let blank = "Error: load_skill.name must be a non-empty string";
        for odd in
            [json!({}), json!({"name": 7}), json!({"name": ["brew-tea"]}), json!("brew-tea"), json!(null)]
        {
            assert_eq!(text(odd), blank);
        }
        assert_eq!(
            text(json!({"name": "../brew-tea"})),
            "Error: unknown skill ../brew-tea. Available: brew-tea"
        );
    }
}
