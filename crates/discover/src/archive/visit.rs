//! One look at every entry of an archive, whatever its format.

use std::collections::HashSet;
use std::io::{self, Read, Seek, SeekFrom};

use super::name::plain_name;
use super::{tarball, zipped};

/// Bounds on what an archive may cost. One that is over them is refused as a whole, except for a single large entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Bytes of the archive as it is packed.
    pub packed_bytes: u64,
    /// Entries, of any kind.
    pub entries: usize,
    /// Bytes of one entry; a larger one is refused by itself.
    pub entry_bytes: u64,
    /// Bytes of everything together, unpacked.
    pub total_bytes: u64,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self { packed_bytes: 32 << 20, entries: 10_000, entry_bytes: 8 << 20, total_bytes: 64 << 20 }
    }
}

/// Why nothing of an archive can be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    /// It is neither a zip archive nor a gzip stream.
    #[error("this is neither a zip archive nor a gzip stream")]
    UnknownFormat,
    /// It is damaged, or contradicts itself.
    #[error("the archive is damaged: {0}")]
    Damaged(String),
    /// It is over a limit.
    #[error("the archive has more than {limit} {what}")]
    Limit {
        /// How much is allowed.
        limit: u64,
        /// Of what.
        what: &'static str,
    },
}

/// An entry that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// Its name, as far as it can be shown.
    pub(crate) name: String,
    /// The name of the file that is therefore not there, where it would be one.
    pub(crate) plain: Option<String>,
    /// Why, as the end of a sentence that starts with the entry.
    pub(crate) why: String,
}

/// Is shown each regular file: its plain name and its bytes. Reading it may fail like any reading.
pub(crate) type Visitor<'v> = dyn FnMut(&str, &mut dyn Read) -> io::Result<()> + 'v;

/// Anything that an archive can be read from.
pub(crate) trait Input: Read + Seek {}

impl<R: Read + Seek> Input for R {}

/// Shows every usable file of an archive to `visitor`, in the order of the archive, and returns the entries that were
/// refused. Files whose name stands twice are among the refused, although the first of them may have been shown.
pub(crate) fn visit(
    mut input: &mut dyn Input,
    limits: &ArchiveLimits,
    visitor: &mut Visitor<'_>,
) -> Result<Vec<Refused>, ArchiveError> {
    let damaged = |error: io::Error| ArchiveError::Damaged(error.to_string());
    let length = input.seek(SeekFrom::End(0)).map_err(damaged)?;
    if length > limits.packed_bytes {
        return Err(ArchiveError::Limit { limit: limits.packed_bytes, what: "bytes" });
    }
    input.rewind().map_err(damaged)?;
    let mut magic = Vec::new();
    (&mut input).take(4).read_to_end(&mut magic).map_err(damaged)?;
    input.rewind().map_err(damaged)?;
    match magic.as_slice() {
        [0x1f, 0x8b, ..] => tarball::visit(input, limits, visitor),
        [b'P', b'K', 3, 4] | [b'P', b'K', 5, 6] => zipped::visit(input, limits, visitor),
        _ => Err(ArchiveError::UnknownFormat),
    }
}

/// What both formats count and remember.
pub(super) struct Seen<'l> {
    limits: &'l ArchiveLimits,
    entries: usize,
    names: HashSet<String>,
    pub(super) refused: Vec<Refused>,
}

impl<'l> Seen<'l> {
    pub(super) fn new(limits: &'l ArchiveLimits) -> Self {
        Self { limits, entries: 0, names: HashSet::new(), refused: Vec::new() }
    }

    /// Counts an entry of any kind.
    pub(super) fn count(&mut self) -> Result<(), ArchiveError> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            let limit = u64::try_from(self.limits.entries).unwrap_or(u64::MAX);
            return Err(ArchiveError::Limit { limit, what: "entries" });
        }
        Ok(())
    }

    pub(super) fn refuse(&mut self, raw_name: &[u8], why: impl Into<String>) {
        let name = String::from_utf8_lossy(raw_name);
        let shown: String = name.chars().take(200).flat_map(char::escape_debug).collect();
        let plain = plain_name(raw_name).ok();
        self.refused.push(Refused { name: shown, plain, why: why.into() });
    }

    /// Returns the plain name of a file that may be shown; otherwise it is refused.
    pub(super) fn admit(&mut self, raw_name: &[u8], size: u64) -> Option<String> {
        let name = match plain_name(raw_name) {
            Ok(name) => name,
            Err(why) => {
                self.refuse(raw_name, why);
                return None;
            }
        };
        if !self.names.insert(name.clone()) {
            self.refuse(name.as_bytes(), "its name stands twice, so it is not clear which one counts");
            return None;
        }
        if size > self.limits.entry_bytes {
            let why = format!("it has {size} bytes, more than {}", self.limits.entry_bytes);
            self.refuse(name.as_bytes(), why);
            return None;
        }
        Some(name)
    }
}
