//! Compares what is found, for harnesses of which only the table of places is built.
//!
//! What a recording has behind discovery (a listing's text, what was loaded) is not looked at. Where a recording shows
//! only the listing, skills that a later stage keeps out of it are left out of the comparison by what their fields say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lorimer::Host;
use lorimer::core::{Skill, SourceId};
use lorimer::discover::{DistinctSource, FsSource, ScanRequest, Source};
use lorimer::profiles::roots::{self, Surroundings, Table};
use serde_json::{Map, Value};

use super::case::{Case, FileSpec, Step};
use super::dialects;
use super::host::{Labels, host, not_applied};
use super::layout::Layout;

/// Topics of a case that discovery has a part in.
const TOPICS: [&str; 2] = ["discovery", "frontmatter"];

/// What came of a case.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Every list that was recorded names what we find.
    Agrees,
    /// The first one that does not: what only the recording has, and what only we have.
    Differs { step: usize, missing: Vec<String>, extra: Vec<String> },
    /// It says nothing about discovery, or cannot be laid out here.
    NotCompared(String),
}

/// Returns the table of a harness that has no profile yet.
pub(crate) fn table(harness: &str) -> Option<&'static Table> {
    roots::by_name(harness)
}

/// Runs a case as far as discovery goes.
pub(crate) fn run(table: &Table, case: &Case) -> Found {
    if !case.topics.iter().any(|topic| TOPICS.contains(&topic.as_str())) {
        return Found::NotCompared("about something else".to_owned());
    }
    let layout = match Layout::new(case) {
        Ok(Ok(layout)) => layout,
        Ok(Err(reason)) => return Found::NotCompared(reason),
        Err(error) => return Found::NotCompared(format!("{error:#}")),
    };
    match steps(table, case, &layout) {
        Ok(found) => found,
        Err(error) => Found::NotCompared(format!("{error:#}")),
    }
}

fn steps(table: &Table, case: &Case, layout: &Layout) -> anyhow::Result<Found> {
    let dialect = dialects::of(table.harness);
    if case.options.config.keys().any(|key| key == "fs_service") {
        return Ok(Found::NotCompared("another composition of the program's parts".to_owned()));
    }
    if let Some(key) = not_applied(&case.options, dialect).next() {
        return Ok(Found::NotCompared(format!("options.{key}")));
    }
    let mut host = host(&case.options, dialect, layout)?;
    let mut compared = false;
    for (index, step) in case.steps.iter().enumerate() {
        match step.op.as_str() {
            "write" => layout.write(&serde_json::from_value::<Vec<FileSpec>>(given(step, "files"))?)?,
            "remove" => layout.remove(&serde_json::from_value::<Vec<String>>(given(step, "paths"))?)?,
            "tool" => {
                let file = step.given.get("input").and_then(|input| input.get("file_path")?.as_str());
                host.opened.extend(file.map(|file| PathBuf::from(layout.substitute(file))));
            }
            // What a tool of the program lists is another view of it, with rules of its own.
            "list" if !step.given.contains_key("surface") => {
                let Some(wanted) = wanted(&layout.substitute_map(&step.expect)) else { continue };
                compared = true;
                let got = look(table, &host, &wanted);
                let missing: Vec<String> = wanted.facts.difference(&got.all).cloned().collect();
                let extra: Vec<String> = got.shown.difference(&wanted.facts).cloned().collect();
                if !(missing.is_empty() && extra.is_empty()) {
                    if case.quirk {
                        return Ok(Found::NotCompared("a defect of the program".to_owned()));
                    }
                    let conceal =
                        |facts: Vec<String>| facts.iter().map(|fact| layout.conceal(fact)).collect();
                    let (missing, extra) = (conceal(missing), conceal(extra));
                    return Ok(Found::Differs { step: index + 1, missing, extra });
                }
            }
            _ => {}
        }
    }
    Ok(if compared { Found::Agrees } else { Found::NotCompared("no list".to_owned()) })
}

/// What a list says was found.
struct Wanted {
    facts: BTreeSet<String>,
    /// Whether it has everything that was loaded, and not only what was shown.
    whole: bool,
    paths: bool,
    scopes: bool,
}

