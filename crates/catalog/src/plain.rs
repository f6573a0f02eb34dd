//! Plain lines: name and description, nothing around them.

use std::borrow::Cow;

use lorimer_core::text::fold_whitespace;
use lorimer_core::{Size, Skill};

use crate::format::{Body, Draft, Format, Line};

/// One line `- name: description` for each skill, and nothing else (S1-13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainLines {
    /// What stands in place of a missing description. `undefined` by default, as the harness of S1-13 prints it.
    pub missing: String,
}

impl Default for PlainLines {
    fn default() -> Self {
        Self { missing: "undefined".to_owned() }
    }
}

impl Format for PlainLines {
    fn draft<'s>(&self, skill: &'s Skill) -> Draft<'s> {
        let description = fold_whitespace(&skill.description);
        let whole = description.chars().count();
        let name = fold_whitespace(skill.call_name());
        if whole == 0 {
            let description: Cow<'_, str> = Cow::Owned(fold_whitespace(&self.missing).into_owned());
            let added = description.chars().count();
            return Draft { name, description, added, ..Draft::default() };
        }
        Draft { name, description, whole, ..Draft::default() }
    }

    fn line(&self, line: Line<'_>) -> String {
        let Line { name, description, .. } = line;
        if description.is_empty() { format!("- {name}") } else { format!("- {name}: {description}") }
    }

    fn size(&self, line: Line<'_>) -> Size {
        let marks = if line.description.is_empty() { "- " } else { "- : " };
        [marks, line.name, line.description].into_iter().map(Size::of).fold(Size::default(), Size::plus)
    }

    fn section(&self, body: &Body<'_>) -> Option<String> {
        (!body.lines.is_empty()).then(|| body.lines.join("\n"))
    }
}
