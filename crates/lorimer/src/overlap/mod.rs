//! Skills that a model would confuse: copies, near copies, descriptions that say the same (S0-16).
//!
//! Values in, values out: [`overlap`] compares [`Document`]s and answers with groups, each with what makes its members
//! alike, which one to keep, and what would be lost with the others. [`documents`] reads them.
//!
//! Words count by how rare they are, in the set and in descriptions of skills at large; phrases that many names share
//! are a template's and count for little. Two skills that are each named after something the other never mentions, as
//! Slack and Discord, are not confused, however alike their texts are.
//!
//! ```
//! use lorimer::overlap::{Document, Level, Options, overlap};
//! let skill = |name: &str, description: &str| Document { id: name.to_owned(), name: name.to_owned(),
//!     description: description.to_owned(), ..Document::default() };
//! let found = overlap(&[
//!     skill("pdf-tables", "Extracts tables from PDF invoices into spreadsheets."),
//!     skill("invoice-reader", "Extract the tables of PDF invoices into a spreadsheet."),
//!     skill("brew-tea", "Brews a pot of tea."),
//! ], &Options::default());
//! assert_eq!(found.groups.len(), 1);
//! assert_eq!(found.pairs[0].level(), Some(Level::Description));
//! ```

mod candidates;
mod common;
mod compare;
mod features;
mod groups;
mod lost;
mod minhash;
mod read;
mod report;
mod weights;
mod words;

use std::str::FromStr;

use lorimer_core::Digest;

use self::compare::Set;
pub use self::groups::{Group, Member, Why};
pub use self::lost::Lost;
pub use self::read::{document, documents};
pub use self::report::{CheckpointReport, GroupReport, MemberReport, OverlapReport, PairReport};

/// From so many skills on, an audit pays (S0-17). It is advice.
pub const CHECKPOINT: usize = 100;

/// A skill as it is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Stands for the skill; no two documents share it. It breaks ties.
    pub id: String,
    /// The name by which it is called.
    pub name: String,
    /// The description, and with it whatever else tells a model when to use the skill.
    pub description: String,
    /// The instructions, without the frontmatter.
    pub body: String,
    /// State of the whole file; documents with the same one are copies. `None` is not known.
    pub digest: Option<Digest>,
    /// Names of the files beside it, below its folder.
    pub files: Vec<String>,
    /// Its place among all, the nearest first; several may share one.
    pub nearness: usize,
}

/// How two skills may be confused; what is ever harder to tell apart is ever greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Their names are the same, or differ in one letter or in the order of their words.
    Name,
    /// Their descriptions share the words that say what they are about.
    Subject,
    /// Their descriptions say nearly the same.
    Description,
    /// Their instructions are nearly the same.
    NearCopy,
    /// Their files are the same, byte for byte.
    Copy,
}

impl Level {
    /// Every level, the least first.
    pub const ALL: [Self; 5] = [Self::Name, Self::Subject, Self::Description, Self::NearCopy, Self::Copy];

    /// Returns the level's name on command lines and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Subject => "subject",
            Self::Description => "description",
            Self::NearCopy => "near-copy",
            Self::Copy => "copy",
        }
    }
}

/// The text names no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a level (name, subject, description, near-copy, copy)")]
pub struct ParseLevelError(String);

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let level = Self::ALL.into_iter().find(|level| level.as_str() == text);
        level.ok_or_else(|| ParseLevelError(text.to_owned()))
    }
}

/// What counts as alike. The thresholds were set by reading pairs of public skills; higher ones lose more that are
/// alike than they spare that are not, because what is left are members of one family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Pairs below this level are not told.
    pub min: Level,
    /// Least likeness of two bodies for [`Level::NearCopy`].
    pub body: f64,
    /// Least likeness of two descriptions for [`Level::Description`].
    pub description: f64,
    /// Least likeness of two descriptions for [`Level::Subject`].
    pub subject: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { min: Level::Name, body: 0.7, description: 0.6, subject: 0.36 }
    }
}

