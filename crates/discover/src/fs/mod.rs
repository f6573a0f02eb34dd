//! Skills on this machine.

mod files;
mod last;
mod load;
mod plan;

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use lorimer_core::{Content, Digest, Hasher, Locator, ReadLimit, SourceId};

use self::last::{Holds, Last};
use self::plan::{Plan, Planned};
use crate::boundary::{Limit, is_absent, open};
use crate::cache::{News, READER_VERSION, Session};
use crate::parallel::Workers;
use crate::roots::{ResolvedRoot, resolve, watched};
use crate::settled::{NotSettled, Settled, read_settled};
use crate::walk::FoundFile;
use crate::{MetadataCache, Place, ReadError, Reading, RootRule, Scan, ScanRequest, Source, WatchRoot};

/// Files that are loaded at a time.
const PART: usize = 4096;

/// Skills below directories of this machine.
///
/// Rules are resolved and walked anew at each scan, and no body is read. Metadata is read anew too, unless a
/// [`MetadataCache`] says that a file is as it was. Only what a scan has listed, and the files beside it that [`Source::files`] has named, can be read (S3-30).
#[derive(Debug)]
pub struct FsSource {
    id: SourceId,
    place: Place,
    rules: Vec<RootRule>,
    reading: Reading,
    openai_yaml: bool,
    cache: Option<MetadataCache>,
    /// The last scan, where there is a cache.
    last: Mutex<Option<Arc<Last>>>,
    listed: RwLock<Option<Listed>>,
}

/// What may be read.
#[derive(Debug, Default)]
struct Listed {
    /// Skill files, and the directory that is the skill's own.
    skills: HashMap<PathBuf, Option<PathBuf>>,
    /// Files beside them, and the directory of the skill that each belongs to.
    files: HashMap<PathBuf, PathBuf>,
}

impl FsSource {
    /// Returns a source that looks where `rules` say, seen from `place`, and reads as `reading` says.
    ///
    /// ```
    /// use lorimer_core::{Scope, SourceId};
    /// use lorimer_discover::{FsSource, Place, Reading, RootBase, RootRule, ScanRequest, Source, UpwardOrder};
    /// let relative = ".agents/skills".into();
    /// let base = RootBase::ProjectUpward { relative, order: UpwardOrder::OutermostFirst };
    /// let rules = vec![RootRule::new(base, Scope::Project { depth: 0 })];
    /// let source = FsSource::new(SourceId::new("host"), Place::new("."), rules, Reading::lenient());
    /// assert!(source.scan(&ScanRequest::default()).complete);
    /// ```
    pub fn new(id: SourceId, place: Place, rules: Vec<RootRule>, reading: Reading) -> Self {
        let (last, listed) = (Mutex::default(), RwLock::default());
        Self { id, place, rules, reading, openai_yaml: true, cache: None, last, listed }
    }

    /// Returns the source with or without a look at `agents/openai.yaml`; the default is with.
    #[must_use]
    pub fn with_openai_yaml(mut self, openai_yaml: bool) -> Self {
        self.openai_yaml = openai_yaml;
        self.last = Mutex::default();
        self
    }

