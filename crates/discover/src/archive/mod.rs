//! Skills in archives on this machine, read without unpacking them to disk.

mod contents;
mod name;
mod tarball;
mod visit;
mod zipped;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use indexmap::IndexMap;
use lorimer_core::{Code, Content, Diagnostic, Locator, ReadLimit, Root, Scope, Skill, SkillId, SourceId};

pub(crate) use self::contents::{Contents, Packed, read_file};
pub(crate) use self::visit::ArchiveError;
pub use self::visit::ArchiveLimits;
use crate::assemble::assemble;
use crate::boundary::{self, OpenError, is_absent};
use crate::bundle::{add_openai_yaml, ask};
use crate::roots::resolve;
use crate::{Place, ReadError, Reading, RootRule, Scan, ScanRequest, Source, WalkPolicy};

/// How the name of an archive ends; what is in it is told by its bytes.
const ENDINGS: [&str; 4] = [".zip", ".skill", ".tar.gz", ".tgz"];

/// Skills in `.zip` and `.tar.gz` archives.
///
/// A rule's directory is where archives lie, directly in it; a rule may also name one archive. Inside, the rule's
/// [`WalkPolicy`] says where skills may be: one at the root of the archive, or several in folders. Names that are
/// absolute or lead upwards, links, devices, encrypted entries, names that stand twice and entries that are too large are
/// refused, each with a diagnostic; an archive that is damaged or over a limit is refused as a whole.
///
/// A skill's locator is the archive's path and the entry's name.
#[derive(Debug)]
pub struct ArchiveSource {
    id: SourceId,
    place: Place,
    rules: Vec<RootRule>,
    reading: Reading,
    limits: ArchiveLimits,
    listed: RwLock<Option<Listed>>,
}

/// What may be read.
#[derive(Debug, Default)]
struct Listed {
    /// Skill files, with the files beside each.
    skills: HashMap<Locator, (PathBuf, Vec<Locator>)>,
    /// Files that were named, and the archive that each lies in.
    files: HashMap<Locator, PathBuf>,
}

/// An archive that was found.
struct Found {
    /// Its path without links.
    path: PathBuf,
    scope: Scope,
    walk: WalkPolicy,
}

impl ArchiveSource {
    /// Returns a source of the archives that lie where `rules` say, seen from `place`, read as `reading` says.
    ///
    /// ```
    /// use lorimer_core::{Scope, SourceId};
    /// use lorimer_discover::{ArchiveSource, Place, Reading, RootBase, RootRule, ScanRequest, Source};
    /// let rules = vec![RootRule::new(RootBase::Path("packed".into()), Scope::User)];
    /// let source = ArchiveSource::new(SourceId::new("packed"), Place::new("."), rules, Reading::lenient());
    /// assert!(source.scan(&ScanRequest::default()).skills.is_empty());
    /// ```
    pub fn new(id: SourceId, place: Place, rules: Vec<RootRule>, reading: Reading) -> Self {
        Self { id, place, rules, reading, limits: ArchiveLimits::default(), listed: RwLock::default() }
    }

