//! `[[skills.config]]` tables as enablement rules.

use std::path::{Path, PathBuf};

use lorimer_authorize::RuleEntry;
use toml::Value;

use crate::settings::{ConfigError, Layer, absolute};

/// The key that both Codex and the native profile use.
pub(super) const KEY: &str = "skills.config";

/// Returns the rules of one layer, in order. Relative paths start at `base`, `~/` at the home directory, and what
/// exists is canonicalised, so that a link and its target are one selector.
///
/// A table without `enabled` is an error, as it is in Codex 0.171 (observed case 103).
pub(super) fn entries(
    layer: &Layer,
    base: &Path,
    home: Option<&Path>,
) -> Result<Vec<RuleEntry>, ConfigError> {
    let error = |problem: &str| ConfigError::new(layer.origin.as_deref(), KEY, problem);
    let Some(value) = layer.settings.get(KEY) else { return Ok(Vec::new()) };
    let tables = value.as_array().ok_or_else(|| error("is not a list of tables"))?;
    let mut entries = Vec::with_capacity(tables.len());
    for table in tables {
        let text = |key: &str| match table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(error(&format!("has a `{key}` that is no text"))),
        };
        let enabled = match table.get("enabled") {
            Some(Value::Boolean(enabled)) => *enabled,
            Some(_) => return Err(error("has an `enabled` that is neither true nor false")),
            None => return Err(error("has a table without `enabled`; add `enabled = false` or `true`")),
        };
        let path = text("path")?.map(|path| absolute(&path, base, home)).map(canonical);
        entries.push(RuleEntry { name: text("name")?, path, enabled });
    }
    Ok(entries)
}

fn canonical(path: PathBuf) -> PathBuf {
    path.canonicalize().unwrap_or(path)
}
