//! Discover: many origins of Agent Skills behind one trait.
//!
//! A [`Source`] lists skills (metadata only) and reads a body when it is asked for one. It never keeps a body.
//! [`FsSource`] finds them below [`RootRule`]s that are data, [`PluginSource`] those of plugins, and [`MemorySource`] holds
//! them in memory. [`RemoteSource`] asks another environment for them. With the feature `archives` there is an
//! `ArchiveSource` for `.zip` and `.tar.gz` files, with `https` an `IndexSource` for the skills of a web site. How a
//! `SKILL.md` is read is a [`Reading`]; [`frontmatter`] is the reader by itself. With a [`MetadataCache`] only files
//! that changed are opened, and with [`KeepLastGood`] a file that is just being written costs no skill. With the
//! feature `watch` there is a watcher that says when to scan again, and what changed.

pub mod agentskills;
#[cfg(feature = "archives")]
mod archive;
mod assemble;
mod boundary;
mod bundle;
mod cache;
mod changes;
mod distinct;
mod every_path;
pub mod fix;
pub mod frontmatter;
mod fs;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod grouped;
#[cfg(feature = "https")]
mod index;
mod keep;
pub mod lint;
mod memory;
mod nested;
pub mod openai;
mod parallel;
mod place;
mod plugins;
mod refused;
mod remote;
mod roots;
mod settled;
mod source;
mod title;
mod walk;
#[cfg(feature = "watch")]
pub mod watch;

#[cfg(feature = "archives")]
pub use archive::{ArchiveLimits, ArchiveSource};
pub use boundary::{LinkLimit, read_beginning};
pub use cache::{CacheCounts, MetadataCache};
pub use changes::Changes;
pub use distinct::{DistinctSource, Keep};
pub use every_path::EveryPathSource;
pub use frontmatter::{FenceRule, Reading, SkillYaml};
pub use fs::FsSource;
pub use grouped::{GroupBy, GroupedSource};
#[cfg(feature = "https")]
pub use index::{Fetch, FetchError, HttpFetch, IndexPolicy, IndexSource};
pub use keep::KeepLastGood;
pub use memory::MemorySource;
pub use place::Place;
pub use plugins::{Layout, ManifestRule, NamespacedSource, PluginRule, PluginSource, RegistryRule};
pub use remote::{Listing, PipeLimits, PipeRemote, Remote, RemoteError, RemoteSkill, RemoteSource};
pub use roots::{ResolvedRoot, RootBase, RootRule, Until, UpwardOrder, WatchRoot, resolve};
pub use source::{ReadError, Scan, ScanRequest, Source};
pub use title::display_name;
pub use walk::{InnerFolder, LooseMarkdown, WalkOrder, WalkPolicy};
