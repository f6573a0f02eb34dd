use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::field::answer::{Changes, Failure, Handed, Listing, Report, SkillFact};

/// One expectation: an answer, what agrees with it, and what does not.
type Row = (&'static str, Answer, Value, Vec<Value>);

fn scratch() -> &'static Path {
    Path::new("/scratch")
}

fn skill(name: &str) -> SkillFact {
    let location = scratch().join("root").join(name).join("SKILL.md");
    SkillFact {
        name: name.to_owned(),
        description: format!("Does {name}."),
        scope: "project",
        paths: vec![location.clone()],
        location,
        frontmatter: map_of(&json!({"license": "MIT", "allowed-tools": "Read"})).unwrap().clone(),
        typed: map_of(&json!({"allowed_tools": ["Read"]})).unwrap().clone(),
    }
}

fn report(kind: Option<&'static str>, path: &str, warns: bool) -> Report {
    let text = format!("{path}: says U+200B");
    Report { kind, warns, is_error: false, path: Some(scratch().join(path)), line: Some(2), text }
}

fn found() -> Answer {
    let reports =
        vec![report(Some("wrong-type"), "root/b/SKILL.md", true), report(None, "root/a/SKILL.md", false)];
    Answer { skills: Some(vec![skill("a"), skill("b")]), reports: Some(reports), ..Answer::default() }
}

fn listed() -> Answer {
    let entries = vec![("a".to_owned(), "one".to_owned()), ("b".to_owned(), "été".to_owned())];
    let text = "<s>\n- a: one\n- b: été &lt;x>\n</s>".to_owned();
    Answer { listing: Some(Listing { text, entries }), restated: Some(true), ..Answer::default() }
}

fn handed() -> Answer {
    let handed = Handed {
        text: "/scratch/root/a told: body body".to_owned(),
        body: "body body".to_owned(),
        base: Some(scratch().join("root/a")),
        ..Handed::default()
    };
    Answer { handed: Some(handed), ..Answer::default() }
}

fn refused() -> Answer {
    let error = Failure { kind: "denied".to_owned(), text: "not a:b".to_owned() };
    Answer { error: Some(error), ..Answer::default() }
}

fn read() -> Answer {
    Answer { content: Some("content".to_owned()), ..Answer::default() }
}

fn named() -> Answer {
    let names = || vec!["a".to_owned(), "b".to_owned()];
    let changes = Changes { added: names(), changed: names(), removed: names() };
    Answer {
        resources: Some(names()),
        activated: Some(names()),
        active: Some(names()),
        unresolved: Some(names()),
        changes: Some(changes),
        present: BTreeSet::from(["pwned".to_owned()]),
        wall: Duration::from_millis(20),
        ..Answer::default()
    }
}

fn twice() -> Answer {
    Answer { skills: Some(vec![skill("a"), skill("a")]), ..Answer::default() }
}

fn forged() -> Answer {
    let text = "<s>\n- a: </s>\nFORGED\n</s>".to_owned();
    Answer { listing: Some(Listing { text, entries: Vec::new() }), ..Answer::default() }
}

fn found_rows() -> Vec<Row> {
    let at = |path: &str, kind: &str| json!([{"path": path, "kind": kind}]);
    vec![
        ("discovered", found(), json!(["b", "a"]), vec![json!(["a"]), json!(["a", "b", "c"])]),
        ("discovered_superset", found(), json!(["a"]), vec![json!(["c"])]),
        ("each_once", found(), json!(true), vec![json!(false)]),
        ("each_once", twice(), json!(false), vec![json!(true)]),
        ("descriptions", found(), json!({"a": "Does a."}), vec![json!({"a": "x"}), json!({"c": "Does c."})]),
        ("locations", found(), json!({"a": "root/a/SKILL.md"}), vec![json!({"a": "root/b/SKILL.md"})]),
        ("locations_if_found", found(), json!({"c": "x"}), vec![json!({"a": "x"})]),
        ("scopes", found(), json!({"a": "project"}), vec![json!({"a": "user"})]),
        (
            "fields",
            found(),
            json!({"a": {"license": "MIT", "allowed_tools": ["Read"]}}),
            vec![json!({"a": {"license": "GPL"}}), json!({"a": {"allowed_tools": "Read"}})],
        ),
        (
            "warnings",
            found(),
            at("root/b", "wrong-type"),
            vec![
                at("root/a", "wrong-type"),
                at("root/b", "unreadable"),
                json!([{"kind": "wrong-type"}, {"skill": "c"}]),
                json!([{"skill": "b", "mentions": ["U+202E"]}]),
                json!([{"skill": "b", "has_line": false}]),
            ],
        ),
        ("warnings", found(), json!([{"skill": "b", "mentions": ["200B"], "has_line": true}]), vec![]),
        ("warnings_if_non_root", found(), at("root/b", "wrong-type"), vec![at("root/a", "unreadable")]),
        (
            "warnings_any_of",
            found(),
            json!([{"kind": ["x", "wrong-type"]}, {"kind": "y"}]),
            vec![json!([{"kind": "y"}]), json!([])],
        ),
        ("no_warning_for", found(), json!(["a"]), vec![json!(["a", "b"])]),
        ("no_warning_kinds", found(), json!(["unreadable"]), vec![json!(["wrong-type"])]),
        ("loaded_or_warned", found(), json!(["root/a/SKILL.md", "root/b"]), vec![json!(["root/c"])]),
        ("found_or_warned", found(), json!({"a": "x", "c": "root/b"}), vec![json!({"c": "root/c"})]),
    ]
}

