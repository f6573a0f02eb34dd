//! From the bytes of an artifact to a skill.

use std::io::Cursor;

use lorimer_core::{Code, Content, Diagnostic, Locator, ReadLimit, Skill, SkillId, SourceId};

use super::document::{Entry, Kind};
use crate::archive::{ArchiveError, ArchiveLimits, Contents, archive_diagnostic, read_file, unpack};
use crate::assemble::assemble;
use crate::frontmatter::read_head;
use crate::{Reading, WalkPolicy};

/// What an artifact came to. Its bytes are not kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    pub(super) skill: Option<Skill>,
    pub(super) beside: Vec<Locator>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Makes a skill of an artifact whose digest is right.
pub(super) fn take(
    bytes: &[u8],
    entry: &Entry,
    url: &str,
    source: &SourceId,
    reading: &Reading,
    limits: &ArchiveLimits,
) -> Taken {
    let mut taken = Taken::default();
    match entry.kind {
        Kind::SkillMd => {
            let id = SkillId::new(source.clone(), Locator::Uri(url.to_owned()));
            // Reading from memory does not fail.
            if let Ok(head) = read_head(&mut &*bytes, reading) {
                taken.skill = assemble(id, head, &entry.name, reading, &mut taken.diagnostics);
            }
        }
        Kind::Archive => {
            let policy = WalkPolicy { max_depth: 0, ..WalkPolicy::default() };
            match Contents::of(&mut Cursor::new(bytes), limits, reading, &policy) {
                Ok(contents) => take_contents(contents, &policy, entry, url, source, reading, &mut taken),
                Err(error) => {
                    let diagnostic = archive_diagnostic(&error);
                    taken.diagnostics.push(diagnostic.at(Locator::Uri(url.to_owned()), None));
                }
            }
        }
    }
    taken
}

/// Takes the skill at the root of an archive: the format wants its file there, without a folder around it.
fn take_contents(
    contents: Contents,
    policy: &WalkPolicy,
    entry: &Entry,
    url: &str,
    source: &SourceId,
    reading: &Reading,
    taken: &mut Taken,
) {
    let locator =
        |resource: &str| Locator::Package { package: url.to_owned(), resource: resource.to_owned() };
    for refused in &contents.refused {
        let message = format!("the entry is not used: {}", refused.why);
        taken
            .diagnostics
            .push(Diagnostic::new(Code::ArchiveEntryRefused, message).at(locator(&refused.name), None));
    }
    let (skills, deeper) = contents.skills(policy);
    let Some(packed) = skills.into_iter().next() else {
        let mut diagnostic = Diagnostic::new(Code::IndexInvalid, "the archive has no SKILL.md at its root");
        if deeper > 0 {
            diagnostic = diagnostic.with_help("pack the skill without a folder around it");
        }
        taken.diagnostics.push(diagnostic.at(Locator::Uri(url.to_owned()), None));
        return;
    };
    taken.beside = packed.beside.iter().map(|file| locator(file)).collect();
    let id = SkillId::new(source.clone(), locator(&packed.file));
    taken.skill = unpack(packed, id, &entry.name, reading, &locator, &mut taken.diagnostics);
}

/// Returns the file that a locator names in an artifact; `None` where it has none.
pub(super) fn read(
    bytes: Vec<u8>,
    locator: &Locator,
    limits: &ArchiveLimits,
    limit: ReadLimit,
) -> Result<Option<Content>, ArchiveError> {
    match locator {
        Locator::Package { resource, .. } => read_file(&mut Cursor::new(bytes), limits, resource, limit),
        Locator::Uri(_) | Locator::Path(_) => Ok(Some(crate::bundle::content_of(bytes, limit))),
    }
}
