//! `index.json`, version 0.2.0 of the discovery format.

use lorimer_core::Digest;
use serde::Deserialize;
use serde_json::Value;

use super::address::shown;

const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/// What kind of artifact a skill is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A skill file.
    SkillMd,
    /// A `.zip` or `.tar.gz` with a skill file at its root.
    Archive,
}

/// A usable entry of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) url: String,
    pub(super) digest: Digest,
}

/// What the index says, and what in it is of no use.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) entries: Vec<Entry>,
    pub(super) troubles: Vec<String>,
}

/// Fields that are not known are ignored. Those that are wanted are looked at one by one, so that the message names them.
#[derive(Deserialize)]
struct RawEntry {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    description: String,
    url: String,
    digest: String,
}

/// Reads an index; an error means that nothing of it can be used.
pub(super) fn parse(bytes: &[u8], max_entries: usize) -> Result<Document, String> {
    let index: Value =
        serde_json::from_slice(bytes).map_err(|error| format!("the index is not valid JSON: {error}"))?;
    let Value::Object(mut index) = index else { return Err("the index is no JSON object".to_owned()) };
    match index.get("$schema") {
        Some(Value::String(schema)) if schema == SCHEMA => {}
        // Without a schema it is version 0.1.0, which has no digests.
        None => return Err("the index has no `$schema`, and the version without one is not read".to_owned()),
        Some(schema) => {
            return Err(format!(
                "the index is of another version: `$schema` is {}",
                shown(&schema.to_string())
            ));
        }
    }
    let Some(Value::Array(skills)) = index.remove("skills") else {
        return Err("the index has no list `skills`".to_owned());
    };
    let mut document = Document::default();
    if skills.len() > max_entries {
        document.troubles.push(format!("the index has {} skills, and {max_entries} are read", skills.len()));
    }
    for (number, skill) in skills.into_iter().take(max_entries).enumerate() {
        match entry(skill) {
            Ok(entry) if document.entries.iter().any(|known| known.url == entry.url) => {
                document.troubles.push(format!("skills[{number}] has the same `url` as an earlier one"));
            }
            Ok(entry) => document.entries.push(entry),
            Err(why) => document.troubles.push(format!("skills[{number}] is ignored: {why}")),
        }
    }
    Ok(document)
}

fn entry(value: Value) -> Result<Entry, String> {
    let raw = RawEntry::deserialize(value).map_err(|error| shown(&error.to_string()))?;
    let kind = match raw.kind.as_str() {
        "skill-md" => Kind::SkillMd,
        "archive" => Kind::Archive,
        kind => return Err(format!("its `type` is `{}`, which is not known", shown(kind))),
    };
    if !is_name(&raw.name) {
        return Err(format!("its `name` `{}` is no name of the standard", shown(&raw.name)));
    }
    if raw.description.trim().is_empty() {
        return Err("its `description` is blank".to_owned());
    }
    let digest: Digest = raw
        .digest
        .parse()
        .map_err(|_| format!("its `digest` is `{}`, which is none of the standard", shown(&raw.digest)))?;
    // The format wants lower-case digits; others would be another text for the same digest.
    if digest.to_string() != raw.digest {
        return Err("its `digest` is not in lower case".to_owned());
    }
    Ok(Entry { name: raw.name, kind, url: raw.url, digest })
}

/// Lower-case letters, digits and single hyphens between them, at most 64.
fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=64).contains(&name.len()) && name.bytes().all(plain) && name.split('-').all(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// S3-03: an index is somebody else's file; no bytes make the reader panic.
        #[test]
        fn s3_03_any_bytes_are_an_index_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes, 10);
        }
    }

    #[test]
    fn names_are_those_of_the_standard() {
        for name in ["a", "a-b", "0", &"a".repeat(64)] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "-a", "a-", "a--b", "A", "a_b", "é", "a/b", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
