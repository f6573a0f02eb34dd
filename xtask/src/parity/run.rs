//! Runs one case, step by step.

use std::collections::BTreeMap;

use super::case::{Case, FileSpec, Step};
use super::compare::compare;
use super::dialects;
use super::drive::{Driver, turn_input};
use super::host::not_applied;
use super::layout::Layout;
use super::waivers::Waiver;
use crate::cases::diff::Difference;

/// What came of a case.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Differences with the number of their step, from 1, and its operation.
    pub(crate) differences: Vec<(usize, String, Difference)>,
    /// Differences that are meant, and why.
    pub(crate) waived: BTreeMap<String, String>,
    /// Fields that a waiver names and that do not differ.
    pub(crate) idle_waivers: Vec<String>,
    /// Steps that recorded a listing.
    pub(crate) lists: usize,
    /// Steps that were not run, by operation.
    pub(crate) skipped: BTreeMap<String, usize>,
    /// Recorded things that were not compared or not applied.
    pub(crate) not_compared: Vec<String>,
    /// Why the case was not run, or not to its end.
    pub(crate) stopped: Option<Stop>,
}

impl Report {
    /// Takes out the differences that are meant.
    pub(crate) fn waive(&mut self, waivers: &[Waiver]) {
        for waiver in waivers {
            let before = self.differences.len();
            self.differences.retain(|(_, operation, difference)| {
                format!("{operation}.{}", difference.field) != waiver.field
            });
            if self.differences.len() < before {
                self.waived.insert(waiver.field.clone(), waiver.reason.clone());
            } else {
                self.idle_waivers.push(waiver.field.clone());
            }
        }
    }

    /// Returns whether every recorded listing is identical in everything that was recorded of it; `None` when none was.
    pub(crate) fn listings_identical(&self) -> Option<bool> {
        let of_list = |field: &String| field.starts_with("list.");
        (self.lists > 0).then(|| {
            self.stopped.is_none()
                && !self.skipped.contains_key("list")
                && !self.not_compared.iter().any(of_list)
                && !self.waived.keys().any(of_list)
                && !self.differences.iter().any(|(_, operation, _)| operation == "list")
        })
    }
}

/// Why a case was not run to its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It cannot be set up on this machine.
    Impossible(String),
    /// Our side failed, which the recording does not.
    Failed(String),
}

/// Runs a case in folders of its own.
pub(crate) fn run(case: &Case) -> Report {
    let mut report = Report::default();
    let layout = match Layout::new(case) {
        Ok(Ok(layout)) => layout,
        Ok(Err(reason)) => {
            report.stopped = Some(Stop::Impossible(reason));
            return report;
        }
        Err(error) => {
            report.stopped = Some(Stop::Impossible(format!("{error:#}")));
            return report;
        }
    };
    let dialect = dialects::of(&case.harness);
    report.lists = case.steps.iter().filter(|step| step.op == "list").count();
    report.not_compared.extend(not_applied(&case.options, dialect).map(|key| format!("options.{key}")));
    if let Err(error) = steps(case, &layout, &mut report) {
        report.stopped = Some(Stop::Failed(layout.conceal(&format!("{error:#}"))));
    }
    report
}

fn steps(case: &Case, layout: &Layout, report: &mut Report) -> anyhow::Result<()> {
    let dialect = dialects::of(&case.harness);
    let mut driver = Driver::start(&case.harness, &case.options, layout)?;
    let mut lost = false;
    for (index, step) in case.steps.iter().enumerate() {
        // What follows something that was not done has another past than the recording.
        let own = dialect.operation(step).map(|keys| understands(step, keys));
        let (known, changes) = own.map_or_else(|| operation(step), |known| (known, true));
        if lost || !known {
            *report.skipped.entry(step.op.clone()).or_default() += 1;
            lost |= changes || dialect.changes(step);
            continue;
        }
        let answer = match step.op.as_str() {
            _ if own.is_some() => dialect.step(&mut driver, step, layout)?,
            "list" => driver.list(),
            "turn" => driver.turn(&turn_input(&layout.substitute_map(&step.given)))?,
            "write" => {
                layout.write(&given::<Vec<FileSpec>>(step, "files")?)?;
                continue;
            }
            "remove" => {
                layout.remove(&given::<Vec<String>>(step, "paths")?)?;
                continue;
            }
            "reload" => {
                driver.reload();
                continue;
            }
            "compact" => {
                driver.compact()?;
                continue;
            }
            "restart" => {
                driver.restart()?;
                continue;
            }
            _ => {
                driver.resume()?;
                continue;
            }
        };
        let comparison = compare(dialect, &layout.substitute_map(&step.expect), &answer);
        let fields = comparison.not_compared.into_iter().map(|field| format!("{}.{field}", step.op));
        report.not_compared.extend(fields);
        let found = comparison.differences.into_iter();
        report.differences.extend(found.map(|difference| {
            let conceal = |value: &serde_json::Value| {
                serde_json::from_str(&layout.conceal(&value.to_string())).unwrap_or_else(|_| value.clone())
            };
            let difference = Difference {
                expected: conceal(&difference.expected),
                got: conceal(&difference.got),
                ..difference
            };
            (index + 1, step.op.clone(), difference)
        }));
    }
    Ok(())
}

