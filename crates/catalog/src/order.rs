//! Order: which skill stands first.

use std::fmt;
use std::sync::Arc;

use lorimer_core::{ScopeOrder, Skill, collation_key};

/// Puts the skills of a listing into their order.
///
/// The order decides more than looks: when the budget runs out, what stands last is left out first.
pub trait Order: Send + Sync + fmt::Debug {
    /// Sorts the skills, which come in snapshot order. The result depends on nothing but the skills.
    fn arrange(&self, skills: &mut [Arc<Skill>]);
}

/// Keeps the order of the snapshot.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsGiven;

impl Order for AsGiven {
    fn arrange(&self, _skills: &mut [Arc<Skill>]) {}
}

/// Sorts by scope, then by the name that the skill is called by, then by the location as shown (S0-11).
///
/// Names and locations are compared by code point, so that no locale changes the listing.
#[derive(Clone, Copy, Debug)]
pub struct ByScopeThenName(pub ScopeOrder);

impl Order for ByScopeThenName {
    fn arrange(&self, skills: &mut [Arc<Skill>]) {
        let mut ranked: Vec<_> =
            skills.iter().map(|skill| (self.0.rank(&skill.scope), Arc::clone(skill))).collect();
        // UTF-8 text compares by code point when its bytes are compared.
        ranked.sort_by(|(rank, skill), (other_rank, other)| {
            let names = || skill.call_name().cmp(other.call_name());
            let places = || skill.shown_location().cmp(&other.shown_location());
            rank.cmp(other_rank).then_with(names).then_with(places)
        });
        for (slot, (_, skill)) in skills.iter_mut().zip(ranked) {
            *slot = skill;
        }
    }
}

/// Sorts by name, UTF-16 code unit by code unit, as JavaScript's `sort` does.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByNameUtf16;

impl Order for ByNameUtf16 {
    fn arrange(&self, skills: &mut [Arc<Skill>]) {
        skills.sort_by(|a, b| a.call_name().encode_utf16().cmp(b.call_name().encode_utf16()));
    }
}

/// Sorts by scope, then by the name that the skill is called by, as people sort names ([`collation_key`]). Names that
/// are equal in that stay in snapshot order.
#[derive(Clone, Copy, Debug)]
pub struct Collated(pub ScopeOrder);

impl Order for Collated {
    fn arrange(&self, skills: &mut [Arc<Skill>]) {
        skills.sort_by_cached_key(|skill| (self.0.rank(&skill.scope), collation_key(skill.call_name())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Locator, Scope, SkillId, SourceId};

    fn skill(scope: Scope, name: &str, path: &str) -> Arc<Skill> {
        let id = SkillId::new(SourceId::new("host"), Locator::Path(path.into()));
        let mut skill = Skill::new(id, name, "");
        skill.scope = scope;
        Arc::new(skill)
    }

    /// S0-11, with the scope order of the Codex rules; case B16 of its specification.
    #[test]
    fn s0_11_scope_then_name_then_location() {
        let repo = || Scope::Project { depth: 0 };
        let mut skills = [
            skill(repo(), "repo-zeta", "/p/zeta"),
            skill(Scope::User, "user-alpha", "/u/alpha"),
            skill(Scope::System, "system-zeta", "/s/zeta"),
            skill(Scope::Admin, "admin-alpha", "/a/alpha"),
            skill(Scope::Project { depth: 2 }, "repo-alpha", "/p/z"),
            skill(repo(), "repo-alpha", "/p/a"),
        ];
        ByScopeThenName(ScopeOrder::new(&["system", "admin", "project", "user"])).arrange(&mut skills);
        let places: Vec<_> = skills.iter().map(|skill| skill.shown_location()).collect();
        assert_eq!(places, ["/s/zeta", "/a/alpha", "/p/a", "/p/z", "/p/zeta", "/u/alpha"]);
    }

    #[test]
    fn names_compare_by_code_point() {
        let mut skills = ["é", "a", "B", "z"].map(|name| skill(Scope::User, name, "/x"));
        ByScopeThenName(ScopeOrder::new(&[])).arrange(&mut skills);
        assert_eq!(skills.each_ref().map(|skill| skill.call_name()), ["B", "a", "z", "é"]);
    }

    #[test]
    fn collated_names_stand_as_people_sort_them_scope_by_scope() {
        let mut skills = ["b", "A", "a", "a_b", "a-b"].map(|name| skill(Scope::User, name, "/x"));
        skills[0] = skill(Scope::System, "b", "/x");
        Collated(ScopeOrder::new(&["system", "user"])).arrange(&mut skills);
        assert_eq!(skills.each_ref().map(|skill| skill.call_name()), ["b", "a", "A", "a_b", "a-b"]);
    }

    #[test]
    fn snapshot_order_is_kept() {
        let mut skills = ["b", "a"].map(|name| skill(Scope::User, name, "/x"));
        AsGiven.arrange(&mut skills);
        assert_eq!(skills.each_ref().map(|skill| skill.call_name()), ["b", "a"]);
    }
}
