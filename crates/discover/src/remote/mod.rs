//! Skills of another environment, listed and read by URI.

mod call;
mod pipe;
mod wire;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use lorimer_core::{Code, Content, Diagnostic, Locator, ReadLimit, Root, Scope, Skill, SkillId, SourceId};

use crate::assemble::{assemble, folder_of};
use crate::bundle::{add_openai_yaml, ask, content_of};
use crate::frontmatter::{Encoding, Head, read_head};
use crate::{ReadError, Reading, Scan, ScanRequest, Source};
pub use pipe::{PipeLimits, PipeRemote};
#[cfg(any(test, fuzzing))]
pub(crate) use wire::Answer;

/// Skills that one remote may offer. What lies beyond them is not taken in.
const MAX_SKILLS: usize = 2_000;
/// Files beside one skill.
const MAX_FILES: usize = 1_000;
/// Bytes of a URI.
const MAX_URI: usize = 2_000;
/// Bytes that are asked for first; most frontmatters end in them.
const FIRST: usize = 16 * 1024;
/// Bytes of a skill file that are read for its metadata, where the reading has no limit of its own.
const MOST: usize = 1 << 20;
/// Bytes of an `agents/openai.yaml`.
const MAX_OPENAI_YAML: usize = 1 << 20;

/// Why another environment gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// There is nothing of this URI.
    #[error("there is nothing at this address")]
    NotFound,
    /// It said no to this one question. Others may be answered.
    #[error("the other side refuses: {0}")]
    Refused(String),
    /// It cannot be reached or used as a whole: it is gone, took too long, or does not speak the protocol.
    #[error("{0}")]
    Unavailable(String),
}

/// A skill that another environment offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RemoteSkill {
    /// URI of its skill file.
    pub uri: String,
    /// URIs of the files beside it.
    #[serde(default)]
    pub files: Vec<String>,
}

/// What another environment offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Skills, in any order.
    pub skills: Vec<RemoteSkill>,
    /// Whether that is everything there is.
    pub complete: bool,
}

/// An environment that lists skills and reads them by URI: a container, a worker, an orchestrator.
///
/// # Contract
///
/// * A call returns within a time that the implementor bounds; it may block until then.
/// * Calls may come from several threads at once.
/// * After [`RemoteError::Unavailable`] a later call may succeed; no state of the caller depends on it.
pub trait Remote: Send + Sync {
    /// Returns the skills that there are.
    ///
    /// # Errors
    ///
    /// When no answer comes, or one that is none.
    fn list(&self) -> Result<Listing, RemoteError>;

    /// Reads a resource, at most as many bytes as the limit allows; more are cut by the caller.
    ///
    /// # Errors
    ///
    /// When there is no such resource, it may not be read, or no answer comes.
    fn read(&self, uri: &str, limit: ReadLimit) -> Result<Content, RemoteError>;
}

impl<R: Remote + ?Sized> Remote for Arc<R> {
    fn list(&self) -> Result<Listing, RemoteError> {
        (**self).list()
    }

    fn read(&self, uri: &str, limit: ReadLimit) -> Result<Content, RemoteError> {
        (**self).read(uri, limit)
    }
}

/// Skills of another environment. Their locators are URIs, and no local file is assumed (S3-04).
///
/// A skill whose metadata cannot be read costs only itself. Once the other side as a whole is gone, nothing more is
/// asked of it in that scan, which is then incomplete.
pub struct RemoteSource {
    id: SourceId,
    scope: Scope,
    root: String,
    reading: Reading,
    remote: Box<dyn Remote>,
    listed: RwLock<Option<Listed>>,
}

impl std::fmt::Debug for RemoteSource {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, scope, root, reading, remote: _, listed } = self;
        formatter
            .debug_struct("RemoteSource")
            .field("id", id)
            .field("scope", scope)
            .field("root", root)
            .field("reading", reading)
            .field("listed", listed)
            .finish_non_exhaustive()
    }
}

/// What may be read.
#[derive(Debug, Default)]
struct Listed {
    /// Skill files, with the files beside each.
    skills: HashMap<String, Vec<String>>,
    /// Files that were named.
    files: HashSet<String>,
}

