//! What one skill has that another one does not.

use std::collections::HashSet;

use serde::Serialize;

use super::Document;
use super::compare::{Set, TELLING};
use super::words::{each_word, runs};

/// What would be gone with a skill, compared with the one to keep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// Words of its name and description that the other uses nowhere, the weightiest first: a request in these words
    /// would no longer find a skill.
    pub words: Vec<String>,
    /// Headings that the other does not have, in order.
    pub sections: Vec<String>,
    /// Sentences and lines of its body that say something in words that the other uses nowhere, what is most its own
    /// first.
    pub sentences: Vec<String>,
    /// Files beside it for which the other has none of the same name, sorted.
    pub files: Vec<String>,
}

impl Lost {
    /// Returns whether the other one has all of it.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
            && self.sections.is_empty()
            && self.sentences.is_empty()
            && self.files.is_empty()
    }
}

/// Words of a sentence that are compared together.
const RUN: usize = 3;
/// A sentence of which the other has this share, word for word, is there too.
const THERE: f64 = 0.5;
/// Shorter sentences say too little.
const LEAST_WORDS: usize = 4;

/// Returns what the document at `place` has and the one at `kept` does not.
pub(super) fn lost(set: &Set<'_>, place: usize, kept: usize) -> Lost {
    let (Some(own), Some(other)) = (set.documents.get(place), set.documents.get(kept)) else {
        return Lost::default();
    };
    let Some(known) = set.features.get(kept) else { return Lost::default() };
    let mut files: Vec<String> =
        own.files.iter().filter(|file| !other.files.contains(file)).cloned().collect();
    files.sort_unstable();
    if own.body == other.body && own.description == other.description {
        return Lost { files, ..Lost::default() };
    }
    Lost {
        words: set.telling(place, |word| !known.has_word(word)),
        sections: sections(own, other),
        sentences: sentences(set, own, other, kept),
        files,
    }
}

fn sections(own: &Document, other: &Document) -> Vec<String> {
    let there: HashSet<Vec<u64>> = headings(&other.body).map(keys).collect();
    // The first heading of a skill is its title.
    let title = headings(&own.body).next();
    let is_lost = |heading: &&str| Some(*heading) != title && !there.contains(&keys(heading));
    headings(&own.body).filter(is_lost).map(str::to_owned).collect()
}

/// Returns the headings of a Markdown text, outside fenced code.
fn headings(body: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    body.lines().filter_map(move |line| {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        }
        let text = line.trim_start_matches('#');
        let is_heading = !fenced && text.len() < line.len() && text.starts_with(' ');
        is_heading.then(|| text.trim()).filter(|text| !text.is_empty())
    })
}

fn keys(text: &str) -> Vec<u64> {
    let mut keys = Vec::new();
    each_word(text, |word| keys.push(word.key));
    keys
}

fn sentences(set: &Set<'_>, own: &Document, other: &Document, kept: usize) -> Vec<String> {
    let Some(known) = set.features.get(kept) else { return Vec::new() };
    let there: HashSet<u64> = [&other.description, &other.body]
        .into_iter()
        .flat_map(|text| split(text))
        .flat_map(|sentence| runs(&keys(sentence), RUN))
        .collect();
    let mut seen = HashSet::new();
    let mut found: Vec<(f64, usize, &str)> = Vec::new();
    for (place, sentence) in split(&own.body).enumerate() {
        let mut words = keys(sentence);
        let own_runs = runs(&words, RUN);
        let shared = own_runs.iter().filter(|run| there.contains(run)).count();
        let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        if words.len() < LEAST_WORDS || number(shared) >= THERE * number(own_runs.len()) {
            continue;
        }
        words.sort_unstable();
        words.dedup();
        let new = words.iter().filter(|word| !known.has_word(**word));
        let rarities = new.map(|word| set.weights.rarity(*word));
        let weight: f64 = rarities.filter(|rarity| *rarity >= TELLING).sum();
        if weight > 0.0 && seen.insert(sentence) {
            found.push((weight, place, sentence));
        }
    }
    found.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    found.into_iter().map(|(_, _, sentence)| sentence.to_owned()).collect()
}

/// Returns the sentences of a text without its headings. A line ends one, and so does a mark with white space behind it.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let marks = ['-', '*', '+', '>', ' ', '\t'];
    let bare = move |sentence| str::trim_start_matches(sentence, marks).trim();
    let lines = text.lines().filter(|line| !line.trim().starts_with('#'));
    lines.flat_map(sentences_of).map(bare).filter(|sentence| !sentence.is_empty())
}

fn sentences_of(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(['。', '！', '？']).flat_map(|part| {
        let mut rest = part;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let end = [". ", "! ", "? "].iter().filter_map(|mark| rest.find(mark)).min();
            let (sentence, behind) = rest.split_at_checked(end.map_or(rest.len(), |end| end + 1))?;
            rest = behind;
            Some(sentence)
        })
    })
}
