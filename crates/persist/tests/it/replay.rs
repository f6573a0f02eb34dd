use lorimer_core::{ContextItem, Digest, Event, Role, kind};
use lorimer_persist::{HistoryItem, Record, SessionState, replay};
use proptest::prelude::*;

use crate::{any_record, injected, message, skill_id, told, turn};

fn a_session() -> Vec<Record> {
    vec![
        turn(1),
        told("host", Some("- tea")),
        message("Make $tea"),
        injected("tea", "Boil."),
        turn(2),
        message("Again $tea"),
        injected("tea", "Boil longer."),
        Record::Asked { question: "mcp".to_owned() },
        Record::Asked { question: "mcp".to_owned() },
        turn(3),
        told("host", None),
        message("Thanks"),
    ]
}

/// S3-45: the listing is a state with one value, bodies are a history with many.
#[test]
fn s3_45_listing_is_state_and_bodies_are_history() {
    let state = replay(&a_session());
    assert_eq!(state.turns, 3);
    assert_eq!(state.catalog.get("host"), Some(&None));
    assert_eq!(state.asked, ["mcp"]);
    assert_eq!(state.snapshot, Some(Digest::of(&3_u64.to_le_bytes())));
    assert_eq!(state.history.len(), 5);
}

/// S3-20, S3-24: a body in the history can be told from one that is injected now, and from one that has changed on
/// disk: each has the turn it came in and the digest of what was read then.
#[test]
fn s3_20_s3_24_bodies_keep_their_turn_and_digest() {
    let state = replay(&a_session());
    let bodies: Vec<_> = state.visible_bodies().collect();
    assert_eq!(bodies.len(), 2);
    assert!(bodies.iter().all(|body| *body.skill == skill_id("tea")));
    assert_eq!((bodies[0].turn, bodies[0].digest), (1, Some(Digest::of(b"Boil."))));
    assert_eq!((bodies[1].turn, bodies[1].digest), (2, Some(Digest::of(b"Boil longer."))));
    assert!(bodies.iter().all(|body| body.turn != state.turns), "none was injected in the last turn");
}

/// S3-46: a fragment in the user's role is no message of the user's own.
#[test]
fn s3_46_fragments_are_no_user_messages() {
    let state = replay(&a_session());
    let messages: Vec<_> = state.user_messages().collect();
    assert_eq!(messages, ["Make $tea", "Again $tea", "Thanks"]);
}

#[test]
fn only_bodies_of_a_skill_are_bodies() {
    let item = |kind: &str, skill| Record::Item {
        item: ContextItem { role: Role::Developer, kind: kind.to_owned(), text: String::new(), skill },
        digest: None,
    };
    let state = replay(&[
        item(kind::CATALOG, None),
        item(kind::NOTICE, Some(skill_id("tea"))),
        item(kind::SELECTED_SKILL, None),
        item(kind::TOOL_RESULT, Some(skill_id("tea"))),
    ]);
    assert_eq!(state.visible_bodies().count(), 1);
    assert_eq!(state.history.len(), 4);
}

/// S3-25 to S3-27: what was told last is compared with what is the case now, and an update replaces it alone.
#[test]
fn s3_25_s3_26_s3_27_each_section_says_what_was_told_last() {
    let state = replay(&[told("a", Some("1")), told("b", Some("2")), told("a", Some("3"))]);
    assert_eq!(state.catalog.get("a"), Some(&Some("3".to_owned())));
    assert_eq!(state.catalog.get("b"), Some(&Some("2".to_owned())));
    assert_eq!(state.catalog.get("never"), None);
}

/// S3-46: taking turns back leaves exactly what the turns before them made; questions stay asked.
#[test]
fn s3_46_turns_are_taken_back_whole() {
    let mut records = a_session();
    let fragment_before = injected("pre", "Preloaded.");
    records.insert(0, fragment_before.clone());
    records.push(Record::RolledBack { turns: 2 });
    let state = replay(&records);
    let mut expected = replay(&records[..5]);
    expected.apply(&Record::Asked { question: "mcp".to_owned() });
    assert_eq!(state, expected);

    records.push(Record::RolledBack { turns: 9 });
    let state = replay(&records);
    assert_eq!((state.turns, state.snapshot, state.catalog.len()), (0, None, 0));
    assert_eq!(state.history, replay(&[fragment_before]).history, "what came before the first turn stays");
}

/// S3-47, S3-49: a compaction keeps the user's own words and no skill, and the listing has to be told again.
#[test]
fn s3_47_s3_49_compaction_keeps_no_skill() {
    let mut records = a_session();
    records.push(told("host", Some("- tea")));
    records.push(Record::Compacted { summary: "Tea.".to_owned(), messages: Some(2) });
    let state = replay(&records);
    assert_eq!(state.user_messages().collect::<Vec<_>>(), ["Again $tea", "Thanks"]);
    assert_eq!(state.history.last(), Some(&HistoryItem::Summary { turn: 3, text: "Tea.".to_owned() }));
    assert_eq!(state.visible_bodies().count(), 0);
    assert!(state.catalog.is_empty());
    assert_eq!(state.turns, 3);

    let mut back = records.clone();
    back.extend([turn(4), message("x"), Record::RolledBack { turns: 1 }]);
    assert_eq!(replay(&back), state, "the compaction belongs to a turn that stays");

    records.extend([turn(4), message("x"), Record::RolledBack { turns: 2 }]);
    let state = replay(&records);
    assert_eq!(state.visible_bodies().count(), 2, "taken back across the compaction");
    assert_eq!(state.catalog.get("host"), Some(&Some("- tea".to_owned())));
}

#[test]
fn facts_have_no_part_in_the_state() {
    let fact = Record::Fact { fact: Event::SessionResumed { turns: 3 } };
    assert_eq!(replay(&[fact]), SessionState::default());
}

/// Counts the user's messages by another way: facts about the last rollback and compaction aside, all of them.
fn is_plain(record: &Record) -> bool {
    !matches!(record, Record::RolledBack { .. } | Record::Compacted { .. })
}

proptest! {
    /// S3-18, S3-50: resuming is the same as having gone on, wherever the session is interrupted.
    #[test]
    fn s3_18_s3_50_resumed_is_live(records in prop::collection::vec(any_record(), 0..24), cut in 0_usize..24) {
        let mut live = SessionState::default();
        for record in &records {
            live.apply(record);
        }
        prop_assert_eq!(&replay(&records), &live);
        let (before, after) = records.split_at(cut.min(records.len()));
        let mut resumed = replay(before);
        for record in after {
            resumed.apply(record);
        }
        prop_assert_eq!(&resumed, &live);
    }

    #[test]
    fn s3_46_user_messages_are_the_users_alone(records in prop::collection::vec(any_record().prop_filter("plain", is_plain), 0..24)) {
        let state = replay(&records);
        let expected: Vec<_> = records
            .iter()
            .filter_map(|record| match record {
                Record::UserMessage { text } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        prop_assert_eq!(state.user_messages().collect::<Vec<_>>(), expected);
    }
}