    /// Returns the source with a cache; scans give the same as without one, and open only the files that changed.
    /// [`ScanRequest::force`] and [`ScanRequest::touched`] say which entries are not to be used.
    #[must_use]
    pub fn with_cache(mut self, cache: MetadataCache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Returns the roots that the rules give at this moment, in their order.
    pub fn roots(&self) -> Vec<ResolvedRoot> {
        resolve(&self.place, &self.rules)
    }

    /// What entries of the cache depend on besides the files.
    fn cache_key(&self, roots: &[ResolvedRoot]) -> Digest {
        let mut hasher = Hasher::default();
        hasher.field(&READER_VERSION.to_le_bytes());
        hasher.field(env!("CARGO_PKG_VERSION").as_bytes());
        hasher.field(self.id.as_str().as_bytes());
        // Every rule of reading is a field, and this form names them all.
        hasher.field(format!("{:?} {}", self.reading, self.openai_yaml).as_bytes());
        for root in roots {
            hasher.field(root.path.as_os_str().as_encoded_bytes());
            // It says which links to the file beside a skill are followed.
            hasher.field(format!("{:?} {:?}", root.walk.links, root.walk.link_targets).as_bytes());
        }
        hasher.finish()
    }

    fn remember(&self, files: &[&FoundFile]) {
        let mut listed = self.listed.write().unwrap_or_else(PoisonError::into_inner);
        // What was listed once stays readable: a turn may still hold the snapshot of an earlier scan.
        let listed = &mut listed.get_or_insert_default().skills;
        for FoundFile { canonical, directory, .. } in files {
            if listed.get(canonical) != Some(directory) {
                listed.insert(canonical.clone(), directory.clone());
            }
        }
    }

    /// Returns the path of a locator that was listed; the first question of all makes a scan.
    fn listed<'l>(
        &self,
        locator: &'l Locator,
        of: impl Fn(&Listed, &Path) -> bool,
    ) -> Result<&'l Path, ReadError> {
        let not_listed = || ReadError::NotListed(locator.clone());
        let path = locator.as_path().ok_or_else(not_listed)?;
        let unknown = self.listed.read().unwrap_or_else(PoisonError::into_inner).is_none();
        if unknown {
            self.scan(&ScanRequest::default());
        }
        let listed = self.listed.read().unwrap_or_else(PoisonError::into_inner);
        if listed.as_ref().is_some_and(|listed| of(listed, path)) { Ok(path) } else { Err(not_listed()) }
    }

    /// Returns why something beside a listed skill cannot be read; nothing is opened for that.
    fn reason(&self, locator: &Locator) -> Option<ReadError> {
        let path = locator.as_path()?;
        // Whether there is something elsewhere is nobody's business.
        if path.components().any(|part| part == Component::ParentDir) {
            return Some(ReadError::Outside(locator.clone()));
        }
        let listed = self.listed.read().unwrap_or_else(PoisonError::into_inner);
        let listed = listed.as_ref()?;
        let is_skill = |folder: &Path| {
            let names = self.rules.iter().flat_map(|rule| rule.walk.file_names);
            names.into_iter().any(|name| listed.skills.contains_key(&folder.join(name)))
        };
        let folder = path.ancestors().skip(1).find(|folder| is_skill(folder))?;
        let locator = locator.clone();
        Some(match std::fs::canonicalize(path) {
            Err(error) if is_absent(&error) => ReadError::NotFound(locator),
            Err(source) => ReadError::Io { locator, source },
            Ok(real) if !real.starts_with(folder) => ReadError::Outside(locator),
            Ok(real) if !real.is_file() => ReadError::NotRegularFile(locator),
            Ok(_) => ReadError::NotListed(locator),
        })
    }
}

impl Source for FsSource {
    fn id(&self) -> &SourceId {
        &self.id
    }

