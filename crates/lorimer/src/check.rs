//! A check looks at whole skills, where a session looks at what it needs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use lorimer_core::{Code, Diagnostic, Digest, Fix, Locator, Severity};
use lorimer_discover::frontmatter::{Reading, parse};
use lorimer_discover::{agentskills, lint, read_beginning};

use crate::View;

/// Larger files are not looked at.
const MAX_BYTES: u64 = 16 << 20;

/// What a check came to.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Findings about no file first, then file by file and line by line.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that were read whole, and what they were.
    pub files: BTreeMap<PathBuf, Digest>,
    /// Folders that were looked into.
    pub roots: Vec<PathBuf>,
}

/// By which rules skills are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruleset {
    /// What the profile itself tells, and what is odd about the skills wherever they are used.
    Profile,
    /// The verdict of the standard's reference validator, and nothing else about the skills.
    AgentSkills,
}

/// Looks at every skill of a view as a whole, those that were refused included.
pub fn check(view: &View, rules: Ruleset) -> Checked {
    let subjects = subjects(view);
    let mut checked = Checked { roots: roots(view, &subjects), ..Checked::default() };
    checked.diagnostics.clone_from(&view.diagnostics);
    for subject in &subjects {
        match rules {
            Ruleset::Profile => look(subject, &mut checked),
            Ruleset::AgentSkills => judge(subject, &mut checked),
        }
    }
    checked.diagnostics.sort_by(|left, right| key(left).cmp(&key(right)));
    checked
}

fn key(diagnostic: &Diagnostic) -> impl Ord {
    let location = diagnostic.location.as_ref();
    let span = location.and_then(|location| location.span).map(|span| (span.line, span.column));
    (location.map(|location| &location.locator), span, diagnostic.code, &diagnostic.message)
}

/// A skill file on this machine.
#[derive(Debug)]
struct Subject {
    path: PathBuf,
    /// The path by which it was found.
    discovered: PathBuf,
    /// Whether the profile has read it. One whose name is in the wrong case was only seen.
    was_read: bool,
}

impl Subject {
    /// Returns the skill's own folder; a Markdown file that lies about has none.
    fn folder(&self) -> Option<&Path> {
        self.discovered.parent().filter(|_| is_skill_file(&self.discovered))
    }
}

fn is_skill_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
}

/// A link that the profile did not follow is not followed here.
fn is_regular(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

fn path_of(diagnostic: &Diagnostic) -> Option<&Path> {
    diagnostic.location.as_ref()?.locator.as_path()
}

fn subjects(view: &View) -> Vec<Subject> {
    let mut seen = HashSet::new();
    let mut subjects = Vec::new();
    for skill in view.snapshot.skills() {
        let Some(path) = skill.id.locator.as_path().filter(|path| seen.insert(path.to_path_buf())) else {
            continue;
        };
        let discovered = skill.provenance.discovered.clone().unwrap_or_else(|| path.to_owned());
        subjects.push(Subject { path: path.to_owned(), discovered, was_read: true });
    }
    for diagnostic in &view.diagnostics {
        let Some(path) = path_of(diagnostic).filter(|path| is_skill_file(path) && is_regular(path)) else {
            continue;
        };
        if seen.insert(path.to_owned()) {
            let was_read = diagnostic.code != Code::FileNameCase;
            subjects.push(Subject { path: path.to_owned(), discovered: path.to_owned(), was_read });
        }
    }
    subjects
}

/// Returns the roots of the skills, and the folders of those that have none, as far as no link leads there.
fn roots(view: &View, subjects: &[Subject]) -> Vec<PathBuf> {
    let mut roots: BTreeSet<PathBuf> =
        view.snapshot.skills().map(|skill| PathBuf::from(&skill.root.path)).collect();
    for subject in subjects {
        if let Some(folder) = subject.path.parent()
            && !roots.iter().any(|root| folder.starts_with(root))
            && subject.discovered.parent() == Some(folder)
            && folder.canonicalize().is_ok_and(|real| real == folder)
        {
            roots.insert(folder.to_owned());
        }
    }
    roots.into_iter().collect()
}

fn look(subject: &Subject, checked: &mut Checked) {
    let locator = Locator::Path(subject.path.clone());
    let file = match read(&subject.path) {
        Ok(Some(file)) => file,
        Ok(None) => {
            let message = format!("the file has more than {MAX_BYTES} bytes, so only its head was looked at");
            let finding = Diagnostic::new(Code::FileTooLarge, message).at(locator, None);
            checked.diagnostics.push(Diagnostic { severity: Severity::Warning, ..finding });
            return;
        }
        // Whoever scanned it says so, or it went away since.
        Err(_) => return,
    };
    let folder = subject.folder();
    let name = folder.and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let outcome = lint::lint(&lint::Subject { locator: &locator, file: &file, folder, folder_name: &name });
    // The lint tells these one by one.
    checked.diagnostics.retain(|diagnostic| {
        diagnostic.code != Code::HiddenCharacters || path_of(diagnostic) != Some(&subject.path)
    });
    if !subject.was_read {
        let findings = parse(&file, &Reading::lenient()).diagnostics(&locator);
        checked.diagnostics.extend(findings.into_iter().filter(|told| told.code != Code::HiddenCharacters));
    }
    checked.diagnostics.extend(outcome.diagnostics.iter().cloned());
    for diagnostic in &mut checked.diagnostics {
        if path_of(diagnostic) == Some(&subject.path) {
            outcome.complete(diagnostic);
            if diagnostic.code == Code::FileNameCase {
                diagnostic.help = Some("rename it to `SKILL.md`".to_owned());
                diagnostic.fix = Some(Fix::Rename("SKILL.md".to_owned()));
            }
        }
    }
    checked.files.insert(subject.path.clone(), Digest::of(&file));
}

/// Puts the reference's verdict in the place of everything that was told about a skill.
fn judge(subject: &Subject, checked: &mut Checked) {
    let Some(folder) = subject.folder() else { return };
    let verdict = agentskills::validate(folder);
    let beside = folder.join("agents");
    checked.diagnostics.retain(|told| {
        path_of(told).is_none_or(|path| {
            path != subject.path && path != subject.discovered && !path.starts_with(&beside)
        })
    });
    checked.diagnostics.extend(verdict.diagnostics(folder));
}

/// Reads a file; `None` where it is too large.
fn read(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let bytes = read_beginning(path, MAX_BYTES + 1)?;
    Ok((bytes.len() as u64 <= MAX_BYTES).then_some(bytes))
}
