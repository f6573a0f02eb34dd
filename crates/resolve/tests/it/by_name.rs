//! Names that a model passes to a tool.

use lorimer_core::Route;
use lorimer_resolve::{ByName, Duplicates, SigilResolver};

use crate::support::{Ask, shown, skill, snapshot};

fn answer(resolver: ByName, tool_name: &str) -> String {
    let snapshot = snapshot(["/a/tidy", "/b/tidy", "/c/other", "/d/off"].map(skill));
    let ask = Ask { tool_name: Some(tool_name), disabled: &["/d/off"], ..Ask::default() };
    let alone = ask.of(&resolver, &snapshot);
    let options = lorimer_resolve::Options { by_name: resolver, ..lorimer_resolve::Options::default() };
    assert_eq!(
        ask.of(&SigilResolver::with(options), &snapshot),
        alone,
        "the composed resolver answers the same"
    );
    assert!(alone.selected.iter().all(|selected| selected.route == Route::Tool && selected.place.is_none()));
    shown(&alone)
}

/// S1-20: the name is trimmed, and compared exactly.
#[test]
fn s1_20_names_are_trimmed() {
    assert_eq!(answer(ByName::default(), " other\n"), "/c/other");
    assert_eq!(answer(ByName::default(), "Other"), "Other: unknown (/c/other)");
    assert_eq!(answer(ByName::default(), "  "), ": unknown ()");
}

/// S1-18, S3-30: a path is no name.
#[test]
fn s1_18_a_path_is_no_name() {
    for path in ["/c/other", "../other", "skill:///c/other", "[$other](/c/other)"] {
        assert!(answer(ByName::default(), path).starts_with(&format!("{path}: unknown")), "{path}");
    }
}

/// S1-22: an unknown name is an answer, and a refused skill says so (S3-32).
#[test]
fn s1_22_unknown_and_refused_names_are_answers() {
    assert_eq!(answer(ByName::default(), "zzz"), "zzz: unknown ()");
    assert_eq!(answer(ByName::default(), "off"), "off: disabled (/d/off)");
}

#[test]
fn duplicates_are_settled_by_the_rule() {
    assert_eq!(answer(ByName::new(Duplicates::Ambiguous), "tidy"), "tidy: ambiguous (/a/tidy /b/tidy)");
    assert_eq!(answer(ByName::new(Duplicates::First), "tidy"), "/a/tidy");
    assert_eq!(answer(ByName::new(Duplicates::Last), "tidy"), "/b/tidy");
}
