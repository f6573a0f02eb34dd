//! Catalog: the listing that the model sees, inside a budget, with a row for every skill.
//!
//! A [`Cataloger`] never touches a file; the same request gives the same bytes.
//!
//! [`Composed`] builds one from three parts that are swapped one by one: an [`Order`] (who stands first), an
//! [`Allocation`] (who gets how many characters) and a [`Format`] (how a line looks).
//!
//! ```
//! use std::sync::Arc;
//! use lorimer_catalog::{AsGiven, CatalogRequest, Cataloger, Composed, PlainLines, Unbounded};
//! use lorimer_core::{Budget, Locator, Skill, SkillId, SourceId};
//!
//! let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/a/SKILL.md".into()));
//! let skills = [Arc::new(Skill::new(id, "a", "Does a."))];
//! let cataloger = Composed::new(AsGiven, Unbounded, PlainLines::default());
//! let catalog = cataloger.catalog(&CatalogRequest { skills: &skills, budget: Budget::UNBOUNDED, input: None });
//! assert_eq!(catalog.text(), "- a: Does a.");
//! ```

mod aliases;
mod allocation;
mod budget;
mod cataloger;
mod compact_then_prefix;
mod compose;
mod elements;
mod estimate;
mod format;
mod grouped;
mod json;
mod lines;
mod names_first;
mod native;
mod order;
mod plain;
mod purse;
mod quoted_names;
mod report;
mod rooted;
mod round_robin;
mod script_text;
mod shown_paths;
mod skill_elements;
mod tokens;
mod usage;
mod whole_entries;

pub use aliases::TableCharge;
pub use allocation::{Allocation, Demand, Share, Unbounded};
pub use budget::WindowShare;
pub use cataloger::{Catalog, CatalogRequest, Cataloger, Disposition, Entry, RootAlias, Section};
pub use compact_then_prefix::CompactThenPrefix;
pub use compose::{Composed, ComposedSection};
pub use estimate::Estimate;
pub use format::{Body, Cut, Draft, Format, Layout, Line};
pub use grouped::GroupedIndex;
pub use json::JsonIndex;
pub use lines::LineBreaks;
pub use names_first::{NamesFirst, one_line, usable_label};
pub use native::NativeLines;
pub use order::{AsGiven, ByNameUtf16, ByScopeThenName, Collated, Order};
pub use plain::PlainLines;
pub use quoted_names::QuotedNames;
pub use report::Figures;
pub use rooted::{DescriptionCap, LeftOut, RootedLines};
pub use round_robin::RoundRobin;
pub use shown_paths::{ShownPaths, ShownRoot};
pub use skill_elements::SkillElements;
#[cfg(feature = "o200k")]
pub use tokens::O200k;
pub use tokens::{BytesPerToken, TokenCounter};
pub use usage::{Decay, Usage, Used};
pub use whole_entries::{Misfit, Rest, WholeEntriesByRank};
