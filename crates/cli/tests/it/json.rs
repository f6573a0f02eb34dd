//! The JSON shapes of docs/json.md.

use lorimer_testkit::Project;
use serde_json::Value;

use crate::{lorimer, stdout, telling};

fn json(project: &Project, arguments: &[&str]) -> Value {
    let output = lorimer(project, arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// S3-52: every skill that was found stands somewhere, every refused file has a diagnostic.
#[test]
fn s3_52_list_accounts_for_everything() {
    let project = telling();
    let list = json(&project, &["list", "--json", "--as", "codex", "--window", "12000"]);
    assert_eq!(
        keys(&list),
        [
            "version",
            "profile",
            "budget",
            "entries",
            "roots",
            "omitted",
            "hidden",
            "diagnostics",
            "notices",
            "tokens",
            "text"
        ]
    );
    assert_eq!(keys(&list["budget"]), ["unit", "measure", "limit", "spent"]);
    assert_eq!((&list["budget"]["unit"], &list["budget"]["limit"]), (&"tokens".into(), &240.into()));
    let entry = &list["entries"][0];
    assert_eq!(keys(entry), ["name", "description", "locator", "scope", "disposition", "chars_cut", "cost"]);
    let count = |key: &str| list[key].as_array().expect("a list").len();
    assert_eq!(count("entries") + count("omitted") + count("hidden"), 6);
    for entry in list["entries"].as_array().unwrap() {
        let line = match entry["description"].as_str().unwrap() {
            "" => format!(
                "- {}: (file: {})",
                entry["name"].as_str().unwrap(),
                entry["locator"].as_str().unwrap()
            ),
            description => format!(
                "- {}: {description} (file: {})",
                entry["name"].as_str().unwrap(),
                entry["locator"].as_str().unwrap()
            ),
        };
        assert!(list["text"].as_str().unwrap().contains(&line), "{line} is exactly what is shown");
    }
    let broken = list["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .find(|found| found["path"].as_str().is_some_and(|path| path.ends_with("broken/SKILL.md")));
    let broken = broken.expect("a refused file has a diagnostic");
    assert_eq!(keys(broken), ["code", "severity", "path", "line", "column", "message", "help"]);
    assert!(broken["line"].as_u64().unwrap() >= 3, "the line is one of the file: {broken}");
}

#[test]
fn turn_says_what_became_of_everything() {
    let project = telling();
    let mine = project.path("home/.agents/skills/release/SKILL.md");
    let select = format!("release={}", mine.display());
    let turn = json(
        &project,
        &["turn", "--json", "--as", "codex", "--input", "use $brew-tea and $nobody", "--select", &select],
    );
    assert_eq!(
        keys(&turn),
        [
            "version",
            "profile",
            "turn",
            "catalog",
            "items",
            "selected",
            "unresolved",
            "questions",
            "diagnostics",
            "notices",
            "events",
            "funnel"
        ]
    );
    let items: Vec<(&str, &str)> = turn["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["role"].as_str().unwrap(), item["kind"].as_str().unwrap()))
        .collect();
    let body = ("user", "skills.selected_skill_instructions");
    assert_eq!(items, [("developer", "skills.catalog"), body, body]);
    let selected: Vec<(&str, &str)> = turn["selected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|selected| (selected["name"].as_str().unwrap(), selected["how"].as_str().unwrap()))
        .collect();
    assert_eq!(selected, [("release", "structured"), ("brew-tea", "mention")]);
    assert_eq!(turn["unresolved"][0]["mention"], "$nobody");
    assert_eq!(turn["unresolved"][0]["reason"], "unknown");
    assert!(turn["events"].as_array().unwrap().iter().any(|event| event["event"] == "skill.injected"));
    assert_eq!(turn["funnel"]["loaded"], 2);
}

#[test]
fn a_session_goes_on_from_its_journal() {
    let project = telling();
    let journal = project.path("journal");
    let journal = journal.to_str().unwrap();
    let turn = |input: &str| json(&project, &["turn", "--json", "--input", input, "--journal", journal]);
    assert_eq!(turn("use $brew-tea")["catalog"], "sent");
    let second = turn("go on");
    assert_eq!((&second["turn"], &second["catalog"]), (&2.into(), &"unchanged".into()));
    assert_eq!(second["items"], Value::Array(Vec::new()));
}

#[test]
fn check_and_load_and_explain() {
    let project = telling();
    let check = json(&project, &["check", "--json"]);
    assert_eq!((&check["skills"], &check["complete"]), (&6.into(), &true.into()));
    assert!(check["errors"].as_u64().unwrap() >= 1);
    let load = json(&project, &["load", "brew-tea", "--json"]);
    assert_eq!((&load["state"], &load["item"]["role"]), (&"cleared".into(), &"tool".into()));
    let load = json(&project, &["load", "nobody", "--json", "--as", "harnessx"]);
    assert_eq!(load["state"], "error");
    assert_eq!(load["item"]["role"], "tool");
    let codes = crate::bare().args(["explain", "--json"]).output().unwrap();
    let codes: Value = serde_json::from_slice(&codes.stdout).unwrap();
    assert!(codes.as_array().unwrap().len() > 30);
}

/// Two processes that continue one session at once do so one after the other.
#[test]
fn a_session_takes_turns_of_several_processes_one_by_one() {
    let project = telling();
    let journal = project.path("journal");
    let run = || {
        let project = &project;
        let journal = journal.to_str().unwrap();
        json(project, &["turn", "--json", "--input", "hello", "--journal", journal])["turn"].as_u64().unwrap()
    };
    let mut turns: Vec<u64> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..6).map(|_| scope.spawn(run)).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    turns.sort_unstable();
    assert_eq!(turns, [1, 2, 3, 4, 5, 6]);
}

/// What people type for a selection: relative paths, folders, `..`, `file:` addresses.
#[test]
fn selections_are_understood_as_people_type_them() {
    let project = telling();
    let absolute = project.path("project/.agents/skills/brew-tea/SKILL.md");
    for typed in [
        ".agents/skills/brew-tea/SKILL.md".to_owned(),
        ".agents/skills/brew-tea".to_owned(),
        "../project/.agents/skills/brew-tea/SKILL.md".to_owned(),
        format!("file://{}", absolute.display()),
        format!("host#path:{}", absolute.display()),
    ] {
        let turn = json(&project, &["turn", "--json", "--select", &format!("tea={typed}")]);
        assert_eq!(turn["selected"][0]["name"], "brew-tea", "{typed}: {}", turn["unresolved"]);
    }
}
