//! Pairs become groups, and each group gets one to keep.

use std::collections::{HashMap, HashSet};

use super::compare::Set;
use super::lost::{Lost, lost};
use super::{Level, Pair};

/// Skills that would be confused with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// How the two that are most alike may be confused.
    pub level: Level,
    /// Place of the document to keep.
    pub keep: usize,
    /// Why that one.
    pub why: Why,
    /// The others, the most alike first.
    pub members: Vec<Member>,
}

/// A skill of a group that is not the one to keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its place in the documents.
    pub document: usize,
    /// Place in the pairs of the one that ties it to the group: of those of its highest level the one with the skill to
    /// keep, else the one that is most alike.
    pub pair: usize,
    /// What only this one has, compared with the one to keep.
    pub lost: Lost,
}

/// Why a skill is the one to keep. A group's fullest skill is kept, and of those that have nearly as much the nearest;
/// times of files say nothing, because a checkout sets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It says more than the others.
    Fullest,
    /// It is nearer than the others that say as much.
    Nearest,
    /// Nothing sets it apart; it is the first by its identity.
    First,
}

impl Why {
    /// Returns the reason as a stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fullest => "fullest",
            Self::Nearest => "nearest",
            Self::First => "first",
        }
    }
}

/// A skill with this share of the words of the fullest has as much to say.
const NEARLY: f64 = 0.8;

/// Puts sorted pairs into groups. Copies and near copies and descriptions that say the same chain; a pair that only shares
/// its subject or its name joins two groups when all of their skills are pairs, because such a chain leads anywhere.
pub(super) fn group(set: &Set<'_>, pairs: &[Pair]) -> Vec<Group> {
    let mut home: Vec<usize> = (0..set.documents.len()).collect();
    let mut members: Vec<Vec<usize>> = home.iter().map(|place| vec![*place]).collect();
    let known: HashSet<(usize, usize)> =
        pairs.iter().flat_map(|pair| [(pair.left, pair.right), (pair.right, pair.left)]).collect();
    let first_of = firsts(set);
    for pair in pairs {
        let (Some(left), Some(right)) = (home.get(pair.left).copied(), home.get(pair.right).copied()) else {
            continue;
        };
        if left == right || !joins(pair, members.get(left), members.get(right), &known, &first_of) {
            continue;
        }
        let moved = members.get_mut(right).map(std::mem::take).unwrap_or_default();
        for place in &moved {
            if let Some(home) = home.get_mut(*place) {
                *home = left;
            }
        }
        if let Some(members) = members.get_mut(left) {
            members.extend(moved);
        }
    }
    let mut inside: HashMap<usize, Vec<(usize, &Pair)>> = HashMap::new();
    for (place, pair) in pairs.iter().enumerate() {
        if let Some(left) = home.get(pair.left).filter(|left| Some(*left) == home.get(pair.right)) {
            inside.entry(*left).or_default().push((place, pair));
        }
    }
    let mut groups: Vec<(usize, Group)> =
        inside.into_iter().filter_map(|(home, own)| finish(set, &own, members.get(home)?)).collect();
    groups.sort_by_key(|(first, _)| *first);
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Returns for each document the one that stands for all with the same file.
fn firsts(set: &Set<'_>) -> Vec<usize> {
    let mut firsts: Vec<usize> = (0..set.documents.len()).collect();
    for class in &set.classes {
        for place in class {
            if let (Some(slot), Some(first)) = (firsts.get_mut(*place), class.first()) {
                *slot = *first;
            }
        }
    }
    firsts
}

fn joins(
    pair: &Pair,
    left: Option<&Vec<usize>>,
    right: Option<&Vec<usize>>,
    known: &HashSet<(usize, usize)>,
    first_of: &[usize],
) -> bool {
    if pair.level() >= Some(Level::Description) {
        return true;
    }
    let (Some(left), Some(right)) = (left, right) else { return false };
    let first = |place: &usize| first_of.get(*place).copied().unwrap_or(*place);
    left.iter().all(|one| right.iter().all(|other| known.contains(&(first(one), first(other)))))
}

/// Returns a group of these pairs, and the place of its first one.
fn finish(set: &Set<'_>, own: &[(usize, &Pair)], members: &[usize]) -> Option<(usize, Group)> {
    let (first, strongest) = own.first().copied()?;
    let (keep, why) = keep(set, members)?;
    let mut others: Vec<Member> = members
        .iter()
        .filter(|place| **place != keep)
        .filter_map(|place| {
            let mut tied = own.iter().filter(|(_, pair)| pair.left == *place || pair.right == *place);
            let (most, tie) = tied.next()?;
            let with_kept = |(_, pair): &&(usize, &Pair)| {
                pair.level() == tie.level() && (pair.left == keep || pair.right == keep)
            };
            let pair = tied.find(with_kept).filter(|_| tie.left != keep && tie.right != keep);
            let pair = pair.map_or(most, |(pair, _)| pair);
            Some(Member { document: *place, pair: *pair, lost: lost(set, *place, keep) })
        })
        .collect();
    let id = |place: usize| set.documents.get(place).map(|document| document.id.as_str());
    others.sort_by(|left, right| (left.pair, id(left.document)).cmp(&(right.pair, id(right.document))));
    Some((first, Group { level: strongest.level()?, keep, why, members: others }))
}

/// Returns the one to keep.
fn keep(set: &Set<'_>, members: &[usize]) -> Option<(usize, Why)> {
    let size = |place: usize| set.features.get(place).map_or(0, |features| features.size);
    let number = |size: usize| f64::from(u32::try_from(size).unwrap_or(u32::MAX));
    let most = number(members.iter().map(|place| size(*place)).max()?);
    let full: Vec<usize> =
        members.iter().copied().filter(|place| number(size(*place)) >= NEARLY * most).collect();
    let document = |place: usize| set.documents.get(place);
    let keep = *full.iter().min_by_key(|place| {
        let document = document(**place);
        let known = document.map(|document| (document.nearness, document.id.as_str()));
        let (nearness, id) = known.unzip();
        (
            nearness,
            std::cmp::Reverse((size(**place), document.map_or(0, |document| document.files.len()))),
            id,
        )
    })?;
    let nearness = |place: usize| document(place).map(|document| document.nearness);
    let why = if full.iter().any(|place| nearness(*place) > nearness(keep)) {
        Why::Nearest
    } else if members.iter().any(|place| size(*place) < size(keep)) {
        Why::Fullest
    } else {
        Why::First
    };
    Some((keep, why))
}
