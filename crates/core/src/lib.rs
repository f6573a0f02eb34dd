//! The vocabulary that the stages of the skill lifecycle share.
//!
//! Everything that crosses a wall between two stages is a value in this crate: identities ([`SkillId`],
//! [`Locator`]), what a source offers ([`Skill`], [`Snapshot`]), what goes wrong with one skill
//! ([`Diagnostic`]), what is handed to a model ([`ContextItem`]) and what is told about it ([`Event`]).
//!
//! The crate does no I/O and reads no clock, no environment and no globals.

mod budget;
mod code;
mod collate;
mod content;
mod context;
mod diagnostic;
mod diff;
mod digest;
mod event;
mod fix;
mod id;
mod revision;
mod same_name;
mod scope;
mod skill;
mod snapshot;
mod standard;
mod standing;
pub mod text;

pub use budget::{Budget, Size, Unit};
pub use code::{Code, CodeInfo, UnknownCode};
pub use collate::{CollationKey, collation_key};
pub use content::{Content, ReadLimit};
pub use context::{ContextItem, Role, kind};
pub use diagnostic::{Diagnostic, Location, Severity, Span};
pub use diff::{Aspect, ChangedSkill, FindingDiff, SnapshotDiff};
pub use digest::{Digest, Hasher, ParseDigestError};
pub use event::{Event, SectionRendered};
pub use fix::{Edit, Fix};
pub use id::{Locator, ParseIdError, SkillId, SourceId};
pub use revision::Revision;
pub use same_name::{Claims, SameName};
pub use scope::{ParseScopeError, Scope, ScopeOrder};
pub use skill::{Dependency, Group, Interface, Policy, Provenance, Root, Skill};
pub use snapshot::{Snapshot, SnapshotBuilder};
pub use standing::{Refusal, Route};
