//! The text form of a journal.
//!
//! The first line is a header. Every other line is one record with its number, and the last line of a batch says how
//! many lines the batch has. Only whole batches count: what stands behind the last one was never acknowledged.

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Record, Sequence};

/// The newest format that can be read, and the one that is written.
pub(crate) const VERSION: u32 = 1;

/// The first line.
pub(crate) const HEADER: &str = "{\"journal\":\"lorimer\",\"version\":1}\n";

/// Records of these kinds are known; a kind that is not listed comes from a later version.
const KNOWN: [&str; 9] =
    ["turn", "catalog", "user-message", "item", "asked", "answered", "rolled-back", "compacted", "fact"];

/// Returns the kind of a record. A variant that is missing here does not compile; its kind belongs into [`KNOWN`] too,
/// or what is written today would be skipped tomorrow.
fn kind_of(record: &Record) -> &'static str {
    match record {
        Record::Turn { .. } => "turn",
        Record::Catalog { .. } => "catalog",
        Record::UserMessage { .. } => "user-message",
        Record::Item { .. } => "item",
        Record::Asked { .. } => "asked",
        Record::Answered { .. } => "answered",
        Record::RolledBack { .. } => "rolled-back",
        Record::Compacted { .. } => "compacted",
        Record::Fact { .. } => "fact",
    }
}

#[derive(Deserialize)]
struct Header {
    journal: String,
    version: u32,
}

#[derive(Serialize)]
struct Line<'a> {
    seq: Sequence,
    #[serde(flatten)]
    record: &'a Record,
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<usize>,
}

/// What a file holds.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// Records that are known, first to last.
    pub(crate) records: Vec<Record>,
    /// Line and kind of each record that is not.
    pub(crate) unknown: Vec<(usize, String)>,
    /// Number of the last record, known or not.
    pub(crate) sequence: Sequence,
    /// Bytes up to the end of the last whole batch.
    pub(crate) committed: usize,
}

/// Why a file cannot be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Corrupt { line: usize, source: serde_json::Error },
    Newer { found: u32 },
}

/// Adds one batch to `out`; the first record gets the number behind `last`.
pub(crate) fn encode(out: &mut Vec<u8>, last: Sequence, records: &[Record]) -> Result<(), serde_json::Error> {
    for ((record, seq), place) in records.iter().zip(last + 1..).zip(1..) {
        debug_assert!(KNOWN.contains(&kind_of(record)), "the record's kind would not be read again");
        let batch = (place == records.len()).then_some(place);
        serde_json::to_writer(&mut *out, &Line { seq, record, batch })?;
        out.push(b'\n');
    }
    Ok(())
}

/// Reads a file. What stands behind the last whole batch is left out, unless a whole batch stands behind it: then the
/// file was changed by something else.
pub(crate) fn parse(bytes: &[u8]) -> Result<Parsed, Unreadable> {
    let mut parsed = Parsed::default();
    let mut lines = complete_lines(bytes);
    let Some((header, mut offset)) = lines.next() else {
        // A crash while the file was made leaves a part of the header, or zeros on some file systems.
        if HEADER.as_bytes().starts_with(bytes) || bytes.iter().all(|byte| *byte == 0) {
            return Ok(parsed);
        }
        return Err(Unreadable::Corrupt { line: 1, source: serde_json::Error::custom("no header") });
    };
    check_header(header)?;
    parsed.committed = offset;

    let mut batch = Vec::new();
    let mut sequence = 0;
    let mut number = 1;
    while let Some((line, end)) = lines.next() {
        number += 1;
        sequence += 1;
        let (record, size) = match parse_line(line, sequence, batch.len()) {
            Ok(found) => found,
            Err(source) => {
                if lines.any(|(line, _)| ends_batch(line)) {
                    return Err(Unreadable::Corrupt { line: number, source });
                }
                break;
            }
        };
        batch.push((number, record));
        offset = end;
        if size.is_some() {
            for (line, record) in batch.drain(..) {
                match record {
                    Ok(record) => parsed.records.push(record),
                    Err(kind) => parsed.unknown.push((line, kind)),
                }
            }
            parsed.sequence = sequence;
            parsed.committed = offset;
        }
    }
    Ok(parsed)
}

/// Returns each line that has its line feed, without it, and the offset behind it.
fn complete_lines(bytes: &[u8]) -> impl Iterator<Item = (&[u8], usize)> {
    let mut offset = 0;
    bytes.split_inclusive(|byte| *byte == b'\n').filter_map(move |line| {
        offset += line.len();
        line.strip_suffix(b"\n").map(|line| (line, offset))
    })
}

