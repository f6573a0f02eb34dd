//! What holds for every input.

use lorimer::core::{Event, kind};
use lorimer::observe::Funnel;
use lorimer::persist::{Record, replay};
use lorimer::{Caller, Lifecycle, Session, TurnInput, core::SourceId, discover::MemorySource};
use proptest::prelude::*;
use std::sync::Arc;

#[derive(Clone, Debug)]
enum Step {
    Say(String),
    Write(usize, String, String),
    Remove(usize),
    Load(String),
    Reload,
    Reopen,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        "[a-z $\\[\\]()]{0,30}".prop_map(Step::Say),
        (0..6_usize).prop_map(|skill| Step::Say(format!("use $skill-{skill} now"))),
        (0..6_usize, "\\PC{0,60}", "\\PC{0,60}")
            .prop_map(|(skill, description, body)| { Step::Write(skill, description, body) }),
        (0..6_usize).prop_map(Step::Remove),
        "[a-z0-9 /-]{0,12}".prop_map(Step::Load),
        Just(Step::Reload),
        Just(Step::Reopen),
    ];
    prop::collection::vec(step, 1..20)
}

fn session_bodies(records: &[Record]) -> usize {
    let bodies = records.iter().filter(|record| match record {
        Record::Item { item, .. } => matches!(item.kind.as_str(), kind::SELECTED_SKILL | kind::TOOL_RESULT),
        _ => false,
    });
    bodies.count()
}

fn uri(skill: usize) -> lorimer::core::Locator {
    lorimer::core::Locator::Uri(format!("memory://skill-{skill}/SKILL.md"))
}

fn play(steps: &[Step]) -> (Session, Vec<lorimer::Turn>) {
    let source = Arc::new(MemorySource::new(SourceId::new("memory")));
    source.add("skill-0", "The first.", "Body.");
    let lifecycle = Lifecycle::builder().source(Arc::clone(&source)).build();
    let mut session = lifecycle.session("s").expect("a new session");
    let mut turns = Vec::new();
    for step in steps {
        match step {
            Step::Say(text) => turns.push(session.begin(&TurnInput::text(text)).expect("memory keeps")),
            Step::Write(skill, description, body) => {
                source.set(
                    uri(*skill),
                    format!("---\nname: skill-{skill}\ndescription: {description}\n---\n{body}"),
                );
            }
            Step::Remove(skill) => {
                source.remove(&uri(*skill));
            }
            Step::Load(name) => {
                session.load_skill(name, Caller::Model).expect("memory keeps");
            }
            Step::Reload => {
                session.reload();
            }
            Step::Reopen => {
                let reopened = lifecycle.session("s").expect("memory keeps");
                assert_eq!(reopened.state(), session.state(), "a resume restores what the live session had");
                session = reopened;
            }
        }
    }
    (session, turns)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// S3-45, S3-50: what is replayed from the journal is the live state.
    #[test]
    fn s3_45_s3_50_replay_is_the_live_state(steps in steps()) {
        let (session, _) = play(&steps);
        prop_assert_eq!(&replay(&session.records().expect("memory keeps").records), session.state());
    }

    /// S3-53: the funnel of every turn and of the whole session says what really happened, over resumes too.
    #[test]
    fn s3_53_funnels_tell_the_truth(steps in steps()) {
        let (session, turns) = play(&steps);
        let mut ever = std::collections::HashSet::new();
        for turn in &turns {
            let counts = turn.funnel().counts();
            prop_assert_eq!(counts.check(), Ok(()));
            let bodies = turn.items.iter().filter(|item| item.kind == kind::SELECTED_SKILL).count();
            prop_assert_eq!(counts.loaded, bodies);
            prop_assert_eq!(counts.asked, turn.selected.len() + turn.unresolved.len());
            ever.extend(turn.snapshot.skills().map(|skill| skill.id.clone()));
        }
        let records = session.records().expect("memory keeps").records;
        let kept: Vec<&Event> = records
            .iter()
            .filter_map(|record| match record {
                Record::Fact { fact } => Some(fact),
                _ => None,
            })
            .collect();
        let whole: Funnel = kept.iter().copied().collect();
        prop_assert_eq!(whole.counts().check(), Ok(()));
        let discovered = kept.iter().filter(|event| event.name() == "skill.discovered").count();
        // A skill that went away and came back is told again; none is told twice for nothing.
        prop_assert!(discovered >= ever.len());
        if !steps.iter().any(|step| matches!(step, Step::Remove(_) | Step::Load(_) | Step::Write(..))) {
            prop_assert_eq!(discovered, ever.len());
        }
        prop_assert_eq!(whole.counts().loaded, session_bodies(&records));
    }

    /// S3-26: a turn tells the listing exactly when it differs from what was told last.
    #[test]
    fn s3_26_a_listing_is_told_when_it_differs(steps in steps()) {
        let (_, turns) = play(&steps);
        let mut last = String::new();
        for turn in &turns {
            let now = turn.catalog.text();
            let told = turn.items.iter().any(|item| item.kind == kind::CATALOG && item.text == now);
            prop_assert_eq!(told, now != last && !now.is_empty());
            last = now;
        }
    }
}
