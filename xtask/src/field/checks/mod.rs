//! What the expectations of cases mean: one small function for each.

mod found;
mod given;
mod listing;
mod reports;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::answer::Answer;

/// What an expectation is compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// All that is expected of the step, since some expectations are about each other.
    pub(crate) expect: &'a Map<String, Value>,
    pub(crate) answer: &'a Answer,
    /// The answers to earlier steps.
    pub(crate) earlier: &'a BTreeMap<String, Answer>,
    pub(crate) scratch: &'a Path,
    pub(crate) is_root: bool,
    /// Whether the case is about commands in a body that a harness may run.
    pub(crate) about_commands: bool,
}

/// Why nothing was compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// The library says nothing about this.
    NotBuilt,
    /// The expectation has another form than this runner knows.
    NotUnderstood,
    /// The step that it is compared with was not run.
    NeedsStep(String),
}

/// What was wanted and what came instead, where it differs.
pub(crate) type Verdict = Result<Option<(Value, Value)>, Gap>;

type Check = fn(&Value, &Seen<'_>) -> Verdict;

/// Every expectation that is known.
const CHECKS: &[(&str, Check)] = &[
    ("discovered", found::discovered),
    ("discovered_optional", found::discovered_optional),
    ("discovered_superset", found::discovered_superset),
    ("each_once", found::each_once),
    ("descriptions", found::descriptions),
    ("locations", found::locations),
    ("locations_if_found", found::locations_if_found),
    ("scopes", found::scopes),
    ("fields", found::fields),
    ("withheld", not_built),
    ("warnings", reports::warnings),
    ("warnings_if_non_root", reports::warnings_if_non_root),
    ("warnings_any_of", reports::warnings_any_of),
    ("warnings_exact", reports::warnings_exact),
    ("no_warning_for", reports::no_warning_for),
    ("no_warning_kinds", reports::no_warning_kinds),
    ("no_error_for", reports::no_error_for),
    ("loaded_or_warned", reports::loaded_or_warned),
    ("found_or_warned", reports::found_or_warned),
    ("catalog_visible", listing::visible),
    ("catalog_hidden", listing::hidden),
    ("catalog_count", listing::count),
    ("catalog_contains", listing::contains),
    ("catalog_not_contains", listing::not_contains),
    ("catalog_max_chars", listing::max_chars),
    ("catalog_restated", listing::restated),
    ("well_formed", listing::well_formed),
    ("closing_tags_once", listing::closing_tags_once),
    ("no_line_starting_with", listing::no_line_starting_with),
    ("activation_tool_offered", not_built),
    ("carried_names", not_built),
    ("marked_as_past", not_built),
    ("body_contains", texts::body_contains),
    ("body_not_contains", texts::body_not_contains),
    ("text_contains", texts::text_contains),
    ("text_not_contains", texts::text_not_contains),
    ("text_max_chars", texts::text_max_chars),
    ("text_occurrences", texts::text_occurrences),
    ("same_text_as", texts::same_text_as),
    ("content_contains", texts::content_contains),
    ("content_not_contains", texts::content_not_contains),
    ("error", texts::error),
    ("error_mentions", texts::error_mentions),
    ("error_not_mentions", texts::error_not_mentions),
    ("already_loaded", given::already_loaded),
    ("needs_confirmation", given::needs_confirmation),
    ("base_dir", given::base_dir),
    ("base_dir_absolute", given::base_dir_absolute),
    ("base_dir_in_text", given::base_dir_in_text),
    ("base_dir_is_not", given::base_dir_is_not),
    ("base_dir_consumer", not_built),
    ("activated", given::activated),
    ("active", given::active),
    ("unresolved", given::unresolved),
    ("resources_include", given::resources_include),
    ("resources_exclude", given::resources_exclude),
    ("added", given::added),
    ("changed", given::changed),
    ("removed", given::removed),
    ("file_absent", given::file_absent),
    ("max_wall_ms", given::max_wall_ms),
    ("commands_include", not_built),
    ("commands_exclude", not_built),
    ("routed_to", not_built),
    ("verified", not_built),
    ("mismatched", not_built),
    ("missing", not_built),
    ("missing_requirements", not_built),
];

/// Compares one expectation; nothing comes of one that is not known.
pub(crate) fn check(key: &str, wanted: &Value, seen: &Seen<'_>) -> Option<Verdict> {
    let (_, check) = CHECKS.iter().find(|(known, _)| *known == key)?;
    Some(check(wanted, seen))
}

/// The library has no word about this yet. Whoever gives it one puts a comparison in this place.
fn not_built(_: &Value, _: &Seen<'_>) -> Verdict {
    Err(Gap::NotBuilt)
}

/// Returns what an answer has to have said.
fn said<T>(fact: Option<&T>) -> Result<&T, Gap> {
    fact.ok_or(Gap::NotBuilt)
}

#[expect(clippy::unnecessary_wraps, reason = "every check ends with it")]
fn verdict(agrees: bool, wanted: impl FnOnce() -> Value, got: impl FnOnce() -> Value) -> Verdict {
    Ok((!agrees).then(|| (wanted(), got())))
}

#[expect(clippy::unnecessary_wraps, reason = "checks end with it")]
fn equal(wanted: &Value, got: Value) -> Verdict {
    Ok((*wanted != got).then(|| (wanted.clone(), got)))
}

/// Compares lists as sets.
fn same_set<'a>(wanted: &Value, got: impl IntoIterator<Item = &'a str>) -> Verdict {
    let got: BTreeSet<&str> = got.into_iter().collect();
    let set: BTreeSet<&str> = texts_of(wanted)?.into_iter().collect();
    verdict(set == got, || sorted(&set), || sorted(&got))
}

fn sorted(set: &BTreeSet<&str>) -> Value {
    set.iter().copied().collect()
}

fn texts_of(wanted: &Value) -> Result<Vec<&str>, Gap> {
    let items = wanted.as_array().ok_or(Gap::NotUnderstood)?;
    items.iter().map(|item| item.as_str().ok_or(Gap::NotUnderstood)).collect()
}

fn map_of(wanted: &Value) -> Result<&Map<String, Value>, Gap> {
    wanted.as_object().ok_or(Gap::NotUnderstood)
}

fn text_of(wanted: &Value) -> Result<&str, Gap> {
    wanted.as_str().ok_or(Gap::NotUnderstood)
}

fn number_of(wanted: &Value) -> Result<usize, Gap> {
    wanted.as_u64().and_then(|number| usize::try_from(number).ok()).ok_or(Gap::NotUnderstood)
}

fn flag_of(wanted: &Value) -> Result<bool, Gap> {
    wanted.as_bool().ok_or(Gap::NotUnderstood)
}

impl Seen<'_> {
    /// Returns a path of the case as it is, and without links.
    fn places(&self, path: &str) -> [PathBuf; 2] {
        let place: PathBuf = self.scratch.join(path).components().collect();
        let canonical = place.canonicalize().unwrap_or_else(|_| place.clone());
        [place, canonical]
    }

    /// Returns whether something lies at a path of the case or below it.
    fn is_at(&self, path: &str, found: &Path) -> bool {
        self.places(path).iter().any(|place| found.starts_with(place))
    }
}

#[cfg(test)]
mod tests;
