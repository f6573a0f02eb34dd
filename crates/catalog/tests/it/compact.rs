//! Compact, then a prefix: the steps at their edges, and what holds for every input. Numbers: OpenClaw 2026.9.6.

use std::sync::Arc;

use lorimer_catalog::{AsGiven, Catalog, Collated, CompactThenPrefix, Disposition, ShownPaths};
use lorimer_core::{Budget, Code, Scope, ScopeOrder, Severity, Size, Skill, Unit};
use proptest::prelude::*;

use crate::support::{list, shared, skill};

fn utf16(limit: usize) -> Budget {
    Budget { unit: Unit::Utf16, limit: Some(limit) }
}

fn cataloger() -> CompactThenPrefix {
    let mut cataloger = CompactThenPrefix::new(AsGiven);
    cataloger.paths = ShownPaths { homes: vec!["/home/me".into()], ..ShownPaths::default() };
    cataloger
}

/// Skills whose elements have 97 + 10 + 31 units and a description of 200.
fn many(count: usize) -> Vec<Arc<Skill>> {
    let description = "x".repeat(200);
    shared((0..count).map(|number| {
        let name = format!("skill-{number:04}");
        skill("/home/me/ws/skills", 0, &name, &description)
    }))
}

/// How many are shown, how long their descriptions are at most, and the cost.
fn shape(catalog: &Catalog) -> (usize, usize, usize) {
    let longest = catalog.shown().map(|entry| entry.description.len()).max();
    (catalog.shown().count(), longest.unwrap_or_default(), catalog.spent)
}

/// The rows of the table in section 9 of the program's notes; those with cut descriptions are a little larger, as no cut
/// meets a space here.
#[test]
fn the_steps_change_where_the_program_changes_them() {
    for (count, limit, wanted) in [
        (3, 18_000, (3, 200, 1_384)),
        (52, 18_000, (52, 200, 17_946)),
        (53, 18_000, (53, 192, 17_971)),
        (60, 18_000, (60, 153, 17_941)),
        (100, 18_000, (100, 37, 17_981)),
        (150, 18_000, (150, 0, 16_364)),
        (151, 18_000, (150, 0, 16_382)),
        (20, 0, (0, 0, 0)),
        (20, 100, (0, 0, 0)),
        (20, 300, (0, 0, 115)),
        (20, 400, (0, 0, 115)),
        (20, 500, (1, 0, 469)),
        (20, 600, (1, 0, 585)),
        (20, 700, (2, 0, 691)),
        (20, 1_000, (4, 0, 903)),
        (20, 2_000, (14, 0, 1_964)),
        (20, 3_000, (20, 0, 2_584)),
    ] {
        let catalog = list(&cataloger(), &many(count), utf16(limit));
        assert_eq!(shape(&catalog), wanted, "{count} of {limit}");
    }
}

#[test]
fn a_number_of_entries_is_a_limit_of_its_own() {
    let mut cataloger = cataloger();
    for (most, wanted) in [(0, (0, 0, 76)), (1, (1, 200, 785)), (5, (5, 200, 2_137))] {
        cataloger.most_entries = most;
        let catalog = list(&cataloger, &many(20), utf16(18_000));
        assert_eq!(shape(&catalog), wanted);
        let reasons = catalog.entries.iter().filter_map(|entry| match &entry.disposition {
            Disposition::Omitted { reason } => Some(reason.as_ref()),
            _ => None,
        });
        assert!(reasons.into_iter().all(|reason| reason == "most-entries"));
        assert_eq!(catalog.notices[0].code, Code::EntryOmitted);
    }
}

/// Section 2.6: a small window cuts descriptions to no less than 64 units, and names never.
#[test]
fn a_squeeze_cuts_descriptions_only() {
    let squeezed = |count, target, limit| {
        let mut cataloger = cataloger();
        cataloger.squeeze = Some(target);
        list(&cataloger, &many(count), utf16(limit))
    };
    let small = squeezed(20, 1_638, 18_000);
    assert_eq!((small.shown().count(), small.spent), (20, 4_408));
    assert_eq!(small.notices[0].severity, Severity::Note, "the model is not told");
    assert_eq!(squeezed(20, 7_128, 18_000).spent, 7_128, "it fits, and the ends are trimmed");
    let names = squeezed(20, 100, 3_000);
    assert_eq!(shape(&names), (20, 0, 2_584), "there is nothing to cut");
    let both = squeezed(60, 3_276, 18_000);
    assert_eq!(both.notices[0].severity, Severity::Warning, "the line about the first cut stays");
}

