//! A line with the skill's directory, then its instructions.

use lorimer_core::{ContextItem, Role, kind};

use crate::{ActivateError, ActivateRequest, Activation, Activator};

/// Hands over, in the user's role, a line with the directory in which the skill was found, an empty line, and the
/// instructions behind the frontmatter, without the blank lines that they begin with. A command, which is a file of its own
/// and has no directory, comes without the line.
///
/// Nothing is wrapped, cut or escaped, and arguments are not put in. The frontmatter is not looked at, so that bytes in it
/// that are no UTF-8 do no harm.
///
/// ```
/// use lorimer_activate::{ActivateRequest, Activator, BaseDirectoryBlock};
/// use lorimer_core::{Content, Locator, Route, Skill, SkillId, SourceId};
///
/// let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/tea/SKILL.md".into()));
/// let skill = Skill::new(id, "tea", "Makes tea.");
/// let content = Content::whole("\nBoil water.\n");
/// let request = ActivateRequest { skill: &skill, content: &content, route: Route::Tool, arguments: None };
/// let activation = BaseDirectoryBlock.activate(&request)?;
/// assert_eq!(activation.item.text, "The files of this skill are in /skills/tea\n\nBoil water.\n");
/// assert_eq!(&activation.item.text[activation.body.clone()], "Boil water.\n");
/// # Ok::<(), lorimer_activate::ActivateError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BaseDirectoryBlock;

/// The file in a skill's directory.
const SKILL_FILE: &str = "/SKILL.md";

impl Activator for BaseDirectoryBlock {
    fn activate(&self, request: &ActivateRequest<'_>) -> Result<Activation, ActivateError> {
        let ActivateRequest { skill, content, route, .. } = *request;
        let instructions = content.bytes.get(content.instructions..).unwrap_or(&content.bytes);
        let instructions = std::str::from_utf8(instructions).map_err(|error| ActivateError::NotUtf8 {
            offset: content.instructions.saturating_add(error.valid_up_to()),
        })?;
        let mut text = match skill.shown_location().strip_suffix(SKILL_FILE) {
            Some(directory) => format!("The files of this skill are in {directory}\n\n"),
            None => String::new(),
        };
        let start = text.len();
        text.push_str(without_blank_beginning(instructions));
        let kind = if route.is_implicit() { kind::TOOL_RESULT } else { kind::SELECTED_SKILL };
        Ok(Activation {
            body: start..text.len(),
            item: ContextItem {
                role: Role::User,
                kind: kind.to_owned(),
                text,
                skill: Some(skill.id.clone()),
            },
            cut: content.cut,
            diagnostics: Vec::new(),
        })
    }
}

/// Returns a text from its first line on that is not blank.
fn without_blank_beginning(text: &str) -> &str {
    let blank = text.len() - text.trim_start().len();
    let start = text.get(..blank).and_then(|blank| blank.rfind('\n')).map_or(0, |at| at + 1);
    text.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Content, Locator, Route, Skill, SkillId, SourceId};

    #[test]
    fn only_what_is_blank_before_the_text_goes() {
        for (text, kept) in
            [("\n\n  \n  a\n\n", "  a\n\n"), ("a", "a"), ("", ""), (" \n", ""), ("\r\na\r\n", "a\r\n")]
        {
            assert_eq!(without_blank_beginning(text), kept, "{text:?}");
        }
    }

    #[test]
    fn commands_have_no_directory_and_bad_bytes_before_the_text_do_no_harm() {
        let id = SkillId::new(SourceId::new("host"), Locator::Path("/commands/a.md".into()));
        let skill = Skill::new(id, "a", "");
        let content = Content { instructions: 2, ..Content::whole(*b"\xe9\nb") };
        let request =
            ActivateRequest { skill: &skill, content: &content, route: Route::Command, arguments: None };
        let activation = BaseDirectoryBlock.activate(&request).unwrap();
        assert_eq!(activation.item.text, "b");
        let bad = Content { instructions: 2, ..Content::whole(*b"x\nb\xe9") };
        let refused = BaseDirectoryBlock.activate(&ActivateRequest { content: &bad, ..request });
        assert!(matches!(refused, Err(ActivateError::NotUtf8 { offset: 3 })));
        assert_eq!((activation.item.role, activation.item.kind.as_str()), (Role::User, kind::SELECTED_SKILL));
    }
}
