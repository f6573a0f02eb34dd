//! `lorimer compare`: skills by harnesses.

use std::process::Output;

use lorimer_testkit::{Project, snapshot_settings};
use serde_json::Value;

use crate::{bare, everything, lorimer, stderr, stdout};

fn snapshot(name: &str, project: &Project, text: &str) {
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn json(project: &Project, arguments: &[&str]) -> Value {
    let output = lorimer(project, arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

const THREE: [&str; 2] = ["--as", "native,codex,harnessx"];

/// A project in which every standing occurs.
fn everything_at_once() -> Project {
    let project = Project::new();
    let skill = |path: &str, name: &str, description: &str| {
        let text = format!("---\nname: {name}\ndescription: {description}\n---\nBody.\n");
        project.file(&format!("{path}/SKILL.md"), text);
    };
    skill("project/.agents/skills/brew-tea", "brew-tea", "Brews a pot of tea.");
    skill("project/.agents/skills/wordy", "wordy", &"Explains at length. ".repeat(30));
    skill("project/.agents/skills/deploy", "deploy", "Puts a build into production.");
    project.file(
        "project/.agents/skills/deploy/agents/openai.yaml",
        "policy:\n  allow_implicit_invocation: false\n",
    );
    skill("project/.agents/skills/release", "release", "Cuts a release.");
    skill("project/inner/.agents/skills/release", "release", "Cuts a release of the inner part.");
    skill("home/.agents/skills/tea-names", "茶の名前", "お茶の名前を説明します。");
    skill("home/.agents/skills/zither", "zither", "Tunes a zither, string by string.");
    project.file("project/.agents/skills/bare/SKILL.md", "No frontmatter.\n");
    project
}

/// Runs the command in a folder of the project's own.
fn within(project: &Project, columns: usize, arguments: &[&str]) -> Output {
    let mut command = bare();
    command.env("COLUMNS", columns.to_string()).arg("compare").args(arguments).arg("--no-cache");
    command.arg("--cwd").arg(project.path("project/inner")).arg("--home").arg(project.path("home"));
    command.arg("--system-root").arg(project.path("etc")).output().unwrap()
}

const TIGHT: [&str; 4] =
    ["--config", "codex:skills.max_context_tokens=60", "--config", "native:skills.max_context_tokens=150"];

/// S0-01, S0-12, S0-15: every standing has its symbol and its count, and each harness its load.
#[test]
fn s0_01_s0_12_s0_15_the_matrix_shows_every_standing() {
    let project = everything_at_once();
    let arguments = [&THREE[..], &TIGHT].concat();
    snapshot("compare_wide", &project, &everything(&within(&project, 110, &arguments)));
    snapshot("compare_narrow", &project, &everything(&within(&project, 36, &arguments)));
    let problems = [&arguments[..], &["--only", "problems", "--sort", "loss", "--limit", "3"]].concat();
    snapshot("compare_problems", &project, &everything(&within(&project, 110, &problems)));
    let omitted = within(&project, 80, &[&arguments[..], &["--only", "omitted"]].concat());
    assert!(
        stdout(&omitted).contains("茶の名前") && !stdout(&omitted).contains("zither"),
        "{}",
        stdout(&omitted)
    );
    for line in stdout(&within(&project, 60, &arguments)).lines().take_while(|line| !line.is_empty()) {
        assert!(line.chars().count() <= 60 || line.starts_with("    /"), "{line}");
    }
}

/// S0-17: other windows, and parts of the skills up to what was found.
#[test]
fn s0_17_windows_and_growth_are_tables() {
    let project = Project::new();
    for number in 0..110 {
        project.skill(&format!("skill-{number:03}"), &"Does something useful. ".repeat(6), "");
    }
    let arguments = [
        &["compare", "--window", "64000", "--limit", "2", "--windows", "8000,64000,unknown", "--grow"],
        &THREE[..],
    ]
    .concat();
    snapshot("compare_steps", &project, &everything(&lorimer(&project, &arguments)));
    let some = lorimer(
        &project,
        &[&["compare", "--json", "--grow", "5,100", "--windows", "1000000"], &THREE[..]].concat(),
    );
    let report: Value = serde_json::from_slice(&some.stdout).unwrap();
    let sizes: Vec<u64> = report["growth"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["skills"].as_u64().unwrap())
        .collect();
    assert_eq!(sizes, [5, 100, 110]);
    assert_eq!(report["growth"]["steps"][1]["audit"], true);
    assert_eq!(report["windows"][0]["harnesses"]["codex"]["whole"], 110);
}

/// S0-02: the shape of docs/json.md, and every harness says what its own list says.
#[test]
fn s0_02_the_report_has_one_cell_for_each_skill_and_harness() {
    let project = everything_at_once();
    let report = json(&project, &["compare", "--json", "--window", "12000"]);
    assert_eq!(keys(&report), ["version", "window", "audit_at", "harnesses", "skills"]);
    let skills = report["skills"].as_array().unwrap();
    assert_eq!(keys(&skills[0]), ["skill", "name", "locator", "description_chars", "cells"]);
    for harness in report["harnesses"].as_array().unwrap() {
        assert_eq!(
            keys(harness),
            [
                "profile",
                "program",
                "error",
                "complete",
                "found",
                "visible",
                "whole",
                "shortened",
                "name_only",
                "omitted",
                "hidden",
                "shadowed",
                "rejected",
                "absent",
                "audit",
                "budget",
                "chars_lost",
                "estimated_tokens",
                "bytes",
                "notices"
            ]
        );
        let profile = harness["profile"].as_str().unwrap();
        let cells: Vec<&Value> = skills.iter().map(|skill| &skill["cells"][profile]).collect();
        assert!(cells.iter().all(|cell| keys(cell) == ["disposition", "chars_cut", "reason"]));
        let count = |key: &str| harness[key].as_u64().unwrap();
        for (key, word) in
            [("whole", "whole"), ("name_only", "name-only"), ("omitted", "omitted"), ("absent", "absent")]
        {
            let of = cells.iter().filter(|cell| cell["disposition"] == word).count();
            assert_eq!(count(key), u64::try_from(of).unwrap(), "{profile} {key}");
        }
        let list = json(&project, &["list", "--json", "--as", profile, "--window", "12000"]);
        let length = |key: &str| u64::try_from(list[key].as_array().unwrap().len()).unwrap();
        assert_eq!((count("visible"), count("omitted")), (length("entries"), length("omitted")));
        let by_rule = |cell: &&&Value| cell["disposition"] == "hidden" || cell["reason"] == "shadowed";
        assert_eq!(
            u64::try_from(cells.iter().filter(by_rule).count()).unwrap(),
            length("hidden"),
            "{profile}"
        );
        assert_eq!(harness["budget"], list["budget"]);
        assert_eq!(harness["notices"], list["notices"]);
        assert_eq!(count("bytes"), u64::try_from(list["text"].as_str().unwrap().len()).unwrap());
    }
}

#[test]
fn what_cannot_be_asked_is_told() {
    let project = everything_at_once();
    let code = |arguments: &[&str]| lorimer(&project, arguments).status.code();
    assert_eq!(code(&["compare", "--as", "native,nobody"]), Some(2));
    assert_eq!(code(&["compare", "--as", ","]), Some(2));
    assert_eq!(code(&["compare", "--only", "nonsense"]), Some(2));
    assert_eq!(code(&["compare", "--json", "--limit", "3"]), Some(2));
    assert_eq!(code(&["compare", "--html", "no/such/folder/page.html"]), Some(3));
    let wrong = "codex:skills.max_context_tokens=none";
    assert_eq!(code(&["compare", "--as", "codex", "--config", wrong]), Some(2), "nobody is left");
    let output = lorimer(&project, &[&["compare", "--config", wrong], &THREE[..]].concat());
    assert_eq!(output.status.code(), Some(0), "the others answer");
    assert!(
        stdout(&output).contains("  codex  settings: `skills.max_context_tokens`"),
        "{}",
        stdout(&output)
    );
}

/// A page of a project with hostile skills.
fn hostile_page(project: &Project) -> String {
    let hostile = "'</script><script>alert(1)</script> <img src=x onerror=alert(2)> \"q\" ''s'' &amp; \u{202e}gnp <!-- ]]> {{ x }}'";
    let text = |name: &str| format!("---\nname: {name}\ndescription: {hostile}\n---\n");
    project.file("project/.agents/skills/evil/SKILL.md", text("'\"><script>alert(3)</script>'"));
    project.file("project/.agents/skills/rtl/SKILL.md", text("'a\u{202e}b\u{200b}'"));
    project.skill("wordy", &"Explains <b>at length</b>. ".repeat(30), "");
    let page = project.path("page.html");
    let arguments = ["compare", "--html", page.to_str().unwrap(), "--window", "12000", "--grow=1,2"];
    let output = lorimer(project, &[&arguments, &THREE[..]].concat());
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()), "{}", stderr(&output));
    std::fs::read_to_string(page).unwrap()
}

#[test]
fn a_page_escapes_what_skills_say() {
    let project = everything_at_once();
    let page = hostile_page(&project);
    assert_eq!(page.matches("<script").count(), 1, "our own");
    assert_eq!(page.matches("</script").count(), 1);
    assert!(!page.contains("<img") && !page.contains("<b>") && !page.contains("<!--"));
    let hidden = page.chars().filter(|character| matches!(character, '\u{202a}'..='\u{202e}' | '\u{200b}'));
    assert_eq!(hidden.count(), 0);
    assert!(page.contains("a&#60;U+202E&#62;b&#60;U+200B&#62;"), "what cannot be seen is shown");
    assert!(page.contains("<del>"), "what is cut is marked");
}

/// The page is whole in itself, and its elements and ids are in order.
#[test]
fn a_page_is_well_formed_and_asks_nobody() {
    let project = everything_at_once();
    let page = hostile_page(&project);
    let lower = page.to_lowercase();
    for outside in ["http:", "https:", "//www", "url(", "@import", "<link", "<iframe", " src="] {
        let found = lower.match_indices(outside).map(|(at, _)| &page[at..(at + 40).min(page.len())]);
        // The hostile text has one, escaped.
        let found: Vec<&str> = found.filter(|text| !text.starts_with(" src=x onerror")).collect();
        assert!(found.is_empty(), "{outside}: {found:?}");
    }
    let tags = tags(&page);
    let mut open: Vec<&str> = Vec::new();
    for tag in &tags {
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !tag.ends_with('/') && !tag.starts_with('!') {
            open.push(tag.split_whitespace().next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let attribute = |tag: &str, name: &str| {
        let value = tag.split_once(&format!(" {name}=\""))?.1;
        Some(value.split('"').next()?.to_owned())
    };
    let mut ids: Vec<String> = tags.iter().filter_map(|tag| attribute(tag, "id")).collect();
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "ids are unique");
    for name in ["href", "for", "aria-labelledby"] {
        let references = tags.iter().filter_map(|tag| attribute(tag, name));
        for reference in references.flat_map(|text| text.split(' ').map(str::to_owned).collect::<Vec<_>>()) {
            assert!(ids.iter().any(|id| id == reference.trim_start_matches('#')), "{name}={reference}");
        }
    }
    assert_eq!(tags.iter().filter(|tag| tag.contains("aria-sort=")).count(), 4, "each column can be sorted");
}

/// Returns what stands between `<` and `>`, without what belongs to a style sheet or a script.
fn tags(page: &str) -> Vec<&str> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some((_, behind)) = rest.split_once('<') {
        let (tag, behind) = behind.split_once('>').expect("a tag ends");
        tags.push(tag);
        rest = behind;
        for raw in ["style", "script"] {
            if tag == raw {
                rest = &rest[rest.find(&format!("</{raw}>")).expect("it ends")..];
            }
        }
    }
    tags
}
