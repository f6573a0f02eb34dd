//! How much of a body the model gets.

use lorimer_core::Scope;

/// Which skills a limit is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppliesTo {
    /// All of them.
    Everything,
    /// Skills of these kinds of scopes ([`Scope::kind`]).
    Kinds(&'static [&'static str]),
}

impl AppliesTo {
    /// Skills that come by an extension path: plugins, attached environments and the orchestrator (S3-19).
    pub const EXTENSIONS: Self = Self::Kinds(&["plugin", "environment", "orchestrator"]);

    /// Returns whether the limit is for skills of this scope.
    pub fn includes(self, scope: &Scope) -> bool {
        match self {
            Self::Everything => true,
            Self::Kinds(kinds) => kinds.contains(&scope.kind()),
        }
    }
}

/// What the model itself is told about a cut. The diagnostic is made in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CutNotice {
    /// Nothing.
    Silent,
    /// One line behind the body says how much is missing and where the file is.
    #[default]
    Line,
}

/// A limit of the body in bytes. The cut is made at a character boundary, never beyond the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyLimit {
    /// How many bytes the body may have.
    pub bytes: usize,
    /// Which skills it is for.
    pub applies_to: AppliesTo,
    /// What the model is told.
    pub notice: CutNotice,
}
