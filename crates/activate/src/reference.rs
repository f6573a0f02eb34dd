//! A reference: the model is told which file to read.

use lorimer_core::text::fold_whitespace;
use lorimer_core::{ContextItem, ReadLimit, Role, Route, Skill, kind};

use crate::{ActivateError, ActivateRequest, Activation, Activator, SkillFragment};

/// Names a skill that a person asks for and leaves it to the model to read its file, as OpenClaw 2026.9.6 does (section 4
/// of its notes). Where the listing does not show the skill, its file is named too.
///
/// What the model itself asks for, and what the host loads, is handed over as a [`SkillFragment`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SkillReference {
    /// How a body is handed over where one is.
    pub fragment: SkillFragment,
}

impl Activator for SkillReference {
    fn limit(&self, skill: &Skill) -> ReadLimit {
        self.fragment.limit(skill)
    }

    fn activate(&self, request: &ActivateRequest<'_>) -> Result<Activation, ActivateError> {
        if !matches!(request.route, Route::Mention | Route::Command | Route::Structured) {
            return self.fragment.activate(request);
        }
        let skill = request.skill;
        let name = fold_whitespace(skill.call_name());
        let text = if skill.policy.implicit {
            format!("The user asks for the skill {name}: read its SKILL.md before you act on this request.")
        } else {
            let file = fold_whitespace(&skill.id.locator.shown()).into_owned();
            format!("The user asks for the skill {name}: read {file} before you act on this request.")
        };
        let body = text.len()..text.len();
        let item = ContextItem {
            role: Role::User,
            kind: kind::NOTICE.to_owned(),
            text,
            skill: Some(skill.id.clone()),
        };
        Ok(Activation { item, body, cut: false, diagnostics: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Content, Locator, SkillId, SourceId};

    fn activate(implicit: bool, route: Route) -> Activation {
        let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/tea/SKILL.md".into()));
        let mut skill = Skill::new(id, "tea\ntime", "");
        skill.policy.implicit = implicit;
        let content = Content::whole("Boil water.");
        let request = ActivateRequest { skill: &skill, content: &content, route, arguments: None };
        SkillReference::default().activate(&request).unwrap()
    }

    #[test]
    fn a_person_gets_a_reference_and_the_model_a_body() {
        let listed = activate(true, Route::Mention);
        assert!(listed.body.is_empty() && !listed.item.text.contains("/skills"), "{listed:?}");
        assert!(listed.item.text.contains("tea time"));
        let hidden = activate(false, Route::Command);
        assert!(hidden.body.is_empty() && hidden.item.text.contains("/skills/tea/SKILL.md"), "{hidden:?}");
        let tool = activate(true, Route::Tool);
        assert_eq!(tool.item.text.get(tool.body.clone()), Some("Boil water."));
    }
}
