//! A listing changes no more than it must: prompt caches and people depend on it.

use std::collections::HashMap;
use std::sync::Arc;

use lorimer_catalog::{
    Catalog, Composed, NativeLines, PlainLines, Rest, RootedLines, RoundRobin, Unbounded, WholeEntriesByRank,
};
use lorimer_core::{Budget, Skill, SkillId, Unit};
use proptest::prelude::*;

use crate::support::{list, rooted, skill};

/// Skills of one root, each with a name of its own.
fn some() -> impl Strategy<Value = Vec<Arc<Skill>>> {
    prop::collection::btree_map("[a-z]{1,9}", "([a-z]{1,9} ){0,12}[a-zé日]{1,4}", 1..14).prop_map(|named| {
        crate::support::shared(
            named.into_iter().map(|(name, description)| skill("/s", 0, &name, &description)),
        )
    })
}

fn all() -> Vec<Composed> {
    let plain = RootedLines { aliases: None, ..RootedLines::default() };
    vec![
        rooted(RoundRobin, RootedLines::default()),
        rooted(RoundRobin, NativeLines::default()),
        rooted(RoundRobin, plain.clone()),
        rooted(Unbounded, PlainLines::default()),
        rooted(WholeEntriesByRank::default(), plain.clone()),
        rooted(WholeEntriesByRank { rest: Rest::Omitted, ..WholeEntriesByRank::default() }, plain),
    ]
}

fn order(catalog: &Catalog, without: &SkillId) -> Vec<SkillId> {
    catalog.entries.iter().map(|entry| entry.skill.clone()).filter(|id| id != without).collect()
}

/// Characters of each description that is shown; a skill that is left out has none.
fn shown(catalog: &Catalog) -> HashMap<SkillId, usize> {
    catalog.shown().map(|entry| (entry.skill.clone(), entry.description.chars().count())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    /// S0-11: the order of the listing is a matter of the skills alone, whatever order they were found in.
    #[test]
    fn s0_11_the_order_of_finding_makes_no_difference(
        skills in some().prop_shuffle(),
        limit in prop::option::of(0_usize..600),
    ) {
        let mut sorted = skills.clone();
        sorted.sort_by(|a, b| a.name.cmp(&b.name));
        for cataloger in all() {
            for unit in [Unit::Tokens, Unit::Chars, Unit::Bytes, Unit::Columns] {
                let budget = Budget { unit, limit };
                prop_assert_eq!(list(&cataloger, &skills, budget), list(&cataloger, &sorted, budget));
            }
        }
    }

    /// One more skill changes the order of no two others.
    #[test]
    fn s0_11_a_new_skill_leaves_the_others_in_their_order(skills in some(), limit in prop::option::of(0_usize..600)) {
        let (new, others) = skills.split_last().expect("at least one");
        for cataloger in all() {
            let budget = Budget { unit: Unit::Chars, limit };
            let (before, after) = (list(&cataloger, others, budget), list(&cataloger, &skills, budget));
            prop_assert_eq!(order(&before, &new.id), order(&after, &new.id));
        }
    }

    /// One more skill takes room from the others and gives them none: in a round-robin every other description is as
    /// long as it was or shorter, but for the character that the last round may give to another one.
    #[test]
    fn s0_09_a_new_skill_only_takes_room(skills in some(), limit in 0_usize..600) {
        let plain = rooted(RoundRobin, RootedLines { aliases: None, ..RootedLines::default() });
        let (new, others) = skills.split_last().expect("at least one");
        for unit in [Unit::Chars, Unit::Bytes] {
            let budget = Budget { unit, limit: Some(limit) };
            let (before, after) = (shown(&list(&plain, others, budget)), shown(&list(&plain, &skills, budget)));
            for (id, chars) in after.iter().filter(|(id, _)| **id != new.id) {
                let had = before.get(id);
                prop_assert!(had.is_some_and(|had| *chars <= had + 1), "{id}: {had:?} to {chars}");
            }
        }
    }

    /// A listing with room for everything has every other line as it was.
    #[test]
    fn with_room_for_all_no_other_line_changes(skills in some()) {
        let (new, others) = skills.split_last().expect("at least one");
        for cataloger in all() {
            let lines = |skills: &[Arc<Skill>]| -> Vec<String> {
                list(&cataloger, skills, Budget::UNBOUNDED).text().lines().map(str::to_owned).collect()
            };
            let (before, after) = (lines(others), lines(&skills));
            let added: Vec<_> = after.iter().filter(|line| !before.contains(line)).collect();
            prop_assert!(
                others.is_empty() || added.iter().all(|line| line.starts_with(&format!("- {}", new.name))),
                "{added:?}"
            );
        }
    }
}
