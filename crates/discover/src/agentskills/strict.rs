//! The reference's reader: two `---` anywhere, and between them a strict subset of YAML in which every value is text.

use std::collections::HashSet;

use granit_parser::{Event, Parser, StructureStyle};

use super::Problem;

/// A value as far as the rules look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    List,
    Map,
}

const FENCE: &str = "---";

/// More nesting than that is refused; the reference's own limit is the depth of its call stack.
const DEPTH: usize = 64;

/// Reads the fields of a skill's file.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<(String, Value)>, Problem> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Problem::Unreadable(format!("byte {} is not UTF-8", error.valid_up_to())))?;
    // Its platform turns every end of a line into LF before it looks.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let rest = text.strip_prefix(FENCE).ok_or(Problem::NoFrontmatter)?;
    let (frontmatter, _) = rest.split_once(FENCE).ok_or(Problem::NotClosed)?;
    if let Some(character) = frontmatter.chars().find(|character| is_forbidden(*character)) {
        let code = u32::from(character);
        return Err(Problem::InvalidYaml(format!("control character U+{code:04X}")));
    }
    fields(frontmatter)
}

/// Characters that its library refuses.
fn is_forbidden(character: char) -> bool {
    character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{85}')
        || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// A collection that is not closed yet.
struct Open {
    /// Keys so far, where it is a mapping.
    keys: Option<HashSet<String>>,
    /// The key that waits for its value.
    key: Option<String>,
}

fn fields(text: &str) -> Result<Vec<(String, Value)>, Problem> {
    let invalid = |why: &str| Problem::InvalidYaml(why.to_owned());
    let options = granit_parser::options! { emit_comments: false, flow_nesting_limit: DEPTH, block_nesting_limit: DEPTH };
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    let mut is_map = false;
    let mut documents = 0;
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| Problem::InvalidYaml(error.info()))?;
        let value = match event {
            Event::DocumentStart(..) => {
                documents += 1;
                if documents > 1 {
                    return Err(invalid("more than one document"));
                }
                continue;
            }
            Event::Alias(..) => return Err(invalid("an alias")),
            Event::Scalar(_, _, anchor, _) if anchor != 0 => return Err(invalid("an anchor")),
            Event::Scalar(_, _, _, Some(_)) => return Err(invalid("a tag")),
            Event::SequenceStart(StructureStyle::Flow, ..)
            | Event::MappingStart(StructureStyle::Flow, ..) => {
                return Err(invalid("a list or a mapping in brackets"));
            }
            Event::SequenceStart(_, anchor, _) | Event::MappingStart(_, anchor, _) if anchor != 0 => {
                return Err(invalid("an anchor"));
            }
            Event::SequenceStart(_, _, Some(_)) | Event::MappingStart(_, _, Some(_)) => {
                return Err(invalid("a tag"));
            }
            // What is not written is blank there, and null here.
            Event::Scalar(..) if span.start.index() == span.end.index() => Value::Text(String::new()),
            Event::Scalar(text, ..) => Value::Text(text.into_owned()),
            Event::SequenceStart(..) => Value::List,
            Event::MappingStart(..) => Value::Map,
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                continue;
            }
            _ => continue,
        };
        let nested = match &value {
            Value::Text(_) => None,
            Value::List => Some(Open { keys: None, key: None }),
            Value::Map => Some(Open { keys: Some(HashSet::new()), key: None }),
        };
        let depth = open.len();
        match open.last_mut() {
            None => is_map = value == Value::Map,
            Some(parent) => {
                if let Some(field) = parent.take(value)?
                    && depth == 1
                    && is_map
                {
                    found.push(field);
                }
            }
        }
        open.extend(nested);
    }
    if is_map { Ok(found) } else { Err(Problem::NotMapping) }
}

impl Open {
    /// Takes a key or a value, and returns the field that is complete now.
    fn take(&mut self, value: Value) -> Result<Option<(String, Value)>, Problem> {
        let Some(keys) = &mut self.keys else { return Ok(None) };
        if let Some(key) = self.key.take() {
            return Ok(Some((key, value)));
        }
        let Value::Text(key) = value else {
            return Err(Problem::InvalidYaml("a key that is no text".to_owned()));
        };
        if !keys.insert(key.clone()) {
            return Err(Problem::InvalidYaml(format!("the key `{key}` stands twice")));
        }
        self.key = Some(key);
        Ok(None)
    }
}
