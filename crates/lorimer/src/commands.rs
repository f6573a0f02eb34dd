//! Commands that a user interface offers for skills.

use lorimer_core::Route;
use lorimer_resolve::Command;

use crate::Session;

impl Session {
    /// Returns the commands by which a user can call the skills that there are now, in snapshot order; none where the
    /// harness has no commands for skills. A command is text like any other: it is found when a turn begins with it.
    pub fn commands(&self) -> Vec<Command> {
        let snapshot = self.view().snapshot;
        let refused = self.refusals(&snapshot, &[Route::Command]);
        self.lifecycle.resolver().commands(&snapshot, &refused)
    }
}
