//! Compares what was recorded with what we give.
//!
//! Only what was recorded is compared. What was recorded and cannot be compared is named, so that agreement is never
//! claimed for it.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value};

use super::answer::text;
use super::dialects::Dialect;
use crate::cases::diff::Difference;

/// What a comparison found.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) differences: Vec<Difference>,
    /// Recorded keys that we give no answer to, as in `entries[].label`.
    pub(crate) not_compared: BTreeSet<String>,
}

/// Compares the answer to one step.
pub(crate) fn compare(
    dialect: &dyn Dialect,
    expected: &Map<String, Value>,
    got: &Map<String, Value>,
) -> Comparison {
    let mut comparison = Comparison::default();
    if let Some(error) = got.get("error").filter(|error| !error.is_null() && !expected.contains_key("error"))
    {
        comparison.differ("error", &Value::Null, error.clone());
        return comparison;
    }
    for (key, wanted) in expected {
        match (key.as_str(), wanted, got.get(key)) {
            (_, _, None) => {
                comparison.not_compared.insert(key.clone());
            }
            ("errors" | "warnings" | "logged", Value::Array(wanted), Some(Value::Array(facts))) => {
                comparison.facts(key, wanted, facts, dialect);
            }
            (_, _, Some(given)) => {
                let given = comparison.project(key, wanted, given);
                comparison.differ(key, wanted, given);
            }
        }
    }
    comparison
}

impl Comparison {
    fn differ(&mut self, field: &str, expected: &Value, got: Value) {
        if *expected != got {
            self.differences.push(Difference { field: field.to_owned(), expected: expected.clone(), got });
        }
    }

    /// Returns the part of `given` that `wanted` says something about. For what we have no answer to, the recorded
    /// value is taken, and the key is noted.
    fn project(&mut self, place: &str, wanted: &Value, given: &Value) -> Value {
        match (wanted, given) {
            (Value::Object(wanted), Value::Object(given)) => {
                let mut part = Map::new();
                for (key, wanted) in wanted {
                    let value = match (key.as_str(), given.get(key)) {
                        ("head", None) if given.contains_key("body") => head(wanted, given.get("body")),
                        (_, None) => {
                            self.not_compared.insert(format!("{place}.{key}"));
                            wanted.clone()
                        }
                        (_, Some(given)) => self.project(&format!("{place}.{key}"), wanted, given),
                    };
                    part.insert(key.clone(), value);
                }
                Value::Object(part)
            }
            (Value::Array(wanted), Value::Array(given)) => {
                let place = format!("{place}[]");
                let longer = given.iter().skip(wanted.len()).map(without_body);
                let mut items: Vec<Value> = wanted
                    .iter()
                    .zip(given)
                    .map(|(wanted, given)| self.project(&place, wanted, given))
                    .collect();
                items.extend(longer);
                Value::Array(items)
            }
            (_, given) => given.clone(),
        }
    }

    /// Compares sets of facts by path and kind. Every recorded one must be among ours; of ours, those that the
    /// dialect says the recording would have too must be recorded.
    fn facts(&mut self, field: &str, wanted: &[Value], facts: &[Value], dialect: &dyn Dialect) {
        let mut expected: Vec<Value> = wanted.iter().map(short).collect();
        let mut got = Vec::new();
        let mut used = BTreeSet::new();
        for item in wanted {
            let Some(object) = item.as_object() else {
                self.not_compared.insert(format!("{field}[] as text"));
                expected.retain(|other| other != item);
                continue;
            };
            let answered = |key: &str| facts.iter().any(|fact| recorded(fact, key).is_some());
            for key in object.keys().filter(|key| !is_compared(key, object, facts) && !answered(key)) {
                self.not_compared.insert(format!("{field}[].{key}"));
            }
            let matching =
                facts.iter().enumerate().filter(|(_, fact)| is_match(dialect, field, object, fact));
            let indices: Vec<usize> = matching.map(|(index, _)| index).collect();
            if !indices.is_empty() {
                got.push(short(item));
            }
            used.extend(indices);
        }
        let extra = facts
            .iter()
            .enumerate()
            .filter(|(index, fact)| dialect.counts(field, fact) && !used.contains(index));
        got.extend(extra.map(|(_, fact)| short(fact)));
        let by_path = |value: &Value| (text(value, "path").to_owned(), value.to_string());
        expected.sort_by_key(by_path);
        got.sort_by_key(by_path);
        // Both are sets: what loses twice to the same winner is one fact.
        expected.dedup();
        got.dedup();
        self.differ(field, &Value::Array(expected), Value::Array(got));
    }
}

