use lorimer_authorize::{
    Admission, AdmitRequest, AllowAll, Authorizer, ClearRequest, Clearance, Gate, Rule, RuleSet, Standing,
};
use lorimer_core::{Digest, Route, Skill};
use proptest::prelude::*;

use crate::{http, skill};

const ROUTES: [Route; 7] = [
    Route::Listing,
    Route::Mention,
    Route::Command,
    Route::Structured,
    Route::Tool,
    Route::Preload,
    Route::Resume,
];

/// Returns the rule that refuses, or an empty text.
fn refused_by(gate: &Gate, skill: &Skill, route: Route) -> String {
    match gate.admit(&AdmitRequest { skill, route, approved: &[] }) {
        Admission::Admitted => String::new(),
        Admission::Refused(refusal) => refusal.rule,
        Admission::Ask(question) => panic!("nobody is to be declined: {question:?}"),
    }
}

/// S3-32: a disabled skill is neither listed nor loaded, by whatever route.
#[test]
fn s3_32_disabled_is_refused_by_every_route() {
    let gate = Gate::with_rules(RuleSet::from_iter([Rule::by_name("tea", false)]));
    for route in ROUTES {
        assert_eq!(refused_by(&gate, &skill("tea"), route), "disabled", "{route:?}");
        assert_eq!(refused_by(&gate, &skill("rice"), route), "", "{route:?}");
    }
    let Admission::Refused(refusal) =
        gate.admit(&AdmitRequest { skill: &skill("tea"), route: Route::Tool, approved: &[] })
    else {
        panic!("a rule is there");
    };
    assert_eq!(refusal.help.as_deref(), Some("A rule switches the name `tea` off."));
}

/// S3-33: without implicit invocation the model cannot choose it, and the user still can.
#[test]
fn s3_33_explicit_only_is_refused_to_the_model_alone() {
    let mut deploy = skill("deploy");
    deploy.policy.implicit = false;
    for route in ROUTES {
        let expected = if route.is_implicit() { "explicit-only" } else { "" };
        assert_eq!(refused_by(&Gate::default(), &deploy, route), expected, "{route:?}");
    }
}

#[test]
fn a_skill_that_users_cannot_call_is_refused_to_them_where_the_gate_knows_the_flag() {
    let mut background = skill("background");
    background.policy.user_invocable = false;
    let strict = Gate { honour_user_invocable: true, ..Gate::default() };
    for route in ROUTES {
        assert_eq!(refused_by(&Gate::default(), &background, route), "", "{route:?}");
        let by_user = matches!(route, Route::Mention | Route::Command | Route::Structured);
        let expected = if by_user { "not-user-invocable" } else { "" };
        assert_eq!(refused_by(&strict, &background, route), expected, "{route:?}");
    }
}

#[test]
fn a_skill_for_another_product_is_refused_by_every_route() {
    let mut other = skill("other");
    other.policy.products = vec!["atlas".to_owned()];
    let gate = |product: Option<&str>| Gate { product: product.map(str::to_owned), ..Gate::default() };
    for route in ROUTES {
        assert_eq!(refused_by(&gate(None), &other, route), "product");
        assert_eq!(refused_by(&gate(Some("codex")), &other, route), "product");
        assert_eq!(refused_by(&gate(Some("atlas")), &other, route), "");
        assert_eq!(refused_by(&gate(Some("codex")), &skill("any"), route), "");
    }
}

/// S3-34: installed, enabled and implicit do not follow from each other.
#[test]
fn s3_34_three_facts_are_independent() {
    for enabled in [true, false] {
        for implicit in [true, false] {
            let mut tea = skill("tea");
            tea.policy.implicit = implicit;
            let gate = Gate::with_rules(RuleSet::from_iter([Rule::by_name("tea", enabled)]));
            assert_eq!(gate.standing(&tea), Standing { installed: true, enabled, implicit });
        }
    }
}

/// The rules' own troubles are told by the gate.
#[test]
fn the_gate_tells_what_is_odd_about_its_rules() {
    let entries = [lorimer_authorize::RuleEntry::default()];
    assert_eq!(Gate::with_rules(RuleSet::from_entries(entries)).diagnostics().len(), 1);
}

/// S1-23: a decision about a skill changes nothing and runs nothing; the simplest one always says yes.
#[test]
fn s1_23_allow_all_says_yes() {
    let mut tea = skill("tea");
    tea.dependencies.push(http("github", "https://example.invalid/mcp"));
    assert_eq!(
        AllowAll.admit(&AdmitRequest { skill: &tea, route: Route::Tool, approved: &[] }),
        Admission::Admitted
    );
    let request = ClearRequest { skill: &tea, digest: Digest::of(b""), servers: &[], declined: &[] };
    assert_eq!(AllowAll.clear(&request), Clearance::Cleared);
}

proptest! {
    /// S3-32: whatever else is set, a disabled skill is admitted by no route, and admission agrees with the standing.
    #[test]
    fn s3_32_disabled_is_never_admitted(
        rules in prop::collection::vec((0_usize..3, any::<bool>()), 0..6),
        product in prop::option::of("[ab]"),
        products in prop::collection::vec("[ab]", 0..2),
        flags in any::<[bool; 3]>(),
        route in prop::sample::select(ROUTES.to_vec()),
    ) {
        let mut tea = skill("tea");
        tea.policy.implicit = flags[0];
        tea.policy.user_invocable = flags[1];
        tea.policy.products = products;
        let rules = rules.into_iter().map(|(selector, enabled)| match selector {
            0 => Rule::by_name("tea", enabled),
            1 => Rule::by_path("/skills/tea/SKILL.md", enabled),
            _ => Rule::by_name("other", enabled),
        });
        let gate = Gate { rules: rules.collect(), product, honour_user_invocable: flags[2], ..Gate::default() };
        let admitted = gate.admit(&AdmitRequest { skill: &tea, route, approved: &[] }) == Admission::Admitted;
        let standing = gate.standing(&tea);
        if !gate.rules.is_enabled(&tea) {
            prop_assert!(!standing.enabled && !admitted);
        }
        if admitted {
            prop_assert!(standing.enabled && (standing.implicit || !route.is_implicit()));
        }
    }
}
