//! `lorimer overlap`

use std::fmt::Write as _;
use std::sync::Arc;

use lorimer::core::Skill;
use lorimer::overlap::{
    GroupReport, Lost, MemberReport, Options, OverlapReport, PairReport, documents, overlap,
};

use crate::args::OverlapArgs;
use crate::commands::check::folder;
use crate::error::{CliError, Outcome};
use crate::output::{
    BOLD, CYAN, DIM, GREEN, YELLOW, clip, count, finding, one_line, paint, print, print_json, remark,
    remark_on_nothing,
};

/// Rows of one kind that are printed before the rest is only counted.
const MOST: usize = 3;
/// Pairs outside groups that are printed.
const MOST_PAIRS: usize = 10;
const WIDTH: usize = 96;

pub(crate) fn run(args: &OverlapArgs) -> Result<Outcome, CliError> {
    let (profile, mut host) = args.common.resolve()?;
    for path in &args.paths {
        host.roots.push(folder(path)?);
    }
    let lifecycle = profile.lifecycle(&host)?;
    let view = lifecycle.session("overlap")?.view();
    let skills: Vec<Arc<Skill>> = view.snapshot.skills().cloned().collect();
    let (documents, unread) = documents(&lifecycle, &view.snapshot);
    let found = overlap(&documents, &Options { min: args.min, ..Options::default() });
    let report = OverlapReport::new(&args.common.profile, args.min, &skills, &found, &unread);
    if args.common.json {
        print_json(&report)?;
    } else {
        print(&describe(&report))?;
        for diagnostic in &unread {
            remark(finding(diagnostic).trim_end());
        }
        remark_on_nothing(&view.snapshot);
    }
    if report.checkpoint.reached {
        remark(&paint(
            DIM,
            format!(
                "{} are installed: from {} on, look through them and remove what is not needed or said twice; this is \
             advice",
                count(report.skills, "skill"),
                report.checkpoint.from
            ),
        ));
    }
    Ok(if report.confusable > 0 { Outcome::Findings } else { Outcome::Fine })
}

fn describe(report: &OverlapReport) -> String {
    let mut text = format!(
        "{}: {}, {} of which a model may confuse with another; {}\n",
        paint(BOLD, &report.profile),
        count(report.skills, "skill"),
        report.confusable,
        count(report.groups.len(), "group"),
    );
    for (number, group) in (1..).zip(&report.groups) {
        text.push_str(&describe_group(number, group));
    }
    if !report.pairs.is_empty() {
        let _ = writeln!(text, "\n{}", paint(BOLD, "also alike, across groups"));
        for pair in report.pairs.iter().take(MOST_PAIRS) {
            let _ =
                writeln!(text, "  {} and {}: {}", name(&pair.left.name), name(&pair.right.name), alike(pair));
        }
        text.push_str(&and_more(report.pairs.len(), MOST_PAIRS, "  "));
    }
    if !report.apart.is_empty() {
        let what = format!("{} of like texts about different things", count(report.apart.len(), "pair"));
        let _ = writeln!(text, "\n{what} left out; --json lists them");
    }
    text
}

fn describe_group(number: usize, group: &GroupReport) -> String {
    let mut text = format!("\n{number}. {}\n", paint(BOLD, title(group.level)));
    let why = match group.why {
        "nearest" => "it is the nearest of those that say as much",
        "fullest" => "it says the most",
        _ => "nothing sets it apart; it comes first",
    };
    let _ = writeln!(
        text,
        "  {} {}  {}  {why}",
        paint(GREEN, "keep"),
        name(&group.keep.name),
        paint(DIM, one_line(&group.keep.locator)),
    );
    for other in &group.others {
        text.push_str(&describe_member(group, other));
    }
    text
}

fn title(level: &str) -> &'static str {
    match level {
        "copy" => "the same file",
        "near-copy" => "nearly the same instructions",
        "description" => "nearly the same description",
        "subject" => "the same subject",
        _ => "names that are easily confused",
    }
}

fn describe_member(group: &GroupReport, member: &MemberReport) -> String {
    let mut text = format!(
        "  {} {}  {}\n",
        paint(YELLOW, "fold"),
        name(&member.skill.name),
        paint(DIM, one_line(&member.skill.locator)),
    );
    let pair = &member.alike;
    // Whoever is tied to the group by another member is told which.
    let partner = if pair.left.skill == member.skill.skill { &pair.right } else { &pair.left };
    let with = if partner.skill == group.keep.skill {
        String::new()
    } else {
        format!("as {}: ", name(&partner.name))
    };
    let _ = writeln!(text, "       {with}{}", alike(pair));
    let (own, others) = if pair.left.skill == member.skill.skill {
        (&pair.left_only, &pair.right_only)
    } else {
        (&pair.right_only, &pair.left_only)
    };
    if !own.is_empty() || !others.is_empty() {
        let _ = writeln!(
            text,
            "       apart: {} | {}",
            words(own),
            paint(DIM, format!("{} ({})", words(others), name(&partner.name)))
        );
    }
    text.push_str(&lost(&member.lost, "would be lost", "       "));
    text
}

/// Says how much two skills are alike, and by which words.
pub(crate) fn alike(pair: &PairReport) -> String {
    let mut parts = Vec::new();
    if pair.level == Some("copy") {
        return "the same file, byte for byte".to_owned();
    }
    if pair.body >= 0.2 {
        parts.push(format!("instructions {} alike", percent(pair.body)));
    }
    if pair.contained >= 0.9 && pair.body < 0.9 {
        parts.push(format!("one holds {} of the other", percent(pair.contained)));
    }
    if pair.description > 0.0 {
        parts.push(format!("descriptions {} alike", percent(pair.description)));
    }
    if pair.name {
        parts.push("names alike".to_owned());
    }
    if !pair.shared.is_empty() {
        parts.push(format!("both: {}", words(&pair.shared)));
    }
    parts.join("; ")
}

/// Says what one skill has that another does not, each row behind `indent`.
pub(crate) fn lost(lost: &Lost, title: &str, indent: &str) -> String {
    if lost.is_empty() {
        return format!("{indent}{}\n", paint(DIM, format!("{title}: nothing")));
    }
    let mut text = format!("{indent}{}\n", paint(CYAN, format!("{title}:")));
    let inner = format!("{indent}  ");
    if !lost.words.is_empty() {
        let _ = writeln!(text, "{inner}requests for {}", words(&lost.words));
    }
    for (rows, mark) in [(&lost.sections, "## "), (&lost.sentences, "- "), (&lost.files, "file ")] {
        for row in rows.iter().take(MOST) {
            let _ = writeln!(text, "{inner}{mark}{}", clip(&one_line(row), WIDTH));
        }
        text.push_str(&and_more(rows.len(), MOST, &inner));
    }
    text
}

fn and_more(all: usize, shown: usize, indent: &str) -> String {
    match all.checked_sub(shown).filter(|more| *more > 0) {
        Some(more) => format!("{indent}{}\n", paint(DIM, format!("and {more} more; --json lists them"))),
        None => String::new(),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Returns a name as it may be printed.
pub(crate) fn name(name: &str) -> String {
    clip(&one_line(name), 64)
}

fn words(words: &[String]) -> String {
    if words.is_empty() {
        return "nothing".to_owned();
    }
    words.iter().map(|word| one_line(word)).collect::<Vec<_>>().join(", ")
}
