//! The `load_skill` lesson: a listing in the system prompt, bodies through one tool, nothing bounded.
//!
//! Quirks of the lesson that are kept: only LF frontmatter counts, a missing description is shown as `undefined`,
//! of two skills with one name both are listed and the last one loads.

use lorimer_activate::{ClosingTags, ToolResult};
use lorimer_authorize::AllowAll;
use lorimer_catalog::{AsGiven, Composed, PlainLines, Unbounded};
use lorimer_core::{Budget, Role};
use lorimer_resolve::{ByName, Duplicates};

use super::Profile;
use super::roots::Surroundings;
use super::roots::harnessx::TABLE;
use crate::settings::ConfigError;
use crate::{Builder, Host, Refresh, SnapshotOrder};

pub(super) const PROFILE: Profile = Profile {
    name: "harnessx",
    program: "HarnessX, lesson 7",
    summary: "every description in the system prompt, bodies through the load_skill tool",
    sources: &[],
    compose,
};

#[expect(clippy::unnecessary_wraps, reason = "the signature of every profile")]
fn compose(host: &Host) -> Result<Builder, ConfigError> {
    let around = Surroundings::of(&TABLE, host);
    let result = ToolResult { closing_tags: ClosingTags::PassThrough, ..ToolResult::default() };
    Ok(super::sources(&TABLE, &around, host)
        .cataloger(Composed::new(AsGiven, Unbounded, PlainLines::default()))
        .resolver(ByName::new(Duplicates::Last))
        .activator(result)
        .authorizer(AllowAll)
        .options(|options| {
            options.order = SnapshotOrder::AsFound;
            options.refresh = Refresh::OnReload;
            options.budget = Budget::UNBOUNDED;
            options.listing_role = Role::System;
            options.most_names = None;
        }))
}
