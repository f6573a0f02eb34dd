//! The last good version of what cannot be read now.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;
use lorimer_core::{Code, Content, Diagnostic, Locator, ReadLimit, Severity, Skill, SourceId};

use crate::boundary::is_absent;
use crate::openai::path_beside;
use crate::{ReadError, Scan, ScanRequest, Source, WatchRoot};

/// A source that does not lose a skill because somebody is just writing its file.
///
/// A skill that was listed stays so, as it was, when a later scan finds its file and cannot read it as a skill: torn,
/// empty, half there or without permission. The same holds when a folder above it cannot be read. Beside the error
/// stands a warning, [`Code::KeptLastGood`], until the file is good again or gone. What `agents/openai.yaml` said
/// stays in force likewise, so that half a file opens nothing that the whole one had closed.
///
/// A root that is gone with all its skills is not the same as one that is empty: that is told as
/// [`Code::RootVanished`] and makes the scan incomplete, for as long as the root stays away.
///
/// Only metadata are kept. A body is always read anew; what is there now may be no whole one, and that is
/// [`ReadError::Torn`].
///
/// ```
/// use lorimer_core::{Code, SourceId};
/// use lorimer_discover::{KeepLastGood, MemorySource, ScanRequest, Source};
/// let memory = std::sync::Arc::new(MemorySource::new(SourceId::new("memory")));
/// let locator = memory.add("a", "Does a.", "Do it.");
/// let source = KeepLastGood::new(memory.clone());
/// source.scan(&ScanRequest::default());
/// memory.set(locator, "---\nname: a\ndescr");
/// let scan = source.scan(&ScanRequest::default());
/// assert_eq!(scan.skills[0].description, "Does a.");
/// assert!(scan.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::KeptLastGood));
/// ```
#[derive(Debug)]
pub struct KeepLastGood<S> {
    inner: S,
    last: Mutex<Last>,
}

/// What the last scan came to.
#[derive(Debug, Default)]
struct Last {
    /// Everything that was listed, in the source's order.
    good: IndexMap<Locator, Arc<Skill>>,
    /// Those that were listed although their file was not good.
    kept: HashSet<Locator>,
    /// Roots that were there once, and how many skills went with them.
    vanished: BTreeMap<PathBuf, usize>,
}

impl<S: Source> KeepLastGood<S> {
    /// Returns the source over another one. Nothing is known before its first scan.
    pub fn new(inner: S) -> Self {
        Self { inner, last: Mutex::default() }
    }

    /// Returns the source underneath.
    pub fn inner(&self) -> &S {
        &self.inner
    }
}

impl<S: Source> Source for KeepLastGood<S> {
    fn id(&self) -> &SourceId {
        self.inner.id()
    }

    fn scan(&self, request: &ScanRequest) -> Scan {
        let mut scan = self.inner.scan(request);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let trouble = Trouble::of(&scan.diagnostics);
        for skill in &mut scan.skills {
            keep_openai_yaml(skill, &last, &trouble, &mut scan.diagnostics);
        }
        let kept = last.keep(&mut scan, &trouble);
        last.vanish(&mut scan);
        last.take_in(&scan, kept);
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        let content = self.inner.read(locator, limit)?;
        let kept = self.last.lock().unwrap_or_else(PoisonError::into_inner).kept.contains(locator);
        // A file that was a skill had a place where its instructions begin.
        if kept && content.instructions == 0 { Err(ReadError::Torn(locator.clone())) } else { Ok(content) }
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        self.inner.files(skill)
    }

    fn watched(&self) -> Vec<WatchRoot> {
        self.inner.watched()
    }
}

/// Where a scan found something that it could not read.
#[derive(Debug, Default)]
struct Trouble {
    files: HashSet<Locator>,
    directories: HashSet<PathBuf>,
}

impl Trouble {
    fn of(diagnostics: &[Diagnostic]) -> Self {
        let mut trouble = Self::default();
        for diagnostic in diagnostics {
            let Some(location) = &diagnostic.location else { continue };
            if diagnostic.code == Code::DirectoryUnreadable {
                trouble.directories.extend(location.locator.as_path().map(Path::to_owned));
            } else if diagnostic.code.info().severity == Severity::Error
                || diagnostic.code == Code::OpenaiYamlInvalid
            {
                // By the table: what a profile says about the code changes nothing about the file.
                trouble.files.insert(location.locator.clone());
            }
        }
        trouble
    }

