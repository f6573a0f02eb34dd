//! The Codex profile: listing, budget, settings. Facts: `@openai/codex` 0.171.0 as observed.

use std::sync::Arc;

use lorimer::core::{Event, Scope, SourceId};
use lorimer::discover::MemorySource;
use lorimer::report::ListReport;
use lorimer::{Settings, Told, Turn, TurnInput, profiles};
use lorimer_testkit::{Project, snapshot_settings};

use crate::{lifecycle, session};

fn list(project: &Project, window: Option<u64>, config: &[&str]) -> ListReport {
    let mut host = project.host();
    host.window = window;
    let mut settings = Settings::default();
    for assignment in config {
        settings.assign(assignment).unwrap();
    }
    host.settings = settings;
    ListReport::new("codex", &session("codex", &host).view())
}

/// `count` skills with descriptions of 200 characters; a name-only entry costs 45 bytes, as in the recorded grid.
fn many(count: usize) -> Project {
    let project = Project::new();
    for number in 0..count {
        let name = format!("skill-{number:04}");
        project.skill(&name, &format!("D{number:04} {}", "x".repeat(194)), "Body.\n");
    }
    project
}

fn shown_lengths(report: &ListReport) -> Vec<usize> {
    report.entries.iter().map(|entry| entry.description.chars().count()).collect()
}

/// S0-03, S0-04, S3-01, S3-06: name, description and path first, in the developer's role, and no body.
#[test]
fn s0_03_s0_04_s3_01_s3_06_the_listing_holds_metadata_and_no_body() {
    let project = Project::new();
    project.skill("alpha", "Does alpha things.", "BODY-OF-ALPHA\n");
    project.skill("beta", "Does beta things.", "BODY-OF-BETA\n");
    let turn = session("codex", &project.host().window(272_000)).begin(&TurnInput::text("hello")).unwrap();
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("codex_listing", turn.items[0].text));
    assert_eq!(turn.items.len(), 1);
    assert_eq!(turn.items[0].role.as_str(), "developer");
    assert!(!turn.items[0].text.contains("BODY-OF"));
}

/// S0-05, S0-13, S3-07: 2 % of a known window, 8,000 characters of an unknown one.
#[test]
fn s0_05_s0_13_s3_07_the_budget_follows_the_window() {
    let project = many(1);
    let budget = |window| {
        let budget = list(&project, window, &[]).budget;
        (budget.unit, budget.limit)
    };
    assert_eq!(budget(Some(272_000)), ("tokens", Some(5_440)));
    assert_eq!(budget(Some(128_000)), ("tokens", Some(2_560)));
    assert_eq!(budget(Some(49)), ("tokens", Some(1)));
    assert_eq!(budget(None), ("chars", Some(8_000)));
    assert_eq!(budget(Some(0)), ("chars", Some(8_000)), "a window of 0 counts as unknown");
}

/// S0-06, S0-07, S3-08: `skills.max_context_tokens` replaces the share, up to 10,000.
#[test]
fn s0_06_s0_07_s3_08_the_budget_can_be_set_up_to_its_cap() {
    let project = many(1);
    let limit = |config: &str, window| list(&project, window, &[config]).budget.limit;
    assert_eq!(limit("skills.max_context_tokens=5000", Some(8_000)), Some(5_000));
    assert_eq!(limit("skills.max_context_tokens=5000", None), Some(5_000));
    assert_eq!(limit("skills.max_context_tokens=20000", Some(272_000)), Some(10_000));

    let mut host = project.host();
    for (wrong, key) in [
        ("skills.max_context_tokens=0", "skills.max_context_tokens"),
        ("skills.max_context_tokens=many", "skills.max_context_tokens"),
        ("skills.config=[{name = \"a\"}]", "skills.config"),
    ] {
        let mut settings = Settings::default();
        settings.assign(wrong).unwrap();
        host.settings = settings;
        let error = profiles::by_name("codex").unwrap().lifecycle(&host).unwrap_err();
        assert_eq!(error.key, key, "{wrong}: the program does not start");
    }
}

