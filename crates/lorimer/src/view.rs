//! What a session would tell a model now, and why each skill stands where it stands.

use std::collections::HashMap;
use std::sync::Arc;

use lorimer_authorize::{Admission, AdmitRequest};
use lorimer_catalog::{BytesPerToken, Catalog, CatalogRequest, TokenCounter};
use lorimer_core::{Claims, Diagnostic, Refusal, Route, SameName, Skill, SkillId, Snapshot};

use crate::Session;
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
    /// Counts the tokens of the text, beside the estimate.
    pub token_counter: Option<Arc<dyn TokenCounter>>,
    /// What is odd about settings, files, names and rules. What is odd about the listing itself stands in
    /// [`Catalog::notices`].
    pub diagnostics: Vec<Diagnostic>,
}

impl View {
    pub(crate) fn new(session: &Session, snapshot: &Snapshot, input: Option<&str>) -> Self {
        let lifecycle = &session.lifecycle;
        let mut listed = Vec::with_capacity(snapshot.len());
        let mut hidden = Vec::new();
        for skill in snapshot.skills() {
            match refusal(session, skill, Route::Listing) {
                None => listed.push(Arc::clone(skill)),
                Some(refusal) => hidden.push((Arc::clone(skill), refusal)),
            }
        }
        take_shadowed(lifecycle.options().same_name, &mut listed, &mut hidden);
        let budget = lifecycle.options().budget;
        let catalog = lifecycle.cataloger().catalog(&CatalogRequest { skills: &listed, budget, input });
        let mut diagnostics = lifecycle.options().diagnostics.clone();
        diagnostics.extend(snapshot.diagnostics().iter().cloned());
        diagnostics.extend(collisions(snapshot, lifecycle.options().same_name));
        diagnostics.extend(lifecycle.authorizer().diagnostics());
        Self {
            snapshot: snapshot.clone(),
            catalog,
            listing: lifecycle.options().listing,
            hidden,
            token_counter: lifecycle.options().token_counter.clone(),
            diagnostics,
        }
    }

    /// Returns how many tokens the text takes of the window (S0-12), whatever the budget counts: first by the estimate of
    /// four bytes a token, then by the lifecycle's counter, where it has one. Each comes with the counter's name.
    pub fn tokens(&self) -> Vec<(String, usize)> {
        let text = self.text();
        let estimate = BytesPerToken::default();
        let counters = std::iter::once(&estimate as &dyn TokenCounter).chain(self.token_counter.as_deref());
        counters.map(|counter| (counter.name().to_owned(), counter.count(&text))).collect()
    }

    /// Returns the text that the model gets; empty when it gets none.
    pub fn text(&self) -> String {
        if self.listing { self.catalog.text() } else { String::new() }
    }
}

/// Moves those out of the listing whose name stands for another skill that is listed.
fn take_shadowed(rule: SameName, listed: &mut Vec<Arc<Skill>>, hidden: &mut Vec<(Arc<Skill>, Refusal)>) {
    let claims = Claims::new(rule, listed.iter().map(|skill| &**skill));
    let shadowed: HashMap<SkillId, Refusal> = listed
        .iter()
        .filter_map(|skill| {
            let by = claims.shadowed_by(skill)?;
            let help = format!("{} is nearer; select this one by its path.", by.shown_location());
            Some((skill.id.clone(), Refusal::new("shadowed").with_help(help)))
        })
        .collect();
    for skill in listed.extract_if(.., |skill| shadowed.contains_key(&skill.id)) {
        if let Some(refusal) = shadowed.get(&skill.id) {
            hidden.push((Arc::clone(&skill), refusal.clone()));
        }
    }
}

/// Returns the rule that keeps a skill from being used by a route. What a person has to be asked about is not listed,
/// and can be asked for: that is when the question is put.
pub(crate) fn refusal(session: &Session, skill: &Skill, route: Route) -> Option<Refusal> {
    let approved = &session.state().approved;
    match session.lifecycle.authorizer().admit(&AdmitRequest { skill, route, approved }) {
        Admission::Admitted => None,
        Admission::Refused(refusal) => Some(refusal),
        Admission::Ask(question) => {
            (route == Route::Listing).then(|| Refusal::new("needs-approval").with_help(question.text))
        }
    }
}