#[test]
fn one_cap_holds_for_all_and_cuts_come_before_escapes() {
    let skills = shared([
        skill("/s", 0, "a-short", "hi"),
        skill("/s", 0, "b-lines", "line one\n\n  line two"),
        skill("/s", 0, "c-emoji", &"😀".repeat(60)),
        skill("/s", 0, "d-amp", &"& ".repeat(60)),
    ]);
    let catalog = list(&cataloger(), &skills, utf16(1_060));
    let shown: Vec<&str> = catalog.shown().map(|entry| entry.description.as_str()).collect();
    assert_eq!(
        shown,
        [
            "hi",
            "line one line two",
            "😀😀😀😀😀😀😀😀...",
            "&amp; &amp; &amp; &amp; &amp; &amp; &amp; &amp;..."
        ]
    );
    assert_eq!(catalog.entries[1].disposition, Disposition::Full, "folded is not shortened");
    assert_eq!(catalog.entries[2].disposition, Disposition::Shortened { chars_cut: 52 });
}

#[test]
fn elements_as_a_model_reads_them() {
    let skills = shared([
        skill(
            "/home/me/ws",
            0,
            "tea & \"cake\"",
            &format!("Brews <tea>.\nNever coffee; 'please'.{}", " And so on.".repeat(20)),
        ),
        skill("/srv/b", 0, "plain", "Does plain things."),
    ]);
    insta::assert_snapshot!(list(&cataloger(), &skills, utf16(18_000)).text());
    insta::assert_snapshot!("elements_cut", list(&cataloger(), &skills, utf16(900)).text());
    insta::assert_snapshot!("elements_by_name", list(&cataloger(), &skills, utf16(700)).text());
}

#[test]
fn no_skill_is_no_listing() {
    let catalog = list(&cataloger(), &[], utf16(18_000));
    assert_eq!((catalog.text().as_str(), catalog.spent, catalog.notices.len()), ("", 0, 0));
}

#[test]
fn the_order_decides_who_is_left_out() {
    let mut far = skill("/x", 0, "alpha", "d");
    far.scope = Scope::Environment { id: "e".to_owned() };
    let skills = shared([skill("/s", 0, "Zeta", "d"), far, skill("/s", 0, "zeta", "d")]);
    let mut cataloger = CompactThenPrefix::new(Collated(ScopeOrder::new(&["project"])));
    cataloger.most_entries = 2;
    let names: Vec<String> =
        list(&cataloger, &skills, utf16(18_000)).shown().map(|entry| entry.name.clone()).collect();
    assert_eq!(names, ["zeta", "Zeta"]);
}

proptest! {
    /// The budget is never exceeded in its own unit, nothing goes without a row, and no text leaves its element.
    #[test]
    fn every_listing_keeps_its_limits(
        texts in prop::collection::vec((r#"(\PC|[ \n&<>"']){0,12}"#, r#"(\PC|[ \n\u{0}&<>"'🦀]|word |</skill>){0,60}"#), 0..12),
        limit in 0_usize..2_500,
        most in 0_usize..14,
        squeeze in prop::option::of(0_usize..1_000),
        unit in prop_oneof![Just(Unit::Utf16), Just(Unit::Chars), Just(Unit::Bytes), Just(Unit::Tokens)],
    ) {
        let skills = shared(texts.iter().enumerate().map(|(number, (name, description))| {
            let mut skill = skill("/s", 0, &number.to_string(), description);
            skill.name.clone_from(name);
            skill
        }));
        let mut cataloger = cataloger();
        (cataloger.most_entries, cataloger.squeeze) = (most, squeeze);
        let budget = Budget { unit, limit: Some(limit) };
        let catalog = list(&cataloger, &skills, budget);
        prop_assert!(catalog.spent <= limit);
        prop_assert!(Size::of(&catalog.text()).cost(unit) <= catalog.spent);
        prop_assert_eq!(catalog.entries.len(), skills.len());
        let shown = catalog.shown().count();
        prop_assert!(shown <= most);
        prop_assert_eq!(catalog.text().matches("<skill>").count(), shown);
        prop_assert_eq!(catalog.text().matches("</location>").count(), shown);
        let left_out = catalog.entries.iter().skip(shown);
        prop_assert!(left_out.into_iter().all(|entry| entry.cost == 0), "what is left out stands last");
    }

    /// More room never shows fewer skills.
    #[test]
    fn more_room_shows_no_fewer(count in 0_usize..30, limit in 0_usize..4_000, more in 0_usize..400) {
        let shown = |limit| list(&cataloger(), &many(count), utf16(limit)).shown().count();
        prop_assume!(limit >= 600);
        prop_assert!(shown(limit + more) >= shown(limit));
    }
}
