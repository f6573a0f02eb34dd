//! Names that a model passes to a tool.

use lorimer_core::{Route, Skill};
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

/// S3-12: a plugin's skill is called by its whole name; by the name behind the namespace only where the rules say so
/// and it is nobody else's.
#[test]
fn s3_12_short_names_of_plugins_are_a_rule() {
    let of_plugin = |plugin: &str, name: &str| {
        let mut skill = skill(&format!("/{plugin}/{name}"));
        skill.qualified_name = Some(format!("{plugin}:{name}"));
        skill
    };
    let skills = [
        of_plugin("refine", "refine"),
        of_plugin("issues", "add"),
        of_plugin("notes", "add"),
        of_plugin("notes", "tidy"),
        skill("/own/tidy"),
    ];
    let snapshot = snapshot(skills);
    let answer = |resolver: ByName, name: &str| {
        let ask = Ask { tool_name: Some(name), ..Ask::default() };
        shown(&ask.of(&resolver, &snapshot))
    };
    let short = ByName::default().with_short_names();
    for (name, found) in [
        ("refine", "/refine/refine"),
        ("refine:refine", "/refine/refine"),
        ("notes:add", "/notes/add"),
        ("add", "add: ambiguous (/issues/add /notes/add)"),
        ("tidy", "/own/tidy"),
    ] {
        assert_eq!(answer(short, name), found, "{name}");
    }
    assert!(answer(ByName::default(), "refine").starts_with("refine: unknown"));
    assert_eq!(answer(ByName::default(), "notes:add"), "/notes/add");

    let texts = ["use $refine and $notes:add, not $add"];
    let ask = Ask { texts: &texts, ..Ask::default() };
    let strict = SigilResolver::with(lorimer_resolve::Options::strict());
    assert_eq!(
        shown(&ask.of(&strict, &snapshot)),
        "/refine/refine; /notes/add; $add: ambiguous (/issues/add /notes/add)"
    );
    assert!(shown(&ask.of(&SigilResolver::new(), &snapshot)).starts_with("/notes/add"));
}

/// Names in other scripts stay apart; only the way in which characters are composed makes no difference, and only where
/// the rules say so.
#[test]
fn composed_and_decomposed_names_are_one_name() {
    let named = |path: &str, name: &str| Skill { name: name.to_owned(), ..skill(path) };
    let skills =
        [named("/accent", "r\u{e9}sum\u{e9}"), named("/cjk", "\u{5c0f}\u{8bf4}"), named("/plain", "resume")];
    let snapshot = snapshot(skills);
    let answer = |resolver: ByName, name: &str| {
        let ask = Ask { tool_name: Some(name), ..Ask::default() };
        shown(&ask.of(&resolver, &snapshot))
    };
    let composed = ByName::default().with_composed();
    for (name, found) in [
        ("re\u{301}sume\u{301}", "/accent"),
        ("r\u{e9}sum\u{e9}", "/accent"),
        ("resume", "/plain"),
        ("\u{5c0f}\u{8bf4}", "/cjk"),
    ] {
        assert_eq!(answer(composed, name), found, "{name}");
    }
    assert!(answer(ByName::default(), "re\u{301}sume\u{301}").contains("unknown"));
}