fn check_header(line: &[u8]) -> Result<(), Unreadable> {
    let corrupt = |source| Unreadable::Corrupt { line: 1, source };
    let header: Header = serde_json::from_slice(line).map_err(corrupt)?;
    if header.journal != "lorimer" || header.version == 0 {
        return Err(corrupt(serde_json::Error::custom("the header is the one of something else")));
    }
    if header.version > VERSION {
        return Err(Unreadable::Newer { found: header.version });
    }
    Ok(())
}

/// Returns the record, or its kind where that is unknown, and the size of the batch that it ends.
fn parse_line(
    line: &[u8],
    sequence: Sequence,
    before: usize,
) -> Result<(Result<Record, String>, Option<u64>), serde_json::Error> {
    let mut fields: Map<String, Value> = serde_json::from_slice(line)?;
    if fields.remove("seq").and_then(|seq| seq.as_u64()) != Some(sequence) {
        return Err(serde_json::Error::custom(format!("expected the record {sequence}")));
    }
    let size = fields.remove("batch").map(|size| size.as_u64().unwrap_or_default());
    if size.is_some_and(|size| usize::try_from(size) != Ok(before + 1)) {
        return Err(serde_json::Error::custom(format!("expected the end of a batch of {}", before + 1)));
    }
    let Some(kind) = fields.get("record").and_then(Value::as_str).map(str::to_owned) else {
        return Err(serde_json::Error::missing_field("record"));
    };
    if !KNOWN.contains(&kind.as_str()) {
        return Ok((Err(kind), size));
    }
    match serde_json::from_value(Value::Object(fields)) {
        Ok(record) => Ok((Ok(record), size)),
        // Events grow with the version, and a fact has no part in the state, so a new one does no harm.
        Err(_) if kind == "fact" => Ok((Err(kind), size)),
        Err(source) => Err(source),
    }
}

fn ends_batch(line: &[u8]) -> bool {
    let fields: Result<Map<String, Value>, _> = serde_json::from_slice(line);
    fields.is_ok_and(|fields| {
        let has = |key| fields.get(key).is_some_and(Value::is_u64);
        has("seq") && has("batch")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{ContextItem, Digest, Event, Role};

    #[test]
    fn every_kind_is_known_and_the_text_form_is_pinned() {
        let records = [
            Record::Turn { index: 1, snapshot: Digest::of(b"") },
            Record::Catalog { section: "host".to_owned(), text: Some("- tea\n".to_owned()) },
            Record::UserMessage { text: "Hi".to_owned() },
            Record::Item {
                item: ContextItem {
                    role: Role::User,
                    kind: "k".to_owned(),
                    text: "x".to_owned(),
                    skill: None,
                },
                digest: None,
            },
            Record::Asked { question: "q".to_owned() },
            Record::Answered { question: "q".to_owned(), declined: false },
            Record::RolledBack { turns: 1 },
            Record::Compacted { summary: "s".to_owned(), messages: None },
            Record::Fact { fact: Event::SessionResumed { turns: 1 } },
        ];
        let mut bytes = HEADER.as_bytes().to_vec();
        encode(&mut bytes, 0, &records).unwrap();
        insta::assert_snapshot!(String::from_utf8_lossy(&bytes), @r#"
        {"journal":"lorimer","version":1}
        {"seq":1,"record":"turn","index":1,"snapshot":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}
        {"seq":2,"record":"catalog","section":"host","text":"- tea\n"}
        {"seq":3,"record":"user-message","text":"Hi"}
        {"seq":4,"record":"item","item":{"role":"user","kind":"k","text":"x"}}
        {"seq":5,"record":"asked","question":"q"}
        {"seq":6,"record":"answered","question":"q","declined":false}
        {"seq":7,"record":"rolled-back","turns":1}
        {"seq":8,"record":"compacted","summary":"s"}
        {"seq":9,"record":"fact","fact":{"event":"session.resumed","turns":1},"batch":9}
        "#);
        let parsed = parse(&bytes).unwrap();
        assert_eq!(parsed.records, records);
        assert_eq!((parsed.committed, parsed.sequence), (bytes.len(), 9));
        assert_eq!(records.iter().map(kind_of).collect::<Vec<_>>(), KNOWN, "every kind, once");
    }
}
