//! Rooted lines: name, description and file, with short names for roots.

use std::borrow::Cow;
use std::sync::Arc;

use lorimer_core::text::{first_chars, fold_whitespace};
use lorimer_core::{Size, Skill, Unit};

use crate::aliases::{Aliases, TableCharge, aliased, shown_path, table_line};
use crate::format::{Body, Draft, Format, Layout, Line};

/// The longest description that a listing shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescriptionCap {
    /// Characters that are still shown whole.
    pub longest: usize,
    /// Characters that are left of a longer one.
    pub kept: usize,
    /// What follows them.
    pub mark: &'static str,
}

/// What the model is told about skills that are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeftOut {
    /// Nothing; a block without any entry is sent all the same.
    #[default]
    Untold,
    /// Their number, in a line that is charged to the budget. Without any entry and that line there is no block.
    Counted,
}

/// Lines `- name: description (file: locator)` in a `<skills_instructions>` block with headings (S0-03, S3-06).
///
/// Two layouts compete: absolute locators, and locators that start with `r0`, `r1`, … and a table of roots. Texts
/// are passed through as they are, except that each stays on one line. The defaults are the Codex rules; the
/// prose is our own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootedLines {
    /// The longest description. 1,024 characters by default, of longer ones 1,021 and `...`.
    pub cap: Option<DescriptionCap>,
    /// Whether to leave out every description. `false` by default.
    pub names_only: bool,
    /// What stands in front of a locator, as in `file`.
    pub kind: &'static str,
    /// The letter that short names for roots begin with. `r` by default.
    pub alias: char,
    /// Whether a skill's short description is shown in place of its description. `false` by default.
    pub short_descriptions: bool,
    /// What the model is told about skills that are left out. Nothing by default.
    pub left_out: LeftOut,
    /// Whether plugins of one market that bring one skill each share a root. `true` by default.
    pub share_plugin_roots: bool,
    /// What the table of roots costs; `None` never uses one.
    ///
    /// The default are the lengths of the two introductions of Codex 0.171.0, as measured from outside
    /// (codex-observed.md, section 3): its table is free up to 141 bytes. The text that is sent here is another
    /// one, but decisions must be the same.
    pub aliases: Option<TableCharge>,
    /// A text on how to use skills, which follows the list under its own heading and is not charged.
    pub usage: Option<String>,
}

impl Default for RootedLines {
    fn default() -> Self {
        Self {
            cap: Some(DescriptionCap { longest: 1_024, kept: 1_021, mark: "..." }),
            names_only: false,
            kind: "file",
            alias: 'r',
            short_descriptions: false,
            left_out: LeftOut::Untold,
            share_plugin_roots: true,
            aliases: Some(TableCharge { plain_head: 451, alias_head: 310 }),
            usage: None,
        }
    }
}

const PLAIN_INTRO: &str = "Skills are folders of instructions for particular tasks. Each line below gives a skill's \
     name, what it is for, and its main file; read that file before you follow the skill.";
const ALIAS_INTRO: &str = "Skills are folders of instructions for particular tasks. Each line below gives a skill's \
     name, what it is for, and its main file; read that file before you follow the skill. A path starts with the \
     short name of its root: put the root's path in its place.";

