//! `docs/profiles.md`, from the profiles.

use std::fmt::Write as _;

use lorimer::profiles::{self, Profile};

use super::Page;

pub(super) const PAGE: Page = Page { path: "docs/profiles.md", table: "the profiles", text: page };

const HEADER: &str = "# Profiles

Generated from `crates/lorimer/src/profiles` by `cargo xtask docs`; change the profiles, not this file.

A profile does with a folder of skills what the harness would do: `lorimer list --as PROFILE`, and `lorimer compare` for
all of them. What each follows is the released program of the version given here, held against recordings of that
program by `cargo xtask parity`; what it does not reproduce stands at the top of its file. Where each one looks is in
[roots.md](roots.md).
";

/// Returns the page: a heading for each profile.
fn page() -> String {
    profiles::ALL.iter().fold(HEADER.to_owned(), |page, profile| page + &section(profile))
}

fn section(profile: &Profile) -> String {
    let Profile { name, program, summary, sources, .. } = profile;
    let program = if program.is_empty() { String::new() } else { format!("{program}: ") };
    let mut text = format!("\n## `{name}`\n\n{program}{summary}.\n");
    if !sources.is_empty() {
        let sources: Vec<String> = sources.iter().map(|source| format!("`{source}`")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nIts own rules are written in {}.", sources.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S0-20: who wants to read on is told where each harness's own rules are written.
    #[test]
    fn s0_20_harnesses_say_where_their_rules_are_written() {
        let page = page();
        for (profile, source) in [
            ("codex", "ext/skills/src/render.rs"),
            ("codex", "config/src/skills_config.rs"),
            ("codex", "core/config.schema.json"),
            ("pi", "coding-agent/src/core/skills.ts"),
            ("deepseek", "packages/skill/tool-skill"),
            ("hermes", "agent/skill_utils.py"),
            ("hermes", "agent/prompt_builder.py"),
            ("openclaw", "src/skills/loading/skill-prompt-limits.ts"),
            ("openclaw", "skill-contract.ts"),
        ] {
            let section = page.split("\n## ").find(|section| section.starts_with(&format!("`{profile}`")));
            assert!(section.is_some_and(|section| section.contains(source)), "{profile}: {source}");
        }
    }
}
