//! Skills that come with plugins.

mod manifest;
mod namespaced;
mod qualify;
mod registry;
mod rule;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use indexmap::IndexMap;
use lorimer_core::{Code, Content, Diagnostic, Locator, ReadLimit, Scope, SourceId};

use self::manifest::{Manifest, folder_name};
use self::qualify::{MAX_CHARS, qualify};
use crate::boundary::{LinkLimit, is_absent};
use crate::roots::{resolve, watched};
use crate::{
    FsSource, MetadataCache, Place, ReadError, Reading, RootBase, RootRule, Scan, ScanRequest, Source,
    WatchRoot,
};
pub use namespaced::NamespacedSource;
pub use registry::RegistryRule;
pub use rule::{Layout, ManifestRule, PluginRule};

/// Folders that are looked at below one base. A cache of plugins has some hundred.
const MAX_FOLDERS: usize = 10_000;

/// Levels of a cache that keeps versions side by side: `MARKET/PLUGIN/VERSION`.
const VERSIONED: usize = 3;

/// Sets of folders that are remembered.
const MAX_SOURCES: usize = 32;

/// Skills of the plugins on this machine.
///
/// A skill's scope names its plugin, and its qualified name is `PLUGIN:NAME`. Rules are resolved and manifests are
/// read anew at each scan. How skills are found, read and kept apart is the business of an [`FsSource`] over the
/// plugins' folders of skills.
#[derive(Debug)]
pub struct PluginSource {
    id: SourceId,
    place: Place,
    rules: Vec<PluginRule>,
    reading: Reading,
    cache: Option<MetadataCache>,
    max_qualified_chars: usize,
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Sources over the folders that scans have found, the last scan's at the end. Earlier ones stay, since a turn may
    /// still hold their snapshot.
    sources: Vec<(Vec<RootRule>, Arc<FsSource>)>,
    /// Skills that were found and not taken in.
    refused: HashSet<Locator>,
}

impl PluginSource {
    /// Returns a source of the plugins that lie where `rules` say, seen from `place`, read as `reading` says.
    ///
    /// ```
    /// use lorimer_core::SourceId;
    /// use lorimer_discover::{Place, PluginRule, PluginSource, Reading, RootBase, ScanRequest, Source};
    /// let rules = vec![PluginRule::new(RootBase::Home(".claude/plugins".into()))];
    /// let source = PluginSource::new(SourceId::new("plugins"), Place::new("."), rules, Reading::lenient());
    /// assert!(source.scan(&ScanRequest::default()).complete);
    /// ```
    pub fn new(id: SourceId, place: Place, rules: Vec<PluginRule>, reading: Reading) -> Self {
        Self {
            id,
            place,
            rules,
            reading,
            cache: None,
            max_qualified_chars: MAX_CHARS,
            state: RwLock::default(),
        }
    }

    /// Returns the source with another limit for qualified names; the default is 129 characters.
    #[must_use]
    pub fn with_max_qualified_chars(mut self, characters: usize) -> Self {
        self.max_qualified_chars = characters;
        self
    }