/// S0-08, S0-09, S0-10, S3-09: every name and path first; what is left goes to descriptions in rounds. The lengths are
/// those that Codex 0.171.0 showed (20 and 100 skills, windows of 32,000 and 272,000).
#[test]
fn s0_08_s0_09_s0_10_s3_09_descriptions_share_what_names_leave() {
    let few = list(&many(20), Some(32_000), &[]);
    assert_eq!(shown_lengths(&few), [82; 20]);
    let hundred = list(&many(100), Some(272_000), &[]);
    let lengths = shown_lengths(&hundred);
    assert_eq!(lengths.len(), 100);
    assert!(lengths[..40].iter().all(|length| *length == 174), "{lengths:?}");
    assert!(lengths[40..].iter().all(|length| *length == 170), "{lengths:?}");
    assert!(hundred.budget.spent <= 5_440);

    let project = Project::new();
    for (name, length) in [("a", 10), ("b", 50), ("c", 400), ("d", 1_000)] {
        project.skill(name, &"y".repeat(length), "Body.\n");
    }
    let mixed = list(&project, Some(8_000), &[]);
    let lengths = shown_lengths(&mixed);
    assert_eq!(lengths[..2], [10, 50], "short descriptions stay whole");
    assert!(
        lengths[2].abs_diff(lengths[3]) <= 4 && lengths[3] < 400,
        "long ones lose their tails: {lengths:?}"
    );
}

/// S0-11, S3-09: when names alone do not fit, entries are taken by scope, then name, and a warning counts the others.
#[test]
fn s0_11_names_alone_go_in_by_scope_then_name_and_the_rest_is_counted() {
    let report = list(&many(100), Some(32_000), &[]);
    let names: Vec<&str> = report.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names.len(), 53);
    assert_eq!((names[0], names[52]), ("skill-0000", "skill-0052"));
    assert!(report.entries.iter().all(|entry| entry.disposition == "name-only"));
    assert_eq!(report.omitted.len(), 47);
    assert!(report.notices.iter().any(|notice| notice.message.contains("47")), "{:?}", report.notices);

    let project = Project::new();
    for (place, name) in [
        ("home/.agents/skills", "user"),
        ("project/.agents/skills", "project"),
        ("etc/skills", "admin"),
        ("home/.codex/skills/.system", "system"),
    ] {
        let text = format!("---\nname: a-{name}\ndescription: d\n---\n");
        project.file(&format!("{place}/a-{name}/SKILL.md"), text);
    }
    let order: Vec<&str> =
        list(&project, Some(272_000), &[]).entries.iter().map(|entry| entry.scope).collect();
    assert_eq!(order, ["system", "admin", "project", "user"]);
}

/// S3-03: every place of this machine is read, each root has its short name.
#[test]
fn s3_03_one_listing_over_all_places() {
    let project = Project::new();
    let skill = |name: &str| format!("---\nname: {name}\ndescription: In {name}.\n---\nBody.\n");
    project.file("project/.codex/skills/c/SKILL.md", skill("c"));
    project.file("home/.codex/skills/ch/SKILL.md", skill("ch"));
    project.file("home/.agents/skills/ah/SKILL.md", skill("ah"));
    project.file("home/.codex/skills/.system/sys/SKILL.md", skill("sys"));
    project.file("etc/skills/adm/SKILL.md", skill("adm"));
    project.file("project/.agents/skills/a/SKILL.md", skill("a"));
    project.file("project/sub/.agents/skills/s/SKILL.md", skill("s"));
    project.file("project/other/.agents/skills/o/SKILL.md", skill("o"));
    let mut host = project.host().window(272_000);
    host.cwd = project.path("project/sub");
    let report = ListReport::new("codex", &session("codex", &host).view());
    let locators: Vec<&str> = report.entries.iter().map(|entry| entry.locator.as_str()).collect();
    assert_eq!(
        locators,
        [
            "r3/sys/SKILL.md",
            "r4/adm/SKILL.md",
            "r5/a/SKILL.md",
            "r0/c/SKILL.md",
            "r6/s/SKILL.md",
            "r2/ah/SKILL.md",
            "r1/ch/SKILL.md"
        ]
    );
    let off = list(&project, Some(272_000), &["skills.bundled.enabled=false"]);
    assert!(off.entries.iter().all(|entry| entry.scope != "system"));
}