    /// Returns the source with other bounds on what an archive may cost.
    #[must_use]
    pub fn with_limits(mut self, limits: ArchiveLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the archives that the rules lead to; one that is reached twice counts once.
    fn archives(&self, scan: &mut Scan) -> IndexMap<PathBuf, Found> {
        let mut archives = IndexMap::new();
        for root in resolve(&self.place, &self.rules) {
            for path in paths_in(&root.path, &root.walk, scan) {
                let canonical = match fs::canonicalize(&path) {
                    Ok(canonical) => canonical,
                    Err(error) if is_absent(&error) => continue,
                    Err(error) => {
                        scan.complete = false;
                        scan.diagnostics.push(unreadable(&error).at(path, None));
                        continue;
                    }
                };
                let found =
                    Found { path: canonical.clone(), scope: root.scope.clone(), walk: root.walk.clone() };
                if let Some(known) = archives.insert(canonical.clone(), found) {
                    archives.insert(canonical, known);
                    let message = "the same archive was reached before, and its skills are listed once";
                    scan.diagnostics.push(Diagnostic::new(Code::SameFile, message).at(path, None));
                }
            }
        }
        archives
    }

    /// Takes in the skills of one archive.
    fn take_in(&self, found: &Found, order: u32, scan: &mut Scan, listed: &mut Listed) {
        let Some(package) = found.path.to_str() else {
            let message = "the archive's path is not Unicode, so its skills could not be named";
            scan.diagnostics
                .push(Diagnostic::new(Code::FileUnreadable, message).at(found.path.clone(), None));
            scan.complete = false;
            return;
        };
        let contents = open(&found.path)
            .and_then(|mut file| Ok(Contents::of(&mut file, &self.limits, &self.reading, &found.walk)?));
        let contents = match contents {
            Ok(contents) => contents,
            Err(trouble) => {
                scan.diagnostics.push(trouble.diagnostic().at(found.path.clone(), None));
                scan.complete = false;
                return;
            }
        };
        let locator =
            |resource: &str| Locator::Package { package: package.to_owned(), resource: resource.to_owned() };
        for refused in &contents.refused {
            scan.diagnostics.push(
                Diagnostic::new(Code::ArchiveEntryRefused, format!("the entry is not used: {}", refused.why))
                    .at(locator(&refused.name), None),
            );
        }
        let (skills, too_deep) = contents.skills(&found.walk);
        if too_deep > 0 && found.walk.report_too_deep {
            let message =
                format!("skills that lie more than {} levels deep: {too_deep}", found.walk.max_depth);
            scan.diagnostics.push(Diagnostic::new(Code::LimitDepth, message).at(found.path.clone(), None));
            scan.complete = false;
        }
        let root = Root { path: package.to_owned(), order };
        for packed in skills {
            let beside = packed.beside.iter().map(|file| locator(file)).collect();
            let id = SkillId::new(self.id.clone(), locator(&packed.file));
            let at_root = stem(&found.path);
            let skill = unpack(packed, id, &at_root, &self.reading, &locator, &mut scan.diagnostics);
            if let Some(mut skill) = skill {
                skill.scope = found.scope.clone();
                skill.root = root.clone();
                listed.skills.insert(skill.id.locator.clone(), (found.path.clone(), beside));
                scan.skills.push(skill.into());
            }
        }
    }
}

impl Source for ArchiveSource {
    fn id(&self) -> &SourceId {
        &self.id
    }

    fn scan(&self, _request: &ScanRequest) -> Scan {
        let mut scan = Scan { complete: true, ..Scan::default() };
        let mut listed = Listed::default();
        for (order, found) in (0_u32..).zip(self.archives(&mut scan).values()) {
            self.take_in(found, order, &mut scan, &mut listed);
        }
        // What was listed once stays readable: a turn may still hold the snapshot of an earlier scan.
        let mut known = self.listed.write().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_default().skills.extend(listed.skills);
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        let path = ask(self, &self.listed, locator, |listed| {
            let skill = listed.skills.get(locator).map(|(path, _)| path);
            skill.or_else(|| listed.files.get(locator)).cloned()
        })?;
        let Locator::Package { resource, .. } = locator else {
            return Err(ReadError::NotListed(locator.clone()));
        };
        let content =
            open(&path).and_then(|mut file| Ok(read_file(&mut file, &self.limits, resource, limit)?));
        match content {
            Ok(Some(content)) => Ok(self.reading.locate(content)),
            Ok(None) => Err(ReadError::NotFound(locator.clone())),
            Err(trouble) => Err(trouble.read_error(locator)),
        }
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        ask(self, &self.listed, skill, |listed| {
            let (path, beside) = listed.skills.get(skill)?;
            listed.files.extend(beside.iter().map(|file| (file.clone(), path.clone())));
            Some(beside.clone())
        })
    }
}

/// Makes a skill of a skill file in an archive. `at_root` is what the skill at the root is called, should it have no
/// name.
pub(crate) fn unpack(
    packed: Packed,
    id: SkillId,
    at_root: &str,
    reading: &Reading,
    locator: &dyn Fn(&str) -> Locator,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Skill> {
    let head = match packed.head {
        Ok(head) => head,
        Err(diagnostic) => {
            diagnostics.push(diagnostic.at(id.locator, None));
            return None;
        }
    };
    let folder = packed.folder.rsplit('/').next().filter(|folder| !folder.is_empty()).unwrap_or(at_root);
    let mut skill = assemble(id, head, folder, reading, diagnostics)?;
    if let Some((name, bytes)) = packed.openai_yaml {
        add_openai_yaml(&mut skill, &bytes, &locator(&name), Path::new(&packed.folder), diagnostics);
    }
    Some(skill)
}

/// Why an archive, or a file in it, is not there to be read.
enum Trouble {
    Open(OpenError),
    Archive(ArchiveError),
}

impl From<ArchiveError> for Trouble {
    fn from(error: ArchiveError) -> Self {
        Self::Archive(error)
    }
}

impl Trouble {
    fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Open(OpenError::NotRegularFile) => {
                Diagnostic::new(Code::NotRegularFile, "the archive is not a regular file")
            }
            Self::Open(error) => unreadable(error),
            Self::Archive(error) => archive_diagnostic(error),
        }
    }

