//! The suites pass for our implementations and fail for wrong ones.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests may")]

mod ours;
mod wrong;
