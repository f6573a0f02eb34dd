//! Runs recorded experiments of the real harnesses through our profiles and compares.

mod answer;
mod case;
mod compare;
mod dialects;
mod discovery;
mod drive;
mod host;
mod layout;
mod run;
mod waivers;

use std::collections::BTreeMap;
use std::path::PathBuf;

use discovery::Found;
use run::{Report, Stop};
use waivers::Waivers;

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder with a sub-folder per harness, one harness's folder, or one case file
    dir: PathBuf,
    /// Run only this harness's cases
    #[arg(long, value_name = "NAME")]
    harness: Option<String>,
    /// Run only the cases whose id begins with this
    #[arg(long, value_name = "ID")]
    case: Option<String>,
    /// Show differences whole, and name the other cases too
    #[arg(long)]
    verbose: bool,
}

/// The counts of one harness.
#[derive(Debug, Default)]
struct Tally {
    total: usize,
    identical: usize,
    different: usize,
    partly: usize,
    waived: usize,
    /// Cases that recorded a listing, and those in which every listing is identical in all that was recorded.
    with_listing: usize,
    listings_identical: usize,
    impossible: BTreeMap<String, usize>,
    skipped: BTreeMap<String, usize>,
    not_compared: BTreeMap<String, usize>,
}

/// Runs the cases, prints what differs and the counts, and returns whether nothing differs.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let waivers = Waivers::read(&crate::workspace::root().join("xtask/waivers"))?;
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
    let mut found: BTreeMap<String, FoundTally> = BTreeMap::new();
    for path in case::find(&arguments.dir)? {
        let case = case::read(&path)?;
        let wanted = arguments.harness.as_ref().is_none_or(|name| *name == case.harness)
            && arguments.case.as_ref().is_none_or(|id| case.id.starts_with(id.as_str()));
        if !wanted {
            continue;
        }
        if !drive::knows(&case.harness) {
            if let Some(table) = discovery::table(&case.harness) {
                let tally = found.entry(case.harness.clone()).or_default();
                tally.add(&case, discovery::run(table, &case), arguments.verbose);
            }
            *unknown.entry(case.harness).or_default() += 1;
            continue;
        }
        let mut report = run::run(&case);
        report.waive(waivers.of(&case.harness, &case.id));
        print(&format!("{}/{}", case.harness, case.id), &report, arguments.verbose);
        tallies.entry(case.harness).or_default().add(report);
    }
    for (harness, tally) in &tallies {
        tally.print(harness);
    }
    for (harness, cases) in &unknown {
        match found.get(harness) {
            None => println!("{harness}: no profile of this name, {cases} cases not run"),
            Some(tally) => tally.print(harness, *cases),
        }
    }
    anyhow::ensure!(!(tallies.is_empty() && unknown.is_empty()), "no case matches");
    Ok(tallies.values().all(|tally| tally.different == 0))
}

/// The counts of a harness of which only discovery is compared. They do not decide whether the command succeeds: a
/// later stage may hide or rename what is found.
#[derive(Debug, Default)]
struct FoundTally {
    agreeing: usize,
    differing: usize,
    not_compared: BTreeMap<String, usize>,
}

impl FoundTally {
    fn add(&mut self, case: &case::Case, found: Found, verbose: bool) {
        match found {
            Found::Agrees => self.agreeing += 1,
            Found::NotCompared(reason) => *self.not_compared.entry(reason).or_default() += 1,
            Found::Differs { step, missing, extra } => {
                self.differing += 1;
                println!("{}/{}: finds something else in step {step}", case.harness, case.id);
                let most = if verbose { usize::MAX } else { 8 };
                for (mark, facts) in [("-", missing), ("+", extra)] {
                    for fact in facts.iter().take(most) {
                        println!("  {mark} {fact}");
                    }
                    if facts.len() > most {
                        println!("  {mark} … {} more", facts.len() - most);
                    }
                }
            }
        }
    }

    fn print(&self, harness: &str, cases: usize) {
        let compared = self.agreeing + self.differing;
        println!("{harness}: no profile of this name, {cases} cases not run");
        println!("  discovery: {} of {compared} cases agree", self.agreeing);
        println!("  discovery not compared: {}", counts(&self.not_compared));
    }
}

/// How a case is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Everything that was recorded was compared and agrees.
    Identical,
    /// Everything that was compared agrees, but something was not compared.
    Partly,
    /// Every difference is one that is meant.
    Waived,
    Different,
    /// It was not run.
    Impossible,
}

