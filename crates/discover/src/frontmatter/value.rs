//! YAML values as JSON, without loss of what was written.

use serde_json::{Map, Number, Value};

use super::yaml::{NodeId, Tree, View, is_null};

/// What all values of a document may come to once aliases are expanded.
#[derive(Debug)]
pub(crate) struct Expansion {
    left: usize,
    max_depth: usize,
}

/// The values are larger than the limit, nested deeper, or lead back to themselves.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl Expansion {
    pub(crate) fn new(units: usize, max_depth: usize) -> Self {
        Self { left: units, max_depth }
    }

    pub(crate) fn is_too_deep(&self, depth: usize) -> bool {
        depth > self.max_depth
    }

    pub(crate) fn spend(&mut self, units: usize) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(units).ok_or(TooLarge)?;
        Ok(())
    }

    /// Returns a node as JSON. A key that is no text becomes its JSON text; of equal keys the last one counts.
    pub(crate) fn json(&mut self, tree: &Tree<'_>, id: NodeId) -> Result<Value, TooLarge> {
        self.nested(tree, id, 0)
    }

    fn nested(&mut self, tree: &Tree<'_>, id: NodeId, depth: usize) -> Result<Value, TooLarge> {
        // The depth bounds the recursion, whatever aliases do.
        if depth > self.max_depth {
            return Err(TooLarge);
        }
        self.spend(1)?;
        match tree.view(id).ok_or(TooLarge)? {
            View::Scalar { text, plain } => {
                self.spend(text.len())?;
                Ok(if plain { plain_value(text) } else { Value::String(text.to_owned()) })
            }
            View::List(items) => items
                .iter()
                .map(|item| self.nested(tree, *item, depth + 1))
                .collect::<Result<Vec<_>, _>>()
                .map(Value::Array),
            View::Map(entries) => {
                let mut map = Map::new();
                for (key, value) in entries {
                    let key = match tree.view(*key) {
                        Some(View::Scalar { text, .. }) => text.to_owned(),
                        _ => self.nested(tree, *key, depth + 1)?.to_string(),
                    };
                    self.spend(key.len())?;
                    map.insert(key, self.nested(tree, *value, depth + 1)?);
                }
                Ok(Value::Object(map))
            }
        }
    }
}

/// Returns what a plain scalar means in YAML's core schema, as long as nothing is lost by it: a number is a
/// number only where it prints as it was written, so `1.50`, `0x1F` and `1e3` stay text.
pub(crate) fn plain_value(text: &str) -> Value {
    match text {
        _ if is_null(text) => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    if !text.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
        return None;
    }
    if let Ok(integer) = text.parse::<i64>() {
        return (integer.to_string() == text).then(|| Number::from(integer));
    }
    let number = Number::from_f64(text.parse().ok()?)?;
    (number.to_string() == text).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plain_scalars_become_typed_only_where_nothing_is_lost() {
        for (text, value) in [
            ("5", json!(5)),
            ("-7", json!(-7)),
            ("1.5", json!(1.5)),
            ("true", json!(true)),
            ("FALSE", json!(false)),
            ("", json!(null)),
            ("~", json!(null)),
            ("1.50", json!("1.50")),
            ("0x1F", json!("0x1F")),
            ("007", json!("007")),
            ("+1", json!("+1")),
            ("1e3", json!("1e3")),
            ("yes", json!("yes")),
            ("2026-01-01", json!("2026-01-01")),
            ("99999999999999999999", json!("99999999999999999999")),
            (".inf", json!(".inf")),
        ] {
            assert_eq!(plain_value(text), value, "{text}");
        }
    }
}
