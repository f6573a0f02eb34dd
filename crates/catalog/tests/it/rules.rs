//! Worked numbers of the rules: spec/codex.md 2.12 and 8.3, codex-observed.md section 3.

use std::borrow::Cow;

use lorimer_catalog::{
    Catalog, CatalogRequest, Disposition, Format, Misfit, NativeLines, PlainLines, Rest, RootedLines,
    RoundRobin, Unbounded, WholeEntriesByRank, WindowShare,
};
use lorimer_core::{Budget, Code, Scope, Severity, Skill};

use crate::support::{absolute, codex, list, rooted, shared, shown, skill};

fn worked() -> [Skill; 3] {
    [("a", "a", "abcdefgh"), ("b", "bb", "xy"), ("c", "c", "éé€€")].map(|(folder, name, description)| {
        let mut skill = skill("", 0, folder, description);
        name.clone_into(&mut skill.name);
        skill
    })
}

/// S0-08, S0-09, S0-10: the table of spec/codex.md 2.12.
#[test]
fn s0_09_the_worked_numbers_of_round_robin() {
    let skills = shared(worked());
    let counts = |budget| {
        let shown = shown(&list(&absolute(RoundRobin), &skills, budget));
        shown.into_iter().map(Option::unwrap).collect::<Vec<_>>()
    };
    let chars = [
        (76, [0, 0, 0]),
        (77, [0, 0, 0]),
        (78, [1, 0, 0]),
        (79, [2, 0, 0]),
        (80, [1, 1, 0]),
        (82, [1, 1, 1]),
        (86, [3, 2, 2]),
        (93, [8, 2, 4]),
    ];
    for (limit, expected) in chars {
        assert_eq!(counts(Budget::chars(limit)), expected, "{limit} characters");
    }
    let tokens = [
        (21, [2, 1, 1]),
        (22, [2, 2, 1]),
        (23, [2, 2, 2]),
        (24, [6, 2, 2]),
        (25, [6, 2, 4]),
        (26, [8, 2, 4]),
    ];
    for (limit, expected) in tokens {
        assert_eq!(counts(Budget::tokens(limit)), expected, "{limit} tokens");
    }
}

/// Case B4: cut at a bare character, and every number of the row.
#[test]
fn s0_10_a_long_description_loses_its_tail() {
    let skills = shared([skill("/skills", 0, "partial", "abcdefghij")]);
    let (catalog, figures) = absolute(RoundRobin).compose(&CatalogRequest {
        skills: &skills,
        budget: Budget::chars(49),
        input: None,
    });
    let [entry] = catalog.entries.as_slice() else { panic!("one row") };
    assert_eq!(entry.description, "abcd");
    assert_eq!(entry.disposition, Disposition::Shortened { chars_cut: 6 });
    assert_eq!((entry.cost, catalog.spent, catalog.chars_cut()), (49, 49, 6));
    assert_eq!((figures.cut_descriptions, figures.cut_chars, figures.average_cut()), (1, 6, 6));
    let [notice] = catalog.notices.as_slice() else { panic!("one notice") };
    assert_eq!((notice.code, notice.severity), (Code::DescriptionShortened, Severity::Note));
    assert_eq!(
        notice.message,
        "1 description is shortened by 6 characters to fit the listing's budget of 49 chars"
    );
}

/// Cases B7 and B8: the cap counts characters, and a capped row says how much is missing.
#[test]
fn descriptions_are_capped_by_characters() {
    let emoji = "🦀".repeat(1_024);
    let skills = shared([skill("/s", 0, "a", &emoji), skill("/s", 0, "b", &format!("{emoji}🦀"))]);
    let catalog = list(&codex(), &skills, Budget::chars(8_000));
    assert_eq!(catalog.entries[0].description, emoji);
    assert_eq!(catalog.entries[0].disposition, Disposition::Full);
    assert_eq!(catalog.entries[1].description, format!("{}...", "🦀".repeat(1_021)));
    assert_eq!(catalog.entries[1].disposition, Disposition::Shortened { chars_cut: 4 });
    assert_eq!(
        catalog.notices.iter().map(|notice| notice.code).collect::<Vec<_>>(),
        [Code::DescriptionCapped]
    );
}

/// S0-11, S3-09: names first, then whole lines are left out, and the warning has their number (case B11).
#[test]
fn s3_09_lines_are_left_out_in_order_and_a_warning_says_how_many() {
    let skills =
        shared((0..20).map(|index| skill("/roots", 0, &format!("skill-{index:02}"), "Long enough.")));
    let catalog = list(&absolute(RoundRobin), &skills, Budget::tokens(100));
    assert_eq!(shown(&catalog).iter().flatten().count(), 8);
    assert!(
        catalog.entries[..8].iter().all(|entry| entry.disposition == Disposition::NameOnly { chars_cut: 12 })
    );
    assert!(
        catalog.entries[8..]
            .iter()
            .all(|entry| entry.disposition == Disposition::Omitted { reason: "budget".into() })
    );
    let [notice] = catalog.notices.as_slice() else { panic!("one notice") };
    assert_eq!((notice.code, notice.severity), (Code::EntryOmitted, Severity::Warning));
    assert_eq!(
        notice.message,
        "12 skills are left out of the listing (8 of 20 shown), because its budget of 100 tokens is spent"
    );
}

