//! What another look came to, as it is printed.

use lorimer_core::{Aspect, ChangedSkill, Skill, SkillId};
use serde::Serialize;

use super::{DiagnosticReport, VERSION};
use crate::Reloaded;

/// What differs from the look before.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are described in docs/json.md, under the same names")]
pub struct ReloadReport {
    pub version: u32,
    pub profile: String,
    pub complete: bool,
    pub added: Vec<SkillReport>,
    pub changed: Vec<ChangedReport>,
    pub removed: Vec<SkillReport>,
    pub unchanged: usize,
    pub appeared: Vec<DiagnosticReport>,
    pub resolved: Vec<DiagnosticReport>,
}

/// Which skill.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct SkillReport {
    pub skill: SkillId,
    pub name: String,
    pub locator: String,
}

/// A skill that is not what it was, and in what.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct ChangedReport {
    pub skill: SkillId,
    pub name: String,
    pub locator: String,
    pub aspects: Vec<Aspect>,
}

impl ReloadReport {
    /// Describes what another look came to.
    pub fn new(profile: &str, reloaded: &Reloaded) -> Self {
        let skills = &reloaded.skills;
        Self {
            version: VERSION,
            profile: profile.to_owned(),
            complete: reloaded.complete,
            added: skills.added.iter().map(|skill| SkillReport::from(&**skill)).collect(),
            changed: skills.changed.iter().map(ChangedReport::from).collect(),
            removed: skills.removed.iter().map(|skill| SkillReport::from(&**skill)).collect(),
            unchanged: skills.unchanged,
            appeared: reloaded.findings.appeared.iter().map(DiagnosticReport::from).collect(),
            resolved: reloaded.findings.resolved.iter().map(DiagnosticReport::from).collect(),
        }
    }
}

impl From<&Skill> for SkillReport {
    fn from(skill: &Skill) -> Self {
        Self { skill: skill.id.clone(), name: skill.call_name().to_owned(), locator: skill.shown_location() }
    }
}

impl From<&ChangedSkill> for ChangedReport {
    fn from(changed: &ChangedSkill) -> Self {
        let SkillReport { skill, name, locator } = SkillReport::from(&*changed.after);
        Self { skill, name, locator, aspects: changed.aspects.clone() }
    }
}