/// S3-31, S3-32: rules of the user and of this run, by name or path, the last match wins; a project has no say.
#[test]
fn s3_31_s3_32_rules_disable_without_deleting() {
    let project = Project::new();
    for name in ["alpha", "beta", "gamma"] {
        project.skill(name, &format!("Does {name} things."), "Body.\n");
    }
    let beta = project.path("project/.agents/skills/beta/SKILL.md");
    project.file(
        "home/.codex/config.toml",
        format!(
            "[[skills.config]]\nname = \"alpha\"\nenabled = false\n\n[[skills.config]]\npath = {:?}\nenabled = false\n",
            beta.to_str().unwrap()
        ),
    );
    project.file("project/.codex/config.toml", "[[skills.config]]\nname = \"gamma\"\nenabled = false\n");
    let names = |report: &ListReport| -> Vec<String> {
        report.entries.iter().map(|entry| entry.name.clone()).collect()
    };
    let report = list(&project, Some(272_000), &[]);
    assert_eq!(names(&report), ["gamma"]);
    let hidden: Vec<(&str, &str)> =
        report.hidden.iter().map(|hidden| (hidden.name.as_str(), hidden.reason.as_str())).collect();
    assert_eq!(hidden, [("alpha", "disabled"), ("beta", "disabled")]);
    assert!(
        report.diagnostics.iter().any(|found| found.code == "config/untrusted"),
        "{:?}",
        report.diagnostics
    );
    assert!(beta.is_file(), "nothing is deleted");

    let again = list(&project, Some(272_000), &["skills.config=[{name = \"alpha\", enabled = true}]"]);
    assert_eq!(names(&again), ["alpha", "gamma"]);

    let mut session = session("codex", &project.host());
    let turn = session.begin(&TurnInput::text("use $alpha")).unwrap();
    assert!(turn.selected.is_empty());
    assert_eq!(turn.unresolved[0].reason.as_str(), "disabled");
    assert!(crate::codes(&turn).contains(&"resolve/refused"));
}

/// S3-06: settings of a trusted project count, except rules.
#[test]
fn a_trusted_project_may_set_the_budget() {
    let project = many(1);
    project.file("project/.codex/config.toml", "[skills]\nmax_context_tokens = 77\n");
    assert_eq!(list(&project, Some(272_000), &[]).budget.limit, Some(5_440));
    let trust =
        format!("[projects.{:?}]\ntrust_level = \"trusted\"\n", project.path("project").to_str().unwrap());
    project.file("home/.codex/config.toml", trust);
    assert_eq!(list(&project, Some(272_000), &[]).budget.limit, Some(77));
}

/// S3-10: the budget of the listing does not bound the body.
#[test]
fn s3_10_a_body_may_be_larger_than_the_listing() {
    let project = Project::new();
    project.skill("big", "Is big.", &"words\n".repeat(20_000));
    let turn = session("codex", &project.host().window(8_000)).begin(&TurnInput::text("$big")).unwrap();
    assert!(turn.items[1].text.len() > 100_000);
    assert!(turn.catalog.spent <= 160);
}

