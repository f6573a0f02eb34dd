//! Groups under headings.

use std::sync::Arc;

use lorimer_catalog::{Catalog, Disposition, GroupedIndex, LineBreaks};
use lorimer_core::{Budget, Code, Group, Severity, Skill, Unit};
use proptest::prelude::*;

use crate::support::{list, shared, skill};

fn grouped(group: &str, name: &str, description: &str) -> Skill {
    let mut skill = skill("/skills", 0, &format!("{group}/{name}"), description);
    name.clone_into(&mut skill.name);
    skill.group = Some(Group { name: group.to_owned(), description: String::new() });
    skill
}

/// The text between the tags.
fn body(catalog: &Catalog) -> String {
    let text = catalog.text();
    let (_, rest) = text.split_once("<available_skills>\n").expect("the opening tag");
    rest.rsplit_once("</available_skills>").expect("the closing tag").0.to_owned()
}

fn index(skills: &[Arc<Skill>]) -> Catalog {
    list(&GroupedIndex::default(), skills, Budget::UNBOUNDED)
}

/// S0-03: what a model reads.
#[test]
fn s0_03_skills_stand_under_their_groups() {
    let mut tea = grouped("drinks", "tea", "\"Makes tea, \n and   says how long.\"");
    tea.group = Some(Group { name: "drinks".to_owned(), description: " 'Hot and\ncold' ".to_owned() });
    let skills = shared([
        grouped("tools/deep", "saw", "Saws."),
        tea,
        grouped("drinks", "coffee", &"Grinds. ".repeat(10)),
        grouped("email", "inbox", "Reads what came in."),
        grouped("email", "drafts", ""),
        grouped("Zoo", "ape", ""),
    ]);
    let names_only = ["email".to_owned()].into();
    let catalog = list(&GroupedIndex { names_only, ..GroupedIndex::default() }, &skills, Budget::UNBOUNDED);
    insta::assert_snapshot!(catalog.text());
    let rows: Vec<_> =
        catalog.entries.iter().map(|entry| (&*entry.name, entry.disposition.clone())).collect();
    assert_eq!(
        rows,
        [
            ("ape", Disposition::Full),
            ("coffee", Disposition::Shortened { chars_cut: 79 - 57 }),
            ("tea", Disposition::Full),
            ("drafts", Disposition::Full),
            ("inbox", Disposition::NameOnly { chars_cut: 19 }),
            ("saw", Disposition::Full),
        ]
    );
    assert_eq!(catalog.notices[0].code, Code::DescriptionCapped);
}

#[test]
fn sixty_characters_are_shown_and_sixty_one_are_cut() {
    let cases = [
        ("x".repeat(60), "x".repeat(60)),
        ("x".repeat(61), format!("{}...", "x".repeat(57))),
        ("🦀".repeat(61), format!("{}...", "🦀".repeat(57))),
        (format!("  '{}'\t", "x".repeat(60)), "x".repeat(60)),
        ("'\"".to_owned(), String::new()),
        ("'quoted'".to_owned(), "quoted".to_owned()),
        ("\" spaced \"".to_owned(), " spaced ".to_owned()),
    ];
    for (description, shown) in cases {
        let skills = shared([grouped("g", "a", &description)]);
        let passing = GroupedIndex { line_breaks: LineBreaks::PassThrough, ..GroupedIndex::default() };
        assert_eq!(list(&passing, &skills, Budget::UNBOUNDED).entries[0].description, shown);
    }
}

/// The figures of the program's recorded listings without their fixed part: 9 characters and the texts for an entry, 4 and
/// the name for a group.
#[test]
fn the_cost_of_entries_and_headings() {
    for (count, groups, chars) in [(3, 3, 264), (20, 5, 1_625), (300, 5, 23_745), (1_000, 5, 79_045)] {
        let skills = shared((0..count).map(|number| {
            grouped(&format!("cat-{}", number % groups), &format!("skill-{number:04}"), &"d".repeat(200))
        }));
        let catalog = list(&GroupedIndex::default(), &skills, Budget::chars(1_000_000));
        assert_eq!((catalog.shown().count(), catalog.spent), (count, chars));
        assert_eq!(body(&catalog).chars().count(), chars);
    }
}

