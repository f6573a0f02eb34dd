//! Namespaces for skills that lie in a plugin's folder without being found as a plugin's.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lorimer_core::{Content, Diagnostic, Locator, ReadLimit, SourceId};

use super::qualify::{MAX_CHARS, qualify};
use super::{ManifestRule, manifest, watch_manifests};
use crate::refused::Refused;
use crate::{ReadError, Scan, ScanRequest, Source, WatchRoot};

/// A source whose skills are put into the namespace of the nearest valid plugin manifest at or above them.
///
/// What counts is where the skill file really is, not the links that led to it. An invalid manifest does not hide a
/// valid one further up. Skills that are no file of this machine keep their name, and so do those that have a
/// qualified name already.
///
/// ```
/// use lorimer_core::SourceId;
/// use lorimer_discover::{ManifestRule, MemorySource, NamespacedSource, ScanRequest, Source};
/// let inner = MemorySource::new(SourceId::new("memory"));
/// inner.add("a", "Does a.", "Do it.");
/// let source = NamespacedSource::new(inner, ManifestRule::HARNESS);
/// assert_eq!(source.scan(&ScanRequest::default()).skills[0].call_name(), "a");
/// ```
#[derive(Debug)]
pub struct NamespacedSource<S> {
    inner: S,
    manifests: &'static [ManifestRule],
    refused: Refused,
}

impl<S: Source> NamespacedSource<S> {
    /// Returns the source over another one, with the files that count as a manifest.
    pub fn new(inner: S, manifests: &'static [ManifestRule]) -> Self {
        Self { inner, manifests, refused: Refused::default() }
    }

    fn check(&self, locator: &Locator) -> Result<(), ReadError> {
        self.refused.check(locator, || self.scan(&ScanRequest::default()))
    }
}

impl<S: Source> Source for NamespacedSource<S> {
    fn id(&self) -> &SourceId {
        self.inner.id()
    }

    fn scan(&self, request: &ScanRequest) -> Scan {
        let mut scan = self.inner.scan(request);
        let mut known = Known { manifests: self.manifests, names: HashMap::new() };
        let refused = qualify(&mut scan.skills, MAX_CHARS, &mut scan.diagnostics, |skill, diagnostics| {
            let path = skill.id.locator.as_path().filter(|_| skill.qualified_name.is_none())?;
            known.nearest(path.parent()?, diagnostics)
        });
        self.refused.set(refused);
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        self.check(locator)?;
        self.inner.read(locator, limit)
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        self.check(skill)?;
        self.inner.files(skill)
    }

    fn watched(&self) -> Vec<WatchRoot> {
        let mut roots = self.inner.watched();
        for root in &mut roots {
            watch_manifests(root, self.manifests);
        }
        roots
    }
}

/// The namespaces of directories, each looked up once.
struct Known {
    manifests: &'static [ManifestRule],
    names: HashMap<PathBuf, Option<String>>,
}

impl Known {
    fn nearest(&mut self, directory: &Path, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
        let mut passed = Vec::new();
        let mut name = None;
        for ancestor in directory.ancestors() {
            if let Some(known) = self.names.get(ancestor) {
                name.clone_from(known);
                break;
            }
            passed.push(ancestor);
            if let Some(manifest) = manifest::find(ancestor, self.manifests, diagnostics) {
                name = Some(manifest.name);
                break;
            }
        }
        self.names.extend(passed.into_iter().map(|ancestor| (ancestor.to_owned(), name.clone())));
        name
    }
}
