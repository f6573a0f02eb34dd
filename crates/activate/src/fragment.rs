//! A whole file beside the user's message.

use lorimer_core::{ReadLimit, Role, Route, Skill, kind};

use crate::body::{Wrapper, read_limit};
use crate::tags::closes;
use crate::{ActivateError, ActivateRequest, Activation, Activator, BodyLimit, ClosingTags};

/// Hands over the whole file, frontmatter included, as an item of its own in the user's role: name, path, contents
/// between `<skill>` tags (S3-16, S3-17).
///
/// The path shown is the canonical locator, also when the skill was found through a link.
///
/// ```
/// use lorimer_activate::{ActivateRequest, Activator, SkillFragment};
/// use lorimer_core::{Content, Locator, Route, Skill, SkillId, SourceId};
///
/// let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/tea/SKILL.md".into()));
/// let skill = Skill::new(id, "tea", "Makes tea.");
/// let content = Content::whole("Boil water.");
/// let request = ActivateRequest { skill: &skill, content: &content, route: Route::Mention, arguments: None };
/// let activation = SkillFragment::default().activate(&request)?;
/// assert_eq!(&activation.item.text[activation.body.clone()], "Boil water.");
/// # Ok::<(), lorimer_activate::ActivateError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SkillFragment {
    /// Which part of the file is handed over. The default is all of it.
    pub part: Part,
    /// What happens to tags that would close the wrapper. The default keeps everything inside.
    pub closing_tags: ClosingTags,
    /// The limit of the body; the default is no limit. The budget of the listing has no part in it (S3-10).
    pub limit: Option<BodyLimit>,
}

/// Which part of a file is handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it, byte for byte.
    #[default]
    WholeFile,
    /// What stands behind the frontmatter, without line ends at both ends: the model knows name and description from
    /// the listing, and the other fields are not for it.
    Instructions,
}

impl Activator for SkillFragment {
    fn limit(&self, skill: &Skill) -> ReadLimit {
        read_limit(self.limit.as_ref(), &skill.scope)
    }

    fn activate(&self, request: &ActivateRequest<'_>) -> Result<Activation, ActivateError> {
        let skill = request.skill;
        let mut wrapper = Wrapper::new(request, self.closing_tags);
        wrapper.markup("<skill>\n<name>");
        wrapper.label("name", skill.call_name(), |name| closes(name, "name"));
        wrapper.markup("</name>\n<path>");
        wrapper.label("path", &skill.id.locator.shown(), |path| closes(path, "path"));
        wrapper.markup("</path>\n");
        let behind = request.content.instructions;
        wrapper.body(self.limit.as_ref(), |file| match self.part {
            Part::WholeFile => file,
            Part::Instructions => file.get(behind..).unwrap_or(file).trim_matches(['\n', '\r']),
        })?;
        wrapper.markup("\n</skill>");
        // What the model called for goes back as the result of its call; what a person chose stands beside the message.
        Ok(match request.route {
            Route::Tool => wrapper.finish(Role::Tool, kind::TOOL_RESULT),
            _ => wrapper.finish(Role::User, kind::SELECTED_SKILL),
        })
    }
}

/// Returns whether a stored text is a fragment as [`SkillFragment`] makes them, so that it is not taken for a message
/// of the user's own when a session is built again (S3-18).
///
/// Only the outermost tags count, in any case, with white space around them.
///
/// ```
/// assert!(lorimer_activate::recognise("<SKILL>\n<name>tea</name>\nBoil water.\n</Skill>\n"));
/// assert!(!lorimer_activate::recognise("What does <skill></skill> mean?"));
/// ```
pub fn recognise(text: &str) -> bool {
    const OPENING: &[u8] = b"<skill>";
    const CLOSING: &[u8] = b"</skill>";
    let text = text.trim().as_bytes();
    let starts = text.get(..OPENING.len()).is_some_and(|start| start.eq_ignore_ascii_case(OPENING));
    let behind = text.len().checked_sub(CLOSING.len()).and_then(|start| text.get(start..));
    starts && behind.is_some_and(|end| end.eq_ignore_ascii_case(CLOSING))
}
