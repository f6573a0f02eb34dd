//! Listings with several sections that share one budget: sections 2.3, 2.4, 2.7 and 2.8 of the Codex rules.

use std::sync::Arc;

use lorimer_catalog::{
    AsGiven, Catalog, CatalogRequest, Cataloger as _, Composed, ComposedSection, LeftOut, RootedLines,
    RoundRobin, TableCharge,
};
use lorimer_core::{Budget, Locator, Root, Scope, Size, Skill, SkillId, SourceId, Unit};

use crate::support::{list, shared, skill};

const SQUEEZED_OUT: &str = "There are more skills.";

fn extension(kind: &'static str, alias: char) -> RootedLines {
    RootedLines {
        kind,
        alias,
        short_descriptions: true,
        left_out: LeftOut::Counted,
        aliases: None,
        ..RootedLines::default()
    }
}

/// Executor, orchestrator and host, in the order in which they are paid for.
fn combined(host: RootedLines) -> Composed {
    Composed::new(AsGiven, RoundRobin, host)
        .with_section("host")
        .with_squeezed_out(SQUEEZED_OUT)
        .with_section_before(
            ComposedSection::new("executor", &["environment"], AsGiven, extension("executor package", 'e'))
                .none_left("Gone."),
        )
        .with_section_before(ComposedSection::new(
            "orchestrator",
            &["orchestrator"],
            AsGiven,
            extension("orchestrator package", 'o'),
        ))
}

fn plain() -> RootedLines {
    RootedLines { aliases: None, ..RootedLines::default() }
}

#[derive(Clone, Copy)]
enum From {
    Executor,
    Orchestrator,
    Host,
}

/// A skill whose line without a description costs exactly so many tokens.
fn costing(from: From, name: &str, tokens: usize) -> Skill {
    let kind = match from {
        From::Executor => "executor package",
        From::Orchestrator => "orchestrator package",
        From::Host => "file",
    };
    let empty = format!("- {name}: ({kind}: )\n").len();
    let locator = "x".repeat((tokens * 4).checked_sub(empty).expect("the name alone is dearer"));
    let id = SkillId::new(SourceId::new("s"), Locator::Uri(locator.as_str().into()));
    let mut skill = Skill::new(id, name, "");
    skill.scope = match from {
        From::Executor => Scope::Environment { id: "e".into() },
        From::Orchestrator => Scope::Orchestrator,
        From::Host => Scope::Project { depth: 0 },
    };
    skill.root = Root { path: "/nowhere".into(), order: 0 };
    skill
}

fn texts(catalog: &Catalog) -> Vec<(&str, Option<&str>)> {
    catalog.sections.iter().map(|section| (section.id.as_ref(), section.text.as_deref())).collect()
}

fn counts(catalog: &Catalog) -> Vec<(usize, usize)> {
    catalog.sections.iter().map(|section| (section.figures.total, section.figures.included)).collect()
}

/// S3-09, case B26: the line about what is left out takes its room from the last section first.
#[test]
fn s3_09_the_last_section_makes_room_for_the_line_about_omissions() {
    let skills = shared([
        costing(From::Host, "h", 4),
        costing(From::Executor, "e1", 12),
        costing(From::Executor, "e2", 21),
    ]);
    let catalog = list(&combined(plain()), &skills, Budget::tokens(28));
    assert_eq!(counts(&catalog), [(2, 1), (0, 0), (1, 0)]);
    let [executor, orchestrator, host] = texts(&catalog)[..] else { panic!("three sections") };
    assert!(executor.1.is_some_and(|text| text.contains("\n- 1 more skill left out")), "{executor:?}");
    assert_eq!(orchestrator, ("orchestrator", None));
    assert_eq!(host, ("host", Some(SQUEEZED_OUT)));
    assert_eq!(catalog.spent, 27);
    assert_eq!(catalog.sections[0].none_left.as_deref(), Some("Gone."));
}

/// Case B27: entries of an earlier section count for more than short names for roots in a later one would save.
#[test]
fn an_earlier_section_is_not_given_up_for_a_later_one() {
    let host = RootedLines {
        aliases: Some(TableCharge { plain_head: 0, alias_head: 60 }),
        ..RootedLines::default()
    };
    let mut skills = vec![
        costing(From::Executor, "e1", 12),
        costing(From::Executor, "e2", 42),
        costing(From::Orchestrator, "o", 9),
    ];
    for name in ["h1", "h2"] {
        let mut skill = skill(&format!("/{}", "r".repeat(200)), 0, name, "");
        skill.root = Root { path: format!("/{}", "r".repeat(200)), order: 0 };
        skills.push(skill);
    }
    let skills = shared(skills);
    let catalog = list(&combined(host.clone()), &skills, Budget::tokens(74));
    assert_eq!(counts(&catalog), [(2, 2), (1, 1), (2, 0)]);
    assert!(catalog.roots.is_empty());
    assert_eq!(texts(&catalog)[2].1, Some(SQUEEZED_OUT));
    // With room for both the short names are worth their table.
    let catalog = list(&combined(host), &skills, Budget::tokens(63 + 75 + 20));
    assert_eq!(counts(&catalog), [(2, 2), (1, 1), (2, 2)]);
    assert_eq!(catalog.roots.len(), 1);
}

