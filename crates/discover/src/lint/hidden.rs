//! Characters that a person does not see and a model reads, one by one.

use lorimer_core::{Code, Diagnostic};

use super::subject::Looked;
use crate::frontmatter::hidden_characters;

/// Findings about single stretches; the last one counts the rest.
const MOST: usize = 8;

pub(super) fn look(looked: &Looked<'_>, found: &mut Vec<Diagnostic>) {
    let Some(fenced) = &looked.outcome.fenced else { return };
    let start = fenced.frontmatter.start;
    let end = looked.body_start + looked.body.len();
    let Some(text) = looked.subject.file.get(start..end).and_then(|bytes| std::str::from_utf8(bytes).ok())
    else {
        return;
    };
    if text.is_ascii() {
        return;
    }
    let mut runs: Vec<(usize, Vec<char>)> = Vec::new();
    let mut next = usize::MAX;
    for (at, character) in hidden_characters(text) {
        match runs.last_mut() {
            Some((_, run)) if next == at => run.push(character),
            _ => runs.push((at, vec![character])),
        }
        next = at + character.len_utf8();
    }
    let more = runs.len().saturating_sub(MOST);
    for (index, (at, run)) in runs.iter().take(MOST).enumerate() {
        let at = start + at;
        let length: usize = run.iter().map(|character| character.len_utf8()).sum();
        let mut message = format!("invisible {} at byte {at}", describe(run));
        if more > 0 && index + 1 == MOST {
            message = format!("{message}, and {more} more stretches of such characters behind it");
        }
        found.push(
            looked
                .finding(Code::HiddenCharacters, message, &(at..at + length))
                .with_help("remove them: a person does not see what the model reads"),
        );
    }
}

/// Names up to four kinds of characters, and what they spell where they are copies of ASCII.
fn describe(run: &[char]) -> String {
    let spelt: String = run
        .iter()
        .filter_map(|character| u32::from(*character).checked_sub(0xE_0000).and_then(char::from_u32))
        .filter(|character| matches!(character, ' '..='~'))
        .take(80)
        .collect();
    if !spelt.is_empty() {
        return format!("text that reads `{spelt}`");
    }
    let mut kinds: Vec<(char, usize)> = Vec::new();
    for character in run {
        match kinds.last_mut() {
            Some((kind, count)) if kind == character => *count += 1,
            _ => kinds.push((*character, 1)),
        }
    }
    let name = |(kind, count): &(char, usize)| {
        let times = if *count > 1 { format!("{count} × ") } else { String::new() };
        format!("{times}U+{:04X}", u32::from(*kind))
    };
    let mut names: Vec<String> = kinds.iter().take(4).map(name).collect();
    if kinds.len() > names.len() {
        names.push("…".to_owned());
    }
    let noun = if run.len() == 1 { "character" } else { "characters" };
    format!("{noun} {}", names.join(" "))
}
