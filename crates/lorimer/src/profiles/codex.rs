//! Codex CLI 0.171.0, as observed; where the released program and older sources differ, the program is right.
//!
//! Skills of execution environments and of an orchestrator stand in sections of their own and share the budget, by
//! sections 2.3 and 2.8 of its notes; no recording has any. How those skills are found is the host's business: see
//! [`Host::origins`].

use std::path::{Path, PathBuf};

use lorimer_activate::{AppliesTo, BodyLimit, ClosingTags, CutNotice, Part, SkillFragment};
use lorimer_authorize::{Gate, MissingPolicy, RuleSet};
use lorimer_catalog::{
    AsGiven, ByScopeThenName, Composed, ComposedSection, LeftOut, RootedLines, RoundRobin, TableCharge,
    WindowShare,
};
use lorimer_core::{Code, Diagnostic, ScopeOrder, SourceId};
use lorimer_discover::{FsSource, Place, PluginSource, WalkPolicy};
use lorimer_resolve::SigilResolver;
use toml::Value;

use super::roots::Surroundings;
use super::roots::codex::TABLE;
use super::{Profile, rules};
use crate::settings::{ConfigError, Layer, Layers};
use crate::{Builder, Host, Lifecycle, Refresh, SnapshotOrder, Update};

pub(super) const PROFILE: Profile = Profile {
    name: "codex",
    program: "@openai/codex 0.171.0",
    summary: "2 % of the window; every name and path first, then descriptions round-robin",
    sources: &["ext/skills/src/render.rs", "config/src/skills_config.rs", "core/config.schema.json"],
    compose,
};

/// Selected skills are handed over in this order of scopes.
const SELECTION_ORDER: ScopeOrder = ScopeOrder::new(&["project", "user|plugin", "system", "admin"]);
/// The listing stands in this one, so that user skills are the first to be left out.
const LISTING_ORDER: ScopeOrder = ScopeOrder::new(&["system", "admin", "project", "user|plugin"]);
/// Bodies of plugins and of the extension path are cut here; local files never are.
const EXTENSION_BODY_BYTES: usize = 8_000;
/// The variable that moves the program's own folder.
const HOME: &str = "CODEX_HOME";
/// What the unfinished feature `skill_catalog_deltas` tells instead of the whole listing (observed cases 265 to 267).
const DELTAS: Update = Update::NewLines {
    head: "<skills_instructions>\n## Skills update\n### Added or updated skills\n",
    tail: "\n</skills_instructions>",
};
const NONE_LEFT: &str =
    "<skills_instructions>\n## Skills update\nNo skill is available any more.\n</skills_instructions>";

const SQUEEZED_OUT: &str = "<skills_instructions>\n## Host skills update\nThe host has skills, but the other \
     lists left no room for them. `$name` still loads one.\n</skills_instructions>";
const NO_ENVIRONMENT_SKILLS: &str = "<skills_instructions>\n## Skills update\nThe selected environments offer no \
     skill any more.\n</skills_instructions>";
const NO_ORCHESTRATOR_SKILLS: &str = "<skills_instructions>\n## Orchestrator skills update\nThe orchestrator offers \
     no skill any more.\n</skills_instructions>";

/// The lines of skills that do not lie on the host: section 2.3 of the notes. What a table of roots costs there was never
/// measured; section 2.7 has the lengths of the two introductions.
fn extension(kind: &'static str, alias: char) -> RootedLines {
    RootedLines {
        kind,
        alias,
        short_descriptions: true,
        left_out: LeftOut::Counted,
        share_plugin_roots: false,
        aliases: Some(TableCharge { plain_head: 425, alias_head: 237 }),
        ..RootedLines::default()
    }
}

fn compose(host: &Host) -> Result<Builder, ConfigError> {
    let config = Config::read(host)?;
    let roots = super::roots_or(host, &WalkPolicy::six_levels(), || super::rules_of(&TABLE, &config.around));
    let place = config.around.place.clone();
    let source = FsSource::new(SourceId::new("host"), place.clone(), roots, (TABLE.reading)());
    // Folders that are named in the harness's stead leave no room for its plugins.
    let around = Some(&config.around).filter(|_| host.roots.is_empty());
    let plugins: Vec<_> = around
        .into_iter()
        .flat_map(|around| TABLE.plugins.iter().flat_map(|row| row.rules(&TABLE, around)))
        .collect();
    let plugins = PluginSource::new(SourceId::new("plugins"), place, plugins, (TABLE.reading)());
    let window = match config.window {
        Some(window) => Some(host.max_window.map_or(window, |most| window.min(most))),
        None => host.window,
    };
    let host_format = RootedLines { names_only: config.names_only, ..RootedLines::default() };
    let executor = RootedLines { names_only: config.names_only, ..extension("executor package", 'e') };
    let orchestrator =
        RootedLines { names_only: config.names_only, ..extension("orchestrator package", 'o') };
    let cataloger = Composed::new(ByScopeThenName(LISTING_ORDER), RoundRobin, host_format)
        .with_section("host_skills")
        .with_squeezed_out(SQUEEZED_OUT)
        .with_section_before(
            ComposedSection::new("skills", &["environment"], AsGiven, executor)
                .none_left(NO_ENVIRONMENT_SKILLS),
        )
        .with_section_before(
            ComposedSection::new("orchestrator_skills", &["orchestrator"], AsGiven, orchestrator)
                .none_left(NO_ORCHESTRATOR_SKILLS),
        );
    let limit = BodyLimit {
        bytes: EXTENSION_BODY_BYTES,
        applies_to: AppliesTo::EXTENSIONS,
        notice: CutNotice::Silent,
    };
    let fragment =
        SkillFragment { part: Part::WholeFile, closing_tags: ClosingTags::PassThrough, limit: Some(limit) };
    let mut gate = Gate::with_rules(config.rules);
    gate.product = Some("codex".to_owned());
    gate.honour_user_invocable = false;
    gate.missing = MissingPolicy::Ask;
    Ok(Lifecycle::builder()
        .source(super::cached(source, host))
        .source(plugins)
        .cataloger(cataloger)
        .resolver(SigilResolver::new())
        .activator(fragment)
        .authorizer(gate)
        .options(|options| {
            options.order = SnapshotOrder::ByScope(SELECTION_ORDER);
            options.refresh = Refresh::OnReload;
            options.budget = WindowShare::default().budget(window, config.max_context_tokens);
            // With a window of 0 the released program sends no listing at all (recorded case 403).
            options.listing = config.include_instructions && window != Some(0);
            options.update = if config.deltas { DELTAS } else { Update::Whole };
            options.none_left = Some(NONE_LEFT);
            options.diagnostics = config.diagnostics;
        }))
}

