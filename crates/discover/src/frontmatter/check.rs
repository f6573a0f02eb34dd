//! The last step: are the fields what this reading wants?

use std::borrow::Cow;

use lorimer_core::{Code, Severity, text};

use super::fence::BYTE_ORDER_MARK;
use super::fields::{Draft, Text};
use super::hidden::{self, is_hidden};
use super::outcome::{Finding, Outcome};
use super::{BodyLine, FenceRule, Fenced, NameRule, Reading};

/// Checks the fields and puts the outcome together.
pub(super) fn check(
    file: &[u8],
    reading: &Reading,
    mut findings: Vec<Finding>,
    draft: Draft,
    fenced: Option<Fenced>,
) -> Outcome {
    findings.extend(draft.findings);
    // What is missing behind an error is missing because of it.
    let whole = findings.iter().all(|finding| finding.severity < Severity::Error);
    let keep = reading.keep_blank_text;
    let name = draft.name.filter(|_| !reading.name_is_folder);
    let name = match name {
        Some(name) if name.text.is_empty() && reading.keep_empty_name => Some(name),
        name => name.and_then(|name| clean(name, reading, keep || reading.keep_blank_name)),
    };
    let mut description = draft.description.and_then(|description| clean(description, reading, keep));
    if whole && reading.mind_hidden_characters {
        let start = fenced.as_ref().map_or(0, |fenced| fenced.frontmatter.start);
        findings.extend(hidden::report(file, start..file.len()));
    }
    if whole {
        match &name {
            Some(name) => findings.extend(
                check_name(&name.text, reading).into_iter().map(|finding| finding.span(file, &name.place)),
            ),
            None if reading.name_is_folder => {}
            None => findings.push(missing_name(reading)),
        }
        if let Some(description) = &description {
            findings.extend(
                long_description(&description.text, reading)
                    .map(|finding| finding.span(file, &description.place)),
            );
        } else {
            // A byte order mark that is skipped is no text either.
            let mark = reading.skip_byte_order_mark && file.starts_with(BYTE_ORDER_MARK);
            let start = if mark { BYTE_ORDER_MARK.len() } else { 0 };
            let body = fenced.as_ref().map_or(start..file.len(), |fenced| fenced.body.clone());
            description = first_body_line(file.get(body).unwrap_or_default(), reading)
                .map(|text| Text { text, place: 0..0 });
        }
        if description.is_none() && reading.require_description {
            let place = draft
                .description_place
                .or_else(|| fenced.as_ref().map(|fenced| fenced.frontmatter.start..fenced.frontmatter.start));
            let mut finding =
                Finding::new(Code::DescriptionMissing, "there is no `description`, or it is blank")
                    .help("say in one or two sentences what the skill does and when to use it");
            if let Some(place) = place {
                finding = finding.span(file, &place);
            }
            findings.push(finding);
        }
    }
    Outcome {
        name: name.map(|name| name.text),
        description: description.map(|description| description.text),
        fields: draft.fields,
        fenced,
        findings,
    }
}

/// Returns what is wrong with a name, also with one that is not written in the file.
pub(crate) fn check_name(name: &str, reading: &Reading) -> Vec<Finding> {
    if reading.mind_hidden_characters
        && let Some(hidden) = name.chars().find(|character| is_hidden(*character) || character.is_control())
    {
        let message = format!("the name has the invisible character U+{:04X}", u32::from(hidden));
        return vec![Finding::new(Code::NameInvalid, message)];
    }
    let fits = match reading.name_rule {
        NameRule::Any | NameRule::KebabAdvised => true,
        NameRule::NoMarkup => !name.chars().any(is_markup),
        NameRule::Kebab => name.split('-').all(is_kebab_group),
    };
    if !fits {
        return vec![Finding::new(Code::NameInvalid, "the name has characters that are not allowed here")];
    }
    let count = length(name, reading);
    let too_long = |limit| {
        Finding::new(Code::NameTooLong, format!("the name has {count} characters, more than {limit}"))
            .help("shorten it; several harnesses drop a skill with such a name")
    };
    if let Some(limit) = reading.max_name_chars.filter(|limit| count > *limit) {
        return vec![too_long(limit)];
    }
    let long = reading.long_name_chars.filter(|limit| count > *limit);
    let mut findings: Vec<Finding> =
        long.map(|limit| too_long(limit).with_severity(Severity::Warning)).into_iter().collect();
    if reading.name_rule == NameRule::KebabAdvised {
        findings.extend(
            kebab_advice(name)
                .map(|advice| Finding::new(Code::NameInvalid, advice).with_severity(Severity::Warning)),
        );
    }
    findings
}

