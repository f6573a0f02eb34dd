//! One value per harness: seven parts that are composed here and live, under names that say what they do, in the
//! stage crates.
//!
//! To add a harness: one file in this folder that returns a [`Builder`], one row in [`ALL`], and at most one new
//! policy in a stage crate.

mod claude_code;
mod codex;
mod deepseek;
mod harnessx;
pub mod hermes;
pub(crate) mod native;
mod openclaw;
mod pi;
pub mod roots;
mod rules;

use lorimer_core::{Scope, SourceId};
use lorimer_discover::{
    DistinctSource, FsSource, Place, PluginSource, Reading, RootBase, RootRule, WalkPolicy,
};

use crate::{Builder, ConfigError, Host, Lifecycle};

/// A harness whose behaviour can be composed.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The name on command lines.
    pub name: &'static str,
    /// The program and version that is reproduced; empty for our own.
    pub program: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where the harness's own rules are written, as paths in its repository, for who wants to read on (S0-20); empty
    /// where nothing is published. The profile follows what the released program does.
    pub sources: &'static [&'static str],
    compose: fn(&Host) -> Result<Builder, ConfigError>,
}

/// Every profile.
pub const ALL: &[Profile] = &[
    native::PROFILE,
    codex::PROFILE,
    claude_code::PROFILE,
    pi::PROFILE,
    openclaw::PROFILE,
    deepseek::PROFILE,
    hermes::PROFILE,
    harnessx::PROFILE,
];

/// Returns the profile of this name.
pub fn by_name(name: &str) -> Option<Profile> {
    ALL.iter().copied().find(|profile| profile.name == name)
}

impl Profile {
    /// Returns the profile's parts in these surroundings, so that single ones can be swapped.
    ///
    /// # Errors
    ///
    /// When a setting cannot be used, as the harness itself would refuse it.
    pub fn builder(&self, host: &Host) -> Result<Builder, ConfigError> {
        let mut builder = (self.compose)(host)?;
        let place = Place::new(&host.cwd);
        for origin in &host.origins {
            builder = origin.add_to(builder, &place)?;
        }
        Ok(builder.options(|options| {
            self.name.clone_into(&mut options.profile);
            options.servers.clone_from(&host.servers);
        }))
    }

    /// Returns the profile's lifecycle in these surroundings.
    ///
    /// # Errors
    ///
    /// As [`Profile::builder`].
    pub fn lifecycle(&self, host: &Host) -> Result<Lifecycle, ConfigError> {
        self.builder(host).map(Builder::build)
    }
}

/// Returns the rules of a table in these surroundings.
fn rules_of(table: &roots::Table, around: &roots::Surroundings) -> Vec<RootRule> {
    table.rules(around).into_iter().map(|made| made.rule).collect()
}

/// Returns a builder with the sources of a table: its places, of same-named skills those that the harness keeps, and
/// its plugins. Folders that the host names in the harness's stead leave no room for either.
fn sources(table: &'static roots::Table, around: &roots::Surroundings, host: &Host) -> Builder {
    sources_read(table, around, host, (table.reading)())
}

/// As [`sources`], with another way of reading skill files.
fn sources_read(
    table: &'static roots::Table,
    around: &roots::Surroundings,
    host: &Host,
    reading: Reading,
) -> Builder {
    let walk = table.roots.first().map(|root| (root.walk)()).unwrap_or_default();
    let rules = roots_or(host, &walk, || rules_of(table, around));
    let files = FsSource::new(SourceId::new("host"), around.place.clone(), rules, reading);
    let files = cached(files.with_openai_yaml(false), host);
    let builder = match table.same_name {
        Some(keep) => Lifecycle::builder().source(DistinctSource::new(files, keep)),
        None => Lifecycle::builder().source(files),
    };
    if table.plugins.is_empty() || !host.roots.is_empty() {
        return builder;
    }
    let plugins = table.plugins.iter().flat_map(|row| row.rules(table, around)).collect();
    let place = around.place.clone();
    builder.source(PluginSource::new(SourceId::new("plugins"), place, plugins, (table.reading)()))
}

/// Returns the source with the host's cache, where it has one.
fn cached(source: FsSource, host: &Host) -> FsSource {
    match &host.cache {
        Some(cache) => source.with_cache(cache.clone()),
        None => source,
    }
}

/// Returns the folders that the host names, or else the harness's own places.
fn roots_or(host: &Host, walk: &WalkPolicy, own: impl FnOnce() -> Vec<RootRule>) -> Vec<RootRule> {
    if host.roots.is_empty() {
        return own();
    }
    let rule = |root| RootRule::new(RootBase::Path(root), Scope::User).with_walk(walk.clone());
    host.roots.iter().cloned().map(rule).collect()
}
