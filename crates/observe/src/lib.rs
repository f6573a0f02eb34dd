//! Observe: events of the skill lifecycle as counters, spans and a funnel that adds up.
//!
//! An [`Observer`] has no way to fail and never sees a body. [`Funnel`] is a fold over events, so it can be computed
//! live ([`LiveFunnel`]), from a journal, or somewhere else from exported events.

mod counts;
mod funnel;
mod observer;
mod sinks;
mod tracing;

pub use self::tracing::Tracing;
pub use counts::FunnelCounts;
pub use funnel::{Funnel, LiveFunnel};
pub use observer::Observer;
pub use sinks::{Fanout, InMemory, Null};
