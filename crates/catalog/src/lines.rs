//! Texts that would leave their line.

use std::borrow::Cow;
use std::sync::Arc;

use lorimer_core::text::fold_whitespace;
use lorimer_core::{Code, Diagnostic, Skill};

/// What happens to a line break in a name or a description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineBreaks {
    /// Runs of white space become one space, so an entry is one line whatever it holds.
    #[default]
    Fold,
    /// It is passed through, with a diagnostic, for harnesses that do so: one entry can then look like several.
    PassThrough,
}

impl LineBreaks {
    /// Returns a text as it may stand in a line.
    pub(crate) fn apply(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Fold => fold_whitespace(text),
            Self::PassThrough => Cow::Borrowed(text),
        }
    }
}

/// Returns whether a text has something that one reader or another takes for the end of a line.
pub(crate) fn breaks_line(text: &str) -> bool {
    text.contains(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// Returns what is to be said about an entry that is not one line.
pub(crate) fn broken(skill: &Arc<Skill>) -> Diagnostic {
    let message = "a line break stands in the name or the description, and the listing passes it through";
    Diagnostic::new(Code::EntryBroken, message)
        .at(skill.id.locator.clone(), None)
        .with_help("write the description as one line")
}
