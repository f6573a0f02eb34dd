//! Lines with the name in backticks and a description of bounded length.

use std::borrow::Cow;

use lorimer_core::text::{escape_tags, first_utf16, fold_script_whitespace};
use lorimer_core::{Size, Skill};

use crate::format::{Body, Draft, Format, Line};

/// Lines `` - `name`: description `` between `<available_skills>` tags. Descriptions are put on one line, cut to a number
/// of UTF-16 units, and then `&`, `<` and `>` in them are escaped, so what is shown may be longer than the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotedNames {
    /// UTF-16 units of the longest description, the mark of a cut one among them. 500 by default.
    pub most: usize,
}

impl Default for QuotedNames {
    fn default() -> Self {
        Self { most: 500 }
    }
}

const MARK: &str = "...";
const INTRO: &str =
    "These skills can be loaded in this session. Each line has a skill's name and what it is for.";
const USE: &str = "When one fits the task, call the `skill` tool with exactly that name before you go on.\nWhat the user \
     has loaded by a command need not be loaded again.";

impl Format for QuotedNames {
    fn draft<'s>(&self, skill: &'s Skill) -> Draft<'s> {
        let folded = fold_script_whitespace(&skill.description);
        let whole = escape_tags(&folded).chars().count();
        let name = escape_tags(skill.call_name());
        if Size::of(&folded).utf16 <= self.most {
            return Draft {
                name,
                description: Cow::Owned(escape_tags(&folded).into_owned()),
                whole,
                ..Draft::default()
            };
        }
        let beginning = first_utf16(&folded, self.most.saturating_sub(MARK.len()));
        let description = format!("{}{MARK}", escape_tags(&beginning));
        Draft { name, description: description.into(), whole, added: MARK.len(), ..Draft::default() }
    }

    fn line(&self, Line { name, description, .. }: Line<'_>) -> String {
        format!("- `{name}`: {description}")
    }

    fn size(&self, Line { name, description, .. }: Line<'_>) -> Size {
        Size::ascii("- ``: ".len()).plus(Size::of(name)).plus(Size::of(description))
    }

    fn section(&self, body: &Body<'_>) -> Option<String> {
        let lines = body.lines.join("\n");
        (!body.lines.is_empty()).then(|| {
            format!(
                "<system-reminder>\n{INTRO}\n<available_skills>\n{lines}\n</available_skills>\n{USE}\n</system-reminder>"
            )
        })
    }
}
