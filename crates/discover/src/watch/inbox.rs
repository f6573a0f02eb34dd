//! Where a backend puts what it noticed.

use std::collections::BTreeSet;
use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Paths that wait to be looked at. Beyond that it is cheaper to look at everything.
const MAX_PATHS: usize = 10_000;

/// Where a backend puts what it noticed. A clone is the same inbox, and it may be used from any thread.
#[derive(Clone, Debug, Default)]
pub struct Inbox(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    mail: Mutex<Mail>,
    arrived: Condvar,
}

/// What lies in an inbox.
#[derive(Debug, Default)]
pub(super) struct Mail {
    pub(super) paths: BTreeSet<PathBuf>,
    pub(super) lost: bool,
    pub(super) broken: Option<String>,
    pub(super) stop: bool,
}

impl Mail {
    fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.lost && self.broken.is_none() && !self.stop
    }
}

impl Inbox {
    /// Something happened to these paths: an entry of a watched directory was made, written, renamed or removed, or
    /// the directory itself was. Reading is no such thing.
    pub fn changed(&self, paths: impl IntoIterator<Item = PathBuf>) {
        self.put(|mail| {
            mail.paths.extend(paths);
            if mail.paths.len() > MAX_PATHS {
                mail.paths.clear();
                mail.lost = true;
            }
        });
    }

    /// Events were lost, so anything may have changed.
    pub fn lost(&self) {
        self.put(|mail| mail.lost = true);
    }

    /// There will be no more events, for this reason.
    pub fn broken(&self, because: impl Into<String>) {
        self.put(|mail| mail.broken = Some(because.into()));
    }

    pub(super) fn stop(&self) {
        self.put(|mail| mail.stop = true);
    }

    fn put(&self, change: impl FnOnce(&mut Mail)) {
        let mut mail = self.0.mail.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut mail);
        drop(mail);
        self.0.arrived.notify_one();
    }

    /// Waits until something lies here, or until a moment, and takes it out.
    pub(super) fn wait(&self, until: Option<Instant>) -> Mail {
        let mut mail = self.0.mail.lock().unwrap_or_else(PoisonError::into_inner);
        while mail.is_empty() {
            let Some(until) = until else {
                mail = self.0.arrived.wait(mail).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.0.arrived.wait_timeout(mail, left);
            mail = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        mem::take(&mut mail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_together_is_taken_together() {
        let inbox = Inbox::default();
        inbox.changed(["/a".into(), "/b".into()]);
        inbox.changed(["/a".into()]);
        inbox.lost();
        let mail = inbox.wait(None);
        assert_eq!((mail.paths.len(), mail.lost, mail.stop), (2, true, false));
        assert!(inbox.wait(Some(Instant::now())).is_empty());
    }

    #[test]
    fn a_flood_is_told_as_a_loss() {
        let inbox = Inbox::default();
        inbox.changed((0..=MAX_PATHS).map(|number| PathBuf::from(number.to_string())));
        let mail = inbox.wait(None);
        assert!(mail.paths.is_empty() && mail.lost);
    }
}