fn wanted(expect: &Map<String, Value>) -> Option<Wanted> {
    let loaded = expect.get("loaded").and_then(Value::as_array);
    let rows = loaded.or_else(|| expect.get("entries").and_then(Value::as_array))?;
    let has = |key: &str| !rows.is_empty() && rows.iter().all(|row| row.get(key).is_some());
    let (paths, scopes) = (has("path"), has("scope"));
    let fact = |row: &Value| {
        let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
        let path = Some(real(Path::new(text("path")))).filter(|_| paths);
        fact(text("name"), path, Some(text("scope")).filter(|_| scopes))
    };
    Some(Wanted { facts: rows.iter().map(fact).collect(), whole: loaded.is_some(), paths, scopes })
}

fn fact(name: &str, path: Option<PathBuf>, scope: Option<&str>) -> String {
    let at = path.map(|path| format!(" at {}", path.display())).unwrap_or_default();
    let of = scope.map(|scope| format!(" ({scope})")).unwrap_or_default();
    format!("{name}{at}{of}")
}

/// Which of several ways to one file is shown is the listing's business.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// What a table finds, in the words of a recording.
struct Got {
    all: BTreeSet<String>,
    /// Without what a later stage may keep out of the listing.
    shown: BTreeSet<String>,
}

fn look(table: &Table, host: &Host, wanted: &Wanted) -> Got {
    let around = Surroundings::of(table, host);
    let labels = Labels::new(table.harness, host);
    let rules: Vec<_> = table.rules(&around).into_iter().map(|made| made.rule).collect();
    let id = SourceId::new("host");
    let files = FsSource::new(id, around.place.clone(), rules, (table.reading)()).with_openai_yaml(false);
    let scan = match table.same_name {
        Some(keep) => DistinctSource::new(files, keep).scan(&ScanRequest::default()),
        None => files.scan(&ScanRequest::default()),
    };
    let fact = |skill: &Arc<Skill>| {
        let path = skill.id.locator.as_path().filter(|_| wanted.paths).map(Path::to_path_buf);
        let label = labels.of(skill);
        fact(skill.call_name(), path, label.filter(|_| wanted.scopes))
    };
    let shown = scan.skills.iter().filter(|skill| wanted.whole || !may_be_kept_out(skill));
    Got { shown: shown.map(fact).collect(), all: scan.skills.iter().map(fact).collect() }
}

/// Fields by which a later stage may keep a skill out of the listing: it waits until a file that it is for was touched,
/// or it is for other platforms or environments.
const GATES: [&str; 3] = ["paths", "platforms", "environments"];

/// Returns whether a later stage may keep a skill out of the listing.
fn may_be_kept_out(skill: &Skill) -> bool {
    let is_set = |value: &Value| !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty());
    let gated = GATES.iter().any(|field| skill.frontmatter.get(*field).is_some_and(is_set));
    !skill.policy.implicit || gated
}

fn given(step: &Step, key: &str) -> Value {
    step.given.get(key).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(text: &str) -> Case {
        serde_json::from_str(text).unwrap()
    }

    const CASE: &str = r#"{"harness": "pi", "id": "x", "topics": ["discovery"],
        "options": {"cwd": "project", "home": "home", "trusted": true},
        "files": [
            {"path": "project/.pi/skills/a/SKILL.md", "text": "---\nname: a\ndescription: d\n---\n"},
            {"path": "home/.pi/agent/skills/a/SKILL.md", "text": "---\nname: a\ndescription: d\n---\n"}
        ],
        "steps": [{"op": "list", "expect": {"loaded": [
            {"name": "a", "path": "<SCRATCH>/project/.pi/skills/a/SKILL.md", "scope": "project"}]}}]}"#;

    #[test]
    fn what_is_found_is_compared_with_its_place_and_its_root() {
        let table = table("pi").unwrap();
        assert_eq!(run(table, &case(CASE)), Found::Agrees);
        let Found::Differs { step: 1, missing, extra } =
            run(table, &case(&CASE.replace("\"trusted\": true", "\"trusted\": false")))
        else {
            panic!("an untrusted project is not looked into");
        };
        assert_eq!(missing, ["a at <SCRATCH>/project/.pi/skills/a/SKILL.md (project)"]);
        assert_eq!(extra, ["a at <SCRATCH>/home/.pi/agent/skills/a/SKILL.md (user)"]);
        let elsewhere = run(table, &case(&CASE.replace("[\"discovery\"]", "[\"catalog\"]")));
        assert!(matches!(elsewhere, Found::NotCompared(_)));
        let unknown = CASE.replace("\"trusted\": true", "\"weather\": 1");
        assert_eq!(run(table, &case(&unknown)), Found::NotCompared("options.weather".to_owned()));
    }
}
