//! Questions to a person: put once, answered for all that wait, remembered.

use std::sync::Arc;

use lorimer::authorize::{Admission, AdmitRequest, Authorizer, ClearRequest, Clearance, McpServer, Question};
use lorimer::core::{Event, Refusal, Route, SourceId};
use lorimer::discover::MemorySource;
use lorimer::persist::MemoryJournal;
use lorimer::{Answer, Caller, Clearing, Lifecycle, Outcome, Selected, TurnInput};
use lorimer_testkit::Project;

use crate::lifecycle;

fn needy(project: &Project, name: &str, servers: &[&str]) {
    project.skill(name, "Needs servers.", "Body.\n");
    let mut yaml = "dependencies:\n  tools:\n    - type: env_var\n      value: TOKEN\n".to_owned();
    for server in servers {
        let url = format!("https://{server}.example.invalid/mcp");
        yaml = format!("{yaml}    - type: mcp\n      value: {server}\n      url: {url}\n");
    }
    project.file(&format!("project/.agents/skills/{name}/agents/openai.yaml"), yaml);
}

fn server(name: &str) -> McpServer {
    McpServer {
        name: name.to_owned(),
        transport: "streamable_http".to_owned(),
        target: format!("https://{name}.example.invalid/mcp"),
    }
}

fn clearing(selected: &Selected) -> &Clearing {
    match &selected.outcome {
        Outcome::Loaded(cleared) => cleared.state(),
        other => panic!("not loaded: {other:?}"),
    }
}

fn dependencies(events: &[Event]) -> Vec<(&str, &str)> {
    let named = events.iter().filter_map(|event| match event {
        Event::DependencyMissing { dependency, .. }
        | Event::DependencyInstalled { dependency, .. }
        | Event::DependencySkipped { dependency, .. }
        | Event::DependencyFailed { dependency, .. } => Some((event.name(), dependency.as_str())),
        _ => None,
    });
    named.collect()
}

/// S3-39: one question for all skills that need the same server; one answer settles them all.
#[test]
fn s3_39_a_question_is_put_once_and_settles_all_that_wait() {
    let project = Project::new();
    needy(&project, "one", &["jira"]);
    needy(&project, "two", &["jira"]);
    let seen = Arc::new(lorimer::observe::InMemory::new());
    let lifecycle = lifecycle("native", &project.host()).to_builder().observer(Arc::clone(&seen)).build();
    let mut session = lifecycle.session("s").unwrap();
    let turn = session.begin(&TurnInput::text("$one and $two")).unwrap();
    assert_eq!(turn.questions.len(), 1);
    assert!(turn.selected.iter().all(|selected| matches!(clearing(selected), Clearing::Waiting(_))));
    seen.take();
    let settled = session.answer(&turn.questions[0].id, &Answer::Approved(vec![server("jira")])).unwrap();
    assert_eq!(settled.len(), 2);
    assert!(settled.iter().all(|selected| *clearing(selected) == Clearing::Ready));
    let installed = ("dependency.installed", "mcp:jira");
    assert_eq!(
        dependencies(&seen.events()),
        [installed, installed],
        "and nothing about what was not missing"
    );
    assert_eq!(session.questions().count(), 0);
}

/// S3-37, S3-39: a no is remembered, also by the process that goes on with the session; a question that nobody has
/// answered is put again there.
#[test]
fn s3_39_a_no_is_remembered_and_an_open_question_is_put_again() {
    let project = Project::new();
    needy(&project, "one", &["jira"]);
    let journal = Arc::new(MemoryJournal::new());
    let open = || {
        let builder = lifecycle("native", &project.host()).to_builder();
        builder.journal(Arc::clone(&journal)).build().session("s").unwrap()
    };
    let first = open().begin(&TurnInput::text("$one")).unwrap();
    let mut resumed = open();
    let again = resumed.begin(&TurnInput::text("$one")).unwrap();
    assert_eq!(again.questions, first.questions, "nobody has answered yet");
    resumed.answer(&again.questions[0].id, &Answer::Declined).unwrap();
    let after = resumed.begin(&TurnInput::text("$one")).unwrap();
    assert!(after.questions.is_empty());
    assert_eq!(*clearing(&after.selected[0]), Clearing::Blocked("declined".to_owned()));
    let resumed = open().begin(&TurnInput::text("$one")).unwrap();
    assert_eq!(*clearing(&resumed.selected[0]), Clearing::Blocked("declined".to_owned()));
}

