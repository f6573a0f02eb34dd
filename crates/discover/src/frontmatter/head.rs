//! Reads no more of a file than its metadata needs.

use std::io::{self, Read};

use lorimer_core::{Code, Digest};

use super::fence::{Search, Start, search};
use super::outcome::{Finding, Outcome};
use super::parse::parse;
use super::{BodyLine, Encoding, Reading};

/// The beginning of a file, and what was read from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// What the frontmatter says.
    pub outcome: Outcome,
    /// Digest of the bytes up to the end of the frontmatter.
    pub digest: Digest,
    /// How many bytes were read.
    pub bytes_read: usize,
}

/// Most frontmatters end in the first so many bytes.
const FIRST_CHUNK: usize = 4 * 1024;

/// A line of the body that is looked for lies in the first so many bytes of it, or nowhere.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Reads until the closing fence is found, and further only where the reading asks for it: with
/// [`Encoding::WholeFile`] and [`Encoding::FieldsOrNone`] to the end, with a [`BodyLine`] up to that line.
///
/// ```
/// use lorimer_discover::frontmatter::{Reading, read_head};
/// use std::io::Read;
/// let file = b"---\nname: a\ndescription: d\n---\n".chain(std::io::repeat(b'x').take(10_000_000));
/// let head = read_head(&mut { file }, &Reading::lenient()).unwrap();
/// assert_eq!(head.outcome.name.as_deref(), Some("a"));
/// assert!(head.bytes_read <= 4096);
/// ```
///
/// # Errors
///
/// When reading fails.
pub fn read_head(reader: &mut dyn Read, reading: &Reading) -> io::Result<Head> {
    // The heap is asked only for what does not fit into the first chunk.
    let mut chunk = [0; FIRST_CHUNK];
    let mut more = Vec::new();
    let mut filled = 0;
    loop {
        let buffer = if more.is_empty() { &mut chunk[..] } else { &mut more[..] };
        let first = filled == 0;
        let read = read_some(reader, buffer.get_mut(filled..).unwrap_or_default())?;
        filled += read;
        let full = filled == buffer.len();
        // The file's first chunk is mostly all that is needed. After that, looking at all of it again must not cost
        // more than reading it, so it is done once for each doubling.
        if read == 0 || ((first || full) && suffices(buffer.get(..filled).unwrap_or_default(), reading)) {
            break;
        }
        if full {
            if let Some(limit) = reading.limits.frontmatter_bytes
                && filled > limit
                && !needs_whole_file(reading)
            {
                let outcome = Outcome { findings: vec![never_closed(limit)], ..Outcome::default() };
                return Ok(Head { outcome, digest: Digest::of(buffer), bytes_read: filled });
            }
            if more.is_empty() {
                more.extend_from_slice(&chunk);
            }
            more.resize(filled * 2, 0);
        }
    }
    let buffer = if more.is_empty() { &chunk[..] } else { &more[..] };
    let buffer = buffer.get(..filled).unwrap_or_default();
    let outcome = parse(buffer, reading);
    let end = outcome.fenced.as_ref().map_or(filled, |fenced| fenced.body.start);
    Ok(Head { digest: Digest::of(buffer.get(..end).unwrap_or_default()), outcome, bytes_read: filled })
}

fn read_some(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

fn never_closed(limit: usize) -> Finding {
    Finding::new(
        Code::FrontmatterTooLarge,
        format!("no line `---` closes the frontmatter in the first {limit} bytes"),
    )
}

fn needs_whole_file(reading: &Reading) -> bool {
    matches!(reading.encoding, Encoding::WholeFile | Encoding::FieldsOrNone)
}

fn suffices(bytes: &[u8], reading: &Reading) -> bool {
    if needs_whole_file(reading) {
        return false;
    }
    let body = match search(bytes, reading.fence, Start::of(reading), false) {
        Search::More => return false,
        Search::Found(found) => found.fenced.body,
        Search::Missing(_) | Search::Unclosed(_) => 0..bytes.len(),
    };
    let body = bytes.get(body).unwrap_or_default();
    reading.description_from_body == BodyLine::None || body.len() > MAX_BODY_BYTES
}
