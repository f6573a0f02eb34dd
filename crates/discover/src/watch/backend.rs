//! Who tells that something happened. The only file that knows notify.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use notify::{Config, ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::Inbox;

/// Tells what happens in directories, by an [`Inbox`] that it was given.
pub trait Backend: Send {
    /// Begins to tell about the entries of a directory, and about the directory itself. Where `below` is set,
    /// everything further down matters too; a backend that tells about that at no further cost may do so.
    ///
    /// # Errors
    ///
    /// When it cannot.
    fn watch(&mut self, directory: &Path, below: bool) -> Result<(), BackendError>;

    /// Tells nothing about a directory any more. It may be gone, or never have been watched.
    fn unwatch(&mut self, directory: &Path);
}

/// Why a directory is not watched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// It is gone or closed, which costs only itself: what lies in it cannot be scanned either.
    #[error("the directory is not there, or must not be read")]
    Unreachable,
    /// Watching does not work here, or not for so many directories.
    #[error("{0}")]
    Unable(String),
}

/// Whether the platform watches single directories. Otherwise one watch for a whole tree is what it does well.
const SINGLE: bool = cfg!(not(any(target_os = "macos", target_os = "windows")));

struct Platform {
    watcher: RecommendedWatcher,
    /// Directories that are watched with everything below them.
    trees: Vec<PathBuf>,
}

impl fmt::Debug for Platform {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Platform").field("trees", &self.trees).finish_non_exhaustive()
    }
}

/// Returns the platform's own way of watching.
pub(super) fn platform(inbox: Inbox) -> Result<Box<dyn Backend>, BackendError> {
    let watcher = RecommendedWatcher::new(move |event| hear(&inbox, event), Config::default());
    let watcher = watcher.map_err(|error| BackendError::Unable(reason(&error)))?;
    Ok(Box::new(Platform { watcher, trees: Vec::new() }))
}

impl Backend for Platform {
    fn watch(&mut self, directory: &Path, below: bool) -> Result<(), BackendError> {
        let tree = below && !SINGLE;
        if tree && self.trees.iter().any(|tree| directory.starts_with(tree)) {
            return Ok(());
        }
        let mode = if tree { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        match self.watcher.watch(directory, mode) {
            Ok(()) => {
                self.trees.extend(tree.then(|| directory.to_owned()));
                Ok(())
            }
            Err(error) => Err(judge(&error)),
        }
    }

    fn unwatch(&mut self, directory: &Path) {
        self.trees.retain(|tree| tree != directory);
        // What is gone is watched no more anyway.
        let _ = self.watcher.unwatch(directory);
    }
}

fn hear(inbox: &Inbox, event: notify::Result<Event>) {
    match event {
        // Our own scans read, and what reads changes nothing.
        Ok(Event { kind: EventKind::Access(_), .. }) => {}
        Ok(event) if event.need_rescan() || event.paths.is_empty() => inbox.lost(),
        Ok(event) => inbox.changed(event.paths),
        Err(error) => inbox.broken(reason(&error)),
    }
}

fn judge(error: &notify::Error) -> BackendError {
    match &error.kind {
        ErrorKind::PathNotFound => BackendError::Unreachable,
        ErrorKind::Io(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::PermissionDenied
            ) =>
        {
            BackendError::Unreachable
        }
        _ => BackendError::Unable(reason(error)),
    }
}

fn reason(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => "the system allows no more watches".to_owned(),
        ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use notify::event::{AccessKind, CreateKind, Flag};

    use super::*;

    fn heard(event: notify::Result<Event>) -> (usize, bool, Option<String>) {
        let inbox = Inbox::default();
        hear(&inbox, event);
        let mail = inbox.wait(Some(Instant::now()));
        (mail.paths.len(), mail.lost, mail.broken)
    }

    #[test]
    fn reading_is_no_change_and_an_overflow_is_a_loss() {
        let at = |kind| Event::new(kind).add_path("/a".into());
        assert_eq!(heard(Ok(at(EventKind::Access(AccessKind::Read)))), (0, false, None));
        assert_eq!(heard(Ok(at(EventKind::Create(CreateKind::File)))), (1, false, None));
        assert_eq!(heard(Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan))), (0, true, None));
        let full = notify::Error::new(ErrorKind::MaxFilesWatch);
        assert_eq!(heard(Err(full)), (0, false, Some("the system allows no more watches".to_owned())));
    }

    #[test]
    fn a_closed_directory_costs_only_itself() {
        let io = |kind| notify::Error::io(io::Error::from(kind));
        assert_eq!(judge(&io(io::ErrorKind::PermissionDenied)), BackendError::Unreachable);
        assert_eq!(judge(&notify::Error::path_not_found()), BackendError::Unreachable);
        let full = notify::Error::new(ErrorKind::MaxFilesWatch);
        assert!(matches!(judge(&full), BackendError::Unable(_)));
    }
}