    /// Returns the source with a cache, as [`FsSource::with_cache`] has it.
    #[must_use]
    pub fn with_cache(mut self, cache: MetadataCache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Returns the rules for all folders of skills of all plugins.
    fn roots(&self, scan: &mut Scan) -> Vec<RootRule> {
        let mut roots = Vec::new();
        for rule in &self.rules {
            if let Some(registry) = &rule.registry {
                for plugin in registry::installed(registry, &self.place, scan) {
                    if is_enabled(rule, plugin.name.as_deref()) {
                        let named = plugin.name.as_deref().map(plugin_name);
                        roots.extend(roots_of(&plugin.folder, named, rule, scan));
                    }
                }
                continue;
            }
            let base = RootRule::new(rule.base.clone(), Scope::User);
            for base in resolve(&self.place, &[base]) {
                let mut plugins = plugin_folders(&base.path, rule.levels, scan);
                plugins.retain(|plugin| is_enabled(rule, market_name(plugin, rule.levels).as_deref()));
                if rule.levels == VERSIONED {
                    plugins = only_versions(plugins, scan);
                }
                for plugin in plugins {
                    roots.extend(roots_of(&plugin, None, rule, scan));
                }
            }
        }
        roots
    }

    /// Returns the source over these folders, an earlier one where they are the same, and whether it is the one that
    /// the last scan asked.
    fn source_over(&self, roots: Vec<RootRule>) -> (Arc<FsSource>, bool) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let known = state.sources.iter().position(|(known, _)| *known == roots);
        let is_last = known.is_some_and(|index| index + 1 == state.sources.len());
        let (roots, source) = if let Some(index) = known {
            state.sources.remove(index)
        } else {
            let source =
                FsSource::new(self.id.clone(), self.place.clone(), roots.clone(), self.reading.clone());
            let source = match &self.cache {
                Some(cache) => source.with_cache(cache.clone()),
                None => source,
            };
            (roots, Arc::new(source))
        };
        if state.sources.len() >= MAX_SOURCES {
            state.sources.remove(0);
        }
        state.sources.push((roots, Arc::clone(&source)));
        (source, is_last)
    }

    /// Asks the sources in turn, the newest first. The first question of all makes a scan.
    fn ask<T>(
        &self,
        locator: &Locator,
        question: impl Fn(&FsSource) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let unknown = self.state.read().unwrap_or_else(PoisonError::into_inner).sources.is_empty();
        if unknown {
            self.scan(&ScanRequest::default());
        }
        let sources: Vec<Arc<FsSource>> = {
            let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
            let sources = state.sources.iter().rev().map(|(_, source)| Arc::clone(source));
            if state.refused.contains(locator) { Vec::new() } else { sources.collect() }
        };
        for source in sources {
            match question(&source) {
                Err(ReadError::NotListed(_)) => {}
                answer => return answer,
            }
        }
        Err(ReadError::NotListed(locator.clone()))
    }
}

impl Source for PluginSource {
    fn id(&self) -> &SourceId {
        &self.id
    }

    fn scan(&self, request: &ScanRequest) -> Scan {
        let mut scan = Scan { complete: true, ..Scan::default() };
        let roots = self.roots(&mut scan);
        let (source, is_last) = self.source_over(roots);
        // What is touched is told since the last scan, and another source may have missed more than that.
        let request = ScanRequest { only_touched: request.only_touched && is_last, ..request.clone() };
        let found = source.scan(&request);
        scan.skills = found.skills;
        scan.diagnostics.extend(found.diagnostics);
        scan.complete &= found.complete;
        let refused = qualify(
            &mut scan.skills,
            self.max_qualified_chars,
            &mut scan.diagnostics,
            |skill, _| match &skill.scope {
                Scope::Plugin { name } => Some(name.clone()),
                _ => None,
            },
        );
        self.state.write().unwrap_or_else(PoisonError::into_inner).refused = refused;
        scan
    }

    fn read(&self, locator: &Locator, limit: ReadLimit) -> Result<Content, ReadError> {
        self.ask(locator, |source| source.read(locator, limit))
    }

    fn files(&self, skill: &Locator) -> Result<Vec<Locator>, ReadError> {
        self.ask(skill, |source| source.files(skill))
    }

