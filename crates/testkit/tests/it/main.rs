//! The suites pass for our implementations and fail for wrong ones.

mod ours;
mod wrong;