/// S3-19: a local file is handed over whole, a skill of the extension path is cut at 8,000 bytes, and that is told.
#[test]
fn s3_19_local_bodies_are_whole_and_foreign_ones_are_cut() {
    use lorimer::core::{Scope, SourceId};
    use lorimer::discover::MemorySource;

    let project = Project::new();
    let body = "0123456789\n".repeat(1_000);
    project.skill("local", "On this disk.", &body);
    let foreign =
        MemorySource::new(SourceId::new("box")).with_scope(Scope::Environment { id: "box".to_owned() });
    foreign.add("remote", "In a box.", &body);
    let builder = lifecycle("codex", &project.host()).to_builder().source(foreign);
    let turn = builder.build().session("s").unwrap().begin(&TurnInput::text("$local $remote")).unwrap();
    let item =
        |name: &str| turn.items.iter().find(|item| item.text.contains(&format!("<name>{name}</name>")));
    assert!(item("local").unwrap().text.len() > 11_000);
    assert!(item("remote").unwrap().text.len() < 8_200);
    assert!(turn.events.iter().any(|event| event.name() == "skill.body_cut"));
    assert!(crate::codes(&turn).contains(&"activate/body-cut"));
}

#[test]
fn settings_switch_the_listing_off_and_mentions_still_work() {
    let project = many(2);
    let report = list(&project, Some(272_000), &["skills.include_instructions=false"]);
    assert_eq!((report.entries.len(), report.text.as_str()), (0, ""));
    assert_eq!(report.hidden.len(), 2, "nothing is dropped without a row");
    let names = list(&project, Some(272_000), &["features.omit_skill_descriptions=true"]);
    assert!(names.entries.iter().all(|entry| entry.disposition == "name-only"));
}

/// Sections 2.8, 2.11 and 6.2 of the notes: skills of an attached environment have a section of their own that shares
/// the budget, is counted by itself, and is taken back when nothing of it is left.
#[test]
fn s3_06_skills_of_environments_share_the_budget_in_a_section_of_their_own() {
    let project = many(3);
    let remote =
        Arc::new(MemorySource::new(SourceId::new("box")).with_scope(Scope::Environment { id: "box".into() }));
    let locators =
        ["remote-0", "remote-1", "remote-2"].map(|name| remote.add(name, &"r".repeat(100), "Body.\n"));
    let lifecycle = profiles::by_name("codex").unwrap().builder(&project.host().window(6_000)).unwrap();
    let mut session = lifecycle.source(Arc::clone(&remote)).build().session("sections").unwrap();
    let turn = session.begin(&TurnInput::text("hello")).unwrap();
    let [environment, host] = &turn.items[..] else { panic!("{:?}", turn.items) };
    assert!(environment.text.contains("- remote-2: r"), "{}", environment.text);
    assert!(environment.text.contains("(executor package: "), "{}", environment.text);
    assert!(host.text.contains("- skill-0002: D") && !host.text.contains("remote"), "{}", host.text);
    assert!(turn.catalog.spent <= 120);
    let rows = |turn: &Turn| {
        let sections = turn.events.iter().find_map(|event| match event {
            Event::CatalogRendered { sections, .. } => Some(sections.clone()),
            _ => None,
        });
        sections
            .unwrap()
            .into_iter()
            .map(|row| (row.section, row.total, row.included, row.chars_cut > 0, row.told))
            .collect::<Vec<_>>()
    };
    let row = |section: &str, total, cut, told| (section.to_owned(), total, total, cut, told);
    assert_eq!(
        rows(&turn),
        [
            row("skills", 3, true, true),
            row("orchestrator_skills", 0, false, false),
            row("host_skills", 3, true, true)
        ]
    );

    for locator in &locators {
        remote.remove(locator);
    }
    session.reload();
    let turn = session.begin(&TurnInput::text("more")).unwrap();
    let texts: Vec<&str> = turn.items.iter().map(|item| item.text.as_str()).collect();
    assert!(texts[0].contains("offer no skill any more"), "{texts:?}");
    // The host's own section has the room now, so it is told anew.
    assert!(texts[1].contains("- skill-0002: D"), "{texts:?}");
    assert_eq!(rows(&turn)[0], row("skills", 0, false, true));
    session.reload();
    assert_eq!(session.begin(&TurnInput::text("again")).unwrap().told, Told::Unchanged);
}
