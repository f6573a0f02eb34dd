//! Mentions and selections by the user.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use lorimer_core::{Locator, Refusal, Route, Skill, SkillId, Snapshot};

use crate::by_name::in_effect;
use crate::called::Called;
use crate::mention::{Mention, mentions};
use crate::options::Options;
use crate::resolver::{Reason, Resolution, ResolveRequest, Resolver, Selected, Unresolved};
use crate::similar::Suggestions;

/// Finds the skills that a user mentions or selects, and the one that a tool call names.
///
/// Answers come in this order, each skill once:
///
/// 1. Structured selections, as given, by their locator (S3-13). Each also takes its name out of the texts, even
///    when its locator is not found: the user chose a particular skill, not any of that name.
/// 2. Text by text: skills whose path is linked, then skills whose name is mentioned, both in snapshot order. A
///    name counts only when exactly one usable skill has it and no connector does (S3-12).
/// 3. The skill that a call names, by [`ByName`](crate::ByName).
///
/// Paths and URIs are compared literally with those of the snapshot's skills, so an arbitrary file never passes
/// for a skill (S3-30). Whatever is asked for and not chosen gets a row that says why, except what is probably no
/// mention at all: an unknown `$NAME` without a lower-case letter or with a digit in front is a variable or a price,
/// unless a skill has that name in other capitals.
#[derive(Clone, Debug, Default)]
pub struct SigilResolver {
    options: Options,
}

impl SigilResolver {
    /// Returns the resolver with the Codex rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the resolver with these rules.
    pub fn with(options: Options) -> Self {
        Self { options }
    }

    /// Returns the rules.
    pub fn options(&self) -> &Options {
        &self.options
    }
}

impl Resolver for SigilResolver {
    fn resolve(&self, snapshot: &Snapshot, request: &ResolveRequest<'_>) -> Resolution {
        let mut search = Search {
            options: &self.options,
            snapshot,
            request,
            called: Called::new(snapshot, self.options.by_name),
            by_path: None,
            suggestions: Suggestions::new(snapshot, request.refused),
            blocked: HashSet::new(),
            chosen: HashSet::new(),
            chosen_names: HashSet::new(),
            answered: HashSet::new(),
            resolution: Resolution::default(),
        };
        search.structured();
        for (index, text) in request.texts.iter().enumerate() {
            search.text(index, text);
        }
        search.call();
        search.resolution
    }
}

struct Search<'a> {
    options: &'a Options,
    snapshot: &'a Snapshot,
    request: &'a ResolveRequest<'a>,
    called: Called<'a>,
    by_path: Option<HashMap<String, Vec<&'a Skill>>>,
    suggestions: Suggestions<'a>,
    blocked: HashSet<&'a str>,
    chosen: HashSet<&'a SkillId>,
    chosen_names: HashSet<&'a str>,
    /// What has its row in `unresolved` already.
    answered: HashSet<String>,
    resolution: Resolution,
}

/// Skills that something may mean.
struct Found<'a> {
    usable: Vec<&'a Skill>,
    refused: Vec<&'a SkillId>,
}

impl<'a> Search<'a> {
    fn structured(&mut self) {
        for item in self.request.structured {
            self.blocked.insert(&item.name);
            let found = self.at_path(&item.locator, Route::Structured);
            let mention = || format!("[{}{}]({})", self.options.syntax.sigil, item.name, item.locator);
            match found.usable.as_slice() {
                [] => self.not_found(mention(), &item.name, Route::Structured, &found.refused),
                [skill] => self.choose(skill, Route::Structured, None),
                // A locator that two skills share chooses neither.
                _ => self.ambiguous(mention(), Route::Structured, &found.usable),
            }
        }
    }

    fn text(&mut self, index: usize, text: &'a str) {
        let (linked, plain): (Vec<_>, Vec<_>) = mentions(text, &self.options.syntax)
            .into_iter()
            .filter_map(|mention| self.trimmed(mention))
            .partition(|mention| mention.path.is_some());
        let mut wanted = Wanted::default();
        for mention in linked {
            let Some(path) = mention.path.filter(|path| may_be_skill(path)) else { continue };
            let found = self.at_path(path, Route::Mention);
            if found.usable.is_empty() {
                self.not_found(slice(text, &mention), mention.name, Route::Mention, &found.refused);
            }
            for skill in found.usable {
                wanted.add(skill, &mention);
            }
        }
        self.choose_in_order(index, wanted);

        let mut wanted = Wanted::default();
        let mut seen = HashSet::new();
        for mention in plain {
            if seen.insert(mention.name) && !self.blocked.contains(mention.name) {
                self.named(text, &mention, &mut wanted);
            }
        }
        self.choose_in_order(index, wanted);
    }

    fn named(&mut self, text: &str, mention: &Mention<'a>, wanted: &mut Wanted<'a>) {
        let name = mention.name;
        if self.chosen_names.contains(name) {
            return;
        }
        let called = self.called.named(name);
        let mut found = self.split(called.into_iter(), Route::Mention);
        found.usable = in_effect(self.request.same_name, &found.usable);
        let connector = self.request.connectors.contains(&name.to_ascii_lowercase().as_str());
        match found.usable.as_slice() {
            [skill] if !connector => wanted.add(skill, mention),
            [skill] => {
                let candidates = vec![skill.id.clone()];
                self.answer(slice(text, mention), Route::Mention, Reason::ConnectorClash, candidates);
            }
            [_, ..] => self.ambiguous(slice(text, mention), Route::Mention, &found.usable),
            // The connector is what was meant.
            [] if found.refused.is_empty() && connector => {}
            [] if found.refused.is_empty() && !self.looks_like_skill(name) => {}
            [] => self.not_found(slice(text, mention), name, Route::Mention, &found.refused),
        }
    }

