//! Lines and columns of a file.

use std::ops::Range;

use lorimer_core::Span;

/// Returns the span of a byte range, with line and column of the file.
pub(crate) fn span_of(bytes: &[u8], range: &Range<usize>) -> Span {
    let start = range.start.min(bytes.len());
    let before = bytes.get(..start).unwrap_or_default();
    let mut line = 1_usize;
    let mut line_start = 0;
    let mut at = 0;
    while let Some(offset) =
        before.get(at..).and_then(|rest| rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')))
    {
        let end = at + offset;
        // CRLF is one line end, also when the range starts between its two bytes.
        at = if bytes.get(end) == Some(&b'\r') && bytes.get(end + 1) == Some(&b'\n') {
            end + 2
        } else {
            end + 1
        };
        if at > start {
            break;
        }
        line += 1;
        line_start = at;
    }
    // Continuation bytes start no character; a byte order mark is none.
    let from = if line == 1 && bytes.starts_with(super::fence::BYTE_ORDER_MARK) { 3 } else { line_start };
    let column =
        before.get(from..).map_or(0, |rest| rest.iter().filter(|byte| (**byte & 0xC0) != 0x80).count());
    Span {
        start,
        end: range.end.clamp(start, bytes.len().max(start)),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: u32::try_from(column + 1).unwrap_or(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, offset: usize) -> (u32, u32) {
        let span = span_of(text.as_bytes(), &(offset..offset));
        (span.line, span.column)
    }

    #[test]
    fn lines_end_with_lf_crlf_and_lone_cr_and_columns_count_characters() {
        let text = "a\nb\r\nc\rdé!";
        assert_eq!(at(text, 0), (1, 1));
        assert_eq!(at(text, 2), (2, 1));
        assert_eq!(at(text, 4), (2, 3), "between CR and LF is still that line");
        assert_eq!(at(text, 5), (3, 1));
        assert_eq!(at(text, 7), (4, 1));
        assert_eq!(at(text, 10), (4, 3));
        assert_eq!(at(text, 99), (4, 4));
        assert_eq!(at("\u{feff}ab", 4), (1, 2));
    }
}
