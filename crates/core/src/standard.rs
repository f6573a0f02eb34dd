//! Typed views of the optional fields that the Agent Skills standard knows.
//!
//! The standard gives each of them one form. Clients accept more, so these are tolerant, and what has another form is as
//! good as absent. The fields as they are written stay in [`Skill::frontmatter`].

use serde_json::Value;

use crate::Skill;

impl Skill {
    /// Returns the licence, as it is written (`license`).
    pub fn license(&self) -> Option<&str> {
        self.said("license")
    }

    /// Returns what the skill says that it needs around it, as it is written (`compatibility`).
    pub fn compatibility(&self) -> Option<&str> {
        self.said("compatibility")
    }

    /// Returns the tools that may be used without a question while the skill is carried out, first to last
    /// (`allowed-tools`). It is a wish of the author's; nothing is granted by it.
    ///
    /// The standard has one string, its parts between blanks; clients also accept commas between them, and a list.
    /// What stands in round brackets belongs together.
    ///
    /// ```
    /// use lorimer_core::{Locator, Skill, SkillId, SourceId};
    /// let id = SkillId::new(SourceId::new("host"), Locator::Path("/s/a/SKILL.md".into()));
    /// let mut skill = Skill::new(id, "a", "Does a.");
    /// skill.frontmatter.insert("allowed-tools".to_owned(), "Bash(git add:*) Read".into());
    /// assert_eq!(skill.allowed_tools(), ["Bash(git add:*)", "Read"]);
    /// ```
    pub fn allowed_tools(&self) -> Vec<&str> {
        match self.frontmatter.get("allowed-tools") {
            Some(Value::String(text)) => parts(text),
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).flat_map(parts).collect(),
            _ => Vec::new(),
        }
    }

    fn said(&self, key: &str) -> Option<&str> {
        self.frontmatter.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }
}

/// Splits at blanks and commas, but not within brackets. A bracket that is never closed holds everything behind it.
fn parts(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let between = |character: char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (character == ',' || character.is_whitespace())
    };
    text.split(between).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Locator, SkillId, SourceId};
    use serde_json::json;

    fn skill(key: &str, value: Value) -> Skill {
        let id = SkillId::new(SourceId::new("host"), Locator::Path("/r/a/SKILL.md".into()));
        let mut skill = Skill::new(id, "a", "Does a.");
        skill.frontmatter.insert(key.to_owned(), value);
        skill
    }

    #[test]
    fn every_form_of_the_tool_list_means_the_same() {
        let three = ["Bash(uv run python:*)", "mcp__x__y", "Read"];
        for form in [
            json!("Bash(uv run python:*) mcp__x__y Read"),
            json!("Bash(uv run python:*), mcp__x__y,Read"),
            json!(["Bash(uv run python:*)", "mcp__x__y", "Read"]),
            json!(["Bash(uv run python:*) mcp__x__y", 7, "Read"]),
            json!("  Bash(uv run python:*)\n  mcp__x__y\n  Read\n"),
        ] {
            assert_eq!(skill("allowed-tools", form.clone()).allowed_tools(), three, "{form}");
        }
    }

    #[test]
    fn what_is_no_list_of_tools_names_none() {
        for form in
            [json!(""), json!(" , "), json!([]), json!([[]]), json!(7), json!({"a": "b"}), json!(null)]
        {
            assert_eq!(skill("allowed-tools", form.clone()).allowed_tools(), [""; 0], "{form}");
        }
        assert_eq!(skill("x", json!("y")).allowed_tools(), [""; 0]);
        assert_eq!(skill("allowed-tools", json!("a(b, c d")).allowed_tools(), ["a(b, c d"]);
        assert_eq!(skill("allowed-tools", json!("a) b(c(d) e) f")).allowed_tools(), ["a)", "b(c(d) e)", "f"]);
    }

    #[test]
    fn licence_and_compatibility_are_texts_or_absent() {
        assert_eq!(skill("license", json!(" MIT\n")).license(), Some("MIT"));
        assert_eq!(skill("compatibility", json!("Needs git")).compatibility(), Some("Needs git"));
        for odd in [json!(7), json!("  "), json!(null), json!(["MIT"])] {
            assert_eq!(skill("license", odd.clone()).license(), None, "{odd}");
        }
    }
}
