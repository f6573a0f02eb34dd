//! Discover: many origins of Agent Skills behind one trait.
//!
//! A [`Source`] lists skills (metadata only) and reads a body when it is asked for one. It never keeps a body.

mod source;

pub use source::{ReadError, Scan, ScanRequest, Source};
