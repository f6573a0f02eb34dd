//! What every [`Authorizer`] owes.

use lorimer::authorize::{Admission, AdmitRequest, Authorizer, ClearRequest, Clearance};
use lorimer::core::{Dependency, Digest, Policy, Route, Skill};

use super::skill;

const ROUTES: [Route; 7] = [
    Route::Listing,
    Route::Mention,
    Route::Command,
    Route::Structured,
    Route::Tool,
    Route::Preload,
    Route::Resume,
];

/// Runs every check.
pub fn all(authorizer: &dyn Authorizer) {
    answers_stay_the_same(authorizer);
    refusals_name_their_rule(authorizer);
    questions_can_be_answered(authorizer);
}

/// The same request gets the same answer.
pub fn answers_stay_the_same(authorizer: &dyn Authorizer) {
    for skill in skills() {
        for route in ROUTES {
            let request = AdmitRequest { skill: &skill, route, approved: &[] };
            assert_eq!(authorizer.admit(&request), authorizer.admit(&request), "{} by {route:?}", skill.name);
        }
        let clear = || authorizer.clear(&clear_request(&skill));
        assert_eq!(clear(), clear(), "{}", skill.name);
    }
}

/// A refusal names its rule, in a form that reports can count.
pub fn refusals_name_their_rule(authorizer: &dyn Authorizer) {
    for skill in skills() {
        for route in ROUTES {
            if let Admission::Refused(refusal) =
                authorizer.admit(&AdmitRequest { skill: &skill, route, approved: &[] })
            {
                let stable = !refusal.rule.is_empty() && !refusal.rule.contains(char::is_whitespace);
                assert!(stable, "`{}` is no stable name of a rule", refusal.rule);
            }
        }
        if let Clearance::Blocked { reason, .. } = authorizer.clear(&clear_request(&skill)) {
            assert!(!reason.is_empty(), "{} is blocked without a reason", skill.name);
        }
    }
}

/// A question has an id and at least two answers, and is not put again once it was put.
pub fn questions_can_be_answered(authorizer: &dyn Authorizer) {
    for skill in skills() {
        let Clearance::Ask { question, missing } = authorizer.clear(&clear_request(&skill)) else { continue };
        assert!(!question.id.is_empty() && question.options.len() >= 2, "{question:?}");
        assert!(!missing.is_empty(), "a question about nothing that is missing");
        let declined = [question.id.clone()];
        let again = authorizer.clear(&ClearRequest { declined: &declined, ..clear_request(&skill) });
        assert!(!matches!(again, Clearance::Ask { .. }), "the same question is put twice");
    }
}

fn clear_request(skill: &Skill) -> ClearRequest<'_> {
    ClearRequest { skill, digest: Digest::of(b"body"), servers: &[], declined: &[] }
}

fn skills() -> Vec<Skill> {
    let plain = skill("a", "plain", "First.");
    let mut explicit = skill("a", "explicit", "Only when asked for.");
    explicit.policy = Policy { implicit: false, ..Policy::default() };
    let mut foreign = skill("a", "foreign", "For another product.");
    foreign.policy = Policy { products: vec!["contract".to_owned()], ..Policy::default() };
    let mut needy = skill("a", "needy", "Needs a server.");
    needy.dependencies.push(Dependency {
        kind: "mcp".to_owned(),
        value: "contract".to_owned(),
        url: Some("https://contract.example.invalid/mcp".to_owned()),
        ..Dependency::default()
    });
    vec![plain, explicit, foreign, needy]
}
