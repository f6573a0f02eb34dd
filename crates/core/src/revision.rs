//! A mark of one state of a resource.

use std::hash::{DefaultHasher, Hash, Hasher as _};

/// One state of a resource, as its source can tell it from other states: by size, times and inode of a file, or by
/// bytes. It says nothing but "the same" or "another one", and only within one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revision(u64);

impl Revision {
    /// Returns the mark of what the source knows about a state.
    ///
    /// ```
    /// use lorimer_core::Revision;
    /// assert_eq!(Revision::of(b"bytes"), Revision::of(b"bytes"));
    /// assert_ne!(Revision::of(b"bytes"), Revision::of(b"other"));
    /// ```
    pub fn of(state: &(impl Hash + ?Sized)) -> Self {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        Self(hasher.finish())
    }
}
