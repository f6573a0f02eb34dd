//! What is known to have changed, as a value.

use std::path::PathBuf;

use crate::ScanRequest;

/// What is known to have changed since the last scan, whoever noticed it.
///
/// ```
/// use lorimer_discover::Changes;
/// let mut changes = Changes::to(["/skills/a/SKILL.md"]);
/// assert!(changes.request().only_touched);
/// changes.merge(Changes::unknown());
/// assert!(!changes.request().only_touched, "what was lost may be anything");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// Paths that changed: files, or folders with everything below them. Sorted, each one once.
    pub touched: Vec<PathBuf>,
    /// Whether nothing else has changed. Only who has seen every change since the last scan can know that.
    pub only_touched: bool,
}

impl Changes {
    /// Returns the changes of these paths, and of no others.
    pub fn to<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Self {
        let mut touched: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
        touched.sort_unstable();
        touched.dedup();
        Self { touched, only_touched: true }
    }

    /// Returns changes of which nothing is known: anything may be another.
    pub fn unknown() -> Self {
        Self { touched: Vec::new(), only_touched: false }
    }

    /// Adds later changes to these, so that one scan does for both.
    pub fn merge(&mut self, later: Self) {
        let only_touched = self.only_touched && later.only_touched;
        let touched = std::mem::take(&mut self.touched);
        *self = Self { only_touched, ..Self::to(touched.into_iter().chain(later.touched)) };
    }

    /// Returns the request of a scan that looks at what changed.
    pub fn request(&self) -> ScanRequest {
        ScanRequest { force: false, touched: self.touched.clone(), only_touched: self.only_touched }
    }
}
