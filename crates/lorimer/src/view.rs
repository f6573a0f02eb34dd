//! What a session would tell a model now, and why each skill stands where it stands.

use std::collections::HashMap;
use std::sync::Arc;

use lorimer_authorize::{Admission, AdmitRequest};
use lorimer_catalog::{Catalog, CatalogRequest};
use lorimer_core::{Diagnostic, Refusal, Route, Skill, SkillId, Snapshot};

use crate::Lifecycle;
use crate::gather::collisions;

/// A listing with a row for every skill that was found: listed, omitted or hidden.
#[derive(Clone, Debug)]
pub struct View {
    /// All skills that were found.
    pub snapshot: Snapshot,
    /// The listing of those that the model may choose.
    pub catalog: Catalog,
    /// Whether the model gets the listing; some settings switch it off and leave mentions working.
    pub listing: bool,
    /// Skills that the model may not choose, and the rule.
    pub hidden: Vec<(Arc<Skill>, Refusal)>,
    /// Skills that the user may not choose either, and the rule.
    pub refused: HashMap<SkillId, Refusal>,
    /// What is odd about settings, files, names and rules. What is odd about the listing itself stands in
    /// [`Catalog::notices`].
    pub diagnostics: Vec<Diagnostic>,
}

impl View {
    pub(crate) fn new(lifecycle: &Lifecycle, snapshot: &Snapshot, input: Option<&str>) -> Self {
        let mut listed = Vec::with_capacity(snapshot.len());
        let mut hidden = Vec::new();
        for skill in snapshot.skills() {
            match refusal(lifecycle, skill, Route::Listing) {
                None => listed.push(Arc::clone(skill)),
                Some(refusal) => hidden.push((Arc::clone(skill), refusal)),
            }
        }
        let budget = lifecycle.options().budget;
        let catalog = lifecycle.cataloger().catalog(&CatalogRequest { skills: &listed, budget, input });
        let mut diagnostics = lifecycle.options().diagnostics.clone();
        diagnostics.extend(snapshot.diagnostics().iter().cloned());
        diagnostics.extend(collisions(snapshot));
        diagnostics.extend(lifecycle.authorizer().diagnostics());
        Self {
            snapshot: snapshot.clone(),
            catalog,
            listing: lifecycle.options().listing,
            hidden,
            refused: refusals(lifecycle, snapshot, Route::Mention),
            diagnostics,
        }
    }

    /// Returns the text that the model gets; empty when it gets none.
    pub fn text(&self) -> String {
        if self.listing { self.catalog.text() } else { String::new() }
    }
}

/// Returns the rule that keeps a skill from being used by a route.
pub(crate) fn refusal(lifecycle: &Lifecycle, skill: &Skill, route: Route) -> Option<Refusal> {
    match lifecycle.authorizer().admit(&AdmitRequest { skill, route }) {
        Admission::Admitted => None,
        Admission::Refused(refusal) => Some(refusal),
        Admission::Ask(question) => Some(Refusal::new("needs-approval").with_help(question.text)),
    }
}

/// Returns all skills that may not be used by a route.
pub(crate) fn refusals(
    lifecycle: &Lifecycle,
    snapshot: &Snapshot,
    route: Route,
) -> HashMap<SkillId, Refusal> {
    snapshot
        .skills()
        .filter_map(|skill| Some((skill.id.clone(), refusal(lifecycle, skill, route)?)))
        .collect()
}
