//! Findings with the line that they are about, underlined. The only file that knows the renderer.

use std::ops::Range;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use lorimer::core::{Diagnostic, Edit, Fix, Severity, Span};
use lorimer::discover::read_beginning;

use crate::output::{CYAN, DIM, RED, YELLOW, finding, finding_place, finding_title, one_line, push_visible};

/// Bytes of a file that are read to show a line of it.
const READ_LIMIT: u64 = 256 * 1024;

/// Characters of a line that are shown.
const WIDTH: usize = 100;

/// Shows findings, and keeps the file that it read last for the next finding about it.
#[derive(Debug, Default)]
pub(crate) struct Snippets {
    last: Option<(PathBuf, Option<Vec<u8>>)>,
}

impl Snippets {
    /// Returns a finding with its line underlined, or without where the line cannot be shown.
    pub(crate) fn finding(&mut self, diagnostic: &Diagnostic) -> String {
        self.underlined(diagnostic).unwrap_or_else(|| finding(diagnostic))
    }

    fn underlined(&mut self, diagnostic: &Diagnostic) -> Option<String> {
        let location = diagnostic.location.as_ref()?;
        let span = location.span?;
        let excerpt = Excerpt::new(self.head(location.locator.as_path()?)?, span)?;
        let line = usize::try_from(span.line).ok()?;
        let indent = line.to_string().len();
        let title = finding_title(diagnostic);
        let place = finding_place(location, indent);
        let rendered = render(diagnostic, &excerpt, line);
        Some(format!("{title}{place}{rendered}\n"))
    }

    /// Returns the beginning of a regular file.
    fn head(&mut self, path: &Path) -> Option<&[u8]> {
        if self.last.as_ref().is_none_or(|(last, _)| last != path) {
            self.last = Some((path.to_owned(), read_beginning(path, READ_LIMIT).ok()));
        }
        self.last.as_ref()?.1.as_deref()
    }
}

fn render(diagnostic: &Diagnostic, excerpt: &Excerpt, line: usize) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let source = Snippet::source(&excerpt.text)
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(excerpt.mark.clone()));
    let mut group = Group::with_level(level).element(source);
    let mut groups = Vec::new();
    if let Some(help) = &diagnostic.help {
        match patches(diagnostic, excerpt) {
            Some(patches) => {
                let source = Snippet::source(&excerpt.text).line_start(line).patches(patches);
                groups.push(Group::with_title(Level::HELP.secondary_title(one_line(help))).element(source));
            }
            None => group = group.element(Level::HELP.message(one_line(help))),
        }
    }
    groups.insert(0, group);
    // The excerpt is cut already, so the renderer never has to.
    let renderer = Renderer::styled()
        .error(RED.bold())
        .warning(YELLOW.bold())
        .note(CYAN.bold())
        .line_num(DIM)
        .emphasis(DIM)
        .term_width(WIDTH * 16);
    renderer.render(&groups)
}

/// Returns the fix as changes of the shown line, where the line is shown as it is written and holds all of them.
fn patches<'a>(diagnostic: &'a Diagnostic, excerpt: &Excerpt) -> Option<Vec<Patch<'a>>> {
    let span = diagnostic.location.as_ref()?.span?;
    let edits = diagnostic.fix.as_ref().map(Fix::edits).filter(|edits| !edits.is_empty())?;
    let line_start = span.start.checked_sub(excerpt.mark.start)?;
    let shown =
        |text: &str| text.chars().all(|character| one_line(&character.to_string()) == character.to_string());
    let patch = |edit: &'a Edit| {
        let range = edit.span.start.checked_sub(line_start)?..edit.span.end.checked_sub(line_start)?;
        let fits = excerpt.whole
            && edit.span.line == span.line
            && excerpt.text.get(range.clone()) == Some(edit.old.as_str())
            && shown(&edit.new);
        fits.then(|| Patch::new(range, edit.new.as_str()))
    };
    edits.iter().map(patch).collect()
}

/// A line of a file, fit to be shown, and the stretch of it to underline.
#[derive(Debug, PartialEq, Eq)]
struct Excerpt {
    text: String,
    mark: Range<usize>,
    /// Whether nothing of the line is left out.
    whole: bool,
}

