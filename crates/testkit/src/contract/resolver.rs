//! What every [`Resolver`] owes.

use std::collections::HashSet;

use lorimer::core::{Refusal, Route, SameName, Snapshot};
use lorimer::resolve::{Call, Refusals, Resolution, ResolveRequest, Resolver, Structured};

use super::{skill, snapshot};

/// Runs every check. For a resolver whose profile picks one of several same-named skills, run the single checks
/// without [`never_guesses`].
pub fn all(resolver: &dyn Resolver) {
    chooses_only_from_the_snapshot(resolver);
    respects_refusals(resolver);
    never_guesses(resolver);
    places_lie_in_the_text(resolver);
}

/// Only skills of the snapshot are chosen, each at most once; a path in a text can name nothing else (S3-30).
pub fn chooses_only_from_the_snapshot(resolver: &dyn Resolver) {
    let known = known();
    each(resolver, &Refusals::default(), |resolution| {
        let mut seen = HashSet::new();
        for selected in &resolution.selected {
            assert!(known.get(&selected.skill).is_some(), "{} is not in the snapshot", selected.skill);
            assert!(seen.insert(&selected.skill), "{} was chosen twice", selected.skill);
        }
    });
}

/// What is refused is never chosen (S3-32).
pub fn respects_refusals(resolver: &dyn Resolver) {
    let refused: Refusals =
        known().skills().map(|skill| (skill.id.clone(), Refusal::new("disabled"))).collect();
    each(resolver, &refused, |resolution| {
        assert_eq!(resolution.selected, [], "a refused skill was chosen");
    });
}

/// Of several skills with one name none is chosen by that name alone (S3-12).
pub fn never_guesses(resolver: &dyn Resolver) {
    let known = known();
    let refused = Refusals::default();
    for (texts, tool_name) in [(&["use $twin"][..], None), (&[][..], Some("twin"))] {
        let call = tool_name.map(|name| Call { name, route: Route::Tool });
        let request = ResolveRequest {
            texts,
            structured: &[],
            call,
            connectors: &[],
            refused: &refused,
            same_name: SameName::default(),
        };
        let resolution = resolver.resolve(&known, &request);
        assert_eq!(resolution.selected, [], "one of two namesakes was chosen");
    }
}

/// A place is a stretch of the text that it names.
pub fn places_lie_in_the_text(resolver: &dyn Resolver) {
    let texts = texts();
    each(resolver, &Refusals::default(), |resolution| {
        for (index, range) in resolution.selected.iter().filter_map(|selected| selected.place.as_ref()) {
            let text = texts.get(*index).expect("a place names one of the texts");
            assert!(text.get(range.clone()).is_some(), "{range:?} is no stretch of `{text}`");
        }
    });
}

fn known() -> Snapshot {
    snapshot(vec![
        skill("a", "alpha", "First."),
        skill("a", "beta-2", "Second."),
        skill("a", "twin", "One of two."),
        skill("b", "twin", "The other."),
        skill("a", "名前", "Not ASCII."),
    ])
}

fn texts() -> Vec<&'static str> {
    vec![
        "use $alpha, then $alpha and $beta-2.",
        "[$alpha](/contract/a/alpha/SKILL.md) and [$x](/etc/passwd) and [$x](/contract/a/../../etc/passwd)",
        "$twin $nobody $ALPHA /alpha @alpha $$$ [$](x) [$alpha]( $名前 é$alpha\u{0}",
        "",
    ]
}

fn each(resolver: &dyn Resolver, refused: &Refusals, check: impl Fn(&Resolution)) {
    let known = known();
    let structured = |name: &str, locator: &str| Structured { name: name.into(), locator: locator.into() };
    let clicks = [
        structured("alpha", "/contract/a/alpha/SKILL.md"),
        structured("alpha", "/contract/a/alpha/SKILL.md"),
        structured("passwd", "/etc/passwd"),
        structured("", ""),
    ];
    for tool_name in [None, Some("alpha"), Some(" alpha "), Some(""), Some("/contract/a/alpha/SKILL.md")] {
        let texts = texts();
        let call = tool_name.map(|name| Call { name, route: Route::Tool });
        let request = ResolveRequest {
            texts: &texts,
            structured: &clicks,
            call,
            connectors: &["beta-2"],
            refused,
            same_name: SameName::default(),
        };
        check(&resolver.resolve(&known, &request));
    }
}
