//! How locations are shown.

use std::path::{Path, PathBuf};

use lorimer_core::Skill;

/// Shows what lies below a home directory as `~/…`, and everything else by its absolute path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownPaths {
    /// Paths of home directories; the longest that fits counts. Several are the same directory under several names.
    pub homes: Vec<PathBuf>,
    /// Roots whose skills are not shown by the way from the real root to them.
    pub roots: Vec<ShownRoot>,
}

/// How the skills of a root are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRoot {
    /// The root, links resolved.
    pub real: PathBuf,
    /// What stands in its place; `None` shows its skills where they really are, and not where a link stands.
    pub shown: Option<PathBuf>,
}

impl ShownPaths {
    /// Returns the location of a skill as it is shown.
    pub fn of(&self, skill: &Skill) -> String {
        let location = self.location(skill);
        let below = |home: &PathBuf| {
            let home = home.to_str()?;
            let rest = location.strip_prefix(home.trim_end_matches('/'))?.strip_prefix('/')?;
            (!home.is_empty()).then_some((home.len(), rest))
        };
        match self.homes.iter().filter_map(below).max_by_key(|(length, _)| *length) {
            Some((_, rest)) => format!("~/{rest}"),
            None => location,
        }
    }

    /// Returns the location of a skill as it is shown, in full.
    pub fn location(&self, skill: &Skill) -> String {
        let holds = |root: &&ShownRoot| Path::new(&skill.root.path).starts_with(&root.real);
        let root = self.roots.iter().filter(holds).max_by_key(|root| root.real.as_os_str().len());
        match root {
            None => skill.shown_location(),
            Some(ShownRoot { shown: None, .. }) => skill.id.locator.shown(),
            Some(ShownRoot { real, shown: Some(shown) }) => {
                let location = skill.shown_location();
                match Path::new(&location).strip_prefix(real) {
                    Ok(rest) => shown.join(rest).to_string_lossy().into_owned(),
                    Err(_) => location,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Locator, SkillId, SourceId};

    #[test]
    fn what_lies_below_a_home_is_shortened_by_the_longest_one() {
        let id = |path: &str| SkillId::new(SourceId::new("host"), Locator::Path(path.into()));
        let paths = ShownPaths {
            homes: vec!["/".into(), "/home".into(), "/home/me/".into()],
            ..ShownPaths::default()
        };
        let shown = |path: &str| paths.of(&Skill::new(id(path), "x", ""));
        assert_eq!(shown("/home/me/ws/SKILL.md"), "~/ws/SKILL.md");
        assert_eq!(shown("/home/you/SKILL.md"), "~/you/SKILL.md");
        assert_eq!(shown("/homes/SKILL.md"), "~/homes/SKILL.md");
        let none = ShownPaths::default();
        assert_eq!(none.of(&Skill::new(id("/home/me/SKILL.md"), "x", "")), "/home/me/SKILL.md");
    }

    #[test]
    fn a_root_may_be_shown_by_its_own_name_or_its_skills_by_theirs() {
        let id = SkillId::new(SourceId::new("host"), Locator::Path("/real/a/SKILL.md".into()));
        let mut skill = Skill::new(id, "a", "");
        skill.provenance.discovered = Some("/skills/a/SKILL.md".into());
        "/skills".clone_into(&mut skill.root.path);
        assert_eq!(ShownPaths::default().of(&skill), "/skills/a/SKILL.md");
        let with = |shown: Option<&str>| ShownPaths {
            roots: vec![ShownRoot { real: "/skills".into(), shown: shown.map(Into::into) }],
            ..ShownPaths::default()
        };
        assert_eq!(with(None).of(&skill), "/real/a/SKILL.md");
        assert_eq!(with(Some("/link")).of(&skill), "/link/a/SKILL.md");
    }
}
