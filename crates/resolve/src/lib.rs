//! Resolve: mentions, selections and tool names to skill identities.
//!
//! A [`Resolver`] never reads a file and never guesses: ambiguity is an answer.

mod resolver;

pub use resolver::{Reason, Resolution, ResolveRequest, Resolver, Selected, Structured, Unresolved};
