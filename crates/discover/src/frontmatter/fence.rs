//! Where the frontmatter begins and ends, byte by byte.

use std::ops::Range;

use lorimer_core::Content;

use super::Reading;

/// How a fence line is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceRule {
    /// A line that is `---` and nothing but blanks behind it. An indented `---` is text, as in a block scalar.
    /// LF, CRLF and a lone CR end a line.
    Column0,
    /// A line that is `---` and nothing else. Only LF and CRLF end a line.
    Exact,
    /// A line that is `---` once Unicode white space on both sides is trimmed, so an indented `---` inside a
    /// block scalar closes. Only LF and CRLF end a line, and two fences with no line between them are none.
    Trimmed,
    /// The text starts with `---` + LF; the frontmatter ends at the first LF + `---` at or behind byte 4, and
    /// the body starts right behind that (S1-08).
    Minimal,
    /// The text starts with `---`, whatever follows; the frontmatter runs from behind the next character to the first
    /// LF + `---`, and the body starts right behind that.
    Prefix,
    /// The text starts with `---`, and what follows on that line belongs to the frontmatter. A line that is `---` and
    /// nothing but blanks behind it closes, if a line feed ends it. The line end before it belongs to the fence.
    OpenText,
}

/// A text with frontmatter, as byte ranges of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fenced {
    /// The text between the fences, without them.
    pub frontmatter: Range<usize>,
    /// Everything behind the closing fence.
    pub body: Range<usize>,
}

/// Splits a text at its fences; `None` where there is no frontmatter or it is never closed.
///
/// ```
/// use lorimer_discover::frontmatter::{FenceRule, split};
/// let text = "---\nname: a\n---\nBody\n";
/// let fenced = split(text, FenceRule::Column0).unwrap();
/// assert_eq!(&text[fenced.frontmatter], "name: a\n");
/// assert_eq!(&text[fenced.body], "Body\n");
/// ```
pub fn split(text: &str, rule: FenceRule) -> Option<Fenced> {
    match search(text.as_bytes(), rule, Start::default(), true) {
        Search::Found(found) => Some(found.fenced),
        _ => None,
    }
}

impl Reading {
    /// Splits a text at its fences by these rules, those about what may stand before the opening fence
    /// included; `None` where there is no frontmatter or it is never closed.
    pub fn split(&self, text: &str) -> Option<Fenced> {
        self.split_bytes(text.as_bytes())
    }

    /// Returns what was read of a skill's file, with the place where its instructions begin.
    pub(crate) fn locate(&self, content: Content) -> Content {
        let instructions = self.split_bytes(&content.bytes).map_or(0, |fenced| fenced.body.start);
        Content { instructions, ..content }
    }

    fn split_bytes(&self, file: &[u8]) -> Option<Fenced> {
        match search(file, self.fence, Start::of(self), true) {
            Search::Found(found) => Some(found.fenced),
            _ => None,
        }
    }
}

/// What may stand before the opening fence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Start {
    pub(super) byte_order_mark: bool,
    pub(super) comments: bool,
}

impl Start {
    pub(super) fn of(reading: &Reading) -> Self {
        Self { byte_order_mark: reading.skip_byte_order_mark, comments: reading.skip_leading_comments }
    }
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Search {
    Found(Found),
    /// There is no opening fence; it would have to stand here.
    Missing(usize),
    /// The opening fence stands here, and no closing one follows.
    Unclosed(Range<usize>),
    /// The bytes end before the question is answered.
    More,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) fenced: Fenced,
    /// Where the opening fence's line starts.
    pub(super) open: usize,
    /// Blank lines and comments that were skipped.
    pub(super) skipped: Range<usize>,
    /// Whether a line that starts with `#` is among them. It may as well be a heading, and the fence a rule.
    pub(super) after_hash_line: bool,
}

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Enough to tell whether a text starts with a byte order mark and an opening fence.
const MIN_BYTES: usize = 8;

/// Comments before the opening fence may not take more bytes than this.
const MAX_LEADING_BYTES: usize = 16 * 1024;

/// Looks for the fences. `whole` says that no byte follows behind `bytes`.
pub(super) fn search(bytes: &[u8], rule: FenceRule, start: Start, whole: bool) -> Search {
    if !whole && bytes.len() < MIN_BYTES {
        return Search::More;
    }
    let begin =
        if start.byte_order_mark && bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    match rule {
        FenceRule::Column0 | FenceRule::Exact | FenceRule::Trimmed => {
            search_lines(bytes, rule, begin, start.comments, whole)
        }
        FenceRule::Minimal => search_markers(bytes, begin, b"---\n", whole),
        FenceRule::Prefix => search_markers(bytes, begin, b"---", whole),
        FenceRule::OpenText => search_open_text(bytes, begin, whole),
    }
}

/// The rules that know an opening text and the marker LF + `---`, and no lines.
fn search_markers(bytes: &[u8], begin: usize, opening: &[u8], whole: bool) -> Search {
    let text = bytes.get(begin..).unwrap_or_default();
    if !text.starts_with(opening) {
        return Search::Missing(begin);
    }
    let from = opening.len();
    let Some(close) = text.get(from..).and_then(|rest| find(rest, b"\n---")).map(|at| at + from) else {
        return if whole { Search::Unclosed(begin..begin + 3) } else { Search::More };
    };
    // The marker's own line end, or whatever character stands in its place, is not part of the frontmatter.
    let is_inside = |at: &usize| text.get(*at).is_some_and(|byte| (byte & 0xC0) == 0x80);
    let start = (4..close).find(|at| !is_inside(at)).unwrap_or(close);
    Search::Found(Found {
        fenced: Fenced { frontmatter: begin + start..begin + close, body: begin + close + 4..bytes.len() },
        open: begin,
        skipped: begin..begin,
        after_hash_line: false,
    })
}