/// How alike two skills are, each in 0..=1, the same whichever is asked first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    /// Share of the runs of four words that both bodies have; 0 when either has no words.
    pub body: f64,
    /// Share of the shorter body's runs that the other has.
    pub contained: f64,
    /// Share of the weight of the words that both names and descriptions have.
    pub description: f64,
    /// Whether the names are the same or nearly.
    pub name: bool,
}

/// What two skills are to each other.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// A model would confuse them.
    Alike(Level),
    /// Their texts are alike, and each is named after something that the other never mentions.
    Apart {
        /// What the left one is about, as it is written there.
        left: Vec<String>,
        /// What the right one is about.
        right: Vec<String>,
    },
    /// Nothing to confuse.
    Unlike,
}

/// Two skills side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Place of the one in the documents.
    pub left: usize,
    /// Place of the other.
    pub right: usize,
    /// What they are to each other.
    pub verdict: Verdict,
    /// How alike they are.
    pub likeness: Likeness,
    /// Words of name and description that both have, the weightiest first.
    pub shared: Vec<String>,
    /// Words that only the left one has, the weightiest first.
    pub left_only: Vec<String>,
    /// Words that only the right one has, the weightiest first.
    pub right_only: Vec<String>,
}

impl Pair {
    /// Returns how they may be confused; `None` when they are told apart.
    pub fn level(&self) -> Option<Level> {
        match self.verdict {
            Verdict::Alike(level) => Some(level),
            Verdict::Apart { .. } | Verdict::Unlike => None,
        }
    }
}

/// What a comparison of many skills came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlap {
    /// Skills that would be confused with each other, the most alike first. No skill is in two groups.
    pub groups: Vec<Group>,
    /// Pairs that are alike, the most alike first. Of copies only those with the first of them are here.
    pub pairs: Vec<Pair>,
    /// Pairs whose texts are alike and whose subjects are not.
    pub apart: Vec<Pair>,
}

impl Overlap {
    /// Returns how many skills have another one that they may be confused with (S0-15).
    pub fn confusable(&self) -> usize {
        let places = self.pairs.iter().flat_map(|pair| [pair.left, pair.right]);
        places.collect::<std::collections::BTreeSet<_>>().len()
    }
}

/// Compares all documents. The answer does not depend on their order.
pub fn overlap(documents: &[Document], options: &Options) -> Overlap {
    let set = Set::new(documents);
    let mut pairs = set.copies();
    let mut apart = Vec::new();
    for (left, right) in candidates::find(&set, options) {
        let pair = set.compare(left, right, options);
        match pair.verdict {
            Verdict::Alike(_) => pairs.push(pair),
            Verdict::Apart { .. } => apart.push(pair),
            Verdict::Unlike => {}
        }
    }
    pairs.retain(|pair| pair.level() >= Some(options.min));
    set.sort(&mut pairs);
    set.sort(&mut apart);
    let groups = groups::group(&set, &pairs);
    Overlap { groups, pairs, apart }
}

/// Compares one skill with all others and returns the `most` that are nearest to it, the nearest first. The skill is the
/// left one of each pair, and its place is the number of documents.
pub fn nearest(skill: &Document, documents: &[Document], options: &Options, most: usize) -> Vec<Pair> {
    let mut all = documents.to_vec();
    all.push(skill.clone());
    let set = Set::new(&all);
    let mut pairs: Vec<Pair> =
        (0..documents.len()).map(|place| set.compare(documents.len(), place, options)).collect();
    set.sort(&mut pairs);
    pairs.truncate(most);
    pairs
}

/// Returns what `skill` says, has and is called by that `other` does not.
pub fn only_in(skill: &Document, other: &Document) -> Lost {
    let both = [skill.clone(), other.clone()];
    lost::lost(&Set::new(&both), 0, 1)
}