impl Format for RootedLines {
    fn draft<'s>(&self, skill: &'s Skill) -> Draft<'s> {
        let short = Some(skill).filter(|_| self.short_descriptions).and_then(short_description);
        let folded = fold_whitespace(short.unwrap_or(&skill.description));
        let whole = folded.chars().count();
        let (description, added) = match self.cap {
            _ if self.names_only => (Cow::Borrowed(""), 0),
            Some(cap) if whole > cap.longest => {
                (format!("{}{}", first_chars(&folded, cap.kept), cap.mark).into(), cap.mark.chars().count())
            }
            _ => (folded, 0),
        };
        Draft {
            name: fold_whitespace(skill.call_name()),
            description,
            locator: path(&skill.shown_location()).into_owned().into(),
            whole,
            added,
        }
    }

    fn line(&self, line: Line<'_>) -> String {
        entry_line(self.kind, line)
    }

    fn size(&self, line: Line<'_>) -> Size {
        entry_size(self.kind, line)
    }

    fn section(&self, body: &Body<'_>) -> Option<String> {
        let nothing = body.lines.is_empty() && body.omission.is_none();
        if body.total == 0 || (nothing && self.left_out == LeftOut::Counted) {
            return None;
        }
        let intro = if body.roots.is_empty() { PLAIN_INTRO } else { ALIAS_INTRO };
        let usage = self.usage.as_deref().map(|usage| ["### How to use skills", usage]);
        Some(block(intro, body, usage.as_ref().map_or(&[], <[&str; 2]>::as_slice)))
    }

    fn layouts(&self, skills: &[Arc<Skill>], drafts: &[Draft<'_>], unit: Unit) -> Vec<Layout> {
        let scheme = Aliases { letter: self.alias, share_plugin_roots: self.share_plugin_roots };
        layouts(skills, drafts, unit, self.aliases.map(|charge| (scheme, charge)), path)
    }

    fn omission(&self, omitted: usize) -> Option<String> {
        // As long as the line of the program, whose length is part of the arithmetic.
        let skills = if omitted == 1 { "skill" } else { "skills" };
        let counted = self.left_out == LeftOut::Counted;
        counted.then(|| format!("- {omitted} more {skills} left out: the room for this list is used up."))
    }
}

/// Returns the short description that a skill gives beside its description.
fn short_description(skill: &Skill) -> Option<&str> {
    let interface = skill.interface.as_ref().and_then(|interface| interface.short_description.as_deref());
    interface.or_else(|| skill.frontmatter.get("metadata")?.get("short-description")?.as_str())
}

fn path(path: &str) -> Cow<'_, str> {
    shown_path(path, true)
}

/// Returns the line of an entry with its locator.
pub(crate) fn entry_line(kind: &str, Line { name, description, locator }: Line<'_>) -> String {
    if description.is_empty() {
        format!("- {name}: ({kind}: {locator})")
    } else {
        format!("- {name}: {description} ({kind}: {locator})")
    }
}

/// Returns the size of the line of an entry with its locator.
pub(crate) fn entry_size(kind: &str, Line { name, description, locator }: Line<'_>) -> Size {
    let marks = Size::ascii(if description.is_empty() { "- : (: )".len() } else { "- :  (: )".len() });
    [kind, name, description, locator].into_iter().map(Size::of).fold(marks, Size::plus)
}

/// Returns the whole block: tags, headings, table, lines.
pub(crate) fn block(intro: &str, body: &Body<'_>, after: &[&str]) -> String {
    let mut parts: Vec<Cow<'_, str>> = vec!["<skills_instructions>".into(), "## Skills".into(), intro.into()];
    if !body.roots.is_empty() {
        parts.push("### Skill roots".into());
        parts.extend(body.roots.iter().map(|root| Cow::from(table_line(root))));
    }
    parts.push("### Available skills".into());
    parts.extend(body.lines.iter().map(Cow::from));
    parts.extend(body.omission.map(Cow::from));
    parts.extend(after.iter().copied().map(Cow::from));
    parts.push("</skills_instructions>".into());
    parts.join("\n")
}

/// Returns the layout with whole locators and, where there are roots, the one with short names.
pub(crate) fn layouts(
    skills: &[Arc<Skill>],
    drafts: &[Draft<'_>],
    unit: Unit,
    aliases: Option<(Aliases, TableCharge)>,
    write: impl for<'p> Fn(&'p str) -> Cow<'p, str>,
) -> Vec<Layout> {
    let mut layouts = vec![Layout {
        locators: drafts.iter().map(|draft| draft.locator.clone().into_owned()).collect(),
        ..Layout::default()
    }];
    layouts.extend(aliases.and_then(|(scheme, charge)| aliased(skills, drafts, unit, scheme, charge, write)));
    layouts
}