/// S0-11, codex-observed.md 3.4: a line that does not fit is passed over, and a shorter one behind it stays.
#[test]
fn s0_11_a_later_shorter_line_may_stay() {
    let skills =
        shared([skill("/s", 0, "a", "x"), skill("/s", 0, &"b".repeat(60), "x"), skill("/s", 0, "c", "x")]);
    let catalog = list(&absolute(RoundRobin), &skills, Budget::tokens(20));
    assert_eq!(shown(&catalog), [Some(0), None, Some(0)]);
}

/// S0-11: user skills go first, system skills last.
#[test]
fn s0_11_what_stands_last_is_left_out_first() {
    let scopes = [Scope::User, Scope::System, Scope::Admin, Scope::Project { depth: 1 }];
    let skills = shared(scopes.into_iter().enumerate().map(|(index, scope)| {
        let mut skill = skill("/s", 0, &format!("n{index}"), "x");
        skill.scope = scope;
        skill
    }));
    let catalog = list(&codex(), &skills, Budget::tokens(24));
    let kept: Vec<_> = catalog.shown().map(|entry| entry.name.as_str()).collect();
    assert_eq!(kept, ["n1", "n2", "n3"]);
}

/// Cases 068 and B14: when nothing fits, an empty list is still sent; without skills there is nothing to say.
#[test]
fn an_empty_list_is_sent_only_when_there_are_skills() {
    let skills = shared([skill("/s", 0, "a", "x")]);
    let catalog = list(&codex(), &skills, Budget::tokens(1));
    assert!(catalog.text().ends_with("### Available skills\n</skills_instructions>"));
    assert!(catalog.roots.is_empty());
    assert_eq!(catalog.spent, 0);
    let nothing = list(&codex(), &[], Budget::tokens(100));
    assert_eq!(nothing.sections[0].text, None);
    assert_eq!((nothing.entries.len(), nothing.notices.len()), (0, 0));
}

/// Case B18: short names for roots make room for what whole paths do not.
#[test]
fn aliases_win_when_they_show_more() {
    let root = format!("/{}", "r".repeat(96));
    let skills = shared(["a", "b", "c"].map(|name| skill(&root, 0, name, "Does a thing.")));
    let catalog = list(&codex(), &skills, Budget::chars(200));
    assert_eq!(shown(&catalog), [Some(13); 3]);
    assert_eq!(catalog.entries[0].locator, "r0/a/SKILL.md");
    assert_eq!(catalog.roots[0].path, root);
    let plain = list(&absolute(RoundRobin), &skills, Budget::chars(200));
    assert_eq!(shown(&plain).iter().flatten().count(), 1);
}

/// codex-observed.md 3.6: only roots of skills that may be listed have a number, even when all its entries go.
#[test]
fn roots_of_omitted_entries_keep_their_number() {
    let mut late = skill("/u", 0, "zz", "x");
    late.scope = Scope::User;
    let skills = shared([late, skill("/project/skills", 1, "a", "x"), skill("/project/skills", 1, "b", "x")]);
    let catalog = list(&codex(), &skills, Budget::tokens(14));
    assert_eq!(
        catalog.entries.iter().map(|entry| entry.locator.as_str()).collect::<Vec<_>>(),
        ["r1/a/SKILL.md", "r1/b/SKILL.md", "r0/zz/SKILL.md"]
    );
    assert_eq!(catalog.roots.len(), 2);
    assert_eq!(shown(&catalog)[2], None);
}

/// Case 090.
#[test]
fn names_only_leaves_out_every_description() {
    let skills = shared([skill("/skills", 0, "a", "Does a.")]);
    let catalog = list(
        &rooted(RoundRobin, RootedLines { names_only: true, ..RootedLines::default() }),
        &skills,
        Budget::tokens(100),
    );
    assert_eq!(catalog.entries[0].disposition, Disposition::NameOnly { chars_cut: 7 });
    assert!(catalog.text().contains("\n- a: (file: r0/a/SKILL.md)\n"));
    assert!(catalog.notices.is_empty());
}

fn whole(catalog: &Catalog) -> Vec<&str> {
    catalog
        .entries
        .iter()
        .filter(|entry| !entry.description.is_empty())
        .map(|entry| entry.name.as_str())
        .collect()
}

