//! Skills that wait until a file of theirs is opened.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use lorimer_core::Skill;
use serde_json::Value;

/// Patterns that one list may be spelt out to, and the bytes of all of them.
const MOST_PATTERNS: usize = 1_000;
const MOST_BYTES: usize = 4 << 20;
/// Braces of one pattern that are spelt out; more are nobody's honest pattern.
const MOST_BRACES: usize = 64;

/// The field `paths` of a skill: it is there once the session has opened a file that one of its patterns matches.
///
/// Patterns are those of `.gitignore`: a name matches anywhere, `/x` and `a/b` from the project's root, and a folder stands
/// for all that lies in it. Braces are spelt out, up to 1,000 patterns and 4 MiB a list; a pattern that goes beyond that is
/// taken as it is written. A pattern with a bad bracket matches nothing, and costs no other one.
#[derive(Clone, Debug)]
pub struct PathCondition {
    patterns: Gitignore,
}

impl PathCondition {
    /// Returns the condition of a skill; `None` for one without. A list that says nothing but `**` is none.
    pub fn of(skill: &Skill) -> Option<Self> {
        let patterns: Vec<String> = match skill.frontmatter.get("paths")? {
            Value::String(list) => split(list),
            Value::Array(items) => items.iter().filter_map(Value::as_str).flat_map(split).collect(),
            _ => return None,
        };
        if patterns.iter().all(|pattern| pattern == "**") {
            return None;
        }
        let mut builder = GitignoreBuilder::new("");
        let (mut count, mut bytes) = (0, 0);
        for pattern in patterns {
            let room = MOST_PATTERNS.saturating_sub(count);
            let spelt = spelt_out(&pattern, room, MOST_BYTES.saturating_sub(bytes))
                .unwrap_or_else(|| vec![literal_braces(&pattern)]);
            count += spelt.len();
            bytes += spelt.iter().map(String::len).sum::<usize>();
            for line in spelt.into_iter().filter(|line| closes_brackets(line)) {
                // A line that is no pattern costs only itself.
                let _ = builder.add_line(None, &line);
            }
        }
        Some(Self { patterns: builder.build().unwrap_or_else(|_| Gitignore::empty()) })
    }

    /// Returns whether one of these files, seen from the project's root, is one that the skill waits for.
    pub fn is_met<P: AsRef<Path>>(&self, opened: impl IntoIterator<Item = P>) -> bool {
        opened.into_iter().any(|file| {
            let file = file.as_ref();
            file.is_relative() && self.patterns.matched_path_or_any_parents(file, false).is_ignore()
        })
    }
}

