//! `lorimer turn`

use std::fmt::Write as _;

use lorimer::persist::JsonlJournal;
use lorimer::report::TurnReport;
use lorimer::{Turn, TurnInput};

use crate::args::TurnArgs;
use crate::error::{CliError, Outcome};
use crate::output::{
    BOLD, CYAN, DIM, GREEN, RED, YELLOW, clip, finding, paint, print, print_json, printable, remark,
};

/// Lines of an item that are printed before the rest is only counted.
const MOST_LINES: usize = 14;
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
        input = input.select(name, locator);
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
        print(&describe(&turn, &report))?;
    }
    Ok(Outcome::Fine)
}

/// What the model got, what happened to each skill, and the funnel.
pub(crate) fn describe(turn: &Turn, report: &TurnReport) -> String {
    let mut text = format!("{}\n", paint(BOLD, "What the model gets"));
    if turn.items.is_empty() {
        let why = match report.catalog {
            "unchanged" => "nothing new: the listing that it was told still holds",
            _ => "nothing: there is no skill to list, and none was selected",
        };
        let _ = writeln!(text, "  {}", paint(DIM, why));
    } else if report.catalog == "unchanged" {
        let _ = writeln!(text, "  {}", paint(DIM, "(the listing is unchanged, so it is not sent again)"));
    }
    for item in &turn.items {
        let _ = writeln!(text, "  {} {}", paint(CYAN, item.role.as_str()), paint(DIM, &item.kind));
        text.push_str(&excerpt(&item.text));
    }
    if !report.selected.is_empty() || !report.unresolved.is_empty() {
        let _ = writeln!(text, "{}", paint(BOLD, "What was asked for"));
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
    for question in &turn.questions {
        let _ = writeln!(
            text,
            "  {} {} [{}]",
            paint(YELLOW, "question:"),
            printable(&question.text),
            question.options.join(" / ")
        );
    }
    let _ = writeln!(text, "{}", paint(BOLD, "Funnel"));
    for line in report.funnel.to_string().lines() {
        let _ = writeln!(text, "  {line}");
    }
    text
}

fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    let lines: Vec<&str> = text.lines().collect();
    // The last line closes the wrapper, so it is worth a place.
    let cut = lines.len().saturating_sub(MOST_LINES);
    for (index, line) in lines.iter().enumerate() {
        if cut > 0 && index == MOST_LINES - 1 {
            let _ = writeln!(shown, "    {}", paint(DIM, format!("… {cut} more lines")));
        }
        if cut == 0 || index < MOST_LINES - 1 || index == lines.len() - 1 {
            let _ = writeln!(shown, "    {}", clip(line, LINE_WIDTH));
        }
    }
    shown
}