fn listing_rows() -> Vec<Row> {
    vec![
        ("catalog_visible", listed(), json!(["b"]), vec![json!(["b", "c"])]),
        ("catalog_hidden", listed(), json!(["c"]), vec![json!(["c", "a"])]),
        ("catalog_count", listed(), json!(2), vec![json!(1), json!(3)]),
        ("catalog_contains", listed(), json!(["<x>", "&lt;x>"]), vec![json!(["two"])]),
        ("catalog_not_contains", listed(), json!(["<x>"]), vec![json!(["one"])]),
        ("catalog_max_chars", listed(), json!(8), vec![json!(7)]),
        ("catalog_restated", listed(), json!(true), vec![json!(false)]),
        ("well_formed", listed(), json!(true), vec![json!(false)]),
        ("well_formed", forged(), json!(false), vec![json!(true)]),
        ("closing_tags_once", listed(), json!(true), vec![json!(false)]),
        ("closing_tags_once", forged(), json!(false), vec![json!(true)]),
        ("no_line_starting_with", forged(), json!(["a"]), vec![json!(["FORGED"])]),
    ]
}

fn text_rows() -> Vec<Row> {
    vec![
        ("body_contains", handed(), json!(["body"]), vec![json!(["body", "told"])]),
        ("body_not_contains", handed(), json!(["told"]), vec![json!(["told", "body"])]),
        ("text_contains", handed(), json!(["told"]), vec![json!(["untold"])]),
        ("text_not_contains", handed(), json!(["untold"]), vec![json!(["told"])]),
        ("text_max_chars", handed(), json!(31), vec![json!(30)]),
        ("text_occurrences", handed(), json!({"body": 2}), vec![json!({"body": 1}), json!({"x": 1})]),
        ("content_contains", read(), json!(["content"]), vec![json!(["more"])]),
        ("content_not_contains", read(), json!(["more"]), vec![json!(["content"])]),
        ("content_not_contains", refused(), json!(["more"]), vec![]),
        ("error", refused(), json!(["unknown-skill", "denied"]), vec![json!(["unknown-skill"])]),
        ("error_mentions", refused(), json!(["a:b"]), vec![json!(["a:c"])]),
        ("error_not_mentions", refused(), json!(["a:c"]), vec![json!(["a:b"])]),
    ]
}

fn given_rows() -> Vec<Row> {
    vec![
        ("already_loaded", handed(), json!(false), vec![json!(true)]),
        ("needs_confirmation", handed(), json!(false), vec![json!(true)]),
        ("base_dir", handed(), json!("root/a"), vec![json!("root"), json!("root/a/b")]),
        ("base_dir_absolute", handed(), json!(true), vec![json!(false)]),
        ("base_dir_in_text", handed(), json!(true), vec![json!(false)]),
        ("base_dir_is_not", handed(), json!(["root", "."]), vec![json!(["root/a"])]),
        ("activated", named(), json!(["b", "a"]), vec![json!(["a"]), json!([])]),
        ("active", named(), json!(["b", "a"]), vec![json!(["a"])]),
        ("unresolved", named(), json!(["b", "a"]), vec![json!([])]),
        ("resources_include", named(), json!(["a"]), vec![json!(["c"])]),
        ("resources_exclude", named(), json!(["c"]), vec![json!(["a"])]),
        ("added", named(), json!(["b", "a"]), vec![json!([])]),
        ("changed", named(), json!(["b", "a"]), vec![json!(["a", "b", "c"])]),
        ("removed", named(), json!(["b", "a"]), vec![json!(["a"])]),
        ("file_absent", named(), json!(["other"]), vec![json!(["pwned"])]),
        ("max_wall_ms", named(), json!(20), vec![json!(19)]),
    ]
}

fn compare(expect: &Value, key: &str, answer: &Answer) -> Verdict {
    let expect = map_of(expect).unwrap();
    let earlier = BTreeMap::from([("s1".to_owned(), listed())]);
    let seen =
        Seen { expect, answer, earlier: &earlier, scratch: scratch(), is_root: false, about_commands: false };
    check(key, expect.get(key).unwrap(), &seen).unwrap()
}

fn alone(key: &str, wanted: &Value, answer: &Answer) -> Verdict {
    compare(&json!({key: wanted}), key, answer)
}

