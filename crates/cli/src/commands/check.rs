//! `lorimer check`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use lorimer::View;
use lorimer::check::{Checked, Ruleset, check};
use lorimer::core::{Code, Diagnostic, Severity};
use lorimer::profiles::{self, Profile};
use lorimer::report::{ChangeReport, CheckReport};
use lorimer::{Host, Lifecycle};

use crate::args::{CheckArgs, Format, directory, find_profile, no_profile};
use crate::commands::fixing::{self, Mode};
use crate::error::{CliError, Outcome};
use crate::output::{
    BOLD, DIM, YELLOW, count, paint, print, print_json, print_raw, remark, remark_on_nothing, severity_style,
};
use crate::severity::Overrides;
use crate::snippet::Snippets;
use crate::{github, sarif};

/// The ruleset that is no harness: the verdict of the standard's validator, on the skills of the native profile.
const STANDARD: &str = "agentskills";

pub(crate) fn run(args: &CheckArgs) -> Result<Outcome, CliError> {
    let mode = mode(args)?;
    let overrides = Overrides::parse(&args.severity)?;
    let (profile, rules) = ruleset(&args.common.profile)?;
    let mut host = args.common.host()?;
    for path in &args.paths {
        host.roots.push(folder(path)?);
    }
    let lifecycle = profile.lifecycle(&host)?;
    let (mut view, checked) = look(&lifecycle, rules, &overrides)?;
    let changes = mode.map(|mode| fixing::run(&checked, mode)).unwrap_or_default();
    if args.fix && !changes.is_empty() {
        view = look(&lifecycle, rules, &overrides)?.0;
    }
    let mut report = CheckReport::new(&args.common.profile, &view);
    report.changes = changes;
    tell(args, mode, &view, &report, &host)?;
    let notes = if args.strict { report.notes } else { 0 };
    let found = report.errors + report.warnings + notes > 0;
    Ok(if found { Outcome::Findings } else { Outcome::Fine })
}

fn mode(args: &CheckArgs) -> Result<Option<Mode>, CliError> {
    let mode = match (args.fix, args.diff) {
        (true, _) => Mode::Fix,
        (_, true) => Mode::Diff,
        _ => return Ok(None),
    };
    if mode == Mode::Diff && !matches!(args.format(), Format::Human | Format::Json) {
        return Err(CliError::usage(
            "--diff has no place in this format",
            "give it with --format human or json; sarif carries each fix by itself",
        ));
    }
    Ok(Some(mode))
}

fn ruleset(name: &str) -> Result<(Profile, Ruleset), CliError> {
    match name {
        STANDARD => Ok((find_profile("native")?, Ruleset::AgentSkills)),
        name => {
            let profile = profiles::by_name(name).ok_or_else(|| no_profile(name, &[STANDARD]))?;
            Ok((profile, Ruleset::Profile))
        }
    }
}

/// Returns the folder to look into for a path: a skill's file stands for its folder.
pub(crate) fn folder(path: &Path) -> Result<std::path::PathBuf, CliError> {
    let is_skill_file = path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
    if is_skill_file && path.is_file() {
        // `SKILL.md` alone has a parent without a name.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        return directory("PATH", parent);
    }
    directory("PATH", path)
}

/// Scans and checks, and brings the findings into the user's severities.
fn look(lifecycle: &Lifecycle, rules: Ruleset, overrides: &Overrides) -> Result<(View, Checked), CliError> {
    let mut view = lifecycle.session("check")?.view();
    let mut checked = check(&view, rules);
    overrides.apply(&mut checked.diagnostics);
    view.diagnostics.clone_from(&checked.diagnostics);
    Ok((view, checked))
}

fn tell(
    args: &CheckArgs,
    mode: Option<Mode>,
    view: &View,
    report: &CheckReport,
    host: &Host,
) -> Result<(), CliError> {
    let diagnostics: &[Diagnostic] = if args.quiet { &[] } else { &view.diagnostics };
    match args.format() {
        Format::Human => {
            if mode == Some(Mode::Diff) {
                fixing::print_diff(&report.changes)?;
            } else {
                let mut text = fixing::describe(&report.changes);
                if !text.is_empty() {
                    text.push('\n');
                }
                print(&format!("{text}{}{}", describe(diagnostics), summary(report, &view.diagnostics)))?;
            }
            if let Some(mode) = mode {
                remark(&fixing::summary(&report.changes, mode));
            }
            remark_on_nothing(&view.snapshot);
        }
        Format::Json => print_json(&report)?,
        Format::Sarif => print_json(&sarif::Log::new(&view.diagnostics, report, &host.cwd))?,
        Format::Github => {
            print_raw(&github::commands(diagnostics, &host.cwd))?;
            remark_changes(&report.changes, mode);
            remark(summary(report, &view.diagnostics).trim_end());
        }
    }
    Ok(())
}

fn remark_changes(changes: &[ChangeReport], mode: Option<Mode>) {
    if let Some(mode) = mode {
        remark(&fixing::summary(changes, mode));
    }
}

fn describe(diagnostics: &[Diagnostic]) -> String {
    let mut snippets = Snippets::default();
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&snippets.finding(diagnostic));
        text.push('\n');
    }
    text
}

fn summary(report: &CheckReport, diagnostics: &[Diagnostic]) -> String {
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
    text.push_str(&counts(diagnostics));
    text
}

/// One row per code, the worst and then the most frequent first; nothing where one row would say it again.
fn counts(diagnostics: &[Diagnostic]) -> String {
    let mut rows: BTreeMap<(Severity, Code), usize> = BTreeMap::new();
    for diagnostic in diagnostics {
        *rows.entry((diagnostic.severity, diagnostic.code)).or_default() += 1;
    }
    if rows.len() < 2 {
        return String::new();
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by(|((left, code), many), ((right, other), more)| {
        (right, more, code).cmp(&(left, many, other))
    });
    let width = rows.iter().map(|(_, number)| number.to_string().len()).max().unwrap_or_default();
    rows.into_iter().fold(String::new(), |mut text, ((severity, code), number)| {
        let name = paint(severity_style(severity), severity.as_str());
        let _ = writeln!(text, "  {} {name}[{code}]", paint(DIM, format!("{number:>width$}")));
        text
    })
}
