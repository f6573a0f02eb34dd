//! What a team that swaps one stage relies on.

use lorimer::core::{Event, SkillId, SourceId};
use lorimer::discover::MemorySource;
use lorimer::observe::InMemory;
use lorimer::{Lifecycle, TurnInput, profiles};
use lorimer_testkit::Project;

/// S3-04: a remote skill has a locator and no file, and is read through its own source.
#[test]
fn s3_04_a_remote_skill_needs_no_file() {
    let source = MemorySource::new(SourceId::new("remote"));
    source.add("far", "Far away.", "FAR\n");
    let lifecycle = Lifecycle::builder().source(source).build();
    let turn = lifecycle.session("s").unwrap().begin(&TurnInput::text("use $far")).unwrap();
    assert!(turn.items[1].text.contains("FAR"));
    assert_eq!(turn.selected[0].skill.to_string(), "remote#uri:memory://far/SKILL.md");
}

/// S3-05: one name from two sources is two skills.
#[test]
fn s3_05_identity_is_source_and_locator() {
    let make = |id: &str| {
        let source = MemorySource::new(SourceId::new(id));
        source.add("same", "From one of two.", "Body.\n");
        source
    };
    let lifecycle = Lifecycle::builder().source(make("one")).source(make("two")).build();
    let snapshot = lifecycle.session("s").unwrap().view().snapshot;
    let ids: Vec<String> = snapshot.skills().map(|skill| skill.id.to_string()).collect();
    assert_eq!(ids, ["one#uri:memory://same/SKILL.md", "two#uri:memory://same/SKILL.md"]);
    let id: SkillId = ids[0].parse().unwrap();
    assert!(snapshot.get(&id).is_some());
}

/// S3-53: observers are told exactly the events of the turn, after they were kept.
#[test]
fn s3_53_observers_are_told_what_the_turn_says() {
    let project = Project::new();
    project.skill("alpha", "Does alpha things.", "Body.\n");
    let seen = std::sync::Arc::new(InMemory::new());
    let builder = profiles::by_name("codex").unwrap().builder(&project.host()).unwrap();
    let lifecycle = builder.observer(std::sync::Arc::clone(&seen)).build();
    let mut session = lifecycle.session("s").unwrap();
    let turn = session.begin(&TurnInput::text("use $alpha")).unwrap();
    assert_eq!(seen.events(), turn.events);
    let records = session.records().unwrap().records;
    let kept: Vec<&Event> = records
        .iter()
        .filter_map(|record| match record {
            lorimer::persist::Record::Fact { fact } => Some(fact),
            _ => None,
        })
        .collect();
    let funnel: lorimer::observe::Funnel = kept.into_iter().collect();
    assert_eq!(
        funnel.counts(),
        turn.funnel().counts(),
        "the funnel of the journal is the funnel of the turn"
    );
}