/// S3-51: an installation that fails is a fact of its own, blocks the skill for now, and may be tried again.
#[test]
fn s3_51_a_failed_installation_is_told_and_can_be_tried_again() {
    let project = Project::new();
    needy(&project, "one", &["jira"]);
    let seen = Arc::new(lorimer::observe::InMemory::new());
    let lifecycle = lifecycle("native", &project.host()).to_builder().observer(Arc::clone(&seen)).build();
    let mut session = lifecycle.session("s").unwrap();
    let question = session.begin(&TurnInput::text("$one")).unwrap().questions[0].id.clone();
    seen.take();
    let failed = Answer::Failed("the login was refused".to_owned());
    let settled = session.answer(&question, &failed).unwrap();
    assert!(
        matches!(clearing(&settled[0]), Clearing::Blocked(reason) if reason.contains("login was refused"))
    );
    assert_eq!(dependencies(&seen.events()), [("dependency.failed", "mcp:jira")]);
    let again = session.begin(&TurnInput::text("$one")).unwrap();
    assert_eq!(again.questions.len(), 1);
}

/// Asks before anything of the skill is used; clicks need no leave, mentions are refused.
struct Careful;

impl Authorizer for Careful {
    fn admit(&self, request: &AdmitRequest<'_>) -> Admission {
        match request.route {
            Route::Structured => Admission::Admitted,
            Route::Mention => Admission::Refused(Refusal::new("no-mentions")),
            _ if request.approved.iter().any(|id| id == "trust") => Admission::Admitted,
            _ => Admission::Ask(Question {
                id: "trust".to_owned(),
                text: "Trust it?".to_owned(),
                options: vec!["Yes".to_owned(), "No".to_owned()],
            }),
        }
    }

    fn clear(&self, _: &ClearRequest<'_>) -> Clearance {
        Clearance::Cleared
    }
}

#[test]
fn leave_to_use_a_skill_is_a_question_too_and_routes_are_judged_one_by_one() {
    let source = MemorySource::new(SourceId::new("memory"));
    let locator = source.add("alpha", "Does alpha things.", "BODY\n");
    let lifecycle = Lifecycle::builder().source(source).authorizer(Careful).build();
    let mut session = lifecycle.session("s").unwrap();
    let mentioned = session.begin(&TurnInput::text("$alpha")).unwrap();
    assert_eq!(mentioned.unresolved[0].reason.as_str(), "no-mentions");
    let clicked = session.begin(&TurnInput::default().select("alpha", locator.shown())).unwrap();
    assert_eq!(clicked.selected.len(), 1, "what mentions may not, clicks may");

    let called = session.load_skill("alpha", Caller::Model).unwrap();
    assert_eq!(called.questions[0].id, "trust");
    assert!(called.item.text.contains("waits"), "{}", called.item.text);
    assert_eq!(session.view().catalog.entries.len(), 0, "not listed before somebody has said yes");
    let settled = session.answer("trust", &Answer::Approved(Vec::new())).unwrap();
    assert!(
        matches!(&settled[0].outcome, Outcome::Loaded(cleared) if cleared.loaded().body().contains("BODY"))
    );
    assert_eq!(session.view().catalog.entries.len(), 1);
    assert!(session.load_skill("alpha", Caller::Model).unwrap().result.is_ok());
}
