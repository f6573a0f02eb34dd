//! One suite per trait. Each check panics with the rule that was broken.

pub mod activator;
pub mod authorizer;
pub mod cataloger;
pub mod journal;
pub mod observer;
pub mod resolver;
pub mod source;

use std::sync::Arc;

use lorimer::core::{Locator, Skill, SkillId, Snapshot, SnapshotBuilder, SourceId};

/// Returns a skill of the source `contract`, at a path made from its name.
fn skill(folder: &str, name: &str, description: &str) -> Skill {
    let path = format!("/contract/{folder}/{name}/SKILL.md");
    Skill::new(SkillId::new(SourceId::new("contract"), Locator::Path(path.into())), name, description)
}

/// Returns a snapshot with these skills.
fn snapshot(skills: Vec<Skill>) -> Snapshot {
    let mut builder = SnapshotBuilder::default();
    for skill in skills {
        builder.push(skill).expect("the suite's identities differ");
    }
    builder.finish()
}

fn shared(skills: Vec<Skill>) -> Vec<Arc<Skill>> {
    skills.into_iter().map(Arc::new).collect()
}
