//! Runs one case and compares what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answer::Answer;
use super::case::{self, Alternative, Case, Step};
use super::checks::{self, Gap, Seen};
use super::drive::Driver;
use super::prepare::{self, Copy};
use super::setting;
use super::unprivileged;
use crate::cases::diff::Difference;

/// What came of a case.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// It cannot be run on this machine.
    Unmet(String),
    /// It could not be prepared.
    Broken(String),
    /// It was run, as far as the library goes.
    Ran(Comparison, Option<String>),
}

/// What a comparison with one outcome found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Comparison {
    /// Expectations that were compared.
    pub(crate) compared: usize,
    /// Those that do not hold, with the step.
    pub(crate) failures: Vec<(String, Difference)>,
    /// What was not compared, by the step, and why.
    pub(crate) gaps: Vec<(String, String)>,
    /// Failures against the other outcomes that the case accepts, with why it does.
    pub(crate) others: Vec<(String, Vec<(String, Difference)>)>,
}

/// What came of a step.
#[derive(Debug)]
enum Ran {
    Answered(Box<Answer>),
    /// It was left out, and why.
    Left(String),
    /// Our side failed, which no case expects.
    Failed(String),
}

/// What is wrong about what follows a step that was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    None,
    /// What the model has seen is not known.
    History,
    /// Nothing that follows is known.
    Everything,
}

fn effect(op: &str) -> Effect {
    match op {
        "discover"
        | "catalog"
        | "list_commands"
        | "resolve_all_listed"
        | "read_resource"
        | "list_resources"
        | "post_compaction_context"
        | "verify_lock"
        | "stats"
        | "costs"
        | "explain"
        | "active_skills" => Effect::None,
        "activate" | "slash" | "mention" | "compact" | "resume" | "spawn_child" => Effect::History,
        _ => Effect::Everything,
    }
}

/// Returns whether what is expected of a step depends on what the model has seen before.
fn minds_history(step: &Step, expect: &Map<String, Value>) -> bool {
    let op = step.op.as_str();
    matches!(op, "active_skills" | "post_compaction_context" | "stats" | "costs" | "spawn_child")
        || expect.contains_key("already_loaded")
}

/// Runs a case in a working copy of its own.
pub(crate) fn run(case: &Case) -> Report {
    if prepare::needs_another_user(&case.setup) {
        return unprivileged::run(case);
    }
    let copy = match Copy::of(case) {
        Ok(Ok(copy)) => copy,
        Ok(Err(reason)) => return Report::Unmet(reason),
        Err(error) => return Report::Broken(format!("{error:#}")),
    };
    let case = case.placed(copy.path());
    let mut driver = match Driver::start(&case, copy.path()) {
        Ok(driver) => driver,
        Err(error) => return Report::Broken(format!("{error:#}")),
    };
    let run = Run { steps: steps(&case, &mut driver, copy.path()), case: &case, scratch: copy.path() };
    let (comparison, why) = run.judge();
    Report::Ran(comparison, why)
}

struct Run<'a> {
    case: &'a Case,
    scratch: &'a Path,
    /// What came of each step, and why its history is not the one that the case has in mind.
    steps: Vec<(Ran, Option<String>)>,
}

fn steps(case: &Case, driver: &mut Driver<'_>, scratch: &Path) -> Vec<(Ran, Option<String>)> {
    let watched = watched(case);
    let (mut lost, mut forgotten) = (None, None);
    let mut done = Vec::new();
    for step in &case.action.steps {
        if step.flag("new_session") {
            forgotten = None;
        }
        let missing = setting::lacking(&case.action.config, step, &Map::new());
        let ran = match lost.clone().or(missing) {
            Some(reason) => Ran::Left(reason),
            None => answer(driver, step, &watched, scratch),
        };
        let past = forgotten.clone();
        if let Ran::Left(reason) = &ran {
            match effect(&step.op) {
                Effect::None => {}
                Effect::History => forgotten = forgotten.or_else(|| Some(reason.clone())),
                Effect::Everything => lost = lost.or_else(|| Some(reason.clone())),
            }
        }
        done.push((ran, past));
    }
    done
}

