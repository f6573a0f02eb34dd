//! `lorimer turn`

use std::fmt::Write as _;
use std::path::Path;

use lorimer::TurnInput;
use lorimer::observe::FunnelCounts;
use lorimer::persist::JsonlJournal;
use lorimer::report::TurnReport;

use crate::args::TurnArgs;
use crate::error::{CliError, Outcome};
use crate::output::{
    BOLD, CYAN, DIM, GREEN, RED, YELLOW, clip, finding, paint, print, print_json, printable, remark,
};

/// Lines of an item that are printed before the rest is only counted.
const MOST_LINES: usize = 16;
const LINE_WIDTH: usize = 110;

pub(crate) fn run(args: &TurnArgs) -> Result<Outcome, CliError> {
    let (profile, host) = args.common.resolve()?;
    let mut input = TurnInput::default();
    input.texts.clone_from(&args.input);
    input.connectors = args.connector.iter().map(|slug| slug.to_lowercase()).collect();
    for selection in &args.select {
        let (name, locator) = selection.split_once('=').ok_or_else(|| {
            CliError::usage(
                format!("--select `{selection}` has no locator"),
                "write --select NAME=/path/to/SKILL.md",
            )
        })?;
        input = input.select(name, absolute(&host.cwd, locator));
    }
    let mut builder = profile.builder(&host)?;
    if let Some(folder) = &args.journal {
        builder = builder.journal(JsonlJournal::open(folder));
    }
    let mut session = builder.build().session(&args.session)?;
    for diagnostic in session.diagnostics() {
        remark(finding(diagnostic).trim_end());
    }
    let turn = session.begin(&input)?;
    let report = TurnReport::new(&args.common.profile, &turn);
    if args.common.json {
        print_json(&report)?;
    } else {
        print(&describe(&report, &report.funnel, MOST_LINES))?;
    }
    Ok(Outcome::Fine)
}

/// A user interface knows absolute paths; a person types relative ones.
fn absolute(cwd: &Path, locator: &str) -> String {
    if locator.contains("://") {
        locator.to_owned()
    } else {
        cwd.join(locator).to_string_lossy().into_owned()
    }
}

/// What the model got, at most so many lines of each item; what became of everything that was asked for; a funnel.
pub(crate) fn describe(report: &TurnReport, funnel: &FunnelCounts, most_lines: usize) -> String {
    let mut text = heading("What the model gets", "catalog, activate");
    if report.items.is_empty() {
        let why = match report.catalog {
            "unchanged" => "nothing new: the listing that it was told still holds",
            _ => "nothing: there is no skill to list, and none was selected",
        };
        let _ = writeln!(text, "  {}", paint(DIM, why));
    } else if report.catalog == "unchanged" {
        let _ = writeln!(text, "  {}", paint(DIM, "(the listing is unchanged, so it is not sent again)"));
    }
    for item in &report.items {
        let _ = writeln!(text, "  {} {}", paint(CYAN, item.role), paint(DIM, &item.kind));
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
            printable(&selected.name),
            selected.how,
            paint(style, selected.state),
            printable(&detail)
        );
    }
    for unresolved in &report.unresolved {
        let _ = writeln!(
            text,
            "  {}: {}",
            printable(&unresolved.mention),
            paint(YELLOW, format!("not chosen, {}", unresolved.reason))
        );
        for candidate in &unresolved.candidates {
            let _ = writeln!(text, "    {}", paint(DIM, format!("{} {}", candidate.name, candidate.locator)));
        }
    }
    for question in &report.questions {
        let _ = writeln!(
            text,
            "  {} {} [{}]",
            paint(YELLOW, "question:"),
            printable(&question.text),
            question.options.join(" / ")
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
