//! Our own defaults: Codex's ladder with whole-word cuts, every omission told to the model, lenient reading with a
//! diagnostic for everything that another harness would reject.

use std::path::Path;

use lorimer_activate::{AppliesTo, BodyLimit, ClosingTags, CutNotice, Part, SkillFragment};
use lorimer_authorize::{Gate, MissingPolicy, RuleEntry, RuleSet};
use lorimer_catalog::{ByScopeThenName, Composed, NativeLines, RoundRobin, WindowShare};
use lorimer_core::{Code, Diagnostic, SameName, ScopeOrder, SourceId};
use lorimer_discover::{FsSource, KeepLastGood, WalkPolicy};
use lorimer_resolve::{Options, SigilResolver};

use super::roots::Surroundings;
use super::roots::native::TABLE;
use super::{Profile, rules};
use crate::settings::{ConfigError, Layer, Layers};
use crate::{Builder, Host, Lifecycle, SnapshotOrder};

pub(super) const PROFILE: Profile = Profile {
    name: "native",
    program: "",
    summary: "lorimer's own: nothing in silence, whole words, the project's skills first",
    sources: &[],
    compose,
};

/// Under pressure the project's skills stay in the listing longest.
const ORDER: ScopeOrder =
    ScopeOrder::new(&["project", "user", "plugin", "environment", "orchestrator", "admin", "system"]);
/// Bodies of skills that are not on this machine's own disk are cut here.
const FOREIGN_BODY_BYTES: usize = 8_000;
const NONE_LEFT: &str =
    "<skills_instructions>\n## Skills update\nNo skill is available any more.\n</skills_instructions>";

/// Returns the part that makes the listing.
pub(crate) fn cataloger() -> Composed {
    Composed::new(ByScopeThenName(ORDER), RoundRobin, NativeLines::default())
}

/// Returns the part that finds what was asked for.
pub(crate) fn resolver() -> SigilResolver {
    SigilResolver::with(Options::strict())
}

/// Returns the part that wraps bodies.
pub(crate) fn activator() -> SkillFragment {
    let limit =
        BodyLimit { bytes: FOREIGN_BODY_BYTES, applies_to: AppliesTo::EXTENSIONS, notice: CutNotice::Line };
    SkillFragment { part: Part::Instructions, closing_tags: ClosingTags::Defuse, limit: Some(limit) }
}

fn compose(host: &Host) -> Result<Builder, ConfigError> {
    let place = Surroundings::place(&TABLE, host);
    let (layers, entries, mut diagnostics) = settings(host, place.project_root())?;
    let mut gate = Gate::with_rules(RuleSet::from_entries(entries));
    gate.missing = MissingPolicy::Ask;
    let configured = layers.non_zero("skills.max_context_tokens")?;
    let share = WindowShare::default();
    if configured.is_some_and(|tokens| tokens > share.configured_cap) {
        let message =
            format!("`skills.max_context_tokens` is above {}, so that is what counts", share.configured_cap);
        diagnostics.push(Diagnostic::new(Code::ConfigIgnored, message));
    }
    let listing = layers.bool("skills.include_instructions", true)?;
    let around = Surroundings::with(place.clone(), layers.clone(), host);
    let roots = super::roots_or(host, &WalkPolicy::default(), || super::rules_of(&TABLE, &around));
    let source = FsSource::new(SourceId::new("host"), place, roots, (TABLE.reading)());
    Ok(Lifecycle::builder()
        .source(KeepLastGood::new(super::cached(source, host)))
        .cataloger(cataloger())
        .resolver(resolver())
        .activator(activator())
        .authorizer(gate)
        .options(|options| {
            options.order = SnapshotOrder::ByScope(ORDER);
            options.same_name = SameName::NearestInProject;
            options.budget = share.budget(host.window, configured);
            options.listing = listing;
            options.none_left = Some(NONE_LEFT);
            options.diagnostics = diagnostics;
        }))
}

/// Reads `lorimer.toml` of the system, the user and the project, and what was given for this run. A project may
/// only tighten: of its settings only rules that disable something count.
fn settings(
    host: &Host,
    project_root: &Path,
) -> Result<(Layers, Vec<RuleEntry>, Vec<Diagnostic>), ConfigError> {
    let home = host.home.as_deref();
    let system = host.system_root.as_deref().unwrap_or(Path::new(TABLE.system)).join("lorimer.toml");
    let mut layers = Layers::default();
    layers.0.extend(Layer::read(&system)?);
    if let Some(home) = home {
        layers.0.extend(Layer::read(&home.join(".config/lorimer/lorimer.toml"))?);
    }
    layers.0.push(Layer { origin: None, settings: host.settings.clone() });
    let mut entries = Vec::new();
    for layer in &layers.0 {
        let base = layer.origin.as_deref().and_then(Path::parent).unwrap_or(&host.cwd);
        entries.extend(rules::entries(layer, base, home)?);
    }
    let (project, diagnostics) = project_rules(&project_root.join("lorimer.toml"), project_root, home);
    entries.extend(project);
    Ok((layers, entries, diagnostics))
}

/// Reads what a project may say. Its file is somebody else's, so nothing in it stops the command.
fn project_rules(file: &Path, project_root: &Path, home: Option<&Path>) -> (Vec<RuleEntry>, Vec<Diagnostic>) {
    let ignored = |code, message: String| {
        Diagnostic::new(code, message)
            .at(file.to_path_buf(), None)
            .with_help("put it into your own lorimer.toml if it should count")
    };
    let rules = Layer::read(file).and_then(|layer| match layer {
        None => Ok(None),
        Some(layer) => Ok(Some((rules::entries(&layer, project_root, home)?, layer))),
    });
    let (entries, layer) = match rules {
        Ok(None) => return (Vec::new(), Vec::new()),
        Ok(Some(found)) => found,
        Err(error) => return (Vec::new(), vec![ignored(Code::ConfigIgnored, error.to_string())]),
    };
    let (kept, refused): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| !entry.enabled);
    let mut diagnostics: Vec<Diagnostic> = refused
        .iter()
        .map(|_| ignored(Code::RuleIgnored, "a project may disable skills, but not enable them".to_owned()))
        .collect();
    let others = layer.settings.keys().into_iter().filter(|key| key != rules::KEY);
    diagnostics.extend(others.map(|key| {
        ignored(Code::ConfigIgnored, format!("a project may only disable skills, so `{key}` is not used"))
    }));
    (kept, diagnostics)
}
