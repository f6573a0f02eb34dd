//! The Claude Code profile: listing, budget, settings. Facts: `@anthropic-ai/claude-code` 2.1.332 as observed.

use std::time::{Duration, SystemTime};

use lorimer::catalog::{Usage, Used};
use lorimer::core::{Severity, Unit};
use lorimer::report::ListReport;
use lorimer::{Caller, Host, Settings, Told, ToolError, TurnInput, View};
use lorimer_testkit::{Project, snapshot_settings};

use crate::session;

fn skill(project: &Project, place: &str, fields: &str) {
    project.file(&format!("{place}/SKILL.md"), format!("---\n{fields}\n---\nBody of {place}.\n"));
}

/// A skill of the project's with this description.
fn own(project: &Project, name: &str, description: &str) {
    skill(project, &format!("project/.claude/skills/{name}"), &format!("description: {description}"));
}

fn view(host: &Host) -> View {
    session("claude-code", host).view()
}

/// The lines of the listing's entries.
fn lines(host: &Host) -> Vec<String> {
    let view = view(host);
    view.text().lines().filter(|line| line.starts_with("- ")).map(str::to_owned).collect()
}

fn with(project: &Project, assignments: &[&str]) -> Host {
    let mut host = project.host();
    let mut settings = Settings::default();
    for assignment in assignments {
        settings.assign(assignment).unwrap();
    }
    host.settings = settings;
    host
}

fn limited(project: &Project, limit: &str) -> Host {
    let mut host = project.host();
    host.variables.insert("SLASH_COMMAND_TOOL_CHAR_BUDGET".to_owned(), limit.to_owned());
    host
}

/// S0-03, S0-04: one reminder in the user's role, a line a skill, and no body; managed, personal, project, added folders,
/// commands; inside each as people sort.
#[test]
fn s0_03_s0_04_places_and_lines() {
    let project = Project::new();
    for name in ["zeta", "Alpha", "alpha2", "10", "9", "_x", "b-b"] {
        own(&project, name, "D.");
    }
    skill(&project, "project/.claude/skills/labelled", "name: Label\ndescription: a <b>\nwhen_to_use: When.");
    skill(&project, "home/.claude/skills/mine", "description: Personal.");
    skill(&project, "home/.claude/skills/zeta", "description: Personal beats project.");
    skill(&project, "etc/claude-code/.claude/skills/managed", "description: Managed.");
    skill(&project, "extra/.claude/skills/added", "description: Added.");
    skill(&project, "extra/.claude/skills/b-b", "description: Added too.");
    project.file("project/.claude/commands/sub/other.md", "---\nname: N\npaths: \"*.x\"\n---\n# Do it\n");
    project.file("project/.claude/commands/alpha2.md", "A skill goes before a command.\n");
    project.file("home/.claude/commands/plain.md", "Plain command.\n");
    let added = format!("--add-dir=[{:?}]", project.path("extra").to_string_lossy());
    let turn = session("claude-code", &with(&project, &[&added])).begin(&TurnInput::text("hello")).unwrap();
    assert_eq!((turn.told, turn.items.len(), turn.items[0].role.as_str()), (Told::Sent, 1, "user"));
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("claude_code_listing", turn.items[0].text));
}

/// S0-08: names are always there; texts are whole or not at all, and one that does not fit costs no later one its place.
/// The budget counts lines and the breaks between them.
#[test]
fn s0_08_whole_texts_within_the_budget() {
    let project = Project::new();
    for (name, length) in [("a", 300), ("b", 20), ("c", 200), ("d", 10), ("e", 100), ("f", 50)] {
        own(&project, name, &name.to_uppercase().repeat(length));
    }
    let shown = |limit: &str| {
        let view = view(&limited(&project, limit));
        let texts: String = view
            .catalog
            .entries
            .iter()
            .filter(|entry| !entry.description.is_empty())
            .map(|entry| entry.name.as_str())
            .collect();
        (texts, view.catalog.spent)
    };
    for (limit, texts, spent) in [
        ("715", "abcdef", 715),
        ("714", "abcde", 663),
        ("57", "bd", 57),
        ("56", "b", 45),
        ("45", "b", 45),
        ("44", "d", 35),
        ("23", "", 23),
    ] {
        assert_eq!(shown(limit), (texts.to_owned(), spent), "{limit}");
    }
    let below = view(&limited(&project, "22"));
    assert_eq!((below.catalog.spent, below.catalog.shown().count()), (0, 6));
    let notice =
        below.catalog.notices.iter().find(|notice| notice.code.as_str() == "catalog/names-over-budget");
    let message = &notice.expect("it is said").message;
    assert!(message.contains("23") && message.contains("1 more"), "{message}");
}

