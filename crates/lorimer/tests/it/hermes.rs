//! The Hermes profile: index, tool list, gates, settings. Facts: `hermes-agent` 0.19.0 as observed.

use lorimer::catalog::{Catalog, Disposition};
use lorimer::core::Code;
use lorimer::profiles::hermes;
use lorimer::{Host, Settings, TurnInput, View};
use lorimer_testkit::{Project, snapshot_settings};
use serde_json::{Value, json};

use crate::session;

/// A skill of the user's, as a file with these fields.
fn skill(project: &Project, folder: &str, fields: &str) {
    project.file(&format!("home/.hermes/skills/{folder}/SKILL.md"), format!("---\n{fields}\n---\n\nBody.\n"));
}

fn host(project: &Project, settings: &[&str]) -> Host {
    let mut host = project.host();
    let mut given = Settings::default();
    given.assign("sys.platform=linux").unwrap();
    for assignment in settings {
        given.assign(assignment).unwrap();
    }
    host.settings = given;
    host
}

fn view(project: &Project, settings: &[&str]) -> View {
    session("hermes", &host(project, settings)).view()
}

/// The text between the tags.
fn index(view: &View) -> String {
    let text = view.text();
    let Some((_, rest)) = text.split_once("<available_skills>\n") else { return text };
    rest.rsplit_once("</available_skills>").expect("the closing tag").0.to_owned()
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.shown().map(|entry| entry.name.as_str()).collect()
}

fn tool_list(host: &Host) -> View {
    hermes::tool_list(host).build().session("test").unwrap().view()
}

fn tool_answer(host: &Host) -> Value {
    serde_json::from_str(&tool_list(host).text()).unwrap()
}

/// S0-03, S0-04: the index stands in the system prompt, by category, without a budget and without any body.
#[test]
fn s0_03_s0_04_the_index_stands_in_the_system_prompt() {
    let project = Project::new();
    skill(&project, "drinks/tea", "name: tea\ndescription: \"'Makes tea.'\"");
    skill(
        &project,
        "drinks/hot/cocoa",
        "description: Makes cocoa, which takes a little longer than tea does, by far.",
    );
    skill(&project, "alone", "name: alone");
    project
        .file("home/.hermes/skills/drinks/DESCRIPTION.md", "---\ndescription: What there is to drink\n---\n");
    let turn = session("hermes", &host(&project, &[])).begin(&TurnInput::text("hello")).unwrap();
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("hermes_index", turn.items[0].text));
    assert_eq!((turn.items.len(), turn.items[0].role.as_str()), (1, "system"));
    assert!(!turn.items[0].text.contains("Body."));
    assert_eq!(turn.catalog.budget.limit, None);
}

/// S0-01, S0-02: the user's own folder first, then those that the settings name; a name that is listed is not listed again.
#[test]
fn s0_01_s0_02_local_skills_stand_before_external_ones() {
    let project = Project::new();
    skill(&project, "c/one", "name: shared\ndescription: local");
    project.file("home/.hermes/config.yaml", "skills:\n  external_dirs: [ext]\n");
    project.file("home/.hermes/ext/d/two/SKILL.md", "---\nname: shared\ndescription: external\n---\n");
    project.file("home/.hermes/ext/c/three/SKILL.md", "---\nname: three\ndescription: external\n---\n");
    project.file("home/.hermes/ext/c/DESCRIPTION.md", "---\ndescription: from outside\n---\n");
    let first = view(&project, &[]);
    assert_eq!(index(&first), "  c: from outside\n    - shared: local\n    - three: external\n");
    let omitted = first.catalog.entries.iter().find(|entry| entry.group.as_deref() == Some("d")).unwrap();
    assert_eq!(omitted.disposition, Disposition::Omitted { reason: "duplicate".into() });
    project.file("home/.hermes/skills/c/DESCRIPTION.md", "---\ndescription: from here\n---\n");
    assert!(index(&view(&project, &[])).starts_with("  c: from here\n"), "what is said here counts first");
    assert_eq!(tool_answer(&host(&project, &[]))["count"], 2);
}