    fn call(&mut self) {
        let mut resolution = self.options.by_name.resolve(self.snapshot, self.request);
        resolution.selected.retain(|selected| !self.chosen.contains(&selected.skill));
        self.resolution.selected.append(&mut resolution.selected);
        self.resolution.unresolved.append(&mut resolution.unresolved);
    }

    /// Takes punctuation off a plain mention's end when no skill has the longer name.
    fn trimmed(&self, mut mention: Mention<'a>) -> Option<Mention<'a>> {
        if !self.options.trim_punctuation || mention.path.is_some() {
            return Some(mention);
        }
        let known = |name: &str| self.snapshot.named(name).next().is_some();
        while !known(mention.name) {
            let Some(shorter) = mention.name.strip_suffix([':', '-']) else { break };
            mention.name = shorter;
            mention.place.end -= 1;
        }
        (!mention.name.is_empty() && !self.options.syntax.excludes(mention.name)).then_some(mention)
    }

    /// Returns the skills at this path or URI.
    fn at_path(&mut self, path: &str, route: Route) -> Found<'a> {
        let snapshot = self.snapshot;
        let by_path = self.by_path.get_or_insert_with(|| paths(snapshot));
        let found = by_path.get(path).or_else(|| by_path.get(&comparable(path)));
        let skills = found.cloned().unwrap_or_default();
        self.split(skills.into_iter(), route)
    }

    fn split(&self, skills: impl Iterator<Item = &'a Skill>, route: Route) -> Found<'a> {
        let mut found = Found { usable: Vec::new(), refused: Vec::new() };
        for skill in skills {
            if self.request.refused.get(&skill.id, route).is_some() {
                found.refused.push(&skill.id);
            } else {
                found.usable.push(skill);
            }
        }
        found
    }

    fn choose_in_order(&mut self, text: usize, wanted: Wanted<'a>) {
        let mut places = wanted.places;
        let in_order: Vec<&'a Skill> = match wanted.skills.as_slice() {
            [] => return,
            [only] => vec![*only],
            _ => self
                .snapshot
                .skills()
                .map(|skill| &**skill)
                .filter(|skill| places.contains_key(&skill.id))
                .collect(),
        };
        for skill in in_order {
            let place = places.remove(&skill.id).map(|place| (text, place));
            self.choose(skill, Route::Mention, place);
        }
    }

    fn choose(&mut self, skill: &'a Skill, route: Route, place: Option<(usize, Range<usize>)>) {
        if self.chosen.insert(&skill.id) {
            self.chosen_names.insert(skill.call_name());
            self.resolution.selected.push(Selected { skill: skill.id.clone(), route, place });
        }
    }

    fn not_found(&mut self, mention: String, name: &str, route: Route, refused: &[&SkillId]) {
        let refusal: Option<&Refusal> = refused.first().and_then(|id| self.request.refused.get(id, route));
        let (reason, candidates) = match refusal {
            Some(refusal) => {
                (Reason::Refused(refusal.clone()), refused.iter().map(|id| (*id).clone()).collect())
            }
            None => (Reason::Unknown, self.suggestions.similar(name)),
        };
        self.answer(mention, route, reason, candidates);
    }

    fn ambiguous(&mut self, mention: String, route: Route, usable: &[&Skill]) {
        let candidates = usable.iter().map(|skill| skill.id.clone()).collect();
        self.answer(mention, route, Reason::Ambiguous, candidates);
    }

    fn answer(&mut self, mention: String, route: Route, reason: Reason, candidates: Vec<SkillId>) {
        if self.answered.insert(mention.clone()) {
            self.resolution.unresolved.push(Unresolved { mention, route, reason, candidates });
        }
    }

    fn looks_like_skill(&mut self, name: &str) -> bool {
        let variable_or_price = name.starts_with(|first: char| first.is_ascii_digit())
            || !name.contains(|character: char| character.is_ascii_lowercase());
        !variable_or_price || self.suggestions.knows_in_other_case(name)
    }
}

/// Skills that a text asks for, each with the place of its first mention.
#[derive(Default)]
struct Wanted<'a> {
    skills: Vec<&'a Skill>,
    places: HashMap<&'a SkillId, Range<usize>>,
}

impl<'a> Wanted<'a> {
    fn add(&mut self, skill: &'a Skill, mention: &Mention<'_>) {
        if let std::collections::hash_map::Entry::Vacant(slot) = self.places.entry(&skill.id) {
            slot.insert(mention.place.clone());
            self.skills.push(skill);
        }
    }
}

fn slice(text: &str, mention: &Mention<'_>) -> String {
    text.get(mention.place.clone()).unwrap_or(mention.name).to_owned()
}

/// Links to connectors, servers and plugins are not for this stage.
fn may_be_skill(path: &str) -> bool {
    !["app://", "mcp://", "plugin://"].iter().any(|prefix| path.starts_with(prefix))
}

/// Returns the form in which paths and URIs are compared.
fn comparable(path: &str) -> String {
    path.strip_prefix("skill://").unwrap_or(path).replace('\\', "/")
}

fn paths(snapshot: &Snapshot) -> HashMap<String, Vec<&Skill>> {
    let mut by_path: HashMap<String, Vec<&Skill>> = HashMap::new();
    for skill in snapshot.skills() {
        // The identity's own text form tells file names apart that are the same once they are shown.
        let mut keys = vec![skill.id.to_string()];
        keys.extend(skill.paths().map(|path| comparable(&path.to_string_lossy())));
        if !matches!(skill.id.locator, Locator::Path(_)) {
            keys.push(comparable(&skill.id.locator.shown()));
        }
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            by_path.entry(key).or_default().push(skill);
        }
    }
    by_path
}
