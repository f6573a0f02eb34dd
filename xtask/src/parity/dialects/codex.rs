//! The recordings of Codex.

use lorimer::core::{Scope, Skill};
use serde_json::Value;

use super::Dialect;
use crate::parity::answer::text;
use crate::parity::host::Labels;

pub(super) struct Codex;

impl Dialect for Codex {
    fn scope(&self, _labels: &Labels, skill: &Skill) -> Value {
        Value::from(match skill.scope {
            Scope::Project { .. } => "repo",
            ref scope => scope.kind(),
        })
    }
}

/// Facts about files that the recording would have as an error, about listings that it would have as a warning, and
/// about searches that it would have in its log. What is odd about single files is more than the program says.
pub(super) fn counts(field: &str, fact: &Value) -> bool {
    let (code, severity) = (text(fact, "code"), text(fact, "severity"));
    match field {
        "errors" => severity == "error" && code.starts_with("discover/"),
        "logged" => text(fact, "kind") == "scan-limit",
        _ => (code.starts_with("catalog/") && severity != "note") || code == "config/untrusted",
    }
}