fn verdict(report: &Report) -> Verdict {
    match &report.stopped {
        Some(Stop::Failed(_)) => Verdict::Different,
        _ if !report.differences.is_empty() || !report.idle_waivers.is_empty() => Verdict::Different,
        Some(Stop::Impossible(_)) => Verdict::Impossible,
        None if !report.waived.is_empty() => Verdict::Waived,
        None if report.skipped.is_empty() && report.not_compared.is_empty() => Verdict::Identical,
        None => Verdict::Partly,
    }
}

fn print(name: &str, report: &Report, verbose: bool) {
    let (most, width) = if verbose { (usize::MAX, usize::MAX) } else { (14, 180) };
    match verdict(report) {
        Verdict::Different => println!("{name}: different"),
        Verdict::Impossible => println!("{name}: not run"),
        Verdict::Partly if verbose => println!("{name}: what was compared agrees"),
        Verdict::Identical if verbose => println!("{name}: identical"),
        Verdict::Waived if verbose => println!("{name}: differs as is meant"),
        Verdict::Partly | Verdict::Identical | Verdict::Waived => return,
    }
    match &report.stopped {
        Some(Stop::Failed(reason)) => println!("  failed: {reason}"),
        Some(Stop::Impossible(reason)) => println!("  {reason}"),
        None => {}
    }
    for (step, operation, difference) in &report.differences {
        for (index, line) in difference.lines(most, width).iter().enumerate() {
            match index {
                0 => println!("  step {step} {operation}: {line}"),
                _ => println!("    {line}"),
            }
        }
    }
    for (field, reason) in &report.waived {
        println!("  {field} differs as is meant: {reason}");
    }
    for waiver in &report.idle_waivers {
        println!("  the waiver of {waiver} is not needed; take it out of xtask/waivers");
    }
    if verbose && !report.not_compared.is_empty() {
        println!("  not compared: {}", report.not_compared.join(", "));
    }
}

impl Tally {
    fn add(&mut self, report: Report) {
        self.total += 1;
        match verdict(&report) {
            Verdict::Identical => self.identical += 1,
            Verdict::Partly => self.partly += 1,
            Verdict::Waived => self.waived += 1,
            Verdict::Different => self.different += 1,
            Verdict::Impossible => {}
        }
        if let Some(identical) = report.listings_identical() {
            self.with_listing += 1;
            self.listings_identical += usize::from(identical);
        }
        if let Some(Stop::Impossible(reason)) = report.stopped {
            *self.impossible.entry(reason).or_default() += 1;
        }
        for (operation, count) in report.skipped {
            *self.skipped.entry(operation).or_default() += count;
        }
        for field in report.not_compared {
            *self.not_compared.entry(field).or_default() += 1;
        }
    }

    fn print(&self, harness: &str) {
        println!("{harness}: {} of {} cases identical", self.identical, self.total);
        println!(
            "  listings: {} of {} cases identical in every list, as far as it was recorded",
            self.listings_identical, self.with_listing
        );
        if self.waived > 0 {
            println!("  {} differ as is meant (xtask/waivers/{harness}.toml)", self.waived);
        }
        if self.different > 0 {
            println!("  {} different", self.different);
        }
        if self.partly > 0 {
            println!("  {} partly skipped: everything compared agreed", self.partly);
        }
        for (reason, count) in &self.impossible {
            println!("  {count} not run: {reason}");
        }
        if !self.skipped.is_empty() {
            let steps: usize = self.skipped.values().sum();
            println!(
                "  {steps} steps skipped (not built yet, or behind one that is not: {})",
                counts(&self.skipped)
            );
        }
        if !self.not_compared.is_empty() {
            println!("  not compared: {}", counts(&self.not_compared));
        }
    }
}

fn counts(counts: &BTreeMap<String, usize>) -> String {
    let texts: Vec<String> = counts.iter().map(|(what, count)| format!("{what} {count}")).collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::diff::Difference;

    #[test]
    fn a_case_is_identical_only_when_all_of_it_was_compared() {
        let mut report = Report::default();
        assert_eq!(verdict(&report), Verdict::Identical);
        report.not_compared.push("list.budget".to_owned());
        assert_eq!(verdict(&report), Verdict::Partly);
        report.not_compared.clear();
        report.skipped.insert("load".to_owned(), 1);
        assert_eq!(verdict(&report), Verdict::Partly);
        let nothing = serde_json::Value::Null;
        let difference = Difference { field: "f".to_owned(), expected: nothing.clone(), got: nothing };
        report.differences.push((1, "list".to_owned(), difference));
        assert_eq!(verdict(&report), Verdict::Different);
        let failed = Report { stopped: Some(Stop::Failed(String::new())), ..Report::default() };
        assert_eq!(verdict(&failed), Verdict::Different);
        let impossible = Report { stopped: Some(Stop::Impossible(String::new())), ..Report::default() };
        assert_eq!(verdict(&impossible), Verdict::Impossible);
    }
}
