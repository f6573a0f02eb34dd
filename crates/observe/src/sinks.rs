//! Small observers.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lorimer_core::Event;

use crate::Observer;

/// Takes note of nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Null;

impl Observer for Null {
    fn observe(&self, _event: &Event) {}
}

/// Keeps every event, first to last.
#[derive(Debug, Default)]
pub struct InMemory(Mutex<Vec<Event>>);

impl InMemory {
    /// Returns an observer that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the events so far, first to last.
    pub fn events(&self) -> Vec<Event> {
        self.lock().clone()
    }

    /// Returns the events so far and forgets them.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Event>> {
        // Pushing is the only change, so a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for InMemory {
    fn observe(&self, event: &Event) {
        self.lock().push(event.clone());
    }
}

/// Tells several observers, first to last.
#[derive(Default)]
pub struct Fanout(pub Vec<Box<dyn Observer>>);

impl fmt::Debug for Fanout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Fanout({} observers)", self.0.len())
    }
}

impl Observer for Fanout {
    fn observe(&self, event: &Event) {
        for observer in &self.0 {
            observer.observe(event);
        }
    }
}