#[test]
fn a_name_is_listed_once_in_its_group_and_once_of_several_roots() {
    let external = |group: &str, name: &str| Skill {
        root: lorimer_core::Root { path: "/e".into(), order: 1 },
        ..grouped(group, name, "external")
    };
    let skills = shared([
        grouped("c", "same", "first"),
        Skill { id: external("x", "1").id, ..grouped("c", "same", "second") },
        grouped("d", "same", "another group"),
        external("e", "same"),
        external("e", "own"),
        external("f", "own"),
    ]);
    let catalog = index(&skills);
    assert_eq!(
        body(&catalog),
        "  c:\n    - same: first\n  d:\n    - same: another group\n  e:\n    - own: external\n"
    );
    let omitted = |entry: &&lorimer_catalog::Entry| matches!(&entry.disposition, Disposition::Omitted { reason } if reason == "duplicate");
    assert_eq!(catalog.entries.iter().filter(omitted).count(), 3);
    assert!(catalog.notices.is_empty(), "a duplicate is no matter of the budget");
}

/// S3-09: what has no room is told.
#[test]
fn s3_09_a_budget_ends_the_listing() {
    let skills = shared(["a", "b", "c"].map(|name| grouped("g", name, "Does a thing.")));
    let line = "    - a: Does a thing.\n".len();
    let catalog = list(&GroupedIndex::default(), &skills, Budget::chars("  g:\n".len() + 2 * line + 1));
    assert_eq!(body(&catalog), "  g:\n    - a: Does a thing.\n    - b: Does a thing.\n");
    assert_eq!((catalog.entries[2].cost, catalog.notices[0].code), (0, Code::EntryOmitted));
    assert_eq!(list(&GroupedIndex::default(), &skills, Budget::chars(20)).sections[0].text, None);
    let two = Budget { unit: Unit::Entries, limit: Some(2) };
    assert_eq!(list(&GroupedIndex::default(), &skills, two).shown().count(), 2, "a heading is no entry");
}

#[test]
fn line_breaks_are_folded_or_passed_through_and_told() {
    let skills = shared([grouped("g", "a\n    - b: c", "d\n    - e: f"), grouped("g", "plain", "One line.")]);
    assert_eq!(body(&index(&skills)), "  g:\n    - a - b: c: d - e: f\n    - plain: One line.\n");
    let passing = GroupedIndex { line_breaks: LineBreaks::PassThrough, ..GroupedIndex::default() };
    let catalog = list(&passing, &skills, Budget::UNBOUNDED);
    assert_eq!(body(&catalog), "  g:\n    - a\n    - b: c: d\n    - e: f\n    - plain: One line.\n");
    let broken: Vec<_> = catalog.notices.iter().filter(|notice| notice.code == Code::EntryBroken).collect();
    assert_eq!((broken.len(), broken[0].severity), (1, Severity::Warning));
    assert_eq!(broken[0].code.as_str(), "catalog/entry-broken");
}

#[test]
fn nothing_is_said_where_nothing_is_listed() {
    assert_eq!(index(&[]).sections[0].text, None);
}

fn text() -> impl Strategy<Value = String> {
    r"(\PC|[ \n\r\t\u{0}\u{85}\u{2028}]|</available_skills>|['\x22/]|- |word |é|🦀){0,70}"
}

proptest! {
    /// One row for each skill, one line for each shown one, and never more than the budget.
    #[test]
    fn entries_are_lines_inside_the_budget(
        texts in prop::collection::vec((text(), text(), text(), 0_u32..2), 0..8),
        unit in prop_oneof![Just(Unit::Tokens), Just(Unit::Chars), Just(Unit::Bytes), Just(Unit::Utf16), Just(Unit::Columns), Just(Unit::Entries)],
        limit in prop_oneof![Just(None), (0_usize..400).prop_map(Some)],
        fold in any::<bool>(),
    ) {
        let skills = shared(texts.iter().enumerate().map(|(number, (group, name, description, order))| {
            let mut skill = skill("/s", *order, &number.to_string(), description);
            skill.name.clone_from(name);
            skill.group = Some(Group { name: group.clone(), description: description.clone() });
            skill
        }));
        let line_breaks = if fold { LineBreaks::Fold } else { LineBreaks::PassThrough };
        let names_only = texts.first().map(|(group, ..)| group.split('/').next().unwrap_or_default().to_owned());
        let format = GroupedIndex { names_only: names_only.into_iter().collect(), line_breaks, ..GroupedIndex::default() };
        let catalog = list(&format, &skills, Budget { unit, limit });
        prop_assert_eq!(catalog.entries.len(), skills.len());
        prop_assert!(limit.is_none_or(|limit| catalog.spent <= limit));
        if fold && !catalog.text().is_empty() {
            let lines = body(&catalog).lines().filter(|line| line.starts_with("    - ")).count();
            let demoted = |entry: &&lorimer_catalog::Entry| {
                let group = entry.group.as_deref().unwrap_or_default();
                format.names_only.contains(group.split('/').next().unwrap_or_default())
            };
            prop_assert!(lines <= catalog.shown().count());
            prop_assert!(lines + catalog.shown().filter(demoted).count() >= catalog.shown().count());
        }
    }
}
