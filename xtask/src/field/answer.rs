//! What came of a step, in the words of the cases.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};

/// What came of a step. What an operation says nothing about is `None`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) skills: Option<Vec<SkillFact>>,
    /// `None` for operations that report nothing.
    pub(crate) reports: Option<Vec<Report>>,
    pub(crate) listing: Option<Listing>,
    pub(crate) handed: Option<Handed>,
    /// The bytes of a resource, as text.
    pub(crate) content: Option<String>,
    pub(crate) error: Option<Failure>,
    pub(crate) resources: Option<Vec<String>>,
    /// Names of skills that a text made the library hand over.
    pub(crate) activated: Option<Vec<String>>,
    /// Names of skills whose instructions the model still sees.
    pub(crate) active: Option<Vec<String>>,
    /// Listed names that cannot be called.
    pub(crate) unresolved: Option<Vec<String>>,
    pub(crate) changes: Option<Changes>,
    pub(crate) restated: Option<bool>,
    /// Paths that a case wants to be absent and that are there after the step.
    pub(crate) present: BTreeSet<String>,
    pub(crate) wall: Duration,
}

/// A skill that was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct SkillFact {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) scope: &'static str,
    /// The path by which people know it.
    pub(crate) location: PathBuf,
    /// Every path that leads to it.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) frontmatter: Map<String, Value>,
    /// What the library makes of fields that have several forms.
    pub(crate) typed: Map<String, Value>,
}

/// Something that the library says about a file, a skill or the listing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    /// The neutral kind; `None` for what the cases have no word for.
    pub(crate) kind: Option<&'static str>,
    /// Whether it is at least a warning.
    pub(crate) warns: bool,
    pub(crate) is_error: bool,
    pub(crate) path: Option<PathBuf>,
    pub(crate) line: Option<u32>,
    /// Everything that it says, its place included.
    pub(crate) text: String,
}

/// The list as the model is shown it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    pub(crate) text: String,
    /// Names and descriptions, as shown.
    pub(crate) entries: Vec<(String, String)>,
}

/// What was handed to the model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handed {
    /// All of it.
    pub(crate) text: String,
    /// The instructions in it.
    pub(crate) body: String,
    /// Commands in the instructions that stand in the text as they are written: nothing has run in their place.
    pub(crate) inert: Vec<String>,
    /// The folder that relative paths of the skill start from.
    pub(crate) base: Option<PathBuf>,
    /// Whether it only says that the model has it already.
    pub(crate) already_loaded: bool,
    /// Whether a person has to agree first.
    pub(crate) needs_confirmation: bool,
}

/// Why an operation did not do what it was asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure {
    pub(crate) kind: String,
    pub(crate) text: String,
}

/// Names of skills that differ.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    pub(crate) added: Vec<String>,
    pub(crate) changed: Vec<String>,
    pub(crate) removed: Vec<String>,
}
