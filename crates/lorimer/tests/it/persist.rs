//! State and history over turns, processes and resumes.

use lorimer::core::kind;
use lorimer::persist::{JsonlJournal, Record};
use lorimer::{Told, TurnInput};
use lorimer_testkit::Project;

use crate::{kinds, lifecycle, session};

fn two() -> Project {
    let project = Project::new();
    project.skill("alpha", "Does alpha things.", "Body of alpha.\n");
    project.skill("beta", "Does beta things.", "Body of beta.\n");
    project
}

/// S3-25, S3-26, S3-27: the listing is state: told once, told again as a whole when it changes, never rewritten.
#[test]
fn s3_25_s3_26_s3_27_an_unchanged_listing_leaves_no_trace() {
    let project = two();
    let mut session = session("native", &project.host());
    assert_eq!(session.begin(&TurnInput::text("one")).unwrap().told, Told::Sent);
    let catalogs = |session: &lorimer::Session| {
        let records = lifecycle_records(session);
        records.iter().filter(|record| matches!(record, Record::Catalog { .. })).count()
    };
    for text in ["two", "three"] {
        let turn = session.begin(&TurnInput::text(text)).unwrap();
        assert_eq!((turn.told, turn.items.len()), (Told::Unchanged, 0));
    }
    assert_eq!(catalogs(&session), 1, "two unchanged turns wrote nothing about the listing");
    let before = lifecycle_records(&session);
    project.skill("alpha", "Does alpha things, better.", "Body.\n");
    let changed = session.begin(&TurnInput::text("four")).unwrap();
    assert_eq!((changed.told, kinds(&changed)), (Told::Sent, vec![kind::CATALOG]));
    assert_eq!(catalogs(&session), 2, "one change, one update");
    assert_eq!(lifecycle_records(&session)[..before.len()], before, "earlier history is not rewritten");
    std::fs::remove_dir_all(project.path("project/.agents")).unwrap();
    let gone = session.begin(&TurnInput::text("five")).unwrap();
    assert_eq!(gone.told, Told::NoneLeft);
    assert!(session.begin(&TurnInput::text("six")).unwrap().items.is_empty());
}

fn lifecycle_records(session: &lorimer::Session) -> Vec<Record> {
    session.records().unwrap().records
}

/// S3-18, S3-45, S3-46: bodies are history, kept as the model saw them, and never messages of the user's own.
#[test]
fn s3_18_s3_45_s3_46_bodies_are_contextual_items() {
    let project = two();
    let mut session = session("codex", &project.host());
    session.begin(&TurnInput::text("use $alpha")).unwrap();
    session.begin(&TurnInput::text("thanks")).unwrap();
    let records = lifecycle_records(&session);
    let items: Vec<_> = records
        .iter()
        .filter_map(|record| match record {
            Record::Item { item, .. } => Some(item),
            _ => None,
        })
        .collect();
    assert!(items.iter().all(|item| item.is_contextual()));
    let body = items.iter().find(|item| item.kind == kind::SELECTED_SKILL).unwrap();
    assert_eq!(body.role.as_str(), "user");
    assert!(lorimer::activate::recognise(&body.text));
    assert_eq!(session.state().user_messages().collect::<Vec<_>>(), ["use $alpha", "thanks"]);
}

/// S3-50: a resume restores the history and computes the effective state anew.
#[test]
fn s3_50_a_resume_is_history_plus_state_computed_anew() {
    let project = two();
    let open = |rule: &str| {
        let mut host = project.host();
        host.settings.assign(rule).unwrap();
        let journal = JsonlJournal::open(project.path("journal"));
        lifecycle("codex", &host).to_builder().journal(journal).build()
    };
    let all = "skills.config=[]";
    open(all).session("s").unwrap().begin(&TurnInput::text("use $alpha")).unwrap();

    let mut resumed = open(all).session("s").unwrap();
    assert_eq!(resumed.state().turns, 1);
    assert_eq!(resumed.state().visible_bodies().count(), 1, "the history is back");
    let turn = resumed.begin(&TurnInput::text("go on")).unwrap();
    assert_eq!((turn.index, turn.told), (2, Told::Unchanged), "the listing is still the one that was told");
    assert!(turn.events.iter().any(|event| event.name() == "session.resumed"));

    let mut without = open("skills.config=[{name = \"alpha\", enabled = false}]").session("s").unwrap();
    let turn = without.begin(&TurnInput::text("use $alpha")).unwrap();
    assert_eq!(turn.told, Told::Sent, "what is disabled since then is out of the listing");
    assert!(turn.selected.is_empty(), "and cannot be selected");
    assert_eq!(without.state().visible_bodies().count(), 1, "the history stays as the model saw it");
}

/// A journal that refuses stops the turn before anything is handed out.
#[test]
fn nothing_is_handed_out_that_could_not_be_kept() {
    let project = two();
    project.file("not-a-folder", "");
    let journal = JsonlJournal::open(project.path("not-a-folder"));
    let lifecycle = lifecycle("native", &project.host()).to_builder().journal(journal).build();
    let refused = lifecycle.session("s").and_then(|mut session| session.begin(&TurnInput::text("hello")));
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("not-a-folder"), "{message}");
}

/// S3-46, S3-47, S3-49: a compaction keeps the user's messages and a summary, drops bodies, and the listing is told
/// again from state.
#[test]
fn s3_46_s3_47_s3_49_a_compaction_drops_bodies_and_the_listing_is_told_again() {
    let project = two();
    let mut session = session("codex", &project.host());
    session.begin(&TurnInput::text("use $alpha")).unwrap();
    session.begin(&TurnInput::text("thanks")).unwrap();
    session.compact("They used alpha.").unwrap();
    assert_eq!(session.state().visible_bodies().count(), 0);
    assert_eq!(session.state().user_messages().collect::<Vec<_>>(), ["use $alpha", "thanks"]);
    let turn = session.begin(&TurnInput::text("go on")).unwrap();
    assert_eq!((turn.index, turn.told), (3, Told::Sent));
    assert_eq!(kinds(&turn), [kind::CATALOG], "no body is handed over again by itself");
}

/// S3-46: turns are taken back as a whole, bodies with them, and a listing that was told in them is told again.
#[test]
fn s3_46_a_rollback_takes_bodies_with_it() {
    let project = two();
    let mut session = session("codex", &project.host());
    session.begin(&TurnInput::text("hello")).unwrap();
    session.begin(&TurnInput::text("use $alpha")).unwrap();
    session.roll_back(1).unwrap();
    assert_eq!(session.state().visible_bodies().count(), 0);
    assert_eq!(session.state().user_messages().collect::<Vec<_>>(), ["hello"]);
    assert_eq!(session.begin(&TurnInput::text("again")).unwrap().told, Told::Unchanged);
    session.roll_back(2).unwrap();
    assert_eq!(session.begin(&TurnInput::text("anew")).unwrap().told, Told::Sent);
}
