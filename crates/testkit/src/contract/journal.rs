//! What every [`Journal`] owes.

use lorimer::core::{ContextItem, Digest, Event, Locator, Role, SkillId, SourceId, kind};
use lorimer::persist::{Journal, JournalError, Record, SessionId};

/// Runs every check. `open` returns a journal over the same, empty store each time: what one has written, the next
/// one reads.
pub fn all<J: Journal>(open: impl Fn() -> J) {
    keeps_everything_in_order(&open());
    keeps_sessions_apart(&open());
    survives_reopening(&open);
    refuses_a_writer_that_is_behind(&open());
    takes_writers_at_once(&open());
}

/// Every record comes back, once, in order, and the numbers count up.
pub fn keeps_everything_in_order(journal: &dyn Journal) {
    let session = session("in-order");
    assert_eq!(stored(journal, &session), [], "a session that nobody wrote to has records");
    let all = every_record();
    let mut last = 0;
    for batch in all.chunks(2) {
        let sequence = journal.append(&session, Some(last), batch).expect("records can be appended");
        assert!(sequence > last, "sequence {sequence} does not count up from {last}");
        last = sequence;
    }
    journal.append(&session, None, &[]).expect("nothing can be appended too");
    assert_eq!(stored(journal, &session), all, "records changed, or changed places");
}

/// A session sees its own records alone.
pub fn keeps_sessions_apart(journal: &dyn Journal) {
    let (one, other) = (session("apart-1"), session("apart-2"));
    let record = Record::UserMessage { text: "for one alone".to_owned() };
    journal.append(&one, None, std::slice::from_ref(&record)).expect("a record can be appended");
    assert_eq!(stored(journal, &other), [], "a record went to another session");
    assert_eq!(stored(journal, &one), [record]);
}

/// What was acknowledged is there for the next process.
pub fn survives_reopening<J: Journal>(open: impl Fn() -> J) {
    let session = session("reopened");
    let all = every_record();
    open().append(&session, Some(0), &all).expect("records can be appended");
    assert_eq!(stored(&open(), &session), all, "an acknowledged record is gone");
}

/// Records that were computed from a state may only follow that state.
pub fn refuses_a_writer_that_is_behind(journal: &dyn Journal) {
    let session = session("behind");
    let record = |text: &str| [Record::UserMessage { text: text.to_owned() }];
    let first = journal.append(&session, Some(0), &record("first")).expect("the session is empty");
    let behind = journal.append(&session, Some(0), &record("behind"));
    assert!(
        matches!(behind, Err(JournalError::Conflict { .. })),
        "a writer that is behind was let in: {behind:?}"
    );
    let read = journal.records(&session).expect("the journal can be read");
    assert_eq!((read.sequence, read.records.len()), (first, 1), "a refused record was kept");
    journal.append(&session, Some(first), &record("next")).expect("this is where the session ends");
}

/// Threads of one process may append at once; every batch stays whole.
pub fn takes_writers_at_once(journal: &dyn Journal) {
    let session = session("at-once");
    let batch = |writer: usize, round: usize| -> Vec<Record> {
        (0..3).map(|part| Record::UserMessage { text: format!("{writer}/{round}/{part}") }).collect()
    };
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (session, batch) = (&session, &batch);
            scope.spawn(move || {
                for round in 0..8 {
                    journal.append(session, None, &batch(writer, round)).expect("threads may append at once");
                }
            });
        }
    });
    let records = stored(journal, &session);
    assert_eq!(records.len(), 4 * 8 * 3, "a record was lost, or written twice");
    for group in records.chunks(3) {
        let Some(Record::UserMessage { text }) = group.first() else { continue };
        let prefix = text.trim_end_matches(|character| character != '/');
        let whole = group.iter().enumerate().all(|(part, record)| {
            matches!(record, Record::UserMessage { text } if *text == format!("{prefix}{part}"))
        });
        assert!(whole, "a batch was torn apart: {group:?}");
    }
}

fn session(name: &str) -> SessionId {
    SessionId::new(name).expect("it is a session id")
}

fn stored(journal: &dyn Journal, session: &SessionId) -> Vec<Record> {
    journal.records(session).expect("the journal can be read").records
}

fn every_record() -> Vec<Record> {
    let skill = SkillId::new(SourceId::new("contract"), Locator::Path("/contract/a b/SKILL.md".into()));
    let text = "line one\nline two\r\n\u{2028}\"quoted\" \u{0} 茶 🍵".to_owned();
    vec![
        Record::Turn { index: 1, snapshot: Digest::of(b"snapshot") },
        Record::Catalog { section: "skills".to_owned(), text: Some(text.clone()) },
        Record::Catalog { section: "skills".to_owned(), text: None },
        Record::UserMessage { text: text.clone() },
        Record::Item {
            item: ContextItem {
                role: Role::User,
                kind: kind::SELECTED_SKILL.to_owned(),
                text,
                skill: Some(skill.clone()),
            },
            digest: Some(Digest::of(b"body")),
        },
        Record::Asked { question: "contract".to_owned() },
        Record::Answered { question: "contract".to_owned(), declined: true },
        Record::RolledBack { turns: 1 },
        Record::Compacted { summary: "So far, so good.".to_owned(), messages: Some(3) },
        Record::Fact { fact: Event::SkillCleared { skill } },
    ]
}
