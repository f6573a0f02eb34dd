//! What a name means that several skills have.

use std::collections::HashMap;

use crate::{Scope, Skill};

/// Which of several skills of one name a bare name stands for. All of them stay apart, and each can be selected by its
/// path, whatever this says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SameName {
    /// None has a better claim: the name is ambiguous (S3-11, S3-12).
    #[default]
    Apart,
    /// Of those in a project's own folders, the ones nearest to the working directory stand in place of those further
    /// out, as the nearest configuration file does. Skills of other scopes keep their claim.
    NearestInProject,
}

/// The claims of skills on their names, by [`Skill::call_name`].
#[derive(Clone, Debug)]
pub struct Claims<'a>(HashMap<&'a str, Claim<'a>>);

/// The first of those that nothing takes the name from, each with its place among all.
#[derive(Clone, Copy, Debug, Default)]
struct Claim<'a> {
    nearest: Option<(usize, &'a Skill, u16)>,
    other: Option<(usize, &'a Skill)>,
}

impl<'a> Claims<'a> {
    /// Weighs the claims of these skills by a rule.
    pub fn new(rule: SameName, skills: impl IntoIterator<Item = &'a Skill>) -> Self {
        let mut claims: HashMap<&str, Claim<'_>> = HashMap::new();
        for (place, skill) in skills.into_iter().enumerate() {
            let claim = claims.entry(skill.call_name()).or_default();
            match (rule, &skill.scope) {
                (SameName::NearestInProject, Scope::Project { depth }) => {
                    if claim.nearest.is_none_or(|(_, _, nearest)| *depth > nearest) {
                        claim.nearest = Some((place, skill, *depth));
                    }
                }
                _ => claim.other = claim.other.or(Some((place, skill))),
            }
        }
        Self(claims)
    }

    /// Returns the skill that takes the name away from this one.
    pub fn shadowed_by(&self, skill: &Skill) -> Option<&'a Skill> {
        let Scope::Project { depth: own } = skill.scope else { return None };
        let (_, nearest, depth) = self.0.get(skill.call_name())?.nearest?;
        (depth > own).then_some(nearest)
    }

    /// Returns the first skill that keeps its claim on this name.
    pub fn first(&self, name: &str) -> Option<&'a Skill> {
        let claim = self.0.get(name)?;
        match (claim.nearest, claim.other) {
            (Some((place, skill, _)), Some((other_place, other))) => {
                Some(if place < other_place { skill } else { other })
            }
            (Some((_, skill, _)), None) | (None, Some((_, skill))) => Some(skill),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Locator, SkillId, SourceId};

    fn skill(path: &str, scope: Scope) -> Skill {
        let id = SkillId::new(SourceId::new("host"), Locator::Path(path.into()));
        Skill { scope, ..Skill::new(id, "both", "d") }
    }

    #[test]
    fn the_nearest_of_a_project_takes_the_name_from_those_further_out() {
        let project = |path, depth| skill(path, Scope::Project { depth });
        let all = [
            project("/r", 0),
            project("/r/a", 1),
            project("/r/a/b", 2),
            project("/r/a/c", 2),
            skill("/u", Scope::User),
        ];
        let shown = |skill: Option<&Skill>| skill.map(|skill| skill.id.locator.to_string());
        let claims = Claims::new(SameName::NearestInProject, &all);
        let by = |index: usize| shown(claims.shadowed_by(&all[index]));
        assert_eq!(by(0).as_deref(), Some("path:/r/a/b"));
        assert_eq!(by(1).as_deref(), Some("path:/r/a/b"));
        assert_eq!((by(2), by(3)), (None, None), "at one depth nothing decides");
        assert_eq!(by(4), None, "another scope keeps its claim");
        assert_eq!(shown(claims.first("both")).as_deref(), Some("path:/r/a/b"));
        let reversed = Claims::new(SameName::NearestInProject, all.iter().rev());
        assert_eq!(shown(reversed.first("both")).as_deref(), Some("path:/u"));

        let apart = Claims::new(SameName::Apart, &all);
        assert!(all.iter().all(|skill| apart.shadowed_by(skill).is_none()));
        assert_eq!(shown(apart.first("both")).as_deref(), Some("path:/r"));
        assert!(apart.first("none").is_none());
    }
}
