//! From bytes to fields: the one path that every reading takes.

use std::borrow::Cow;
use std::ops::Range;

use lorimer_core::text::floor_char_boundary;
use lorimer_core::{Code, Severity};

use super::check::check;
use super::fence::{BYTE_ORDER_MARK, Found, Search, Start, search};
use super::fields::{Draft, read_tree};
use super::lossy::Lossy;
use super::outcome::{Finding, Outcome};
use super::repair::{Repaired, repair};
use super::yaml::{Tree, YamlError};
use super::{Encoding, Fenced, OnInvalidYaml, Reading, Syntax, lines, python};

/// Reads the frontmatter of a `SKILL.md`. `bytes` is the file, or its beginning up to the closing fence.
///
/// ```
/// use lorimer_discover::frontmatter::{Reading, parse};
/// let outcome = parse(b"---\nname: a\ndescription: Use when: asked\n---\nBody\n", &Reading::lenient());
/// assert_eq!(outcome.description.as_deref(), Some("Use when: asked"));
/// assert_eq!(outcome.findings[0].code.as_str(), "discover/frontmatter-repaired");
/// ```
pub fn parse(bytes: &[u8], reading: &Reading) -> Outcome {
    if let Some(finding) = wrong_encoding(bytes, reading) {
        return Outcome { findings: vec![finding], ..Outcome::default() };
    }
    if reading.encoding == Encoding::FieldsOrNone
        && let Err(error) = std::str::from_utf8(bytes)
    {
        let mut outcome = read(&[], reading);
        outcome.findings.insert(0, not_utf8(bytes, error.valid_up_to()).with_severity(Severity::Warning));
        return outcome;
    }
    let bytes = parsed(bytes, reading.parsed_chars);
    let lossy = (reading.encoding == Encoding::Lossy).then(|| Lossy::of(bytes)).flatten();
    match lossy {
        Some(lossy) => lossy.restore(read(lossy.text.as_bytes(), reading), bytes),
        None => read(bytes, reading),
    }
}

/// Returns the beginning of a file that is looked at.
fn parsed(bytes: &[u8], limit: Option<usize>) -> &[u8] {
    let Some(limit) = limit.filter(|limit| bytes.len() > *limit) else { return bytes };
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes };
    let is_counted = |at: usize| {
        !(bytes.get(at) == Some(&b'\n') && text.get(..at).is_some_and(|text| text.ends_with('\r')))
    };
    let end = text.char_indices().filter(|(at, _)| is_counted(*at)).nth(limit).map(|(at, _)| at);
    end.and_then(|end| bytes.get(..end)).unwrap_or(bytes)
}

fn read(bytes: &[u8], reading: &Reading) -> Outcome {
    let mut file = File { bytes, reading, findings: Vec::new() };
    let fenced = file.find_fences();
    let draft = match &fenced {
        Some(fenced) => file.text_of(fenced).map(|text| file.read(text, fenced.frontmatter.start)),
        None => None,
    };
    check(bytes, reading, file.findings, draft.unwrap_or_default(), fenced)
}

/// Applies the rule about encoding to the file as a whole.
fn wrong_encoding(bytes: &[u8], reading: &Reading) -> Option<Finding> {
    let probed = reading.binary_probe_bytes.and_then(|most| bytes.get(..most.min(bytes.len())));
    if let Some(at) = probed.and_then(|bytes| bytes.iter().position(|byte| *byte == 0)) {
        let finding = Finding::new(Code::EncodingInvalid, "the file has a NUL byte, so it is no text");
        return Some(finding.span(bytes, &(at..at + 1)));
    }
    match reading.encoding {
        Encoding::Lossy | Encoding::FieldsOrNone => return None,
        Encoding::WholeFile => {
            if let Err(error) = std::str::from_utf8(bytes) {
                return Some(not_utf8(bytes, error.valid_up_to()));
            }
        }
        Encoding::FrontmatterOnly => {}
    }
    utf16(bytes)
}

fn not_utf8(bytes: &[u8], at: usize) -> Finding {
    utf16(bytes).unwrap_or_else(|| {
        let byte = bytes.get(at).copied().unwrap_or_default();
        Finding::new(Code::EncodingInvalid, format!("byte 0x{byte:02X} at offset {at} is not UTF-8"))
            .span(bytes, &(at..at + 1))
            .help("save the file as UTF-8")
    })
}

