//! Skills of a web site, by its index of them.

mod address;
mod artifact;
mod document;
mod fetch;

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::{Mutex, PoisonError, RwLock};

use lorimer_core::{Code, Content, Diagnostic, Digest, Locator, ReadLimit, Root, Scope, SourceId};

use self::address::Address;
use self::artifact::Taken;
use self::document::Entry;
use crate::bundle::ask;
use crate::{ArchiveLimits, ReadError, Reading, Scan, ScanRequest, Source};
pub use fetch::{Fetch, FetchError, HttpFetch};

/// Redirects that are followed, one after the other.
const MAX_REDIRECTS: usize = 3;

/// Bounds on what an index may cost, and whom it may send us to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexPolicy {
    /// Bytes of the index.
    pub index_bytes: usize,
    /// Bytes of an artifact.
    pub artifact_bytes: usize,
    /// Entries of the index that are read.
    pub entries: usize,
    /// Artifacts that may fail to come before the rest is not asked for any more, so that a dead server costs little.
    pub failures: usize,
    /// Hosts besides the index's own that artifacts may come from. The digest says what they are, but not whom we ask.
    pub other_hosts: Vec<String>,
    /// Whether addresses without encryption are asked.
    pub plain_http: bool,
    /// Bounds on archives.
    pub archive: ArchiveLimits,
}

impl Default for IndexPolicy {
    fn default() -> Self {
        Self {
            index_bytes: 1 << 20,
            artifact_bytes: 16 << 20,
            entries: 500,
            failures: 3,
            other_hosts: Vec::new(),
            plain_http: false,
            archive: ArchiveLimits::default(),
        }
    }
}

/// Skills that a site offers at `/.well-known/agent-skills/index.json` (discovery format 0.2.0).
///
/// A scan gets the index and every artifact that it has not seen, checks each against its SHA-256 digest, and keeps the
/// metadata only; an artifact with the digest of an earlier one is not fetched again. A body is fetched when it is read,
/// and checked again. Nothing is written to disk, and redirects to other hosts are not followed.
pub struct IndexSource {
    id: SourceId,
    index: String,
    scope: Scope,
    fetch: Box<dyn Fetch>,
    reading: Reading,
    policy: IndexPolicy,
    /// What artifacts came to, by address and digest.
    seen: Mutex<HashMap<(String, Digest), Taken>>,
    listed: RwLock<Option<Listed>>,
}

impl std::fmt::Debug for IndexSource {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("IndexSource")
            .field("id", &self.id)
            .field("index", &self.index)
            .field("scope", &self.scope)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

/// What may be read.
#[derive(Debug, Default)]
struct Listed {
    /// Skill files, with the artifact that each is in and the files beside it.
    skills: HashMap<Locator, (Artifact, Vec<Locator>)>,
    /// Files that were named.
    files: HashMap<Locator, Artifact>,
}

#[derive(Clone, Debug)]
struct Artifact {
    address: Address,
    digest: Digest,
}

impl IndexSource {
    /// Returns the address of a site's index: that of the site, as `https://example.com`, with the well-known path.
    pub fn well_known(site: &str) -> String {
        format!("{}/.well-known/agent-skills/index.json", site.trim_end_matches('/'))
    }

    /// Returns a source over the index at this address, whose skills have this scope, read as `reading` says.
    pub fn new(
        id: SourceId,
        index: impl Into<String>,
        scope: Scope,
        fetch: impl Fetch + 'static,
        reading: Reading,
    ) -> Self {
        Self {
            id,
            index: index.into(),
            scope,
            fetch: Box::new(fetch),
            reading,
            policy: IndexPolicy::default(),
            seen: Mutex::default(),
            listed: RwLock::default(),
        }
    }

    /// Returns the source with other bounds.
    #[must_use]
    pub fn with_policy(mut self, policy: IndexPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Gets a resource, following redirects to where the policy allows it.
    fn get(&self, address: &Address, hosts: &[String], limit: usize) -> Result<Vec<u8>, FetchError> {
        let mut address = address.clone();
        for _ in 0..=MAX_REDIRECTS {
            match self.fetch.get(address.as_str(), limit) {
                Err(FetchError::Redirect(location)) => {
                    address = address
                        .follow(&location, hosts, self.policy.plain_http)
                        .map_err(|why| FetchError::Failed(format!("a redirect is not followed: {why}")))?;
                }
                // A client of somebody else's may not mind the limit.
                Ok(bytes) if bytes.len() > limit => return Err(FetchError::TooLarge(limit)),
                answer => return answer,
            }
        }
        Err(FetchError::Failed(format!("there are more than {MAX_REDIRECTS} redirects")))
    }

    /// Gets an artifact, and returns its bytes only if they are the ones that the index promises.
    fn get_artifact(&self, artifact: &Artifact) -> Result<Vec<u8>, Trouble> {
        let bytes = self
            .get(&artifact.address, &self.policy.other_hosts, self.policy.artifact_bytes)
            .map_err(Trouble::Fetch)?;
        let found = Digest::of(&bytes);
        if found == artifact.digest { Ok(bytes) } else { Err(Trouble::Digest { found }) }
    }

    /// Gets the index and reads it.
    fn get_index(&self) -> Result<(Address, document::Document), (Code, String)> {
        let invalid = |message: String| (Code::IndexInvalid, message);
        let address = Address::parse(&self.index, self.policy.plain_http).map_err(invalid)?;
        let bytes = self
            .get(&address, &[], self.policy.index_bytes)
            .map_err(|error| (Code::RemoteUnavailable, error.to_string()))?;
        let document = document::parse(&bytes, self.policy.entries).map_err(invalid)?;
        Ok((address, document))
    }

    /// Takes in one entry. `Err` means that the server did not deliver.
    fn take_in(
        &self,
        entry: &Entry,
        artifact: &Artifact,
        scan: &mut Scan,
        listed: &mut Listed,
    ) -> Result<(), ()> {
        let url = artifact.address.as_str();
        let key = (url.to_owned(), artifact.digest);
        let known = self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let taken = match known {
            Some(taken) => taken,
            None => match self.get_artifact(artifact) {
                Ok(bytes) => {
                    let policy = &self.policy.archive;
                    let taken = artifact::take(&bytes, entry, url, &self.id, &self.reading, policy);
                    self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(key, taken.clone());
                    taken
                }
                Err(trouble) => {
                    scan.diagnostics.push(trouble.diagnostic().at(Locator::Uri(url.to_owned()), None));
                    scan.complete = false;
                    return if matches!(trouble, Trouble::Fetch(_)) { Err(()) } else { Ok(()) };
                }
            },
        };
        scan.diagnostics.extend(taken.diagnostics);
        let Some(mut skill) = taken.skill else { return Ok(()) };
        if skill.name != entry.name {
            let message =
                format!("the index calls the skill `{}`, and it calls itself `{}`", entry.name, skill.name);
            scan.diagnostics
                .push(Diagnostic::new(Code::IndexInvalid, message).at(skill.id.locator.clone(), None));
        }
        skill.scope = self.scope.clone();
        skill.root = Root { path: self.index.clone(), order: 0 };
        listed.skills.insert(skill.id.locator.clone(), (artifact.clone(), taken.beside));
        scan.skills.push(skill.into());
        Ok(())
    }
}

impl Source for IndexSource {
    fn id(&self) -> &SourceId {
        &self.id
    }

