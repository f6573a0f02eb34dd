//! Integration tests of the catalog stage.

mod native;
mod properties;
mod rules;
mod snapshots;
mod support;
