//! From a skill file that was found to a skill.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use lorimer_core::{Code, Diagnostic, Locator, Revision, Scope, Severity, Skill, SkillId};

use super::FsSource;
use super::plan::{Plan, Planned};
use crate::assemble::assemble;
use crate::boundary::{Limit, OpenError, open};
use crate::cache::{Beside, News, Recalled, Session, Stamp, Stamps};
use crate::frontmatter::read_head;
use crate::openai;
use crate::walk::FoundFile;

/// What a skill file came to: a skill or the reason why there is none, as a scan gives it.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    pub(super) skill: Option<Arc<Skill>>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// By what it is known to be the same later; `None` where that cannot be said.
    pub(super) stamps: Option<Stamps>,
}

/// What was read from a skill file, wherever it lies.
#[derive(Default)]
struct Metadata {
    skill: Option<Skill>,
    diagnostics: Vec<Diagnostic>,
    stamps: Option<Stamps>,
}

impl FsSource {
    /// Loads one skill file, from the cache where its entry is good, and says what the cache ought to know.
    pub(super) fn load(
        &self,
        plan: &Plan,
        planned: &Planned,
        session: Option<&Session<'_>>,
    ) -> (Loaded, Option<News>) {
        let file = &planned.file;
        let root = plan.roots.get(planned.root).filter(|root| root.walk.loose_names_are_paths);
        let folder = if let (Some(root), None) = (root, &file.directory) {
            Cow::Owned(name_below(&root.path, &file.discovered))
        } else if file.directory.is_none() && !self.reading.loose_name_from_folder {
            file.discovered.file_stem().unwrap_or_default().to_string_lossy()
        } else {
            file.discovered.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy()
        };
        let (metadata, news) = match session {
            Some(session) => self.recall(plan, planned, &folder, session),
            None => (self.read_metadata(plan, planned, &folder), None),
        };
        let Metadata { mut skill, mut diagnostics, stamps } = metadata;
        if let Some(skill) = &mut skill {
            if let (Some(root), Some(shown)) = (plan.roots.get(planned.root), plan.shown.get(planned.root)) {
                skill.scope = root.scope.clone();
                if let Scope::Plugin { name } = &skill.scope {
                    skill.qualified_name = Some(format!("{name}:{}", skill.name));
                }
                skill.root = shown.clone();
                skill.provenance.serves.clone_from(&root.serves);
            }
            add_provenance(skill, file, &mut diagnostics);
        }
        (Loaded { skill: skill.map(Arc::new), diagnostics, stamps }, news)
    }

    fn recall(
        &self,
        plan: &Plan,
        planned: &Planned,
        folder: &str,
        session: &Session<'_>,
    ) -> (Metadata, Option<News>) {
        let file = &planned.file;
        if let Some(Recalled { skill, diagnostics, stamps, news }) = session.recall(file, folder, &self.id) {
            return (Metadata { skill, diagnostics, stamps: Some(stamps) }, Some(news));
        }
        let mut read = self.read_metadata(plan, planned, folder);
        read.stamps = session.settled(read.stamps);
        let Metadata { skill, diagnostics, stamps } = &read;
        let news = News::read(file, folder, stamps.as_ref(), skill.as_ref(), diagnostics);
        (read, Some(news))
    }

