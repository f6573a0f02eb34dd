//! The Pi profile. Facts: `@earendil-works/pi-coding-agent` 1.6.0 as recorded.

use lorimer::core::Code;
use lorimer::report::ListReport;
use lorimer::{Host, TurnInput};
use lorimer_testkit::Project;

use crate::session;

fn trusted(project: &Project) -> Host {
    let mut host = project.host();
    host.trusted = true;
    host
}

fn list(host: &Host) -> ListReport {
    ListReport::new("pi", &session("pi", host).view())
}

fn skill(project: &Project, place: &str, fields: &str) {
    project.file(&format!("{place}/SKILL.md"), format!("---\n{fields}\n---\nBody.\n"));
}

/// S0-02, section 2 of the notes: no budget, load order, five characters escaped in every field, line feeds kept.
#[test]
fn s0_02_everything_is_listed_in_the_order_of_finding() {
    let project = Project::new();
    skill(&project, "project/.pi/skills/b", "name: b\ndescription: \"a < b & 'c'\\nsecond line\"");
    skill(&project, "project/.pi/skills/Z", "name: z\ndescription: Does z.");
    skill(&project, "home/.pi/agent/skills/a", &format!("name: a\ndescription: {}", "x".repeat(5_000)));
    let report = list(&trusted(&project));
    let names: Vec<&str> = report.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["z", "b", "a"], "byte order in a root, project before user");
    assert_eq!(report.entries[1].description, "a &lt; b &amp; &apos;c&apos;\nsecond line");
    assert_eq!(report.entries[2].description.len(), 5_000);
    assert_eq!(report.budget.limit, None);
    assert!(report.text.contains("  <skill>\n    <name>z</name>\n    <description>Does z.</description>\n"));
}

/// Sections 1.2 and 5: without trust only the user's skills; without a tool to read with, no section at all.
#[test]
fn trust_and_tools_decide_what_is_listed() {
    let project = Project::new();
    skill(&project, "project/.pi/skills/p", "name: p\ndescription: Does p.");
    skill(&project, "home/.agents/skills/u", "name: u\ndescription: Does u.");
    let names = |host: &Host| list(host).entries.into_iter().map(|entry| entry.name).collect::<Vec<_>>();
    assert_eq!(names(&project.host()), ["u"]);
    let mut host = trusted(&project);
    assert_eq!(names(&host), ["p", "u"]);
    host.tools = Some(vec!["bash".to_owned()]);
    assert!(list(&host).text.contains("with `bash`"));
    host.unnamed_tools = vec!["bash".to_owned()];
    assert!(!list(&host).text.contains("with `bash`") && names(&host).len() == 2);
    host.tools = Some(vec!["write".to_owned()]);
    assert_eq!(names(&host), [""; 0]);
    assert_eq!(list(&host).hidden.len(), 2, "nothing is left out in silence");
}

/// Section 1.8: an odd name and a long description are remarked on and load all the same, counted in UTF-16 units.
#[test]
fn odd_names_load_with_a_remark_for_each_oddity() {
    let project = Project::new();
    skill(&project, "project/.pi/skills/odd", "name: -A--b\ndescription: Does it.");
    skill(&project, "project/.pi/skills/wide", &format!("name: wide\ndescription: {}", "🍵".repeat(513)));
    let report = list(&trusted(&project));
    assert_eq!(report.entries.len(), 2);
    let messages: Vec<&str> = report.diagnostics.iter().map(|odd| odd.message.as_str()).collect();
    for part in
        ["characters other than", "starts or ends", "consecutive", "the description has 1026 characters"]
    {
        assert!(messages.iter().any(|message| message.contains(part)), "{part}: {messages:?}");
    }
}

/// Section 1.2: `--skill` comes last, and a place that is not there is told.
#[test]
fn places_named_for_the_run_come_last() {
    let project = Project::new();
    skill(&project, "project/.pi/skills/dup", "name: dup\ndescription: The project's.");
    skill(&project, "cli/dup", "name: dup\ndescription: Named for the run.");
    let mut host = trusted(&project);
    let places = [project.path("cli"), project.path("gone")].map(|path| path.display().to_string());
    host.settings.assign(&format!("--skill={places:?}")).unwrap();
    let report = list(&host);
    assert_eq!(report.entries[0].description, "The project&apos;s.");
    let codes: Vec<&str> = report.diagnostics.iter().map(|odd| odd.code).collect();
    assert!(
        codes.contains(&Code::RootMissing.as_str()) && codes.contains(&Code::NameCollision.as_str()),
        "{codes:?}"
    );
}

/// Section 6: the section stands in the system prompt, so a summary of the conversation does not take it away.
#[test]
fn s3_27_a_listing_in_the_systems_role_survives_a_summary() {
    let project = Project::new();
    skill(&project, "project/.pi/skills/p", "name: p\ndescription: Does p.");
    let mut session = session("pi", &trusted(&project));
    let first = session.begin(&TurnInput::text("hello")).unwrap();
    assert_eq!(first.items[0].role.as_str(), "system");
    session.compact("summary").unwrap();
    assert!(session.begin(&TurnInput::text("more")).unwrap().items.is_empty());
}
