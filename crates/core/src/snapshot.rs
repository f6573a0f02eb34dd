//! What one turn sees, from its first step to its last.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::{Diagnostic, Digest, Hasher, Skill, SkillId};

/// An immutable, ordered view of all skills that were found. Cloning it is cheap.
///
/// A turn holds one snapshot from its first step to its last (S3-15, S3-28).
#[derive(Clone, Debug)]
pub struct Snapshot(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    skills: IndexMap<SkillId, Arc<Skill>>,
    by_name: HashMap<String, Vec<usize>>,
    diagnostics: Vec<Diagnostic>,
    complete: bool,
    digest: Digest,
}

impl Snapshot {
    /// Returns an empty, complete snapshot.
    pub fn empty() -> Self {
        SnapshotBuilder::default().finish()
    }

    /// Returns the skill of this identity.
    pub fn get(&self, id: &SkillId) -> Option<&Arc<Skill>> {
        self.0.skills.get(id)
    }

    /// Returns the skills whose [`Skill::call_name`] is exactly `name`, in snapshot order.
    pub fn named<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Arc<Skill>> {
        let indices = self.0.by_name.get(name).map_or(&[][..], Vec::as_slice);
        indices.iter().filter_map(|index| self.0.skills.get_index(*index).map(|(_, skill)| skill))
    }

    /// Returns all skills in snapshot order.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &Arc<Skill>> {
        self.0.skills.values()
    }

    /// Returns how many skills there are.
    pub fn len(&self) -> usize {
        self.0.skills.len()
    }

    /// Returns whether there is no skill.
    pub fn is_empty(&self) -> bool {
        self.0.skills.is_empty()
    }

    /// Returns what went wrong while the snapshot was made, one skill at a time.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    /// Returns whether every source was scanned to its end.
    pub fn is_complete(&self) -> bool {
        self.0.complete
    }

    /// Returns one digest over everything that a listing can show: two snapshots with the same digest give the
    /// same listing under the same policy.
    pub fn digest(&self) -> Digest {
        self.0.digest
    }
}

/// Collects skills in the order that the snapshot shall have.
#[derive(Debug)]
pub struct SnapshotBuilder {
    skills: IndexMap<SkillId, Arc<Skill>>,
    diagnostics: Vec<Diagnostic>,
    complete: bool,
}

impl Default for SnapshotBuilder {
    fn default() -> Self {
        Self { skills: IndexMap::new(), diagnostics: Vec::new(), complete: true }
    }
}

impl SnapshotBuilder {
    /// Adds a skill at the end. A shared one stays shared.
    ///
    /// # Errors
    ///
    /// A skill of an identity that is there already is handed back: the first one stays.
    pub fn push(&mut self, skill: impl Into<Arc<Skill>>) -> Result<(), Arc<Skill>> {
        let skill = skill.into();
        match self.skills.entry(skill.id.clone()) {
            indexmap::map::Entry::Occupied(_) => Err(skill),
            indexmap::map::Entry::Vacant(slot) => {
                slot.insert(skill);
                Ok(())
            }
        }
    }

    /// Adds diagnostics.
    pub fn diagnose(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// Says that some source was not scanned to its end.
    pub fn mark_incomplete(&mut self) {
        self.complete = false;
    }

    /// Sorts the skills; equal ones keep their order.
    pub fn sort_by(&mut self, mut compare: impl FnMut(&Skill, &Skill) -> std::cmp::Ordering) {
        self.skills.sort_by(|_, left, _, right| compare(left, right));
    }

    /// Sorts the skills by a key that is computed once for each; equal ones keep their order.
    pub fn sort_by_cached_key<K: Ord>(&mut self, mut key: impl FnMut(&Skill) -> K) {
        self.skills.sort_by_cached_key(|_, skill| key(skill));
    }

    /// Returns the snapshot.
    pub fn finish(self) -> Snapshot {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        let mut hasher = Hasher::default();
        for (index, skill) in self.skills.values().enumerate() {
            by_name.entry(skill.call_name().to_owned()).or_default().push(index);
            hash_visible(&mut hasher, skill);
        }
        Snapshot(Arc::new(Inner {
            skills: self.skills,
            by_name,
            diagnostics: self.diagnostics,
            complete: self.complete,
            digest: hasher.finish(),
        }))
    }
}

fn hash_visible(hasher: &mut Hasher, skill: &Skill) {
    hasher
        .field(skill.id.to_string().as_bytes())
        .field(skill.call_name().as_bytes())
        .field(skill.description.as_bytes())
        .field(skill.scope.to_string().as_bytes())
        .field(skill.root.path.as_bytes())
        .field(&skill.root.order.to_le_bytes())
        .field(skill.shown_location().as_bytes())
        .field(&[u8::from(skill.policy.implicit), u8::from(skill.policy.user_invocable)])
        .field(skill.policy.products.join("\n").as_bytes());
    if let Some(group) = &skill.group {
        hasher.field(group.name.as_bytes()).field(group.description.as_bytes());
    }
    // A listing may show any frontmatter key (a short description, a category), so all of them count.
    for (key, value) in &skill.frontmatter {
        hasher.field(key.as_bytes()).field(value.to_string().as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Locator, SourceId};

    fn skill(path: &str, name: &str) -> Skill {
        Skill::new(SkillId::new(SourceId::new("host"), Locator::Path(path.into())), name, "d")
    }

    fn snapshot(skills: Vec<Skill>) -> Snapshot {
        let mut builder = SnapshotBuilder::default();
        for skill in skills {
            builder.push(skill).expect("identities differ");
        }
        builder.finish()
    }

    /// S3-11: same-named skills are neither merged nor overridden.
    #[test]
    fn s3_11_same_names_stay_apart() {
        let both = snapshot(vec![skill("/a/x/SKILL.md", "x"), skill("/b/x/SKILL.md", "x")]);
        assert_eq!(both.len(), 2);
        assert_eq!(both.named("x").count(), 2);
        assert_eq!(both.named("X").count(), 0);
    }

    #[test]
    fn the_first_of_one_identity_stays() {
        let mut builder = SnapshotBuilder::default();
        builder.push(skill("/a/SKILL.md", "first")).unwrap();
        let second = builder.push(skill("/a/SKILL.md", "second")).unwrap_err();
        assert_eq!(second.name, "second");
        assert_eq!(builder.finish().skills().next().unwrap().name, "first");
    }

    #[test]
    fn the_digest_follows_what_can_be_shown() {
        let one = snapshot(vec![skill("/a/SKILL.md", "a")]);
        assert_eq!(one.digest(), snapshot(vec![skill("/a/SKILL.md", "a")]).digest());
        let mut edited = skill("/a/SKILL.md", "a");
        edited.description = "e".to_owned();
        assert_ne!(one.digest(), snapshot(vec![edited]).digest());
        let mut hidden = skill("/a/SKILL.md", "a");
        hidden.policy.implicit = false;
        assert_ne!(one.digest(), snapshot(vec![hidden]).digest());
        let mut read_again = skill("/a/SKILL.md", "a");
        read_again.digest = Some(Digest::of(b"other body"));
        read_again.provenance.revision = Some(crate::Revision::of(&"other body"));
        assert_eq!(
            one.digest(),
            snapshot(vec![read_again]).digest(),
            "a listing never shows a body's digest"
        );
    }
}
