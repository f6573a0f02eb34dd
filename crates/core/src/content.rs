//! Bytes that a source read.

use crate::Digest;

/// How much of a body may be read. `None` reads everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadLimit(pub Option<usize>);

/// What a source read, just now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The bytes, at most the limit that was asked for.
    pub bytes: Vec<u8>,
    /// Digest of `bytes`.
    pub digest: Digest,
    /// Whether the resource had more bytes than the limit.
    pub cut: bool,
    /// Where in `bytes` the instructions begin, behind the frontmatter; 0 where there is none, or where the source
    /// cannot tell.
    pub instructions: usize,
}

impl Content {
    /// Returns the content that consists of these bytes, nothing cut.
    pub fn whole(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self { digest: Digest::of(&bytes), bytes, cut: false, instructions: 0 }
    }
}
