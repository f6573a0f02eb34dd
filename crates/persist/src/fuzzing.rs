//! What holds for any bytes, for the fuzz target. Nothing of this is there in an ordinary build.
//!
//! The seeds in `fuzz/seeds/journal` go through the same function in an ordinary test.

use crate::lines::{HEADER, Unreadable, encode, parse};
use crate::replay;

/// Reads bytes as the journal of a session, and checks what comes of it.
pub fn journal(bytes: &[u8]) {
    let parsed = match parse(bytes) {
        Ok(parsed) => parsed,
        Err(Unreadable::Corrupt { line, .. }) => {
            let lines = bytes.split(|byte| *byte == b'\n').count();
            assert!((1..=lines).contains(&line), "line {line} of {lines}");
            return;
        }
        Err(Unreadable::Newer { .. }) => return,
    };
    assert!(parsed.committed <= bytes.len());
    let whole = bytes.get(..parsed.committed).unwrap_or_default();
    let again = parse(whole).expect("what counts is whole");
    assert_eq!((again.committed, again.sequence), (parsed.committed, parsed.sequence));
    assert_eq!(again.records, parsed.records);
    // A crash may cut a file anywhere, and what was acknowledged before that stays. The part of a header is known only
    // where it is one that we write.
    let ours = whole.starts_with(HEADER.as_bytes());
    for cut in [parsed.committed.saturating_sub(1), parsed.committed / 2].into_iter().filter(|_| ours) {
        let torn = parse(whole.get(..cut).unwrap_or_default()).expect("a torn journal is readable");
        assert!(torn.committed <= cut && parsed.records.starts_with(&torn.records));
    }
    let state = replay(&parsed.records);
    assert_eq!(state, replay(&parsed.records), "replaying twice");
    if let Ok(written) = written(&parsed.records) {
        assert_eq!(parse(&written).expect("what is written can be read").records, parsed.records);
    }
}

fn written(records: &[crate::Record]) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = HEADER.as_bytes().to_vec();
    encode(&mut bytes, 0, records)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn seeds_of_journal() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/journal");
        let seeds: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!seeds.is_empty(), "{} is empty", folder.display());
        for seed in seeds {
            let bytes = fs::read(&seed).unwrap();
            for end in 0..=bytes.len() {
                super::journal(&bytes[..end]);
            }
        }
    }
}
