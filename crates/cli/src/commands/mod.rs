//! One module per command.

pub(crate) mod add_review;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod explain;
mod fixing;
pub(crate) mod list;
pub(crate) mod load;
pub(crate) mod overlap;
pub(crate) mod roots;
pub(crate) mod rows;
pub(crate) mod tour;
pub(crate) mod turn;
pub(crate) mod watch;