/// Row 30 of the notes: what was used most and last keeps its text; ties follow the listing.
#[test]
fn usage_ranks_the_texts() {
    let project = Project::new();
    for name in ["a", "b", "c", "d", "e"] {
        own(&project, name, &name.repeat(100));
    }
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000);
    let used = |count, days: u64| Used { count, last: Some(now - Duration::from_secs(days * 86_400)) };
    let rows = [("b", used(10, 60)), ("c", used(10, 7)), ("d", used(6, 0)), ("gone", used(9, 0))];
    let mut host = limited(&project, "150");
    let texts = |host: &Host| -> Vec<String> {
        lines(host).iter().filter(|line| line.contains(':')).map(|line| line[2..3].to_owned()).collect()
    };
    assert_eq!(texts(&host), ["a"]);
    host.now = Some(now);
    host.usage = Some(rows.into_iter().map(|(name, used)| (name.to_owned(), used)).collect());
    assert_eq!(texts(&host), ["d"]);
    host.variables.insert("SLASH_COMMAND_TOOL_CHAR_BUDGET".to_owned(), "250".to_owned());
    assert_eq!(texts(&host), ["c", "d"]);
    host.variables.insert("SLASH_COMMAND_TOOL_CHAR_BUDGET".to_owned(), "350".to_owned());
    assert_eq!(texts(&host), ["b", "c", "d"]);
    // What the program has kept itself counts where the host says nothing.
    host.usage = None;
    let kept = r#"{"skillUsage": {"e": {"usageCount": 2, "lastUsedAt": 1999999999000}, "x": {}, "a": 5}}"#;
    project.file("home/.claude.json", kept);
    host.variables.insert("SLASH_COMMAND_TOOL_CHAR_BUDGET".to_owned(), "150".to_owned());
    assert_eq!(texts(&host), ["e"]);
    host.usage = Some(Usage::default());
    assert_eq!(texts(&host), ["a"]);
}

/// Sessions that were kept say what was used, a skill once a session.
#[test]
fn sessions_add_up_to_usage() {
    let project = Project::new();
    own(&project, "a", "A");
    own(&project, "b", "B");
    let mut usage = Usage::default();
    for names in [vec!["a", "b", "b"], vec!["b"], vec!["nothing"]] {
        let mut session = session("claude-code", &project.host());
        session.begin(&TurnInput::text("x")).unwrap();
        for name in names {
            let _ = session.load_skill(name, Caller::Model).unwrap();
        }
        lorimer::usage_of(&mut usage, &session.records().unwrap().records, Some(SystemTime::UNIX_EPOCH));
    }
    let used = |count| Some(Used { count, last: Some(SystemTime::UNIX_EPOCH) });
    assert_eq!((usage.get("a"), usage.get("b"), usage.get("nothing")), (used(1), used(2), None));
}

/// Rows 22 and 23: description and `when_to_use` together are capped, in UTF-16 units.
#[test]
fn texts_are_capped() {
    let project = Project::new();
    let fields = format!("description: {}\nwhen_to_use: {}", "d".repeat(1_000), "w".repeat(1_000));
    skill(&project, "project/.claude/skills/a", &fields);
    own(&project, "b", &format!("x{}", "🍵".repeat(768)));
    let host = with(&project, &["skillListingBudgetFraction=1"]);
    let shown = view(&host).catalog;
    assert_eq!(shown.entries[0].description, format!("{} - {}…", "d".repeat(1_000), "w".repeat(532)));
    assert_eq!(shown.entries[1].description, format!("x{}…", "🍵".repeat(767)));
    assert!(shown.notices.iter().any(|notice| notice.code.as_str() == "catalog/description-capped"));
    let short = with(&project, &["skillListingMaxDescChars=100", "skillListingBudgetFraction=1"]);
    assert_eq!(view(&short).catalog.entries[0].description, format!("{}…", "d".repeat(99)));
    assert_eq!(lines(&with(&project, &["skillListingMaxDescChars=1"])), ["- a: …", "- b: …"]);
}

