//! What holds for every input.

use std::sync::Arc;

use lorimer_catalog::{
    Allocation, AsGiven, Catalog, Composed, Demand, Disposition, Format, Line, Misfit, NamesFirst,
    NativeLines, PlainLines, Rest, RootedLines, RoundRobin, Share, Unbounded, WholeEntriesByRank,
};
use lorimer_core::{Budget, Locator, Scope, Size, Skill, SkillId, SourceId, Unit};
use proptest::prelude::*;

use crate::support::{list, skill};

/// Text with everything that could break a line, a tag or a count.
fn text() -> impl Strategy<Value = String> {
    r"(\PC|[ \n\r\t\u{0}\u{7}\u{85}\u{2028}\u{202e}]|</skills_instructions>|&lt;|- |: |`|word |é|🦀){0,30}"
}

fn skills() -> impl Strategy<Value = Vec<Arc<Skill>>> {
    let one =
        (text(), text(), "/[ab]{0,2}(/\\PC{1,4})?", 0_u32..3).prop_map(|(name, description, root, order)| {
            let mut skill = skill(&root, order, "x", &description);
            skill.name = name;
            if order == 2 {
                skill.scope = Scope::User;
            }
            skill
        });
    prop::collection::vec(one, 0..12).prop_map(|mut skills| {
        for (index, skill) in skills.iter_mut().enumerate() {
            let path = format!("{}/{index}\n/SKILL.md", skill.root.path);
            skill.id = SkillId::new(SourceId::new("host"), Locator::Path(path.into()));
        }
        crate::support::shared(skills)
    })
}

fn budgets() -> impl Strategy<Value = Budget> {
    let units = prop_oneof![
        Just(Unit::Tokens),
        Just(Unit::Chars),
        Just(Unit::Utf16),
        Just(Unit::Columns),
        Just(Unit::Bytes),
        Just(Unit::Entries)
    ];
    let limits = prop_oneof![Just(None), (0_usize..400).prop_map(Some), (0_usize..8).prop_map(Some)];
    (units, limits).prop_map(|(unit, limit)| Budget { unit, limit })
}

