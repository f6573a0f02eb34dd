//! `lorimer roots`

use std::fmt::Write as _;

use lorimer::profiles::roots::{self, PlaceReport, RootsReport, Surroundings, Table};

use crate::args::RootsArgs;
use crate::error::{CliError, Outcome};
use crate::output::{BOLD, DIM, GREEN, YELLOW, count, one_line, paint, print, print_json, remark};

pub(crate) fn run(args: &RootsArgs) -> Result<Outcome, CliError> {
    let tables: Vec<&Table> = match &args.harness {
        None => roots::ALL.iter().collect(),
        Some(name) => vec![roots::by_name(name).ok_or_else(|| unknown(name))?],
    };
    let host = args.place.host()?;
    let mut reports = Vec::new();
    for table in tables {
        let around = Surroundings::of(table, &host);
        for odd in &around.diagnostics {
            remark(&one_line(&odd.to_string()));
        }
        reports.push(table.report(&around));
    }
    if args.json {
        print_json(&reports)?;
        return Ok(Outcome::Fine);
    }
    let texts: Vec<String> = reports.iter().map(describe).collect();
    print(&texts.join("\n"))?;
    Ok(Outcome::Fine)
}

fn unknown(name: &str) -> CliError {
    let names: Vec<&str> = roots::ALL.iter().map(|table| table.harness).collect();
    CliError::usage(
        format!("it is not known where `{name}` looks"),
        format!("choose one of: {}", names.join(", ")),
    )
}

fn describe(report: &RootsReport) -> String {
    let mut text = paint(BOLD, report.harness);
    if !report.program.is_empty() {
        let _ = write!(text, " {}", paint(DIM, report.program));
    }
    text.push('\n');
    for (number, place) in (1..).zip(&report.places) {
        let _ = writeln!(text, "{number:>3}. {}", line(place));
    }
    text
}

/// One row: what is there, whose it is, where.
fn line(place: &PlaceReport) -> String {
    let mark = match (&place.why_not, place.exists, place.skills) {
        (Some(_), ..) => paint(DIM, "-"),
        (None, true, 1..) => paint(GREEN, "●"),
        (None, true, 0) => paint(YELLOW, "○"),
        (None, false, _) => paint(DIM, "·"),
    };
    let at = one_line(place.path.as_deref().unwrap_or(place.place));
    let there = match (&place.why_not, place.exists) {
        (Some(why), _) => format!("does not count: {}", one_line(why)),
        (None, false) => "not there".to_owned(),
        (None, true) => count(place.skills, "skill"),
    };
    format!("{mark} {:7}  {at}  {}", place.whose, paint(DIM, there))
}
