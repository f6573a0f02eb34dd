//! The files that the instructions name.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use lorimer_core::{Code, Diagnostic, Severity};

use super::folders::FOLDERS;
use super::markdown::{Kind, mentions};
use super::subject::Looked;
use super::target::{Target, of_link, of_word};

/// Findings of each kind in one file; the last one counts the rest.
const MOST: usize = 10;

/// With fewer files missing each is told by itself, even when no other one is there.
const FEW: usize = 3;

/// What is named, and where first.
#[derive(Default)]
struct Named {
    /// How many of the files that are named are there.
    present: usize,
    missing: Vec<(String, Range<usize>)>,
    outside: Vec<(String, Range<usize>)>,
    /// Files below a folder that the skill does not have.
    folders: BTreeMap<String, Vec<(String, Range<usize>)>>,
}

pub(super) fn look(looked: &Looked<'_>, found: &mut Vec<Diagnostic>) {
    let Some(folder) = looked.subject.folder else { return };
    let named = collect(looked.body, folder);
    match alone(looked, &named) {
        Some(finding) => found.push(finding),
        None => missing(looked, folder, &named, found),
    }
    found.extend(outside(looked, folder, &named.outside));
}

/// Tells in one finding that only SKILL.md was brought along.
fn alone(looked: &Looked<'_>, named: &Named) -> Option<Diagnostic> {
    let all = || named.folders.values().flatten().chain(&named.missing);
    let count = all().count();
    if named.present > 0 || count < FEW {
        return None;
    }
    let (path, place) = all().min_by_key(|(_, place)| place.start)?;
    let message = format!("none of the {count} files that are named is in the skill, `{path}` first");
    let finding = looked.finding(Code::ReferenceMissing, message, &looked.in_body(place));
    Some(finding.with_help("install the skill's whole folder and not its SKILL.md alone"))
}

fn missing(looked: &Looked<'_>, folder: &Path, named: &Named, found: &mut Vec<Diagnostic>) {
    for (name, files) in &named.folders {
        let Some((first, place)) = files.first() else { continue };
        let what = match files.len() {
            1 => format!("`{first}` is named here, and the skill has no folder `{name}`"),
            more => {
                format!("the skill has no folder `{name}`, and {more} files of it are named, `{first}` first")
            }
        };
        let finding = looked.finding(Code::ReferenceMissing, what, &looked.in_body(place));
        found.push(finding.with_help("add the folder to the skill, or correct the path"));
    }
    for (index, (path, place)) in named.missing.iter().take(MOST).enumerate() {
        let mut message = format!("`{path}` is not in the skill");
        let more = named.missing.len() - index - 1;
        if more > 0 && index + 1 == MOST {
            message = format!("{message}, and {more} more files that are named are not either");
        }
        let help = match in_another_case(folder, path) {
            Some(name) => format!("there is `{name}`; most systems tell the case of letters"),
            None => "add the file, or correct the path; it starts at the skill's own folder".to_owned(),
        };
        let finding = looked.finding(Code::ReferenceMissing, message, &looked.in_body(place));
        found.push(finding.with_help(help));
    }
}

/// Tells all paths that lead out of the skill at once: a collection of skills has many, and one reason.
fn outside(looked: &Looked<'_>, folder: &Path, paths: &[(String, Range<usize>)]) -> Option<Diagnostic> {
    let gone = paths.iter().find(|(path, _)| !folder.join(path).exists());
    let (path, place) = gone.or(paths.first())?;
    let mut message = format!("`{path}` leads out of the skill's folder");
    if gone.is_some() {
        message.push_str(", to where nothing is");
    }
    match paths.len() - 1 {
        0 => {}
        1 => message.push_str("; one more path leads out of it"),
        more => message = format!("{message}; {more} more paths lead out of it"),
    }
    let mut finding = looked.finding(Code::ReferenceOutside, message, &looked.in_body(place));
    if gone.is_none() {
        finding.severity = Severity::Note;
    }
    Some(finding.with_help("copy the file into the skill, or name the other skill instead of its file"))
}

fn collect(body: &str, folder: &Path) -> Named {
    let mut named = Named::default();
    let mut seen = HashSet::new();
    // In a block a path below a folder that the skill lacks is as likely the project's.
    let own: Vec<&str> = FOLDERS.into_iter().filter(|name| folder.join(name).is_dir()).collect();
    for mention in mentions(body) {
        let words = match mention.kind {
            Kind::Link => vec![(of_link(mention.text), mention.place.clone())],
            Kind::Code | Kind::Block if is_example(body, mention.place.start) => continue,
            Kind::Code => targets(mention.text, mention.place.start, &FOLDERS),
            Kind::Block => targets(mention.text, mention.place.start, &own),
        };
        for (target, place) in words {
            match target {
                Some(Target::Inside(path)) if !folder.join(&path).exists() => {
                    if !seen.insert(path.clone()) {
                        continue;
                    }
                    let top = path.split_once('/').map(|(top, _)| top.to_owned());
                    match top.filter(|top| !folder.join(top).exists()) {
                        Some(top) => named.folders.entry(top).or_default().push((path, place)),
                        None => named.missing.push((path, place)),
                    }
                }
                Some(Target::Inside(_)) => named.present += 1,
                Some(Target::Outside(path)) if seen.insert(path.clone()) => named.outside.push((path, place)),
                _ => {}
            }
        }
    }
    named
}

/// Returns whether the line says that it only gives an example.
fn is_example(body: &str, at: usize) -> bool {
    let start = body.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let line = body.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default().to_lowercase();
    ["example", "e.g.", "such as", "for instance"].iter().any(|word| line.contains(word))
}

/// Returns the words of a piece of code that name files, with their places.
fn targets(text: &str, start: usize, folders: &[&str]) -> Vec<(Option<Target>, Range<usize>)> {
    let mut at = start;
    let mut found = Vec::new();
    for part in text.split_inclusive(char::is_whitespace) {
        let word = part.trim_end();
        found.push((of_word(word, folders), at..at + word.len()));
        at += part.len();
    }
    found
}

/// Returns the file that is called the same in another case.
fn in_another_case(folder: &Path, path: &str) -> Option<String> {
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    let names = fs::read_dir(folder.join(parent)).ok()?.flatten();
    names
        .filter_map(|entry| entry.file_name().into_string().ok())
        .find(|entry| entry.to_lowercase() == name.to_lowercase())
}