    /// Returns why a skill that was listed may be missing without being gone.
    fn with(&self, skill: &Skill) -> Option<&'static str> {
        if self.files.contains(&skill.id.locator) {
            return Some("what its file says now cannot be read as a skill");
        }
        let unreadable = |path: &Path| path.ancestors().any(|folder| self.directories.contains(folder));
        let hidden = !self.directories.is_empty() && skill.paths().any(unreadable);
        hidden.then_some("a folder above it cannot be read now")
    }
}

impl Last {
    /// Puts skills that are missing without being gone into the scan, each behind the one that it stood behind.
    fn keep(&self, scan: &mut Scan, trouble: &Trouble) -> HashSet<Locator> {
        let mut kept = HashSet::new();
        if trouble.files.is_empty() && trouble.directories.is_empty() {
            return kept;
        }
        let roots: HashMap<&str, u32> =
            scan.skills.iter().map(|skill| (&*skill.root.path, skill.root.order)).collect();
        let present: HashSet<&Locator> = scan.skills.iter().map(|skill| &skill.id.locator).collect();
        let mut behind: HashMap<Option<Locator>, Vec<Arc<Skill>>> = HashMap::new();
        let mut before = None;
        for (locator, skill) in &self.good {
            if present.contains(locator) {
                before = Some(locator);
            } else if let Some(why) = trouble.with(skill) {
                let mut skill = Arc::clone(skill);
                let order = roots.get(&*skill.root.path).copied().unwrap_or(skill.root.order);
                if order != skill.root.order {
                    Arc::make_mut(&mut skill).root.order = order;
                }
                scan.diagnostics.push(kept_last_good(&skill.name, why).at(locator.clone(), None));
                kept.insert(locator.clone());
                behind.entry(before.cloned()).or_default().push(skill);
            }
        }
        if kept.is_empty() {
            return kept;
        }
        let mut skills = behind.remove(&None).unwrap_or_default();
        for skill in std::mem::take(&mut scan.skills) {
            let followers = behind.remove(&Some(skill.id.locator.clone())).unwrap_or_default();
            skills.push(skill);
            skills.extend(followers);
        }
        scan.skills = skills;
        kept
    }

    /// Tells of roots that are gone.
    fn vanish(&mut self, scan: &mut Scan) {
        let present: HashSet<&str> = scan.skills.iter().map(|skill| &*skill.root.path).collect();
        let mut gone: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for skill in self.good.values() {
            if !present.contains(&*skill.root.path) && skill.id.locator.as_path().is_some() {
                *gone.entry(PathBuf::from(&skill.root.path)).or_default() += 1;
            }
        }
        self.vanished.extend(gone);
        self.vanished.retain(|root, _| fs::symlink_metadata(root).is_err_and(|error| is_absent(&error)));
        for (root, skills) in &self.vanished {
            let skills = if *skills == 1 { "1 skill".to_owned() } else { format!("{skills} skills") };
            let message = format!("the skill root is gone, and {skills} with it");
            scan.diagnostics.push(
                Diagnostic::new(Code::RootVanished, message)
                    .at(root.clone(), None)
                    .with_help("mount its disk again or put it back, unless it was meant to go"),
            );
            scan.complete = false;
        }
    }

    fn take_in(&mut self, scan: &Scan, kept: HashSet<Locator>) {
        let mut good = IndexMap::with_capacity(scan.skills.len());
        for skill in &scan.skills {
            good.insert(skill.id.locator.clone(), Arc::clone(skill));
        }
        self.good = good;
        self.kept = kept;
    }
}

/// Leaves in force what `agents/openai.yaml` said while it could be read.
fn keep_openai_yaml(
    skill: &mut Arc<Skill>,
    last: &Last,
    trouble: &Trouble,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if trouble.files.is_empty() {
        return;
    }
    let Some(beside) = skill.id.locator.as_path().and_then(path_beside).map(Locator::Path) else { return };
    let Some(known) = last.good.get(&skill.id.locator).filter(|_| trouble.files.contains(&beside)) else {
        return;
    };
    let said = known.policy != skill.policy
        || known.dependencies != skill.dependencies
        || known.interface != skill.interface;
    if said {
        let skill = Arc::make_mut(skill);
        skill.policy.implicit &= known.policy.implicit;
        skill.policy.products.clone_from(&known.policy.products);
        skill.dependencies.clone_from(&known.dependencies);
        skill.interface.clone_from(&known.interface);
        let why = "what the file says now cannot be read";
        diagnostics.push(kept_last_good(&skill.name, why).at(beside, None));
    }
}

fn kept_last_good(name: &str, why: &str) -> Diagnostic {
    Diagnostic::new(Code::KeptLastGood, format!("`{name}` is listed as it was read last: {why}"))
        .with_help("the finding about the file or folder says what is wrong; once that is mended, the new version counts")
}
