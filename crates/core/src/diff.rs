//! What differs between two looks at the same origins.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::{Code, Diagnostic, Locator, Provenance, Skill, SkillId, Snapshot};

/// What differs between two sets of skills. Skills are compared by identity, so one that moved is gone and new.
///
/// Order is that of the later set; removed skills come in the order of the earlier one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SnapshotDiff {
    /// Skills that are new.
    pub added: Vec<Arc<Skill>>,
    /// Skills that were there and are not what they were.
    pub changed: Vec<ChangedSkill>,
    /// Skills that are gone, as they were.
    pub removed: Vec<Arc<Skill>>,
    /// How many skills are as they were.
    pub unchanged: usize,
}

/// A skill that is not what it was.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedSkill {
    /// As it was.
    pub before: Arc<Skill>,
    /// As it is.
    pub after: Arc<Skill>,
    /// In what they differ, in the order of [`Aspect`]; never empty.
    pub aspects: Vec<Aspect>,
}

/// In what a skill can differ from what it was. More may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Aspect {
    /// The name, or the namespace before it.
    Name,
    /// The description.
    Description,
    /// Another field of the frontmatter, or the way in which the fields are written.
    Frontmatter,
    /// Who may choose it: `policy` of `agents/openai.yaml`, or fields of the frontmatter that say the same.
    Policy,
    /// What it needs: `dependencies` of `agents/openai.yaml`.
    Dependencies,
    /// How a user interface shows it: `interface` of `agents/openai.yaml`.
    Interface,
    /// Whose it is, the root that it is found under, or the ways that lead to it.
    Place,
    /// A file was written, and all that is read for a listing is the same: the instructions are others, or only the
    /// file's times are. A source can tell only if it knows the state of its files ([`Provenance::revision`]), and
    /// it is not said beside another aspect, which the same writing explains.
    Body,
}

