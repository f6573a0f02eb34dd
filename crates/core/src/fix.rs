//! How a finding can be put right by a program.

use serde::{Deserialize, Serialize};

use crate::Span;

/// A change that puts a finding right and leaves what the file says as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fix {
    /// Texts of the file are replaced. No two of them overlap.
    Edits(Vec<Edit>),
    /// The file gets this name, in the same folder.
    Rename(String),
}

impl Fix {
    /// Returns the edits; none where the file is renamed.
    pub fn edits(&self) -> &[Edit] {
        match self {
            Self::Edits(edits) => edits,
            Self::Rename(_) => &[],
        }
    }
}

/// One stretch of a file that is replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// Where, in the file as it was checked.
    pub span: Span,
    /// What stands there. It lies on one line.
    pub old: String,
    /// What is to stand there.
    pub new: String,
}