fn catalogers() -> Vec<Composed> {
    fn with(format: impl Format + Clone + 'static) -> Vec<Composed> {
        let whole = |misfit, rest| WholeEntriesByRank { misfit, rest, ..WholeEntriesByRank::default() };
        vec![
            Composed::new(AsGiven, RoundRobin, format.clone()),
            Composed::new(AsGiven, Unbounded, format.clone()),
            Composed::new(AsGiven, whole(Misfit::Skip, Rest::NameOnly), format.clone()),
            Composed::new(AsGiven, whole(Misfit::Stop, Rest::Omitted), format),
        ]
    }
    let free = lorimer_catalog::TableCharge { plain_head: 0, alias_head: 0 };
    [
        with(RootedLines::default()),
        with(RootedLines { aliases: Some(free), names_only: true, ..RootedLines::default() }),
        with(NativeLines::default()),
        with(PlainLines::default()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The loop of spec/codex.md 2.4, word for word.
#[expect(clippy::indexing_slicing, reason = "a model to compare with reads best as the specification does")]
fn naive(demands: &[Demand<'_>], budget: Budget) -> Vec<Share> {
    let (unit, limit) = (budget.unit, budget.limit.unwrap_or(usize::MAX));
    let full: usize = demands.iter().map(|demand| demand.full().cost(unit)).sum();
    let names: usize = demands.iter().map(|demand| demand.name_only.cost(unit)).sum();
    if full <= limit {
        return demands.iter().map(|demand| Share::Chars(demand.description.chars().count())).collect();
    }
    if names > limit {
        let mut left = limit;
        return demands
            .iter()
            .map(|demand| {
                let cost = demand.name_only.cost(unit);
                if cost > left {
                    return Share::Omitted;
                }
                left -= cost;
                Share::Chars(0)
            })
            .collect();
    }
    let mut left = limit - names;
    let mut shown = vec![0; demands.len()];
    let mut paid = vec![0; demands.len()];
    loop {
        let mut changed = false;
        for (index, demand) in demands.iter().enumerate() {
            if shown[index] == demand.description.chars().count() {
                continue;
            }
            let next: String = demand.description.chars().take(shown[index] + 1).collect();
            let cost = demand.with(Size::of(&next)).cost(unit) - demand.name_only.cost(unit);
            let more = cost.saturating_sub(paid[index]);
            if more <= left {
                shown[index] += 1;
                paid[index] = cost;
                left -= more;
                changed = true;
            }
        }
        if !changed {
            return shown.into_iter().map(Share::Chars).collect();
        }
    }
}

/// The cost of the listing, from its text and nothing else.
fn charged(catalog: &Catalog, unit: Unit) -> usize {
    let text = catalog.text();
    let lines = text.split_once("### Available skills\n").map_or(text.as_str(), |(_, lines)| lines);
    lines
        .lines()
        .take(catalog.shown().count())
        .map(|line| Size::of(line).plus(Size::LINE_FEED).cost(unit))
        .sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// S0-08, S0-09: the linear round-robin is the specified one.
    #[test]
    fn s0_09_round_robin_is_the_specified_loop(
        descriptions in prop::collection::vec("[a-c é€🦀]{0,24}", 0..9),
        budget in budgets(),
    ) {
        let owner = skill("/s", 0, "x", "");
        let demands: Vec<_> = descriptions
            .iter()
            .enumerate()
            .map(|(index, description)| Demand {
                skill: &owner,
                name_only: Size { chars: 9 + index, bytes: 10 + 2 * index, utf16: 11 + index, columns: 8 + index },
                joint: Size::LINE_FEED,
                description,
                size: Size::of(description),
            })
            .collect();
        prop_assert_eq!(RoundRobin.allocate(&demands, budget), naive(&demands, budget));
    }

    /// What a format says of the size of a line is the line's size.
    #[test]
    fn lines_have_the_size_that_their_format_says(name in text(), description in text(), locator in text()) {
        let formats: [&dyn Format; 3] = [&RootedLines::default(), &NativeLines::default(), &PlainLines::default()];
        for format in formats {
            let line = Line { name: &name, description: &description, locator: &locator };
            let (said, written) = (format.size(line), Size::of(&format.line(line)));
            // A mark at a border may join the characters on both sides into one that is shown otherwise.
            prop_assert_eq!((said.chars, said.bytes, said.utf16), (written.chars, written.bytes, written.utf16));
        }
    }

    /// S0-10: nobody gets more than two characters ahead of one who still wants some, when every character costs.
    #[test]
    fn s0_10_shares_are_fair(lengths in prop::collection::vec(0_usize..60, 1..9), limit in 0_usize..400) {
        let texts: Vec<_> = lengths.iter().map(|length| "d".repeat(*length)).collect();
        let skills: Vec<_> =
            texts.iter().enumerate().map(|(index, text)| skill("/s", 0, &format!("n{index}"), text)).collect();
        let plain = Composed::new(AsGiven, RoundRobin, RootedLines { aliases: None, ..RootedLines::default() });
        let catalog = list(&plain, &crate::support::shared(skills), Budget::chars(limit));
        if catalog.shown().count() < lengths.len() {
            prop_assert!(catalog.shown().all(|entry| entry.description.is_empty()));
            return Ok(());
        }
        let shown: Vec<_> = catalog.entries.iter().map(|entry| entry.description.chars().count()).collect();
        let most = shown.iter().copied().max().unwrap_or(0);
        for (index, length) in lengths.iter().enumerate() {
            prop_assert!(shown[index] == *length || shown[index] + 2 >= most, "{:?} of {:?}", shown, lengths);
        }
    }

    /// The contract of the stage, for every order, allocation and format.
    #[test]
    fn every_cataloger_keeps_the_contract(skills in skills(), budget in budgets()) {
        for cataloger in catalogers() {
            let catalog = list(&cataloger, &skills, budget);
            prop_assert!(budget.allows(catalog.spent), "{} of {}", catalog.spent, budget);

            let mut rows: Vec<_> = catalog.entries.iter().map(|entry| entry.skill.clone()).collect();
            let mut wanted: Vec<_> = skills.iter().map(|skill| skill.id.clone()).collect();
            rows.sort();
            wanted.sort();
            prop_assert_eq!(rows, wanted, "one row for each skill");

            let costs: usize = catalog.entries.iter().map(|entry| entry.cost).sum();
            prop_assert!(costs <= catalog.spent);
            prop_assert_eq!(costs, charged(&catalog, budget.unit));
            for entry in &catalog.entries {
                if let Disposition::Omitted { .. } = entry.disposition {
                    prop_assert!(entry.cost == 0 && entry.description.is_empty());
                }
            }
            prop_assert_eq!(list(&cataloger, &skills, budget), catalog, "the same every time");
        }
    }

    /// S3-06: one line for each entry that is shown, whatever its texts hold, and the block closes once.
    #[test]
    fn s3_06_entries_are_lines(skills in skills(), budget in budgets()) {
        for (cataloger, hardened) in [
            (Composed::new(AsGiven, RoundRobin, RootedLines::default()), false),
            (Composed::new(AsGiven, RoundRobin, NativeLines::default()), true),
        ] {
            let catalog = list(&cataloger, &skills, budget);
            let text = catalog.text();
            if text.is_empty() {
                continue;
            }
            let (_, body) = text.split_once("### Available skills\n").expect("the heading");
            let extra = usize::from(hardened && body.contains(" not listed here. "));
            prop_assert_eq!(body.lines().count(), catalog.shown().count() + 1 + extra, "{}", text);
            prop_assert!(text.ends_with("\n</skills_instructions>"));
            if hardened {
                prop_assert_eq!(text.matches("skills_instructions>").count(), 2 + text.matches("&lt;/skills_instructions>").count());
                prop_assert!(!text.chars().any(|character| character.is_control() && character != '\n'));
                let hidden = text.contains(['\u{202e}', '\u{2028}']);
                prop_assert!(!hidden);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The contract for names that are always there: the budget holds or pays for nothing, in every unit, and what is
    /// charged is what stands there.
    #[test]
    fn names_first_keeps_the_contract(
        skills in skills(),
        budget in budgets(),
        most_units in 1_usize..40,
        splits: bool,
        label in "[a-c]{1,2}|<x>|a b",
    ) {
        let labelled = skills.iter().enumerate().map(|(index, skill)| {
            let mut skill = Skill::clone(skill);
            if index % 2 == 0 {
                skill.frontmatter.insert("name".to_owned(), label.clone().into());
                skill.frontmatter.insert("when_to_use".to_owned(), skill.description.clone().into());
            }
            if index % 3 == 0 {
                skill.provenance.serves = Some(label.clone());
            }
            skill
        });
        let skills = crate::support::shared(labelled);
        let bare = skills.iter().take(1).map(|skill| skill.call_name().to_owned()).collect();
        let cataloger = NamesFirst { most_units, splits, bare, ..NamesFirst::default() };
        let catalog = list(&cataloger, &skills, budget);
        prop_assert!(budget.allows(catalog.spent), "{} of {}", catalog.spent, budget);
        prop_assert_eq!(catalog.shown().count(), skills.len());
        let text = catalog.text();
        let lines: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split('\n').collect() };
        prop_assert_eq!(lines.len(), skills.len(), "{}", text);
        prop_assert!(!text.chars().any(|character| character.is_control() && character != '\n'));
        let costs: usize = catalog.entries.iter().map(|entry| entry.cost).sum();
        prop_assert_eq!(costs, catalog.spent);
        let breaks = std::iter::once(Size::default()).chain(std::iter::repeat(Size::LINE_FEED));
        let sizes = lines.iter().zip(breaks).map(|(line, line_break)| Size::of(line).plus(line_break));
        let charged: usize = sizes.map(|size| size.cost(budget.unit)).sum();
        let said = |code: &str| catalog.notices.iter().any(|notice| notice.code.as_str() == code);
        if said("catalog/names-over-budget") {
            prop_assert!(catalog.spent == 0 && !budget.allows(charged));
            prop_assert!(catalog.entries.iter().all(|entry| entry.description.is_empty()));
        } else if budget.unit != Unit::Columns {
            // Columns of a whole line may be fewer than those of its parts.
            prop_assert_eq!(catalog.spent, charged);
        }
        for (entry, line) in catalog.entries.iter().zip(&lines) {
            let units: usize = entry.description.chars().map(char::len_utf16).sum();
            prop_assert!(units <= most_units && line.ends_with(&entry.description));
        }
        prop_assert_eq!(list(&cataloger, &skills, budget), catalog, "the same every time");
    }
}

/// Ten thousand skills with a thousand characters each; how long it takes is measured by `cargo xtask bench catalog`.
#[test]
fn each_of_ten_thousand_skills_has_a_row() {
    let count = if cfg!(debug_assertions) { 1_000 } else { 10_000 };
    let skills = crate::support::shared(
        (0..count)
            .map(|index| skill("/home/u/skills", 0, &format!("skill-{index:05}"), &"word ".repeat(200))),
    );
    for cataloger in [crate::support::codex(), crate::support::native()] {
        for budget in [Budget::chars(500 * count), Budget::tokens(10_000), Budget::UNBOUNDED] {
            assert_eq!(list(&cataloger, &skills, budget).entries.len(), count);
        }
    }
}
