//! `lorimer check`: what a person, a program, a code scanner and a workflow get.

use std::path::Path;

use lorimer_testkit::{Project, snapshot_settings};
use serde_json::Value;

use crate::{everything, lorimer, stderr, stdout, telling};

fn snapshot(name: &str, project: &Project, text: &str) {
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn code(project: &Project, arguments: &[&str]) -> i32 {
    lorimer(project, arguments).status.code().expect("it was not killed")
}

fn json(project: &Project, arguments: &[&str]) -> Value {
    let output = lorimer(project, arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
}

/// A project whose files are hard to show.
fn awkward() -> Project {
    let project = Project::new();
    let skill = |name: &str, text: &str| {
        project.file(&format!("project/.agents/skills/{name}/SKILL.md"), text);
    };
    skill("bom", "\u{feff}---\nname: bom\ndescription: Starts with a mark.\n---\n");
    skill("crlf", "---\r\nname: crlf\r\ndescription: Use when: needed\r\n---\r\n");
    skill("escape", "---\nname: escape\ndescription: \u{1b}[2J\u{1b}[31mRed: alert\n---\n");
    skill("hidden", "---\nname: hidden\ndescription: A \u{202e}reversed\u{202c} word.\n---\n");
    project
        .file("project/.agents/skills/latin/SKILL.md", b"---\nname: latin\ndescription: caf\xe9 noir\n---\n");
    skill(
        "long",
        &format!("---\nname: long\ndescription: {}.\n---\n", "The word is repeated. ".repeat(60).trim()),
    );
    skill("none", "# No frontmatter\n");
    skill("unclosed", "---\nname: unclosed\ndescription: Never closed.\n");
    skill("wide", "---\nname: wide\ndescription: 字字字: 値\n---\n");
    project
}

#[test]
fn findings_are_shown_with_their_line() {
    let project = awkward();
    snapshot("check_awkward", &project, &everything(&lorimer(&project, &["check"])));
}

#[test]
fn colour_is_for_terminals() {
    let project = telling();
    assert!(!stdout(&lorimer(&project, &["check"])).contains('\u{1b}'));
}

#[test]
fn the_order_is_by_path_and_line() {
    let project = awkward();
    let check = json(&project, &["check", "--format", "json"]);
    let places: Vec<(&str, Option<u64>)> = check["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| (found["path"].as_str().unwrap_or_default(), found["line"].as_u64()))
        .collect();
    assert!(places.len() >= 7, "{places:?}");
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(check, json(&project, &["check", "--json"]), "--json is short for --format json");
}

#[test]
fn sarif_has_what_the_standard_requires() {
    let project = awkward();
    project.file("home/.agents/skills/my own/SKILL.md", "no frontmatter\n");
    let log = json(&project, &["check", "--format", "sarif"]);
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().ends_with("sarif-schema-2.1.0.json"));
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "lorimer");
    let rules = driver["rules"].as_array().unwrap();
    assert_eq!(rules.len(), lorimer::core::Code::ALL.len());
    for rule in rules {
        assert!(rule["shortDescription"]["text"].as_str().unwrap().ends_with('.'), "{rule}");
        let level = rule["defaultConfiguration"]["level"].as_str().unwrap();
        assert!(["error", "warning", "note"].contains(&level), "{rule}");
    }
    let root = run["originalUriBaseIds"]["SRCROOT"]["uri"].as_str().unwrap();
    assert!(root.starts_with("file:///") && root.ends_with("/project/"), "{root}");

    let results = run["results"].as_array().unwrap();
    assert!(results.len() >= 8, "{results:?}");
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let physical = &result["locations"][0]["physicalLocation"];
        let artifact = &physical["artifactLocation"];
        let uri = artifact["uri"].as_str().unwrap();
        if artifact["uriBaseId"] == "SRCROOT" {
            assert!(Path::new(&project.path("project")).join(uri).is_file(), "{uri}");
        } else {
            assert!(uri.starts_with("file:///") && uri.ends_with("/my%20own/SKILL.md"), "{uri}");
        }
        if let Some(region) = physical.get("region") {
            assert!(region["startLine"].as_u64().unwrap() >= 1, "{region}");
            assert!(region["startColumn"].as_u64().unwrap() >= 1, "{region}");
        }
    }
    let crlf = results
        .iter()
        .find(|result| result["locations"][0].to_string().contains("crlf"))
        .expect("a finding about it");
    assert_eq!(crlf["ruleId"], "discover/frontmatter-repaired");
    assert_eq!(crlf["level"], "warning");
    let region = &crlf["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&3.into(), &14.into()));
}

#[test]
fn a_workflow_gets_commands_and_the_sum() {
    let project = telling();
    let output = lorimer(&project, &["check", "--format", "github"]);
    snapshot("check_github", &project, &everything(&output));
    assert!(stdout(&output).lines().all(|line| line.starts_with("::")), "nothing else is a command");
}

#[test]
fn the_exit_code_follows_the_severities_that_remain() {
    let project = Project::new();
    project.file(
        "project/.agents/skills/colon/SKILL.md",
        "---\nname: colon\ndescription: Use when: needed\n---\nBody.\n",
    );
    let with = |level: &str| format!("discover/frontmatter-repaired={level}");
    assert_eq!(code(&project, &["check"]), 1, "a warning");
    for (level, strict, expected) in [
        ("error", false, 1),
        ("warning", false, 1),
        ("note", false, 0),
        ("note", true, 1),
        ("off", false, 0),
        ("off", true, 0),
    ] {
        for format in ["human", "json", "sarif", "github"] {
            let option = with(level);
            let mut arguments = vec!["check", "--severity", &option, "--format", format];
            if strict {
                arguments.push("--strict");
            }
            assert_eq!(code(&project, &arguments), expected, "{arguments:?}");
        }
    }
    let check = json(&project, &["check", "--json", "--severity", &with("error")]);
    assert_eq!((&check["errors"], &check["warnings"]), (&1.into(), &0.into()));
    assert_eq!(check["diagnostics"][0]["severity"], "error");
    let check = json(&project, &["check", "--json", "--severity", &with("off")]);
    assert_eq!(check["diagnostics"], Value::Array(Vec::new()));
    assert_eq!(check["skills"], 1, "the skill is there all the same");
}

#[test]
fn wrong_options_end_with_2() {
    let project = telling();
    let mut all = String::new();
    for arguments in [
        &["check", "--severity", "discover/nonsense=off"][..],
        &["check", "--severity", "discover/name-collision"],
        &["check", "--severity", "discover/name-collision=fatal"],
    ] {
        let output = lorimer(&project, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        all = format!("{all}$ lorimer {}\n{}", arguments.join(" "), stderr(&output));
    }
    insta::assert_snapshot!(all, @r"
    $ lorimer check --severity discover/nonsense=off
    error: --severity: `discover/nonsense` is not a diagnostic code
    hint: `lorimer explain` without a code lists all of them
    $ lorimer check --severity discover/name-collision
    error: --severity `discover/name-collision` has no level
    hint: write --severity CODE=error|warning|note|off
    $ lorimer check --severity discover/name-collision=fatal
    error: --severity discover/name-collision: `fatal` is no level
    hint: choose one of: error, warning, note, off
    ");
    for arguments in [
        &["check", "--format", "xml"][..],
        &["check", "--json", "--format", "sarif"],
        &["list", "--format", "json"],
    ] {
        assert_eq!(code(&project, arguments), 2, "{arguments:?}");
    }
}
