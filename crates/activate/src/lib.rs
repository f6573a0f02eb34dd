//! Activate: the bytes of a chosen skill to one context item for this turn.
//!
//! An [`Activator`] opens nothing: it gets bytes from the source that listed the skill. [`SkillFragment`] puts a whole
//! file beside the user's message, [`ToolResult`] answers a tool call with the instructions behind the frontmatter, and
//! [`BaseDirectoryBlock`] puts these behind a line with the skill's directory. The first two can keep a body inside its wrapper ([`ClosingTags`]) and cut it at a
//! limit ([`BodyLimit`]); whatever they leave out or change, they say.

mod activator;
mod base_directory;
mod body;
mod fragment;
mod limit;
mod reference;
mod tags;
mod tool_result;
mod whole_text;

pub use activator::{ActivateError, ActivateRequest, Activation, Activator};
pub use base_directory::BaseDirectoryBlock;
pub use fragment::{Part, SkillFragment, recognise};
pub use limit::{AppliesTo, BodyLimit, CutNotice};
pub use reference::SkillReference;
pub use tags::ClosingTags;
pub use tool_result::ToolResult;
pub use whole_text::WholeText;
