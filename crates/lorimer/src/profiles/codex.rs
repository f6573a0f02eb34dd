//! Codex CLI 0.171.0, as observed; where the released program and older sources differ, the program is right.
//!
//! Not reproduced: plugins, and skills of execution environments and orchestrators.

use std::path::{Path, PathBuf};

use lorimer_activate::{AppliesTo, BodyLimit, ClosingTags, CutNotice, Part, SkillFragment};
use lorimer_authorize::{Gate, MissingPolicy, RuleSet};
use lorimer_catalog::{ByScopeThenName, Composed, RootedLines, RoundRobin, WindowShare};
use lorimer_core::{Code, Diagnostic, Scope, ScopeOrder, SourceId};
use lorimer_discover::{FsSource, Place, Reading, RootBase, RootRule, UpwardOrder, WalkPolicy};
use lorimer_resolve::SigilResolver;
use toml::Value;

use super::{Profile, rules};
use crate::settings::{ConfigError, Layer, Layers};
use crate::{Builder, Host, Lifecycle, Refresh, SnapshotOrder, Update};

pub(super) const PROFILE: Profile = Profile {
    name: "codex",
    program: "@openai/codex 0.171.0",
    summary: "2 % of the window; every name and path first, then descriptions round-robin",
    compose,
};

/// Selected skills are handed over in this order of scopes.
const SELECTION_ORDER: ScopeOrder = ScopeOrder::new(&["project", "user", "system", "admin"]);
/// The listing stands in this one, so that user skills are the first to be left out.
const LISTING_ORDER: ScopeOrder = ScopeOrder::new(&["system", "admin", "project", "user"]);
/// Bodies of plugins and of the extension path are cut here; local files never are.
const EXTENSION_BODY_BYTES: usize = 8_000;
const SYSTEM_ROOT: &str = "/etc/codex";
/// What the unfinished feature `skill_catalog_deltas` tells instead of the whole listing (observed cases 265 to 267).
const DELTAS: Update = Update::NewLines {
    head: "<skills_instructions>\n## Skills update\n### Added or updated skills\n",
    tail: "\n</skills_instructions>",
};
const NONE_LEFT: &str =
    "<skills_instructions>\n## Skills update\nNo skill is available any more.\n</skills_instructions>";

fn compose(host: &Host) -> Result<Builder, ConfigError> {
    let config = Config::read(host)?;
    let roots = super::roots_or(host, &WalkPolicy::six_levels(), || roots(&config));
    let source = FsSource::new(SourceId::new("host"), config.place.clone(), roots, Reading::trimmed_fences());
    let window = match config.window {
        Some(window) => Some(host.max_window.map_or(window, |most| window.min(most))),
        None => host.window,
    };
    let format = RootedLines { names_only: config.names_only, ..RootedLines::default() };
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
        .source(source)
        .cataloger(Composed::new(ByScopeThenName(LISTING_ORDER), RoundRobin, format))
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

/// Where Codex looks, in its order; of a folder that is reached by two rules the first one counts.
fn roots(config: &Config) -> Vec<RootRule> {
    let project = || Scope::Project { depth: 0 };
    let walk = WalkPolicy::six_levels;
    let upward = |relative: &str, order| RootBase::ProjectUpward { relative: relative.into(), order };
    let home = |relative: &str| RootBase::Home(relative.into());
    let mut rules = vec![
        RootRule::new(upward(".codex/skills", UpwardOrder::InnermostFirst), project())
            .with_walk(walk())
            .except(home(".codex/skills")),
        RootRule::new(home(".codex/skills"), Scope::User).with_walk(walk()),
        RootRule::new(home(".agents/skills"), Scope::User).with_walk(walk()),
    ];
    if config.bundled {
        let bundled = RootRule::new(home(".codex/skills/.system"), Scope::System);
        rules.push(bundled.with_walk(walk().without_links()));
    }
    rules.push(RootRule::new(RootBase::System("skills".into()), Scope::Admin).with_walk(walk()));
    rules.push(
        RootRule::new(upward(".agents/skills", UpwardOrder::OutermostFirst), project()).with_walk(walk()),
    );
    rules
}

/// What Codex reads from its settings.
#[expect(clippy::struct_excessive_bools, reason = "independent switches, each under the program's own key")]
struct Config {
    place: Place,
    rules: RuleSet,
    bundled: bool,
    include_instructions: bool,
    names_only: bool,
    deltas: bool,
    max_context_tokens: Option<usize>,
    window: Option<u64>,
    diagnostics: Vec<Diagnostic>,
}

impl Config {
    fn read(host: &Host) -> Result<Self, ConfigError> {
        let system_root = host.system_root.clone().unwrap_or_else(|| PathBuf::from(SYSTEM_ROOT));
        let codex_home = host.home.as_ref().map(|home| home.join(".codex"));
        let flags = Layer { origin: None, settings: host.settings.clone() };
        let mut files = Vec::new();
        files.extend(Layer::read(&system_root.join("config.toml"))?);
        if let Some(home) = &codex_home {
            files.extend(Layer::read(&home.join("config.toml"))?);
        }

        let mut layers = Layers(files);
        layers.0.push(flags);
        let mut place = Place::new(&host.cwd);
        place.home.clone_from(&host.home);
        place.system_root = Some(system_root);
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
        Ok(Self {
            rules: RuleSet::from_entries(entries),
            bundled: layers.bool("skills.bundled.enabled", true)?,
            include_instructions: layers.bool("skills.include_instructions", true)?,
            names_only: layers.bool("features.omit_skill_descriptions", false)?,
            deltas: layers.bool("features.skill_catalog_deltas", false)?,
            max_context_tokens: layers.non_zero("skills.max_context_tokens")?,
            window: window.and_then(|tokens| u64::try_from(tokens).ok()),
            place,
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
