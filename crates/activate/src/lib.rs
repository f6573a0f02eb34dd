//! Activate: the bytes of a chosen skill to one context item for this turn.
//!
//! An [`Activator`] opens nothing: it gets bytes from the source that listed the skill.

mod activator;

pub use activator::{ActivateError, ActivateRequest, Activation, Activator};
