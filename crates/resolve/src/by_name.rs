//! A call of a skill by its name.

use lorimer_core::{Claims, SameName, Skill, Snapshot};

use crate::called::Called;
use crate::resolver::{Reason, Resolution, ResolveRequest, Resolver, Selected, Unresolved};
use crate::similar::Suggestions;

/// Which skill a name means that several skills have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// None: the answer is that the name is ambiguous.
    #[default]
    Ambiguous,
    /// The first one of the snapshot.
    First,
    /// The last one of the snapshot.
    Last,
}

/// Looks a called name up among the names of the snapshot, and nowhere else (S1-18, S3-30).
///
/// The name is trimmed (S1-20) and compared exactly. It is never taken for a path: a name that looks like one is
/// an unknown name. Texts and structured selections of a request are not looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByName {
    /// Which skill is meant when several have the name. [`Duplicates::Ambiguous`] by default.
    pub duplicates: Duplicates,
    /// Whether `tidy` means `plugin:tidy` where no skill is called `tidy` and one alone has that name behind its
    /// namespace. `false` by default.
    pub short_names: bool,
    /// Whether names are one name that differ only in how their characters are composed (Unicode NFC): a file system or
    /// a keyboard may have written `é` as two characters. A name as it is written always comes first. `false` by default.
    pub composed: bool,
    /// Names that no label may be; with a list, a skill that is called by its folder is also known by its label, the field
    /// `name` of its file, where nothing is called so. Of several with one label the first is meant. `None` by default.
    pub labels_but: Option<&'static [&'static str]>,
    /// Whether a slash before the name is left out, as users write it. `false` by default.
    pub slash: bool,
}

impl ByName {
    /// Returns the look-up that settles duplicates this way.
    pub const fn new(duplicates: Duplicates) -> Self {
        Self { duplicates, short_names: false, composed: false, labels_but: None, slash: false }
    }

    /// Returns the look-up that also knows skills by the name behind their namespace.
    #[must_use]
    pub const fn with_short_names(self) -> Self {
        Self { short_names: true, ..self }
    }

    /// Returns the look-up that also knows skills by their label, unless that is one of these names.
    #[must_use]
    pub const fn with_labels_but(self, reserved: &'static [&'static str]) -> Self {
        Self { labels_but: Some(reserved), ..self }
    }

    /// Returns the look-up that leaves out a slash before the name.
    #[must_use]
    pub const fn with_slash(self) -> Self {
        Self { slash: true, ..self }
    }

    /// Returns the look-up that does not mind how characters are composed.
    #[must_use]
    pub const fn with_composed(self) -> Self {
        Self { composed: true, ..self }
    }
}

/// Returns the skills that a name stands for, out of those that have it.
pub(crate) fn in_effect<'a>(rule: SameName, same_named: &[&'a Skill]) -> Vec<&'a Skill> {
    let claims = Claims::new(rule, same_named.iter().copied());
    same_named.iter().filter(|skill| claims.shadowed_by(skill).is_none()).copied().collect()
}

impl Resolver for ByName {
    fn resolve(&self, snapshot: &Snapshot, request: &ResolveRequest<'_>) -> Resolution {
        let mut resolution = Resolution::default();
        let Some(call) = request.call else { return resolution };
        let (name, route) = (call.name.trim(), call.route);
        let name = if self.slash { name.strip_prefix('/').unwrap_or(name) } else { name };
        let (usable, refused): (Vec<&Skill>, Vec<&Skill>) = Called::new(snapshot, *self)
            .named(name)
            .into_iter()
            .partition(|skill| request.refused.get(&skill.id, route).is_none());
        let refused: Vec<_> = refused.into_iter().map(|skill| &skill.id).collect();
        let usable: Vec<_> =
            in_effect(request.same_name, &usable).into_iter().map(|skill| &skill.id).collect();
        let chosen = match (self.duplicates, usable.as_slice()) {
            (_, [only]) => Some(*only),
            (Duplicates::First, [first, ..]) => Some(*first),
            (Duplicates::Last, [.., last]) => Some(*last),
            _ => None,
        };
        if let Some(id) = chosen {
            resolution.selected.push(Selected { skill: id.clone(), route, place: None });
            return resolution;
        }
        let (reason, candidates) = if !usable.is_empty() {
            (Reason::Ambiguous, usable.into_iter().cloned().collect())
        } else if let Some(refusal) = refused.first().and_then(|id| request.refused.get(id, route)) {
            (Reason::Refused(refusal.clone()), refused.into_iter().cloned().collect())
        } else {
            (Reason::Unknown, Suggestions::new(snapshot, request.refused).similar(name))
        };
        resolution.unresolved.push(Unresolved { mention: name.to_owned(), route, reason, candidates });
        resolution
    }
}