/// What Codex reads from its settings.
struct Config {
    around: Surroundings,
    rules: RuleSet,
    include_instructions: bool,
    names_only: bool,
    deltas: bool,
    max_context_tokens: Option<usize>,
    window: Option<u64>,
    diagnostics: Vec<Diagnostic>,
}

impl Config {
    fn read(host: &Host) -> Result<Self, ConfigError> {
        let mut place = Surroundings::of(&TABLE, host).place;
        let system_root = host.system_root.clone().unwrap_or_else(|| PathBuf::from(TABLE.system));
        let codex_home = place.moved(HOME).or_else(|| host.home.as_ref().map(|home| home.join(".codex")));
        let flags = Layer { origin: None, settings: host.settings.clone() };
        let mut files = Vec::new();
        files.extend(Layer::read(&system_root.join("config.toml"))?);
        if let Some(home) = &codex_home {
            files.extend(Layer::read(&home.join("config.toml"))?);
        }

        let mut layers = Layers(files);
        layers.0.push(flags);
        if let Some(markers) = markers(&layers) {
            place.project_markers = markers;
        }

        // Rules come from the user and from this run alone: a project can neither enable nor disable a skill.
        let mut entries = Vec::new();
        for layer in &layers.0 {
            let base = match &layer.origin {
                Some(path) => path.parent().unwrap_or(&host.cwd),
                None => &host.cwd,
            };
            entries.extend(rules::entries(layer, base, host.home.as_deref())?);
        }

        let diagnostics = add_project_layers(&mut layers, &place, codex_home.as_deref())?;
        let window = layers.non_zero("model_context_window")?;
        layers.bool("skills.bundled.enabled", true)?;
        Ok(Self {
            rules: RuleSet::from_entries(entries),
            include_instructions: layers.bool("skills.include_instructions", true)?,
            names_only: layers.bool("features.omit_skill_descriptions", false)?,
            deltas: layers.bool("features.skill_catalog_deltas", false)?,
            max_context_tokens: layers.non_zero("skills.max_context_tokens")?,
            window: window.and_then(|tokens| u64::try_from(tokens).ok()),
            around: Surroundings::with(place, layers, host),
            diagnostics,
        })
    }
}

/// Returns the files that mark a project's root. A setting of the wrong type counts as not set, as in Codex.
fn markers(layers: &Layers) -> Option<Vec<String>> {
    let (_, value) = layers.get("project_root_markers")?;
    value.as_array()?.iter().map(|marker| marker.as_str().map(str::to_owned)).collect()
}

/// Puts the project's own settings below those of this run, outermost directory first, if the user trusts it.
fn add_project_layers(
    layers: &mut Layers,
    place: &Place,
    codex_home: Option<&Path>,
) -> Result<Vec<Diagnostic>, ConfigError> {
    let root = place.project_root().to_path_buf();
    // Trust is a lasting decision of the user's: settings given for one run cannot give it (observed case 023).
    let lasting = Layers(layers.0.iter().filter(|layer| layer.origin.is_some()).cloned().collect());
    let trusted = [&root, &place.cwd].into_iter().any(|folder| is_trusted(&lasting, folder));
    let mut folders: Vec<&Path> =
        place.cwd.ancestors().take_while(|folder| folder.starts_with(&root)).collect();
    folders.reverse();
    let mut diagnostics = Vec::new();
    for folder in folders.into_iter().map(|folder| folder.join(".codex")) {
        if Some(folder.as_path()) == codex_home {
            continue;
        }
        let file = folder.join("config.toml");
        if trusted {
            if let Some(layer) = Layer::read(&file)? {
                let below_flags = layers.0.len().saturating_sub(1);
                layers.0.insert(below_flags, layer);
            }
        } else if folder.is_dir() {
            diagnostics.push(
                Diagnostic::new(
                    Code::ConfigUntrusted,
                    "settings of this folder are ignored; its skills load",
                )
                .at(folder, None)
                .with_help("trust the project in your own config.toml if its settings should count"),
            );
        }
    }
    Ok(diagnostics)
}

fn is_trusted(layers: &Layers, folder: &Path) -> bool {
    let Some((_, projects)) = layers.get("projects") else { return false };
    let level =
        projects.get(folder.to_string_lossy().as_ref()).and_then(|project| project.get("trust_level"));
    level.and_then(Value::as_str) == Some("trusted")
}
