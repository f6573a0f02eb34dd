//! What the runners of recorded cases share.

pub(crate) mod diff;
pub(crate) mod kinds;
pub(crate) mod scratch;
