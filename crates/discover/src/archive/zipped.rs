//! `.zip`.

use std::io::{self, BufReader, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::visit::{ArchiveError, ArchiveLimits, Input, Refused, Seen, Visitor};

/// Shows every usable file, in the order of the central directory. One entry whose bytes are damaged costs only itself.
///
/// An archive whose directory names a file twice, or that says one thing in its directory and another one beside the
/// bytes, is refused: two programs would read two things in it.
pub(super) fn visit(
    input: &mut dyn Input,
    limits: &ArchiveLimits,
    visitor: &mut Visitor<'_>,
) -> Result<Vec<Refused>, ArchiveError> {
    let damaged = |error: ZipError| ArchiveError::Damaged(error.to_string());
    let mut archive = ZipArchive::new(BufReader::new(input)).map_err(damaged)?;
    let mut seen = Seen::new(limits);
    let mut total = 0_u64;
    for index in 0..archive.len() {
        seen.count()?;
        total = total.saturating_add(archive.by_index_data(index).map_err(damaged)?.size());
    }
    // The sizes that it claims; that it keeps to them is checked while reading.
    if total > limits.total_bytes {
        return Err(ArchiveError::Limit { limit: limits.total_bytes, what: "bytes, unpacked" });
    }
    archive.validate_header_consistency().map_err(damaged)?;
    for index in 0..archive.len() {
        let Some((name, size)) = admit(&archive.by_index_data(index).map_err(damaged)?, &mut seen) else {
            continue;
        };
        let mut file = match archive.by_index(index) {
            Ok(file) => file,
            Err(error) => {
                seen.refuse(name.as_bytes(), format!("it cannot be unpacked: {error}"));
                continue;
            }
        };
        if let Err(error) = visitor(&name, &mut AtMost { inner: &mut file, left: size }) {
            seen.refuse(name.as_bytes(), format!("it cannot be unpacked: {error}"));
        }
    }
    Ok(seen.refused)
}

/// Returns name and size of an entry that may be shown.
fn admit(entry: &zip::read::ZipFileEntry<'_>, seen: &mut Seen<'_>) -> Option<(String, u64)> {
    let raw_name = entry.name_raw();
    // The upper half of the mode says what kind of file it was where it was packed.
    let kind = entry.unix_mode().map_or(0, |mode| mode & 0o170_000);
    if entry.is_dir() {
        return None;
    }
    if entry.is_symlink() {
        seen.refuse(raw_name, "it is a link");
    } else if kind != 0 && kind != 0o100_000 {
        seen.refuse(raw_name, "it is no regular file");
    } else if entry.encrypted() {
        seen.refuse(raw_name, "it is encrypted");
    } else {
        let size = entry.size();
        return seen.admit(raw_name, size).map(|name| (name, size));
    }
    None
}

/// Bytes of an entry, no more than it claims to have.
struct AtMost<'r> {
    inner: &'r mut dyn Read,
    left: u64,
}

impl Read for AtMost<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = u64::try_from(read)
            .ok()
            .and_then(|read| self.left.checked_sub(read))
            .ok_or_else(|| io::Error::other("it has more bytes than it claims"))?;
        Ok(read)
    }
}