/// Returns as many characters of the body as were recorded of it.
fn head(wanted: &Value, body: Option<&Value>) -> Value {
    let count = wanted.as_str().map_or(0, |wanted| wanted.chars().count());
    let body = body.and_then(Value::as_str).unwrap_or_default();
    Value::String(body.chars().take(count).collect())
}

fn without_body(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(object) = value.as_object_mut() {
        object.remove("body");
    }
    value
}

/// Returns a fact as it is shown: what the recording has words for.
fn short(fact: &Value) -> Value {
    let Some(object) = fact.as_object() else { return fact.clone() };
    let inner = ["severity", "code", "numbers", "message", "skills_still_load", "recorded"];
    let shown = object.iter().filter(|(key, value)| !inner.contains(&key.as_str()) && !value.is_null());
    Value::Object(shown.map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// Returns what a dialect gave as a fact's value in the recording's own words.
fn recorded<'a>(fact: &'a Value, key: &str) -> Option<&'a Value> {
    fact.get("recorded")?.get(key)
}

/// Numbers are facts and are looked for in our message; wording is not compared.
fn is_compared(key: &str, object: &Map<String, Value>, facts: &[Value]) -> bool {
    matches!(key, "kind" | "path" | "root" | "name" | "skills_still_load")
        || object.get(key).is_some_and(Value::is_u64)
        || facts.iter().any(|fact| fact.get(key).is_some())
}

