//! Discovery as a caller sees it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a panic is how a test fails")]

mod agentskills;
#[cfg(feature = "archives")]
mod archives;
mod cache;
mod faults;
mod fix;
mod frontmatter;
mod fs_source;
mod gray_matter;
mod grouped;
#[cfg(feature = "https")]
mod index;
mod keep;
mod lint;
mod memory;
mod openai;
#[cfg(feature = "archives")]
mod packing;
mod places;
mod plugins;
mod properties;
mod reading;
mod remote;
mod roots;
mod support;
mod walk;
#[cfg(feature = "watch")]
mod watch;