/// Rows 24 to 28; a value that cannot be used costs its whole place.
#[test]
fn settings_of_a_place_count_together_or_not_at_all() {
    let project = Project::new();
    own(&project, "a", "A");
    let limit = |host: &Host| {
        let catalog = view(host).catalog;
        assert_eq!(catalog.budget.unit, Unit::Columns);
        catalog.budget.limit
    };
    let mut host = with(&project, &["skillListingBudgetFraction=0.5"]);
    host.model = Some("claude-sonnet-4-5".to_owned());
    host.window = Some(200_000);
    assert_eq!(limit(&host), Some(400_000));
    for (key, value) in [
        ("skillListingBudgetFraction", "0"),
        ("skillListingBudgetFraction", "1.5"),
        ("skillListingBudgetFraction", "\"0.5\""),
        ("skillListingMaxDescChars", "0"),
        ("skillListingMaxDescChars", "-1"),
        ("skillListingMaxDescChars", "10.5"),
        ("skillOverrides", "{a = \"nonsense\"}"),
        ("permissions", "{deny = \"Skill(a)\"}"),
    ] {
        let mut host = with(&project, &["skillOverrides.b=\"off\"", "skillListingBudgetFraction=0.5"]);
        host.settings.assign(&format!("{key}={value}")).unwrap();
        host.model = Some("claude-sonnet-4-5".to_owned());
        let view = view(&host);
        assert_eq!(view.catalog.budget.limit, Some(8_000), "{key}={value}");
        assert!(view.diagnostics.iter().any(|diagnostic| diagnostic.message.contains(key)), "{key}={value}");
    }
    // The machine's settings go before those of this run, these before local ones, the project's and the user's.
    for (file, fraction, expected) in [
        ("home/.claude/settings.json", "0.1", 80_000),
        ("project/.claude/settings.json", "0.2", 160_000),
        ("project/.claude/settings.local.json", "0.3", 240_000),
        ("etc/claude-code/managed-settings.json", "0.4", 320_000),
    ] {
        project.file(file, format!("{{\"skillListingBudgetFraction\": {fraction}}}"));
        let mut host = project.host();
        host.model = Some("claude-sonnet-4-5".to_owned());
        assert_eq!(limit(&host), Some(expected), "{file}");
        host.settings.assign("skillListingBudgetFraction=0.5").unwrap();
        let above = if file.starts_with("etc") { expected } else { 400_000 };
        assert_eq!(limit(&host), Some(above), "{file}");
    }
    project.file("etc/claude-code/managed-settings.json", "{");
    let mut host = with(&project, &["--setting-sources=\"user\""]);
    host.model = Some("claude-sonnet-4-5".to_owned());
    let view = view(&host);
    assert_eq!(view.catalog.budget.limit, Some(80_000));
    assert!(view.diagnostics.iter().any(|diagnostic| diagnostic.code.as_str() == "config/ignored"));
}

