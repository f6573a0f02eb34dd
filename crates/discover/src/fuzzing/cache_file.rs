//! Any bytes as a file of the metadata cache.

use crate::cache::check_bytes;

/// Reads bytes as a file, as the inside of a file, and as an entry, and checks what comes of it.
pub fn cache_file(bytes: &[u8]) {
    check_bytes(bytes);
}