    fn scan(&self, request: &ScanRequest) -> Scan {
        let mut scan = Scan { complete: true, ..Scan::default() };
        let here = Locator::Uri(self.index.clone());
        if request.force {
            self.seen.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        let (index, document) = match self.get_index() {
            Ok(read) => read,
            Err((code, message)) => {
                scan.diagnostics.push(Diagnostic::new(code, message).at(here, None));
                scan.complete = false;
                return scan;
            }
        };
        let invalid = |message| Diagnostic::new(Code::IndexInvalid, message).at(here.clone(), None);
        scan.diagnostics.extend(document.troubles.into_iter().map(invalid));
        let mut listed = Listed::default();
        let mut failures = 0;
        let mut addresses = HashSet::new();
        for (number, entry) in document.entries.iter().enumerate() {
            if failures >= self.policy.failures {
                let left = document.entries.len() - number;
                let message =
                    format!("{left} skills were not asked for, since {failures} others did not come");
                scan.diagnostics
                    .push(Diagnostic::new(Code::RemoteUnavailable, message).at(here.clone(), None));
                break;
            }
            match index.follow(&entry.url, &self.policy.other_hosts, self.policy.plain_http) {
                Ok(address) if !addresses.insert(address.as_str().to_owned()) => {
                    scan.diagnostics
                        .push(invalid(format!("`{}` has the `url` of an earlier one", entry.name)));
                }
                Ok(address) => {
                    let artifact = Artifact { address, digest: entry.digest };
                    if self.take_in(entry, &artifact, &mut scan, &mut listed).is_err() {
                        failures += 1;
                    }
                }
                Err(why) => {
                    scan.diagnostics.push(invalid(format!("`{}` is ignored: its `url` {why}", entry.name)));
                }
            }
        }
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|(address, _), _| addresses.contains(address));
        // What was listed once stays readable: a turn may still hold the snapshot of an earlier scan.
        let mut known = self.listed.write().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_default().skills.extend(listed.skills);
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        let artifact = ask(self, &self.listed, locator, |listed| {
            let skill = listed.skills.get(locator).map(|(artifact, _)| artifact);
            skill.or_else(|| listed.files.get(locator)).cloned()
        })?;
        let invalid = |error: Box<dyn std::error::Error + Send + Sync>| ReadError::Io {
            locator: locator.clone(),
            source: io::Error::new(io::ErrorKind::InvalidData, error),
        };
        let bytes = self.get_artifact(&artifact).map_err(|trouble| match trouble {
            Trouble::Fetch(FetchError::Status(404 | 410)) => ReadError::NotFound(locator.clone()),
            Trouble::Fetch(error) => {
                ReadError::Io { locator: locator.clone(), source: io::Error::other(error) }
            }
            Trouble::Digest { .. } => invalid(trouble.diagnostic().message.into()),
        })?;
        artifact::read(bytes, locator, &self.policy.archive, limit)
            .map_err(|error| invalid(error.into()))?
            .map(|content| self.reading.locate(content))
            .ok_or_else(|| ReadError::NotFound(locator.clone()))
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        ask(self, &self.listed, skill, |listed| {
            let (artifact, beside) = listed.skills.get(skill)?;
            listed.files.extend(beside.iter().map(|file| (file.clone(), artifact.clone())));
            Some(beside.clone())
        })
    }
}

/// Why an artifact is not used.
enum Trouble {
    Fetch(FetchError),
    Digest { found: Digest },
}

impl Trouble {
    fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Fetch(error) => Diagnostic::new(Code::RemoteUnavailable, error.to_string()),
            Self::Digest { found } => Diagnostic::new(
                Code::DigestMismatch,
                format!("the bytes are not the ones that the index promises: they have {found}"),
            ),
        }
    }
}