/// Case B9: all sections share the round-robin.
#[test]
fn s0_09_sections_share_the_descriptions_room_alike() {
    let mut skills = Vec::new();
    for index in 0..5 {
        for from in [From::Executor, From::Orchestrator] {
            let mut skill = costing(from, &format!("n{index}"), 12);
            skill.description = "d".repeat(1_025);
            skills.push(skill);
        }
    }
    let catalog = list(&combined(plain()), &shared(skills), Budget::chars(8_000));
    let lengths: Vec<usize> = catalog.entries.iter().map(|entry| entry.description.chars().count()).collect();
    let (least, most) = (lengths.iter().min().unwrap(), lengths.iter().max().unwrap());
    assert!(most - least <= 1 && *least > 700, "{lengths:?}");
    assert!(catalog.spent <= 8_000 && catalog.spent > 7_990);
    let cut = |part: usize| catalog.sections[part].figures.cut_chars;
    assert_eq!(cut(0) + cut(1), lengths.iter().map(|length| 1_024 - length).sum::<usize>());
}

/// Case B11: with a line about omissions there is room for one entry less.
#[test]
fn the_line_about_omissions_is_paid_for() {
    let skills = shared((0..20).map(|index| {
        let mut skill = skill("/roots", 0, &format!("skill-{index:02}"), "Long enough.");
        skill.interface = None;
        skill
    }));
    let counted = RootedLines { left_out: LeftOut::Counted, ..plain() };
    let catalog = list(&Composed::new(AsGiven, RoundRobin, counted.clone()), &skills, Budget::tokens(100));
    assert_eq!((catalog.shown().count(), catalog.spent), (7, 100));
    assert!(catalog.text().contains("\n- 13 more skills left out"));
    // Cases B14 and B15: one oversized line.
    let long = shared([skill("/roots", 0, &"n".repeat(400), "d")]);
    let at =
        |tokens| list(&Composed::new(AsGiven, RoundRobin, counted.clone()), &long, Budget::tokens(tokens));
    assert!(at(100).text().contains("\n- 1 more skill left out") && at(100).spent == 15);
    assert_eq!((at(1).text(), at(1).spent), (String::new(), 0));
    let untold = Composed::new(AsGiven, RoundRobin, plain());
    assert!(list(&untold, &long, Budget::tokens(100)).text().contains("### Available skills"));
}

/// Case B17: a section may show the short description that a skill gives, where there is one.
#[test]
fn short_descriptions_are_shown_where_the_section_wants_them() {
    let mut with = costing(From::Executor, "with", 12);
    with.description = "The long one.".into();
    with.frontmatter.insert("metadata".into(), serde_json::json!({"short-description": "The short one."}));
    let mut host = costing(From::Host, "host", 12);
    host.description = "The long one.".into();
    host.frontmatter = with.frontmatter.clone();
    let catalog = list(&combined(plain()), &shared([with, host]), Budget::UNBOUNDED);
    let shown: Vec<&str> = catalog.entries.iter().map(|entry| entry.description.as_str()).collect();
    assert_eq!(shown, ["The short one.", "The long one."]);
}

/// Case B22: plugins of one market that bring one skill each share a root; one that brings two has its own.
#[test]
fn single_skill_plugins_share_the_root_of_their_market() {
    let plugin = |name: &str, order: u32, skill_name: &str| {
        let root = format!("/h/plugins/cache/market/{name}/hash/skills");
        skill(&root, order, skill_name, "Does it.")
    };
    let skills = shared([
        plugin("github", 0, "github"),
        plugin("slack", 1, "slack"),
        plugin("two", 2, "one"),
        plugin("two", 2, "other"),
    ]);
    let catalog =
        list(&Composed::new(AsGiven, RoundRobin, RootedLines::default()), &skills, Budget::tokens(200));
    let roots: Vec<_> = catalog.roots.iter().map(|root| (root.alias.as_str(), root.path.as_str())).collect();
    assert_eq!(roots, [("r0", "/h/plugins/cache/market"), ("r1", "/h/plugins/cache/market/two/hash/skills")]);
    let locators: Vec<&str> = catalog.entries.iter().map(|entry| entry.locator.as_str()).collect();
    assert_eq!(
        locators,
        [
            "r0/github/hash/skills/github/SKILL.md",
            "r0/slack/hash/skills/slack/SKILL.md",
            "r1/one/SKILL.md",
            "r1/other/SKILL.md"
        ]
    );
}

/// What every section shows is charged to the one budget, and each skill stands in one of them.
#[test]
fn sections_never_exceed_the_budget_together() {
    let skills: Vec<Arc<Skill>> = shared((0..30).flat_map(|index| {
        [From::Executor, From::Orchestrator, From::Host].map(|from| {
            let mut skill = costing(from, &format!("n{index}"), 10 + index % 7);
            skill.description = "words and more words ".repeat(index % 4);
            skill
        })
    }));
    let cataloger = combined(plain());
    for limit in (0..1_500).step_by(7) {
        for unit in [Unit::Tokens, Unit::Chars] {
            let budget = Budget { unit, limit: Some(limit) };
            let catalog = cataloger.catalog(&CatalogRequest { skills: &skills, budget, input: None });
            assert!(catalog.spent <= limit, "{budget}: {}", catalog.spent);
            assert_eq!(catalog.entries.len(), skills.len());
            let lines: usize = catalog
                .sections
                .iter()
                .filter_map(|section| section.text.as_deref())
                .flat_map(str::lines)
                .filter(|line| line.starts_with("- "))
                .map(|line| Size::of(line).plus(Size::LINE_FEED).cost(unit))
                .sum();
            assert_eq!(lines, catalog.spent, "{budget}");
        }
    }
}