fn utf16(bytes: &[u8]) -> Option<Finding> {
    let order = match bytes {
        [0xFF, 0xFE, ..] | [b'-', 0, b'-', 0, ..] => "little",
        [0xFE, 0xFF, ..] | [0, b'-', 0, b'-', ..] => "big",
        _ => return None,
    };
    Some(
        Finding::new(Code::EncodingInvalid, format!("the file is UTF-16 ({order} endian)"))
            .span(bytes, &(0..2))
            .help("save the file as UTF-8"),
    )
}

struct File<'a> {
    bytes: &'a [u8],
    reading: &'a Reading,
    findings: Vec<Finding>,
}

impl<'a> File<'a> {
    fn report(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    fn find_fences(&mut self) -> Option<Fenced> {
        match search(self.bytes, self.reading.fence, Start::of(self.reading), true) {
            Search::Found(found) => self.accept(found),
            Search::Unclosed(opening) => {
                let severity = self.severity_without_frontmatter();
                self.report(
                    Finding::new(
                        Code::FrontmatterUnclosed,
                        "the frontmatter is opened here and never closed",
                    )
                    .span(self.bytes, &opening)
                    .help("put a line `---` behind the fields")
                    .with_severity(severity),
                );
                None
            }
            Search::Missing(at) => {
                self.missing(at);
                None
            }
            Search::More => None,
        }
    }

    fn missing(&mut self, at: usize) {
        let severity = self.severity_without_frontmatter();
        let finding = Finding::new(Code::FrontmatterMissing, "the file does not start with a line `---`")
            .span(self.bytes, &(at..at))
            .help("start the file with a line `---`, the fields, and another line `---`")
            .with_severity(severity);
        self.report(finding);
    }

    fn severity_without_frontmatter(&self) -> Severity {
        if self.reading.accept_missing_frontmatter { Severity::Note } else { Severity::Error }
    }

    fn accept(&mut self, found: Found) -> Option<Fenced> {
        if found.after_hash_line && !self.looks_like_fields(&found.fenced.frontmatter) {
            self.missing(0);
            return None;
        }
        if self.bytes.starts_with(BYTE_ORDER_MARK) {
            self.report(
                Finding::new(Code::ByteOrderMark, "the file starts with a byte order mark")
                    .span(self.bytes, &(0..BYTE_ORDER_MARK.len()))
                    .help("save the file as UTF-8 without a byte order mark"),
            );
        }
        if !found.skipped.is_empty() {
            self.report(
                Finding::new(Code::FrontmatterMisplaced, "the frontmatter does not start on the first line")
                    .span(self.bytes, &(found.open..found.open + 3))
                    .help("move the line `---` to the top of the file"),
            );
        }
        Some(found.fenced)
    }

    /// Tells frontmatter from a stretch of text between two rules.
    fn looks_like_fields(&self, range: &Range<usize>) -> bool {
        let bytes = self.bytes.get(range.clone()).unwrap_or_default();
        bytes
            .split(|byte| matches!(byte, b'\n' | b'\r'))
            .any(|line| line.starts_with(b"name:") || line.starts_with(b"description:"))
    }

    /// Returns the text between the fences, if its size, encoding and characters are fine.
    fn text_of(&mut self, fenced: &Fenced) -> Option<&'a str> {
        let bytes = self.bytes.get(fenced.frontmatter.clone()).unwrap_or_default();
        let start = fenced.frontmatter.start;
        if let Some(limit) = self.reading.limits.frontmatter_bytes
            && bytes.len() > limit
        {
            self.report(too_large(limit));
            return None;
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                self.report(not_utf8(self.bytes, start + error.valid_up_to()));
                return None;
            }
        };
        if self.reading.encoding == Encoding::FrontmatterOnly {
            self.check_body(fenced);
        }
        Some(text)
    }

    /// Looks at the part of the body that was read anyway.
    fn check_body(&mut self, fenced: &Fenced) {
        let body = self.bytes.get(fenced.body.clone()).unwrap_or_default();
        if let Err(error) = std::str::from_utf8(body)
            && error.error_len().is_some()
        {
            let finding = not_utf8(self.bytes, fenced.body.start + error.valid_up_to());
            self.report(finding.with_severity(Severity::Warning));
        }
    }

    fn read(&mut self, text: &str, offset: usize) -> Draft {
        match self.reading.syntax {
            Syntax::Lines => lines::draft(text, offset),
            Syntax::Yaml => self.read_yaml(text, offset),
        }
    }

    fn read_yaml(&mut self, text: &str, offset: usize) -> Draft {
        if let Some((at, character)) = self.forbidden(text) {
            return self.report_forbidden(text, offset, at, character);
        }
        let original = text;
        let text = if self.reading.unicode_line_breaks { break_lines(text) } else { Cow::Borrowed(text) };
        // Where one character was replaced by several, a place may lie between these.
        let place = |at: usize| offset + floor_char_boundary(original, at);
        let limits = &self.reading.limits;
        let first = match Tree::parse(&text, limits) {
            Ok(mut tree) => {
                if self.reading.other_values.are_python() {
                    tree.end_blocks_at_text(&text);
                }
                match self.refused(&tree, &text) {
                    Some(error) => error,
                    None => return read_tree(&tree, self.reading, self.bytes, place),
                }
            }
            Err(error) => error,
        };
        if self.reading.repair
            && !first.too_large
            && let Some(repaired) = repair(&text, self.reading)
            && let Ok(tree) = Tree::parse(&repaired.text, limits)
        {
            self.report_repair(&repaired, place);
            return read_tree(&tree, self.reading, self.bytes, |at| place(repaired.original(at)));
        }
        let first = YamlError { at: floor_char_boundary(original, first.at), ..first };
        self.report_invalid(&text, offset, &first)
    }

    /// Returns the first character that YAML forbids, and where it stands.
    fn forbidden(&self, text: &str) -> Option<(usize, char)> {
        // Most texts are told by their bytes.
        let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'));
        if plain || !self.reading.mind_control_characters {
            return None;
        }
        text.char_indices().find(|(_, character)| is_forbidden(*character))
    }

    /// Returns why a reader of another language refuses what is YAML.
    fn refused(&self, tree: &Tree<'_>, text: &str) -> Option<YamlError> {
        let python = self.reading.other_values.are_python();
        let (at, what) = python.then(|| python::refused(tree, text)).flatten()?;
        Some(YamlError { message: format!("there is {what}"), at, too_large: false })
    }

    fn report_forbidden(&mut self, text: &str, offset: usize, at: usize, character: char) -> Draft {
        let (severity, draft) = self.without_yaml(text, offset);
        let code = u32::from(character);
        let message = format!("control character U+{code:04X} is not allowed in YAML");
        let place = offset + at..offset + at + character.len_utf8();
        self.report(
            Finding::new(Code::FrontmatterInvalidYaml, message)
                .span(self.bytes, &place)
                .help("remove the character, or write it as an escape in double quotes")
                .with_severity(severity),
        );
        draft
    }

    /// Returns what is left of a text that is no YAML, and how bad that is.
    fn without_yaml(&self, text: &str, offset: usize) -> (Severity, Draft) {
        match self.reading.on_invalid_yaml {
            OnInvalidYaml::Reject => (Severity::Error, Draft::default()),
            OnInvalidYaml::NoFields => (Severity::Warning, Draft::default()),
            OnInvalidYaml::Lines => (Severity::Warning, lines::draft(text, offset)),
        }
    }

    fn report_repair(&mut self, repaired: &Repaired, place: impl Fn(usize) -> usize) {
        // Every finding costs a look at the file up to its place, so a hostile file may not have any number of them.
        for value in repaired.quoted.iter().take(MAX_REPAIR_FINDINGS) {
            let place = place(value.start)..place(value.end);
            self.report(
                Finding::new(
                    Code::FrontmatterRepaired,
                    "a plain value is not valid YAML and was read as if it were quoted",
                )
                .span(self.bytes, &place)
                .help("put the value in quotes"),
            );
        }
    }

    fn report_invalid(&mut self, text: &str, offset: usize, error: &YamlError) -> Draft {
        let at = offset + error.at;
        if error.too_large {
            let message = format!("the frontmatter is too complex: {}", error.message);
            self.report(Finding::new(Code::FrontmatterTooLarge, message).span(self.bytes, &(at..at)));
            return Draft::default();
        }
        let (severity, draft) = self.without_yaml(text, offset);
        self.report(
            Finding::new(Code::FrontmatterInvalidYaml, format!("invalid YAML: {}", error.message))
                .span(self.bytes, &(at..at))
                .help("check quotes, colons and indentation of this line and the one before")
                .with_severity(severity),
        );
        draft
    }
}

/// Further repairs of one file are not reported one by one.
pub(crate) const MAX_REPAIR_FINDINGS: usize = 32;

fn too_large(limit: usize) -> Finding {
    Finding::new(Code::FrontmatterTooLarge, format!("the frontmatter has more than {limit} bytes"))
}

/// Characters that YAML forbids as such (YAML 1.2.2 §5.1).
fn is_forbidden(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
}

/// Replaces NEL, LS and PS by blanks and a line feed of the same length, so that every offset stays.
fn break_lines(text: &str) -> Cow<'_, str> {
    if !text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('\u{85}', " \n").replace(['\u{2028}', '\u{2029}'], "  \n"))
}
