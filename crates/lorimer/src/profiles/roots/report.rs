//! The answer to "where must I put it?".

use std::collections::HashMap;
use std::path::Path;

use lorimer_core::SourceId;
use lorimer_discover::{FsSource, PluginSource, RootRule, ScanRequest, Source, resolve};
use serde::Serialize;

use super::pattern::Pattern;
use super::{Root, Surroundings, Table};

/// Every place in which a harness looks, in its order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RootsReport {
    /// The harness's name.
    pub harness: &'static str,
    /// The program and version; empty for our own.
    pub program: &'static str,
    /// The places.
    pub places: Vec<PlaceReport>,
}

/// One place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceReport {
    /// The place as the table has it.
    pub place: &'static str,
    /// Whose skills lie there: a scope, or `plugins`.
    pub whose: String,
    /// The harness's own word for it; empty where it has none.
    pub label: &'static str,
    /// The path that it comes to here; `None` where it comes to none.
    pub path: Option<String>,
    /// Whether there is something at the path.
    pub exists: bool,
    /// Skills that were found there, before any of them is left out because of its name.
    pub skills: usize,
    /// Why the place does not count here; `None` where it does.
    pub why_not: Option<String>,
}

impl Table {
    /// Looks into every place and returns what is there. Nothing is written, and no body is read.
    pub fn report(&self, around: &Surroundings) -> RootsReport {
        let made = self.rules(around);
        let rules: Vec<RootRule> = made.iter().map(|made| made.rule.clone()).collect();
        let found = self.count(&rules, around);
        let resolved = resolve(&around.place, &rules);
        let mut places = Vec::new();
        for (row, root) in self.roots.iter().enumerate() {
            let before = places.len();
            for (order, at) in resolved.iter().enumerate() {
                if made.get(at.rule).is_some_and(|made| made.row == row) {
                    let skills = found.get(&order).copied().unwrap_or_default();
                    places.push(place(root, Some(&at.path), skills, None));
                }
            }
            if places.len() == before {
                places.extend(self.absent(root, around));
            }
        }
        places.extend(self.plugin_places(around));
        RootsReport { harness: self.harness, program: self.program, places }
    }

    /// Returns how many skills each root has, by its order.
    fn count(&self, rules: &[RootRule], around: &Surroundings) -> HashMap<usize, usize> {
        let id = SourceId::new("host");
        let source = FsSource::new(id, around.place.clone(), rules.to_vec(), (self.reading)());
        let mut found = HashMap::new();
        for skill in source.with_openai_yaml(false).scan(&ScanRequest::default()).skills {
            if let Ok(order) = usize::try_from(skill.root.order) {
                *found.entry(order).or_default() += 1;
            }
        }
        found
    }

    /// Returns a row that gives no root: with the paths that it would have, where there is a reason besides.
    fn absent(&self, root: &Root, around: &Surroundings) -> Vec<PlaceReport> {
        let nothing = || Pattern::parse(root.place).map(|pattern| pattern.nothing()).unwrap_or_default();
        let Some(why) = around.refusal(root) else { return vec![place(root, None, 0, Some(nothing()))] };
        let would: Vec<_> = resolve(&around.place, &self.rules_of(root, around));
        if would.is_empty() {
            return vec![place(root, None, 0, Some(why))];
        }
        would.iter().map(|at| place(root, Some(&at.path), 0, Some(why.clone()))).collect()
    }

    fn plugin_places(&self, around: &Surroundings) -> Vec<PlaceReport> {
        let rows = self.plugins.iter().map(|plugins| {
            let path = Pattern::parse(plugins.place).and_then(|pattern| pattern.path(self, around));
            let rules = plugins.rules(self, around);
            let why_not = match &path {
                None => Pattern::parse(plugins.place).map(|pattern| pattern.nothing()),
                Some(_) => rules.is_empty().then(|| "no plugin is switched on in the settings".to_owned()),
            };
            let id = SourceId::new("plugins");
            let source = PluginSource::new(id, around.place.clone(), rules, (self.reading)());
            PlaceReport {
                place: plugins.place,
                whose: "plugins".to_owned(),
                label: "",
                exists: path.as_deref().is_some_and(Path::exists),
                path: path.map(|path| path.to_string_lossy().into_owned()),
                skills: source.scan(&ScanRequest::default()).skills.len(),
                why_not,
            }
        });
        rows.collect()
    }
}

fn place(root: &Root, path: Option<&Path>, skills: usize, why_not: Option<String>) -> PlaceReport {
    PlaceReport {
        place: root.place,
        whose: root.whose.scope().kind().to_owned(),
        label: root.label,
        path: path.map(|path| path.to_string_lossy().into_owned()),
        exists: path.is_some_and(Path::exists),
        skills,
        why_not,
    }
}
