//! Similar names, as suggestions for a person.

use std::collections::HashSet;

use lorimer_core::{Route, SkillId, Snapshot};

use crate::Refusals;

/// Suggestions that one answer carries at most.
const MOST: usize = 3;
/// Answers of one request that carry suggestions at most, so that a text full of variables costs little.
const MOST_ANSWERS: usize = 8;
/// Snapshots with more skills are not searched: a suggestion is not worth a slow turn.
const LARGEST: usize = 20_000;
/// Names with more bytes are not compared; no skill has one.
const LONGEST: usize = 160;
/// The least likeness, from 0 to 1.
const LEAST: f64 = 0.8;

/// Finds names that look like one that is not there. They are shown to a person and never chosen.
pub(crate) struct Suggestions<'a> {
    snapshot: &'a Snapshot,
    refused: &'a Refusals,
    answers: usize,
    /// Names in lower case, made when they are first needed.
    names: Option<Vec<(String, &'a SkillId)>>,
    /// The same as a set, made when it is first needed.
    known: Option<HashSet<String>>,
}

impl<'a> Suggestions<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot, refused: &'a Refusals) -> Self {
        Self { snapshot, refused, answers: 0, names: None, known: None }
    }

    /// Returns skills that are called nearly `name`, the likest first; equal ones in snapshot order.
    pub(crate) fn similar(&mut self, name: &str) -> Vec<SkillId> {
        if self.answers >= MOST_ANSWERS || name.is_empty() || name.len() > LONGEST {
            return Vec::new();
        }
        self.answers += 1;
        let wanted = name.to_lowercase();
        let mut found: Vec<(f64, &SkillId)> = self
            .names()
            .iter()
            .filter(|(known, _)| known.len().abs_diff(wanted.len()) <= wanted.len().max(4))
            .map(|(known, id)| (strsim::jaro_winkler(&wanted, known), *id))
            .filter(|(likeness, _)| *likeness >= LEAST)
            .collect();
        found.sort_by(|left, right| right.0.total_cmp(&left.0));
        found.into_iter().take(MOST).map(|(_, id)| id.clone()).collect()
    }

    /// Returns whether a skill has this name in other capitals.
    pub(crate) fn knows_in_other_case(&mut self, name: &str) -> bool {
        if self.known.is_none() {
            self.known = Some(self.names().iter().map(|(name, _)| name.clone()).collect());
        }
        self.known.as_ref().is_some_and(|known| known.contains(&name.to_lowercase()))
    }

    fn names(&mut self) -> &[(String, &'a SkillId)] {
        let (snapshot, refused) = (self.snapshot, self.refused);
        self.names.get_or_insert_with(|| {
            if snapshot.len() > LARGEST {
                return Vec::new();
            }
            snapshot
                .skills()
                .filter(|skill| refused.get(&skill.id, Route::Mention).is_none())
                .map(|skill| (skill.call_name().to_lowercase(), &skill.id))
                .collect()
        })
    }
}