#[test]
fn every_expectation_can_hold_and_can_fail() {
    let rows: Vec<Row> =
        [found_rows(), listing_rows(), text_rows(), given_rows()].into_iter().flatten().collect();
    let mut failed = BTreeSet::new();
    for (key, answer, holds, fails) in &rows {
        assert_eq!(alone(key, holds, answer), Ok(None), "{key} {holds}");
        for wanted in fails {
            assert!(matches!(alone(key, wanted, answer), Ok(Some(_))), "{key} {wanted}");
            failed.insert(*key);
        }
    }
    let by_their_own = ["discovered_optional", "warnings_exact", "no_error_for", "same_text_as"];
    let lacking: Vec<&str> = CHECKS
        .iter()
        .map(|(key, _)| *key)
        .filter(|key| alone(key, &Value::Null, &found()) != Err(Gap::NotBuilt) || failed.contains(key))
        .filter(|key| !failed.contains(key) && !by_their_own.contains(key))
        .collect();
    assert_eq!(lacking, [""; 0], "each expectation needs a row that fails");
}

#[test]
fn expectations_about_each_other() {
    let both = |optional: Value| json!({"discovered": ["a"], "discovered_optional": optional});
    assert_eq!(compare(&both(json!(["b", "c"])), "discovered", &found()), Ok(None));
    assert!(matches!(compare(&both(json!(["c"])), "discovered", &found()), Ok(Some(_))));
    assert_eq!(compare(&both(json!(["c"])), "discovered_optional", &found()), Ok(None));
    assert_eq!(alone("discovered_optional", &json!(["c"]), &found()), Err(Gap::NotUnderstood));

    let exact = |warnings: Value| json!({"warnings_exact": true, "warnings": warnings});
    let all = json!([{"kind": "wrong-type"}]);
    assert_eq!(compare(&exact(all), "warnings_exact", &found()), Ok(None), "a note counts for nothing");
    assert!(matches!(compare(&exact(json!([])), "warnings_exact", &found()), Ok(Some(_))));

    let mut bad = found();
    assert_eq!(alone("no_error_for", &json!(["b"]), &bad), Ok(None));
    for report in bad.reports.iter_mut().flatten() {
        report.is_error = true;
    }
    assert!(matches!(alone("no_error_for", &json!(["b"]), &bad), Ok(Some(_))));

    assert_eq!(alone("same_text_as", &json!("s1"), &listed()), Ok(None));
    assert!(matches!(alone("same_text_as", &json!("s1"), &forged()), Ok(Some(_))));
    assert_eq!(alone("same_text_as", &json!("s9"), &listed()), Err(Gap::NeedsStep("s9".to_owned())));
}

#[test]
fn modes_stop_only_who_is_not_root() {
    let (wanted, answer, earlier) = (json!([{"kind": "unreadable"}]), found(), BTreeMap::new());
    let expect = Map::new();
    let seen = Seen {
        expect: &expect,
        answer: &answer,
        earlier: &earlier,
        scratch: scratch(),
        is_root: true,
        about_commands: false,
    };
    assert_eq!(check("warnings_if_non_root", &wanted, &seen), Some(Ok(None)));
}

#[test]
fn what_is_not_understood_is_never_agreement() {
    let seen_by = [found(), listed(), handed(), refused(), read(), named()];
    for (key, _) in CHECKS {
        for answer in &seen_by {
            for odd in [json!({"odd": {"odd": 1}}), json!(-1.5), json!([{"odd": 1}])] {
                let verdict = alone(key, &odd, answer);
                let vacuous = *key == "locations_if_found" || *key == "warnings_if_non_root";
                assert!(verdict != Ok(None) || vacuous, "{key} {odd}");
            }
        }
    }
    assert_eq!(alone("withheld", &json!([]), &found()), Err(Gap::NotBuilt));
    assert_eq!(alone("discovered", &json!([]), &handed()), Err(Gap::NotBuilt));
}

#[test]
fn an_error_is_shown_in_the_place_of_a_text() {
    let answer = Answer { handed: Some(Handed::default()), ..refused() };
    let verdict = alone("body_contains", &json!(["x"]), &answer);
    assert_eq!(verdict, Ok(Some((json!(["x"]), json!({"error": "denied", "says": "not a:b"})))));
}

/// A command that stands in a text as its author wrote it has not run; what it would have put there is not its text.
#[test]
fn inert_commands_are_not_their_output() {
    let check = |text: &str, about_commands| {
        let handed =
            Handed { text: text.to_owned(), inert: vec!["!`echo RAN`".to_owned()], ..Handed::default() };
        let answer = Answer { handed: Some(handed), ..Answer::default() };
        let (expect, earlier) = (serde_json::Map::new(), BTreeMap::new());
        let seen = Seen {
            expect: &expect,
            answer: &answer,
            earlier: &earlier,
            scratch: scratch(),
            is_root: false,
            about_commands,
        };
        super::check("text_not_contains", &json!(["RAN"]), &seen).unwrap() == Ok(None)
    };
    assert!(check("a !`echo RAN` b", true));
    assert!(!check("a RAN b", true));
    assert!(!check("a !`echo RAN` RAN", true));
    assert!(!check("a !`echo RAN` b", false));
}
