//! What one source knew after its last scan, in memory and as a file.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::Arc;

use lorimer_core::Digest;

use super::codec::{Reader, Writer};

/// The first bytes of a file. The number is the version of the format.
const MAGIC: &[u8] = b"lorimer metadata cache 1\n";

/// Entries by the hash of their path. An entry tells itself whether it is about a path, so two paths with one hash cost
/// a second look at a file and nothing else.
#[derive(Clone, Debug, Default)]
pub(super) struct Shard {
    pub(super) entries: HashMap<u64, Arc<[u8]>>,
    /// How many entries the file on disk lacks or has in vain.
    pub(super) unsaved: usize,
}

/// A file on disk is written again when one in so many of its entries is out of date. Until then a new process reads
/// those few skill files once more, which costs less than writing everything for each edit.
const STALE: usize = 64;

impl Shard {
    pub(super) fn key(path: &Path) -> u64 {
        let mut hasher = DefaultHasher::new();
        path.as_os_str().as_encoded_bytes().hash(&mut hasher);
        hasher.finish()
    }

    pub(super) fn is_worth_saving(&self) -> bool {
        self.unsaved.saturating_mul(STALE) > self.entries.len()
    }

    /// Returns the bytes of the file: magic, key, entries, checksum.
    pub(super) fn to_bytes(&self, key: &Digest) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.raw(MAGIC);
        writer.text(&key.to_string());
        writer.length(self.entries.len());
        for (hash, entry) in &self.entries {
            writer.raw(&hash.to_le_bytes());
            writer.bytes(entry);
        }
        let mut bytes = writer.into_bytes();
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`Shard::to_bytes`] made; `None` for anything else.
    pub(super) fn from_bytes(bytes: &[u8], key: &Digest) -> Option<Self> {
        let (bytes, sum) = bytes.split_last_chunk::<8>()?;
        if checksum(bytes) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut reader = Reader::new(bytes.strip_prefix(MAGIC)?);
        if reader.str()? != key.to_string() {
            return None;
        }
        let count = reader.length()?;
        let mut entries = HashMap::with_capacity(count);
        for _ in 0..count {
            let hash = u64::from_le_bytes(*reader.take(8)?.first_chunk()?);
            entries.insert(hash, Arc::from(reader.bytes()?));
        }
        reader.is_empty().then_some(Self { entries, unsaved: 0 })
    }
}

/// Tells a damaged file. It guards against accidents; whoever may write to the folder may write anything anyway.
fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(FACTOR, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    let sum = rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)));
    mix(sum, u64::try_from(bytes.len()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard() -> Shard {
        let entries =
            (0..5_u64).map(|index| (index, Arc::from(vec![7_u8; 3 + usize::try_from(index).unwrap()])));
        Shard { entries: entries.collect(), unsaved: 3 }
    }

    #[test]
    fn a_file_comes_back_and_any_flipped_bit_is_noticed() {
        let key = Digest::of(b"key");
        let bytes = shard().to_bytes(&key);
        assert_eq!(Shard::from_bytes(&bytes, &key).unwrap().entries, shard().entries);
        assert!(Shard::from_bytes(&bytes, &Digest::of(b"other")).is_none());
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert!(Shard::from_bytes(&damaged, &key).is_none(), "bit {bit} of byte {at}");
            }
        }
        for length in 0..bytes.len() {
            assert!(Shard::from_bytes(&bytes[..length], &key).is_none(), "cut at {length}");
        }
    }
}
