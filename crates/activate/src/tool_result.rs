//! The answer to a tool call.

use lorimer_core::text::is_script_whitespace;
use lorimer_core::{Role, kind};

use crate::body::Wrapper;
use crate::{ActivateError, ActivateRequest, Activation, Activator, BodyLimit, ClosingTags};

/// Answers a tool call with the instructions behind the frontmatter, between `<skill name="…">` tags (S1-21).
///
/// The frontmatter is found by a minimal rule (S1-08): the text has to begin with `---` and a line feed, and the next
/// line that begins with `---` closes it; whatever follows belongs to the instructions. Without both, all of the text
/// is instructions. White space at both ends is taken away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolResult {
    /// What happens to tags that would close the wrapper. The default keeps everything inside.
    pub closing_tags: ClosingTags,
    /// The limit of the instructions; the default is no limit. The file is read whole in any case, because how long
    /// its frontmatter is shows only then.
    pub limit: Option<BodyLimit>,
}

impl Activator for ToolResult {
    fn activate(&self, request: &ActivateRequest<'_>) -> Result<Activation, ActivateError> {
        let mut wrapper = Wrapper::new(request, self.closing_tags);
        wrapper.markup("<skill name=\"");
        wrapper.label("name", request.skill.call_name(), |name| name.contains('"'));
        wrapper.markup("\">\n");
        wrapper.body(self.limit.as_ref(), instructions)?;
        wrapper.markup("\n</skill>");
        Ok(wrapper.finish(Role::Tool, kind::TOOL_RESULT))
    }
}

/// Returns the text behind the frontmatter, trimmed (S1-09).
fn instructions(text: &str) -> &str {
    const OPENING: &str = "---\n";
    const CLOSING: &str = "\n---";
    let behind = text.strip_prefix(OPENING).and_then(|rest| rest.split_once(CLOSING));
    behind.map_or(text, |(_, body)| body).trim_matches(is_script_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S1-08, S1-09: the quirks of the minimal splitter.
    #[test]
    fn s1_08_s1_09_the_splitter_is_minimal() {
        for (text, body) in [
            ("---\nname: a\n---\n\nBody \n", "Body"),
            ("---\nname: a\n---x\nBody", "x\nBody"),
            ("---\n---\nBody", "---\n---\nBody"),
            ("---\r\nname: a\r\n---\r\nBody", "---\r\nname: a\r\n---\r\nBody"),
            ("--- \nname: a\n---\nBody", "--- \nname: a\n---\nBody"),
            ("\u{feff}---\nname: a\n---\nBody", "---\nname: a\n---\nBody"),
            ("---\nname: a\n ---\nBody\n---", ""),
            ("---\n\n---", ""),
            (" Only text\u{a0}\u{feff}", "Only text"),
            ("\u{85}x", "\u{85}x"),
            ("", ""),
        ] {
            assert_eq!(instructions(text), body, "{text:?}");
        }
    }
}
