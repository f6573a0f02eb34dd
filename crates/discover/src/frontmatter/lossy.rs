//! Bytes that are not UTF-8, read as U+FFFD, and the way back to their places in the file.

use std::ops::Range;

use super::Outcome;
use super::span::span_of;

/// A file with U+FFFD in the place of what is not UTF-8.
#[derive(Debug)]
pub(super) struct Lossy {
    pub(super) text: String,
    /// Where each replacement stands in the text, and what it stands for in the file; ascending.
    replaced: Vec<(usize, Range<usize>)>,
}

impl Lossy {
    /// Returns `None` for a file that is UTF-8, which most are.
    pub(super) fn of(file: &[u8]) -> Option<Self> {
        if std::str::from_utf8(file).is_ok() {
            return None;
        }
        let mut lossy = Self { text: String::with_capacity(file.len() + 16), replaced: Vec::new() };
        let mut at = 0;
        for chunk in file.utf8_chunks() {
            lossy.text.push_str(chunk.valid());
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                let end = at + chunk.invalid().len();
                lossy.replaced.push((lossy.text.len(), at..end));
                lossy.text.push(char::REPLACEMENT_CHARACTER);
                at = end;
            }
        }
        Some(lossy)
    }

    /// Puts the places of an outcome into the file, whose bytes they are about.
    pub(super) fn restore(&self, mut outcome: Outcome, file: &[u8]) -> Outcome {
        for span in outcome.findings.iter_mut().filter_map(|finding| finding.span.as_mut()) {
            *span = span_of(file, &self.original(&(span.start..span.end)));
        }
        if let Some(fenced) = &mut outcome.fenced {
            fenced.frontmatter = self.original(&fenced.frontmatter);
            fenced.body = self.original(&fenced.body);
        }
        outcome
    }

    fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.original_offset(range.start)..self.original_offset(range.end)
    }

    fn original_offset(&self, at: usize) -> usize {
        let before = self.replaced.partition_point(|(start, _)| *start <= at);
        let Some((start, original)) = before.checked_sub(1).and_then(|last| self.replaced.get(last)) else {
            return at;
        };
        match (at - start).checked_sub(char::REPLACEMENT_CHARACTER.len_utf8()) {
            Some(behind) => original.end + behind,
            None => original.start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_lead_back_to_the_file() {
        let file = b"a\xff\xc3\xa9\xe2\x82b\x80";
        let lossy = Lossy::of(file).unwrap();
        assert_eq!(lossy.text, "a\u{fffd}\u{e9}\u{fffd}b\u{fffd}");
        let original: Vec<usize> =
            lossy.text.char_indices().map(|(at, _)| lossy.original_offset(at)).collect();
        assert_eq!(original, [0, 1, 2, 4, 6, 7]);
        assert_eq!(lossy.original_offset(lossy.text.len()), file.len());
        assert!(Lossy::of("é".as_bytes()).is_none());
    }
}
