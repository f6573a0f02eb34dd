//! DeepSeek Harness 0.1.0-rc.8, as recorded from the released packages: names and descriptions of bounded length, with no
//! budget over them all (sections 1, 2 and 5 of its notes).
//!
//! Not reproduced: one link that leads to itself makes the program find nothing at all; here it costs nothing but itself.

use lorimer_activate::{ClosingTags, ToolResult};
use lorimer_authorize::Gate;
use lorimer_catalog::{ByNameUtf16, Composed, QuotedNames, Unbounded};
use lorimer_core::{Budget, Role};
use lorimer_resolve::{ByName, Duplicates};

use super::Profile;
use super::roots::Surroundings;
use super::roots::deepseek::{FILE_SERVICE, TABLE, raw_reading};
use crate::settings::ConfigError;
use crate::{Builder, Host, Refresh, SnapshotOrder};

pub(super) const PROFILE: Profile = Profile {
    name: "deepseek",
    program: "@deepseek-ai/dsh 0.1.0-rc.8",
    summary: "every name with at most 500 units of its description, with no budget",
    sources: &["packages/skill/tool-skill"],
    compose,
};

/// The setting for the longest description.
const MOST: &str = "catalogDescriptionMaxLength";
/// The tool by which the model loads a skill; without it the model is told of none.
const TOOL: &str = "skill";

fn compose(host: &Host) -> Result<Builder, ConfigError> {
    let around = Surroundings::of(&TABLE, host);
    let most = around.layers().at_least(MOST, 3)?.unwrap_or(QuotedNames::default().most);
    let listing = host.tools.as_ref().is_none_or(|tools| tools.iter().any(|tool| tool == TOOL));
    let gate = Gate { honour_user_invocable: true, ..Gate::default() };
    let raw = !around.layers().bool(FILE_SERVICE, true)?;
    let reading = if raw { raw_reading() } else { (TABLE.reading)() };
    Ok(super::sources_read(&TABLE, &around, host, reading)
        .cataloger(Composed::new(ByNameUtf16, Unbounded, QuotedNames { most }))
        .resolver(ByName::new(Duplicates::First))
        .activator(ToolResult { closing_tags: ClosingTags::PassThrough, ..ToolResult::default() })
        .authorizer(gate)
        .options(|options| {
            options.order = SnapshotOrder::ByName;
            options.refresh = Refresh::OnReload;
            options.budget = Budget::UNBOUNDED;
            options.listing = listing;
            options.listing_role = Role::User;
            options.none_left = Some(NONE_LEFT);
            options.diagnostics.clone_from(&around.diagnostics);
        }))
}

const NONE_LEFT: &str = "<system-reminder>\nThis list of skills takes the place of all earlier ones: none can be loaded any \
     more.\n<available_skills>\n</available_skills>\n</system-reminder>";
