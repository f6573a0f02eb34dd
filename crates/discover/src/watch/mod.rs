//! Notices when something changes that a scan depends on.
//!
//! A [`Watch`] looks after directories of skills and hands out [`Changes`], one batch for many writes. It watches the
//! directories that a walk comes to and no others: those of the roots, those that links lead to, and, for a root that
//! is not there yet, the nearest folder that is. Only names that a scan would look at count, so a script that writes
//! beside a skill wakes nobody.
//!
//! Where the platform cannot watch, or not so many directories, the state of the files is looked at every other
//! second instead; [`Watch::method`] says which it is. Nothing here is asynchronous: a thread waits, and dropping the
//! [`Watch`] ends it.

mod backend;
mod engine;
mod inbox;
mod layout;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub use backend::{Backend, BackendError};
pub use inbox::Inbox;

use self::engine::Engine;
use crate::{Changes, Source, WatchRoot};

/// How to watch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How long nothing may happen before a batch is handed out; 100 ms by default. An editor writes, renames and
    /// removes within a few.
    pub quiet: Duration,
    /// How long a batch is held back at most, when it does not become quiet; 2 s by default.
    pub longest: Duration,
    /// Look at the files every so often instead of asking the platform to tell.
    pub poll: Option<Duration>,
    /// How often to look at the files where the platform cannot tell; every 2 s by default.
    pub fallback: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            quiet: Duration::from_millis(100),
            longest: Duration::from_secs(2),
            poll: None,
            fallback: Duration::from_secs(2),
        }
    }
}

/// By what changes are noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// The platform tells.
    Events,
    /// The state of the files is looked at.
    Polling {
        /// How often.
        every: Duration,
        /// Why the platform does not tell; `None` where polling was asked for.
        because: Option<String>,
    },
}

/// Nobody watches any more: the thread behind a [`Watch`] is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the watcher has ended")]
pub struct Ended;

/// Watches for as long as it lives.
///
/// To miss nothing, start it before the first scan, and give every batch to the scan that follows:
///
/// ```
/// use lorimer_core::SourceId;
/// use lorimer_discover::watch::{Options, Watch};
/// use lorimer_discover::{FsSource, Place, Reading, ScanRequest, Source};
/// use std::sync::Arc;
/// let source = Arc::new(FsSource::new(SourceId::new("host"), Place::new("."), Vec::new(), Reading::lenient()));
/// let watch = Watch::sources(vec![source.clone()], Options::default())?;
/// let mut scan = source.scan(&ScanRequest::default());
/// if let Some(changes) = watch.try_next()? {
///     scan = source.scan(&changes.request());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Watch {
    batches: Receiver<Changes>,
    inbox: Inbox,
    method: Arc<Mutex<Method>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Watches everything that these sources depend on, as far as they say.
    ///
    /// # Errors
    ///
    /// When no thread can be started.
    pub fn sources(sources: Vec<Arc<dyn Source>>, options: Options) -> io::Result<Self> {
        Self::start(move || sources.iter().flat_map(Source::watched).collect(), options)
    }

    /// Watches the directories that `roots` gives. It is asked again whenever folders come and go, so rules that give
    /// other roots then are followed.
    ///
    /// When this returns, everything that is there is watched.
    ///
    /// # Errors
    ///
    /// When no thread can be started.
    pub fn start(roots: impl Fn() -> Vec<WatchRoot> + Send + 'static, options: Options) -> io::Result<Self> {
        Self::with_backend(roots, options, backend::platform)
    }

    /// As [`Watch::start`], with something else than the platform to tell what happens. `backend` is not asked where
    /// [`Options::poll`] is set.
    ///
    /// # Errors
    ///
    /// When no thread can be started.
    pub fn with_backend(
        roots: impl Fn() -> Vec<WatchRoot> + Send + 'static,
        options: Options,
        backend: impl FnOnce(Inbox) -> Result<Box<dyn Backend>, BackendError>,
    ) -> io::Result<Self> {
        let inbox = Inbox::default();
        let (sender, batches) = mpsc::channel();
        let engine = Engine::start(Box::new(roots), options, inbox.clone(), backend, sender);
        let method = engine.method();
        let thread = thread::Builder::new().name("skill watch".to_owned()).spawn(move || engine.run())?;
        Ok(Self { batches, inbox, method, thread: Some(thread) })
    }

    /// Returns by what changes are noticed at this moment. It changes when the platform gives up, and then a batch of
    /// which nothing is known follows.
    pub fn method(&self) -> Method {
        self.method.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for the next batch; `None` where there is none within the timeout. What piled up since the last call is
    /// one batch.
    ///
    /// # Errors
    ///
    /// When the thread has ended, which it does only when it panicked.
    pub fn next(&self, timeout: Duration) -> Result<Option<Changes>, Ended> {
        match self.batches.recv_timeout(timeout) {
            Ok(first) => Ok(Some(self.with_more(first))),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Ended),
        }
    }

    /// Returns the next batch if there is one.
    ///
    /// # Errors
    ///
    /// As [`Watch::next`].
    pub fn try_next(&self) -> Result<Option<Changes>, Ended> {
        match self.batches.try_recv() {
            Ok(first) => Ok(Some(self.with_more(first))),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(Ended),
        }
    }

    fn with_more(&self, mut changes: Changes) -> Changes {
        for later in self.batches.try_iter() {
            changes.merge(later);
        }
        changes
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.inbox.stop();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing to tell any more.
            let _ = thread.join();
        }
    }
}

/// The directories that are watched, as they are asked for anew.
type Roots = Box<dyn Fn() -> Vec<WatchRoot> + Send>;

/// What a batch is about, while it is collected.
#[derive(Debug, Default)]
struct Batch {
    touched: BTreeSet<PathBuf>,
    lost: bool,
}

impl Batch {
    fn is_empty(&self) -> bool {
        self.touched.is_empty() && !self.lost
    }

    fn changes(self) -> Changes {
        let mut changes = Changes::to(self.touched);
        changes.only_touched = !self.lost;
        changes
    }
}
