//! Pi 1.6.0, as recorded from the released program: everything that is found and not hidden is listed, in the order in
//! which it was found, with no budget at all (sections 1, 2 and 5 of its notes).
//!
//! Not reproduced: a section that replaces an earlier one is told whole; resuming does not fold it into the first.

use lorimer_activate::{ClosingTags, Part, SkillFragment};
use lorimer_authorize::Gate;
use lorimer_catalog::{AsGiven, Composed, SkillElements, Unbounded};
use lorimer_core::{Budget, Code, Diagnostic, Role};
use lorimer_resolve::{ByName, Duplicates};

use super::Profile;
use super::roots::Surroundings;
use super::roots::pi::TABLE;
use crate::settings::ConfigError;
use crate::{Builder, Host, Refresh, SnapshotOrder};

pub(super) const PROFILE: Profile = Profile {
    name: "pi",
    program: "@earendil-works/pi-coding-agent 1.6.0",
    summary: "every skill whole, in the order of finding, with no budget",
    sources: &["packages/coding-agent/src/core/skills.ts"],
    compose,
};

/// The tools that a model can read a file with, the preferred one first. Without either it is told of no skill.
const READERS: [&str; 2] = ["read", "bash"];

/// The flag that names more places.
const EXTRA: &str = "--skill";

#[expect(clippy::unnecessary_wraps, reason = "the signature of every profile")]
fn compose(host: &Host) -> Result<Builder, ConfigError> {
    let around = Surroundings::of(&TABLE, host);
    let has = |tools: &Option<Vec<String>>, tool: &str| {
        tools.as_ref().is_none_or(|tools| tools.iter().any(|name| name == tool))
    };
    let readers: Vec<&str> = READERS.into_iter().filter(|tool| has(&host.tools, tool)).collect();
    let reader = readers.iter().find(|tool| !host.unnamed_tools.iter().any(|unnamed| unnamed == *tool));
    let format = SkillElements { reader: reader.map(|tool| (*tool).to_owned().into()) };
    let body =
        SkillFragment { part: Part::Instructions, closing_tags: ClosingTags::PassThrough, limit: None };
    let mut diagnostics = around.diagnostics.clone();
    diagnostics.extend(around.paths(EXTRA, None).into_iter().filter(|path| !path.exists()).map(|path| {
        Diagnostic::new(Code::RootMissing, format!("`{EXTRA}` names a place that is not there"))
            .at(path, None)
            .with_help("check the path; a relative one starts at the working directory")
    }));
    Ok(super::sources(&TABLE, &around, host)
        .cataloger(Composed::new(AsGiven, Unbounded, format))
        .resolver(ByName::new(Duplicates::First))
        .activator(body)
        .authorizer(Gate::default())
        .options(|options| {
            options.order = SnapshotOrder::AsFound;
            options.refresh = Refresh::OnReload;
            options.budget = Budget::UNBOUNDED;
            options.listing = !readers.is_empty();
            options.listing_role = Role::System;
            options.diagnostics = diagnostics;
        }))
}
