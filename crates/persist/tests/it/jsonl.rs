use std::fs;

use lorimer_core::Code;
use lorimer_persist::{Journal, JournalError, JsonlJournal, MemoryJournal, Record, SessionId};
use proptest::prelude::*;

use crate::{any_record, injected, message, session, told, turn};

#[test]
fn what_was_appended_is_read_again_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let journal = JsonlJournal::open(directory.path().join("deep/er"));
    let (one, two) = (session("one"), session("two"));
    assert_eq!(journal.records(&one).unwrap().records, []);
    assert_eq!(journal.append(&one, None, &[]).unwrap(), 0);
    assert!(!directory.path().join("deep").exists(), "nothing is made before the first record");

    assert_eq!(journal.append(&one, None, &[turn(1), message("Hi\n\u{2028}\"")]).unwrap(), 2);
    assert_eq!(journal.append(&two, None, &[message("other")]).unwrap(), 1);
    assert_eq!(journal.append(&one, None, &[injected("tea", "Boil.")]).unwrap(), 3);
    assert_eq!(journal.append(&one, None, &[]).unwrap(), 3);

    let again = JsonlJournal::open(directory.path().join("deep/er"));
    let records = again.records(&one).unwrap();
    assert_eq!(records.records, [turn(1), message("Hi\n\u{2028}\""), injected("tea", "Boil.")]);
    assert_eq!(records.diagnostics, []);
    assert_eq!(again.append(&one, None, &[turn(2)]).unwrap(), 4);
    assert_eq!(again.sessions().unwrap(), [one, two]);
}

/// S3-27: what stands in the file stays there, byte for byte.
#[test]
fn s3_27_nothing_is_rewritten() {
    let directory = tempfile::tempdir().unwrap();
    let journal = JsonlJournal::open(directory.path());
    let one = session("one");
    let mut before = Vec::new();
    for index in 1..5 {
        journal.append(&one, None, &[turn(index), told("host", Some("- tea"))]).unwrap();
        let after = fs::read(journal.path(&one)).unwrap();
        assert!(after.starts_with(&before) && after.len() > before.len());
        before = after;
    }
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_a_session() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let journal = JsonlJournal::open(directory.path().join("sessions"));
    journal.append(&session("one"), None, &[message("secret")]).unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(journal.path(&session("one"))), 0o600);
    assert_eq!(mode(directory.path().join("sessions")), 0o700);
}

#[test]
fn threads_do_not_lose_or_mix_batches() {
    let directory = tempfile::tempdir().unwrap();
    // Two journals, as two processes would have them, and two threads on each.
    let journals = [JsonlJournal::open(directory.path()), JsonlJournal::open(directory.path())];
    let one = session("one");
    std::thread::scope(|scope| {
        for (number, journal) in journals.iter().chain(&journals).enumerate() {
            let one = &one;
            scope.spawn(move || {
                for round in 0..10 {
                    let text = format!("{number} {round}");
                    while let Err(error) = journal.append(one, None, &[message(&text), message(&text)]) {
                        assert!(matches!(error, JournalError::Busy { .. }), "{error}");
                    }
                }
            });
        }
    });
    let records = journals[0].records(&one).unwrap();
    assert_eq!(records.diagnostics, []);
    assert_eq!(records.records.len(), 80);
    assert!(records.records.chunks(2).all(|pair| pair[0] == pair[1]), "batches stay together");
    for number in 0..4 {
        let prefix = format!("{number} ");
        let rounds: Vec<_> = records
            .records
            .iter()
            .step_by(2)
            .filter_map(|record| match record {
                Record::UserMessage { text } => text.strip_prefix(&prefix)?.parse::<u32>().ok(),
                _ => None,
            })
            .collect();
        assert_eq!(rounds, (0..10).collect::<Vec<_>>(), "each thread's batches stay in order");
    }
}

#[test]
fn another_writer_is_busy() {
    let directory = tempfile::tempdir().unwrap();
    let journal = JsonlJournal::open(directory.path());
    let one = session("one");
    journal.append(&one, None, &[turn(1)]).unwrap();
    let holder = fs::OpenOptions::new().write(true).open(journal.path(&one)).unwrap();
    holder.lock().unwrap();
    let error = journal.append(&one, None, &[turn(2)]).unwrap_err();
    assert!(matches!(&error, JournalError::Busy { path } if *path == journal.path(&one)), "{error}");
    holder.unlock().unwrap();
    assert_eq!(journal.append(&one, None, &[turn(2)]).unwrap(), 2);
}