fn answer(driver: &mut Driver<'_>, step: &Step, watched: &BTreeSet<String>, scratch: &Path) -> Ran {
    let start = Instant::now();
    match driver.step(step) {
        Ok(Some(mut answer)) => {
            answer.wall = start.elapsed();
            let is_there = |path: &&String| scratch.join(path).symlink_metadata().is_ok();
            answer.present = watched.iter().filter(is_there).cloned().collect();
            Ran::Answered(Box::new(answer))
        }
        Ok(None) => Ran::Left(step.op.clone()),
        Err(error) => Ran::Failed(format!("{error:#}")),
    }
}

/// Returns the paths whose absence a case wants at some step.
fn watched(case: &Case) -> BTreeSet<String> {
    let outcomes = std::iter::once(None).chain(case.alternatives.iter().map(Some));
    let expectations = outcomes
        .flat_map(|outcome| case.action.steps.iter().map(move |step| case.expectation(&step.id, outcome)));
    let paths = expectations.filter_map(|expect| expect.get("file_absent")?.as_array().cloned());
    paths.flatten().filter_map(|path| path.as_str().map(str::to_owned)).collect()
}

impl Run<'_> {
    /// Compares with what is expected and, where that does not hold, with what else is accepted.
    fn judge(&self) -> (Comparison, Option<String>) {
        let mut first = self.compare(None);
        if first.failures.is_empty() {
            return (first, None);
        }
        for alternative in &self.case.alternatives {
            let other = self.compare(Some(alternative));
            if other.failures.is_empty() && other.compared > 0 {
                return (other, Some(alternative.why.clone()));
            }
            first.others.push((alternative.why.clone(), other.failures));
        }
        (first, None)
    }

    fn compare(&self, alternative: Option<&Alternative>) -> Comparison {
        let mut comparison = Comparison::default();
        let mut earlier = BTreeMap::new();
        for key in self.case.stray() {
            comparison.gap("all", format!("`{key}` is expected, but of no step"));
        }
        for key in setting::replaced(&self.case.action.config) {
            comparison.gap("all", format!("not built ({key}); the roots that it comes to were handed over"));
        }
        for (step, (ran, past)) in self.case.action.steps.iter().zip(&self.steps) {
            let expect = self.case.expectation(&step.id, alternative);
            let missing = setting::lacking(&self.case.action.config, step, &expect)
                .or_else(|| past.clone().filter(|_| minds_history(step, &expect)));
            match (ran, missing) {
                (Ran::Failed(error), _) => {
                    comparison.fail(&step.id, &step.op, "no error".into(), error.as_str().into());
                }
                (Ran::Left(reason), _) => comparison.gap(&step.id, format!("not built ({reason})")),
                (Ran::Answered(answer), missing) => {
                    let is_root = prepare::is_root(self.scratch);
                    let about_commands = self.case.action.config.contains_key("dynamic_commands");
                    let seen = Seen {
                        expect: &expect,
                        answer,
                        earlier: &earlier,
                        scratch: self.scratch,
                        is_root,
                        about_commands,
                    };
                    comparison.step(&step.id, &seen, missing.is_none());
                    if let Some(reason) = missing {
                        comparison.gap(&step.id, format!("not built ({reason})"));
                    }
                    earlier.insert(step.id.clone(), (**answer).clone());
                }
            }
        }
        comparison.conceal(self.scratch);
        comparison
    }
}

