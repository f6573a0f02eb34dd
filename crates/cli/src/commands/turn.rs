//! `lorimer turn`

use std::fmt::Write as _;
use std::path::{Component, Path};

use lorimer::core::{Diagnostic, Event, SkillId};
use lorimer::observe::FunnelCounts;
use lorimer::persist::{JournalError, JsonlJournal};
use lorimer::report::{DiagnosticReport, TurnReport};
use lorimer::{Lifecycle, SessionError, Turn, TurnInput};

use crate::args::TurnArgs;
use crate::error::{CliError, Outcome};
use crate::output::{
    BOLD, CYAN, DIM, GREEN, RED, YELLOW, clip, finding, one_line, paint, print, print_json, remark,
};

/// Lines of an item that are printed before the rest is only counted.
const MOST_LINES: usize = 16;
const LINE_WIDTH: usize = 110;
/// Candidates that are printed before the rest is only counted.
const MOST_CANDIDATES: usize = 8;
/// How often a turn is run again because the session went on elsewhere.
const MOST_TRIES: usize = 20;

pub(crate) fn run(args: &TurnArgs) -> Result<Outcome, CliError> {
    let (profile, host) = args.common.resolve()?;
    let mut input = TurnInput::default();
    input.texts.clone_from(&args.input);
    input.connectors = args.connector.iter().map(|slug| slug.to_lowercase()).collect();
    for selection in &args.select {
        let (name, locator) =
            selection.split_once('=').filter(|(_, locator)| !locator.trim().is_empty()).ok_or_else(|| {
                CliError::usage(
                    format!("--select `{selection}` has no locator"),
                    "write --select NAME=/path/to/SKILL.md",
                )
            })?;
        input = input.select(name, locator_of(&host.cwd, locator));
    }
    let mut builder = profile.builder(&host)?;
    if let Some(folder) = &args.journal {
        builder = builder.journal(JsonlJournal::open(folder));
    }
    let (turn, odd) = begin(&builder.build(), &args.session, &input)?;
    let mut report = TurnReport::new(&args.common.profile, &turn);
    report.diagnostics.extend(odd.iter().map(DiagnosticReport::from));
    if args.common.json {
        print_json(&report)?;
        return Ok(Outcome::Fine);
    }
    print(&describe(&report, &report.funnel, MOST_LINES))?;
    for diagnostic in odd.iter().chain(&turn.notices) {
        remark(finding(diagnostic).trim_end());
    }
    Ok(Outcome::Fine)
}

/// Runs the turn; when another process has just continued the session, runs it on what that process left.
fn begin(
    lifecycle: &Lifecycle,
    session: &str,
    input: &TurnInput,
) -> Result<(Turn, Vec<Diagnostic>), CliError> {
    let mut tries = 0;
    loop {
        let mut session = lifecycle.session(session)?;
        match session.begin(input) {
            Err(SessionError::Journal(JournalError::Conflict { .. })) if tries < MOST_TRIES => tries += 1,
            result => return Ok((result?, session.diagnostics().to_vec())),
        }
    }
}

/// A user interface knows absolute paths of files; a person types relative ones, folders and `file:` addresses.
fn locator_of(cwd: &Path, locator: &str) -> String {
    let path = match locator.strip_prefix("file://") {
        Some(path) => Path::new(path),
        None if locator.contains("://") || locator.parse::<SkillId>().is_ok() => return locator.to_owned(),
        None => Path::new(locator),
    };
    let mut path = cwd.join(path);
    if path.is_dir() {
        path.push("SKILL.md");
    }
    if path.components().any(|part| part == Component::ParentDir) {
        path = path.canonicalize().unwrap_or(path);
    }
    path.to_string_lossy().into_owned()
}

/// What the model got, at most so many lines of each item; what became of everything that was asked for; a funnel.
pub(crate) fn describe(report: &TurnReport, funnel: &FunnelCounts, most_lines: usize) -> String {
    let mut text = heading("What the model gets", "catalog, activate");
    if report.items.is_empty() {
        let why = match report.catalog {
            "unchanged" => "nothing new: the listing that it was told still holds",
            _ if report.events.iter().any(is_switched_off) => "nothing: listings are switched off",
            _ => "nothing: there is no skill to list, and none was selected",
        };
        let _ = writeln!(text, "  {}", paint(DIM, why));
    } else if report.catalog == "unchanged" {
        let _ = writeln!(text, "  {}", paint(DIM, "(the listing is unchanged, so it is not sent again)"));
    }
    for item in &report.items {
        let _ = writeln!(text, "  {} {}", paint(CYAN, item.role), paint(DIM, one_line(&item.kind)));
        text.push_str(&excerpt(&item.text, most_lines));
    }
    if !report.selected.is_empty() || !report.unresolved.is_empty() {
        text.push_str(&heading("What was asked for", "resolve, authorize"));
    }
    for selected in &report.selected {
        let style = match selected.state {
            "cleared" => GREEN,
            "waiting" => YELLOW,
            _ => RED,
        };
        let detail = selected.detail.as_ref().map(|detail| format!(" ({detail})")).unwrap_or_default();
        let _ = writeln!(
            text,
            "  {} by {}: {}{}",
            one_line(&selected.name),
            selected.how,
            paint(style, selected.state),
            one_line(&detail)
        );
    }
    for unresolved in &report.unresolved {
        let _ = writeln!(
            text,
            "  {}: {}",
            one_line(&unresolved.mention),
            paint(YELLOW, one_line(&format!("not chosen, {}", unresolved.reason)))
        );
        for candidate in unresolved.candidates.iter().take(MOST_CANDIDATES) {
            let _ = writeln!(
                text,
                "    {}",
                paint(DIM, one_line(&format!("{} {}", candidate.name, candidate.locator)))
            );
        }
        let more = unresolved.candidates.len().saturating_sub(MOST_CANDIDATES);
        if more > 0 {
            let _ = writeln!(text, "    {}", paint(DIM, format!("and {more} more")));
        }
    }
    for question in &report.questions {
        let _ = writeln!(
            text,
            "  {} {} [{}]",
            paint(YELLOW, "question:"),
            one_line(&question.text),
            one_line(&question.options.join(" / "))
        );
    }
    text.push_str(&heading("Funnel", "observe"));
    for line in funnel.to_string().lines() {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// A heading, and the stages that had a hand in what stands below it.
pub(crate) fn heading(title: &str, stages: &str) -> String {
    format!("{}  {}\n", paint(BOLD, title), paint(DIM, stages))
}

/// The beginning of an item, and its last line, which closes the wrapper. Blank lines are not worth a place.
fn excerpt(text: &str, most_lines: usize) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let whole = lines.len() <= most_lines;
    let head = if whole { lines.len() } else { most_lines.saturating_sub(2) };
    let mut shown = String::new();
    for line in lines.iter().take(head) {
        let _ = writeln!(shown, "    {}", clip(line, LINE_WIDTH));
    }
    if let Some(last) = lines.last().filter(|_| !whole) {
        let skipped = format!("… {} more lines", lines.len() - head - 1);
        let _ = writeln!(shown, "    {}\n    {}", paint(DIM, skipped), clip(last, LINE_WIDTH));
    }
    shown
}

fn is_switched_off(event: &Event) -> bool {
    matches!(event, Event::SkillDenied { reason, .. } if reason == "listing-off")
}
