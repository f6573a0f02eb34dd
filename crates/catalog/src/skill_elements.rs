//! Elements: each skill is an element with one inside for each of its fields.

use std::borrow::Cow;

use lorimer_core::text::escape_markup;
use lorimer_core::{Size, Skill};

use crate::format::{Body, Draft, Format, Line};

/// Elements `<skill>` with `<name>`, `<description>` and `<location>` in a `<skills>` section.
///
/// `& < > " '` are escaped in every field, so no field can end its element or begin another; nothing else is changed, so
/// line feeds of a description stay inside its element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillElements {
    /// The tool that the model reads a skill's file with, as the introduction names it; `None` names none.
    pub reader: Option<Cow<'static, str>>,
}

const PURPOSE: &str = "Each of these skills holds instructions for one kind of task.";
const RELATIVE_PATHS: &str = "A relative path in such a file starts at the folder that the file lies in.";
const TAGS: [&str; 4] = [
    "  <skill>\n    <name>",
    "</name>\n    <description>",
    "</description>\n    <location>",
    "</location>\n  </skill>",
];

impl Format for SkillElements {
    fn draft<'s>(&self, skill: &'s Skill) -> Draft<'s> {
        let description = escape_markup(&skill.description);
        Draft {
            name: escape_markup(skill.call_name()),
            whole: description.chars().count(),
            description,
            locator: Cow::Owned(escape_markup(&skill.shown_location()).into_owned()),
            added: 0,
        }
    }

    fn line(&self, Line { name, description, locator }: Line<'_>) -> String {
        let [skill, described, located, end] = TAGS;
        [skill, name, described, description, located, locator, end].concat()
    }

    fn size(&self, Line { name, description, locator }: Line<'_>) -> Size {
        TAGS.into_iter().chain([name, description, locator]).map(Size::of).fold(Size::default(), Size::plus)
    }

    fn section(&self, body: &Body<'_>) -> Option<String> {
        if body.lines.is_empty() {
            return None;
        }
        let how = match &self.reader {
            Some(tool) => format!("When one fits the task, read the file at its location with `{tool}`."),
            None => "When one fits the task, read the file at its location.".to_owned(),
        };
        let elements = body.lines.join("\n");
        Some(format!(
            "<skills>\n{PURPOSE}\n{how}\n{RELATIVE_PATHS}\n\n<available_skills>\n{elements}\n</available_skills>\n</skills>"
        ))
    }
}
