//! Skills that a name means: by the name that they are called by, or by what stands behind their namespace.

use std::collections::HashMap;

use lorimer_core::{Skill, Snapshot};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use crate::ByName;

/// Looks names up in a snapshot.
#[derive(Debug)]
pub(crate) struct Called<'a> {
    snapshot: &'a Snapshot,
    rules: ByName,
    /// Skills with a namespace by the name behind it, made when it is first needed.
    short: Option<HashMap<&'a str, Vec<&'a Skill>>>,
}

impl<'a> Called<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot, rules: ByName) -> Self {
        Self { snapshot, rules, short: None }
    }

    /// Returns the skills of this name, in snapshot order. A name that a skill is called by is never a short one.
    pub(crate) fn named(&mut self, name: &str) -> Vec<&'a Skill> {
        let mut found: Vec<&Skill> = self.snapshot.named(name).map(|skill| &**skill).collect();
        if found.is_empty() && self.rules.composed && !name.is_ascii() {
            let composed: String = name.nfc().collect();
            let same = |skill: &&Skill| {
                !skill.call_name().is_ascii() && skill.call_name().nfc().eq(composed.chars())
            };
            found = self.snapshot.skills().map(|skill| &**skill).filter(same).collect();
        }
        if found.is_empty() && self.rules.labels_but.is_some_and(|reserved| !reserved.contains(&name)) {
            let labelled = |skill: &&Skill| is_label(skill, name);
            found = self.snapshot.skills().map(|skill| &**skill).find(labelled).into_iter().collect();
        }
        if !found.is_empty() || !self.rules.short_names {
            return found;
        }
        let snapshot = self.snapshot;
        let short = self.short.get_or_insert_with(|| {
            let mut short: HashMap<&str, Vec<&Skill>> = HashMap::new();
            for skill in snapshot.skills().filter(|skill| skill.qualified_name.is_some()) {
                short.entry(&skill.name).or_default().push(skill);
            }
            short
        });
        short.get(name).cloned().unwrap_or_default()
    }
}

/// Returns whether a file calls its skill so. Numbers and the like are names too.
fn is_label(skill: &Skill, name: &str) -> bool {
    match skill.frontmatter.get("name") {
        Some(Value::String(label)) => label == name,
        Some(label @ (Value::Number(_) | Value::Bool(_))) => {
            *label == name || label.to_string().as_str() == name
        }
        _ => false,
    }
}