#[test]
fn every_path_to_a_skill_is_an_entry() {
    let project = Project::new();
    project.file("elsewhere/real/SKILL.md", "---\nname: linked\ndescription: d\n---\n");
    std::fs::create_dir_all(project.path("home/.hermes/skills/x")).unwrap();
    #[cfg(unix)]
    for place in ["one", "x/two"] {
        let link = project.path(&format!("home/.hermes/skills/{place}"));
        std::os::unix::fs::symlink(project.path("elsewhere/real"), link).unwrap();
    }
    let mut session = session("hermes", &host(&project, &[]));
    #[cfg(unix)]
    {
        let view = session.view();
        assert_eq!(index(&view), "  one:\n    - linked: d\n  x:\n    - linked: d\n");
        assert_eq!(view.snapshot.len(), 2);
        let said: Vec<_> = view.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert!(!said.contains(&Code::SameFile), "{said:?}");
        assert_eq!(tool_answer(&host(&project, &[]))["count"], 1, "the tool's list has a name once");
    }
    session.begin(&TurnInput::text("go on")).unwrap();
}

/// Every file is listed, as its fields are in Python.
#[test]
fn fields_are_read_as_python_reads_them() {
    let project = Project::new();
    for (folder, fields) in [
        ("a", "name: on\ndescription: [a, 1.50]"),
        ("b", "name:\ndescription: no"),
        ("c", "name: \"\"\ndescription: 2024-01-01"),
        ("d", "description: Use when: asked\nname: \"d\""),
        ("e", "name: !mine e\ndescription: d"),
    ] {
        skill(&project, &format!("s/{folder}"), fields);
    }
    project.file("home/.hermes/skills/s/f/SKILL.md", b"---\nname: f\ndescription: caf\xe9\n---\n");
    let view = view(&project, &[]);
    assert_eq!(
        index(&view),
        "  s:\n    - : 2024-01-01\n    - !mine e: d\n    - \"d\": Use when: asked\n    - None\n    - True: ['a', 1.5]\n    - f\n"
    );
    let odd: Vec<_> = view.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(odd.iter().filter(|code| **code == Code::FieldWrongType).count(), 4);
    assert!(odd.contains(&Code::EncodingInvalid));
}

#[test]
fn the_tools_list_reads_otherwise() {
    let project = Project::new();
    skill(&project, "s/number", "name: 5\ndescription: d");
    skill(&project, "s/day", "name: day\ndescription: 2024-01-01");
    skill(&project, "s/list", "name: list\ndescription: [a, on]");
    skill(&project, "top", "name: top\ndescription: ~");
    skill(&project, "s/long", &format!("name: long\ndescription: d\nx: {}", "x".repeat(4_000)));
    project.file("home/.hermes/skills/s/f/SKILL.md", b"---\nname: f\n---\ncaf\xe9");
    let view = tool_list(&host(&project, &[]));
    let answer: Value = serde_json::from_str(&view.text()).unwrap();
    assert_eq!(
        answer["skills"],
        json!([
            {"name": "top", "description": "Body.", "category": null},
            {"name": "list", "description": ["a", true], "category": "s"},
            {"name": "long", "description": "---", "category": "s"},
        ])
    );
    let rejected = view.diagnostics.iter().filter(|diagnostic| diagnostic.code == Code::FieldWrongType);
    assert_eq!(rejected.count(), 2);
}

/// S0-14: what is hidden has its rule.
#[test]
fn s0_14_gates_hide_by_a_rule() {
    let project = Project::new();
    skill(&project, "s/mac", "name: mac\nplatforms: [macos]");
    skill(&project, "s/five", "name: five\nplatforms: 5");
    skill(&project, "s/board", "name: board\nenvironments: [kanban]");
    skill(&project, "s/boxed", "name: boxed\nenvironments: docker");
    skill(&project, "s/tool", "name: tool\nmetadata:\n  hermes:\n    requires_tools: [terminal]");
    skill(&project, "s/null", "name: nothing\nmetadata:\n  hermes:\n    requires_tools:");
    skill(&project, "s/off", "name: by-name");
    skill(&project, "s/folder", "name: by-folder");
    project.file("home/.hermes/config.yaml", "skills:\n  disabled: [\" by-name \", folder]\n");
    let rules = |view: &View| -> Vec<(String, String)> {
        view.hidden.iter().map(|(skill, refusal)| (skill.name.clone(), refusal.rule.clone())).collect()
    };
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(name, rule)| ((*name).to_owned(), (*rule).to_owned())).collect()
    };
    let unknown = view(&project, &[]);
    assert_eq!(names(&unknown.catalog), ["nothing", "tool"], "without known tools nothing asks for them");
    assert_eq!(
        rules(&unknown),
        pairs(&[
            ("board", "environment"),
            ("boxed", "environment"),
            ("five", "platform"),
            ("by-folder", "disabled"),
            ("mac", "platform"),
            ("by-name", "disabled"),
        ])
    );
    let settings = ["available_tools=[\"x\"]", "available_toolsets=[\"kanban\"]", "in_container=true"];
    let known = view(&project, &settings);
    assert_eq!(names(&known.catalog), ["board", "boxed"]);
    assert!(rules(&known).contains(&("nothing".to_owned(), "condition-invalid".to_owned())));
    assert!(names(&view(&project, &["sys.platform=darwin"]).catalog).contains(&"mac"));
    let listed = tool_list(&host(&project, &[]));
    assert!(names(&listed.catalog).contains(&"by-folder"), "folders count for the index alone");
}

