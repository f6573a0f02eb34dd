//! One value per harness: seven parts that are composed here and live, under names that say what they do, in the
//! stage crates.
//!
//! To add a harness: one file in this folder that returns a [`Builder`], one row in [`ALL`], and at most one new
//! policy in a stage crate.

mod codex;
mod harnessx;
pub(crate) mod native;
pub mod roots;
mod rules;

use lorimer_core::Scope;
use lorimer_discover::{FsSource, Place, RootBase, RootRule, WalkPolicy};

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
    compose: fn(&Host) -> Result<Builder, ConfigError>,
}

/// Every profile.
pub const ALL: &[Profile] = &[native::PROFILE, codex::PROFILE, harnessx::PROFILE];

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
