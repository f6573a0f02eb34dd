//! Runs field cases through the native profile and compares.

mod answer;
mod case;
mod checks;
mod drive;
mod facts;
mod files;
mod prepare;
mod run;
mod setting;
mod unprivileged;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::cases::diff::Difference;
use case::Case;
use run::{Comparison, Report};

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder with a sub-folder per case, or one case's folder
    dir: PathBuf,
    /// Run only the case of this id
    #[arg(long, value_name = "ID")]
    case: Option<String>,
    /// Run only the cases of this stage
    #[arg(long, value_name = "STAGE")]
    stage: Option<String>,
    /// Show differences whole, and what else the cases accept
    #[arg(long)]
    verbose: bool,
    /// Print the report of one case's folder as JSON, for the process that has started this one
    #[arg(long, hide = true)]
    as_json: bool,
}

/// How a case is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Everything was compared and holds.
    Pass,
    /// Everything was compared, and another outcome that the case accepts holds.
    Alternative,
    /// Everything that was compared holds, but something was not compared.
    Partly,
    /// Nothing was compared.
    Skip,
    Fail,
}

const VERDICTS: [(Verdict, &str); 5] = [
    (Verdict::Pass, "pass"),
    (Verdict::Alternative, "pass (alternative)"),
    (Verdict::Partly, "partly"),
    (Verdict::Skip, "skip"),
    (Verdict::Fail, "FAIL"),
];

/// Runs the cases, prints what came of each and the counts, and returns whether none fails.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    if arguments.as_json {
        println!("{}", serde_json::to_string(&run::run(&case::read(&arguments.dir)?))?);
        return Ok(true);
    }
    let mut stages: BTreeMap<String, BTreeMap<Verdict, usize>> = BTreeMap::new();
    let mut lacking: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for folder in case::find(&arguments.dir)? {
        let case = case::read(&folder)?;
        let wanted = arguments.case.as_ref().is_none_or(|id| *id == case.id)
            && arguments.stage.as_ref().is_none_or(|stage| *stage == case.stage);
        if !wanted {
            continue;
        }
        let report = run::run(&case);
        let verdict = verdict(&report);
        for line in lines(&case, &report, arguments.verbose) {
            println!("{line}");
        }
        if let Report::Ran(comparison, _) = &report {
            for (_, reason) in &comparison.gaps {
                lacking.entry(reason.clone()).or_default().insert(case.id.clone());
            }
        }
        *stages.entry(case.stage).or_default().entry(verdict).or_default() += 1;
    }
    anyhow::ensure!(!stages.is_empty(), "no case matches");
    print_totals(&stages, &lacking);
    Ok(stages.values().all(|counts| !counts.contains_key(&Verdict::Fail)))
}

fn verdict(report: &Report) -> Verdict {
    let (comparison, why) = match report {
        Report::Unmet(_) => return Verdict::Skip,
        Report::Broken(_) => return Verdict::Fail,
        Report::Ran(comparison, why) => (comparison, why),
    };
    if !comparison.failures.is_empty() {
        Verdict::Fail
    } else if comparison.compared == 0 {
        Verdict::Skip
    } else if !comparison.gaps.is_empty() {
        Verdict::Partly
    } else if why.is_some() {
        Verdict::Alternative
    } else {
        Verdict::Pass
    }
}

/// Returns what is said about a case: one line, and behind it what fails and what was not compared.
fn lines(case: &Case, report: &Report, verbose: bool) -> Vec<String> {
    let Case { id, slug, stage, agreement, .. } = case;
    let head = format!("{id} {slug} [{stage}, {agreement}]");
    let (comparison, why) = match report {
        Report::Unmet(reason) => return vec![format!("{head}: skip: {reason}")],
        Report::Broken(reason) => return vec![format!("{head}: FAIL: {reason}")],
        Report::Ran(comparison, why) => (comparison, why),
    };
    let gaps = gaps(comparison);
    let alternative = why.as_ref().map(|why| format!(" (alternative: {why})")).unwrap_or_default();
    match verdict(report) {
        Verdict::Pass | Verdict::Alternative => vec![format!("{head}: pass{alternative}")],
        Verdict::Skip if gaps.is_empty() => vec![format!("{head}: skip: nothing is expected")],
        Verdict::Skip => vec![format!("{head}: skip: {gaps}")],
        Verdict::Partly => {
            let compared = format!("{} compared and hold", comparison.compared);
            vec![format!("{head}: partly{alternative}: {compared}; {gaps}")]
        }
        Verdict::Fail => {
            let mut lines = vec![format!("{head}: FAIL")];
            lines.extend(differences(&comparison.failures, "  ", verbose));
            for (why, failures) in &comparison.others {
                lines.push(format!("  nor does this hold: {why} ({} differ)", failures.len()));
                if verbose {
                    lines.extend(differences(failures, "    ", verbose));
                }
            }
            if !gaps.is_empty() {
                lines.push(format!("  {gaps}"));
            }
            lines
        }
    }
}

