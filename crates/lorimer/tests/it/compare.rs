//! Harnesses side by side.

use std::collections::BTreeMap;

use lorimer::compare::report::CompareReport;
use lorimer::compare::{Comparison, Options, Standing, compare};
use lorimer::profiles::{self, Profile};
use lorimer::report::ListReport;
use lorimer::{Host, Settings};
use lorimer_testkit::Project;
use proptest::prelude::*;

fn some(names: &[&str]) -> Vec<Profile> {
    names.iter().map(|name| profiles::by_name(name).unwrap()).collect()
}

/// What becomes of a skill, by harness.
fn standings(comparison: &Comparison, name: &str) -> Vec<Vec<Standing>> {
    let rows = comparison.rows.iter().filter(|row| row.name == name);
    rows.map(|row| row.cells.iter().map(|cell| cell.standing).collect()).collect()
}

/// Every column adds up to the rows, and says the same as the harness's own listing.
fn sums(comparison: &Comparison, host: &Host) {
    for (index, column) in comparison.columns.iter().enumerate() {
        let seen = column.outcome.as_ref().unwrap();
        assert_eq!(seen.counts.total(), comparison.rows.len(), "{}", column.profile.name);
        let view = column.profile.lifecycle(host).unwrap().session("t").unwrap().view();
        let list = ListReport::new(column.profile.name, &view);
        let of = |disposition: &str| list.entries.iter().filter(|e| e.disposition == disposition).count();
        assert_eq!(seen.counts.whole, of("full"));
        assert_eq!(seen.counts.shortened, of("shortened"));
        assert_eq!(seen.counts.name_only, of("name-only"));
        assert_eq!(seen.counts.omitted, list.omitted.len());
        let cells = || comparison.rows.iter().map(|row| &row.cells[index]);
        let taken_in =
            |standing| cells().filter(|cell| cell.standing == standing && cell.skill.is_some()).count();
        assert_eq!(taken_in(Standing::Hidden) + taken_in(Standing::Shadowed), list.hidden.len());
        assert_eq!(cells().map(|cell| cell.chars_cut).sum::<usize>(), seen.load.chars_lost);
        assert_eq!(list.entries.iter().map(|entry| entry.chars_cut).sum::<usize>(), seen.load.chars_lost);
        assert_eq!((seen.load.bytes, seen.load.spent), (list.text.len(), list.budget.spent));
        assert_eq!(seen.load.estimated_tokens, list.text.len().div_ceil(4));
        assert_eq!(view.snapshot.len(), cells().filter(|cell| cell.skill.is_some()).count());
    }
}

/// S0-01, S0-02: all profiles side by side, each as it is by itself.
#[test]
fn s0_01_s0_02_every_harness_has_a_column_that_says_what_its_own_listing_says() {
    let project = Project::new();
    project.skill("short", "Short.", "");
    project.skill("wordy", &"Explains at length. ".repeat(40), "");
    project.file("home/.agents/skills/mine/SKILL.md", "---\nname: mine\ndescription: Mine.\n---\n");
    project.file("project/.agents/skills/broken/SKILL.md", "---\nname: broken\ndescription: \"open\n---\n");
    project.file("project/.agents/skills/shy/SKILL.md", "---\nname: shy\ndescription: Shy.\n---\n");
    project.file(
        "project/.agents/skills/shy/agents/openai.yaml",
        "policy:\n  allow_implicit_invocation: false\n",
    );
    for window in [None, Some(4_000), Some(200_000)] {
        for roots in [Vec::new(), vec![project.path("project/.agents/skills")]] {
            let host = Host { window, roots, ..project.host() };
            let comparison = compare(profiles::ALL, &host, &Options::default());
            assert_eq!(comparison.columns.len(), profiles::ALL.len());
            sums(&comparison, &host);
        }
    }
}

/// S0-01: identity is the place, never the name; a file that one harness refuses is still a row.
#[test]
fn s0_01_rows_are_places_and_refused_files_have_their_reason() {
    use Standing::{Absent, Rejected, Whole};
    let project = Project::new();
    project.skill("twin", "One.", "");
    project.file("home/.agents/skills/twin/SKILL.md", "---\nname: twin\ndescription: Two.\n---\n");
    project.file("project/.agents/skills/bare/SKILL.md", "No frontmatter.");
    let comparison = compare(&some(&["native", "codex", "harnessx"]), &project.host(), &Options::default());
    let mut twins = standings(&comparison, "twin");
    twins.sort();
    assert_eq!(twins, [[Whole, Whole, Whole], [Whole, Whole, Absent]]);
    assert_eq!(standings(&comparison, "bare"), [[Rejected, Rejected, Whole]]);
    let row = comparison.rows.iter().find(|row| row.name == "bare").unwrap();
    assert_eq!(row.cells[1].reason.as_deref(), Some("discover/frontmatter-missing"));
    assert!(row.is_problem());
}

/// A link that one harness follows and another does not leads to one row.
#[cfg(unix)]
#[test]
fn what_lies_behind_a_refused_link_says_so() {
    let project = Project::new();
    project.file("elsewhere/far/SKILL.md", "---\nname: far\ndescription: Far.\n---\n");
    std::fs::create_dir_all(project.path("project/.agents/skills")).unwrap();
    std::os::unix::fs::symlink(project.path("elsewhere/far"), project.path("project/.agents/skills/far"))
        .unwrap();
    let comparison = compare(&some(&["native", "codex"]), &project.host(), &Options::default());
    assert_eq!(standings(&comparison, "far"), [[Standing::Rejected, Standing::Whole]]);
    assert_eq!(comparison.rows[0].cells[0].reason.as_deref(), Some("discover/symlink-escape"));
}