/// The rule by which the opening line is text.
fn search_open_text(bytes: &[u8], begin: usize, whole: bool) -> Search {
    let start = begin + 3;
    if !bytes.get(begin..).is_some_and(|text| text.starts_with(b"---")) {
        return Search::Missing(begin);
    }
    let mut lines = Lines { bytes, at: start, lone_cr: true, whole };
    // The rest of the opening line closes nothing.
    let _ = lines.next();
    for line in lines {
        let content = bytes.get(line.content.clone()).unwrap_or_default();
        if is_fence(content, FenceRule::OpenText) && line.next > line.content.end {
            let before = bytes.get(start..line.content.start).unwrap_or_default();
            let text = before.strip_suffix(b"\n").unwrap_or(before);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            return Search::Found(Found {
                fenced: Fenced { frontmatter: start..start + text.len(), body: line.next..bytes.len() },
                open: begin,
                skipped: begin..begin,
                after_hash_line: false,
            });
        }
    }
    if whole { Search::Unclosed(begin..start) } else { Search::More }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn search_lines(bytes: &[u8], rule: FenceRule, begin: usize, comments: bool, whole: bool) -> Search {
    let mut lines = Lines { bytes, at: begin, lone_cr: rule == FenceRule::Column0, whole };
    let mut after_hash_line = false;
    let mut in_comment = false;
    let opening = loop {
        let Some(line) = lines.next() else {
            return if whole { Search::Missing(begin) } else { Search::More };
        };
        let content = bytes.get(line.content.clone()).unwrap_or_default();
        if !in_comment && is_fence(content, rule) {
            break line;
        }
        if !comments || line.next - begin > MAX_LEADING_BYTES || !skips(content, &mut in_comment) {
            return Search::Missing(begin);
        }
        // A blank line makes a heading of it, and of the fence a rule.
        if after_hash_line && content.trim_ascii().is_empty() {
            return Search::Missing(begin);
        }
        after_hash_line |= content.starts_with(b"#");
    };
    let open = opening.content.start;
    loop {
        let Some(line) = lines.next() else {
            return if whole { Search::Unclosed(opening.content) } else { Search::More };
        };
        if is_fence(bytes.get(line.content.clone()).unwrap_or_default(), rule) {
            if rule == FenceRule::Trimmed && line.content.start == opening.next {
                return Search::Missing(begin);
            }
            return Search::Found(Found {
                fenced: Fenced {
                    frontmatter: opening.next..line.content.start,
                    body: line.next..bytes.len(),
                },
                open,
                skipped: begin..open,
                after_hash_line,
            });
        }
    }
}

fn is_fence(line: &[u8], rule: FenceRule) -> bool {
    match rule {
        FenceRule::Trimmed => {
            // Most lines are told apart by this, without a look at their encoding.
            line.contains(&b'-') && std::str::from_utf8(line).is_ok_and(|line| line.trim() == "---")
        }
        FenceRule::Exact => line == b"---",
        FenceRule::Column0 | FenceRule::Minimal | FenceRule::Prefix | FenceRule::OpenText => {
            line.strip_prefix(b"---").is_some_and(|rest| rest.iter().all(|byte| matches!(byte, b' ' | b'\t')))
        }
    }
}

/// Returns whether a line before the opening fence may be skipped.
fn skips(line: &[u8], in_comment: &mut bool) -> bool {
    let mut rest = line.trim_ascii();
    if !*in_comment {
        if rest.is_empty() || line.starts_with(b"#") {
            return true;
        }
        let Some(comment) = rest.strip_prefix(b"<!--") else { return false };
        rest = comment;
        *in_comment = true;
    }
    if let Some(end) = find(rest, b"-->") {
        *in_comment = false;
        return rest.get(end + 3..).is_none_or(|behind| behind.trim_ascii().is_empty());
    }
    true
}

/// A line by its offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The line without its end.
    pub(super) content: Range<usize>,
    /// Where the next line starts.
    pub(super) next: usize,
}

/// The lines of a text. With more bytes to come, a line without an end is not yet a line.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// Whether a CR that no LF follows ends a line.
    pub(super) lone_cr: bool,
    pub(super) whole: bool,
}

impl Iterator for Lines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let start = self.at;
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let end = rest.iter().position(|byte| *byte == b'\n' || (self.lone_cr && *byte == b'\r'));
        let (length, step) = match end {
            Some(at) if rest.get(at) == Some(&b'\n') => {
                let cr = at > 0 && rest.get(at - 1) == Some(&b'\r');
                (if cr { at - 1 } else { at }, at + 1)
            }
            // Whether a CR at the very end is a whole line end is known only when the next byte is.
            Some(at) if at + 1 == rest.len() && !self.whole => return None,
            Some(at) => (at, if rest.get(at + 1) == Some(&b'\n') { at + 2 } else { at + 1 }),
            None if self.whole => (rest.len(), rest.len()),
            None => return None,
        };
        self.at = start + step;
        Some(Line { content: start..start + length, next: start + step })
    }
}
