//! One JSON object.

use lorimer_catalog::{Catalog, Disposition, JsonIndex};
use lorimer_core::{Budget, Code, Group, Skill};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{list, shared, skill};

fn answer(catalog: &Catalog) -> Value {
    serde_json::from_str(&catalog.text()).expect("one JSON value")
}

fn in_group(group: Option<&str>, name: &str, description: &str) -> Skill {
    let mut skill = skill("/skills", 0, &format!("{}/{name}", group.unwrap_or("-")), description);
    name.clone_into(&mut skill.name);
    skill.group = group.map(|name| Group { name: name.to_owned(), description: String::new() });
    skill
}

/// S0-03: what a model reads.
#[test]
fn s0_03_the_answer_of_a_tool() {
    let mut odd = in_group(Some("a"), "odd", "[1,2]");
    odd.frontmatter.insert("description".to_owned(), json!([1, 2]));
    let skills = shared([
        in_group(Some("b"), "x", "Line one\nline \"two\""),
        odd,
        in_group(None, "z", ""),
        in_group(Some("c"), "x", "The name is taken."),
        in_group(Some("a"), &"n".repeat(65), &"d".repeat(1_025)),
        in_group(Some("a"), "whole", &"d".repeat(1_024)),
    ]);
    let catalog = list(&JsonIndex::default(), &skills, Budget::UNBOUNDED);
    let answer = answer(&catalog);
    let names: Vec<_> =
        answer["skills"].as_array().unwrap().iter().map(|skill| skill["name"].clone()).collect();
    assert_eq!(names, ["z", &"n".repeat(64), "odd", "whole", "x"]);
    assert_eq!(answer["skills"][0]["category"], Value::Null);
    assert_eq!(answer["skills"][1]["description"], format!("{}...", "d".repeat(1_021)));
    assert_eq!(answer["skills"][2]["description"], json!([1, 2]));
    assert_eq!((&answer["categories"], &answer["count"]), (&json!(["a", "b"]), &json!(5)));
    assert_eq!(catalog.entries[1].disposition, Disposition::Shortened { chars_cut: 4 });
    assert_eq!(catalog.entries[5].disposition, Disposition::Omitted { reason: "duplicate".into() });
    assert_eq!(catalog.notices[0].code, Code::DescriptionCapped);
}

#[test]
fn one_group_can_be_asked_for() {
    let skills = shared([
        in_group(Some("a"), "x", "In a."),
        in_group(Some("b"), "y", "In b."),
        in_group(None, "z", ""),
    ]);
    let catalog =
        list(&JsonIndex { only: Some("b".to_owned()), ..JsonIndex::default() }, &skills, Budget::UNBOUNDED);
    let answer = answer(&catalog);
    assert_eq!(answer["skills"], json!([{"name": "y", "description": "In b.", "category": "b"}]));
    assert_eq!(answer["categories"], json!(["b"]));
    assert_eq!(catalog.entries[0].disposition, Disposition::Omitted { reason: "other-group".into() });
}

#[test]
fn without_skills_there_is_a_message() {
    let empty = answer(&list(&JsonIndex::default(), &[], Budget::UNBOUNDED));
    assert!(empty["message"].is_string() && empty["skills"] == json!([]));
}

proptest! {
    #[test]
    fn it_is_always_json_inside_the_budget(
        texts in prop::collection::vec((any::<String>(), any::<String>()), 0..6),
        limit in 0_usize..300,
    ) {
        let skills = shared(texts.iter().enumerate().map(|(number, (name, description))| {
            let mut skill = skill("/s", 0, &number.to_string(), description);
            skill.name.clone_from(name);
            skill
        }));
        let catalog = list(&JsonIndex::default(), &skills, Budget::chars(limit));
        prop_assert!(catalog.spent <= limit);
        prop_assert_eq!(catalog.entries.len(), skills.len());
        let shown = answer(&catalog)["skills"].as_array().map(Vec::len);
        prop_assert_eq!(shown, Some(catalog.shown().count()));
    }
}