impl Aspect {
    /// Returns the aspect's name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Frontmatter => "frontmatter",
            Self::Policy => "policy",
            Self::Dependencies => "dependencies",
            Self::Interface => "interface",
            Self::Place => "place",
            Self::Body => "body",
        }
    }

    /// Returns in what two states of one skill differ.
    ///
    /// ```
    /// use lorimer_core::{Aspect, Locator, Skill, SkillId, SourceId};
    /// let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/a/SKILL.md".into()));
    /// let (before, after) = (Skill::new(id.clone(), "a", "Does a."), Skill::new(id, "a", "Does b."));
    /// assert_eq!(Aspect::between(&before, &after), [Aspect::Description]);
    /// ```
    pub fn between(before: &Skill, after: &Skill) -> Vec<Self> {
        // Every field is named, so that a new one is not forgotten here.
        let Skill {
            id: _,
            name,
            qualified_name,
            description,
            scope,
            root,
            group,
            policy,
            dependencies,
            interface,
            frontmatter,
            digest,
            provenance: Provenance { discovered, aliases, serves, revision },
        } = before;
        let places = &after.provenance;
        let mut aspects = Vec::new();
        let mut differ = |aspect, differs: bool| aspects.extend(differs.then_some(aspect));
        let renamed = *name != after.name || *qualified_name != after.qualified_name;
        let described = *description != after.description;
        differ(Self::Name, renamed);
        differ(Self::Description, described);
        let rest = |skill: &Skill| {
            let fields =
                skill.frontmatter.iter().filter(|(key, _)| !matches!(key.as_str(), "name" | "description"));
            fields.map(|(key, value)| (key.clone(), value.clone())).collect::<Vec<_>>()
        };
        let written = *frontmatter != after.frontmatter || *digest != after.digest;
        differ(Self::Frontmatter, written && ((!renamed && !described) || rest(before) != rest(after)));
        differ(Self::Policy, *policy != after.policy);
        differ(Self::Dependencies, *dependencies != after.dependencies);
        differ(Self::Interface, *interface != after.interface);
        let moved =
            *discovered != places.discovered || *aliases != places.aliases || *serves != places.serves;
        differ(Self::Place, moved || *scope != after.scope || *root != after.root || *group != after.group);
        if aspects.is_empty() && *revision != places.revision {
            aspects.push(Self::Body);
        }
        aspects
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for Aspect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl SnapshotDiff {
    /// Compares what was with what is.
    pub fn between(before: &Snapshot, after: &Snapshot) -> Self {
        Self::compare(before.skills(), after.skills(), |id| before.get(id), |id| after.get(id).is_some())
    }

    /// Compares the skills of two scans. Of several with one identity the first one counts.
    ///
    /// ```
    /// use lorimer_core::{Locator, Skill, SkillId, SnapshotDiff, SourceId};
    /// let skill = |name: &str| {
    ///     let path = Locator::Path(format!("/skills/{name}/SKILL.md").into());
    ///     Skill::new(SkillId::new(SourceId::new("host"), path), name, "d")
    /// };
    /// let diff = SnapshotDiff::between_scans(&[skill("a"), skill("b")], &[skill("b"), skill("c")]);
    /// assert_eq!((&*diff.added[0].name, &*diff.removed[0].name, diff.unchanged), ("c", "a", 1));
    /// ```
    pub fn between_scans<S: Borrow<Skill> + Clone + Into<Arc<Skill>>>(before: &[S], after: &[S]) -> Self {
        let (old, new) = (by_id(before), by_id(after));
        Self::compare(
            before.iter().filter(|skill| is_first(&old, *skill)),
            after.iter().filter(|skill| is_first(&new, *skill)),
            |id| old.get(id).copied(),
            |id| new.contains_key(id),
        )
    }

    fn compare<'s, S: Borrow<Skill> + Clone + Into<Arc<Skill>> + 's>(
        before: impl Iterator<Item = &'s S>,
        after: impl Iterator<Item = &'s S>,
        old: impl Fn(&SkillId) -> Option<&'s S>,
        stays: impl Fn(&SkillId) -> bool,
    ) -> Self {
        let mut diff = Self::default();
        for skill in after {
            let now: &Skill = skill.borrow();
            match old(&now.id) {
                None => diff.added.push(skill.clone().into()),
                Some(was) if std::ptr::eq(was.borrow(), now) || was.borrow() == now => diff.unchanged += 1,
                Some(was) => diff.changed.push(ChangedSkill {
                    aspects: Aspect::between(was.borrow(), now),
                    before: was.clone().into(),
                    after: skill.clone().into(),
                }),
            }
        }
        let gone = before.filter(|skill| !stays(&(*skill).borrow().id));
        diff.removed = gone.map(|skill| skill.clone().into()).collect();
        diff
    }

    /// Returns whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

fn by_id<S: Borrow<Skill>>(skills: &[S]) -> HashMap<&SkillId, &S> {
    let mut map = HashMap::with_capacity(skills.len());
    for skill in skills {
        map.entry(&skill.borrow().id).or_insert(skill);
    }
    map
}

fn is_first<S: Borrow<Skill>>(of: &HashMap<&SkillId, &S>, skill: &S) -> bool {
    of.get(&skill.borrow().id).is_some_and(|first| std::ptr::eq(*first, skill))
}

/// What differs between the findings of two looks. One that only moved to another line is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingDiff {
    /// What is odd now and was not, in the order of the later look.
    pub appeared: Vec<Diagnostic>,
    /// What was odd and is not any more, in the order of the earlier look.
    pub resolved: Vec<Diagnostic>,
}

impl FindingDiff {
    /// Compares what was odd with what is.
    pub fn between(before: &[Diagnostic], after: &[Diagnostic]) -> Self {
        Self { appeared: beyond(after, before), resolved: beyond(before, after) }
    }

    /// Returns whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.appeared.is_empty() && self.resolved.is_empty()
    }
}

/// Returns the findings that others don't have.
fn beyond(findings: &[Diagnostic], others: &[Diagnostic]) -> Vec<Diagnostic> {
    let others: HashSet<_> = others.iter().map(key).collect();
    findings.iter().filter(|finding| !others.contains(&key(finding))).cloned().collect()
}

