//! Skills in memory, for tests and for hosts that bring their own.

use std::sync::{PoisonError, RwLock};

use indexmap::IndexMap;
use lorimer_core::{Code, Content, Diagnostic, Locator, ReadLimit, Revision, Root, Scope, SkillId, SourceId};

use crate::assemble::{assemble, folder_of};
use crate::frontmatter::read_head;
use crate::{ReadError, Reading, Scan, ScanRequest, Source};

/// Skills in memory. They can be changed between two scans, so a test can play "the file was edited".
///
/// A skill need not have a path: any [`Locator`] will do, as for a source that is not on this machine (S3-04).
///
/// ```
/// use lorimer_discover::{MemorySource, ScanRequest, Source};
/// use lorimer_core::{ReadLimit, SourceId};
/// let source = MemorySource::new(SourceId::new("memory"));
/// let locator = source.add("a", "Does a.", "Do it.\n");
/// assert_eq!(source.scan(&ScanRequest::default()).skills[0].name, "a");
/// assert!(source.read(&locator, ReadLimit::default()).unwrap().bytes.ends_with(b"Do it.\n"));
/// ```
#[derive(Debug)]
pub struct MemorySource {
    id: SourceId,
    reading: Reading,
    scope: Scope,
    root: Root,
    skills: RwLock<IndexMap<Locator, Entry>>,
}

#[derive(Debug, Default)]
struct Entry {
    text: Vec<u8>,
    files: IndexMap<Locator, Vec<u8>>,
}

impl MemorySource {
    /// Returns an empty source that reads as [`Reading::lenient`] says, of user scope, its root at `memory://`.
    pub fn new(id: SourceId) -> Self {
        Self {
            id,
            reading: Reading::lenient(),
            scope: Scope::User,
            root: Root { path: "memory://".to_owned(), order: 0 },
            skills: RwLock::default(),
        }
    }

    /// Returns the source with other rules of reading.
    #[must_use]
    pub fn with_reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    /// Returns the source with another scope for its skills.
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Returns the source with another root for its skills.
    #[must_use]
    pub fn with_root(mut self, root: Root) -> Self {
        self.root = root;
        self
    }

    /// Adds a skill at `memory://NAME/SKILL.md`, or replaces the one there, and returns its locator.
    pub fn add(&self, name: &str, description: &str, body: &str) -> Locator {
        // The text of a JSON string is a YAML double-quoted scalar, so no name or description can break out.
        let quoted = |text: &str| serde_json::Value::String(text.to_owned()).to_string();
        self.set(
            Locator::Uri(format!("memory://{name}/SKILL.md")),
            format!("---\nname: {}\ndescription: {}\n---\n{body}", quoted(name), quoted(description)),
        )
    }

    /// Adds the raw text of a `SKILL.md`, or replaces what stands at this locator, and returns the locator.
    pub fn set(&self, locator: impl Into<Locator>, text: impl Into<Vec<u8>>) -> Locator {
        let locator = locator.into();
        let mut skills = self.skills.write().unwrap_or_else(PoisonError::into_inner);
        skills.entry(locator.clone()).or_default().text = text.into();
        locator
    }

    /// Adds a file beside a skill's body and returns whether there is such a skill.
    pub fn add_file(&self, skill: &Locator, file: impl Into<Locator>, bytes: impl Into<Vec<u8>>) -> bool {
        let mut skills = self.skills.write().unwrap_or_else(PoisonError::into_inner);
        skills.get_mut(skill).map(|entry| entry.files.insert(file.into(), bytes.into())).is_some()
    }

    /// Takes a skill away and returns whether there was one.
    pub fn remove(&self, locator: &Locator) -> bool {
        self.skills.write().unwrap_or_else(PoisonError::into_inner).shift_remove(locator).is_some()
    }
}

impl Source for MemorySource {
    fn id(&self) -> &SourceId {
        &self.id
    }

    fn scan(&self, _request: &ScanRequest) -> Scan {
        let mut scan = Scan { complete: true, ..Scan::default() };
        for (locator, entry) in self.skills.read().unwrap_or_else(PoisonError::into_inner).iter() {
            let id = SkillId::new(self.id.clone(), locator.clone());
            let head = match read_head(&mut entry.text.as_slice(), &self.reading) {
                Ok(head) => head,
                Err(error) => {
                    scan.diagnostics.push(
                        Diagnostic::new(Code::FileUnreadable, error.to_string()).at(locator.clone(), None),
                    );
                    continue;
                }
            };
            let folder = folder_of(locator);
            if let Some(mut skill) = assemble(id, head, &folder, &self.reading, &mut scan.diagnostics) {
                skill.scope = self.scope.clone();
                skill.root = self.root.clone();
                skill.provenance.revision = Some(Revision::of(&entry.text));
                scan.skills.push(skill.into());
            }
        }
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        let skills = self.skills.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = match skills.get(locator) {
            Some(entry) => &entry.text,
            None => skills
                .values()
                .find_map(|entry| entry.files.get(locator))
                .ok_or_else(|| ReadError::NotListed(locator.clone()))?,
        };
        let kept = limit.0.and_then(|limit| bytes.get(..limit));
        let cut = kept.is_some_and(|kept| kept.len() < bytes.len());
        Ok(self.reading.locate(Content { cut, ..Content::whole(kept.unwrap_or(bytes)) }))
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        let skills = self.skills.read().unwrap_or_else(PoisonError::into_inner);
        let entry = skills.get(skill).ok_or_else(|| ReadError::NotListed(skill.clone()))?;
        let mut files: Vec<Locator> = entry.files.keys().cloned().collect();
        files.sort();
        Ok(files)
    }
}
