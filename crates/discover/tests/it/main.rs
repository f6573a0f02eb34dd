//! Discovery as a caller sees it.

mod frontmatter;
mod gray_matter;
mod memory;
mod openai;
mod properties;
mod reading;
mod roots;
mod support;
mod walk;
