//! Rules that switch skills on and off without touching a file (S3-31).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lorimer_core::{Code, Diagnostic, Skill};
use serde::{Deserialize, Serialize};

/// Which skills a rule is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Selector {
    /// Every skill with exactly this [`Skill::call_name`].
    Name(String),
    /// The skill whose `SKILL.md` is known by exactly this path. The caller makes paths absolute and canonical; the
    /// path of a folder matches nothing.
    Path(PathBuf),
}

impl Selector {
    /// Returns whether the selector is about this skill.
    pub fn matches(&self, skill: &Skill) -> bool {
        match self {
            Self::Name(name) => skill.call_name() == name,
            Self::Path(path) => skill.paths().any(|known| known == path),
        }
    }
}

/// Switches the skills of a selector on or off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Which skills.
    pub selector: Selector,
    /// On or off.
    pub enabled: bool,
}

impl Rule {
    /// Returns the rule that switches every skill of this name on or off. White space around the name does not count.
    pub fn by_name(name: impl AsRef<str>, enabled: bool) -> Self {
        Self { selector: Selector::Name(name.as_ref().trim().to_owned()), enabled }
    }

    /// Returns the rule that switches the skill at this path on or off.
    pub fn by_path(path: impl Into<PathBuf>, enabled: bool) -> Self {
        Self { selector: Selector::Path(path.into()), enabled }
    }
}

/// A rule as it stands in a configuration file: exactly one of `name` and `path` is expected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleEntry {
    /// Name of the skills.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Path of the skill's `SKILL.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
    /// On or off.
    pub enabled: bool,
}

/// Rules in the order in which they count: the last one that matches a skill wins, whatever its selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSet {
    /// Place and effect of each selector, so that a skill is looked up and not compared with every rule.
    rules: HashMap<Selector, (usize, bool)>,
    next: usize,
    diagnostics: Vec<Diagnostic>,
}

impl RuleSet {
    /// Returns the rules of these entries, lowest precedence first. An entry that has both selectors, none, or a
    /// blank one is left out, and [`RuleSet::diagnostics`] says so.
    pub fn from_entries(entries: impl IntoIterator<Item = RuleEntry>) -> Self {
        let mut set = Self::default();
        for (index, entry) in entries.into_iter().enumerate() {
            match selector_of(entry.name, entry.path) {
                Ok(selector) => set.push(Rule { selector, enabled: entry.enabled }),
                Err(problem) => set.diagnostics.push(
                    Diagnostic::new(Code::RuleIgnored, format!("rule {} {problem}", index + 1))
                        .with_help("Give each rule exactly one of `name` and `path`."),
                ),
            }
        }
        set
    }

    /// Adds a rule behind all others. An earlier rule with the same selector is removed, so that the new one takes
    /// its effect and its own place at the end.
    pub fn push(&mut self, rule: Rule) {
        // The place counts up for ever, so that a rule which moves to the end costs nobody else its place.
        self.next += 1;
        self.rules.insert(rule.selector, (self.next, rule.enabled));
    }

    /// Returns the rules in order.
    pub fn rules(&self) -> Vec<Rule> {
        let mut placed: Vec<_> = self.rules.iter().collect();
        placed.sort_unstable_by_key(|(_, (place, _))| *place);
        let rule = |(selector, (_, enabled)): (&Selector, &(usize, bool))| Rule {
            selector: selector.clone(),
            enabled: *enabled,
        };
        placed.into_iter().map(rule).collect()
    }

    /// Returns what is odd about the entries that the rules were made from.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the rule that decides about this skill, or nothing when no rule matches.
    pub fn deciding(&self, skill: &Skill) -> Option<Rule> {
        if self.rules.is_empty() {
            return None;
        }
        let by_name = std::iter::once(Selector::Name(skill.call_name().to_owned()));
        let by_path = skill.paths().map(|path| Selector::Path(path.to_path_buf()));
        let found = by_name.chain(by_path).filter_map(|selector| {
            let (place, enabled) = *self.rules.get(&selector)?;
            Some((place, Rule { selector, enabled }))
        });
        found.max_by_key(|(place, _)| *place).map(|(_, rule)| rule)
    }

    /// Returns whether the skill is enabled; a skill that no rule matches is.
    pub fn is_enabled(&self, skill: &Skill) -> bool {
        self.deciding(skill).is_none_or(|rule| rule.enabled)
    }

    /// Returns the paths that are switched off by path, whether or not a skill lies there.
    pub fn disabled_paths(&self) -> impl Iterator<Item = &Path> {
        self.rules.iter().filter(|(_, (_, enabled))| !enabled).filter_map(|(selector, _)| match selector {
            Selector::Path(path) => Some(path.as_path()),
            Selector::Name(_) => None,
        })
    }
}

impl FromIterator<Rule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        let mut set = Self::default();
        set.extend(rules);
        set
    }
}

impl Extend<Rule> for RuleSet {
    fn extend<I: IntoIterator<Item = Rule>>(&mut self, rules: I) {
        for rule in rules {
            self.push(rule);
        }
    }
}

fn selector_of(name: Option<String>, path: Option<PathBuf>) -> Result<Selector, &'static str> {
    match (name, path) {
        (Some(_), Some(_)) => Err("has both a `name` and a `path`"),
        (None, None) => Err("has neither a `name` nor a `path`"),
        (Some(name), None) => match name.trim() {
            "" => Err("has a blank `name`"),
            name => Ok(Selector::Name(name.to_owned())),
        },
        (None, Some(path)) if path.to_str().is_some_and(|path| path.trim().is_empty()) => {
            Err("has a blank `path`")
        }
        (None, Some(path)) => Ok(Selector::Path(path)),
    }
}