    /// Reads one skill file and what lies beside it. There are stamps when that went well, so that it need not be done
    /// again while they hold.
    fn read_metadata(&self, plan: &Plan, planned: &Planned, folder: &str) -> Metadata {
        let file = &planned.file;
        let locator = Locator::Path(file.canonical.clone());
        let mut loaded = Metadata::default();
        let mut stamp = None;
        let head = match open(&file.canonical) {
            Ok((mut opened, metadata)) => {
                if let Some(too_large) = self.too_large(&metadata) {
                    loaded.diagnostics.push(too_large.at(locator, None));
                    return loaded;
                }
                stamp = Stamp::of(&metadata);
                read_head(&mut opened, &self.reading).map_err(OpenError::Io)
            }
            Err(error) => Err(error),
        };
        let head = match head {
            Ok(head) => head,
            Err(error) => {
                loaded.diagnostics.push(unreadable(&error).at(locator, None));
                return loaded;
            }
        };
        let id = SkillId::new(self.id.clone(), locator);
        loaded.skill = assemble(id, head, folder, &self.reading, &mut loaded.diagnostics);
        match &mut loaded.skill {
            None if file.directory.is_none() => soften(&mut loaded.diagnostics),
            Some(skill) if file.directory.is_none() => {
                skill.frontmatter.retain(|key, _| !self.reading.loose_ignores.contains(&key.as_str()));
            }
            _ => {}
        }
        let beside = match &mut loaded.skill {
            Some(skill) if self.openai_yaml => {
                let limit = plan.limits.get(planned.root);
                limit.and_then(|limit| add_openai_yaml(skill, file, limit, &mut loaded.diagnostics))
            }
            _ => Some(Beside::Unasked),
        };
        if let Some(skill) = &mut loaded.skill {
            skill.provenance.revision = stamp.map(|file| Revision::of(&(file, beside)));
        }
        loaded.stamps = stamp.zip(beside).map(|(file, openai_yaml)| Stamps { file, openai_yaml });
        loaded
    }

    fn too_large(&self, metadata: &fs::Metadata) -> Option<Diagnostic> {
        let limit = self.reading.max_file_bytes?;
        let length = metadata.len();
        u64::try_from(limit).is_ok_and(|limit| length > limit).then(|| {
            Diagnostic::new(Code::FileTooLarge, format!("the file has {length} bytes, more than {limit}"))
        })
    }
}

/// Returns a file's path below its root, without the extension, `:` between its parts.
fn name_below(root: &Path, file: &Path) -> String {
    let path = file.strip_prefix(root).unwrap_or(file).with_extension("");
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join(":")
}

fn add_provenance(skill: &mut Skill, file: &FoundFile, diagnostics: &mut Vec<Diagnostic>) {
    skill.provenance.discovered = (file.discovered != file.canonical).then(|| file.discovered.clone());
    for alias in &file.aliases {
        if skill.paths().any(|path| path == alias) {
            continue;
        }
        let message = format!(
            "this is the skill `{}` at `{}`, and it is listed once",
            skill.name,
            file.canonical.display()
        );
        diagnostics.push(Diagnostic::new(Code::SameFile, message).at(alias.clone(), None));
        skill.provenance.aliases.push(alias.clone());
    }
}

/// A text that is no skill is no error where it need not be one.
fn soften(diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        diagnostic.severity = Severity::Note;
    }
}

fn unreadable(error: &OpenError) -> Diagnostic {
    match error {
        OpenError::NotRegularFile => Diagnostic::new(Code::NotRegularFile, "this is not a regular file"),
        _ => Diagnostic::new(Code::FileUnreadable, format!("the file cannot be read: {error}")),
    }
}

/// Adds what `agents/openai.yaml` beside the canonical skill file says, and returns what is known about that file.
fn add_openai_yaml(
    skill: &mut Skill,
    file: &FoundFile,
    limit: &Limit,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Beside> {
    if !file.agents {
        return Some(Beside::Absent);
    }
    let path = openai::path_beside(&file.canonical)?;
    let openai::Bytes { bytes, metadata } = match openai::read(&path, limit) {
        Ok(Some(read)) => read,
        Ok(None) => return Some(Beside::Absent),
        Err(why) => {
            diagnostics.push(Diagnostic::new(Code::OpenaiYamlInvalid, why).at(path, None));
            return None;
        }
    };
    let said = openai::parse(&bytes, file.canonical.parent()?);
    let locator = Locator::Path(path);
    diagnostics.extend(said.findings.into_iter().map(|finding| finding.at(locator.clone())));
    skill.policy.implicit &= said.policy.implicit;
    skill.policy.products = said.policy.products;
    skill.dependencies = said.dependencies;
    skill.interface = said.interface;
    metadata.and_then(|metadata| Stamp::of(&metadata)).map(Beside::Present)
}
