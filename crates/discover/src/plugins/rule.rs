//! Where plugins are and how they are laid out, as data.

use super::RegistryRule;
use crate::{RootBase, WalkPolicy};

/// How far below a plugin's skill folder its skills lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Anywhere that the rule's walk comes to.
    Recursive,
    /// Directly below it only, `FOLDER/NAME/SKILL.md`, and a link must not lead out of the plugin.
    DirectChildren,
}

/// Which of a plugin's files counts as its manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManifestRule {
    /// Path below the plugin's folder, with `/` between its parts.
    pub file: &'static str,
    /// What the manifest's `$schema` must be; with `None` any will do.
    pub schema: Option<&'static str>,
    /// How plugins with this manifest are laid out.
    pub layout: Layout,
}

impl ManifestRule {
    /// The manifests that harnesses keep in a folder of their own, in the order of their priority.
    pub const HARNESS: &'static [Self] = &[
        Self::recursive(".codex-plugin/plugin.json"),
        Self::recursive(".claude-plugin/plugin.json"),
        Self::recursive(".cursor-plugin/plugin.json"),
    ];

    /// The same, behind the manifest of the Agent Plugins format at the root of the plugin.
    pub const ALL: &'static [Self] = &[
        Self {
            file: "plugin.json",
            schema: Some("https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"),
            layout: Layout::DirectChildren,
        },
        Self::recursive(".codex-plugin/plugin.json"),
        Self::recursive(".claude-plugin/plugin.json"),
        Self::recursive(".cursor-plugin/plugin.json"),
    ];

    /// Returns the rule for a manifest with any schema, in a plugin whose skills may lie at any depth.
    pub const fn recursive(file: &'static str) -> Self {
        Self { file, schema: None, layout: Layout::Recursive }
    }
}

/// One rule: where plugins are, and where their skills are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent policies, each with a name that says what it does"
)]
pub struct PluginRule {
    /// Where to look for plugins.
    pub base: RootBase,
    /// Directory levels between the base and the plugins' folders: 0 where the base is a plugin itself, 1 where each
    /// folder in it is one, 3 for `MARKET/PLUGIN/VERSION`.
    pub levels: usize,
    /// Which files count as a manifest; the first valid one does.
    pub manifests: &'static [ManifestRule],
    /// Whether a folder without a valid manifest is no plugin. Otherwise it is one, called like its folder.
    pub needs_manifest: bool,
    /// Folders of skills, below the plugin's own.
    pub folders: &'static [&'static str],
    /// Whether `folders` count also where the manifest names some under `skills`.
    pub folders_always: bool,
    /// Folders of skills that count in every plugin of [`Layout::Recursive`].
    pub extra_folders: &'static [&'static str],
    /// Whether a skill file directly in the plugin's folder counts where there is no folder of skills.
    pub skill_file_in_plugin: bool,
    /// Whether skills must lie in the plugin's folder, wherever links lead. [`Layout::DirectChildren`] always wants
    /// that.
    pub stay_inside: bool,
    /// The file that says which plugins are installed. Where there is one, nothing below the base is a plugin unless a
    /// row of the file names it.
    pub registry: Option<RegistryRule>,
    /// Names of the plugins that count, as `PLUGIN` or `PLUGIN@MARKET`; `None` is every plugin.
    pub enabled: Option<Vec<String>>,
    /// How folders of skills are walked.
    pub walk: WalkPolicy,
}

impl PluginRule {
    /// Returns a rule for plugins that lie directly in this directory: they have any of the manifests that are
    /// [known](ManifestRule::ALL), their skills are where it says or below `skills`, and no link leads out of them.
    ///
    /// ```
    /// use lorimer_discover::{PluginRule, RootBase};
    /// let rule = PluginRule::new(RootBase::Home(".codex/plugins".into()));
    /// assert_eq!((rule.levels, rule.folders), (1, &["skills"][..]));
    /// ```
    pub fn new(base: RootBase) -> Self {
        Self {
            base,
            levels: 1,
            manifests: ManifestRule::ALL,
            needs_manifest: true,
            folders: &["skills"],
            folders_always: false,
            extra_folders: &[],
            skill_file_in_plugin: false,
            stay_inside: true,
            registry: None,
            enabled: None,
            walk: WalkPolicy::default(),
        }
    }

    /// Returns the rule for plugins that lie so many levels below the base.
    #[must_use]
    pub fn with_levels(mut self, levels: usize) -> Self {
        self.levels = levels;
        self
    }
}
