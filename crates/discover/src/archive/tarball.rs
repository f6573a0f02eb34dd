//! `.tar.gz`.

use std::cell::Cell;
use std::io::{self, BufReader, Read};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType};

use super::visit::{ArchiveError, ArchiveLimits, Input, Refused, Seen, Visitor};

/// Shows every usable file. An error of a visitor is an error of the stream that it reads from, so it is told as damage.
///
/// The stream's checksum covers everything, so the stream is read to its end, and what was shown counts only if that
/// succeeds.
pub(super) fn visit(
    input: &mut dyn Input,
    limits: &ArchiveLimits,
    visitor: &mut Visitor<'_>,
) -> Result<Vec<Refused>, ArchiveError> {
    let over = Rc::new(Cell::new(false));
    let bounded = Bounded {
        inner: MultiGzDecoder::new(BufReader::new(input)),
        left: limits.total_bytes,
        over: Rc::clone(&over),
    };
    let failed = |error: io::Error| {
        if over.get() {
            ArchiveError::Limit { limit: limits.total_bytes, what: "bytes, unpacked" }
        } else {
            ArchiveError::Damaged(error.to_string())
        }
    };
    let mut archive = Archive::new(bounded);
    let mut seen = Seen::new(limits);
    for entry in archive.entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        seen.count()?;
        let raw_name = entry.path_bytes().into_owned();
        match entry.header().entry_type() {
            EntryType::Regular => {}
            // The comment of `git archive`, and the like.
            EntryType::Directory | EntryType::XGlobalHeader => continue,
            EntryType::Link | EntryType::Symlink => {
                seen.refuse(&raw_name, "it is a link");
                continue;
            }
            _ => {
                seen.refuse(&raw_name, "it is no regular file");
                continue;
            }
        }
        let Some(name) = seen.admit(&raw_name, entry.size()) else { continue };
        visitor(&name, &mut entry).map_err(failed)?;
    }
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(failed)?;
    Ok(seen.refused)
}

/// A stream that ends in an error where a bomb would go on.
struct Bounded<R> {
    inner: R,
    left: u64,
    over: Rc<Cell<bool>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let Some(left) = u64::try_from(read).ok().and_then(|read| self.left.checked_sub(read)) else {
            self.over.set(true);
            return Err(io::Error::other("too many bytes"));
        };
        self.left = left;
        Ok(read)
    }
}
