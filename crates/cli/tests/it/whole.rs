//! `lorimer check` on whole skills: rules, fixes, the standard's verdict, paths.

use lorimer_testkit::{Project, snapshot_settings};
use serde_json::Value;

use crate::{bare, everything, lorimer, stdout};

fn snapshot(name: &str, project: &Project, text: &str) {
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn json(project: &Project, arguments: &[&str]) -> Value {
    let output = lorimer(project, arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
}

/// A project with something of every rule.
fn careless() -> Project {
    let project = Project::new();
    let skill = |folder: &str, text: &str| {
        project.file(&format!("project/.agents/skills/{folder}/SKILL.md"), text);
    };
    skill("thé", "---\nname: thé\ndescription: Brews tea.\n---\nPour.\n");
    skill("brew", "---\nname: Brew_Tea\ndescription: Brews # tea\n---\nPour\u{200b} it.\n");
    skill(
        "dead",
        "---\nname: dead\ndescription: Nobody can.\ndisable-model-invocation: true\nuser-invocable: false\n\
         paths: '*.md'\nallowed_tools: Read\nmetadata:\n  a:\n    b: c\ncompatibility: ''\n---\n",
    );
    skill("long", &format!("---\nname: long\ndescription: Goes on.\n---\n{}", "More.\n".repeat(600)));
    skill(
        "lost",
        "---\nname: lost\ndescription: Names what is not there.\n---\nSee [guide](references/guide.md) and \
         [next](../brew/SKILL.md).\nRun `/Users/carla/bin/x`.\n",
    );
    project.file(
        "project/.agents/skills/lost/agents/openai.yaml",
        "policy:\n  allow_implicit_invocation: false\n",
    );
    std::fs::create_dir(project.path("project/.agents/skills/lost/assets")).unwrap();
    skill("wordy", &format!("---\nname: wordy\ndescription: {}\n---\nPour.\n", "x".repeat(1025)));
    project
}

/// A project in which everything that is odd can be put right.
fn fixable() -> Project {
    let project = Project::new();
    let skill = |path: &str, text: &str| {
        project.file(&format!("project/.agents/skills/{path}"), text);
    };
    skill("blanks/SKILL.md", "--- \nname: blanks\ndescription: Has blanks.\n---\nPour.\n");
    skill("case/skill.md", "---\nname: case\ndescription: In lower case.\n---\nPour.\n");
    skill("colon/SKILL.md", "---\nname: colon\ndescription: Use when: it's late\n---\nPour.\n");
    skill("mark/SKILL.md", "\u{feff}---\nname: mark\ndescription: Has a mark.\n---\nPour.\n");
    project
}

/// S3-52: every warning is distinct, with its place and what to do.
#[test]
fn s3_52_every_rule_is_shown_to_a_person() {
    let project = careless();
    snapshot("whole_rules", &project, &everything(&lorimer(&project, &["check"])));
    snapshot("whole_quiet", &project, &everything(&lorimer(&project, &["check", "--quiet"])));
}

#[test]
fn fixes_are_suggested_shown_made_and_made_once() {
    let project = fixable();
    snapshot("whole_suggested", &project, &everything(&lorimer(&project, &["check"])));
    let before = std::fs::read(project.path("project/.agents/skills/colon/SKILL.md")).unwrap();
    snapshot("whole_diff", &project, &everything(&lorimer(&project, &["check", "--diff"])));
    let after = std::fs::read(project.path("project/.agents/skills/colon/SKILL.md")).unwrap();
    assert_eq!(before, after, "a diff writes nothing");
    snapshot("whole_fixed", &project, &everything(&lorimer(&project, &["check", "--fix"])));
    let again = lorimer(&project, &["check", "--fix", "--strict"]);
    assert_eq!(
        (again.status.code(), stdout(&again)),
        (Some(0), "4 skills for native: 0 errors, 0 warnings, 0 notes\n".to_owned())
    );
}

#[test]
fn programs_get_the_fixes_too() {
    let project = fixable();
    let report = json(&project, &["check", "--json", "--diff"]);
    let of = |name: &str| {
        let all = report["diagnostics"].as_array().unwrap();
        all.iter().find(|told| told["path"].as_str().unwrap().contains(name)).unwrap().clone()
    };
    assert_eq!(of("/case/")["fix"]["rename"], "SKILL.md");
    let edit = &of("/colon/")["fix"]["edits"][0];
    assert_eq!(
        (&edit["old"], &edit["new"]),
        (&"Use when: it's late".into(), &"'Use when: it''s late'".into())
    );
    let changes = report["changes"].as_array().unwrap();
    assert!(changes.iter().all(|change| change["state"] == "planned"), "{changes:?}");
    assert_eq!(changes.len(), 4);

    let log = json(&project, &["check", "--format", "sarif"]);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let regions: Vec<&Value> = results
        .iter()
        .filter_map(|result| result.get("fixes"))
        .map(|fixes| &fixes[0]["artifactChanges"][0]["replacements"][0]["deletedRegion"])
        .collect();
    let text = |line: u32, start: u32, end: u32| serde_json::json!({"startLine": line, "startColumn": start, "endColumn": end});
    assert_eq!(
        regions,
        [&text(1, 4, 5), &text(3, 14, 33), &serde_json::json!({"byteOffset": 0, "byteLength": 3})]
    );
}

#[test]
fn what_is_switched_off_is_not_fixed_and_a_link_out_is_left() {
    let project = fixable();
    let off = ["check", "--fix", "--severity", "discover/frontmatter-repaired=off"];
    lorimer(&project, &off);
    let text = std::fs::read_to_string(project.path("project/.agents/skills/colon/SKILL.md")).unwrap();
    assert!(text.contains("Use when: it's late\n"), "{text}");
    assert!(project.path("project/.agents/skills/case/SKILL.md").exists());
}

#[cfg(unix)]
#[test]
fn a_file_outside_of_what_is_checked_is_left_as_it_is() {
    let project = Project::new();
    let text = "---\nname: far\ndescription: Use when: late\n---\nPour.\n";
    project.file("elsewhere/far/SKILL.md", text);
    std::fs::create_dir_all(project.path("home/.agents/skills")).unwrap();
    std::os::unix::fs::symlink(project.path("elsewhere/far"), project.path("home/.agents/skills/far"))
        .unwrap();
    snapshot("whole_left", &project, &everything(&lorimer(&project, &["check", "--fix"])));
    assert_eq!(std::fs::read_to_string(project.path("elsewhere/far/SKILL.md")).unwrap(), text);
}

/// S3-51: the standard's own verdict.
#[test]
fn s3_51_the_verdict_of_the_standard_is_a_ruleset() {
    let project = careless();
    snapshot(
        "whole_agentskills",
        &project,
        &everything(&lorimer(&project, &["check", "--as", "agentskills"])),
    );
    let fine = Project::new();
    fine.skill("tea", "Brews tea.", "Pour.\n");
    assert_eq!(lorimer(&fine, &["check", "--as", "agentskills"]).status.code(), Some(0));
    let list = lorimer(&fine, &["list", "--as", "agentskills"]);
    assert_eq!(list.status.code(), Some(2), "it is no harness");
}

#[test]
fn a_path_is_a_file_a_skill_or_a_folder_of_skills() {
    let project = careless();
    let skills = |path: &str| {
        let path = project.path(path);
        let mut command = bare();
        command.arg("check").arg(&path).arg("--json").arg("--home").arg(project.path("home"));
        let output = command.output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (output.status.code(), report["skills"].as_u64())
    };
    assert_eq!(skills("project/.agents/skills"), (Some(1), Some(6)));
    assert_eq!(skills("project/.agents/skills/dead"), (Some(1), Some(1)));
    assert_eq!(skills("project/.agents/skills/long/SKILL.md"), (Some(0), Some(1)));
    assert_eq!(skills("project/gone"), (Some(3), None));
    let mut command = bare();
    command
        .current_dir(project.path("project/.agents/skills/long"))
        .args(["check", "SKILL.md", "--home", "."]);
    assert_eq!(command.output().unwrap().status.code(), Some(0));
}

#[test]
fn a_diff_has_its_formats_and_excludes_a_fix() {
    let project = fixable();
    for arguments in [&["check", "--diff", "--fix"][..], &["check", "--diff", "--format", "sarif"]] {
        assert_eq!(lorimer(&project, arguments).status.code(), Some(2), "{arguments:?}");
    }
}

/// A file that the profile did not read, because a link leads out of the project to it, is not shown by the verdict of the
/// standard either.
#[cfg(unix)]
#[test]
fn the_verdict_of_the_standard_reads_nothing_that_was_refused() {
    let project = Project::new();
    project.file("elsewhere/private.md", "---\nSECRETKEY: 1\n---\n");
    std::fs::create_dir_all(project.path("project/.agents/skills/far")).unwrap();
    let link = project.path("project/.agents/skills/far/SKILL.md");
    std::os::unix::fs::symlink(project.path("elsewhere/private.md"), link).unwrap();
    for arguments in [&["check", "--as", "agentskills"][..], &["check"]] {
        let told = everything(&lorimer(&project, arguments));
        assert!(!told.contains("SECRETKEY") && told.contains("symlink-escape"), "{told}");
    }
}
