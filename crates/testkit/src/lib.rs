//! Contract suites for every lorimer trait, a fixture builder and snapshot settings.
//!
//! Every implementation of a stage's trait, ours and other people's, should pass its suite in [`contract`]:
//!
//! ```
//! use lorimer::core::SourceId;
//! use lorimer::discover::MemorySource;
//! use lorimer_testkit::contract;
//!
//! contract::source::all(|| {
//!     let source = MemorySource::new(SourceId::new("mine"));
//!     source.add("brew-tea", "Brews tea.", "Warm the pot.");
//!     source
//! });
//! ```
//!
//! The suites grow within a minor version: a new check may fail an implementation that was wrong before.

pub mod contract;
mod project;
mod snapshots;

pub use project::Project;
pub use snapshots::snapshot_settings;
