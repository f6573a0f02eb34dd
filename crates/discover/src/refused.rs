//! What a source refuses of another source's skills.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use lorimer_core::Locator;

use crate::ReadError;

/// Skills of an inner source that the last scan has refused; nothing is known before the first one.
#[derive(Debug, Default)]
pub(crate) struct Refused(RwLock<Option<HashSet<Locator>>>);

impl Refused {
    /// Takes in what a scan has refused.
    pub(crate) fn set(&self, refused: HashSet<Locator>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(refused);
    }

    /// Refuses what the last scan refused. The first question of all makes a scan.
    pub(crate) fn check<T>(&self, locator: &Locator, scan: impl FnOnce() -> T) -> Result<(), ReadError> {
        let unknown = self.0.read().unwrap_or_else(PoisonError::into_inner).is_none();
        if unknown {
            scan();
        }
        let refused = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if refused.as_ref().is_some_and(|refused| refused.contains(locator)) {
            Err(ReadError::NotListed(locator.clone()))
        } else {
            Ok(())
        }
    }
}