fn is_match(dialect: &dyn Dialect, field: &str, wanted: &Map<String, Value>, fact: &Value) -> bool {
    wanted.iter().all(|(key, wanted)| match key.as_str() {
        _ if recorded(fact, key).is_some() => recorded(fact, key) == Some(wanted),
        "kind" => dialect.same_kind(wanted.as_str().unwrap_or_default(), text(fact, "kind")),
        // An error names the file itself; a warning about a folder may be given for a file in it.
        "path" if field == "errors" => text(fact, "path") == wanted.as_str().unwrap_or_default(),
        "path" | "root" => {
            let (ours, theirs) = (Path::new(text(fact, "path")), wanted.as_str().unwrap_or_default());
            ours.starts_with(theirs)
        }
        "name" => text(fact, "message").contains(wanted.as_str().unwrap_or_default()),
        "skills_still_load" => fact.get(key) == Some(wanted),
        _ if wanted.is_u64() => {
            fact.get("numbers").and_then(Value::as_array).is_some_and(|numbers| numbers.contains(wanted))
        }
        // What a dialect has put into its facts counts.
        _ => fact.get(key).is_none_or(|ours| ours == wanted),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn run(expected: Value, got: Value) -> Comparison {
        let (Value::Object(expected), Value::Object(got)) = (expected, got) else { panic!("objects") };
        compare(crate::parity::dialects::of("codex"), &expected, &got)
    }

    fn fields(expected: Value, got: Value) -> Vec<String> {
        run(expected, got).differences.into_iter().map(|difference| difference.field).collect()
    }

    #[test]
    fn only_what_was_recorded_is_compared() {
        let got = json!({"entries": [{"name": "a", "description": "d", "locator": "l"}], "catalog": "sent"});
        assert_eq!(fields(json!({"entries": [{"name": "a"}]}), got.clone()), [""; 0]);
        assert_eq!(fields(json!({"entries": [{"name": "b"}]}), got.clone()), ["entries"]);
        assert_eq!(fields(json!({"entries": []}), got.clone()), ["entries"]);
        assert_eq!(fields(json!({"entries": [{"name": "a"}, {"name": "c"}]}), got.clone()), ["entries"]);
        assert_eq!(fields(json!({"catalog": "absent"}), got), ["catalog"]);
    }

    #[test]
    fn the_order_of_a_listing_counts() {
        let got = json!({"entries": [{"name": "a"}, {"name": "b"}]});
        assert_eq!(fields(json!({"entries": [{"name": "b"}, {"name": "a"}]}), got), ["entries"]);
    }

    #[test]
    fn what_has_no_answer_is_named_and_not_called_equal() {
        let comparison = run(
            json!({"listings": 1, "entries": [{"name": "a", "label": "x"}]}),
            json!({"entries": [{"name": "a"}]}),
        );
        assert!(comparison.differences.is_empty());
        let named: Vec<&String> = comparison.not_compared.iter().collect();
        assert_eq!(named, ["entries[].label", "listings"]);
    }

    #[test]
    fn a_head_is_compared_as_far_as_it_goes() {
        let got = json!({"injected": [{"name": "a", "body": "abcdef"}]});
        assert_eq!(fields(json!({"injected": [{"name": "a", "head": "abc"}]}), got.clone()), [""; 0]);
        assert_eq!(fields(json!({"injected": [{"name": "a", "head": "abd"}]}), got), ["injected"]);
    }

    #[test]
    fn a_start_that_fails_is_a_difference_unless_it_was_recorded() {
        let failed = json!({"error": "invalid-config", "key": "k"});
        assert_eq!(fields(json!({"entries": []}), failed.clone()), ["error"]);
        assert_eq!(fields(json!({"error": "invalid-config", "key": "k"}), failed.clone()), [""; 0]);
        assert_eq!(fields(json!({"error": "invalid-config", "key": "other"}), failed), ["key"]);
        assert_eq!(fields(json!({"error": "invalid-config"}), json!({"error": null})), ["error"]);
    }

    fn fact(kind: &str, path: &str, code: &str, severity: &str) -> Value {
        json!({"kind": kind, "path": path, "code": code, "severity": severity, "numbers": [7, 12], "message": "`a`"})
    }

    #[test]
    fn errors_are_a_set_of_paths_and_kinds() {
        let error = fact("wrong-type", "/a", "discover/field-wrong-type", "error");
        let note = fact("shadowed", "/b", "discover/same-file", "note");
        let got = json!({"errors": [note, error]});
        assert_eq!(fields(json!({"errors": [{"path": "/a", "kind": "wrong-type"}]}), got.clone()), [""; 0]);
        let with_note =
            json!({"errors": [{"path": "/b", "kind": "shadowed"}, {"path": "/a", "kind": "wrong-type"}]});
        assert_eq!(fields(with_note, got.clone()), [""; 0], "what is a note here may be an error there");
        assert_eq!(fields(json!({"errors": []}), got.clone()), ["errors"], "ours is not recorded");
        assert_eq!(fields(json!({"errors": [{"path": "/c", "kind": "wrong-type"}]}), got), ["errors"]);
    }

    #[test]
    fn warnings_agree_in_kind_place_and_numbers() {
        let got = json!({"warnings": [fact("budget-omitted", "", "catalog/entry-omitted", "warning")]});
        assert_eq!(
            fields(json!({"warnings": [{"kind": "budget-omitted", "count": 7}]}), got.clone()),
            [""; 0]
        );
        assert_eq!(
            fields(json!({"warnings": [{"kind": "budget-omitted", "count": 8}]}), got.clone()),
            ["warnings"]
        );
        assert_eq!(fields(json!({"warnings": []}), got), ["warnings"]);
        let below =
            json!({"warnings": [fact("untrusted", "/p/.codex/config.toml", "config/untrusted", "note")]});
        assert_eq!(
            fields(json!({"warnings": [{"kind": "untrusted", "path": "/p/.codex"}]}), below.clone()),
            [""; 0]
        );
        assert_eq!(
            fields(json!({"warnings": [{"kind": "untrusted", "path": "/p/.c"}]}), below),
            ["warnings"]
        );
    }
}
