//! The thread behind a watch.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::layout::{Layout, Verdict};
use super::{Backend, BackendError, Batch, Inbox, Method, Options, Roots};
use crate::Changes;

/// How often a layout is made anew because folders appeared while it was made.
const MAX_ROUNDS: usize = 8;

pub(super) struct Engine {
    roots: Roots,
    options: Options,
    inbox: Inbox,
    /// `None` while polling.
    backend: Option<Box<dyn Backend>>,
    layout: Layout,
    /// Directories that the backend watches.
    watched: HashSet<PathBuf>,
    method: Arc<Mutex<Method>>,
    batches: Sender<Changes>,
}

/// A batch that waits for quiet.
struct Open {
    batch: Batch,
    first: Instant,
    last: Instant,
    /// Whether the layout is another one.
    structure: bool,
    /// Watched directories that may be others under the same path by now.
    stale: BTreeSet<PathBuf>,
}

impl Engine {
    /// Finds out what is there and watches it.
    pub(super) fn start(
        roots: Roots,
        options: Options,
        inbox: Inbox,
        backend: impl FnOnce(Inbox) -> Result<Box<dyn Backend>, BackendError>,
        batches: Sender<Changes>,
    ) -> Self {
        let mut engine = Self {
            layout: Layout::default(),
            roots,
            backend: None,
            watched: HashSet::new(),
            method: Arc::new(Mutex::new(Method::Events)),
            options,
            inbox,
            batches,
        };
        if engine.options.poll.is_some() {
            engine.poll(None);
            return engine;
        }
        match backend(engine.inbox.clone()) {
            Ok(backend) => {
                engine.backend = Some(backend);
                if let Err(because) = engine.survey() {
                    engine.poll(Some(because));
                }
            }
            Err(error) => engine.poll(Some(error.to_string())),
        }
        engine
    }

    pub(super) fn method(&self) -> Arc<Mutex<Method>> {
        Arc::clone(&self.method)
    }

    /// Works until the watch is dropped.
    pub(super) fn run(mut self) {
        let mut open: Option<Open> = None;
        loop {
            let goes_on = match self.every() {
                None => self.listen(&mut open),
                Some(every) => self.look(Instant::now() + every),
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Returns how often to look, where the platform does not tell.
    fn every(&self) -> Option<Duration> {
        match &*self.method.lock().unwrap_or_else(PoisonError::into_inner) {
            Method::Events => None,
            Method::Polling { every, .. } => Some(*every),
        }
    }

    /// Waits for events, or for the quiet behind them. Returns whether there is anybody left to tell.
    fn listen(&mut self, open: &mut Option<Open>) -> bool {
        let due = open.as_ref().map(|open| {
            let quiet = open.last + self.options.quiet;
            quiet.min(open.first + self.options.longest)
        });
        let mail = self.inbox.wait(due);
        if mail.stop {
            return false;
        }
        let now = Instant::now();
        for path in mail.paths {
            let verdict = self.layout.judge(&path);
            if verdict == Verdict::None {
                continue;
            }
            let open = open.get_or_insert_with(|| Open::at(now));
            open.last = now;
            open.structure |= verdict == Verdict::Structure;
            if self.watched.contains(&path) {
                open.stale.insert(path.clone());
            }
            open.batch.touched.insert(path);
        }
        if mail.lost {
            let open = open.get_or_insert_with(|| Open::at(now));
            (open.last, open.structure, open.batch.lost) = (now, true, true);
        }
        if let Some(because) = mail.broken {
            *open = None;
            return self.give_up(because);
        }
        match due {
            Some(due) if due <= now => open.take().is_none_or(|open| self.close(open)),
            _ => true,
        }
    }

    /// Hands a batch out, once everything that it made is watched too.
    fn close(&mut self, mut open: Open) -> bool {
        // What lies beyond a limit may have changed unseen.
        open.batch.lost |= self.layout.is_cut();
        for directory in open.stale {
            self.forget(&directory);
        }
        if open.structure
            && let Err(because) = self.survey()
        {
            return self.give_up(because);
        }
        open.batch.lost |= self.layout.is_cut();
        open.batch.is_empty() || self.batches.send(open.batch.changes()).is_ok()
    }

    /// Watches what there is now, and nothing else. A directory that was made while the layout was would not be
    /// watched, so it is made again until nothing is new.
    fn survey(&mut self) -> Result<(), String> {
        for _ in 0..MAX_ROUNDS {
            let layout = Layout::of((self.roots)(), false);
            let Some(backend) = &mut self.backend else { break };
            let gone: Vec<PathBuf> =
                self.watched.iter().filter(|directory| !layout.has(directory)).cloned().collect();
            for directory in gone {
                backend.unwatch(&directory);
                self.watched.remove(&directory);
            }
            let mut new = false;
            for (directory, below) in layout.watched() {
                if self.watched.contains(directory) {
                    continue;
                }
                match backend.watch(directory, below) {
                    Ok(()) => {
                        self.watched.insert(directory.to_owned());
                        new = true;
                    }
                    Err(BackendError::Unreachable) => {}
                    Err(BackendError::Unable(because)) => return Err(because),
                }
            }
            self.layout = layout;
            if !new {
                break;
            }
        }
        Ok(())
    }

    fn forget(&mut self, directory: &Path) {
        if let Some(backend) = &mut self.backend {
            backend.unwatch(directory);
        }
        self.watched.remove(directory);
    }

    /// Polls from now on. What happened meanwhile is not known.
    fn give_up(&mut self, because: String) -> bool {
        self.poll(Some(because));
        self.batches.send(Changes::unknown()).is_ok()
    }

    fn poll(&mut self, because: Option<String>) {
        let every = self.options.poll.unwrap_or(self.options.fallback);
        if let Some(because) = &because {
            tracing::debug!(because, "watching by looking at the files");
        }
        *self.method.lock().unwrap_or_else(PoisonError::into_inner) = Method::Polling { every, because };
        self.backend = None;
        self.watched = HashSet::new();
        self.layout = Layout::of((self.roots)(), true);
    }

    /// Waits until it is time, then looks at everything. Returns whether there is anybody left to tell.
    fn look(&mut self, at: Instant) -> bool {
        loop {
            // A backend that was given up may still have something to say.
            if self.inbox.wait(Some(at)).stop {
                return false;
            }
            if Instant::now() >= at {
                break;
            }
        }
        let now = Layout::of((self.roots)(), true);
        let touched = now.differences(&self.layout);
        self.layout = now;
        // Two states can look the same, so a scan has to see for itself.
        let batch = Batch { touched: touched.into_iter().collect(), lost: true };
        batch.touched.is_empty() || self.batches.send(batch.changes()).is_ok()
    }
}

impl Open {
    fn at(now: Instant) -> Self {
        Self { batch: Batch::default(), first: now, last: now, structure: false, stale: BTreeSet::new() }
    }
}