impl Comparison {
    /// Compares a step that was run: all of it, or, where something about it is not built, what must not have
    /// happened in any case.
    fn step(&mut self, id: &str, seen: &Seen<'_>, whole: bool) {
        for (key, wanted) in seen.expect.iter().filter(|(key, _)| whole || *key == "file_absent") {
            match checks::check(key, wanted, seen) {
                None => self.gap(id, format!("`{key}` is not known")),
                Some(Err(Gap::NotBuilt)) => self.gap(id, format!("not built ({key})")),
                Some(Err(Gap::NotUnderstood)) => self.gap(id, format!("`{key}` is not understood")),
                Some(Err(Gap::NeedsStep(step))) => {
                    self.gap(id, format!("`{key}` needs {step}, which was not run"));
                }
                Some(Ok(None)) => self.compared += 1,
                Some(Ok(Some((expected, got)))) => {
                    self.compared += 1;
                    self.fail(id, key, expected, got);
                }
            }
        }
    }

    fn gap(&mut self, step: &str, reason: String) {
        self.gaps.push((step.to_owned(), reason));
    }

    fn fail(&mut self, step: &str, field: &str, expected: Value, got: Value) {
        self.failures.push((step.to_owned(), Difference { field: field.to_owned(), expected, got }));
    }

    /// Takes the path of the working copy out of what people read.
    fn conceal(&mut self, scratch: &Path) {
        let conceal = |value: &Value| {
            serde_json::from_str(&case::conceal(&value.to_string(), scratch))
                .unwrap_or_else(|_| value.clone())
        };
        for (_, difference) in &mut self.failures {
            difference.expected = conceal(&difference.expected);
            difference.got = conceal(&difference.got);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::case::tests::case;

    const CONFIG: &str = r#"{"roots": [{"path": "repo/.agents/skills", "scope": "project"}], "cwd": "repo"}"#;

    /// Runs steps on one skill `a`.
    fn ran(config: &str, steps: &str, expect: &str, alternatives: &str) -> (Comparison, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let skill = folder.path().join("input/repo/.agents/skills/a");
        std::fs::create_dir_all(&skill).unwrap();
        std::fs::write(skill.join("SKILL.md"), "---\nname: a\ndescription: Does a.\n---\n\nBody.\n").unwrap();
        std::fs::write(skill.join("more.md"), "More.").unwrap();
        let mut case = case(config, steps, expect);
        case.alternatives = serde_json::from_str(alternatives).unwrap();
        case.folder = folder.path().to_owned();
        match run(&case) {
            Report::Ran(comparison, why) => (comparison, why),
            other => panic!("{other:?}"),
        }
    }

    fn failed(comparison: &Comparison) -> Vec<(&str, &str)> {
        let failures = comparison.failures.iter();
        failures.map(|(step, difference)| (step.as_str(), difference.field.as_str())).collect()
    }

    #[test]
    fn a_case_that_holds_has_no_failures_and_one_that_does_not_says_where() {
        let steps = r#"[{"id": "s1", "op": "discover"}, {"id": "s2", "op": "activate", "name": "a", "by": "model"},
            {"id": "s3", "op": "read_resource", "skill": "a", "path": "more.md"}, {"id": "s4", "op": "active_skills"},
            {"id": "s5", "op": "fs", "delete": ["repo/.agents/skills/a"]}, {"id": "s6", "op": "reload"}]"#;
        let right = r#"{"s1": {"discovered": ["a"]}, "s2": {"body_contains": ["Body."]}, "s4": {"active": ["a"]},
            "s3": {"content_contains": ["More."]}, "s6": {"removed": ["a"], "added": []}}"#;
        let (comparison, why) = ran(CONFIG, steps, right, "[]");
        assert_eq!((failed(&comparison), comparison.compared, why), (vec![], 6, None));

        let wrong = right.replace(r#"["a"]"#, r#"["b"]"#).replace("Body.", "$ABS");
        let (comparison, _) = ran(CONFIG, steps, &wrong, "[]");
        let places = [("s1", "discovered"), ("s2", "body_contains"), ("s4", "active"), ("s6", "removed")];
        assert_eq!(failed(&comparison), places);
    }

    const ONE: &str = r#"[{"id": "s1", "op": "discover"}]"#;

    #[test]
    fn another_accepted_outcome_will_do() {
        let wrong = r#"{"discovered": ["b"]}"#;
        let others = r#"[{"why": "no", "expect": {"discovered": []}}, {"why": "yes", "expect": {"discovered": ["a"]}}]"#;
        let (comparison, why) = ran(CONFIG, ONE, wrong, others);
        assert_eq!((comparison.failures.len(), why.as_deref()), (0, Some("yes")));
        let (comparison, why) = ran(CONFIG, ONE, wrong, &others.replace(r#"["a"]"#, "[]"));
        assert_eq!((comparison.failures.len(), comparison.others.len(), why), (1, 2, None));
        let nothing = r#"[{"why": "vacuous", "expect": {"withheld": []}}]"#;
        assert_eq!(ran(CONFIG, ONE, wrong, nothing).1, None, "what was not compared does not hold");
    }

    #[test]
    fn nothing_is_claimed_for_what_is_not_known() {
        let gaps = |config: &str, steps: &str, expect: &str| {
            let (comparison, _) = ran(config, steps, expect, "[]");
            assert!(comparison.failures.is_empty(), "{comparison:?}");
            comparison.gaps.into_iter().map(|(_, reason)| reason).collect::<Vec<_>>()
        };
        assert_eq!(gaps(CONFIG, ONE, r#"{"colour": "red"}"#), ["`colour` is not known"]);
        assert_eq!(gaps(CONFIG, ONE, r#"{"discovered": "a"}"#), ["`discovered` is not understood"]);
        assert_eq!(gaps(CONFIG, ONE, r#"{"withheld": []}"#), ["not built (withheld)"]);
        let permissions = CONFIG.replace(r#""cwd""#, r#""permissions": [], "cwd""#);
        assert_eq!(gaps(&permissions, ONE, r#"{"discovered": []}"#), ["not built (permissions)"]);
        let two = r#"[{"id": "s1", "op": "OP"}, {"id": "s2", "op": "catalog"}]"#;
        let expect = r#"{"s1": {}, "s2": {"same_text_as": "s1"}}"#;
        assert_eq!(
            gaps(CONFIG, &two.replace("OP", "explain"), expect),
            ["not built (explain)", "`same_text_as` needs s1, which was not run"]
        );
        assert_eq!(gaps(CONFIG, &two.replace("OP", "trust"), expect), ["not built (trust)"; 2]);
        assert_eq!(
            gaps(CONFIG, &two.replace("OP", "something_new"), expect),
            ["not built (something_new)"; 2]
        );
    }

    #[test]
    fn what_the_model_has_seen_is_not_known_behind_a_call_that_was_left_out() {
        let steps = |last: &str| {
            format!(
                r#"[{{"id": "s1", "op": "activate", "name": "a", "by": "user", "args": "x"}},
                {{"id": "s2", "op": "discover"}}, {last}]"#
            )
        };
        let gaps = |last: &str, expect: &str| {
            let (comparison, _) = ran(CONFIG, &steps(last), expect, "[]");
            assert!(comparison.failures.is_empty(), "{comparison:?}");
            comparison.gaps.into_iter().map(|(step, _)| step).collect::<Vec<_>>()
        };
        let again = r#"{"id": "s3", "op": "activate", "name": "a", "by": "user"}"#;
        let expect = r#"{"s2": {"discovered": ["a"]}, "s3": {"already_loaded": true}}"#;
        assert_eq!(gaps(again, expect), ["s1", "s3"]);
        assert_eq!(gaps(again, &expect.replace("already_loaded\": true", "text_max_chars\": 999")), ["s1"]);
        let anew = again.replace(r#""by""#, r#""new_session": true, "by""#);
        assert_eq!(gaps(&anew, &expect.replace("true", "false")), ["s1"]);
    }
}