/// Rows 32 to 38, 70 and 72: overrides, the author's wishes, rules.
#[test]
fn what_a_person_decides_about_single_skills() {
    let project = Project::new();
    for name in ["bare", "denied", "mine", "off", "on"] {
        own(&project, name, "D");
    }
    skill(&project, "project/.claude/skills/user-only", "description: D\ndisable-model-invocation: yes");
    skill(&project, "project/.claude/skills/model-only", "description: D\nuser-invocable: maybe");
    project.file("home/.claude/settings.json", r#"{"skillOverrides": {"on": "off", "bare": "name-only"}}"#);
    project.file(
        "project/.claude/settings.json",
        r#"{"skillOverrides": {"on": "on", "mine": "user-invocable-only"}}"#,
    );
    project.file("project/.claude/settings.local.json", r#"{"skillOverrides": {"off": "off"}}"#);
    let host = with(&project, &["permissions.deny=[\"Skill(denied)\", \"Bash(rm *)\"]"]);
    assert_eq!(lines(&host), ["- bare", "- denied: D", "- model-only: D", "- on: D"]);
    let report = ListReport::new("claude-code", &view(&host));
    let hidden: Vec<_> = report.hidden.iter().map(|row| (row.name.as_str(), row.reason.as_str())).collect();
    assert_eq!(hidden, [("mine", "override"), ("off", "override"), ("user-only", "explicit-only")]);

    let mut session = session("claude-code", &host);
    let mut answer = |name: &str, caller| match session.load_skill(name, caller).unwrap().result {
        Ok(cleared) => cleared.loaded().body().to_owned(),
        Err(ToolError::Refused { refusal, .. }) => refusal.rule,
        Err(error) => format!("{error:?}"),
    };
    for (name, model, user) in [
        ("denied", "denied", "Body of project/.claude/skills/denied.\n"),
        ("mine", "override", "Body of project/.claude/skills/mine.\n"),
        ("off", "override", "override"),
        ("user-only", "explicit-only", "Body of project/.claude/skills/user-only.\n"),
        ("model-only", "Body of project/.claude/skills/model-only.\n", "not-user-invocable"),
    ] {
        assert_eq!(answer(name, Caller::Model), model);
        assert_eq!(answer(&format!("/{name}"), Caller::User), user);
    }
    for setting in ["permissions.deny=[\"Skill\"]", "--disable-slash-commands=true"] {
        assert!(!view(&with(&project, &[setting])).listing, "{setting}");
    }
    let mut host = project.host();
    host.tools = Some(vec!["Read".to_owned()]);
    assert!(!view(&host).listing);
    assert_eq!(lines(&with(&project, &["--safe-mode=true"])), [""; 0]);
}

/// Rows 7, 8 and 77: nested folders and path conditions wait for a file; namesakes get their folder in front.
#[test]
fn files_that_are_opened_bring_skills() {
    let project = Project::new();
    own(&project, "deploy", "Root.");
    skill(&project, "project/.claude/skills/typed", "description: T\npaths: \"*.ts\"");
    skill(&project, "project/apps/web/.claude/skills/deploy", "description: Web.");
    skill(&project, "project/apps/web/.claude/skills/only", "description: Only.");
    let mut host = project.host();
    assert_eq!(lines(&host), ["- deploy: Root."]);
    host.opened.push(project.path("project/apps/web/x.ts"));
    let all = lines(&host);
    let names: Vec<_> = all.iter().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(names, ["- deploy", "- typed", "- apps/web:deploy", "- only"]);
    // As long as those of the program: 98 characters, the folder and the name; 63, and the folder twice.
    assert_eq!(all[2].len(), "- apps/web:deploy: Web.".len() + 98 + 8 + 15);
    assert_eq!(all[3].len(), "- only: Only.".len() + 63 + 8 + 8);
    let mut session = session("claude-code", &host);
    let mut loads = |name: &str| session.load_skill(name, Caller::Model).unwrap().result.is_ok();
    assert!(loads("apps/web:deploy") && loads("only") && loads("typed"));
    assert!(!loads("apps/web:only"));
}

/// Only entries that are new or say something else are told; the budget and what is gone are not worth a word.
#[test]
fn updates_tell_new_entries() {
    let project = Project::new();
    own(&project, "a", "A");
    own(&project, "b", "B");
    let mut session = session("claude-code", &project.host());
    let mut turn = || {
        session.reload();
        let turn = session.begin(&TurnInput::text("x")).unwrap();
        let text: String = turn.items.iter().map(|item| item.text.as_str()).collect();
        text.lines().filter(|line| line.starts_with("- ")).collect::<Vec<_>>().join("|")
    };
    assert_eq!(turn(), "- a: A|- b: B");
    assert_eq!(turn(), "");
    own(&project, "b", "Other");
    own(&project, "c", "C");
    assert_eq!(turn(), "- b: Other|- c: C");
    std::fs::remove_dir_all(project.path("project/.claude/skills/a")).unwrap();
    assert_eq!(turn(), "", "what is gone is not told");
    own(&project, "a", "A");
    assert_eq!(turn(), "", "nor that it is back as it was");
}

/// Nothing is dropped in silence, and no skill costs another.
#[test]
fn odd_files_cost_themselves_alone() {
    let project = Project::new();
    own(&project, "ok", "Fine.");
    own(&project, "a<b", "No name.");
    own(&project, "synced", "Reserved.");
    skill(&project, "project/.claude/skills/broken", "description: \"open");
    skill(&project, "home/.claude/skills/ok", "description: Mine.");
    project.file("project/.claude/skills/big/SKILL.md", "x".repeat(1_000_001));
    project.file("project/.claude/skills/empty/SKILL.md", "");
    assert_eq!(
        lines(&project.host()),
        ["- ok: Mine.", "- broken: Body of project/.claude/skills/broken.", "- empty: Skill"]
    );
    let view = view(&project.host());
    let mut codes: Vec<_> = view
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity > Severity::Note)
        .map(|diagnostic| diagnostic.code.as_str())
        .collect();
    codes.sort_unstable();
    codes.dedup();
    for code in [
        "discover/file-too-large",
        "discover/name-collision",
        "discover/name-invalid",
        "discover/reserved-name",
    ] {
        assert!(codes.contains(&code), "{code} in {codes:?}");
    }
}
