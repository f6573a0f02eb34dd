//! OpenClaw 2026.9.6 with its own loader, as recorded from the released program: what is found, who is eligible, the
//! listing under its limits, and the squeeze for small windows. The rules are those of sections 1 to 5 of its notes.
//!
//! Settings come from `openclaw.json` in the state folder and from this run, under the program's keys. A number that
//! cannot be used is refused.
//!
//! Not reproduced: skills of plugins other than those that the program has linked, of nodes and of libraries; whether a
//! configured secret can be had (it counts as there); keys of skills in `.openclaw/source-origin.json`; overrides of a
//! session; the environment of a run; the sandbox's copies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use lorimer_activate::SkillReference;
use lorimer_authorize::{Requirements, SkillSettings};
use lorimer_catalog::{Collated, CompactThenPrefix, ShownPaths, ShownRoot};
use lorimer_core::{Budget, Role, ScopeOrder, SourceId, Unit};
use lorimer_discover::{DistinctSource, FsSource, Keep, RootRule, WalkPolicy, resolve};
use lorimer_resolve::CommandReferences;
use toml::{Table, Value};

use super::Profile;
use super::roots::openclaw::TABLE;
use super::roots::{MadeRule, Surroundings, walks};
use crate::programs::ProgramsIn;
use crate::settings::{ConfigError, Layers, Settings};
use crate::{Builder, Host, Lifecycle, Refresh, SnapshotOrder};

pub(super) const PROFILE: Profile = Profile {
    name: "openclaw",
    program: "openclaw 2026.9.6",
    summary: "18,000 characters; names and places first, then descriptions cut alike, then the first ones only",
    sources: &["src/skills/loading/skill-prompt-limits.ts", "src/skills/loading/skill-contract.ts"],
    compose,
};

/// All in one order of names, but for where the session works: those stand behind.
const ORDER: ScopeOrder = ScopeOrder::new(&["project|user|plugin|admin|system|orchestrator"]);
/// The agent that has no name.
const AGENT: &str = "main";
/// Tiers whose skills are shown where they really are.
const SHOWN_AS_THEY_ARE: [&str; 2] = ["openclaw-managed", "agents-skills-personal"];
/// Settings that are on where nothing says otherwise.
const ON_BY_DEFAULT: &[&str] = &["browser.enabled", "browser.evaluateEnabled"];
/// The tool by which the model reads a skill.
const READ: &str = "read";

/// Names of the program's own commands, which skills cannot have.
const COMMANDS: &[&str] = &[
    "acp",
    "activation",
    "agents",
    "allowlist",
    "approve",
    "bash",
    "btw",
    "commands",
    "compact",
    "config",
    "context",
    "crestodian",
    "debug",
    "diagnostics",
    "elev",
    "elevated",
    "exec",
    "export",
    "export-session",
    "export-trajectory",
    "fast",
    "focus",
    "handoff",
    "help",
    "id",
    "kill",
    "mcp",
    "model",
    "models",
    "new",
    "plugin",
    "plugins",
    "queue",
    "reason",
    "reasoning",
    "reset",
    "restart",
    "resume",
    "send",
    "session",
    "side",
    "skill",
    "status",
    "steer",
    "stop",
    "subagents",
    "t",
    "tasks",
    "tell",
    "think",
    "thinking",
    "tools",
    "trace",
    "trajectory",
    "tts",
    "unfocus",
    "usage",
    "v",
    "verbose",
    "whoami",
];

fn compose(host: &Host) -> Result<Builder, ConfigError> {
    let around = Surroundings::of(&TABLE, host);
    let limits = Limits::read(around.layers(), host.agent.as_deref().unwrap_or(AGENT))?;
    let settings = around.layers().merged();
    let made = TABLE.rules(&around);
    let shown = shown_roots(&made, &around);
    let walk = limits.walk(walks::grouped());
    let rules = super::roots_or(host, &walk, || {
        let limited = |made: MadeRule| {
            let walk = limits.walk(made.rule.walk.clone());
            made.rule.with_walk(walk)
        };
        made.into_iter().map(limited).collect::<Vec<RootRule>>()
    });
    let mut reading = (TABLE.reading)();
    reading.max_file_bytes = limits.file_bytes.or(reading.max_file_bytes);
    let source = FsSource::new(SourceId::new("host"), around.place.clone(), rules, reading);
    let source = super::cached(source.with_openai_yaml(false), host);

    let mut cataloger = CompactThenPrefix::new(Collated(ORDER));
    cataloger.most_entries = limits.entries.unwrap_or(cataloger.most_entries);
    let window = host.window.filter(|window| *window > 0);
    cataloger.squeeze = window.map(|window| usize::try_from(window / 5).unwrap_or(usize::MAX));
    cataloger.paths = ShownPaths { homes: homes(host), roots: shown };

    let watch = around.layers().bool("skills.load.watch", true)?;
    let can_read = host.tools.as_ref().is_none_or(|tools| tools.iter().any(|tool| tool == READ));
    Ok(Lifecycle::builder()
        .source(DistinctSource::new(source, Keep::Last))
        .cataloger(cataloger)
        .resolver(CommandReferences::with_reserved(COMMANDS))
        .activator(SkillReference::default())
        .authorizer(requirements(&settings, host))
        .options(|options| {
            options.order = SnapshotOrder::Collated(ORDER);
            options.refresh = if watch { Refresh::EveryTurn } else { Refresh::OnReload };
            options.budget = Budget { unit: Unit::Utf16, limit: Some(limits.chars) };
            options.listing = can_read;
            options.listing_role = Role::System;
            options.diagnostics = around.diagnostics;
        }))
}

