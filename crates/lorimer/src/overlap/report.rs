//! What `lorimer overlap --json` prints, as values.

use std::collections::HashMap;
use std::sync::Arc;

use lorimer_core::{Diagnostic, Skill};
use serde::Serialize;

use super::{CHECKPOINT, Group, Level, Lost, Member, Overlap, Pair, Verdict};
use crate::report::{DiagnosticReport, SkillReport, VERSION};

/// Which of many skills a model may confuse.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are described in docs/json.md, under the same names")]
pub struct OverlapReport {
    pub version: u32,
    pub profile: String,
    pub skills: usize,
    pub min: &'static str,
    pub confusable: usize,
    pub checkpoint: CheckpointReport,
    pub groups: Vec<GroupReport>,
    /// Pairs that are in no group together.
    pub pairs: Vec<PairReport>,
    pub apart: Vec<PairReport>,
    pub diagnostics: Vec<DiagnosticReport>,
}

/// When an audit is advised.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct CheckpointReport {
    pub from: usize,
    pub reached: bool,
}

/// Skills that would be confused with each other.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct GroupReport {
    pub level: &'static str,
    pub keep: SkillReport,
    pub why: &'static str,
    pub others: Vec<MemberReport>,
}

/// A skill of a group besides the one to keep.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct MemberReport {
    #[serde(flatten)]
    pub skill: SkillReport,
    pub alike: PairReport,
    pub lost: Lost,
}

/// Two skills side by side.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "as above")]
pub struct PairReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<&'static str>,
    pub left: SkillReport,
    pub right: SkillReport,
    pub body: f64,
    pub contained: f64,
    pub description: f64,
    pub name: bool,
    pub shared: Vec<String>,
    pub left_only: Vec<String>,
    pub right_only: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subjects: Option<[Vec<String>; 2]>,
}

impl OverlapReport {
    /// Describes a comparison of these skills, which stand in the order of the documents.
    pub fn new(
        profile: &str,
        min: Level,
        skills: &[Arc<Skill>],
        overlap: &Overlap,
        diagnostics: &[Diagnostic],
    ) -> Self {
        let mut home: HashMap<usize, usize> = HashMap::new();
        for (number, group) in overlap.groups.iter().enumerate() {
            let members = group.members.iter().map(|member| member.document).chain([group.keep]);
            home.extend(members.map(|place| (place, number)));
        }
        let is_loose = |pair: &&Pair| match (home.get(&pair.left), home.get(&pair.right)) {
            (Some(left), Some(right)) => left != right,
            _ => true,
        };
        let loose = overlap.pairs.iter().filter(is_loose);
        Self {
            version: VERSION,
            profile: profile.to_owned(),
            skills: skills.len(),
            min: min.as_str(),
            confusable: overlap.confusable(),
            checkpoint: CheckpointReport { from: CHECKPOINT, reached: skills.len() >= CHECKPOINT },
            groups: overlap.groups.iter().filter_map(|group| self::group(skills, overlap, group)).collect(),
            pairs: loose.filter_map(|pair| PairReport::new(skills, pair)).collect(),
            apart: overlap.apart.iter().filter_map(|pair| PairReport::new(skills, pair)).collect(),
            diagnostics: diagnostics.iter().map(DiagnosticReport::from).collect(),
        }
    }
}

fn group(skills: &[Arc<Skill>], overlap: &Overlap, group: &Group) -> Option<GroupReport> {
    let member = |member: &Member| {
        Some(MemberReport {
            skill: SkillReport::from(&**skills.get(member.document)?),
            alike: PairReport::new(skills, overlap.pairs.get(member.pair)?)?,
            lost: member.lost.clone(),
        })
    };
    Some(GroupReport {
        level: group.level.as_str(),
        keep: SkillReport::from(&**skills.get(group.keep)?),
        why: group.why.as_str(),
        others: group.members.iter().filter_map(member).collect(),
    })
}

impl PairReport {
    /// Describes two of these skills.
    pub(crate) fn new(skills: &[Arc<Skill>], pair: &Pair) -> Option<Self> {
        let subjects = match &pair.verdict {
            Verdict::Apart { left, right } => Some([left.clone(), right.clone()]),
            Verdict::Alike(_) | Verdict::Unlike => None,
        };
        let rounded = |share: f64| (share * 100.0).round() / 100.0;
        Some(Self {
            level: pair.level().map(Level::as_str),
            left: SkillReport::from(&**skills.get(pair.left)?),
            right: SkillReport::from(&**skills.get(pair.right)?),
            body: rounded(pair.likeness.body),
            contained: rounded(pair.likeness.contained),
            description: rounded(pair.likeness.description),
            name: pair.likeness.name,
            shared: pair.shared.clone(),
            left_only: pair.left_only.clone(),
            right_only: pair.right_only.clone(),
            subjects,
        })
    }
}
