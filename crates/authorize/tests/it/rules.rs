use std::path::PathBuf;

use lorimer_authorize::{Rule, RuleEntry, RuleSet};
use lorimer_core::Code;
use proptest::prelude::*;

use crate::{skill, skill_at};

fn rules(rules: impl IntoIterator<Item = Rule>) -> RuleSet {
    rules.into_iter().collect()
}

/// S3-31: the last rule that matches wins, whatever its selector.
#[test]
fn s3_31_a_later_rule_wins_whatever_its_selector() {
    let tea = skill("tea");
    let path = "/skills/tea/SKILL.md";
    assert!(rules([]).is_enabled(&tea));
    assert!(rules([Rule::by_path(path, false), Rule::by_name("tea", true)]).is_enabled(&tea));
    assert!(!rules([Rule::by_name("tea", true), Rule::by_path(path, false)]).is_enabled(&tea));
}

#[test]
fn s3_31_by_path_one_of_two_by_name_both() {
    let (one, two) = (skill_at("/a/tea/SKILL.md", "tea"), skill_at("/b/tea/SKILL.md", "tea"));
    let off = rules([Rule::by_name("tea", false)]);
    assert!(!off.is_enabled(&one) && !off.is_enabled(&two));
    let mixed = rules([Rule::by_name("tea", false), Rule::by_path("/a/tea/SKILL.md", true)]);
    assert!(mixed.is_enabled(&one) && !mixed.is_enabled(&two));
}

/// A later layer's rule with the same selector replaces the earlier one and takes its place at the end.
#[test]
fn the_same_selector_is_one_rule() {
    let set = rules([
        Rule::by_path("/a/SKILL.md", false),
        Rule::by_name("x", false),
        Rule::by_path("/a/SKILL.md", true),
    ]);
    assert_eq!(set.rules(), [Rule::by_name("x", false), Rule::by_path("/a/SKILL.md", true)]);
}

#[test]
fn a_rule_for_a_skill_that_is_not_there_is_kept() {
    let set = rules([Rule::by_path("/gone/SKILL.md", false), Rule::by_path("/on/SKILL.md", true)]);
    assert_eq!(set.disabled_paths().collect::<Vec<_>>(), [PathBuf::from("/gone/SKILL.md")]);
}

/// A path names the file; the folder's path, another case of the name and a bare name behind a namespace do nothing.
#[test]
fn selectors_are_literal() {
    let mut tea = skill("tea");
    for rule in [
        Rule::by_path("/skills/tea", false),
        Rule::by_name("Tea", false),
        Rule::by_path("/skills/tea/../tea/SKILL.md", false),
    ] {
        assert!(rules([rule.clone()]).is_enabled(&tea), "{rule:?}");
    }
    tea.qualified_name = Some("acme:tea".to_owned());
    assert!(rules([Rule::by_name("tea", false)]).is_enabled(&tea));
    assert!(!rules([Rule::by_name(" acme:tea ", false)]).is_enabled(&tea));
    tea.provenance.discovered = Some("/link/tea/SKILL.md".into());
    tea.provenance.aliases.push("/alias/tea/SKILL.md".into());
    for path in ["/skills/tea/SKILL.md", "/link/tea/SKILL.md", "/alias/tea/SKILL.md"] {
        assert!(!rules([Rule::by_path(path, false)]).is_enabled(&tea), "{path}");
    }
}

#[test]
fn an_entry_needs_exactly_one_selector() {
    let entry = |name: Option<&str>, path: Option<&str>| RuleEntry {
        name: name.map(str::to_owned),
        path: path.map(PathBuf::from),
        enabled: false,
    };
    let set = RuleSet::from_entries([
        entry(Some("a"), Some("/a/SKILL.md")),
        entry(None, None),
        entry(Some("  "), None),
        entry(None, Some("")),
        entry(Some(" b "), None),
    ]);
    assert_eq!(set.rules(), [Rule::by_name("b", false)]);
    let messages: Vec<_> = set.diagnostics().iter().map(|found| found.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "rule 1 has both a `name` and a `path`",
            "rule 2 has neither a `name` nor a `path`",
            "rule 3 has a blank `name`",
            "rule 4 has a blank `path`",
        ]
    );
    assert!(set.diagnostics().iter().all(|found| found.code == Code::RuleIgnored));
}

fn any_rule() -> impl Strategy<Value = Rule> {
    (0_usize..3, any::<bool>(), any::<bool>()).prop_map(|(index, by_name, enabled)| {
        if by_name {
            Rule::by_name(["x", "y", "z"][index], enabled)
        } else {
            Rule::by_path(["/1/SKILL.md", "/2/SKILL.md", "/3/SKILL.md"][index], enabled)
        }
    })
}

proptest! {
    /// The set is the same as going through all rules, replaced ones included, and keeping the last answer.
    #[test]
    fn s3_31_last_match_wins(list in prop::collection::vec(any_rule(), 0..10)) {
        let set = rules(list.clone());
        for (path, name) in [("/1/SKILL.md", "x"), ("/2/SKILL.md", "x"), ("/3/SKILL.md", "y"), ("/4/SKILL.md", "w")] {
            let skill = skill_at(path, name);
            let mut expected = true;
            for rule in &list {
                let matches = *rule == Rule::by_name(name, rule.enabled) || *rule == Rule::by_path(path, rule.enabled);
                if matches {
                    expected = rule.enabled;
                }
            }
            prop_assert_eq!(set.is_enabled(&skill), expected);
        }
    }
}