/// The program's limits; `None` is its own number where a policy has it.
struct Limits {
    entries: Option<usize>,
    chars: usize,
    candidates: Option<usize>,
    loaded: Option<usize>,
    file_bytes: Option<usize>,
}

impl Limits {
    fn read(layers: &Layers, agent: &str) -> Result<Self, ConfigError> {
        let limit = |name: &str, least| layers.at_least(&format!("skills.limits.{name}"), least);
        let of_agent = format!("agents.entries.{agent}.skillsLimits.maxSkillsPromptChars");
        let chars = limit("maxSkillsPromptChars", 0)?;
        Ok(Self {
            entries: limit("maxSkillsInPrompt", 0)?,
            chars: layers.at_least(&of_agent, 0)?.or(chars).unwrap_or(18_000),
            candidates: limit("maxCandidatesPerRoot", 1)?,
            loaded: limit("maxSkillsLoadedPerSource", 1)?,
            file_bytes: limit("maxSkillFileBytes", 0)?,
        })
    }

    /// Returns the walk with these limits; those of directories and entries follow from that of candidates.
    fn walk(&self, mut walk: WalkPolicy) -> WalkPolicy {
        walk.max_children = self.candidates.unwrap_or(walk.max_children);
        walk.max_skills = self.loaded.unwrap_or(walk.max_skills);
        let candidates = walk.max_children;
        walk.max_directories = candidates.saturating_mul(6);
        walk.max_listed = candidates.saturating_mul(10).clamp(1_000, 10_000);
        walk.max_entries = walk.max_listed.saturating_mul(candidates.saturating_add(1));
        walk
    }
}

/// Returns how the skills of the roots are shown: of some tiers where they really are, of others below the root as it
/// is named, though that may be a link.
fn shown_roots(made: &[MadeRule], around: &Surroundings) -> Vec<ShownRoot> {
    let rules: Vec<RootRule> = made.iter().map(|made| made.rule.clone()).collect();
    let label = |rule: usize| Some(TABLE.roots.get(made.get(rule)?.row)?.label);
    let shown = resolve(&around.place, &rules).into_iter().map(|root| {
        let named = without_parents(&root.path);
        let real = root.path.canonicalize().unwrap_or_else(|_| root.path.clone());
        let as_it_is = label(root.rule).is_some_and(|label| SHOWN_AS_THEY_ARE.contains(&label));
        ShownRoot { real, shown: (!as_it_is).then_some(named) }
    });
    shown.filter(|root| root.shown.as_ref() != Some(&root.real)).collect()
}

/// Takes `..` and the folder in front of it out of a path, as the program writes its roots.
fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

/// Returns the home directory under its names: as it is given, and as it really is.
fn homes(host: &Host) -> Vec<PathBuf> {
    let real = host.home.as_ref().and_then(|home| home.canonicalize().ok());
    host.home.iter().cloned().chain(real).collect()
}

fn requirements(settings: &Settings, host: &Host) -> Requirements {
    let table = |key: &str| settings.get(key).and_then(Value::as_table);
    let agent = host.agent.as_deref().unwrap_or(AGENT);
    let own = table("agents.entries").and_then(|entries| entries.get(agent)?.get("skills"));
    let only = own.or_else(|| settings.get("agents.defaults.skills")).and_then(names);
    Requirements {
        settings: table("skills.entries").map(of_skills).unwrap_or_default(),
        bundled: settings.get("skills.allowBundled").and_then(names).unwrap_or_default(),
        only,
        platform: match std::env::consts::OS {
            "macos" => "darwin",
            "windows" => "win32",
            other => other,
        }
        .to_owned(),
        environment: host.environment.clone(),
        config: settings.to_json(),
        on_by_default: ON_BY_DEFAULT,
        programs: Arc::new(ProgramsIn(host.programs.clone())),
    }
}

/// Returns the names of a list, trimmed.
fn names(value: &Value) -> Option<BTreeSet<String>> {
    let items = value.as_array()?.iter().filter_map(Value::as_str);
    Some(items.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// Reads `skills.entries`. Values of variables and keys are not kept: only that they are set counts here.
fn of_skills(entries: &Table) -> BTreeMap<String, SkillSettings> {
    let is_set = |value: &Value| value.as_str().is_none_or(|text| !text.trim().is_empty());
    let read = |(key, entry): (&String, &Value)| {
        let env = entry.get("env").and_then(Value::as_table).into_iter().flatten();
        let settings = SkillSettings {
            disabled: entry.get("enabled").and_then(Value::as_bool) == Some(false),
            env: env.filter(|(_, value)| is_set(value)).map(|(name, _)| name.clone()).collect(),
            has_key: entry.get("apiKey").is_some_and(is_set),
        };
        (key.clone(), settings)
    };
    entries.iter().map(read).collect()
}
