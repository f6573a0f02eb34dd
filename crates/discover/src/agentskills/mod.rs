//! The verdict of the Agent Skills standard's reference validator (`skills-ref` 0.1.1).
//!
//! [`validate`] says what that program says, also where it is stricter or laxer than the text of the standard, so that
//! a skill can be judged without it. It differs in one thing: a file on which the reference breaks off (bytes that are
//! not UTF-8, a NUL) gets a verdict here.

mod name;
mod problem;
mod strict;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::boundary::read_beginning;
use lorimer_core::{Code, Diagnostic, Locator};

pub use name::NameProblem;
pub(crate) use name::name_problems;
pub use problem::Problem;
use strict::Value;

use crate::frontmatter::span::span_of;
use crate::frontmatter::{Reading, layout};

/// The fields of the standard, in the order in which the reference names them.
pub const FIELDS: [&str; 6] =
    ["allowed-tools", "compatibility", "description", "license", "metadata", "name"];

const DESCRIPTION_CHARS: usize = 1024;
pub(crate) const COMPATIBILITY_CHARS: usize = 500;

/// What the reference validator would say about a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The skill's file, where there is one.
    pub file: Option<PathBuf>,
    /// Everything that is wrong, in the reference's order; none means that the skill is valid.
    pub problems: Vec<Problem>,
    /// The file as it was read.
    bytes: Vec<u8>,
}

/// Judges the skill in a folder.
///
/// ```
/// use lorimer_discover::agentskills::validate;
/// let verdict = validate("/no/such/folder".as_ref());
/// assert_eq!(verdict.problems[0].to_string(), "Path does not exist: /no/such/folder");
/// ```
pub fn validate(folder: &Path) -> Verdict {
    let alone = |problem| Verdict { problems: vec![problem], ..Verdict::default() };
    match fs::metadata(folder) {
        Err(_) => return alone(Problem::NoPath(folder.to_owned())),
        Ok(metadata) if !metadata.is_dir() => return alone(Problem::NotDirectory(folder.to_owned())),
        Ok(_) => {}
    }
    let spellings = ["SKILL.md", "skill.md"];
    let Some(file) = spellings.iter().map(|name| folder.join(name)).find(|file| file.exists()) else {
        return alone(Problem::NoFile);
    };
    // Links lead wherever they lead for the reference, too.
    let bytes = match fs::canonicalize(&file).and_then(|file| read_beginning(&file, u64::MAX)) {
        Ok(bytes) => bytes,
        Err(error) => return Verdict { file: Some(file), ..alone(Problem::Unreadable(error.to_string())) },
    };
    // `a/.` has no name of its own.
    let named = if folder.file_name().is_some() { folder.to_owned() } else { canonical(folder) };
    let name = named.file_name().unwrap_or_default().to_string_lossy();
    Verdict { file: Some(file), problems: judge(&bytes, &name), bytes }
}

fn canonical(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// Judges the bytes of a skill's file in a folder of this name.
pub fn judge(bytes: &[u8], folder: &str) -> Vec<Problem> {
    match strict::read(bytes) {
        Err(problem) => vec![problem],
        Ok(fields) => rules(&fields, folder),
    }
}

fn rules(fields: &[(String, Value)], folder: &str) -> Vec<Problem> {
    let field = |key: &str| fields.iter().find(|(name, _)| name == key).map(|(_, value)| value);
    let mut problems = Vec::new();
    let unknown: BTreeSet<&str> =
        fields.iter().map(|(key, _)| key.as_str()).filter(|key| !FIELDS.contains(key)).collect();
    if !unknown.is_empty() {
        problems.push(Problem::Unexpected(unknown.into_iter().map(str::to_owned).collect()));
    }
    match field("name") {
        None => problems.push(Problem::Missing("name")),
        Some(Value::Text(name)) if !name.trim().is_empty() => {
            problems.extend(name_problems(name, folder).into_iter().map(Problem::Name));
        }
        Some(_) => problems.push(Problem::Blank("name")),
    }
    match field("description") {
        None => problems.push(Problem::Missing("description")),
        Some(Value::Text(text)) if !text.trim().is_empty() => {
            let count = text.chars().count();
            if count > DESCRIPTION_CHARS {
                problems.push(Problem::LongDescription(count));
            }
        }
        Some(_) => problems.push(Problem::Blank("description")),
    }
    match field("compatibility") {
        None => {}
        Some(Value::Text(text)) => {
            let count = text.chars().count();
            if count > COMPATIBILITY_CHARS {
                problems.push(Problem::LongCompatibility(count));
            }
        }
        Some(Value::List | Value::Map) => problems.push(Problem::CompatibilityNoText),
    }
    problems
}

impl Verdict {
    /// Returns the problems as diagnostics, with the place of the field that each is about. `folder` stands for a file
    /// that is not there.
    pub fn diagnostics(&self, folder: &Path) -> Vec<Diagnostic> {
        let locator = Locator::Path(self.file.clone().unwrap_or_else(|| folder.to_owned()));
        let layout = layout(&self.bytes, &Reading::lenient());
        let place = |problem: &Problem| {
            let layout = layout.as_ref()?;
            let (key, of_key) = problem.field()?;
            let field = layout.field(key)?;
            let place = if of_key { &field.key_place } else { &field.value_place };
            Some(span_of(&self.bytes, place))
        };
        let start = (!self.bytes.is_empty()).then(|| span_of(&self.bytes, &(0..0)));
        let diagnostic = |problem: &Problem| {
            Diagnostic::new(problem.code(), problem.to_string()).at(
                locator.clone(),
                place(problem).or(start.filter(|_| problem.code() != Code::StandardFileMissing)),
            )
        };
        self.problems.iter().map(diagnostic).collect()
    }
}
