//! `lorimer overlap` and `lorimer add-review`: what a person reads, what a program reads, exit codes.

use lorimer_testkit::{Project, snapshot_settings};
use serde_json::Value;

use crate::{everything, lorimer, stdout};

fn snapshot(name: &str, project: &Project, text: &str) {
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn json(project: &Project, arguments: &[&str]) -> Value {
    let output = lorimer(project, arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

const TABLES: &str = "# Tables\n\nOpen the invoice and look for ruled lines. Where a page has none, fall back to the \
     distance between columns. Write one sheet for each table, with the page number in its name.\n";

/// A copy, a near copy, a paraphrase, template siblings and a skill of its own.
fn crowded() -> Project {
    let project = Project::new();
    project.skill("pdf-tables", "Extracts tables from PDF invoices into spreadsheets.", TABLES);
    project.file(
        "home/.agents/skills/pdf-tables/SKILL.md",
        format!(
            "---\nname: pdf-tables\ndescription: Extracts tables from PDF invoices into spreadsheets, receipts too.\n\
             ---\n{TABLES}\n## Scans\n\nRun ocrmypdf over scanned pages first.\n"
        ),
    );
    project.file("home/.agents/skills/pdf-tables/scripts/ocr.sh", "ocrmypdf \"$1\" \"$2\"\n");
    project.skill(
        "bill-reader",
        "Extract the tables of PDF invoices into a spreadsheet.",
        "Copy every grid.\n",
    );
    for product in ["Slack", "Discord"] {
        project.skill(
            &format!("{}-automation", product.to_lowercase()),
            &format!(
                "Automate {product} tasks through the toolbox server. Search tools first for current schemas."
            ),
            "Search, then call.\n",
        );
    }
    let tea = "---\nname: brew-tea\ndescription: Brews a pot of tea.\n---\nWarm the pot.\n";
    project.file("project/.agents/skills/brew-tea/SKILL.md", tea);
    project.file("home/.agents/skills/brew-tea/SKILL.md", tea);
    project
}

/// S0-16: what is alike, why, which to keep and what would be lost.
#[test]
fn s0_16_overlap_as_a_person_reads_it() {
    let project = crowded();
    snapshot("overlap", &project, &everything(&lorimer(&project, &["overlap"])));
    let copies = lorimer(&project, &["overlap", "--min", "copy"]);
    snapshot("overlap_copies", &project, &everything(&copies));
}

#[test]
fn nothing_alike_is_fine_and_no_skill_is_told() {
    let project = Project::new();
    project.skill("brew-tea", "Brews a pot of tea.", "Warm the pot.\n");
    project.skill("deploy", "Puts a build into production.", "Careful.\n");
    let output = lorimer(&project, &["overlap"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), "native: 2 skills, 0 of which a model may confuse with another; 0 groups\n");
    let empty = Project::new();
    let output = lorimer(&empty, &["overlap"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(crate::stderr(&output).contains("no skill was found"));
    let output = lorimer(&project, &["overlap", "--min", "twins"]);
    assert_eq!(output.status.code(), Some(2));
    let output = lorimer(&project, &["overlap", "nowhere"]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn folders_that_are_named_stand_in_place_of_the_harnesss_own() {
    let project = crowded();
    let folder = project.path("home/.agents/skills");
    let found = json(&project, &["overlap", "--json", folder.to_str().unwrap()]);
    assert_eq!((&found["skills"], &found["confusable"]), (&2.into(), &0.into()));
}

/// S0-17: from a hundred skills on an audit is advised, and nothing fails for it.
#[test]
fn s0_17_a_hundred_skills_are_a_checkpoint_and_no_error() {
    let project = Project::new();
    for number in 0..99 {
        let letters: String =
            format!("{number:02}").chars().map(|digit| ((digit as u8) + 50) as char).collect();
        project.skill(&format!("{letters}ron"), &format!("Does {letters}ron and q{letters}ux."), "");
    }
    let advice = |project: &Project| {
        let output = lorimer(project, &["overlap"]);
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        crate::stderr(&output).contains("advice")
    };
    assert!(!advice(&project));
    project.skill("brew-tea", "Brews a pot of tea.", "");
    assert!(advice(&project));
    let found = json(&project, &["overlap", "--json"]);
    assert_eq!(found["checkpoint"], serde_json::json!({"from": 100, "reached": true}));
}

/// S0-15: how many candidates there are to choose between is in the report.
#[test]
fn s0_15_overlap_as_a_program_reads_it() {
    let project = crowded();
    let found = json(&project, &["overlap", "--json"]);
    assert_eq!(
        keys(&found),
        [
            "version",
            "profile",
            "skills",
            "min",
            "confusable",
            "checkpoint",
            "groups",
            "pairs",
            "apart",
            "diagnostics"
        ]
    );
    assert_eq!((&found["skills"], &found["confusable"]), (&7.into(), &5.into()));
    let group = &found["groups"][0];
    assert_eq!(keys(group), ["level", "keep", "why", "others"]);
    assert_eq!(keys(&group["keep"]), ["skill", "name", "locator"]);
    let other = &group["others"][0];
    assert_eq!(keys(other), ["skill", "name", "locator", "alike", "lost"]);
    assert_eq!(keys(&other["lost"]), ["words", "sections", "sentences", "files"]);
    let pair = ["level", "left", "right", "body", "contained", "description", "name"];
    let words = ["shared", "left_only", "right_only"];
    assert_eq!(keys(&other["alike"]), [&pair[..], &words].concat());
    let apart = &found["apart"][0];
    assert_eq!(keys(apart), [&pair[1..], &words, &["subjects"]].concat());
    let mut subjects: Vec<&str> =
        apart["subjects"].as_array().unwrap().iter().map(|subject| subject[0].as_str().unwrap()).collect();
    subjects.sort_unstable();
    assert_eq!(subjects, ["discord", "slack"]);
}

/// S0-18: a new skill beside those that are installed; nothing is written.
#[test]
fn s0_18_add_review_as_a_person_reads_it() {
    let project = crowded();
    let new = |name: &str, text: &str| {
        project.file(&format!("downloads/{name}/SKILL.md"), text);
        project.path(&format!("downloads/{name}")).to_str().unwrap().to_owned()
    };
    let review =
        |path: &str, more: &[&str]| everything(&lorimer(&project, &[&["add-review", path], more].concat()));
    let paraphrase = new(
        "table-puller",
        "---\nname: table-puller\ndescription: Extracts PDF invoice tables into spreadsheets, also from scans.\n---\n\
         ## Rotated pages\n\nTurn a page upright before you look for its grid.\n",
    );
    snapshot("add_review_compare", &project, &review(&paraphrase, &[]));
    let taken =
        new("deploy", "---\nname: deploy\ndescription: Puts a build into production.\n---\nCareful.\n");
    snapshot("add_review_take", &project, &review(&taken, &[]));
    let clash = new("bill-reader", "---\nname: bill-reader\ndescription: Recites poems.\n---\nLoudly.\n");
    snapshot("add_review_clash", &project, &review(&clash, &["--as", "codex"]));
    let copy = new("brew-tea", "---\nname: brew-tea\ndescription: Brews a pot of tea.\n---\nWarm the pot.\n");
    let text = review(&copy, &[]);
    assert!(text.starts_with("exit 1\n--- stdout\ndo not take brew-tea: it is a copy of "), "{text}");
    let own = project.path("project/.agents/skills/deploy");
    assert!(!own.exists(), "nothing is installed");
    let installed = project.path("project/.agents/skills/brew-tea/SKILL.md");
    let text = review(installed.to_str().unwrap(), &[]);
    assert!(text.contains("do not take brew-tea: it is installed already"), "{text}");
}

#[test]
fn add_review_tells_whom_the_new_one_displaces() {
    let project = Project::new();
    project.skill("alpha", &"Explains the alphabet at length. ".repeat(8), "");
    let path = project.path("downloads/deploy");
    project.file(
        "downloads/deploy/SKILL.md",
        format!(
            "---\nname: deploy\ndescription: {}\n---\nBody.\n",
            "Puts a build into production. ".repeat(8)
        ),
    );
    let arguments = ["add-review", path.to_str().unwrap(), "--as", "codex", "--window", "4000"];
    snapshot("add_review_displaced", &project, &everything(&lorimer(&project, &arguments)));
}

#[test]
fn add_review_of_what_is_no_skill() {
    let project = crowded();
    assert_eq!(lorimer(&project, &["add-review", "nowhere"]).status.code(), Some(3));
    project.file("downloads/broken/SKILL.md", "---\nname: broken\ndescription: \"open\n---\n");
    let path = project.path("downloads/broken");
    let output = lorimer(&project, &["add-review", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stdout(&output).starts_with("do not take it: no skill can be read there\n"),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).contains("error["), "{}", stdout(&output));
}

#[test]
fn add_review_as_a_program_reads_it_of_an_archive() {
    use std::io::Write as _;
    let project = crowded();
    let path = project.path("pack.zip");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    archive.start_file("tables/SKILL.md", zip::write::SimpleFileOptions::default()).unwrap();
    let text = "---\nname: tables\ndescription: Extracts PDF invoice tables into spreadsheets.\n---\nCopy.\n";
    archive.write_all(text.as_bytes()).unwrap();
    archive.finish().unwrap();
    let found = json(&project, &["add-review", path.to_str().unwrap(), "--json"]);
    assert_eq!(keys(&found), ["version", "profile", "installed", "skills", "listing", "diagnostics"]);
    let review = &found["skills"][0];
    assert_eq!(
        keys(review),
        ["skill", "name", "locator", "advice", "because", "level", "nearest", "gains", "clashes"]
    );
    assert_eq!(review["advice"], "compare");
    assert_eq!(review["nearest"][0]["left"]["name"], "tables");
    assert_eq!(keys(&found["listing"]), ["unit", "limit", "before", "after", "displaced", "not_whole"]);
    assert!(found["listing"]["after"].as_u64() > found["listing"]["before"].as_u64());
}
