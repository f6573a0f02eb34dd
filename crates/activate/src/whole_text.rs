//! A whole file as a program in Python reads text, with its places filled in.

use std::collections::BTreeMap;

use lorimer_core::{ContextItem, Role, Route, Skill, kind};

use crate::body::decode;
use crate::{ActivateError, ActivateRequest, Activation, Activator};

/// Hands over the whole file, frontmatter included: every line end is a line feed, and `${NAME}` stands for what is known
/// under that name. The result of a tool call is the text and then the skill's folder; what a person asked for is trimmed
/// and has a line before it.
///
/// Nothing is escaped, and nothing in the text is run.
///
/// ```
/// use lorimer_activate::{ActivateRequest, Activator, WholeText};
/// use lorimer_core::{Content, Locator, Route, Skill, SkillId, SourceId};
///
/// let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/tea/SKILL.md".into()));
/// let skill = Skill::new(id, "tea", "Makes tea.");
/// let content = Content::whole("Run ${DIR}/kettle.\r\n");
/// let request = ActivateRequest { skill: &skill, content: &content, route: Route::Tool, arguments: None };
/// let activator = WholeText { folder: Some("DIR"), ..WholeText::default() };
/// let activation = activator.activate(&request)?;
/// assert_eq!(&activation.item.text[activation.body.clone()], "Run /skills/tea/kettle.\n");
/// # Ok::<(), lorimer_activate::ActivateError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeText {
    /// The name that stands for the skill's folder, where there is one.
    pub folder: Option<&'static str>,
    /// What other names stand for. A name that is not known stays as it is written.
    pub values: BTreeMap<String, String>,
}

impl WholeText {
    fn filled(&self, text: &str, skill: &Skill) -> String {
        let folder = self.folder.map(|name| (name, folder_of(skill)));
        let folder = folder.as_ref().map(|(name, folder)| (*name, folder.as_str()));
        let known = self.values.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(folder);
        let known: BTreeMap<&str, &str> = known.collect();
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        // What was put in is not looked at again.
        while let Some((before, behind)) = rest.split_once("${") {
            filled.push_str(before);
            let value = behind.split_once('}').and_then(|(name, behind)| Some((*known.get(name)?, behind)));
            let (written, behind) = value.unwrap_or(("${", behind));
            filled.push_str(written);
            rest = behind;
        }
        filled.push_str(rest);
        filled
    }
}

fn folder_of(skill: &Skill) -> String {
    let location = skill.shown_location();
    location.rsplit_once('/').map_or(location.as_str(), |(folder, _)| folder).to_owned()
}

impl Activator for WholeText {
    fn activate(&self, request: &ActivateRequest<'_>) -> Result<Activation, ActivateError> {
        let ActivateRequest { skill, content, route, .. } = request;
        let read = decode(content)?.replace("\r\n", "\n").replace('\r', "\n");
        let filled = self.filled(&read, skill);
        let by_model = *route == Route::Tool;
        let mut text = String::new();
        if !by_model {
            text = format!(
                "[The user calls for the skill \"{}\": follow it in this turn.]\n\n",
                skill.call_name()
            );
        }
        let start = text.len();
        text.push_str(if by_model { &filled } else { filled.trim() });
        let body = start..text.len();
        text.push_str("\n\n[Skill directory: ");
        text.push_str(&folder_of(skill));
        text.push(']');
        let (role, kind) =
            if by_model { (Role::Tool, kind::TOOL_RESULT) } else { (Role::User, kind::SELECTED_SKILL) };
        Ok(Activation {
            item: ContextItem { role, kind: kind.to_owned(), text, skill: Some(skill.id.clone()) },
            body,
            cut: content.cut,
            diagnostics: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Content, Locator, SkillId, SourceId};

    fn body(text: &str, route: Route) -> String {
        let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/tea/SKILL.md".into()));
        let skill = Skill::new(id, "tea", "d");
        let values = [("SESSION".to_owned(), "s-1 ${DIR}".to_owned())].into();
        let activator = WholeText { folder: Some("DIR"), values };
        let content = Content::whole(text);
        let request = ActivateRequest { skill: &skill, content: &content, route, arguments: None };
        let activation = activator.activate(&request).unwrap();
        activation.item.text[activation.body].to_owned()
    }

    #[test]
    fn known_names_are_filled_in_once() {
        assert_eq!(
            body("${DIR} ${SESSION} ${OTHER} $DIR ${DIR", Route::Tool),
            "/skills/tea s-1 ${DIR} ${OTHER} $DIR ${DIR"
        );
        assert_eq!(body("${X${DIR}}", Route::Tool), "${X/skills/tea}");
    }

    #[test]
    fn line_ends_are_line_feeds_and_people_get_no_blanks() {
        assert_eq!(body("\u{feff}a\r\nb\rc\n\n", Route::Tool), "\u{feff}a\nb\nc\n\n");
        assert_eq!(body("\na\r\n\n", Route::Command), "a");
    }
}
