//! What the activators hand over.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test, and what helps it, may stop where it fails"
)]

mod fragment;
mod properties;
mod tool_result;

use lorimer_activate::{ActivateRequest, Activation, Activator};
use lorimer_core::{Code, Content, Locator, Route, Scope, Skill, SkillId, SourceId};

fn skill(name: &str) -> Skill {
    let path = format!("/skills/{name}/SKILL.md");
    Skill::new(SkillId::new(SourceId::new("host"), Locator::Path(path.into())), name, "d")
}

fn plugin_skill(name: &str) -> Skill {
    let mut skill = skill(name);
    skill.qualified_name = Some(format!("acme:{name}"));
    skill.scope = Scope::Plugin { name: "acme".to_owned() };
    skill
}

fn activate(activator: &impl Activator, skill: &Skill, content: impl Into<Vec<u8>>) -> Activation {
    let content = Content::whole(content);
    activator
        .activate(&ActivateRequest { skill, content: &content, route: Route::Mention, arguments: None })
        .expect("UTF-8")
}

fn body(activation: &Activation) -> &str {
    &activation.item.text[activation.body.clone()]
}

fn codes(activation: &Activation) -> Vec<Code> {
    activation.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}
