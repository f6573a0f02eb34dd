//! Discover: many origins of Agent Skills behind one trait.
//!
//! A [`Source`] lists skills (metadata only) and reads a body when it is asked for one. It never keeps a body.
//! [`FsSource`] finds them below [`RootRule`]s that are data, [`MemorySource`] holds them in memory. How a
//! `SKILL.md` is read is a [`Reading`]; [`frontmatter`] is the reader by itself.

mod assemble;
mod cache;
pub mod frontmatter;
mod fs;
mod memory;
mod open;
pub mod openai;
mod parallel;
mod plugins;
mod roots;
mod source;
mod walk;

pub use cache::{CacheCounts, MetadataCache};
pub use frontmatter::{FenceRule, Reading, SkillYaml};
pub use fs::FsSource;
pub use memory::MemorySource;
pub use plugins::{Layout, ManifestRule, NamespacedSource, PluginRule, PluginSource};
pub use roots::{Place, ResolvedRoot, RootBase, RootRule, UpwardOrder};
pub use source::{ReadError, Scan, ScanRequest, Source};
pub use walk::{LooseMarkdown, WalkPolicy};