/// Returns whether a step can be run as it is, and whether leaving it out makes the later ones meaningless.
fn operation(step: &Step) -> (bool, bool) {
    let (keys, changes): (&[&str], bool) = match step.op.as_str() {
        "list" => (&[], false),
        "turn" => (&["input", "select"], true),
        "write" => (&["files"], true),
        "remove" => (&["paths"], true),
        "reload" | "resume" | "restart" | "compact" => (&[], true),
        // A tool call is kept in the history, but no listing and no body depends on that.
        "load" | "commands" => return (false, false),
        _ => return (false, true),
    };
    let understood = understands(step, keys);
    let answers = matches!(step.op.as_str(), "list" | "turn") || step.expect.is_empty();
    (understood && answers, changes)
}

fn understands(step: &Step, keys: &[&str]) -> bool {
    step.given.keys().all(|key| keys.contains(&key.as_str()))
}

fn given<T: serde::de::DeserializeOwned>(step: &Step, key: &str) -> anyhow::Result<T> {
    let value = step.given.get(key).cloned().unwrap_or_default();
    Ok(serde_json::from_value(value)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str) -> Step {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn what_is_not_understood_is_not_run() {
        assert_eq!(operation(&step(r#"{"op": "turn", "input": "x"}"#)), (true, true));
        assert_eq!(operation(&step(r#"{"op": "turn", "input": "x", "model": "y"}"#)), (false, true));
        assert_eq!(
            operation(&step(r#"{"op": "write", "files": [], "expect": {"changed": true}}"#)),
            (false, true)
        );
        assert_eq!(operation(&step(r#"{"op": "load", "name": "x"}"#)), (false, false));
        assert_eq!(operation(&step(r#"{"op": "spawn"}"#)), (false, true));
        assert_eq!(operation(&step(r#"{"op": "something-new"}"#)), (false, true));
    }

    fn case(steps: &str) -> Case {
        let text = format!(
            r#"{{"harness": "codex", "id": "x", "steps": {steps},
            "options": {{"cwd": "project", "home": "home", "system_root": "etc", "git": true, "window": 272000}},
            "files": [{{"path": "project/.agents/skills/a/SKILL.md",
                        "text": "---\nname: a\ndescription: Does a.\n---\n\nBody.\n"}}]}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_case_that_holds_has_no_differences_and_one_that_does_not_says_where() {
        let right = r#"[{"op": "list", "expect": {"catalog": "sent", "entries": [{"name": "a"}],
            "loaded": [{"path": "<SCRATCH>/project/.agents/skills/a/SKILL.md", "scope": "repo"}]}},
            {"op": "turn", "input": "use $a", "expect": {"catalog": "sent", "injected": [{"name": "a",
             "head": "---\nname: a\n"}]}},
            {"op": "turn", "input": "more", "expect": {"catalog": "unchanged", "injected": []}}]"#;
        let report = run(&case(right));
        assert!(report.stopped.is_none() && report.differences.is_empty(), "{report:?}");

        let wrong = right.replace("\"more\"", "\"use $a\"").replace("\"repo\"", "\"user\"");
        let report = run(&case(&wrong));
        let places: Vec<(usize, &str)> = report
            .differences
            .iter()
            .map(|(step, _, difference)| (*step, difference.field.as_str()))
            .collect();
        assert_eq!(places, [(1, "loaded"), (3, "injected")]);
        assert!(format!("{report:?}").contains("<SCRATCH>/project"), "real paths are not shown");
    }

    #[test]
    fn a_waiver_takes_out_its_field_only_and_must_be_needed() {
        let waiver = |field: &str| Waiver {
            case: "x".to_owned(),
            field: field.to_owned(),
            reason: "a defect of the program".to_owned(),
        };
        let wrong = r#"[{"op": "list", "expect": {"catalog": "absent", "entries": [{"name": "b"}]}}]"#;
        let mut report = run(&case(wrong));
        assert_eq!(report.listings_identical(), Some(false));
        report.waive(&[waiver("list.entries"), waiver("list.roots")]);
        let left: Vec<_> = report.differences.iter().map(|(_, _, difference)| &difference.field).collect();
        assert_eq!(left, ["catalog"]);
        assert_eq!(report.waived.keys().collect::<Vec<_>>(), ["list.entries"]);
        assert_eq!(report.idle_waivers, ["list.roots"]);
    }

    #[test]
    fn nothing_is_compared_behind_a_change_that_was_not_made() {
        let report = run(&case(r#"[{"op": "spawn"}, {"op": "list", "expect": {"catalog": "absent"}}]"#));
        assert!(report.differences.is_empty());
        assert_eq!(report.skipped.values().sum::<usize>(), 2);
    }

    #[test]
    fn a_change_is_seen_only_when_the_program_noticed_it() {
        let change = r#"{"op": "remove", "paths": ["project/.agents"]}"#;
        let turn =
            |told: &str| format!(r#"{{"op": "turn", "input": "x", "expect": {{"catalog": "{told}"}}}}"#);
        let steps = format!(
            r#"[{}, {change}, {}, {{"op": "reload"}}, {}]"#,
            turn("sent"),
            turn("unchanged"),
            turn("sent")
        );
        let report = run(&case(&steps));
        assert!(report.stopped.is_none() && report.differences.is_empty(), "{report:?}");
    }
}