    fn watched(&self) -> Vec<WatchRoot> {
        let mut roots = Vec::new();
        for rule in &self.rules {
            let mut walk = rule.walk.clone();
            // Below the base lie the plugins, and in each of them its folders of skills, wherever a manifest says.
            walk.max_depth = walk.max_depth.saturating_add(rule.levels).saturating_add(FOLDER_DEPTH);
            let base = RootRule::new(rule.base.clone(), Scope::User).with_walk(walk.clone());
            let mut folders: Vec<WatchRoot> =
                resolve(&self.place, &[base]).into_iter().map(WatchRoot::from).collect();
            if let Some(registry) = &rule.registry {
                let file = RootRule::new(registry.file.clone(), Scope::User);
                roots.extend(watched(&self.place, &[file]));
                for plugin in registry::installed(registry, &self.place, &mut Scan::default()) {
                    if !folders.iter().any(|base| plugin.folder.starts_with(&base.path)) {
                        let (path, walk) = (plugin.folder, Some(walk.clone()));
                        folders.push(WatchRoot { path, walk, files: Vec::new() });
                    }
                }
            }
            for root in &mut folders {
                watch_manifests(root, rule.manifests);
            }
            roots.extend(folders);
        }
        roots
    }
}

/// Levels between a plugin's folder and a folder of skills in it, mostly.
const FOLDER_DEPTH: usize = 4;

/// Adds manifests to what is watched below a root. They lie in hidden folders.
fn watch_manifests(root: &mut WatchRoot, manifests: &[ManifestRule]) {
    if let Some(walk) = &mut root.walk {
        walk.descend_hidden = true;
    }
    let names = manifests.iter().filter_map(|manifest| Path::new(manifest.file).file_name());
    root.files.extend(names.map(ToOwned::to_owned));
}

/// Returns the folders that lie so many levels below a base, in the order of their names' bytes. Hidden ones don't
/// count.
fn plugin_folders(base: &Path, levels: usize, scan: &mut Scan) -> Vec<PathBuf> {
    let mut folders = vec![base.to_owned()];
    for _ in 0..levels {
        let mut below = Vec::new();
        for folder in folders {
            let mut names = Vec::new();
            match fs::read_dir(&folder) {
                Ok(entries) => {
                    names.extend(entries.take(MAX_FOLDERS).flatten().map(|entry| entry.file_name()));
                }
                Err(error) if is_absent(&error) => {}
                Err(error) => {
                    let message = format!("the directory cannot be read: {error}");
                    scan.diagnostics
                        .push(Diagnostic::new(Code::DirectoryUnreadable, message).at(folder.clone(), None));
                    scan.complete = false;
                }
            }
            names.sort_unstable();
            names.retain(|name| !name.as_encoded_bytes().starts_with(b"."));
            below.extend(names.into_iter().map(|name| folder.join(name)).filter(|path| path.is_dir()));
            if below.len() > MAX_FOLDERS {
                let message = format!("there are more than {MAX_FOLDERS} folders of plugins");
                scan.diagnostics
                    .push(Diagnostic::new(Code::LimitDirectories, message).at(base.to_owned(), None));
                scan.complete = false;
                below.truncate(MAX_FOLDERS);
                break;
            }
        }
        folders = below;
    }
    folders
}

/// Returns whether a plugin of this name counts.
fn is_enabled(rule: &PluginRule, name: Option<&str>) -> bool {
    let Some(enabled) = &rule.enabled else { return true };
    name.is_some_and(|name| enabled.iter().any(|enabled| enabled == name || enabled == plugin_name(name)))
}

