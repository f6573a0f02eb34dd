//! Who may not be chosen, and why.

use std::collections::HashMap;

use lorimer_core::{Refusal, Route, SkillId};

/// Skills that a rule keeps from being chosen, by some routes or by all.
///
/// ```
/// use lorimer_core::{Locator, Refusal, Route, SkillId, SourceId};
/// use lorimer_resolve::Refusals;
///
/// let id = SkillId::new(SourceId::new("host"), Locator::Uri("skill://a".to_owned()));
/// let mut refusals = Refusals::default();
/// refusals.insert(id.clone(), Route::Tool, Refusal::new("explicit-only"));
/// assert!(refusals.get(&id, Route::Tool).is_some());
/// assert!(refusals.get(&id, Route::Mention).is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusals(HashMap<SkillId, Vec<(Option<Route>, Refusal)>>);

impl Refusals {
    /// Keeps a skill from being chosen by one route.
    pub fn insert(&mut self, skill: SkillId, route: Route, refusal: Refusal) {
        self.0.entry(skill).or_default().push((Some(route), refusal));
    }

    /// Returns the rule that keeps a skill from being chosen by a route.
    pub fn get(&self, skill: &SkillId, route: Route) -> Option<&Refusal> {
        let refusals = self.0.get(skill)?;
        refusals.iter().find(|(by, _)| by.is_none_or(|by| by == route)).map(|(_, refusal)| refusal)
    }
}

/// Collects skills that may not be chosen by any route.
impl FromIterator<(SkillId, Refusal)> for Refusals {
    fn from_iter<I: IntoIterator<Item = (SkillId, Refusal)>>(refused: I) -> Self {
        Self(refused.into_iter().map(|(skill, refusal)| (skill, vec![(None, refusal)])).collect())
    }
}
