//! The recordings of Pi.

use super::Dialect;

pub(super) struct Pi;

impl Dialect for Pi {
    fn understood(&self) -> &'static [&'static str] {
        &["hidden_tools"]
    }
}
