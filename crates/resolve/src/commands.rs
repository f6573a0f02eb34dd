//! Commands by which a user calls skills.

use std::collections::HashSet;

use lorimer_core::{Skill, SkillId};

/// Characters of a command's name at most (OpenClaw 2026.9.6, section 3 of its notes).
const MOST_CHARS: usize = 32;

/// A command of a user interface that calls a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The name, without its slash.
    pub name: String,
    /// The skill.
    pub skill: SkillId,
    /// The skill's name.
    pub skill_name: String,
    /// Whether the model sees the skill in the listing, too.
    pub model_visible: bool,
    /// The tool that is run in the model's stead; its one argument is what stands behind the command.
    pub tool: Option<String>,
}

/// Returns the commands of these skills, in their order.
///
/// A name has small letters, digits and single underscores, 32 at most. One that is taken, by an earlier skill or by a
/// reserved command, is followed by `_2`, `_3`, …
///
/// ```
/// use lorimer_core::{Locator, Skill, SkillId, SourceId};
/// use lorimer_resolve::commands;
/// let skill = |name: &str| {
///     let id = SkillId::new(SourceId::new("host"), Locator::Path(format!("/{name}/SKILL.md").into()));
///     Skill::new(id, name, "")
/// };
/// let skills = ["PDF-Tools", "pdf tools", "help", "日本"].map(skill);
/// let names: Vec<String> = commands(&skills, &["help"]).into_iter().map(|command| command.name).collect();
/// assert_eq!(names, ["pdf_tools", "pdf_tools_2", "help_2", "skill"]);
/// ```
pub fn commands<'a>(skills: impl IntoIterator<Item = &'a Skill>, reserved: &[&str]) -> Vec<Command> {
    let mut taken: HashSet<String> = reserved.iter().map(|name| name.to_lowercase()).collect();
    let mut commands = Vec::new();
    for skill in skills {
        let name = free(plain(&skill.name), &taken);
        taken.insert(name.clone());
        commands.push(Command {
            name,
            skill: skill.id.clone(),
            skill_name: skill.name.clone(),
            model_visible: skill.policy.implicit,
            tool: tool(skill),
        });
    }
    commands
}

/// Returns the name with nothing in it that a command cannot have.
fn plain(name: &str) -> String {
    let name = name.to_lowercase();
    let words = name.split(|character: char| !character.is_ascii_lowercase() && !character.is_ascii_digit());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut plain = words.join("_");
    plain.truncate(MOST_CHARS);
    if plain.is_empty() { "skill".to_owned() } else { plain }
}

fn free(name: String, taken: &HashSet<String>) -> String {
    if !taken.contains(&name) {
        return name;
    }
    let numbered = (2_usize..).map(|number| {
        let number = format!("_{number}");
        let room = MOST_CHARS.saturating_sub(number.len()).min(name.len());
        format!("{}{number}", name.get(..room).unwrap_or_default())
    });
    let free = numbered.take(taken.len() + 1).find(|name| !taken.contains(name));
    free.expect("more numbers are tried than names are taken")
}

/// Returns the tool that the skill's frontmatter wants to be run in the model's stead.
fn tool(skill: &Skill) -> Option<String> {
    let field = |name: &str| {
        let spelt = [name.to_owned(), name.replace('-', "_")];
        let value = spelt.iter().find_map(|name| skill.frontmatter.get(name))?;
        value.as_str().map(str::trim)
    };
    let by_tool = field("command-dispatch").is_some_and(|dispatch| dispatch.eq_ignore_ascii_case("tool"));
    let named = field("command-tool").filter(|tool| !tool.is_empty());
    named.filter(|_| by_tool).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Locator, SourceId};
    use proptest::prelude::*;

    fn skill(name: &str) -> Skill {
        let id = SkillId::new(SourceId::new("host"), Locator::Path(format!("/{name}/SKILL.md").into()));
        Skill::new(id, name, "")
    }

    fn names(skills: &[&str], reserved: &[&str]) -> Vec<String> {
        let skills: Vec<Skill> = skills.iter().map(|name| skill(name)).collect();
        commands(&skills, reserved).into_iter().map(|command| command.name).collect()
    }

    #[test]
    fn names_are_cleaned_cut_and_numbered() {
        let long = "x".repeat(41);
        assert_eq!(
            names(
                &["-lead", "<b>&", "a b", "a__b", "a/b", "café", &long, &long, "日本", "Skill"],
                &["skill", "A_B_2"]
            ),
            [
                "lead",
                "b",
                "a_b",
                "a_b_3",
                "a_b_4",
                "caf",
                &"x".repeat(32),
                &format!("{}_2", "x".repeat(30)),
                "skill_2",
                "skill_3"
            ]
        );
    }

    #[test]
    fn a_tool_is_run_only_where_both_fields_say_so() {
        let with = |fields: &[(&str, &str)]| {
            let mut skill = skill("a");
            for (name, value) in fields {
                skill.frontmatter.insert((*name).to_owned(), (*value).into());
            }
            commands([&skill], &[]).remove(0).tool
        };
        assert_eq!(
            with(&[("command-dispatch", "Tool"), ("command-tool", " exec ")]).as_deref(),
            Some("exec")
        );
        assert_eq!(with(&[("command_dispatch", "tool"), ("command_tool", "exec")]).as_deref(), Some("exec"));
        assert_eq!(with(&[("command-dispatch", "tool")]), None);
        assert_eq!(with(&[("command-dispatch", "model"), ("command-tool", "exec")]), None);
    }

    proptest! {
        #[test]
        fn every_skill_has_a_command_of_its_own(skills in prop::collection::vec("[aA _.-]{0,3}|\\PC{0,40}", 0..20)) {
            let skills: Vec<&str> = skills.iter().map(String::as_str).collect();
            let names = names(&skills, &["a", "skill"]);
            prop_assert_eq!(names.len(), skills.len());
            prop_assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
            let plain = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_';
            prop_assert!(names.iter().all(|name| name.chars().all(plain) && (1..=32).contains(&name.len())));
        }
    }
}
