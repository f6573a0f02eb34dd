//! The parts of a Markdown text that can name a file. It knows as much of Markdown as that needs.

use std::ops::Range;

/// Something in a text that may name a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mention<'a> {
    pub(super) text: &'a str,
    /// Where it is, in bytes of the whole text.
    pub(super) place: Range<usize>,
    pub(super) kind: Kind,
}

/// Where in a text something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The target of a link or an image.
    Link,
    /// Between backticks in a sentence.
    Code,
    /// A line of a fenced block.
    Block,
}

/// Returns what may name files, in the order of the text.
pub(super) fn mentions(text: &str) -> Vec<Mention<'_>> {
    let mut reader = Reader { text, found: Vec::new() };
    let mut fence: Option<(char, usize)> = None;
    let mut in_comment = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let place = at..at + line.trim_end_matches(['\n', '\r']).len();
        at += line.len();
        let line = text.get(place.clone()).unwrap_or_default();
        match (fence, fence_of(line)) {
            (Some((open, length)), Some((mark, count, rest)))
                if mark == open && count >= length && rest.trim().is_empty() =>
            {
                fence = None;
            }
            (Some(_), _) => reader.push(place, Kind::Block),
            (None, Some((mark, count, rest))) if !(in_comment || mark == '`' && rest.contains('`')) => {
                fence = Some((mark, count));
            }
            (None, _) => reader.line(place, &mut in_comment),
        }
    }
    reader.found
}

/// Returns the mark of a fence, how often it stands there, and what follows.
fn fence_of(line: &str) -> Option<(char, usize, &str)> {
    // Inside a list a fence is indented, and quoted it stands behind a `>`.
    let line = line.trim_start_matches([' ', '\t', '>']);
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let count = line.len() - rest.len();
    (count >= 3).then_some((mark, count, rest))
}

struct Reader<'a> {
    text: &'a str,
    found: Vec<Mention<'a>>,
}

impl Reader<'_> {
    fn push(&mut self, place: Range<usize>, kind: Kind) {
        if let Some(text) = self.text.get(place.clone())
            && !text.is_empty()
        {
            self.found.push(Mention { text, place, kind });
        }
    }

    /// Reads a line of prose.
    fn line(&mut self, place: Range<usize>, in_comment: &mut bool) {
        let mut at = place.start;
        while at < place.end {
            let rest = self.text.get(at..place.end).unwrap_or_default();
            if *in_comment {
                let Some(end) = rest.find("-->") else { return };
                *in_comment = false;
                at += end + 3;
                continue;
            }
            if at == place.start
                && let Some(target) = definition(rest)
            {
                self.push(at + target.start..at + target.end, Kind::Link);
                return;
            }
            let Some(next) = rest.find(['`', ']', '<', '\\']) else { return };
            at += next;
            let rest = self.text.get(at..place.end).unwrap_or_default();
            at += if rest.starts_with('`') {
                let (inner, length) = code_span(rest);
                self.push(at + inner.start..at + inner.end, Kind::Code);
                length
            } else if let Some(target) = rest.strip_prefix("](") {
                let inner = link_target(target);
                self.push(at + 2 + inner.start..at + 2 + inner.end, Kind::Link);
                2 + inner.end
            } else if rest.starts_with("<!--") {
                *in_comment = true;
                4
            } else if rest.starts_with('\\') {
                // What is escaped means itself.
                rest.chars().take(2).map(char::len_utf8).sum()
            } else {
                1
            };
        }
    }
}

/// Returns where the content of a code span lies, and how long all of it is.
fn code_span(rest: &str) -> (Range<usize>, usize) {
    let ticks = rest.len() - rest.trim_start_matches('`').len();
    let mut at = ticks;
    while let Some(next) = rest.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + next;
        let run = rest.get(start..).map_or(0, |rest| rest.len() - rest.trim_start_matches('`').len());
        if run == ticks {
            return (ticks..start, start + run);
        }
        at = start + run;
    }
    (0..0, ticks)
}

/// Returns where the target of a link lies behind `](`, without its title.
fn link_target(rest: &str) -> Range<usize> {
    if let Some(inner) = rest.strip_prefix('<') {
        return inner.find('>').map_or(0..0, |end| 1..1 + end);
    }
    let mut depth = 0_usize;
    for (at, character) in rest.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return 0..at,
            ')' => depth -= 1,
            // A title stands in quotes.
            ' ' | '\t'
                if rest.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with(['"', '\''])) =>
            {
                return 0..at;
            }
            _ => {}
        }
    }
    0..0
}

/// Returns where the target of a line `[name]: target` lies.
fn definition(line: &str) -> Option<Range<usize>> {
    let inner = line.trim_start_matches(' ').strip_prefix('[').filter(|inner| !inner.starts_with('^'))?;
    let (_, rest) = inner.split_once("]:")?;
    let target = rest.trim_start();
    let start = line.len() - target.len();
    let length = target.find(char::is_whitespace).unwrap_or(target.len());
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str, kind: Kind) -> Vec<&str> {
        mentions(text)
            .into_iter()
            .filter(|mention| mention.kind == kind)
            .map(|mention| mention.text)
            .collect()
    }

    #[test]
    fn links_images_and_definitions_are_found() {
        let text =
            "[a](x.md) ![b](y.png \"title\") [c](<z z.md>) [`d`](w(1).md)\n[id]: q.md 'title'\n[^1]: no.md\n";
        assert_eq!(of(text, Kind::Link), ["x.md", "y.png", "z z.md", "w(1).md", "q.md"]);
    }

    #[test]
    fn code_is_no_link_and_a_block_is_no_sentence() {
        let text = "`[a](x.md)` and ``b ` c`` \\`d` e\n```sh\nrun [a](y.md)\n~~~\n```\n`f`\n";
        assert_eq!(of(text, Kind::Link), <[&str; 0]>::default());
        assert_eq!(of(text, Kind::Code), ["[a](x.md)", "b ` c", "f"]);
        assert_eq!(of(text, Kind::Block), ["run [a](y.md)", "~~~"]);
    }

    #[test]
    fn comments_are_left_out() {
        assert_eq!(of("<!-- [a](x.md)\n`b` --> [c](y.md)\n", Kind::Link), ["y.md"]);
    }

    proptest! {
        #[test]
        fn any_text_has_its_mentions_inside(
            parts in prop::collection::vec(prop_oneof![
                Just("`"), Just("```"), Just("["), Just("]("), Just(")"), Just("]: "), Just("\n"), Just("\r\n"),
                Just("<!--"), Just("-->"), Just("\\"), Just("é"), Just(" \""), Just("x.md"), Just("<"), Just(">"),
            ], 0..40)
        ) {
            let text = parts.concat();
            for mention in mentions(&text) {
                prop_assert_eq!(text.get(mention.place.clone()), Some(mention.text));
            }
        }
    }
}
