use lorimer_activate::{
    ActivateRequest, Activator, AppliesTo, BodyLimit, ClosingTags, CutNotice, SkillFragment, ToolResult,
};
use lorimer_core::{Content, Locator, Route, Skill, SkillId, SourceId};
use proptest::prelude::*;

use crate::{activate, body};

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("</skill>".to_owned()),
        Just("</ Skill >".to_owned()),
        Just("<skill>".to_owned()),
        Just("</name>".to_owned()),
        Just("<".to_owned()),
        Just("/skill".to_owned()),
        Just("\n---\n".to_owned()),
        Just("---\n".to_owned()),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn limits() -> impl Strategy<Value = Option<BodyLimit>> {
    prop::option::of((0_usize..60, any::<bool>()).prop_map(|(bytes, line)| BodyLimit {
        bytes,
        applies_to: AppliesTo::Everything,
        notice: if line { CutNotice::Line } else { CutNotice::Silent },
    }))
}

/// Counts closing tags by another way than the code does: white space is taken out first.
fn closers(text: &str) -> usize {
    let squeezed: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    squeezed.to_ascii_lowercase().matches("</skill>").count()
}

fn skill(name: &str) -> Skill {
    let path = format!("/{name}/SKILL.md");
    Skill::new(SkillId::new(SourceId::new("host"), Locator::Path(path.into())), name, "d")
}

proptest! {
    #[test]
    fn a_defused_text_closes_once_and_at_its_end(name in hostile(), file in hostile(), limit in limits()) {
        let skill = skill(&name);
        let closing_tags = ClosingTags::Defuse;
        for activation in [
            activate(&SkillFragment { closing_tags, limit, ..SkillFragment::default() }, &skill, file.as_str()),
            activate(&ToolResult { closing_tags, limit }, &skill, file.as_str()),
        ] {
            prop_assert_eq!(closers(&activation.item.text), 1);
            prop_assert!(activation.item.text.ends_with("\n</skill>"));
            if let Some(limit) = limit {
                prop_assert!(activation.body.len() <= limit.bytes);
            }
        }
    }

    #[test]
    fn what_passes_through_is_unchanged(name in hostile(), file in hostile(), limit in limits()) {
        let skill = skill(&name);
        let fragment = SkillFragment { closing_tags: ClosingTags::PassThrough, limit, ..SkillFragment::default() };
        let activation = activate(&fragment, &skill, file.as_str());
        prop_assert!(file.starts_with(body(&activation)));
        prop_assert_eq!(activation.cut, body(&activation).len() < file.len());
        let reported = activation.diagnostics.iter().any(|found| found.code == lorimer_core::Code::BodyCut);
        prop_assert_eq!(reported, activation.cut, "no cut is silent towards the host");
        let prefix = format!("<skill>\n<name>{name}</name>\n<path>/{name}/SKILL.md</path>\n");
        prop_assert!(activation.item.text.starts_with(&prefix));
        prop_assert_eq!(activation.body.start, prefix.len());
    }

    #[test]
    fn any_bytes_are_a_body_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..80), cut in any::<bool>(), limit in limits()) {
        let skill = skill("a");
        let content = Content { cut, ..Content::whole(bytes) };
        let request = ActivateRequest { skill: &skill, content: &content, route: Route::Tool, arguments: None };
        for activator in [&SkillFragment { limit, ..SkillFragment::default() } as &dyn Activator, &ToolResult { limit, ..ToolResult::default() }] {
            if let Ok(activation) = activator.activate(&request) {
                prop_assert!(activation.item.text.get(activation.body).is_some());
            }
        }
    }
}
