//! Who may use a skill, and what it needs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test, and what helps it, may stop where it fails"
)]

mod dependencies;
mod gate;
mod rules;

use lorimer_core::{Dependency, Locator, Skill, SkillId, SourceId};

fn skill_at(path: &str, name: &str) -> Skill {
    Skill::new(SkillId::new(SourceId::new("host"), Locator::Path(path.into())), name, "d")
}

fn skill(name: &str) -> Skill {
    skill_at(&format!("/skills/{name}/SKILL.md"), name)
}

fn http(name: &str, url: &str) -> Dependency {
    Dependency {
        kind: "mcp".to_owned(),
        value: name.to_owned(),
        url: Some(url.to_owned()),
        ..Dependency::default()
    }
}
