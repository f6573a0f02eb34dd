//! Discovery as a caller sees it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a panic is how a test fails")]

mod cache;
mod frontmatter;
mod fs_source;
mod gray_matter;
mod memory;
mod openai;
mod properties;
mod reading;
mod roots;
mod support;
mod walk;
