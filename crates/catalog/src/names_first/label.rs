//! Labels: names that skills have besides the one that they are called by.

use std::collections::HashSet;
use std::sync::Arc;

use lorimer_core::Skill;
use serde_json::Value;

/// Returns the label of a skill that could be typed: the field `name`, where it is not the name that the skill has anyway,
/// and made of letters and digits of any script, `-`, `_`, `.` and `:` alone.
///
/// ```
/// use lorimer_catalog::usable_label;
/// use lorimer_core::{Locator, Skill, SkillId, SourceId};
/// let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/foo/SKILL.md".into()));
/// let mut skill = Skill::new(id, "foo", "Does foo.");
/// skill.frontmatter.insert("name".to_owned(), "Foo".into());
/// assert_eq!(usable_label(&skill).as_deref(), Some("Foo"));
/// skill.frontmatter.insert("name".to_owned(), "Two words".into());
/// assert_eq!(usable_label(&skill), None);
/// ```
pub fn usable_label(skill: &Skill) -> Option<String> {
    let label = match skill.frontmatter.get("name")? {
        Value::String(text) => text.clone(),
        value @ (Value::Number(_) | Value::Bool(_)) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    let typed = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | ':');
    (!label.is_empty() && label != skill.name && label.chars().all(typed)).then_some(label)
}

/// Returns the label of each skill that nothing else is called: no skill, nothing of the harness's own and no skill that
/// stands earlier.
pub(super) fn shown(skills: &[Arc<Skill>], reserved: &[&str]) -> Vec<Option<String>> {
    let mut taken: HashSet<String> = skills.iter().map(|skill| skill.call_name().to_owned()).collect();
    taken.extend(reserved.iter().map(|name| (*name).to_owned()));
    skills.iter().map(|skill| usable_label(skill).filter(|label| taken.insert(label.clone()))).collect()
}