#[test]
fn a_directory_that_cannot_be_written_gives_a_clear_error() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "x").unwrap();
    let journal = JsonlJournal::open(file.join("sessions"));
    let error = journal.append(&session("one"), None, &[turn(1)]).unwrap_err();
    assert!(matches!(error, JournalError::Io { .. }), "{error}");
    assert!(error.to_string().starts_with("cannot "), "{error}");
    assert!(std::error::Error::source(&error).is_some());
}

#[cfg(unix)]
#[test]
fn a_read_only_directory_gives_a_clear_error_and_can_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let journal = JsonlJournal::open(directory.path());
    journal.append(&session("old"), None, &[turn(1)]).unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o500)).unwrap();
    assert_eq!(journal.records(&session("old")).unwrap().records, [turn(1)]);
    // The superuser may write everywhere.
    if fs::write(directory.path().join("probe"), "").is_err() {
        let error = journal.append(&session("new"), None, &[turn(1)]).unwrap_err();
        let expected = format!("cannot create {}", journal.path(&session("new")).display());
        assert_eq!(error.to_string(), expected);
    }
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
}

/// A record of a newer kind stays in the file, counts in the numbering, and is reported.
#[test]
fn a_newer_kind_is_kept_and_reported() {
    let directory = tempfile::tempdir().unwrap();
    let journal = JsonlJournal::open(directory.path());
    let one = session("one");
    let newer = concat!(
        "{\"journal\":\"lorimer\",\"version\":1,\"by\":\"later\"}\n",
        "{\"seq\":1,\"record\":\"user-message\",\"text\":\"a\",\"mood\":\"new field\"}\n",
        "{\"seq\":2,\"record\":\"dream\",\"of\":\"sheep\"}\n",
        "{\"seq\":3,\"record\":\"fact\",\"fact\":{\"event\":\"skill.dreamt\"},\"batch\":3}\n",
    );
    fs::write(journal.path(&one), newer).unwrap();
    let records = journal.records(&one).unwrap();
    assert_eq!(records.records, [message("a")]);
    let codes: Vec<_> = records.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::JournalUnknownRecord; 2]);
    assert_eq!(
        records.diagnostics[0].message,
        "the record `dream` in line 3 is of a newer kind and was skipped"
    );
    assert_eq!(journal.append(&one, None, &[message("b")]).unwrap(), 4);
    assert!(fs::read_to_string(journal.path(&one)).unwrap().starts_with(newer));
    assert_eq!(journal.records(&one).unwrap().records, [message("a"), message("b")]);
}

#[test]
fn a_newer_format_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let journal = JsonlJournal::open(directory.path());
    let one = session("one");
    let newer = "{\"journal\":\"lorimer\",\"version\":2}\nsomething else";
    fs::write(journal.path(&one), newer).unwrap();
    for error in [journal.records(&one).unwrap_err(), journal.append(&one, None, &[turn(1)]).unwrap_err()] {
        assert!(matches!(error, JournalError::NewerFormat { found: 2, supported: 1, .. }), "{error}");
    }
    assert_eq!(fs::read_to_string(journal.path(&one)).unwrap(), newer);
}

#[test]
fn session_ids_are_file_names() {
    for bad in ["", ".", "..", ".hidden", "a/b", "a\\b", "ü", "a b", "a\0", &"x".repeat(129)] {
        assert!(SessionId::new(bad).is_err(), "{bad:?}");
    }
    assert!(SessionId::new("2026-11-30_a.b").is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Both journals keep the same, whatever the batches are.
    #[test]
    fn the_file_and_the_memory_agree(
        batches in prop::collection::vec((any::<bool>(), prop::collection::vec(any_record(), 0..4)), 0..6),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let memory = MemoryJournal::new();
        for (second, batch) in &batches {
            // Each batch by a new value, as after a restart.
            let file = JsonlJournal::open(directory.path());
            let session = session(if *second { "two" } else { "one" });
            prop_assert_eq!(file.append(&session, None, batch).unwrap(), memory.append(&session, None, batch).unwrap());
        }
        let file = JsonlJournal::open(directory.path());
        for name in ["one", "two", "three"] {
            prop_assert_eq!(file.records(&session(name)).unwrap(), memory.records(&session(name)).unwrap());
        }
    }
}