/// Returns whether every `[` that stands for a set has its end.
fn closes_brackets(pattern: &str) -> bool {
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            // A set has at least one member, and the first one may be the bracket.
            '[' => {
                let first = characters.next();
                let first = if matches!(first, Some('!' | '^')) { characters.next() } else { first };
                if first.is_none() || !characters.any(|character| character == ']') {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

/// Takes a list apart at its commas, but for those between braces.
fn split(list: &str) -> Vec<String> {
    let (mut open, mut parts, mut part) = (0_usize, Vec::new(), String::new());
    for character in list.chars() {
        match character {
            '{' => open += 1,
            '}' => open = open.saturating_sub(1),
            ',' if open == 0 => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            _ => {}
        }
        part.push(character);
    }
    parts.push(part);
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// Returns the patterns that one with braces stands for; `None` where they are more than there is room for.
fn spelt_out(pattern: &str, most: usize, bytes: usize) -> Option<Vec<String>> {
    let mut done = vec![pattern.to_owned()];
    for _ in 0..MOST_BRACES {
        let mut next = Vec::new();
        let mut changed = false;
        for pattern in &done {
            let Some((head, choices, tail)) = first_braces(pattern) else {
                next.push(pattern.clone());
                continue;
            };
            changed = true;
            next.extend(choices.into_iter().map(|choice| format!("{head}{choice}{tail}")));
            if next.len() > most || next.iter().map(String::len).sum::<usize>() > bytes {
                return None;
            }
        }
        done = next;
        if !changed {
            return (done.len() <= most)
                .then(|| done.iter().map(|pattern| literal_braces(pattern)).collect());
        }
    }
    None
}

/// Returns what stands before the first pair of braces with a comma in it, its choices, and what stands behind.
fn first_braces(pattern: &str) -> Option<(&str, Vec<&str>, &str)> {
    for (start, _) in pattern.match_indices('{') {
        let inner = pattern.get(start + 1..)?;
        let (mut open, mut from, mut choices) = (0_usize, 0, Vec::new());
        for (at, character) in inner.char_indices() {
            match character {
                '{' => open += 1,
                '}' if open > 0 => open -= 1,
                ',' if open == 0 => {
                    choices.push(inner.get(from..at)?);
                    from = at + 1;
                }
                '}' => {
                    if choices.is_empty() {
                        break;
                    }
                    choices.push(inner.get(from..at)?);
                    return Some((pattern.get(..start)?, choices, inner.get(at + 1..)?));
                }
                _ => {}
            }
        }
    }
    None
}

/// Braces that were not spelt out stand for themselves.
fn literal_braces(pattern: &str) -> String {
    pattern.replace('{', "\\{").replace('}', "\\}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Locator, SkillId, SourceId};
    use proptest::prelude::*;
    use serde_json::json;

    fn skill(paths: Value) -> Skill {
        let id = SkillId::new(SourceId::new("host"), Locator::Path("/s/SKILL.md".into()));
        let mut skill = Skill::new(id, "s", "d");
        skill.frontmatter.insert("paths".to_owned(), paths);
        skill
    }

    fn is_met(paths: Value, file: &str) -> bool {
        PathCondition::of(&skill(paths)).expect("a condition").is_met([file])
    }

    #[test]
    fn patterns_are_those_of_ignore_files() {
        for (pattern, file, met) in [
            ("src/**/*.{ts,tsx}", "src/a.ts", true),
            ("src/**/*.{ts,tsx}", "src/b/c.tsx", true),
            ("src/**/*.{ts,tsx}", "R.md", false),
            ("*.ts, R.md", "deep/down/a.ts", true),
            ("*.ts, R.md", "R.md", true),
            ("src", "src/b/c.tsx", true),
            ("src/", "src/b/c.tsx", true),
            ("/a.ts", "src/a.ts", false),
            ("/src/a.ts", "src/a.ts", true),
            ("./src/a.ts", "src/a.ts", false),
            ("!src/a.ts", "src/a.ts", false),
            ("*", "src/a.ts", true),
            ("**/*", "R.md", true),
            ("src/**", "src/b/c.tsx", true),
            ("x{a", "x{a", true),
            ("{a,b}/c", "b/c", true),
            ("{a,b/c}", "x/a", true),
            ("{a{1,2},b}", "a2", true),
            ("{a}", "a", false),
            ("{a}", "{a}", true),
        ] {
            assert_eq!(is_met(json!(pattern), file), met, "{pattern} {file}");
        }
        assert!(is_met(json!(["photos [2024/**", "*.md"]), "R.md"), "the bad one costs itself alone");
        assert!(!is_met(json!(["photos [2024/**", "*.md"]), "photos [2024/a.png"));
        assert!(!is_met(json!("*"), "/outside/a.ts"));
    }

    #[test]
    fn a_list_that_says_nothing_is_no_condition() {
        for paths in [json!([]), json!("**"), json!(["**", "**"]), json!(""), json!(null), json!(5)] {
            assert!(PathCondition::of(&skill(paths.clone())).is_none(), "{paths}");
        }
        assert!(PathCondition::of(&skill(json!("*"))).is_some());
    }

    #[test]
    fn a_pattern_that_stands_for_too_many_is_taken_as_it_is_written() {
        let many = "{a,b}".repeat(12);
        assert!(!is_met(json!(many), &"a".repeat(12)));
        assert!(is_met(json!([many, "x.md"]), "x.md"));
        assert!(is_met(json!("{a,b}".repeat(9)), &"b".repeat(9)));
    }

    proptest! {
        #[test]
        fn no_pattern_does_harm(list in "[a-c{},*/!\\[\\]\\\\. ]{0,40}", file in "[a-c/]{0,8}") {
            let condition = PathCondition::of(&skill(json!(list)));
            let _ = condition.is_some_and(|condition| condition.is_met([file.trim_start_matches('/')]));
        }
    }
}
