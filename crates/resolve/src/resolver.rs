//! The verb of this stage.

use std::sync::Arc;

use lorimer_core::{Refusal, Route, SameName, SkillId, Snapshot};

use crate::{Command, Refusals};

/// A selection that a user interface made (S3-13): the name for display, the locator for identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structured {
    /// The name that the interface showed.
    pub name: String,
    /// The path or URI as the interface knows it: canonical, or through the user's links.
    pub locator: String,
}

/// What is to be resolved.
#[derive(Clone, Copy, Debug)]
pub struct ResolveRequest<'a> {
    /// Texts that the user wrote this turn, one item each, in order.
    pub texts: &'a [&'a str],
    /// Selections of a user interface, in order.
    pub structured: &'a [Structured],
    /// A skill that is called by its name: by the model's skill tool, or by a user's command.
    pub call: Option<Call<'a>>,
    /// Slugs of the connectors that are available, lower case.
    pub connectors: &'a [&'a str],
    /// Skills that may not be used, by which routes, and why. To the resolver they are not there, except that it says
    /// so when one of them was asked for.
    pub refused: &'a Refusals,
    /// Which of several skills of one name the bare name stands for.
    pub same_name: SameName,
}

/// A call of a skill by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The name, as it was passed. It is never taken for a path.
    pub name: &'a str,
    /// Who calls: [`Route::Tool`] or [`Route::Command`].
    pub route: Route,
}

/// A skill that was asked for and found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// The skill.
    pub skill: SkillId,
    /// How it was asked for.
    pub route: Route,
    /// Which text it stands in, and the bytes there; `None` when it was not in a text.
    pub place: Option<(usize, std::ops::Range<usize>)>,
}

/// Something that was asked for and not found, or not in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// What was asked for, as written.
    pub mention: String,
    /// How.
    pub route: Route,
    /// Why nothing was chosen.
    pub reason: Reason,
    /// Skills that it may have meant: the candidates of an ambiguity, the refused skill, or similar names. They
    /// are suggestions for a person, never a choice.
    pub candidates: Vec<SkillId>,
}

/// Why nothing was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No skill has this name or path.
    Unknown,
    /// Several usable skills have this name.
    Ambiguous,
    /// A connector has this name too.
    ConnectorClash,
    /// A rule keeps the skill from being used.
    Refused(Refusal),
}

impl Reason {
    /// Returns the stable word for reports: `unknown`, `ambiguous`, `connector-clash` or the rule's name.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Unknown => "unknown",
            Self::Ambiguous => "ambiguous",
            Self::ConnectorClash => "connector-clash",
            Self::Refused(refusal) => &refusal.rule,
        }
    }
}

/// Answers to everything that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolution {
    /// What was found, each skill once, in the order in which bodies are to be handed over.
    pub selected: Vec<Selected>,
    /// What was not.
    pub unresolved: Vec<Unresolved>,
}

/// Finds what was asked for.
///
/// # Contract
///
/// * Pure: only the snapshot and the request count. No I/O.
/// * Only skills of the snapshot that are not refused are ever selected, each at most once.
/// * When more than one skill could be meant, none is chosen, unless the profile's rule says which; similar names
///   are never a choice.
pub trait Resolver: Send + Sync {
    /// Returns the skills that the request asks for.
    fn resolve(&self, snapshot: &Snapshot, request: &ResolveRequest<'_>) -> Resolution;

    /// Returns the commands by which a user calls the skills that are not refused, in snapshot order; none by default.
    fn commands(&self, snapshot: &Snapshot, refused: &Refusals) -> Vec<Command> {
        let _ = (snapshot, refused);
        Vec::new()
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<R: Resolver + ?Sized> Resolver for $pointer {
            fn resolve(&self, snapshot: &Snapshot, request: &ResolveRequest<'_>) -> Resolution {
                (**self).resolve(snapshot, request)
            }

            fn commands(&self, snapshot: &Snapshot, refused: &Refusals) -> Vec<Command> {
                (**self).commands(snapshot, refused)
            }
        }
    )+};
}

forward!(&R, Box<R>, Arc<R>);
