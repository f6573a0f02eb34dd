//! `lorimer add-review`

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lorimer::core::{Diagnostic, Severity};
use lorimer::intake::{self, IntakeReport, ListingReport, ReviewReport};
use lorimer::overlap::Options;

use crate::args::AddReviewArgs;
use crate::commands::overlap::{alike, lost, name};
use crate::error::{CliError, Outcome};
use crate::output::{
    BOLD, DIM, GREEN, RED, YELLOW, count, finding, one_line, paint, print, print_json, remark,
};

/// Names of skills that are printed before the rest is only counted.
const MOST: usize = 5;

pub(crate) fn run(args: &AddReviewArgs) -> Result<Outcome, CliError> {
    let (profile, host) = args.common.resolve()?;
    let incoming = intake::incoming(&there(&args.path)?, &host)?;
    let installed = profile.lifecycle(&host)?;
    let options = Options { min: args.min, ..Options::default() };
    let outcome = intake::review(&installed, &incoming, &options)?;
    let report = IntakeReport::new(&args.common.profile, &outcome);
    if args.common.json {
        print_json(&report)?;
    } else {
        print(&describe(&report, &outcome.diagnostics))?;
        remark(&paint(DIM, "nothing was installed and nothing was run"));
    }
    Ok(if outcome.is_clean() { Outcome::Fine } else { Outcome::Findings })
}

/// Returns the path without links of what has to be there.
fn there(path: &Path) -> Result<PathBuf, CliError> {
    path.canonicalize().map_err(|error| {
        CliError::io(
            format!("PATH `{}` cannot be used: {error}", path.display()),
            "give a skill's folder, its SKILL.md, or an archive",
        )
    })
}

fn describe(report: &IntakeReport, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    if report.skills.is_empty() {
        let _ = writeln!(text, "{}: no skill can be read there", paint(RED.bold(), "do not take it"));
    }
    for review in &report.skills {
        text.push_str(&describe_review(review, report));
    }
    if !report.skills.is_empty() {
        text.push_str(&listing(&report.listing));
    }
    text.push_str(&check(diagnostics));
    text
}

fn describe_review(review: &ReviewReport, report: &IntakeReport) -> String {
    let own = name(&review.skill.name);
    let because = review.because.as_ref().map(|skill| (name(&skill.name), one_line(&skill.locator)));
    let mut text = match (review.advice, &because) {
        ("refuse", Some((_, locator))) if *locator == one_line(&review.skill.locator) => {
            format!("{} {own}: it is installed already\n", paint(RED.bold(), "do not take"))
        }
        ("refuse", Some((_, locator))) => {
            format!("{} {own}: it is a copy of {locator}\n", paint(RED.bold(), "do not take"))
        }
        ("compare", Some((other, locator))) => {
            let how = how(review.level.unwrap_or_default());
            let place = paint(DIM, locator);
            format!("{} {own}: {how} {other}  {place}\n", paint(YELLOW.bold(), "compare first,"))
        }
        _ if review.clashes.is_empty() => {
            format!(
                "{} {own}: nothing that is installed would be confused with it\n",
                paint(GREEN.bold(), "take")
            )
        }
        _ => format!("{} {own}: its name is taken\n", paint(YELLOW.bold(), "rename first,")),
    };
    let among = count(report.installed, "installed skill");
    let _ = writeln!(text, "  nearest of {among} ({}):", report.profile);
    if review.nearest.is_empty() {
        let _ = writeln!(text, "    {}", paint(DIM, "none has anything in common with it"));
    }
    for pair in &review.nearest {
        let apart = match (&pair.subjects, pair.level) {
            (Some(_), _) => "like, about something else",
            (None, Some(level)) => level,
            (None, None) => "unlike",
        };
        let other = paint(BOLD, name(&pair.right.name));
        let alike = alike(pair);
        let _ = writeln!(
            text,
            "    {other}  {apart}{}",
            if alike.is_empty() { alike } else { format!("; {alike}") }
        );
    }
    if review.advice == "compare" {
        text.push_str(&lost(&review.gains, "what it has that the nearest does not", "  "));
    }
    if !review.clashes.is_empty() {
        let _ = writeln!(text, "  {}", paint(YELLOW, "its name is taken:"));
        for clash in &review.clashes {
            let _ = writeln!(text, "    {:12} {}", clash.harness, rule(clash.rule));
        }
    }
    text
}

fn how(level: &str) -> &'static str {
    match level {
        "near-copy" => "its instructions are nearly those of",
        "description" => "its description says nearly what the one says of",
        "subject" => "it has the same subject as",
        _ => "its name is easily confused with",
    }
}

fn rule(rule: &str) -> &'static str {
    match rule {
        "first" => "reads only the one that it finds first",
        "last" => "reads only the one that it finds last",
        "ambiguous" => "lists both; the bare name is ambiguous",
        "nearest-in-project" => {
            "in a project's own folders the nearest has the name; elsewhere it is ambiguous"
        }
        _ => "keeps both",
    }
}

fn listing(listing: &ListingReport) -> String {
    let limit = match listing.limit {
        Some(limit) => format!("{} of {limit} {}", listing.after, listing.unit),
        None => format!("{} {}, no budget", listing.after, listing.unit),
    };
    let more = listing.after.abs_diff(listing.before);
    let sign = if listing.after < listing.before { '-' } else { '+' };
    let mut text = format!("  listing: {limit} ({sign}{more})");
    if listing.displaced.is_empty() && listing.not_whole.is_empty() {
        text.push_str("; nothing is cut or left out because of it\n");
        return text;
    }
    text.push('\n');
    for (rows, what) in
        [(&listing.not_whole, "new, not shown whole"), (&listing.displaced, "shown less, for it")]
    {
        for row in rows.iter().take(MOST) {
            let cut = match row.chars_cut {
                Some(cut) => format!("-{cut} chars"),
                None => "left out".to_owned(),
            };
            let _ = writeln!(text, "    {what}: {}  {}", name(&row.name), paint(YELLOW, cut));
        }
        if let Some(more) = rows.len().checked_sub(MOST).filter(|more| *more > 0) {
            let _ = writeln!(text, "    {what}: and {more} more; --json lists them");
        }
    }
    text
}

fn check(diagnostics: &[Diagnostic]) -> String {
    let of = |severity: Severity| diagnostics.iter().filter(|found| found.severity == severity).count();
    let mut text = format!(
        "  check: {}, {}, {}\n",
        count(of(Severity::Error), "error"),
        count(of(Severity::Warning), "warning"),
        count(of(Severity::Note), "note"),
    );
    for diagnostic in diagnostics {
        for line in finding(diagnostic).lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}