/// Returns each thing that is wrong with a name of small letters, digits and hyphens.
fn kebab_advice(name: &str) -> impl Iterator<Item = &'static str> {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    [
        (!name.bytes().all(plain), "the name has characters other than small letters, digits and hyphens"),
        (name.starts_with('-') || name.ends_with('-'), "the name starts or ends with a hyphen"),
        (name.contains("--"), "the name has consecutive hyphens"),
    ]
    .into_iter()
    .filter_map(|(wrong, advice)| wrong.then_some(advice))
}

/// Returns how long a text is by the reading's count.
fn length(text: &str, reading: &Reading) -> usize {
    if reading.utf16_lengths { text.encode_utf16().count() } else { text.chars().count() }
}

fn is_markup(character: char) -> bool {
    matches!(character, '<' | '>' | '\u{a0}') || character.is_control() || is_hidden(character)
}

fn is_kebab_group(group: &str) -> bool {
    !group.is_empty() && group.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'))
}

/// Folds white space where the reading does; a blank text is none.
fn clean(text: Text, reading: &Reading, keep_blank: bool) -> Option<Text> {
    let Text { text, place } = text;
    let folded = match text::fold_whitespace(&text) {
        _ if !reading.fold_whitespace => reading.trim.then(|| text.trim().to_owned()),
        Cow::Owned(folded) => Some(folded),
        Cow::Borrowed(_) => None,
    };
    let text = folded.unwrap_or(text);
    let kept = if keep_blank { !text.is_empty() } else { !text.trim().is_empty() };
    kept.then_some(Text { text, place })
}

fn missing_name(reading: &Reading) -> Finding {
    if reading.name_from_folder {
        Finding::new(Code::NameMissing, "there is no `name`, so the folder's name is used")
    } else {
        Finding::new(Code::NameMissing, "there is no `name`").with_severity(Severity::Error)
    }
}

fn long_description(description: &str, reading: &Reading) -> Option<Finding> {
    let limit = reading.long_description_chars?;
    // Bytes bound characters, so most descriptions need no count.
    let count = if description.len() > limit { length(description, reading) } else { 0 };
    (count > limit).then(|| {
        Finding::new(
            Code::DescriptionTooLong,
            format!("the description has {count} characters, more than {limit}"),
        )
        .help("say first what the skill does and when to use it, and move the rest into the body")
    })
}

/// Returns the line of the body that stands in for a missing description.
fn first_body_line(body: &[u8], reading: &Reading) -> Option<String> {
    let rule = reading.description_from_body;
    // A reader whose fence may end with a lone CR reads every line end as one.
    let lone_cr = reading.fence == FenceRule::OpenText;
    if rule == BodyLine::None {
        return None;
    }
    let lines = body
        .split(|byte| *byte == b'\n' || lone_cr && *byte == b'\r')
        .map(|line| String::from_utf8_lossy(line.trim_ascii()).trim().to_owned());
    lines
        .filter(|line| !line.is_empty())
        .find(|line| rule != BodyLine::FirstBesidesHeadings || !line.starts_with('#'))
        .map(|line| match rule {
            BodyLine::First => without_heading_marks(&line).to_owned(),
            _ => line,
        })
        .map(|line| match reading.body_line_units {
            Some(most) => first_units(&line, most),
            None => line,
        })
}

/// Returns a line without the marks of a heading, which a blank ends; otherwise they are part of the text.
fn without_heading_marks(line: &str) -> &str {
    let text = line.trim_start_matches('#');
    let heading = text.len() < line.len() && text.starts_with(char::is_whitespace);
    if heading { text.trim_start() } else { line }
}

/// Returns a line of at most so many UTF-16 units; dots at its end stand for the rest.
fn first_units(line: &str, most: usize) -> String {
    const DOTS: &str = "...";
    if line.chars().map(char::len_utf16).sum::<usize>() <= most {
        return line.to_owned();
    }
    let mut left = most.saturating_sub(DOTS.len());
    let mut kept = String::new();
    for character in line.chars() {
        match left.checked_sub(character.len_utf16()) {
            Some(rest) => left = rest,
            None => break,
        }
        kept.push(character);
    }
    kept + DOTS
}
