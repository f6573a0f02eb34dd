//! What a session owes when something fails, changes under it, or goes on elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lorimer::catalog::{Catalog, CatalogRequest, Cataloger, Section};
use lorimer::core::{Event, SourceId};
use lorimer::discover::MemorySource;
use lorimer::observe::InMemory;
use lorimer::persist::{Journal, JournalError, MemoryJournal, Record, Records, Sequence, SessionId};
use lorimer::{Caller, Lifecycle, SessionError, Told, TurnInput};
use lorimer_testkit::Project;

use crate::{kinds, lifecycle};

/// Refuses the first so many appends.
struct Failing {
    inner: MemoryJournal,
    refuse: AtomicUsize,
}

impl Journal for Failing {
    fn append(
        &self,
        session: &SessionId,
        after: Option<Sequence>,
        records: &[Record],
    ) -> Result<Sequence, JournalError> {
        let left = self.refuse.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        match left {
            Ok(_) => Err(JournalError::Other("the disk is full".into())),
            Err(_) => self.inner.append(session, after, records),
        }
    }

    fn records(&self, session: &SessionId) -> Result<Records, JournalError> {
        self.inner.records(session)
    }
}

fn names(events: &[Event]) -> Vec<&str> {
    events.iter().map(Event::name).collect()
}

/// A journal that refuses once costs nothing: the second try tells everything that the first one would have.
#[test]
fn a_refused_turn_can_be_tried_again() {
    let project = Project::new();
    project.skill("alpha", "Does alpha things.", "Body.\n");
    project.file("project/.agents/skills/broken/SKILL.md", "nothing");
    let whole = lifecycle("native", &project.host()).session("s").unwrap();
    let seen = Arc::new(InMemory::new());
    let journal = Failing { inner: MemoryJournal::new(), refuse: AtomicUsize::new(1) };
    let failing = lifecycle("native", &project.host()).to_builder();
    let failing = failing.journal(journal).observer(Arc::clone(&seen)).build();
    let mut session = failing.session("s").unwrap();
    let error = session.begin(&TurnInput::text("use $alpha")).unwrap_err();
    assert!(matches!(error, SessionError::Journal(JournalError::Other(_))));
    assert!(seen.events().is_empty(), "nothing is told that was not kept");
    let again = session.begin(&TurnInput::text("use $alpha")).unwrap();
    let mut whole = whole;
    let expected = whole.begin(&TurnInput::text("use $alpha")).unwrap();
    assert_eq!(again.index, 1);
    assert_eq!(names(&again.events), names(&expected.events));
}

/// S3-15, S3-28: what is written while a turn runs is not in its snapshot, whoever looks in between.
#[test]
fn s3_15_s3_28_a_running_turn_sees_what_it_saw() {
    let project = Project::new();
    project.skill("alpha", "Does alpha things.", "Body.\n");
    let mut session = lifecycle("native", &project.host()).session("s").unwrap();
    session.begin(&TurnInput::text("hello")).unwrap();
    project.skill("delta", "New.", "NEW\n");
    assert_eq!(session.view().snapshot.len(), 2, "a look at the next turn");
    let during = session.load_skill("delta", Caller::Model).unwrap();
    assert!(during.result.is_err(), "the running turn does not have it");
    assert!(!names(&during.events).contains(&"skill.discovered"));
    session.begin(&TurnInput::text("next")).unwrap();
    assert!(session.load_skill("delta", Caller::Model).unwrap().result.is_ok());
}

