//! A section of a composed listing.

use std::borrow::Cow;

use lorimer_core::Skill;

use crate::format::Format;
use crate::order::Order;

/// One section of a composed listing: the skills of some scopes, in an order and a format of their own.
///
/// Sections are told one by one, and share the listing's budget.
#[derive(Debug)]
pub struct ComposedSection {
    pub(super) id: Cow<'static, str>,
    /// Kinds of scopes; empty takes every skill that no other part takes.
    pub(super) scopes: &'static [&'static str],
    pub(super) order: Box<dyn Order>,
    pub(super) format: Box<dyn Format>,
    pub(super) squeezed_out: Option<&'static str>,
    pub(super) none_left: Option<&'static str>,
}

impl ComposedSection {
    /// Returns the section of this id with the skills of these [kinds of scopes](lorimer_core::Scope::kind).
    pub fn new(
        id: &'static str,
        scopes: &'static [&'static str],
        order: impl Order + 'static,
        format: impl Format + 'static,
    ) -> Self {
        Self {
            id: id.into(),
            scopes,
            order: Box::new(order),
            format: Box::new(format),
            squeezed_out: None,
            none_left: None,
        }
    }

    /// Returns the section with a text that stands in its place when it has skills, other sections have some too, and
    /// none of its own found room. By default the format says what there is to say then.
    #[must_use]
    pub fn squeezed_out(mut self, text: &'static str) -> Self {
        self.squeezed_out = Some(text);
        self
    }

    /// Returns the section with a text that the model is told when it was told the section and nothing of it is left.
    #[must_use]
    pub fn none_left(mut self, text: &'static str) -> Self {
        self.none_left = Some(text);
        self
    }

    pub(super) fn takes(&self, skill: &Skill) -> bool {
        self.scopes.is_empty() || self.scopes.contains(&skill.scope.kind())
    }
}