impl Excerpt {
    /// Returns the line at the beginning of a span, or `None` where the file is not the one that the span is about
    /// any more.
    fn new(bytes: &[u8], span: Span) -> Option<Self> {
        let line = line_around(bytes, span.start)?;
        let before_line = bytes.get(..line.start)?;
        if count_line_ends(before_line) + 1 != usize::try_from(span.line).ok()? {
            return None;
        }
        let start = span.start.min(line.end);
        let before = String::from_utf8_lossy(bytes.get(line.start..start)?);
        let mark = String::from_utf8_lossy(bytes.get(start..span.end.clamp(start, line.end))?);
        let after = String::from_utf8_lossy(bytes.get(span.end.clamp(start, line.end)..line.end)?);
        // A mark at the beginning of a file is no part of its first line.
        Some(Self::cut(before.strip_prefix('\u{feff}').unwrap_or(&before), &mark, &after))
    }

    /// Joins the parts of a line and leaves out what is too far from the beginning of the mark.
    fn cut(before: &str, mark: &str, after: &str) -> Self {
        let wanted_before = Part::new(before.chars().rev(), WIDTH).width;
        let mark = Part::new(mark.chars(), WIDTH - wanted_before.min(WIDTH / 4));
        let room = WIDTH - mark.width;
        // What follows a mark that is cut itself is further away still.
        let wanted_after = if mark.cut { 0 } else { Part::new(after.chars(), room).width };
        let before = Part::new(before.chars().rev(), (room / 2).max(room - wanted_after));
        let after = Part::new(after.chars(), if mark.cut { 0 } else { room - before.width });

        let mut text = String::new();
        if before.cut {
            text.push('…');
        }
        text.extend(before.pieces.into_iter().rev());
        let start = text.len();
        let mark_cut = mark.cut;
        text.extend(mark.pieces);
        let end = text.len();
        text.extend(after.pieces);
        if mark_cut || after.cut {
            text.push('…');
        }
        Self { text, mark: start..end, whole: !(before.cut || mark_cut || after.cut) }
    }
}

/// The first characters of a part of a line, made visible.
#[derive(Debug, Default)]
struct Part {
    pieces: Vec<String>,
    width: usize,
    cut: bool,
}

impl Part {
    /// Takes as many characters as fit into `room` when they are made visible.
    fn new(characters: impl Iterator<Item = char>, room: usize) -> Self {
        let mut part = Self::default();
        for character in characters {
            let mut piece = String::new();
            push_visible(&mut piece, character);
            let width = part.width + piece.chars().count();
            if width > room {
                part.cut = true;
                break;
            }
            part.width = width;
            part.pieces.push(piece);
        }
        part
    }
}

/// Returns where the line lies that holds a byte, without its end. LF, CRLF and a lone CR end a line.
fn line_around(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    // The LF of a CRLF belongs to the line before it.
    let inside = at > 0 && bytes.get(at) == Some(&b'\n') && bytes.get(at - 1) == Some(&b'\r');
    let at = if inside { at - 1 } else { at };
    let start = bytes.get(..at)?.iter().rposition(is_end).map_or(0, |end| end + 1);
    let end = bytes.get(at..)?.iter().position(is_end).map_or(bytes.len(), |end| at + end);
    Some(start..end)
}

fn count_line_ends(bytes: &[u8]) -> usize {
    let previous = std::iter::once(&b'\0').chain(bytes);
    let ends = bytes.iter().zip(previous);
    ends.filter(|(byte, previous)| **byte == b'\r' || (**byte == b'\n' && **previous != b'\r')).count()
}

#[cfg(test)]
mod tests {
    use lorimer::core::Code;

    use super::*;

    fn span(start: usize, end: usize, line: u32) -> Span {
        Span { start, end, line, column: 1 }
    }

    /// The shown line and the marked part of it.
    fn excerpt(bytes: &[u8], span: Span) -> (String, String) {
        let excerpt = Excerpt::new(bytes, span).expect("the file is the one of the span");
        let mark = excerpt.text.get(excerpt.mark).expect("a mark on character boundaries");
        (excerpt.text.clone(), mark.to_owned())
    }

    fn shown(text: &str, mark: &str) -> (String, String) {
        (text.to_owned(), mark.to_owned())
    }