/// S3-26, S3-50: a session that goes on tells nothing again that its journal has.
#[test]
fn s3_26_s3_50_a_resume_tells_only_what_is_new() {
    let project = Project::new();
    project.skill("alpha", "Does alpha things.", "Body.\n");
    project.file("project/.agents/skills/broken/SKILL.md", "nothing");
    let journal = Arc::new(MemoryJournal::new());
    let open = || {
        let builder = lifecycle("native", &project.host()).to_builder();
        builder.journal(Arc::clone(&journal)).build().session("s").unwrap()
    };
    open().begin(&TurnInput::text("one")).unwrap();
    let unchanged = open().begin(&TurnInput::text("two")).unwrap();
    assert_eq!(names(&unchanged.events), ["session.resumed", "catalog.entry_listed", "catalog.rendered"]);
    project.skill("beta", "Does beta things.", "Body.\n");
    let changed = open().begin(&TurnInput::text("three")).unwrap();
    let found: Vec<&Event> =
        changed.events.iter().filter(|event| event.name() == "skill.discovered").collect();
    assert!(matches!(found.as_slice(), [Event::SkillDiscovered { name, .. }] if name == "beta"));
    assert!(!names(&changed.events).contains(&"skill.rejected"), "that was told by the first process");
    let facts = open().records().unwrap().records;
    let discovered =
        facts.iter().filter(|record| matches!(record, Record::Fact { fact: Event::SkillDiscovered { .. } }));
    assert_eq!(discovered.count(), 2, "each skill once in the whole journal");
}

/// Two processes on one session: the second one is told, and nothing is mixed up.
#[test]
fn a_session_that_went_on_elsewhere_is_noticed() {
    let journal = Arc::new(MemoryJournal::new());
    let source = Arc::new(MemorySource::new(SourceId::new("memory")));
    source.add("alpha", "Does alpha things.", "Body.\n");
    let lifecycle = Lifecycle::builder().source(source).journal(Arc::clone(&journal)).build();
    let (mut one, mut other) = (lifecycle.session("s").unwrap(), lifecycle.session("s").unwrap());
    one.begin(&TurnInput::text("first")).unwrap();
    let conflict = other.begin(&TurnInput::text("second")).unwrap_err();
    assert!(matches!(conflict, SessionError::Journal(JournalError::Conflict { .. })), "{conflict}");
    let mut reopened = lifecycle.session("s").unwrap();
    assert_eq!(reopened.begin(&TurnInput::text("second")).unwrap().index, 2);
}

/// A file that is broken, mended and broken again is told twice; a newcomer that takes a name first is told too.
#[test]
fn rejections_and_namesakes_follow_what_is_there() {
    let project = Project::new();
    project.file("project/.agents/skills/odd/SKILL.md", "nothing");
    let mut session = lifecycle("native", &project.host()).session("s").unwrap();
    let mut count = |name: &str| {
        let turn = session.begin(&TurnInput::text("hello")).unwrap();
        turn.events.iter().filter(|event| event.name() == name).count()
    };
    assert_eq!(count("skill.rejected"), 1);
    assert_eq!(count("skill.rejected"), 0);
    project.skill("odd", "Mended.", "Body.\n");
    assert_eq!(count("skill.rejected"), 0);
    project.file("project/.agents/skills/odd/SKILL.md", "nothing");
    assert_eq!(count("skill.rejected"), 1);
    project.file("home/.agents/skills/twin/SKILL.md", "---\nname: twin\ndescription: Mine.\n---\n");
    assert_eq!(count("skill.shadowed"), 0);
    project.skill("twin", "The project's, which comes first.", "Body.\n");
    assert_eq!(count("skill.shadowed"), 1);
}

/// Two sections, each as long as the description of a skill named after it says.
struct Sections;

impl Cataloger for Sections {
    fn catalog(&self, request: &CatalogRequest<'_>) -> Catalog {
        let text = |id: &str| {
            let skill = request.skills.iter().find(|skill| skill.name == id)?;
            Some(format!("{id}: {}", skill.description))
        };
        let section = |id: &'static str| Section::new(id, text(id));
        Catalog { sections: vec![section("one"), section("two")], ..Catalog::default() }
    }
}