fn key(finding: &Diagnostic) -> (Code, Option<&Locator>, &str) {
    (finding.code, finding.location.as_ref().map(|location| &location.locator), &finding.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dependency, Interface, Revision, Root, Scope, SnapshotBuilder, SourceId};

    fn skill(name: &str) -> Skill {
        let path = Locator::Path(format!("/r/{name}/SKILL.md").into());
        Skill::new(SkillId::new(SourceId::new("host"), path), name, "d")
    }

    fn changed(change: impl FnOnce(&mut Skill)) -> Vec<Aspect> {
        let before = skill("a");
        let mut after = before.clone();
        change(&mut after);
        let diff = SnapshotDiff::between_scans(std::slice::from_ref(&before), std::slice::from_ref(&after));
        assert_eq!((diff.added.len(), diff.removed.len(), diff.unchanged), (0, 0, 0));
        assert_eq!(*diff.changed[0].before, before);
        assert_eq!(*diff.changed[0].after, after);
        diff.changed[0].aspects.clone()
    }

    #[test]
    fn every_field_is_an_aspect() {
        assert_eq!(changed(|skill| skill.name = "b".to_owned()), [Aspect::Name]);
        assert_eq!(changed(|skill| skill.qualified_name = Some("p:a".to_owned())), [Aspect::Name]);
        assert_eq!(changed(|skill| skill.description = "e".to_owned()), [Aspect::Description]);
        let license = |skill: &mut Skill| {
            skill.frontmatter.insert("license".to_owned(), "MIT".into());
        };
        assert_eq!(changed(license), [Aspect::Frontmatter]);
        assert_eq!(changed(|skill| skill.digest = Some(crate::Digest::of(b"b"))), [Aspect::Frontmatter]);
        assert_eq!(changed(|skill| skill.policy.implicit = false), [Aspect::Policy]);
        assert_eq!(changed(|skill| skill.dependencies.push(Dependency::default())), [Aspect::Dependencies]);
        assert_eq!(changed(|skill| skill.interface = Some(Interface::default())), [Aspect::Interface]);
        assert_eq!(changed(|skill| skill.scope = Scope::Admin), [Aspect::Place]);
        assert_eq!(changed(|skill| skill.root = Root { path: "/r".to_owned(), order: 1 }), [Aspect::Place]);
        assert_eq!(changed(|skill| skill.provenance.discovered = Some("/l".into())), [Aspect::Place]);
        assert_eq!(changed(|skill| skill.provenance.revision = Some(Revision::of(&1))), [Aspect::Body]);
    }

    /// An edit of the description changes the frontmatter's bytes and the file's stamp; that is one thing.
    #[test]
    fn what_explains_the_rest_is_said_alone() {
        let edit = |skill: &mut Skill| {
            skill.description = "e".to_owned();
            skill.frontmatter.insert("description".to_owned(), "e".into());
            skill.digest = Some(crate::Digest::of(b"e"));
            skill.provenance.revision = Some(Revision::of(&2));
        };
        assert_eq!(changed(edit), [Aspect::Description]);
        let more = |skill: &mut Skill| {
            edit(skill);
            skill.frontmatter.insert("license".to_owned(), "MIT".into());
        };
        assert_eq!(changed(more), [Aspect::Description, Aspect::Frontmatter]);
    }

    /// S3-29: added, changed, removed and unchanged, from two snapshots or from two scans.
    #[test]
    fn s3_29_snapshots_and_scans_differ_in_the_same_way() {
        let mut edited = skill("b");
        edited.description = "e".to_owned();
        let before = vec![skill("a"), skill("b"), skill("c")];
        let after = vec![edited, skill("c"), skill("d")];
        let snapshot = |skills: &[Skill]| {
            let mut builder = SnapshotBuilder::default();
            for skill in skills {
                builder.push(skill.clone()).unwrap();
            }
            builder.finish()
        };
        let diff = SnapshotDiff::between_scans(&before, &after);
        assert_eq!(diff, SnapshotDiff::between(&snapshot(&before), &snapshot(&after)));
        let names = |skills: &[Arc<Skill>]| skills.iter().map(|skill| skill.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&diff.added), ["d"]);
        assert_eq!(names(&diff.removed), ["a"]);
        assert_eq!((diff.changed[0].after.name.as_str(), diff.unchanged), ("b", 1));
        assert!(!diff.is_empty());
        assert!(SnapshotDiff::between_scans(&after, &after).is_empty());
    }

    #[test]
    fn an_identity_that_is_listed_twice_counts_once() {
        let mut second = skill("a");
        second.description = "second".to_owned();
        let diff = SnapshotDiff::between_scans(&[skill("a"), second], &[skill("a")]);
        assert!(diff.is_empty());
        assert_eq!(diff.unchanged, 1);
    }

    #[test]
    fn a_finding_that_moved_is_the_same_finding() {
        let at = |line| {
            let span = crate::Span { start: 0, end: 1, line, column: 1 };
            Diagnostic::new(Code::HiddenCharacters, "x").at(Locator::Path("/a".into()), Some(span))
        };
        assert!(FindingDiff::between(&[at(1)], &[at(2)]).is_empty());
        let other = Diagnostic::new(Code::HiddenCharacters, "x").at(Locator::Path("/b".into()), None);
        let diff = FindingDiff::between(&[at(1)], std::slice::from_ref(&other));
        assert_eq!((diff.appeared, diff.resolved), (vec![other], vec![at(1)]));
    }
}