    fn scan(&self, request: &ScanRequest) -> Scan {
        let roots = self.roots();
        let workers = Workers::default();
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut session = self.cache.as_ref().map(|cache| {
            let paths = roots.iter().map(|root| root.path.as_path());
            cache.begin(self.cache_key(&roots), request, paths)
        });
        let holds = match last.as_ref().zip(session.as_ref()) {
            Some((last, session)) => last.holds(request, &roots, &workers, session),
            None => Holds::Nothing,
        };
        if holds == Holds::Everything {
            session = session.map(Session::trusting);
        }
        let (plan, listings) = match &last {
            Some(last) if holds != Holds::Nothing => (Arc::clone(&last.plan), None),
            _ => {
                let (plan, news) = Plan::new(roots, &workers, session.as_ref());
                (Arc::new(plan), Some(news))
            }
        };
        let mut scan =
            Scan { skills: Vec::new(), diagnostics: plan.diagnostics.clone(), complete: plan.complete };
        let kept = last.as_deref().zip(session.as_ref());
        let files: Vec<(usize, &Planned)> = plan.files.values().enumerate().collect();
        let (mut news, mut listed, mut all) = (Vec::new(), Vec::new(), Vec::new());
        if session.is_some() {
            news.reserve_exact(files.len());
            all.reserve_exact(files.len());
        }
        scan.skills.reserve_exact(files.len());
        // What was loaded is large, so only a part of it is held in two places at once.
        for part in files.chunks(PART) {
            let loaded = workers.in_order(part, |(index, planned)| {
                let kept = kept.and_then(|(last, session)| last.recall(&plan, *index, planned, session));
                if let Some(loaded) = kept {
                    let news = News::kept(&planned.file, listings.is_some());
                    (loaded.clone(), Some(news), true)
                } else {
                    let (loaded, news) = self.load(&plan, planned, session.as_ref());
                    (loaded, news, false)
                }
            });
            for ((_, planned), (loaded, told, known)) in part.iter().zip(loaded) {
                // What this source has kept has been listed already.
                if loaded.skill.is_some() && !known {
                    listed.push(&planned.file);
                }
                scan.diagnostics.extend_from_slice(&loaded.diagnostics);
                scan.skills.extend(loaded.skill.clone());
                if session.is_some() {
                    all.push(loaded);
                }
                news.extend(told);
            }
        }
        if let Some(session) = session {
            session.finish(news.into_iter(), listings);
            let last = Last { plan: Arc::clone(&plan), loaded: all };
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(last));
        }
        self.remember(&listed);
        tracing::debug!(
            source = %self.id,
            roots = plan.roots.len(),
            skills = scan.skills.len(),
            diagnostics = scan.diagnostics.len(),
            "scanned"
        );
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        let path = self
            .listed(locator, |listed, path| {
                listed.skills.contains_key(path) || listed.files.contains_key(path)
            })
            .map_err(|refusal| self.reason(locator).unwrap_or(refusal))?;
        let directory = {
            let listed = self.listed.read().unwrap_or_else(PoisonError::into_inner);
            listed.as_ref().and_then(|listed| listed.files.get(path).cloned())
        };
        let opened = match directory {
            Some(directory) => Limit::resolved([directory.as_path()]).open(path),
            None => open(path),
        };
        let (mut file, _) = opened.map_err(|error| error.reading(locator))?;
        let Settled { bytes, cut } = read_settled(&mut file, limit).map_err(|error| match error {
            NotSettled::Restless => ReadError::Torn(locator.clone()),
            NotSettled::Io(source) => ReadError::Io { locator: locator.clone(), source },
        })?;
        Ok(self.reading.locate(Content { cut, ..Content::whole(bytes) }))
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        let path = self.listed(skill, |listed, path| listed.skills.contains_key(path))?;
        let directory = {
            let listed = self.listed.read().unwrap_or_else(PoisonError::into_inner);
            listed.as_ref().and_then(|listed| listed.skills.get(path).cloned()).flatten()
        };
        let Some(directory) = directory else { return Ok(Vec::new()) };
        // It may have become a link since it was listed.
        if let Err(error) = Limit::resolved([directory.as_path()]).resolve(&directory) {
            return Err(error.reading(skill));
        }
        let names: HashSet<&str> = self.rules.iter().flat_map(|rule| rule.walk.file_names).copied().collect();
        let files = files::below(&directory, &names)
            .map_err(|source| ReadError::Io { locator: skill.clone(), source })?;
        let mut listed = self.listed.write().unwrap_or_else(PoisonError::into_inner);
        let of_skill = files.iter().map(|file| (file.clone(), directory.clone()));
        listed.get_or_insert_default().files.extend(of_skill);
        Ok(files.into_iter().map(Locator::Path).collect())
    }

    fn watched(&self) -> Vec<WatchRoot> {
        watched(&self.place, &self.rules)
    }
}
