//! The fields: misspelt ones, and those whose form is not the standard's.

use lorimer_core::{Code, Diagnostic, Severity};
use serde_json::Value;

use super::subject::Looked;
use crate::agentskills::COMPATIBILITY_CHARS;
use crate::frontmatter::Field;

/// Keys that some harness knows: the standard's six, then those of single clients.
const KNOWN: [&str; 23] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
    "when_to_use",
    "argument-hint",
    "arguments",
    "disable-model-invocation",
    "user-invocable",
    "disallowed-tools",
    "model",
    "effort",
    "context",
    "agent",
    "background",
    "hooks",
    "paths",
    "shell",
    "globs",
    "icon",
    "color",
];

/// Words that are one letter away from a key and mean something else.
const OTHER_WORDS: [&str; 8] = ["agents", "path", "tool", "tools", "hook", "colors", "icons", "models"];

pub(super) fn look(looked: &Looked<'_>, found: &mut Vec<Diagnostic>) {
    for field in looked.fields() {
        if let Some(known) = misspelt(looked, &field.key) {
            let message = format!("`{}` is no field of any harness", field.key);
            let finding = looked.finding(Code::FieldMisspelt, message, &field.key_place);
            found.push(finding.with_help(format!("write `{known}` if that is meant")));
        }
        match field.key.as_str() {
            "description" | "compatibility" => cut(looked, field, found),
            _ => {}
        }
        let Some(value) = looked.outcome.fields.get(&field.key) else { continue };
        form(looked, field, value, found);
    }
}

/// Returns the key that was probably meant.
fn misspelt(looked: &Looked<'_>, key: &str) -> Option<&'static str> {
    if KNOWN.contains(&key) || OTHER_WORDS.contains(&key) {
        return None;
    }
    let folded = key.to_lowercase().replace(['_', ' '], "-");
    let near = |known: &&&str| {
        let plain = known.replace('_', "-");
        plain == folded || (plain.len() >= 7 && strsim::osa_distance(&plain, &folded) == 1)
    };
    let known = KNOWN.iter().find(near)?;
    // Some authors write both spellings on purpose.
    looked.field(known).is_none().then_some(*known)
}

/// Tells a value that a comment cuts short without anybody having meant one.
fn cut(looked: &Looked<'_>, field: &Field, found: &mut Vec<Diagnostic>) {
    let rest = looked.subject.file.get(field.value_place.end..).unwrap_or_default();
    let line = rest.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if !field.plain || blanks == 0 || line.get(blanks) != Some(&b'#') {
        return;
    }
    let place = field.value_place.end + blanks..field.value_place.end + line.len();
    let message = format!("`{}` ends here, because ` #` starts a comment", field.key);
    found.push(
        looked
            .finding(Code::ValueCutByComment, message, &place)
            .with_help("put the whole value in quotes if this belongs to it"),
    );
}

fn form(looked: &Looked<'_>, field: &Field, value: &Value, found: &mut Vec<Diagnostic>) {
    let mut wrong = |severity, message: String| {
        let finding = looked.finding(Code::FieldForm, message, &field.value_place);
        found.push(Diagnostic { severity, ..finding });
    };
    match (field.key.as_str(), value) {
        ("license" | "compatibility", Value::Array(_) | Value::Object(_)) => {
            wrong(Severity::Warning, format!("`{}` is to be a text", field.key));
        }
        ("metadata", Value::Object(entries)) => {
            let nested = entries.iter().find(|(_, value)| value.is_object() || value.is_array());
            if let Some((key, _)) = nested {
                // Some clients keep settings of their own there, and nobody minds.
                let message = format!("`metadata.{key}` is to be a text: the standard has no nesting there");
                wrong(Severity::Note, message);
            }
        }
        ("metadata", value) if !value.is_null() => {
            wrong(Severity::Warning, "`metadata` is to be a mapping of texts".to_owned());
        }
        ("compatibility", value) => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let count = text.chars().count();
            let message = if value.is_null() || text.trim().is_empty() {
                "`compatibility` is empty".to_owned()
            } else if count > COMPATIBILITY_CHARS {
                format!("`compatibility` has {count} characters, more than {COMPATIBILITY_CHARS}")
            } else {
                return;
            };
            let finding = looked.finding(Code::CompatibilityLength, message, &field.value_place);
            found.push(finding.with_help("say in a sentence what it needs, or leave it out"));
        }
        _ => {}
    }
}
