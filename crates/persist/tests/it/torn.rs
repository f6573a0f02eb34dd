use std::fs;

use lorimer_core::{Code, Severity};
use lorimer_persist::{Journal, JournalError, JsonlJournal, Record};
use proptest::prelude::*;

use crate::{injected, message, session, told, turn};

fn batches() -> Vec<Vec<Record>> {
    vec![
        vec![turn(1), told("h", Some("- tea")), message("$tea")],
        vec![injected("tea", "Boil.")],
        vec![message("é"), message("")],
    ]
}

/// Returns the journal's bytes, and where each batch ends with the records up to there.
fn written() -> (Vec<u8>, Vec<(usize, Vec<Record>)>) {
    let directory = tempfile::tempdir().unwrap();
    let journal = JsonlJournal::open(directory.path());
    let path = journal.path(&session("one"));
    let mut ends = Vec::new();
    let mut records = Vec::new();
    for batch in batches() {
        journal.append(&session("one"), None, &batch).unwrap();
        records.extend(batch);
        let length = fs::read(&path).unwrap().len();
        ends.push((length, records.clone()));
    }
    (fs::read(&path).unwrap(), ends)
}

/// S3-50: wherever a crash cuts the file, what is resumed is whole batches, and nothing is thrown away.
#[test]
fn s3_50_every_prefix_opens_and_goes_on() {
    let (bytes, ends) = written();
    let header = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let directory = tempfile::tempdir().unwrap();
    for cut in 0..=bytes.len() {
        let one = session(&format!("cut-{cut}"));
        let journal = JsonlJournal::open(directory.path());
        let path = journal.path(&one);
        fs::write(&path, &bytes[..cut]).unwrap();

        let none = (if cut < header { 0 } else { header }, Vec::new());
        let (end, expected) = ends.iter().rev().find(|(end, _)| *end <= cut).unwrap_or(&none);
        let records = journal.records(&one).unwrap();
        assert_eq!(&records.records, expected, "cut at {cut}");
        let torn: Vec<_> = records.diagnostics.iter().map(|found| (found.code, found.severity)).collect();
        let expected_torn =
            if cut > *end { vec![(Code::JournalTornTail, Severity::Warning)] } else { vec![] };
        assert_eq!(torn, expected_torn, "cut at {cut}");
        assert_eq!(fs::read(&path).unwrap(), bytes[..cut], "reading changes nothing");

        let sequence = journal.append(&one, None, &[message("next")]).unwrap();
        assert_eq!(sequence, expected.len() as u64 + 1, "cut at {cut}");
        let after = journal.records(&one).unwrap();
        assert_eq!(after.records[..expected.len()], *expected);
        assert_eq!(after.records[expected.len()..], [message("next")]);
        assert_eq!(after.diagnostics, [], "cut at {cut}");
        let aside = fs::read(directory.path().join(format!("cut-{cut}.jsonl.torn"))).unwrap_or_default();
        assert_eq!(aside, bytes[*end..cut], "what was cut is kept");
    }
}

/// Some file systems leave zeros where a write did not arrive.
#[test]
fn zeros_behind_the_last_batch_are_a_torn_tail() {
    let (bytes, ends) = written();
    let directory = tempfile::tempdir().unwrap();
    let journal = JsonlJournal::open(directory.path());
    fs::write(journal.path(&session("one")), [&bytes[..ends[1].0], &[0; 64]].concat()).unwrap();
    let records = journal.records(&session("one")).unwrap();
    assert_eq!(records.records, ends[1].1);
    assert_eq!(records.diagnostics.len(), 1);
    fs::write(journal.path(&session("two")), [0; 64]).unwrap();
    assert_eq!(journal.records(&session("two")).unwrap().records, []);
    assert_eq!(journal.append(&session("two"), None, &[turn(1)]).unwrap(), 1);
    assert_eq!(journal.records(&session("two")).unwrap().records, [turn(1)]);
}

#[test]
fn two_torn_tails_are_both_kept() {
    let directory = tempfile::tempdir().unwrap();
    let one = session("one");
    for tail in ["{\"first", "{\"second"] {
        let journal = JsonlJournal::open(directory.path());
        journal.append(&one, None, &[turn(1)]).unwrap();
        let mut bytes = fs::read(journal.path(&one)).unwrap();
        bytes.extend_from_slice(tail.as_bytes());
        fs::write(journal.path(&one), bytes).unwrap();
        journal.append(&one, None, &[turn(2)]).unwrap();
    }
    let aside = fs::read_to_string(directory.path().join("one.jsonl.torn")).unwrap();
    assert_eq!(aside, "{\"first{\"second");
}

/// A bad line with whole batches behind it is no crash; nothing is repaired, and the line is named.
#[test]
fn a_bad_line_in_the_middle_is_an_error_with_its_line() {
    let (bytes, _) = written();
    let text = String::from_utf8(bytes).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for (index, replacement) in [
        (0, "{\"journal\":\"other\",\"version\":1}\n"),
        (0, "not json\n"),
        (2, "not json\n"),
        (2, ""),
        (3, "{\"seq\":3,\"record\":\"user-message\",\"text\":\"forged\",\"batch\":2}\n"),
        (4, "{\"seq\":4,\"record\":\"item\",\"batch\":1}\n"),
        (1, "{\"seq\":1,\"record\":7}\n"),
    ] {
        let mut damaged: Vec<&str> = lines.clone();
        damaged[index] = replacement;
        let directory = tempfile::tempdir().unwrap();
        let journal = JsonlJournal::open(directory.path());
        let one = session("one");
        fs::write(journal.path(&one), damaged.concat()).unwrap();
        for error in [journal.records(&one).unwrap_err(), journal.append(&one, None, &[turn(9)]).unwrap_err()]
        {
            match error {
                JournalError::Corrupt { line, .. } => assert_eq!(line, index + 1, "{replacement}"),
                other => panic!("{replacement}: {other}"),
            }
        }
        assert_eq!(fs::read_to_string(journal.path(&one)).unwrap(), damaged.concat());
    }
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let journal = JsonlJournal::open(directory.path());
    fs::write(journal.path(&session("notes")), "my notes").unwrap();
    let error = journal.append(&session("notes"), None, &[turn(1)]).unwrap_err();
    assert!(
        error.to_string().ends_with(":1: expected a journal record; the file was changed by something else")
    );
    assert_eq!(fs::read_to_string(journal.path(&session("notes"))).unwrap(), "my notes");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever bytes are behind or in a journal, reading it never panics, and what it returns was written.
    #[test]
    fn damage_never_panics(at in 0_usize..900, bytes in prop::collection::vec(any::<u8>(), 0..20), insert in any::<bool>()) {
        let (mut file, ends) = written();
        let at = at.min(file.len());
        let until = if insert { at } else { (at + bytes.len()).min(file.len()) };
        file.splice(at..until, bytes);
        let directory = tempfile::tempdir().unwrap();
        let journal = JsonlJournal::open(directory.path());
        fs::write(journal.path(&session("one")), &file).unwrap();
        if let Ok(records) = journal.records(&session("one")) {
            prop_assert!(records.records.len() <= ends[2].1.len());
            let sequence = journal.append(&session("one"), None, &[turn(7)]).unwrap();
            let after = journal.records(&session("one")).unwrap();
            prop_assert!(sequence >= after.records.len() as u64);
            prop_assert_eq!(after.records.last(), Some(&turn(7)));
        }
    }
}