/// S3-27: sections change one by one, and "none left" is said once, when nothing is left at all.
#[test]
fn s3_27_sections_are_told_one_by_one() {
    let source = Arc::new(MemorySource::new(SourceId::new("memory")));
    let one = source.add("one", "First.", "");
    let two = source.add("two", "Second.", "");
    let lifecycle = Lifecycle::builder()
        .source(Arc::clone(&source))
        .cataloger(Sections)
        .options(|options| options.none_left = Some("NONE LEFT"))
        .build();
    let mut session = lifecycle.session("s").unwrap();
    let mut turn = || {
        let turn = session.begin(&TurnInput::text("hello")).unwrap();
        let texts: Vec<String> = turn.items.iter().map(|item| item.text.clone()).collect();
        (turn.told, texts)
    };
    assert_eq!(turn(), (Told::Sent, vec!["one: First.".to_owned(), "two: Second.".to_owned()]));
    source.remove(&two);
    assert_eq!(turn(), (Told::Unchanged, Vec::new()), "one still stands");
    source.remove(&one);
    source.add("two", "Again.", "");
    assert_eq!(turn(), (Told::Sent, vec!["two: Again.".to_owned()]));
    source.remove(&two);
    assert_eq!(turn(), (Told::NoneLeft, vec!["NONE LEFT".to_owned()]));
    assert_eq!(turn(), (Told::Absent, Vec::new()));
}

/// A listing that is switched off is retracted, and its skills count as hidden.
#[test]
fn a_listing_that_is_switched_off_is_told_as_such() {
    let project = Project::new();
    project.skill("alpha", "Does alpha things.", "Body.\n");
    let journal = Arc::new(MemoryJournal::new());
    let open = |setting: &str| {
        let mut host = project.host();
        host.settings.assign(setting).unwrap();
        let builder = lifecycle("codex", &host).to_builder();
        builder.journal(Arc::clone(&journal)).build().session("s").unwrap()
    };
    open("skills.include_instructions=true").begin(&TurnInput::text("one")).unwrap();
    let off = open("skills.include_instructions=false").begin(&TurnInput::text("use $alpha")).unwrap();
    assert_eq!((off.told, kinds(&off).len()), (Told::NoneLeft, 2));
    let hidden = off
        .events
        .iter()
        .any(|event| matches!(event, Event::SkillDenied { reason, .. } if reason == "listing-off"));
    assert!(hidden && !names(&off.events).contains(&"catalog.entry_listed"), "{:?}", names(&off.events));
    assert_eq!(off.selected.len(), 1, "mentions still work");
}

/// S3-46: only turns that there are can be taken back.
#[test]
fn s3_46_a_rollback_is_bounded() {
    let lifecycle = Lifecycle::builder().build();
    let mut session = lifecycle.session("s").unwrap();
    session.begin(&TurnInput::text("one")).unwrap();
    for turns in [0, 2] {
        assert!(matches!(session.roll_back(turns), Err(SessionError::NoSuchTurns { .. })));
    }
    session.roll_back(1).unwrap();
    assert_eq!(session.state().turns, 0);
}

/// S3-27: a profile may tell only what is new; what the model was told is known all the same.
#[test]
fn s3_27_an_update_may_hold_only_what_is_new() {
    let project = Project::new();
    project.skill("alpha", "Does alpha things.", "Body.\n").skill("beta", "Does beta things.", "Body.\n");
    let mut host = project.host();
    host.settings.assign("features.skill_catalog_deltas=true").unwrap();
    let mut session = lifecycle("codex", &host).session("s").unwrap();
    let turn = |session: &mut lorimer::Session| {
        session.reload();
        session.begin(&TurnInput::text("hello")).unwrap()
    };
    assert_eq!(turn(&mut session).told, Told::Sent);
    project.skill("beta", "Does beta things, better.", "Body.\n").skill("gamma", "New.", "Body.\n");
    let update = turn(&mut session);
    assert_eq!(update.told, Told::Updated);
    let text = &update.items[0].text;
    assert!(text.contains("- beta: Does beta things, better.") && text.contains("- gamma: New."));
    assert!(!text.contains("alpha"), "{text}");
    std::fs::remove_dir_all(project.path("project/.agents/skills/gamma")).unwrap();
    assert_eq!(turn(&mut session).told, Told::Unchanged, "what is gone is not told");
    assert_eq!(turn(&mut session).told, Told::Unchanged);
}
