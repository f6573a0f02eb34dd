//! The frontmatter of a `SKILL.md`: fences, YAML, repair, fields.
//!
//! [`parse`] reads it by the rules of a [`Reading`]; [`split`] only finds the fences, for whoever needs the body.
//! Nothing here does any I/O of its own: [`read_head`] reads from whatever it is given.

mod check;
mod engine;
mod fence;
mod fields;
mod head;
mod hidden;
mod layout;
mod lines;
mod lossy;
mod outcome;
mod parse;
mod python;
mod reading;
mod repair;
pub(crate) mod span;
pub(crate) mod value;
pub(crate) mod yaml;

pub(crate) use check::check_name;
pub use engine::SkillYaml;
pub(crate) use fence::BYTE_ORDER_MARK;
pub use fence::{FenceRule, Fenced, split};
pub use head::{Head, read_head};
pub(crate) use hidden::hidden_characters;
pub(crate) use layout::{Field, Layout, layout};
pub use outcome::{Finding, Outcome};
pub(crate) use parse::MAX_REPAIR_FINDINGS;
pub use parse::parse;
pub use reading::{
    BodyLine, Duplicates, Encoding, Limits, NameRule, OnInvalidYaml, OtherValues, Reading, Syntax, YesNo,
};
