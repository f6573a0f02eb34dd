//! What one source knew after its last scan, in memory and as a file.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;
use std::path::Path;

use lorimer_core::Digest;

use super::codec::{Reader, Writer};

/// The first bytes of a file. The number is the version of the format.
const MAGIC: &[u8] = b"lorimer metadata cache 2\n";

/// Entries by the hash of their path. An entry tells itself whether it is about a path, so two paths with one hash cost
/// a second look at a file and nothing else.
///
/// Most entries stay where they are in the bytes of the file, so that tens of thousands of them are one allocation.
#[derive(Clone, Debug, Default)]
pub(super) struct Shard {
    file: Vec<u8>,
    /// Entries of the file that are good.
    kept: HashMap<u64, Range<usize>>,
    /// Entries that are not in the file.
    fresh: HashMap<u64, Box<[u8]>>,
    /// How many entries the file lacks or has in vain.
    stale: usize,
}

/// A file is made again when one in so many of its entries is out of date. Until then a new process reads those few skill
/// files once more, which costs less than writing everything for each edit.
const STALE: usize = 64;

/// Bytes around an entry of the file, at most; and those at its beginning.
const ROOM: usize = 128;

impl Shard {
    pub(super) fn key(path: &Path) -> u64 {
        let mut hasher = DefaultHasher::new();
        path.as_os_str().as_encoded_bytes().hash(&mut hasher);
        hasher.finish()
    }

    pub(super) fn get(&self, hash: u64) -> Option<&[u8]> {
        match self.fresh.get(&hash) {
            Some(entry) => Some(entry),
            None => self.file.get(self.kept.get(&hash)?.clone()),
        }
    }

    /// Returns the file of an honest writer around these bytes, whatever they are.
    #[cfg(any(test, fuzzing))]
    pub(super) fn around(inside: &[u8], key: &Digest) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.raw(MAGIC);
        writer.text(&key.to_string());
        writer.raw(inside);
        let mut bytes = writer.into_bytes();
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Returns the keys of all entries.
    #[cfg(any(test, fuzzing))]
    pub(super) fn keys(&self) -> Vec<u64> {
        self.kept.keys().chain(self.fresh.keys()).copied().collect()
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len() + self.fresh.len()
    }

    /// Drops all entries but those that stay and adds others. Returns whether the file is worth making again.
    pub(super) fn change(&mut self, stays: impl Fn(u64) -> bool, add: Vec<(u64, Box<[u8]>)>) -> bool {
        let before = self.len();
        self.kept.retain(|hash, _| stays(*hash));
        self.fresh.retain(|hash, _| stays(*hash));
        // An entry that was read again is one change, not two.
        let gone = (before - self.len()).saturating_sub(add.len());
        self.stale = self.stale.saturating_add(gone + add.len());
        for (hash, entry) in add {
            self.kept.remove(&hash);
            self.fresh.insert(hash, entry);
        }
        self.stale.saturating_mul(STALE) > self.len()
    }

    /// Makes the file again and returns its bytes: magic, key, entries, checksum.
    pub(super) fn make_file(&mut self, key: &Digest) -> &[u8] {
        let fresh = self.fresh.values().map(|entry| entry.len() + ROOM).sum::<usize>();
        let mut writer = Writer::with_capacity(self.file.len() + fresh + ROOM);
        writer.raw(MAGIC);
        writer.text(&key.to_string());
        writer.length(self.len());
        let kept =
            self.kept.iter().map(|(hash, range)| (hash, self.file.get(range.clone()).unwrap_or_default()));
        for (hash, entry) in kept.chain(self.fresh.iter().map(|(hash, entry)| (hash, &**entry))) {
            writer.raw(&hash.to_le_bytes());
            writer.bytes(entry);
        }
        let mut bytes = writer.into_bytes();
        bytes.extend(checksum(&bytes).to_le_bytes());
        *self = Self::from_bytes(bytes, key).unwrap_or_default();
        &self.file
    }

    /// Reads what [`Shard::make_file`] made; `None` for anything else.
    pub(super) fn from_bytes(file: Vec<u8>, key: &Digest) -> Option<Self> {
        let (bytes, sum) = file.split_last_chunk::<8>()?;
        if checksum(bytes) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut reader = Reader::new(bytes.strip_prefix(MAGIC)?);
        if reader.str()? != key.to_string() {
            return None;
        }
        let count = reader.length()?;
        let mut kept = HashMap::with_capacity(count);
        for _ in 0..count {
            let hash = u64::from_le_bytes(*reader.take(8)?.first_chunk()?);
            let length = reader.bytes()?.len();
            let end = bytes.len() - reader.left();
            kept.insert(hash, end - length..end);
        }
        reader.is_empty().then_some(())?;
        Some(Self { file, kept, fresh: HashMap::new(), stale: 0 })
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

    fn entry(index: u64) -> (u64, Box<[u8]>) {
        (index, vec![7; 3 + usize::try_from(index).unwrap()].into())
    }

    fn shard() -> Shard {
        let mut shard = Shard::default();
        assert!(shard.change(|_| false, (0..5).map(entry).collect()));
        shard
    }

    #[test]
    fn a_file_comes_back_and_any_flipped_bit_is_noticed() {
        let key = Digest::of(b"key");
        let bytes = shard().make_file(&key).to_vec();
        let back = Shard::from_bytes(bytes.clone(), &key).unwrap();
        for index in 0..5 {
            assert_eq!(back.get(index), shard().get(index));
        }
        assert!(Shard::from_bytes(bytes.clone(), &Digest::of(b"other")).is_none());
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert!(Shard::from_bytes(damaged, &key).is_none(), "bit {bit} of byte {at}");
            }
        }
        for length in 0..bytes.len() {
            assert!(Shard::from_bytes(bytes[..length].to_vec(), &key).is_none(), "cut at {length}");
        }
    }

    #[test]
    fn entries_are_kept_replaced_and_dropped() {
        let key = Digest::of(b"key");
        let mut shard = shard();
        shard.make_file(&key);
        assert!(shard.change(|hash| hash < 3, vec![(1, [9].into()), (8, [8].into())]));
        for _ in 0..2 {
            assert_eq!(shard.len(), 4);
            assert_eq!((shard.get(0), shard.get(3)), (Some(&[7; 3][..]), None));
            assert_eq!((shard.get(1), shard.get(8)), (Some(&[9][..]), Some(&[8][..])));
            shard.make_file(&key);
        }
        assert!(!shard.change(|_| true, Vec::new()), "nothing changed");
    }
}