/// What made a scan stop.
struct Gone(String);

impl RemoteSource {
    /// Returns a source over an environment of this name, which is the skills' scope, read as `reading` says.
    ///
    /// `root` is the URI below which its skills lie, as far as they do.
    pub fn new(
        id: SourceId,
        environment: impl Into<String>,
        root: impl Into<String>,
        remote: impl Remote + 'static,
        reading: Reading,
    ) -> Self {
        let scope = Scope::Environment { id: environment.into() };
        Self { id, scope, root: root.into(), reading, remote: Box::new(remote), listed: RwLock::default() }
    }

    /// Returns the source with another scope for its skills, such as [`Scope::Orchestrator`].
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Sorts what is offered by URI, and leaves out what cannot be used.
    fn usable(&self, mut offered: Vec<RemoteSkill>, scan: &mut Scan) -> Vec<RemoteSkill> {
        let invalid = |message: String| {
            Diagnostic::new(Code::RemoteInvalid, message).at(Locator::Uri(self.root.clone()), None)
        };
        offered.sort_by(|left, right| left.uri.cmp(&right.uri));
        let mut skills: Vec<RemoteSkill> = Vec::new();
        for mut skill in offered {
            if let Err(why) = check_uri(&skill.uri) {
                scan.diagnostics.push(invalid(format!("a skill was offered whose address {why}")));
            } else if skills.last().is_some_and(|last| last.uri == skill.uri) {
                scan.diagnostics.push(invalid(format!("`{}` was offered twice and counts once", skill.uri)));
            } else if skills.len() == MAX_SKILLS {
                scan.diagnostics.push(invalid(format!("more than {MAX_SKILLS} skills were offered")));
                scan.complete = false;
                break;
            } else {
                skill.files.retain(|uri| check_uri(uri).is_ok() && *uri != skill.uri);
                skill.files.sort_unstable();
                skill.files.dedup();
                skill.files.truncate(MAX_FILES);
                skills.push(skill);
            }
        }
        skills
    }

    /// Reads one skill's metadata; `Ok(None)` where this one cannot be taken in.
    fn load(&self, offered: &RemoteSkill, diagnostics: &mut Vec<Diagnostic>) -> Result<Option<Skill>, Gone> {
        let locator = Locator::Uri(offered.uri.clone());
        let head = match self.head(&offered.uri) {
            Ok(head) => head,
            Err(RemoteError::Unavailable(why)) => return Err(Gone(why)),
            Err(error) => {
                diagnostics.push(unreadable(&error).at(locator, None));
                return Ok(None);
            }
        };
        let head = match head {
            Ok(head) => head,
            Err(diagnostic) => {
                diagnostics.push(diagnostic.at(locator, None));
                return Ok(None);
            }
        };
        let id = SkillId::new(self.id.clone(), locator.clone());
        let skill = assemble(id, head, &folder_of(&locator), &self.reading, diagnostics);
        let Some(mut skill) = skill else { return Ok(None) };
        skill.scope = self.scope.clone();
        skill.root = Root { path: self.root.clone(), order: 0 };
        let folder = offered.uri.rsplit_once('/').map_or("", |(folder, _)| folder);
        let openai_yaml = format!("{folder}/agents/openai.yaml");
        if offered.files.contains(&openai_yaml) {
            match self.remote.read(&openai_yaml, ReadLimit(Some(MAX_OPENAI_YAML + 1))) {
                Ok(content) => {
                    let locator = Locator::Uri(openai_yaml);
                    add_openai_yaml(&mut skill, &content.bytes, &locator, Path::new(folder), diagnostics);
                }
                Err(RemoteError::Unavailable(why)) => return Err(Gone(why)),
                Err(error) => diagnostics.push(
                    Diagnostic::new(Code::OpenaiYamlInvalid, error.to_string())
                        .at(Locator::Uri(openai_yaml), None),
                ),
            }
        }
        Ok(Some(skill))
    }

