//! Claude Code 2.1.332, as observed; where the released program and its documentation differ, the program is right.
//!
//! Reproduced: where skills and commands come from, the listing with its budget, labels and usage, overrides, permissions
//! and path conditions, and what a call is refused for.
//!
//! Not reproduced: arguments and shell placeholders in bodies, forked skills, notes in place of a second copy, MCP skills,
//! synchronised skills, and the texts of the skills that ship with the program, which are none of ours: the listing is
//! that of `CLAUDE_CODE_DISABLE_BUNDLED_SKILLS=1`. A source of scope `system` stands for them.

mod budget;
mod settings;

use lorimer_activate::BaseDirectoryBlock;
use lorimer_authorize::{CallRule, Permissions, Visibility};
use lorimer_catalog::{Decay, NamesFirst, WholeEntriesByRank};
use lorimer_core::Role;
use lorimer_resolve::{ByName, Duplicates};

use super::Profile;
use super::roots::Surroundings;
use super::roots::claude_code::TABLE;
use crate::settings::ConfigError;
use crate::{Builder, Host, Refresh, SnapshotOrder, Update};
use settings::Config;

pub(super) const PROFILE: Profile = Profile {
    name: "claude-code",
    program: "@anthropic-ai/claude-code 2.1.332",
    summary: "every name, and whole texts by usage within 1 % of the window",
    sources: &[],
    compose,
};

/// The tool that loads skills, as rules name it.
const TOOL: &str = "Skill";
const HEAD: &str = "<system-reminder>\nSkills that the Skill tool can load:\n\n";
const TAIL: &str = "\n</system-reminder>";
/// What is new is told between the same texts (observed cases 185, 269, 300, 301).
const DELTAS: Update = Update::NewEntries { head: HEAD, tail: TAIL };

/// Names of the program's own commands and bundled skills, which no label takes. They count also where the skills
/// themselves are switched off (observed case 327).
const RESERVED: &[&str] = &[
    "add-dir",
    "agents",
    "bug",
    "claude-api",
    "clear",
    "code-review",
    "compact",
    "config",
    "context",
    "cost",
    "dataviz",
    "doctor",
    "exit",
    "export",
    "fewer-permission-prompts",
    "help",
    "hooks",
    "ide",
    "init",
    "install-github-app",
    "keybindings-help",
    "login",
    "logout",
    "loop",
    "mcp",
    "memory",
    "model",
    "permissions",
    "plugin",
    "plugin-authoring",
    "pr-comments",
    "release-notes",
    "reload-plugins",
    "reload-skills",
    "resume",
    "review",
    "rewind",
    "run",
    "security-review",
    "simplify",
    "skill-doctor",
    "skills",
    "status",
    "statusline",
    "terminal-setup",
    "update-config",
    "usage",
    "vim",
    "workflow-authoring",
];

#[expect(clippy::unnecessary_wraps, reason = "the signature of every profile")]
fn compose(host: &Host) -> Result<Builder, ConfigError> {
    let place = Surroundings::place(&TABLE, host);
    let Config { layers, overrides, deny, ask, allow, most_units, fraction, diagnostics } =
        Config::read(host, &place);
    let usage = host.usage.clone().unwrap_or_else(|| settings::usage(host, &place));
    let bare = overrides.iter().filter(|(_, visibility)| **visibility == Visibility::NameOnly);
    let cataloger = NamesFirst {
        ranking: WholeEntriesByRank {
            weights: usage.weights(host.now, Decay::default()),
            system_first: true,
            ..WholeEntriesByRank::default()
        },
        most_units,
        splits: true,
        bare: bare.map(|(name, _)| name.clone()).collect(),
        reserved: RESERVED,
        head: HEAD,
        tail: TAIL,
        ..NamesFirst::default()
    };
    let has_tool = host.tools.as_ref().is_none_or(|tools| tools.iter().any(|tool| tool == TOOL));
    let listing =
        has_tool && !deny.contains(&CallRule::Every) && !settings::is_on(&layers, "--disable-slash-commands");
    let root = place.project_root();
    let opened =
        host.opened.iter().filter_map(|file| Some(file.strip_prefix(root).ok()?.to_path_buf())).collect();
    let around = Surroundings::with(place, layers, host);
    Ok(super::sources(&TABLE, &around, host)
        .cataloger(cataloger)
        .resolver(ByName::new(Duplicates::First).with_labels_but(RESERVED).with_slash())
        .activator(BaseDirectoryBlock)
        .authorizer(Permissions { overrides, deny, ask, allow, opened })
        .options(|options| {
            options.order = SnapshotOrder::AsFound;
            options.refresh = Refresh::OnReload;
            options.budget = budget::of(host, fraction);
            options.listing = listing;
            options.listing_role = Role::User;
            options.update = DELTAS;
            options.diagnostics = diagnostics;
        }))
}
