//! The name that a user interface shows.

use lorimer_core::Skill;

/// Returns the name that a user interface may show for a skill: the first heading of the first level in its
/// instructions, or else its name with spaces between the words and a capital letter for each (OpenClaw 2026.9.6,
/// section 1.6 of its notes). `file` is its whole file; headings in its frontmatter do not count.
///
/// ```
/// use lorimer_core::{Locator, Skill, SkillId, SourceId};
/// use lorimer_discover::display_name;
/// let id = SkillId::new(SourceId::new("host"), Locator::Path("/tidy-up/SKILL.md".into()));
/// let skill = Skill::new(id, "tidy-up", "Tidies.");
/// assert_eq!(display_name(&skill, "---\nname: tidy-up\n---\n\n# Tidying ##\n"), "Tidying");
/// assert_eq!(display_name(&skill, "---\nname: tidy-up\n---\n"), "Tidy Up");
/// ```
pub fn display_name(skill: &Skill, file: &str) -> String {
    let text = file.replace("\r\n", "\n").replace('\r', "\n");
    let lines = instructions(text.trim_start_matches('\u{feff}')).lines();
    let heading = lines.filter_map(|line| line.strip_prefix('#')).find_map(|rest| {
        let text = rest.strip_prefix([' ', '\t'])?.trim();
        // Signs that close a heading stand apart from its text.
        let open = text.trim_end_matches('#');
        let text = if open.is_empty() || open.ends_with([' ', '\t']) { open.trim() } else { text };
        (!text.is_empty()).then(|| text.to_owned())
    });
    heading.unwrap_or_else(|| {
        let words = skill.name.split(['-', '_', ' ']).filter(|word| !word.is_empty()).map(capitalised);
        let words: Vec<String> = words.collect();
        if words.is_empty() { skill.name.clone() } else { words.join(" ") }
    })
}

/// Returns what stands behind the frontmatter.
fn instructions(text: &str) -> &str {
    let is_fence = |line: &str| line.trim_end_matches([' ', '\t', '\n']) == "---";
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        match (number, is_fence(line)) {
            (0, false) => return text,
            (1.., true) => return text.get(at..).unwrap_or_default(),
            _ => {}
        }
    }
    text
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).collect()
}
