//! Integration tests of the catalog stage.

mod compact;
mod native;
mod properties;
mod rules;
mod sections;
mod snapshots;
mod stability;
mod support;