#[test]
fn lists_of_disabled_skills_depend_on_the_platform() {
    let project = Project::new();
    for name in ["one", "two", "three"] {
        skill(&project, name, &format!("name: {name}"));
    }
    project.file(
        "home/.hermes/config.yaml",
        "skills:\n  disabled: one\n  platform_disabled:\n    telegram: [two]\n    discord: []\n",
    );
    let shown = |variables: &[(&str, &str)]| -> Vec<String> {
        let mut host = host(&project, &[]);
        host.variables =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let view = session("hermes", &host).view();
        names(&view.catalog).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(shown(&[]), ["three", "two"]);
    assert_eq!(shown(&[("HERMES_PLATFORM", "telegram")]), ["three"]);
    assert_eq!(shown(&[("HERMES_SESSION_PLATFORM", "telegram")]), ["three"]);
    let both = [("HERMES_SESSION_PLATFORM", "telegram"), ("HERMES_PLATFORM", "discord")];
    assert_eq!(shown(&both), ["three", "two"], "the nearer variable counts");
    assert_eq!(names(&view(&project, &["skills.disabled=[\"three\"]"]).catalog), ["one", "two"]);
}

#[test]
fn a_mode_shows_some_categories_by_their_names() {
    let project = Project::new();
    skill(&project, "email/b", "name: b\ndescription: Reads.");
    skill(&project, "email/deep/a", "name: a\ndescription: Writes.");
    skill(&project, "tools/c", "name: c\ndescription: Saws.");
    let shown = |settings: &[&str]| index(&view(&project, settings));
    let demoted = "  email [names only]: b\n  email/deep [names only]: a\n  tools:\n    - c: Saws.\n";
    assert_eq!(shown(&["agent.coding_context=focus"]), demoted);
    assert_eq!(shown(&["compact_categories=[\"email\"]"]), demoted);
    assert!(shown(&["agent.coding_context=auto"]).starts_with("  email:\n    - b: Reads.\n"));
}

#[test]
fn an_index_is_for_models_that_can_load() {
    let project = Project::new();
    skill(&project, "a", "name: a");
    let mut host = host(&project, &[]);
    host.tools = Some(vec!["terminal".to_owned()]);
    assert_eq!(session("hermes", &host).view().text(), "");
    host.tools = Some(vec!["terminal".to_owned(), "skill_view".to_owned()]);
    assert!(session("hermes", &host).view().text().contains("    - a\n"));
}

#[test]
fn settings_that_cannot_be_used_are_told() {
    let project = Project::new();
    skill(&project, "a", "name: a");
    let ignored = |settings: &[&str]| {
        let view = view(&project, settings);
        assert_eq!(names(&view.catalog), ["a"]);
        view.diagnostics.iter().filter(|diagnostic| diagnostic.code == Code::ConfigIgnored).count()
    };
    assert_eq!(ignored(&["skills.disabled=5"]), 1);
    assert_eq!(ignored(&[]), 0);
    project.file("home/.hermes/config.yaml", "{]\n");
    assert_eq!(ignored(&[]), 1, "the program goes on without its file");
}

/// The program has its folder elsewhere where a variable says so.
#[test]
fn the_folder_can_be_moved() {
    let project = Project::new();
    skill(&project, "a", "name: not-here");
    project.file("hh/skills/SKILL.md", "---\ndescription: In the root.\n---\n");
    let mut host = host(&project, &[]);
    host.variables.insert("HERMES_HOME".to_owned(), project.path("hh").to_string_lossy().into_owned());
    assert_eq!(index(&session("hermes", &host).view()), "  general:\n    - skills: In the root.\n");
}