#[test]
fn a_harness_that_refuses_a_setting_costs_no_other() {
    let project = Project::new();
    project.skill("a", "Does a.", "");
    let mut wrong = Settings::default();
    wrong.assign("skills.max_context_tokens=none").unwrap();
    let options = Options {
        settings: BTreeMap::from([("codex".to_owned(), wrong)]),
        windows: vec![Some(8_000)],
        sizes: vec![1],
    };
    let comparison = compare(&some(&["native", "codex"]), &project.host(), &options);
    assert_eq!(standings(&comparison, "a"), [[Standing::Whole, Standing::Absent]]);
    assert!(comparison.columns[1].outcome.is_err());
    assert!(comparison.windows[0].listings[1].is_none() && comparison.windows[0].listings[0].is_some());
    let report = serde_json::to_value(CompareReport::new(&comparison)).unwrap();
    assert!(report["harnesses"][1]["error"].as_str().unwrap().contains("skills.max_context_tokens"));
    assert_eq!(report["harnesses"][1]["absent"], 1);
}

/// S0-12, S0-15: the load and the number of candidates are told also where all fits.
#[test]
fn s0_12_s0_15_load_and_candidates_are_told_also_when_all_fits() {
    let project = Project::new();
    for number in 0..30 {
        project.skill(&format!("s{number}"), "Does something.", "");
    }
    let host = Host { window: Some(1_000_000), ..project.host() };
    let comparison = compare(&some(&["codex"]), &host, &Options::default());
    let seen = comparison.columns[0].outcome.as_ref().unwrap();
    assert_eq!((seen.counts.whole, seen.counts.visible()), (30, 30));
    assert!(seen.load.estimated_tokens > 300 && seen.load.chars_lost == 0);
}

/// What is marked as cut is what the harness says it cut.
#[test]
fn the_marked_part_is_as_long_as_the_harness_says() {
    let project = Project::new();
    for number in 0..20 {
        project.skill(
            &format!("s{number}"),
            &format!("Says {number} things at length & more. ").repeat(9),
            "",
        );
    }
    let host = Host { window: Some(40_000), ..project.host() };
    let comparison = compare(&some(&["native", "codex"]), &host, &Options::default());
    for row in &comparison.rows {
        for cell in row.cells.iter().filter(|cell| cell.standing == Standing::Shortened) {
            let marked = cell.marked.as_ref().unwrap();
            assert_eq!(format!("{}{}", marked.kept, marked.cut), row.description);
            assert_eq!(marked.cut.chars().count(), cell.chars_cut, "{marked:?}");
            assert!(marked.added.is_empty() || marked.added == "…", "{marked:?}");
        }
    }
    assert!(comparison.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.marked.is_some()));
}

/// S0-17: a hundred skills are a checkpoint; other windows and parts of the skills are told in order.
#[test]
fn s0_17_growth_ends_at_what_was_found_and_marks_the_hundredth_skill() {
    let project = Project::new();
    for number in 0..120 {
        project.skill(&format!("s{number:03}"), &"Does something. ".repeat(8), "");
    }
    let options = Options {
        sizes: vec![10, 50, 100, 110, 500],
        windows: vec![Some(8_000), Some(64_000), None],
        ..Options::default()
    };
    let host = Host { window: Some(64_000), ..project.host() };
    let comparison = compare(profiles::ALL, &host, &options);
    let growth = comparison.growth.as_ref().unwrap();
    assert_eq!((growth.found, growth.beyond.as_slice()), (120, &[500][..]));
    let steps: Vec<(usize, bool)> = growth.steps.iter().map(|step| (step.skills, step.audit)).collect();
    assert_eq!(steps, [(10, false), (50, false), (100, true), (110, false), (120, false)]);
    let last = growth.steps.last().unwrap();
    for (index, column) in comparison.columns.iter().enumerate() {
        let seen = column.outcome.as_ref().unwrap();
        let listing = last.listings[index].unwrap();
        assert_eq!(listing.load, seen.load, "all skills are the listing itself");
        assert_eq!(comparison.windows[1].listings[index].unwrap().load, seen.load);
        let visible = |step: usize| comparison.windows[step].listings[index].unwrap().counts.visible();
        assert!(visible(0) <= visible(1));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever the skills are, the sums add up.
    #[test]
    fn sums_add_up(
        lengths in prop::collection::vec(0_usize..400, 0..24),
        window in prop::option::of(500_u64..60_000),
    ) {
        let project = Project::new();
        for (number, length) in lengths.iter().enumerate() {
            let place = if number % 3 == 0 { "home" } else { "project" };
            // Every name comes twice, and what has no description is refused by some.
            let (name, text) = (number / 2, "wörd ".repeat(length / 5));
            project.file(
                &format!("{place}/.agents/skills/f{number}/SKILL.md"),
                format!("---\nname: s{name}\ndescription: {text}\n---\n"),
            );
        }
        let host = Host { window, ..project.host() };
        sums(&compare(profiles::ALL, &host, &Options::default()), &host);
    }
}
