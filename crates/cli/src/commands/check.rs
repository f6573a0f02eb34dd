//! `lorimer check`

use std::fmt::Write as _;

use lorimer::View;
use lorimer::core::Diagnostic;
use lorimer::report::CheckReport;

use crate::args::{CheckArgs, Format};
use crate::error::{CliError, Outcome};
use crate::output::{BOLD, YELLOW, count, paint, print, print_json, print_raw, remark, remark_on_nothing};
use crate::severity::Overrides;
use crate::snippet::Snippets;
use crate::{github, sarif};

pub(crate) fn run(args: &CheckArgs) -> Result<Outcome, CliError> {
    let overrides = Overrides::parse(&args.severity)?;
    let (profile, host) = args.common.resolve()?;
    let view = view(profile.lifecycle(&host)?.session("check")?.view(), &overrides);
    let report = CheckReport::new(&args.common.profile, &view);
    match args.format() {
        Format::Human => {
            print(&describe(&view.diagnostics, &report))?;
            remark_on_nothing(&view.snapshot);
        }
        Format::Json => print_json(&report)?,
        Format::Sarif => print_json(&sarif::Log::new(&view.diagnostics, &report, &host.cwd))?,
        Format::Github => {
            print_raw(&github::commands(&view.diagnostics, &host.cwd))?;
            remark(summary(&report).trim_end());
        }
    }
    let notes = if args.strict { report.notes } else { 0 };
    let found = report.errors + report.warnings + notes > 0;
    Ok(if found { Outcome::Findings } else { Outcome::Fine })
}

/// Brings the findings into the user's severities and into an order that does not depend on how they were found.
fn view(mut view: View, overrides: &Overrides) -> View {
    overrides.apply(&mut view.diagnostics);
    view.diagnostics.sort_by(|left, right| key(left).cmp(&key(right)));
    view
}

/// Findings about no file come first, then file by file and line by line.
fn key(diagnostic: &Diagnostic) -> impl Ord {
    let location = diagnostic.location.as_ref();
    let span = location.and_then(|location| location.span).map(|span| (span.line, span.column));
    (location.map(|location| &location.locator), span, diagnostic.code, &diagnostic.message)
}

fn describe(diagnostics: &[Diagnostic], report: &CheckReport) -> String {
    let mut snippets = Snippets::default();
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&snippets.finding(diagnostic));
        text.push('\n');
    }
    text.push_str(&summary(report));
    text
}

fn summary(report: &CheckReport) -> String {
    let mut text = String::new();
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
    text
}