/// Returns `PLUGIN` of `PLUGIN@MARKET`.
fn plugin_name(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

/// Returns `PLUGIN@MARKET` of a folder `MARKET/PLUGIN/VERSION`, and the folder's name where it lies otherwise.
fn market_name(plugin: &Path, levels: usize) -> Option<String> {
    if levels != VERSIONED {
        return Some(folder_name(plugin));
    }
    let mut above = plugin.ancestors().skip(1).map(folder_name);
    Some(format!("{}@{}", above.next()?, above.next()?))
}

/// Leaves out plugins of which several versions lie side by side: neither the newest nor the first one need be the one
/// that is installed, and nothing here says which is.
fn only_versions(plugins: Vec<PathBuf>, scan: &mut Scan) -> Vec<PathBuf> {
    let mut by_plugin: IndexMap<Option<PathBuf>, Vec<PathBuf>> = IndexMap::new();
    for plugin in plugins {
        by_plugin.entry(plugin.parent().map(Path::to_path_buf)).or_default().push(plugin);
    }
    let mut only = Vec::new();
    for (above, mut versions) in by_plugin {
        if versions.len() == 1 {
            only.append(&mut versions);
            continue;
        }
        let names: Vec<String> = versions.iter().map(|version| folder_name(version)).collect();
        let message = format!(
            "several versions of this plugin lie here ({}), and nothing says which is installed",
            names.join(", ")
        );
        let mut diagnostic = Diagnostic::new(Code::PluginVersionUnclear, message);
        diagnostic = diagnostic.with_help("remove the versions that are not in use");
        scan.diagnostics.push(match above {
            Some(above) => diagnostic.at(above, None),
            None => diagnostic,
        });
    }
    only
}

/// Returns the rules for one plugin's folders of skills, sorted by path. `named` is what a registry calls it.
fn roots_of(plugin: &Path, named: Option<&str>, rule: &PluginRule, scan: &mut Scan) -> Vec<RootRule> {
    // A plugin that is gone, or a base that never was, has no skills.
    let Ok(canonical) = fs::canonicalize(plugin) else { return Vec::new() };
    let manifest = manifest::find(&canonical, rule.manifests, &mut scan.diagnostics);
    if manifest.is_none() && rule.needs_manifest {
        return Vec::new();
    }
    let layout = manifest.as_ref().map_or(Layout::Recursive, |manifest| manifest.rule.layout);
    let stay_inside = rule.stay_inside || layout == Layout::DirectChildren;
    let mut walk = rule.walk.clone();
    if layout == Layout::DirectChildren {
        walk.max_depth = 1;
        walk.skill_file_in_root = false;
        walk.report_too_deep = false;
    }
    if stay_inside {
        walk.links = LinkLimit::Within(vec![canonical.clone()]);
    }
    let mut folders = folders_of(&canonical, manifest.as_ref(), rule, layout);
    folders.sort();
    folders.dedup();
    let without_manifest = || named.map_or_else(|| folder_name(plugin), str::to_owned);
    let scope = Scope::Plugin { name: manifest.map_or_else(without_manifest, |manifest| manifest.name) };
    let root = |path: PathBuf, walk| RootRule::new(RootBase::Path(path), scope.clone()).with_walk(walk);
    if folders.is_empty() && rule.skill_file_in_plugin {
        walk.max_depth = 0;
        walk.skill_file_in_root = true;
        walk.report_too_deep = false;
        return vec![root(canonical, walk)];
    }
    folders.retain(|folder| {
        let inside =
            !stay_inside || fs::canonicalize(folder).map_or(true, |path| path.starts_with(&canonical));
        if !inside {
            let message = "the plugin's folder of skills leads out of the plugin";
            scan.diagnostics.push(Diagnostic::new(Code::SymlinkEscape, message).at(folder.clone(), None));
        }
        inside
    });
    folders.into_iter().map(|folder| root(folder, walk.clone())).collect()
}

fn folders_of(plugin: &Path, manifest: Option<&Manifest>, rule: &PluginRule, layout: Layout) -> Vec<PathBuf> {
    let existing = |names: &'static [&'static str]| {
        names.iter().map(|name| plugin.join(name)).filter(|folder| folder.exists())
    };
    let named = manifest.and_then(|manifest| manifest.folders.as_ref());
    let mut folders: Vec<PathBuf> = named.into_iter().flatten().map(|folder| plugin.join(folder)).collect();
    if folders.is_empty() || rule.folders_always {
        folders.extend(existing(rule.folders));
    }
    if layout == Layout::Recursive {
        folders.extend(existing(rule.extra_folders));
    }
    folders
}