#[test]
fn whole_entries_follow_their_rank() {
    let skills = shared([
        skill("/s", 0, "a", &"a".repeat(40)),
        skill("/s", 0, "b", &"b".repeat(90)),
        skill("/s", 0, "c", &"c".repeat(20)),
    ]);
    let names = 3 * "- a: (file: /s/a/SKILL.md)\n".len();
    let budget = Budget::chars(names + 62);
    let ranked = |rule: WholeEntriesByRank| list(&absolute(rule), &skills, budget);

    let catalog = ranked(WholeEntriesByRank::default());
    assert_eq!(whole(&catalog), ["a", "c"], "b is passed over");
    assert_eq!(catalog.shown().count(), 3);
    let stopping = WholeEntriesByRank { misfit: Misfit::Stop, ..WholeEntriesByRank::default() };
    assert_eq!(whole(&ranked(stopping)), ["a"]);
    let weights = [("c".to_owned(), 5.0), ("b".to_owned(), 9.0)].into();
    let weighted = WholeEntriesByRank { weights, ..WholeEntriesByRank::default() };
    assert_eq!(whole(&ranked(weighted)), ["a", "c"], "b does not fit, and the listing keeps its order");
    let bare = WholeEntriesByRank { rest: Rest::Omitted, ..WholeEntriesByRank::default() };
    let catalog = ranked(bare);
    assert_eq!(whole(&catalog), ["a", "c"]);
    assert_eq!(shown(&catalog)[1], None);
}

#[test]
fn unbounded_shows_everything_and_still_respects_a_limit() {
    let skills = shared([skill("/s", 0, "a", "x"), skill("/s", 0, "b", &"y".repeat(5_000))]);
    let plain = absolute(Unbounded).with_format(lorimer_catalog::PlainLines::default());
    assert_eq!(shown(&list(&plain, &skills, Budget::chars(10_000))), [Some(1), Some(5_000)]);
    assert_eq!(shown(&list(&plain, &skills, Budget::chars(100))), [Some(1), None]);
    let unbounded = list(&plain, &skills, Budget::UNBOUNDED);
    assert_eq!((unbounded.shown().count(), unbounded.spent), (2, 0));
}

/// S0-12: what the listing costs is reported under the limit too, in total and for each row.
#[test]
fn s0_12_the_load_is_reported_under_the_limit_too() {
    let skills = shared([skill("/s", 0, "a", "Does a."), skill("/s", 0, "b", "Does b.")]);
    let catalog = list(&absolute(RoundRobin), &skills, Budget::tokens(5_440));
    let row = "- a: Does a. (file: /s/a/SKILL.md)\n".len().div_ceil(4);
    assert_eq!(catalog.entries.iter().map(|entry| entry.cost).collect::<Vec<_>>(), [row, row]);
    assert_eq!((catalog.spent, catalog.budget), (2 * row, Budget::tokens(5_440)));
    assert!(catalog.notices.is_empty());
}

/// S0-13: a hundred skills of the usual size under the window of the lesson (codex-observed.md, grid).
#[test]
fn s0_13_the_grid_of_observed_budgets() {
    let skills = |count: usize| {
        let root = format!("/{}", "x".repeat(41));
        shared((0..count).map(|index| skill(&root, 0, &format!("skill-{index:04}"), &"d".repeat(200))))
    };
    let lengths = |count: usize, window: Option<u64>| {
        let budget = WindowShare::default().budget(window, None);
        shown(&list(&codex(), &skills(count), budget))
    };
    let hundred = lengths(100, Some(272_000));
    assert!(hundred[..40].iter().all(|shown| *shown == Some(174)));
    assert!(hundred[40..].iter().all(|shown| *shown == Some(170)));
    assert!(lengths(20, Some(32_000)).iter().all(|shown| *shown == Some(82)));
    assert!(lengths(100, None).iter().all(|shown| *shown == Some(34)));
    for (count, window, kept) in
        [(20, Some(8_000), 13), (300, Some(128_000), 213), (300, None, 177), (1_000, Some(272_000), 453)]
    {
        let shown = lengths(count, window);
        assert_eq!(shown.iter().flatten().count(), kept, "{count} skills, window {window:?}");
        assert!(shown[..kept].iter().all(|shown| *shown == Some(0)), "the first in order, by name");
    }
}

/// What is not shown costs nothing: a description that needs no change is not copied before it is known to be shown, so
/// nothing is allocated for its characters.
#[test]
fn descriptions_are_not_copied_before_they_are_shown() {
    let long = skill("/s", 0, "name", "word ".repeat(180).trim_end());
    let formats: [&dyn Format; 3] =
        [&RootedLines::default(), &NativeLines::default(), &PlainLines::default()];
    for format in formats {
        let draft = format.draft(&long);
        assert!(matches!(draft.name, Cow::Borrowed(_)), "{format:?}");
        assert!(matches!(draft.description, Cow::Borrowed(_)), "{format:?}");
        assert!(matches!(format.cut(&draft.description, 0).text, Cow::Borrowed(_)), "{format:?}");
    }
}