    /// Reads as much of a skill file as its metadata needs, in at most two questions.
    fn head(&self, uri: &str) -> Result<Result<Head, Diagnostic>, RemoteError> {
        let most = self.reading.max_file_bytes.unwrap_or(MOST);
        let whole = self.reading.encoding == Encoding::WholeFile || self.reading.max_file_bytes.is_some();
        let mut limit = if whole { most } else { FIRST.min(most) };
        loop {
            let content = self.remote.read(uri, ReadLimit(Some(limit)))?;
            let content = Content { cut: content.cut || content.bytes.len() > limit, ..content };
            if content.cut && whole {
                let message = format!("the file has more than {limit} bytes");
                return Ok(Err(Diagnostic::new(Code::FileTooLarge, message)));
            }
            let bytes = content.bytes.get(..limit).unwrap_or(&content.bytes);
            let head = read_head(&mut &*bytes, &self.reading);
            let head = head.map_err(|error| RemoteError::Refused(error.to_string()))?;
            if !content.cut || limit >= most || head.outcome.is_accepted() {
                return Ok(Ok(head));
            }
            limit = most;
        }
    }

    /// Asks what was listed. The first question of all makes a scan.
    fn ask<T>(&self, locator: &Locator, of: impl Fn(&mut Listed, &str) -> Option<T>) -> Result<T, ReadError> {
        let Locator::Uri(uri) = locator else { return Err(ReadError::NotListed(locator.clone())) };
        ask(self, &self.listed, locator, |listed| of(listed, uri))
    }
}

impl Source for RemoteSource {
    fn id(&self) -> &SourceId {
        &self.id
    }

    fn scan(&self, _request: &ScanRequest) -> Scan {
        let mut scan = Scan { complete: true, ..Scan::default() };
        let unavailable = |message: String| {
            Diagnostic::new(Code::RemoteUnavailable, message).at(Locator::Uri(self.root.clone()), None)
        };
        let listing = match self.remote.list() {
            Ok(listing) => listing,
            Err(error) => {
                scan.diagnostics.push(unavailable(format!("the skills cannot be listed: {error}")));
                scan.complete = false;
                return scan;
            }
        };
        scan.complete = listing.complete;
        let offered = self.usable(listing.skills, &mut scan);
        let mut listed = HashMap::new();
        for (index, skill) in offered.iter().enumerate() {
            match self.load(skill, &mut scan.diagnostics) {
                Ok(Some(loaded)) => {
                    listed.insert(skill.uri.clone(), skill.files.clone());
                    scan.skills.push(loaded.into());
                }
                Ok(None) => {}
                Err(Gone(why)) => {
                    let left = offered.len() - index;
                    scan.diagnostics.push(unavailable(format!("{left} skills were not read: {why}")));
                    scan.complete = false;
                    break;
                }
            }
        }
        // What was listed once stays readable: a turn may still hold the snapshot of an earlier scan.
        let mut known = self.listed.write().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_default().skills.extend(listed);
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        let uri = self.ask(locator, |listed, uri| {
            (listed.skills.contains_key(uri) || listed.files.contains(uri)).then(|| uri.to_owned())
        })?;
        match self.remote.read(&uri, limit) {
            Ok(content) => {
                let cut = content.cut;
                let content = content_of(content.bytes, limit);
                Ok(self.reading.locate(Content { cut: cut || content.cut, ..content }))
            }
            Err(RemoteError::NotFound) => Err(ReadError::NotFound(locator.clone())),
            Err(error) => {
                Err(ReadError::Io { locator: locator.clone(), source: std::io::Error::other(error) })
            }
        }
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        self.ask(skill, |listed, uri| {
            let beside = listed.skills.get(uri)?;
            listed.files.extend(beside.iter().cloned());
            Some(beside.iter().cloned().map(Locator::Uri).collect())
        })
    }
}

/// Returns whether a URI can be used, or why it can't.
fn check_uri(uri: &str) -> Result<(), &'static str> {
    if uri.is_empty() {
        Err("is empty")
    } else if uri.len() > MAX_URI {
        Err("is too long")
    } else if uri.chars().any(|character| character.is_control() || character.is_whitespace()) {
        Err("has control characters or white space")
    } else {
        Ok(())
    }
}

fn unreadable(error: &RemoteError) -> Diagnostic {
    Diagnostic::new(Code::FileUnreadable, format!("the file cannot be read: {error}"))
}
