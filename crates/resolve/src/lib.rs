//! Resolve: mentions, selections and tool names to skill identities.
//!
//! A [`Resolver`] never reads a file and never guesses: ambiguity is an answer.
//!
//! [`SigilResolver`] answers all three ways of asking: texts with `$name` in them, selections of a user interface,
//! and a name that the model passed to a tool. For the last one it asks its [`ByName`] part, which can also be used
//! alone.
//!
//! ```
//! use lorimer_core::{Locator, SameName, Skill, SkillId, SnapshotBuilder, SourceId};
//! use lorimer_resolve::{ResolveRequest, Resolver, SigilResolver};
//!
//! let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/tidy/SKILL.md".into()));
//! let mut builder = SnapshotBuilder::default();
//! builder.push(Skill::new(id.clone(), "tidy", "Tidies up.")).expect("the first of its identity");
//! let refused = lorimer_resolve::Refusals::default();
//! let request = ResolveRequest {
//!     texts: &["please $tidy this, not that"],
//!     structured: &[],
//!     call: None,
//!     connectors: &[],
//!     refused: &refused,
//!     same_name: SameName::Apart,
//! };
//! let resolution = SigilResolver::new().resolve(&builder.finish(), &request);
//! assert_eq!(resolution.selected[0].skill, id);
//! assert_eq!(resolution.selected[0].place, Some((0, 7..12)));
//! ```

mod by_name;
mod by_place;
mod called;
mod commands;
mod mention;
mod options;
mod references;
mod refusals;
mod resolver;
mod sigil;
mod similar;

pub use by_name::{ByName, Duplicates};
pub use by_place::{ByPlace, PlaceCommand};
pub use commands::{Command, commands};
pub use mention::{Mention, Syntax, mentions};
pub use options::Options;
pub use references::CommandReferences;
pub use refusals::Refusals;
pub use resolver::{Call, Reason, Resolution, ResolveRequest, Resolver, Selected, Structured, Unresolved};
pub use sigil::SigilResolver;
