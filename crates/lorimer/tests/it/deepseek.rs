//! The DeepSeek profile. Facts: `@deepseek-ai/dsh` 0.1.0-rc.8 as recorded.

use lorimer::core::Code;
use lorimer::report::ListReport;
use lorimer::{Host, profiles};
use lorimer_testkit::Project;

use crate::session;

fn list(host: &Host) -> ListReport {
    ListReport::new("deepseek", &session("deepseek", host).view())
}

fn skill(project: &Project, name: &str, fields: &str) {
    project.file(
        &format!("project/.dsh/skills/{name}/SKILL.md"),
        format!("---\nname: \"{name}\"\n{fields}\n---\nBody.\n"),
    );
}

fn shown(report: &ListReport, name: &str) -> String {
    let entry = report.entries.iter().find(|entry| entry.name == name);
    entry.map_or_else(String::new, |entry| entry.description.clone())
}

/// S0-02, section 2 of the notes: names in UTF-16 order, descriptions on one line, cut at 500 units and then escaped.
#[test]
fn s0_02_descriptions_are_cut_and_then_escaped() {
    let project = Project::new();
    for name in ["a10", "a1", "a", "1a", "10", "a-b"] {
        skill(&project, name, "description: \"  lead\\t\\ttab\\n\\nnew \"");
    }
    skill(&project, "long", &format!("description: {}", "c".repeat(501)));
    skill(&project, "edge", &format!("description: {}", "c".repeat(500)));
    skill(&project, "tags", &format!("description: \"{}\"", "<".repeat(500)));
    skill(&project, "half", &format!("description: {}{}", "c".repeat(496), "🍵".repeat(5)));
    let report = list(&project.host());
    let names: Vec<&str> = report.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["10", "1a", "a", "a-b", "a1", "a10", "edge", "half", "long", "tags"]);
    assert_eq!(shown(&report, "a"), "lead tab new");
    assert_eq!(shown(&report, "long"), format!("{}...", "c".repeat(497)));
    assert_eq!(shown(&report, "edge").len(), 500);
    assert_eq!(shown(&report, "tags"), "&lt;".repeat(500));
    assert_eq!(shown(&report, "half"), format!("{}\u{fffd}...", "c".repeat(496)));
    let cut: Vec<(&str, usize)> = report
        .entries
        .iter()
        .filter(|entry| entry.chars_cut > 0)
        .map(|entry| (entry.name.as_str(), entry.chars_cut))
        .collect();
    assert_eq!(cut, [("half", 4), ("long", 4)], "what is shown of a half character is none of it");
    assert!(report.text.contains("\n- `a-b`: lead tab new\n"));
}

/// Section 2: the longest description is a setting of at least 3.
#[test]
fn the_longest_description_is_a_setting() {
    let project = Project::new();
    skill(&project, "a", "description: abcdefghij");
    let with = |value: &str| {
        let mut host = project.host();
        host.settings.assign(&format!("catalogDescriptionMaxLength={value}")).unwrap();
        host
    };
    for (most, text) in [("3", "..."), ("4", "a..."), ("9", "abcdef..."), ("10", "abcdefghij")] {
        assert_eq!(shown(&list(&with(most)), "a"), text);
    }
    for wrong in ["2", "2.5", "x"] {
        let error = profiles::by_name("deepseek").unwrap().lifecycle(&with(wrong)).unwrap_err();
        assert_eq!(error.key, "catalogDescriptionMaxLength");
    }
}

/// Section 5: who may choose a skill, in every spelling that counts; doubt keeps the skill out.
#[test]
fn doubt_about_who_may_choose_a_skill_keeps_it_out() {
    let project = Project::new();
    skill(&project, "user-only", "description: d\ndisable-model-invocation: \"Yes\"");
    skill(&project, "open", "description: d\ndisable_model_invocation: true");
    skill(&project, "doubt", "description: d\nuser-invocable: maybe");
    skill(&project, "misspelt", "description: d\ndisableModelInvocation: true");
    let report = list(&project.host());
    let names: Vec<&str> = report.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["open"]);
    assert_eq!(report.hidden[0].name, "user-only");
    let codes: Vec<&str> =
        report.diagnostics.iter().filter(|odd| odd.severity == "error").map(|odd| odd.code).collect();
    assert_eq!(codes, [Code::FieldWrongType.as_str(), Code::InvocationFieldMisspelt.as_str()]);
}
