//! From skills that were found to documents that can be compared.

use std::path::Path;

use lorimer_core::{Code, Content, Diagnostic, Locator, ReadLimit, Scope, ScopeOrder, Skill, Snapshot};
use lorimer_discover::Source;
use lorimer_discover::frontmatter::{Reading, parse};

use super::Document;
use crate::Lifecycle;

/// Bytes of a skill file that are compared.
const MOST_BYTES: usize = 1 << 20;

/// The key that some harnesses show behind the description.
const WHEN_TO_USE: &str = "when_to_use";

/// Whose skill is the nearer one.
const NEAREST: ScopeOrder =
    ScopeOrder::new(&["project", "user", "plugin", "environment", "orchestrator", "admin", "system"]);

/// Reads every skill of a snapshot, in its order. One whose file cannot be read is compared by its name and description
/// alone, and there is a diagnostic about it.
pub fn documents(lifecycle: &Lifecycle, snapshot: &Snapshot) -> (Vec<Document>, Vec<Diagnostic>) {
    let mut unread = Vec::new();
    let read = |skill: &std::sync::Arc<Skill>| {
        let source = lifecycle.sources().iter().find(|source| *source.id() == skill.id.source);
        let content = source.map(|source| source.read(&skill.id.locator, ReadLimit(Some(MOST_BYTES))));
        let content = match content {
            Some(Ok(content)) => Some(content),
            Some(Err(error)) => {
                let message = format!("{error}; it is compared by its name and description alone");
                unread
                    .push(Diagnostic::new(Code::BodyUnreadable, message).at(skill.id.locator.clone(), None));
                None
            }
            None => None,
        };
        document(skill, content.as_ref(), &source.map(|source| files(source, skill)).unwrap_or_default())
    };
    let documents = snapshot.skills().map(read).collect();
    (documents, unread)
}

/// Returns a skill as a document: its metadata, and what a source gave for its file and the files beside it.
pub fn document(skill: &Skill, content: Option<&Content>, files: &[Locator]) -> Document {
    let mut description = skill.description.clone();
    if let Some(when) = skill.frontmatter.get(WHEN_TO_USE).and_then(|value| value.as_str()) {
        description.push('\n');
        description.push_str(when);
    }
    Document {
        id: skill.id.to_string(),
        name: skill.call_name().to_owned(),
        description,
        body: content.map(body).unwrap_or_default(),
        digest: content.filter(|content| !content.cut).map(|content| content.digest),
        files: files.iter().filter_map(|file| below(&skill.id.locator, file)).collect(),
        nearness: nearness(&skill.scope),
    }
}

fn body(content: &Content) -> String {
    let bytes = content.bytes.as_slice();
    let fenced = parse(bytes, &Reading::lenient()).fenced;
    let body = fenced.and_then(|fenced| bytes.get(fenced.body)).unwrap_or(bytes);
    String::from_utf8_lossy(body).into_owned()
}

fn files(source: &std::sync::Arc<dyn Source>, skill: &Skill) -> Vec<Locator> {
    // Whoever cannot list them has none to compare.
    source.files(&skill.id.locator).unwrap_or_default()
}

/// Returns the name of a file below the folder of a skill.
fn below(skill: &Locator, file: &Locator) -> Option<String> {
    match (skill, file) {
        (Locator::Path(skill), Locator::Path(file)) => {
            let rest = file.strip_prefix(skill.parent().unwrap_or(Path::new(""))).ok()?;
            Some(rest.to_string_lossy().into_owned())
        }
        (Locator::Package { resource: skill, .. }, Locator::Package { resource: file, .. })
        | (Locator::Uri(skill), Locator::Uri(file)) => {
            let folder = skill.rfind('/').map_or(0, |end| end + 1);
            file.strip_prefix(skill.get(..folder)?).map(str::to_owned)
        }
        _ => None,
    }
}

/// Returns the place of a scope among all: a project's inner folders before its outer ones, then what is the user's own.
fn nearness(scope: &Scope) -> usize {
    let inner = match scope {
        Scope::Project { depth } => usize::from(u16::MAX - depth),
        _ => 0,
    };
    NEAREST.rank(scope) * (usize::from(u16::MAX) + 1) + inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearer_comes_first() {
        let order = [
            Scope::Project { depth: 2 },
            Scope::Project { depth: 0 },
            Scope::User,
            Scope::Admin,
            Scope::System,
        ];
        let places: Vec<usize> = order.iter().map(nearness).collect();
        assert!(places.is_sorted(), "{places:?}");
    }

    #[test]
    fn files_are_named_from_the_skills_folder() {
        let path = |path: &str| Locator::Path(path.into());
        assert_eq!(below(&path("/r/a/SKILL.md"), &path("/r/a/x/y.md")).as_deref(), Some("x/y.md"));
        assert_eq!(below(&path("/r/a/SKILL.md"), &path("/r/b/y.md")), None);
        let uri = |uri: &str| Locator::Uri(uri.to_owned());
        assert_eq!(below(&uri("memory://a/SKILL.md"), &uri("memory://a/b.md")).as_deref(), Some("b.md"));
        let packed =
            |resource: &str| Locator::Package { package: "p.zip".to_owned(), resource: resource.to_owned() };
        assert_eq!(below(&packed("SKILL.md"), &packed("b.md")).as_deref(), Some("b.md"));
    }
}
