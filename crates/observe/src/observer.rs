//! The verb of this stage.

use std::sync::Arc;

use lorimer_core::Event;

/// Is told every fact.
///
/// # Contract
///
/// * Called once per event, in the order in which things happened, from whatever thread runs the turn; calls of
///   different sessions may overlap.
/// * It must not block for long and has no way to fail: a broken exporter never breaks a turn.
pub trait Observer: Send + Sync {
    /// Takes note of one event.
    fn observe(&self, event: &Event);
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<O: Observer + ?Sized> Observer for $pointer {
            fn observe(&self, event: &Event) {
                (**self).observe(event);
            }
        }
    )+};
}

forward!(&O, Box<O>, Arc<O>);
