//! The verb of this stage.

use std::path::PathBuf;
use std::sync::Arc;

use crate::WatchRoot;
use lorimer_core::{Content, Diagnostic, Locator, ReadLimit, Skill, SourceId};

/// What the caller knows about the state of the source.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ScanRequest {
    /// Look at everything again, whatever a cache says.
    pub force: bool,
    /// Paths that are known to have changed since the last scan; empty means that nothing is known.
    pub touched: Vec<PathBuf>,
    /// Whether nothing but the touched paths has changed since the last scan of this source, as a watcher knows that
    /// lost no event. A source may then leave everything else as it was, without a look at it.
    pub only_touched: bool,
}

/// What a source offers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// Skills in the source's own, deterministic order. A source may hand out one that it has handed out before.
    pub skills: Vec<Arc<Skill>>,
    /// What could not be taken in, and what is odd about what was.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether everything was reached. A limit or an unreadable directory makes a scan incomplete.
    pub complete: bool,
}

/// A body could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The source did not list a skill there, so it does not read there (S3-30).
    #[error("`{0}` is not a skill of this source")]
    NotListed(Locator),
    /// The skill was listed, but it is gone.
    #[error("`{0}` is not there any more")]
    NotFound(Locator),
    /// There is something, but no regular file.
    #[error("`{0}` is not a regular file")]
    NotRegularFile(Locator),
    /// The resource lies outside the skill that it should belong to.
    #[error("`{0}` lies outside its skill")]
    Outside(Locator),
    /// The file is being written, or what is there now is only a torn part of the skill.
    #[error("`{0}` is being written; what is there now is not whole")]
    Torn(Locator),
    /// The platform or the remote side failed.
    #[error("cannot read `{locator}`")]
    Io {
        /// What was to be read.
        locator: Locator,
        /// What went wrong.
        #[source]
        source: std::io::Error,
    },
}

/// An origin of skills.
///
/// # Contract
///
/// * Every skill of a scan has this source's id, and an identity of its own.
/// * The same state of the origin gives the same scan, in the same order, whatever order I/O finishes in.
/// * One bad skill never costs another: trouble with one is a diagnostic in the scan.
/// * Only what was listed can be read; the text of a message can never make a source open something else.
/// * Methods may be called from several threads at once and may block on I/O.
pub trait Source: Send + Sync {
    /// Returns the id that all skills of this source carry.
    fn id(&self) -> &SourceId;

    /// Looks at the origin and returns what it offers. It never fails as a whole: what can't be read is a
    /// diagnostic, what was not reached makes the scan incomplete.
    fn scan(&self, request: &ScanRequest) -> Scan;

    /// Reads the body of a skill that this source has listed, as it is now.
    ///
    /// # Errors
    ///
    /// When nothing was listed there, when it is gone, and when reading fails.
    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError>;

    /// Returns the files beside a skill's body that a model may ask for; none by default.
    ///
    /// # Errors
    ///
    /// As [`Source::read`].
    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        let _ = skill;
        Ok(Vec::new())
    }

    /// Returns the directories on this machine that a scan depends on, as they are to be found now; none by default,
    /// and then nobody notices that something changed there.
    fn watched(&self) -> Vec<WatchRoot> {
        Vec::new()
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<S: Source + ?Sized> Source for $pointer {
            fn id(&self) -> &SourceId {
                (**self).id()
            }

            fn scan(&self, request: &ScanRequest) -> Scan {
                (**self).scan(request)
            }

            fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
                (**self).read(locator, limit)
            }

            fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
                (**self).files(skill)
            }

            fn watched(&self) -> Vec<WatchRoot> {
                (**self).watched()
            }
        }
    )+};
}

forward!(&S, Box<S>, Arc<S>);