/// Names what was not compared, each reason once with its steps.
fn gaps(comparison: &Comparison) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (step, reason) in &comparison.gaps {
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, steps)) => steps.push(step),
            None => reasons.push((reason, vec![step])),
        }
    }
    let shown = reasons.iter().map(|(reason, steps)| format!("{}: {reason}", steps.join(" ")));
    shown.collect::<Vec<_>>().join("; ")
}

fn differences(failures: &[(String, Difference)], indent: &str, verbose: bool) -> Vec<String> {
    let (most, width) = if verbose { (usize::MAX, usize::MAX) } else { (12, 200) };
    let mut lines = Vec::new();
    for (step, difference) in failures {
        for (index, line) in difference.lines(most, width).iter().enumerate() {
            let before = if index == 0 { format!("{step} ") } else { "  ".to_owned() };
            lines.push(format!("{indent}{before}{line}"));
        }
    }
    lines
}

fn print_totals(
    stages: &BTreeMap<String, BTreeMap<Verdict, usize>>,
    lacking: &BTreeMap<String, BTreeSet<String>>,
) {
    println!();
    let mut all: BTreeMap<Verdict, usize> = BTreeMap::new();
    for (stage, counts) in stages {
        println!("{stage}: {}", counted(counts));
        for (verdict, count) in counts {
            *all.entry(*verdict).or_default() += count;
        }
    }
    println!("all {}: {}", all.values().sum::<usize>(), counted(&all));
    for (reason, cases) in lacking {
        let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
        println!("  {reason}: {}", cases.join(" "));
    }
}

fn counted(counts: &BTreeMap<Verdict, usize>) -> String {
    let named =
        VERDICTS.iter().filter_map(|(verdict, name)| Some(format!("{} {name}", counts.get(verdict)?)));
    named.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn failure() -> (String, Difference) {
        let difference =
            Difference { field: "discovered".to_owned(), expected: json!(["a"]), got: json!(["b"]) };
        ("s1".to_owned(), difference)
    }

    fn gap() -> (String, String) {
        ("s2".to_owned(), "not built (trust)".to_owned())
    }

    #[test]
    fn a_case_passes_only_when_all_of_it_was_compared() {
        let ran = |comparison: Comparison| verdict(&Report::Ran(comparison, None));
        let compared = Comparison { compared: 1, ..Comparison::default() };
        assert_eq!(ran(compared.clone()), Verdict::Pass);
        assert_eq!(verdict(&Report::Ran(compared.clone(), Some(String::new()))), Verdict::Alternative);
        assert_eq!(ran(Comparison { gaps: vec![gap()], ..compared.clone() }), Verdict::Partly);
        assert_eq!(
            ran(Comparison { gaps: vec![gap()], failures: vec![failure()], ..compared }),
            Verdict::Fail
        );
        assert_eq!(ran(Comparison { gaps: vec![gap()], ..Comparison::default() }), Verdict::Skip);
        assert_eq!(ran(Comparison { failures: vec![failure()], ..Comparison::default() }), Verdict::Fail);
        assert_eq!(verdict(&Report::Unmet(String::new())), Verdict::Skip);
        assert_eq!(verdict(&Report::Broken(String::new())), Verdict::Fail);
    }

    #[test]
    fn a_failure_says_what_was_expected_and_what_came() {
        let case = case::tests::case("{}", "[]", "{}");
        let comparison = Comparison {
            compared: 2,
            failures: vec![failure()],
            gaps: vec![gap(), gap()],
            others: vec![("stricter".to_owned(), vec![failure()])],
        };
        let lines = lines(&case, &Report::Ran(comparison, None), false);
        assert_eq!(
            lines,
            [
                "x x [discover, settled]: FAIL",
                "  s1 discovered: -expected +got",
                "    - \"a\"",
                "    + \"b\"",
                "  nor does this hold: stricter (1 differ)",
                "  s2 s2: not built (trust)",
            ]
        );
    }
}