    #[test]
    fn the_line_of_the_span_is_found_whatever_ends_the_lines() {
        assert_eq!(excerpt(b"a\nbcd\ne", span(3, 4, 2)), shown("bcd", "c"));
        assert_eq!(excerpt(b"a\r\nbcd\r\ne", span(4, 5, 2)), shown("bcd", "c"));
        assert_eq!(excerpt(b"a\rbcd\re", span(3, 4, 2)), shown("bcd", "c"));
        assert_eq!(excerpt(b"a\r\nb", span(2, 2, 1)), shown("a", ""), "between CR and LF");
        assert_eq!(excerpt(b"a\nb", span(3, 3, 2)), shown("b", ""), "the end of the file");
        assert_eq!(excerpt(b"", span(0, 0, 1)), shown("", ""));
        assert_eq!(excerpt(b"a\nbcd\nefg", span(3, 8, 2)), shown("bcd", "cd"), "only the first line");
    }

    #[test]
    fn a_file_that_changed_is_not_shown() {
        assert_eq!(Excerpt::new(b"a\nb", span(2, 3, 3)), None);
        assert_eq!(Excerpt::new(b"a\nb", span(4, 5, 2)), None);
    }

    #[test]
    fn odd_characters_are_made_visible() {
        assert_eq!(excerpt("a\u{1b}[31mé".as_bytes(), span(0, 1, 1)), shown("a\u{fffd}[31mé", "a"));
        assert_eq!(excerpt("a\u{200b}b".as_bytes(), span(1, 4, 1)), shown("a<U+200B>b", "<U+200B>"));
        assert_eq!(excerpt("\u{feff}---".as_bytes(), span(0, 3, 1)), shown("<U+FEFF>---", "<U+FEFF>"));
        assert_eq!(excerpt("\u{feff}---".as_bytes(), span(3, 4, 1)), shown("---", "-"));
        assert_eq!(excerpt("éa".as_bytes(), span(1, 2, 1)), shown("\u{fffd}\u{fffd}a", "\u{fffd}"));
        assert_eq!(excerpt(b"a\xffb", span(1, 2, 1)), shown("a\u{fffd}b", "\u{fffd}"));
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let line = format!("{}MARK{}", "a".repeat(300), "b".repeat(300));
        let (text, mark) = excerpt(line.as_bytes(), span(300, 304, 1));
        assert_eq!(text, format!("…{}MARK{}…", "a".repeat(48), "b".repeat(48)));
        assert_eq!(mark, "MARK");
        let (text, mark) = excerpt(line.as_bytes(), span(0, 604, 1));
        assert_eq!((text, mark), (format!("{}…", "a".repeat(WIDTH)), "a".repeat(WIDTH)));
        let (text, mark) = excerpt(line.as_bytes(), span(200, 604, 1));
        assert_eq!((text.chars().count(), mark.len()), (WIDTH + 2, WIDTH / 4 * 3));
        let (text, _) = excerpt(line.as_bytes(), span(2, 3, 1));
        assert!(text.starts_with("aaa") && text.ends_with('…'), "{text}");
        assert_eq!(text.chars().count(), WIDTH + 1);
        let (text, _) = excerpt(line.as_bytes(), span(603, 604, 1));
        assert!(text.starts_with('…') && text.ends_with("bb"), "{text}");
        assert_eq!(text.chars().count(), WIDTH + 1);
        let hidden = "\u{200b}".repeat(300);
        let (text, mark) = excerpt(hidden.as_bytes(), span(300, 303, 1));
        assert_eq!(mark, "<U+200B>");
        assert!(text.starts_with("…<U+") && text.ends_with(">…"), "{text}: no half of an escape");
        assert!(text.chars().count() <= WIDTH + 2, "{text}");
        let short = "a".repeat(WIDTH);
        assert_eq!(excerpt(short.as_bytes(), span(90, 91, 1)), shown(&short, "a"));
    }

    #[test]
    fn a_file_is_read_no_further_than_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("SKILL.md");
        let limit = usize::try_from(READ_LIMIT).unwrap();
        std::fs::write(&path, [vec![b'\n'; limit], b"bad".to_vec()].concat()).unwrap();
        let at = |start: usize, line: u32| {
            Diagnostic::new(Code::HiddenCharacters, "m").at(path.clone(), Some(span(start, start + 1, line)))
        };
        let mut snippets = Snippets::default();
        assert!(snippets.underlined(&at(9, 10)).is_some());
        assert!(snippets.underlined(&at(limit + 1, u32::try_from(limit).unwrap() + 1)).is_none());
    }

    #[test]
    fn what_is_no_file_is_told_without_its_text() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("gone")] {
            let diagnostic = Diagnostic::new(Code::HiddenCharacters, "m").at(path, Some(span(0, 1, 1)));
            assert_eq!(Snippets::default().finding(&diagnostic), finding(&diagnostic));
        }
    }
}
