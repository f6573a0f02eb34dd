//! The door for programs that use `gray_matter`.

use std::collections::HashMap;

use gray_matter::Pod;
use gray_matter::engine::Engine;
use serde_json::Value;

use super::Limits;
use super::value::Expansion;
use super::yaml::Tree;

/// Our YAML reader as an engine of `gray_matter`.
///
/// It brings the bounds and the lossless scalars of our reader. What the splitter of `gray_matter` loses stays
/// lost: a byte order mark hides the frontmatter, CRLF becomes LF, a fence that is never closed is no error,
/// and keys have no order and no place. Where that matters, use [`parse`](super::parse).
///
/// ```
/// use gray_matter::{Matter, ParsedEntity};
/// use lorimer_discover::SkillYaml;
/// let entity: ParsedEntity = Matter::<SkillYaml>::new().parse("---\nname: a\n---\nBody").unwrap();
/// assert_eq!(entity.data.unwrap()["name"].as_string().unwrap(), "a");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SkillYaml;

impl Engine for SkillYaml {
    fn parse(content: &str) -> gray_matter::Result<Pod> {
        let limits = Limits::default();
        let fail = |message: &str| Err(gray_matter::Error::deserialize_error(message));
        let tree = match Tree::parse(content, &limits) {
            Ok(tree) => tree,
            Err(error) => return fail(&error.message),
        };
        let Some(root) = tree.root() else { return Ok(Pod::Null) };
        match Expansion::new(limits.expanded, limits.depth).json(&tree, root) {
            Ok(value) => Ok(pod(value)),
            Err(_) => fail("the values are larger than the limits allow"),
        }
    }
}

fn pod(value: Value) -> Pod {
    match value {
        Value::Null => Pod::Null,
        Value::Bool(value) => Pod::Boolean(value),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => Pod::Integer(integer),
            None => Pod::Float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => Pod::String(text),
        Value::Array(items) => Pod::Array(items.into_iter().map(pod).collect()),
        Value::Object(map) => {
            Pod::Hash(map.into_iter().map(|(key, value)| (key, pod(value))).collect::<HashMap<_, _>>())
        }
    }
}
