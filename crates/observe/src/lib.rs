//! Observe: events of the skill lifecycle as counters, spans and a funnel that adds up.

mod observer;

pub use observer::Observer;
