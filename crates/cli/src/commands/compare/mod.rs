//! `lorimer compare`

mod matrix;
mod page;
mod steps;
mod summary;
mod table;

use lorimer::Host;
use lorimer::compare::report::CompareReport;
use lorimer::compare::{AUDIT_AT, Column, Comparison, Error, compare};

use crate::args::CompareArgs;
use crate::error::{CliError, Outcome};
use crate::output::{CYAN, DIM, count, one_line, paint, print, print_json, remark, terminal_columns};

/// Windows that a page shows when none were asked for.
const WINDOWS: [u64; 5] = [8_000, 32_000, 128_000, 272_000, 1_000_000];

pub(crate) fn run(args: &CompareArgs) -> Result<Outcome, CliError> {
    let (profiles, host, mut options) = args.resolve()?;
    if args.html.is_some() && options.windows.is_empty() {
        options.windows = WINDOWS.map(Some).to_vec();
    }
    let comparison = compare(&profiles, &host, &options);
    refused_by_all(&comparison)?;
    if let Some(file) = &args.html {
        let page = page::render(&comparison)?;
        std::fs::write(file, &page).map_err(|error| {
            CliError::io(
                format!("--html `{}`: {error}", file.display()),
                "give a file in a folder that is there",
            )
        })?;
        remark(&paint(DIM, format!("{}: {}", one_line(&file.to_string_lossy()), sum(&comparison))));
    }
    if args.common.json {
        print_json(&CompareReport::new(&comparison))?;
    } else if args.html.is_none() {
        print(&describe(&comparison, args, &host, terminal_columns()))?;
        advise(&comparison);
    }
    Ok(Outcome::Fine)
}

/// A setting that every harness refuses leaves nothing to compare.
fn refused_by_all(comparison: &Comparison) -> Result<(), CliError> {
    let mut outcomes = comparison.columns.iter().map(|column| column.outcome.as_ref());
    let Some(Err(first)) = outcomes.next() else { return Ok(()) };
    if outcomes.any(|outcome| outcome.is_ok()) {
        return Ok(());
    }
    Err(match first {
        Error::Config(error) => CliError::from(error.clone()),
        other => CliError::io(other.to_string(), "leave out what it is about"),
    })
}

fn sum(comparison: &Comparison) -> String {
    let harnesses = comparison.columns.len();
    let harnesses = if harnesses == 1 { "1 harness".to_owned() } else { format!("{harnesses} harnesses") };
    format!("{} in {harnesses}", count(comparison.rows.len(), "skill"))
}

fn describe(comparison: &Comparison, args: &CompareArgs, host: &Host, columns: usize) -> String {
    let mut text = String::new();
    if !comparison.rows.is_empty() {
        let chosen = matrix::choose(comparison, args.only, args.sort, args.limit);
        text.push_str(&matrix::describe(comparison, &chosen, host, columns));
        text.push('\n');
        text.push_str(&summary::reasons(comparison));
    }
    text.push_str(&steps::windows(comparison, columns));
    text.push_str(&steps::growth(comparison, columns));
    text.push_str(&summary::describe(comparison, columns));
    text
}

/// S0-17: many skills are worth a look, and no error.
fn advise(comparison: &Comparison) {
    if comparison.rows.is_empty() {
        let hint = "no harness finds a skill here; `lorimer roots` shows every place, --root looks elsewhere";
        remark(&paint(DIM, hint));
    }
    let names = to_audit(comparison);
    if !names.is_empty() {
        remark(&format!(
            "{}: {AUDIT_AT} skills or more in {}: a good moment to look for those that are not needed or overlap",
            paint(CYAN.bold(), "note"),
            names.join(", "),
        ));
    }
}

/// Returns the harnesses that find so many skills that a look through them is due.
fn to_audit(comparison: &Comparison) -> Vec<&'static str> {
    let many = |column: &&Column| column.outcome.as_ref().is_ok_and(|seen| seen.counts.found() >= AUDIT_AT);
    comparison.columns.iter().filter(many).map(|column| column.profile.name).collect()
}
