//! What a resolver of mentions may do differently.

use crate::by_name::ByName;
use crate::mention::Syntax;

/// Rules of a [`SigilResolver`](crate::SigilResolver). The default is the Codex rule set.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What counts as a mention.
    pub syntax: Syntax,
    /// How a tool's name is looked up. Whether it knows skills by the name behind their namespace counts for mentions
    /// too.
    pub by_name: ByName,
    /// Whether `$tidy:` or `$tidy-` means `tidy` when no skill has the longer name: punctuation at the end of a
    /// mention is more often the sentence's than the name's. `false` by default.
    pub trim_punctuation: bool,
}

impl Options {
    /// Returns stricter rules than the default's: a mention stands on its own, code blocks and escaped sigils are
    /// no mentions, and punctuation behind a name belongs to the sentence. A plugin's skill is also known by the name
    /// behind its namespace, where that is nobody else's, and how the characters of a name are composed does not matter.
    pub fn strict() -> Self {
        Self {
            syntax: Syntax::strict(),
            by_name: ByName::default().with_short_names().with_composed(),
            trim_punctuation: true,
        }
    }
}
