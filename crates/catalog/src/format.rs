//! Format: how a line looks, and what stands around the lines.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use lorimer_core::text::first_chars;
use lorimer_core::{Size, Skill, Unit};

use crate::cataloger::RootAlias;

/// An entry as the format would show it whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft<'a> {
    /// The name.
    pub name: Cow<'a, str>,
    /// The description, at its longest.
    pub description: Cow<'a, str>,
    /// The locator without any alias; empty where the format shows none.
    pub locator: Cow<'a, str>,
    /// Characters of the skill's description, before the format itself held anything back.
    pub whole: usize,
    /// Characters at the end of `description` that the format added, as the mark of a capped one.
    pub added: usize,
}

/// One way to write the locators. A format offers several where it cannot know which one is cheaper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The locator of each skill.
    pub locators: Vec<String>,
    /// The table that explains them.
    pub roots: Vec<RootAlias>,
    /// What the layout costs besides its lines, in the budget's unit.
    pub charge: usize,
}

/// The parts of one line.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The name.
    pub name: &'a str,
    /// The description as shown; empty for the form without one.
    pub description: &'a str,
    /// The locator.
    pub locator: &'a str,
}

/// The beginning of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut<'d> {
    /// The text as shown.
    pub text: Cow<'d, str>,
    /// How many characters of the description it shows; a mark at its end does not count.
    pub kept: usize,
}

/// What a section is made of.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The lines of the entries that are shown, without line feeds.
    pub lines: &'a [String],
    /// The table of roots.
    pub roots: &'a [RootAlias],
    /// The line about omissions, where there is one.
    pub omission: Option<&'a str>,
    /// How many skills there are, shown or not.
    pub total: usize,
}

/// How a listing looks.
///
/// # Contract
///
/// * A line holds no line feed, whatever the skill's texts hold; or it is one element, which ends where it ends whatever
///   they hold.
/// * A description adds its own characters to a line and a constant number of others, and an empty one adds
///   nothing, so that lines can be sized before they are written.
pub trait Format: Send + Sync + fmt::Debug {
    /// Returns the entry of this skill.
    fn draft<'s>(&self, skill: &'s Skill) -> Draft<'s>;

    /// Returns one line, without its line feed.
    fn line(&self, line: Line<'_>) -> String;

    /// Returns the size of one line, without its line feed. The default writes the line; who can tell without doing so
    /// makes long listings cheaper.
    fn size(&self, line: Line<'_>) -> Size {
        Size::of(&self.line(line))
    }

    /// Returns the text of the section; `None` when there is nothing to say.
    fn section(&self, body: &Body<'_>) -> Option<String>;

    /// Returns the ways to write the locators. Where two are equally good, the earlier one is taken. The default
    /// is one layout with the locators of the drafts.
    fn layouts(&self, skills: &[Arc<Skill>], drafts: &[Draft<'_>], unit: Unit) -> Vec<Layout> {
        let _ = (skills, unit);
        vec![Layout {
            locators: drafts.iter().map(|draft| draft.locator.clone().into_owned()).collect(),
            ..Layout::default()
        }]
    }

    /// Returns the beginning of a description, in at most `chars` characters and no more bytes than its first
    /// `chars` characters have. The default is exactly these.
    fn cut<'d>(&self, description: &'d str, chars: usize) -> Cut<'d> {
        Cut { text: first_chars(description, chars).into(), kept: chars }
    }

    /// Returns the line that says how many skills are left out. It is charged to the budget. The default is none.
    fn omission(&self, omitted: usize) -> Option<String> {
        let _ = omitted;
        None
    }
}
