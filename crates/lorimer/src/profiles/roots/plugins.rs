//! Where plugins bring skills along, as rows.

use lorimer_discover::{ManifestRule, PluginRule, RegistryRule, WalkPolicy};
use toml::Value;

use super::pattern::Pattern;
use super::{Surroundings, Table};

/// One row: where plugins lie, and where their skills are.
#[derive(Clone, Copy, Debug)]
pub struct Plugins {
    /// The place; the beginnings are those of the [module](super).
    pub place: &'static str,
    /// Directory levels between the place and the plugins: 3 for `MARKET/PLUGIN/VERSION`.
    pub levels: usize,
    /// Which files count as a manifest.
    pub manifests: &'static [ManifestRule],
    /// Whether a folder without a manifest is no plugin.
    pub needs_manifest: bool,
    /// Folders of skills in a plugin.
    pub folders: &'static [&'static str],
    /// Whether these count also where the manifest names others.
    pub folders_always: bool,
    /// Folders of skills that count besides them.
    pub extra_folders: &'static [&'static str],
    /// Whether a skill file in the plugin's folder counts where there is no folder of skills.
    pub skill_file_in_plugin: bool,
    /// The file that says which plugins are installed, where there is one; nothing else is a plugin then.
    pub registry: Option<Registry>,
    /// The setting that says which plugins are switched on; `None` where all are.
    pub enabled: Option<Enabled>,
    /// How folders of skills are walked.
    pub walk: fn() -> WalkPolicy,
}

/// A file that says which plugins are installed, and for which project.
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    /// The file.
    pub file: &'static str,
    /// The key of the rows: a list of them, or a table of lists by the plugin's name.
    pub rows: &'static str,
    /// The key of a row's folder.
    pub path: &'static str,
    /// The key of the project that a row is for; a row without it is for all.
    pub project: &'static str,
}

/// A setting that is a table by plugins, `NAME@MARKET`.
#[derive(Clone, Copy, Debug)]
pub struct Enabled {
    /// The setting's key.
    pub setting: &'static str,
    /// The field of the plugin's own table that says yes; `None` where the value does.
    pub field: Option<&'static str>,
}

impl Plugins {
    /// Returns the rules of the row in these surroundings; none where no plugin is switched on.
    pub fn rules(&self, table: &Table, around: &Surroundings) -> Vec<PluginRule> {
        let enabled = self.enabled.map(|enabled| enabled.names(around));
        if enabled.as_ref().is_some_and(Vec::is_empty) {
            return Vec::new();
        }
        let registry = self.registry.and_then(|registry| {
            let file = Pattern::parse(registry.file)?.bases(table, around).into_iter().next()?;
            Some(RegistryRule::new(file, registry.rows, registry.path, registry.project))
        });
        let bases = Pattern::parse(self.place).map_or_else(Vec::new, |place| place.bases(table, around));
        let rule = |base| PluginRule {
            levels: self.levels,
            manifests: self.manifests,
            needs_manifest: self.needs_manifest,
            folders: self.folders,
            folders_always: self.folders_always,
            extra_folders: self.extra_folders,
            skill_file_in_plugin: self.skill_file_in_plugin,
            registry: registry.clone(),
            enabled: enabled.clone(),
            walk: (self.walk)(),
            ..PluginRule::new(base)
        };
        bases.into_iter().map(rule).collect()
    }
}

impl Enabled {
    /// Returns the names of the plugins that are switched on.
    fn names(self, around: &Surroundings) -> Vec<String> {
        let Some(Value::Table(plugins)) = around.value(self.setting) else { return Vec::new() };
        let is_on = |value: &Value| match self.field {
            Some(field) => value.get(field).and_then(Value::as_bool) == Some(true),
            None => value.as_bool() == Some(true),
        };
        plugins.iter().filter(|(_, value)| is_on(value)).map(|(name, _)| name.clone()).collect()
    }
}
