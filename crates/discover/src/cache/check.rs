//! What holds for any bytes, for the fuzz targets.

use std::path::Path;

use lorimer_core::{Digest, SourceId};

use super::codec::{Reader, Writer};
use super::record::{Entry, Subject, encode};
use super::shard::Shard;

/// Reads bytes as a file, as the inside of a file, and as an entry, and checks what comes of it.
pub(crate) fn check_bytes(bytes: &[u8]) {
    let key = Digest::of(b"key");
    // A checksum is hard to guess, so most bytes are no file; they may still be the inside of one.
    for file in [bytes.to_vec(), Shard::around(bytes, &key)] {
        let Some(mut shard) = Shard::from_bytes(file.clone(), &key) else { continue };
        assert!(Shard::from_bytes(file, &Digest::of(b"another key")).is_none());
        let entries = |shard: &Shard| {
            let mut keys = shard.keys();
            keys.sort_unstable();
            let entries = keys.into_iter().map(|hash| (hash, shard.get(hash).map(<[u8]>::to_vec)));
            entries.collect::<Vec<_>>()
        };
        let before = entries(&shard);
        assert_eq!(before.len(), shard.len());
        assert!(before.iter().all(|(_, entry)| entry.is_some()));
        shard.make_file(&key);
        assert_eq!(entries(&shard), before, "a file made again holds the same");
        shard.change(|_| false, Vec::new());
        assert_eq!(shard.len(), 0);
        for (_, entry) in before {
            check_entry(entry.as_deref().unwrap_or_default());
        }
    }
    check_entry(bytes);
    let subject = subject();
    let mut writer = Writer::default();
    subject.write(&mut writer);
    writer.raw(bytes);
    check_entry(&writer.into_bytes());
    let _ = Reader::new(bytes).value();
}

fn subject() -> Subject<'static> {
    Subject { path: Path::new("/skills/a/SKILL.md"), folder: "a", loose: false }
}

/// An entry that can be read says the same once it is written again.
fn check_entry(bytes: &[u8]) {
    let read = |bytes: &[u8]| {
        let entry = Entry::open(bytes, subject())?;
        let stamps = entry.stamps;
        Some((stamps, entry.read(subject().path, &SourceId::new("host"))?))
    };
    let Some((stamps, (skill, diagnostics))) = read(bytes) else { return };
    if let Some(written) = encode(subject(), &stamps, skill.as_ref(), &diagnostics) {
        assert_eq!(read(&written), Some((stamps, (skill, diagnostics))));
    }
}
