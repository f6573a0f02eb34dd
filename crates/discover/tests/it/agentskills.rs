//! The verdict of the standard's reference validator, row by row.
//!
//! `fixtures/agentskills.json` holds what skills-ref 0.1.1 was seen to say about each file (behind `Invalid YAML` it
//! quotes its YAML library, so that part is left out), and what our lenient reading makes of it. `why` says why the
//! two part where they do.

use lorimer_core::{Code, Locator};
use lorimer_discover::agentskills::{Problem, judge, validate};
use lorimer_discover::lint::{Subject, lint};
use serde::Deserialize;

use crate::support::{Folder, lenient};

#[derive(Deserialize)]
struct Row {
    #[serde(rename = "row")]
    id: String,
    folder: String,
    file: String,
    reference: Vec<String>,
    ours: Ours,
    why: Option<String>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Ours {
    accepted: bool,
    name: Option<String>,
    description: Option<String>,
    codes: Vec<String>,
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> =
        serde_json::from_str(include_str!("../fixtures/agentskills.json")).expect("the fixture is JSON");
    for row in &mut rows {
        let ours = &mut row.ours;
        let texts =
            [Some(&mut row.folder), Some(&mut row.file), ours.name.as_mut(), ours.description.as_mut()];
        texts.into_iter().flatten().chain(&mut row.reference).for_each(expand);
    }
    rows
}

/// Writes out `<<x*1024>>`.
fn expand(text: &mut String) {
    while let Some((before, rest)) = text.clone().split_once("<<") {
        let Some((what, behind)) = rest.split_once(">>") else { return };
        let Some((unit, times)) = what.split_once('*') else { return };
        *text = format!("{before}{}{behind}", unit.repeat(times.parse().expect("a number")));
    }
}

fn messages(problems: &[Problem]) -> Vec<String> {
    let short = |problem: &Problem| match problem {
        Problem::InvalidYaml(_) => "Invalid YAML in frontmatter".to_owned(),
        problem => problem.to_string(),
    };
    problems.iter().map(short).collect()
}

/// S3-51: names, descriptions and YAML that are missing, bad or too long.
#[test]
fn s3_51_every_row_gets_the_verdict_of_the_reference() {
    let rows = rows();
    assert!(rows.len() > 100);
    for row in rows {
        let problems = judge(row.file.as_bytes(), &row.folder);
        assert_eq!(messages(&problems), row.reference, "{}", row.id);
    }
}

/// S3-51: our own reading of the same rows, and a reason wherever it takes what the reference does not, or the other
/// way round.
#[test]
fn s3_51_every_row_is_read_leniently_for_a_reason() {
    for row in rows() {
        let outcome = lenient(&row.file);
        let ours = Ours {
            accepted: outcome.is_accepted(),
            name: outcome.name.clone(),
            description: outcome.description.clone(),
            codes: outcome.findings.iter().map(|finding| finding.code.to_string()).collect(),
        };
        assert_eq!(ours, row.ours, "{}", row.id);
        if ours.accepted != row.reference.is_empty() {
            assert!(row.why.is_some(), "{}: no reason", row.id);
        }
    }
}

/// Whatever the reference says about a skill that we load, a check says in one way or another, except that harnesses
/// have fields of their own and more of YAML.
#[test]
fn what_the_reference_refuses_and_we_load_is_told_by_the_check() {
    let folder = Folder::new();
    for row in rows() {
        let told_by_reading = !row.ours.codes.is_empty();
        let own = row
            .reference
            .iter()
            .all(|message| message.starts_with("Unexpected fields") || message.starts_with("Invalid YAML"));
        if !row.ours.accepted || told_by_reading || own || row.folder.contains(':') {
            continue;
        }
        let locator = Locator::Path(folder.path("SKILL.md"));
        let subject =
            Subject { locator: &locator, file: row.file.as_bytes(), folder: None, folder_name: &row.folder };
        let outcome = lint(&subject);
        assert!(!outcome.diagnostics.is_empty(), "{}: {:?}", row.id, row.reference);
    }
}

/// Rows A8, A11 to A14, A21, A22 and B47.
#[test]
fn the_file_is_found_as_the_reference_finds_it() {
    let text = "---\nname: s\ndescription: A test skill\n---\nBody\n";
    let folder = Folder::new();
    let verdict = |path: &str| messages(&validate(&folder.path(path)).problems);
    assert_eq!(verdict("gone"), [format!("Path does not exist: {}", folder.path("gone").display())]);
    folder.write("file", text);
    assert_eq!(verdict("file"), [format!("Not a directory: {}", folder.path("file").display())]);
    folder.directory("empty");
    assert_eq!(verdict("empty"), ["Missing required file: SKILL.md"]);
    folder.write("low/s/skill.md", text);
    assert_eq!(verdict("low/s"), <[&str; 0]>::default());
    folder.write("both/s/SKILL.md", text);
    if !folder.path("both/s/skill.md").exists() {
        folder.write("both/s/skill.md", "nothing");
        assert_eq!(verdict("both/s"), <[&str; 0]>::default(), "the upper-case one counts");
        folder.write("mixed/s/Skill.md", text);
        assert_eq!(verdict("mixed/s"), ["Missing required file: SKILL.md"]);
    }
}

/// Rows B48 and B49: the reference breaks off, so there is no verdict to repeat.
#[test]
fn what_the_reference_breaks_off_at_is_refused() {
    assert_eq!(
        messages(&judge(b"---\nname: s\ndescription: caf\xe9\n---\n", "s")),
        ["SKILL.md cannot be read: byte 28 is not UTF-8"]
    );
    assert_eq!(
        messages(&judge(b"---\nname: s\ndescription: a\0b\n---\n", "s")),
        ["Invalid YAML in frontmatter"]
    );
}

#[test]
fn problems_are_diagnostics_with_a_place() {
    let folder = Folder::new();
    folder.write(
        "s/SKILL.md",
        format!("---\nname: S_\nx: 1\ndescription: {}\ncompatibility:\n  - a\n---\n", "d".repeat(1025)),
    );
    folder.write("n/SKILL.md", "---\ndescription:\n---\n");
    folder.write("y/SKILL.md", "---\nname: [y\n---\n");
    folder.directory("z");
    let told = |path: &str| {
        let path = folder.path(path);
        folder.told(&validate(&path).diagnostics(&path))
    };
    insta::assert_snapshot!("agentskills_diagnostics", ["s", "n", "y", "z"].map(told).join("\n"));
    for code in [Code::StandardName, Code::StandardFieldMissing, Code::StandardFileMissing] {
        assert!(code.as_str().starts_with("agentskills/"), "{code}");
    }
}
