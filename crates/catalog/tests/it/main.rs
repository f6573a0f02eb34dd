//! Integration tests of the catalog stage.

mod compact;
mod grouped;
mod json;
mod native;
mod properties;
mod rules;
mod sections;
mod snapshots;
mod stability;
mod support;