    fn read_error(self, locator: &Locator) -> ReadError {
        let source = match self {
            Self::Open(error) => return error.reading(locator),
            Self::Archive(error) => io::Error::new(io::ErrorKind::InvalidData, error),
        };
        ReadError::Io { locator: locator.clone(), source }
    }
}

/// Returns what is said about an archive of which nothing can be used.
pub(crate) fn archive_diagnostic(error: &ArchiveError) -> Diagnostic {
    let code = match error {
        ArchiveError::Limit { .. } => Code::ArchiveLimit,
        ArchiveError::UnknownFormat | ArchiveError::Damaged(_) => Code::ArchiveInvalid,
    };
    Diagnostic::new(code, error.to_string())
}

fn open(path: &Path) -> Result<File, Trouble> {
    boundary::open(path).map(|(file, _)| file).map_err(Trouble::Open)
}

fn unreadable(error: &dyn std::error::Error) -> Diagnostic {
    Diagnostic::new(Code::FileUnreadable, format!("the archive cannot be read: {error}"))
}

/// Returns the archives of a rule's directory, in the order of their names' bytes, or the archive that it names.
fn paths_in(root: &Path, walk: &WalkPolicy, scan: &mut Scan) -> Vec<PathBuf> {
    if root.is_file() {
        return vec![root.to_owned()];
    }
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return Vec::new(),
        Err(error) => {
            let message = format!("the directory cannot be read: {error}");
            scan.diagnostics
                .push(Diagnostic::new(Code::DirectoryUnreadable, message).at(root.to_owned(), None));
            scan.complete = false;
            return Vec::new();
        }
    };
    let mut paths = Vec::new();
    for (number, entry) in entries.flatten().enumerate() {
        if number >= walk.max_entries {
            let message = format!("the root holds more than {} entries", walk.max_entries);
            scan.diagnostics.push(Diagnostic::new(Code::LimitEntries, message).at(root.to_owned(), None));
            scan.complete = false;
            break;
        }
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        let hidden = !walk.descend_hidden && name.starts_with('.');
        if hidden || !ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            continue;
        }
        let link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if entry.path().is_dir() || (link && !walk.accept_file_links) {
            continue;
        }
        paths.push(entry.path());
    }
    paths.sort_unstable_by(|left, right| {
        left.as_os_str().as_encoded_bytes().cmp(right.as_os_str().as_encoded_bytes())
    });
    paths
}

/// Returns an archive's name without its ending.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let lower = name.to_ascii_lowercase();
    let ending = ENDINGS.iter().find(|ending| lower.ends_with(**ending)).map_or(0, |ending| ending.len());
    name.get(..name.len() - ending).unwrap_or(&name).to_owned()
}
