//! `lorimer check`

use std::fmt::Write as _;

use lorimer::report::CheckReport;

use crate::args::CheckArgs;
use crate::error::{CliError, Outcome};
use crate::output::{BOLD, YELLOW, count, finding, paint, print, print_json};

pub(crate) fn run(args: &CheckArgs) -> Result<Outcome, CliError> {
    let lifecycle = args.common.lifecycle()?;
    let view = lifecycle.session("check")?.view();
    let report = CheckReport::new(&args.common.profile, &view);
    let notes = if args.strict { report.notes } else { 0 };
    let outcome = if report.errors + report.warnings + notes > 0 { Outcome::Findings } else { Outcome::Fine };
    if args.common.json {
        print_json(&report)?;
        return Ok(outcome);
    }
    let mut text: String = view.diagnostics.iter().map(finding).collect();
    if !report.complete {
        let _ = writeln!(text, "{}", paint(YELLOW, "not everything was reached; see the findings above"));
    }
    let _ = writeln!(
        text,
        "{}: {}, {}, {}",
        paint(BOLD, format!("{} for {}", count(report.skills, "skill"), report.profile)),
        count(report.errors, "error"),
        count(report.warnings, "warning"),
        count(report.notes, "note"),
    );
    print(&text)?;
    Ok(outcome)
}
