//! Facts that the facade tells, and the only thing that `observe` sees.

use serde::{Deserialize, Serialize};

use crate::{Budget, Code, Digest, Locator, Route, SkillId, SourceId};

/// What one section of a listing shows: a point for each of the four histograms of Codex, by the section as its surface
/// (section 2.11 of its notes): enabled in all, kept, truncated, and characters cut from descriptions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionRendered {
    /// The section's id.
    pub section: String,
    /// Skills that were to be listed.
    pub total: usize,
    /// Skills that are shown. Fewer than `total` counts as truncated; shortening alone does not.
    pub included: usize,
    /// Characters of descriptions that the budget cut, those of omitted skills among them.
    pub chars_cut: usize,
    /// Whether the model was told something of this section in this turn.
    pub told: bool,
}

/// One fact about the lifecycle. The serialised `event` names are stable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event")]
#[non_exhaustive]
pub enum Event {
    /// A source offers a skill that was not in the snapshot before.
    #[serde(rename = "skill.discovered")]
    SkillDiscovered {
        /// The skill.
        skill: SkillId,
        /// Its name, for reports.
        name: String,
    },
    /// Something that looks like a skill could not be taken in.
    #[serde(rename = "skill.rejected")]
    SkillRejected {
        /// The source that looked at it.
        source: SourceId,
        /// The file or resource.
        locator: Locator,
        /// Why.
        code: Code,
    },
    /// A skill loses its bare name to another one, or shares it with others.
    #[serde(rename = "skill.shadowed")]
    SkillShadowed {
        /// The skill.
        skill: SkillId,
        /// The skill that has the name, where one does.
        by: Option<SkillId>,
    },
    /// What the sources offer is not what it was at the turn before.
    #[serde(rename = "snapshot.changed")]
    SnapshotChanged {
        /// Skills that are new.
        added: usize,
        /// Skills that are not what they were, in their metadata or, where the source can tell, in their files.
        changed: usize,
        /// Skills that are gone.
        removed: usize,
        /// Digest of the new snapshot.
        digest: Digest,
    },
    /// A listing was computed for the turn.
    #[serde(rename = "catalog.rendered")]
    CatalogRendered {
        /// Skills that were to be listed.
        total: usize,
        /// Skills that the listing shows.
        included: usize,
        /// Characters of descriptions that it does not show.
        chars_cut: usize,
        /// The budget.
        budget: Budget,
        /// What the listing costs, in the budget's unit.
        spent: usize,
        /// Whether the model was told, because something differs from what it was told last.
        told: bool,
        /// The same figures section by section, for listings of several sections and for metrics.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sections: Vec<SectionRendered>,
    },
    /// A listing shows a skill whole.
    #[serde(rename = "catalog.entry_listed")]
    EntryListed {
        /// The skill.
        skill: SkillId,
    },
    /// A listing shows a skill with a shorter description, or none.
    #[serde(rename = "catalog.entry_shortened")]
    EntryShortened {
        /// The skill.
        skill: SkillId,
        /// Characters of the description that it does not show.
        chars_cut: usize,
        /// Whether nothing of the description is left.
        name_only: bool,
    },
    /// A listing leaves a skill out.
    #[serde(rename = "catalog.entry_omitted")]
    EntryOmitted {
        /// The skill.
        skill: SkillId,
        /// Why.
        reason: String,
    },
    /// Something asked for was found.
    #[serde(rename = "mention.resolved")]
    MentionResolved {
        /// The skill.
        skill: SkillId,
        /// How it was asked for.
        route: Route,
    },
    /// Something asked for was not found, or not in one piece.
    #[serde(rename = "mention.unresolved")]
    MentionUnresolved {
        /// What was asked for.
        mention: String,
        /// `unknown`, `ambiguous`, `connector-clash` or the rule that refused.
        reason: String,
    },
    /// A rule keeps a skill from being used by a route.
    #[serde(rename = "skill.denied")]
    SkillDenied {
        /// The skill.
        skill: SkillId,
        /// The route.
        route: Route,
        /// The rule.
        reason: String,
    },
    /// A body was handed to the model.
    #[serde(rename = "skill.injected")]
    SkillInjected {
        /// The skill.
        skill: SkillId,
        /// How it was asked for.
        route: Route,
        /// Bytes of the body as handed over, without the wrapper.
        bytes: usize,
        /// Digest of the bytes as read.
        digest: Digest,
    },
    /// A body should have been handed to the model and was not.
    #[serde(rename = "skill.injection_failed")]
    SkillInjectionFailed {
        /// The skill.
        skill: SkillId,
        /// How it was asked for.
        route: Route,
        /// Why.
        reason: String,
    },
    /// A body was cut at its limit.
    #[serde(rename = "skill.body_cut")]
    BodyCut {
        /// The skill.
        skill: SkillId,
        /// Bytes that were kept.
        kept: usize,
    },
    /// A loaded skill has everything that it needs.
    #[serde(rename = "skill.cleared")]
    SkillCleared {
        /// The skill.
        skill: SkillId,
    },
    /// A loaded skill may not be carried out.
    #[serde(rename = "skill.blocked")]
    SkillBlocked {
        /// The skill.
        skill: SkillId,
        /// Why.
        reason: String,
    },
    /// A loaded skill waits for an answer.
    #[serde(rename = "skill.waiting")]
    SkillWaiting {
        /// The skill.
        skill: SkillId,
        /// The question's id.
        question: String,
    },
    /// A declared dependency is not there.
    #[serde(rename = "dependency.missing")]
    DependencyMissing {
        /// The skill.
        skill: SkillId,
        /// `kind:value`.
        dependency: String,
    },
    /// A dependency was installed.
    #[serde(rename = "dependency.installed")]
    DependencyInstalled {
        /// The skill.
        skill: SkillId,
        /// `kind:value`.
        dependency: String,
    },
    /// A dependency could not be installed.
    #[serde(rename = "dependency.failed")]
    DependencyFailed {
        /// The skill.
        skill: SkillId,
        /// `kind:value`.
        dependency: String,
        /// Why.
        reason: String,
    },
    /// A missing dependency was left alone, by a policy or by an answer.
    #[serde(rename = "dependency.skipped")]
    DependencySkipped {
        /// The skill.
        skill: SkillId,
        /// `kind:value`.
        dependency: String,
        /// Who decided.
        reason: String,
    },
    /// A session goes on from its journal.
    #[serde(rename = "session.resumed")]
    SessionResumed {
        /// Turns in the journal.
        turns: u64,
    },
    /// Turns were taken back.
    #[serde(rename = "session.rolled_back")]
    SessionRolledBack {
        /// How many.
        turns: u64,
    },
    /// The history was replaced by a summary.
    #[serde(rename = "history.compacted")]
    HistoryCompacted {
        /// Skill bodies that are no longer in the history word for word.
        bodies_dropped: usize,
    },
}

impl Event {
    /// Returns the stable name, as in `skill.injected`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SkillDiscovered { .. } => "skill.discovered",
            Self::SkillRejected { .. } => "skill.rejected",
            Self::SkillShadowed { .. } => "skill.shadowed",
            Self::SnapshotChanged { .. } => "snapshot.changed",
            Self::CatalogRendered { .. } => "catalog.rendered",
            Self::EntryListed { .. } => "catalog.entry_listed",
            Self::EntryShortened { .. } => "catalog.entry_shortened",
            Self::EntryOmitted { .. } => "catalog.entry_omitted",
            Self::MentionResolved { .. } => "mention.resolved",
            Self::MentionUnresolved { .. } => "mention.unresolved",
            Self::SkillDenied { .. } => "skill.denied",
            Self::SkillInjected { .. } => "skill.injected",
            Self::SkillInjectionFailed { .. } => "skill.injection_failed",
            Self::BodyCut { .. } => "skill.body_cut",
            Self::SkillCleared { .. } => "skill.cleared",
            Self::SkillBlocked { .. } => "skill.blocked",
            Self::SkillWaiting { .. } => "skill.waiting",
            Self::DependencyMissing { .. } => "dependency.missing",
            Self::DependencyInstalled { .. } => "dependency.installed",
            Self::DependencyFailed { .. } => "dependency.failed",
            Self::DependencySkipped { .. } => "dependency.skipped",
            Self::SessionResumed { .. } => "session.resumed",
            Self::SessionRolledBack { .. } => "session.rolled_back",
            Self::HistoryCompacted { .. } => "history.compacted",
        }
    }

    /// Returns the skill that the event is about, where it is about one.
    pub fn skill(&self) -> Option<&SkillId> {
        match self {
            Self::SkillDiscovered { skill, .. }
            | Self::SkillShadowed { skill, .. }
            | Self::EntryListed { skill }
            | Self::EntryShortened { skill, .. }
            | Self::EntryOmitted { skill, .. }
            | Self::MentionResolved { skill, .. }
            | Self::SkillDenied { skill, .. }
            | Self::SkillInjected { skill, .. }
            | Self::SkillInjectionFailed { skill, .. }
            | Self::BodyCut { skill, .. }
            | Self::SkillCleared { skill }
            | Self::SkillBlocked { skill, .. }
            | Self::SkillWaiting { skill, .. }
            | Self::DependencyMissing { skill, .. }
            | Self::DependencyInstalled { skill, .. }
            | Self::DependencyFailed { skill, .. }
            | Self::DependencySkipped { skill, .. } => Some(skill),
            Self::SkillRejected { .. }
            | Self::SnapshotChanged { .. }
            | Self::CatalogRendered { .. }
            | Self::MentionUnresolved { .. }
            | Self::SessionResumed { .. }
            | Self::SessionRolledBack { .. }
            | Self::HistoryCompacted { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S3-52: the serialised name is the stable one.
    #[test]
    fn s3_52_names_are_the_serialised_tags() {
        let skill = SkillId::new(SourceId::new("host"), Locator::Uri("skill://a".to_owned()));
        let events = [
            Event::SkillDiscovered { skill: skill.clone(), name: "a".to_owned() },
            Event::EntryShortened { skill: skill.clone(), chars_cut: 3, name_only: false },
            Event::EntryOmitted { skill: skill.clone(), reason: "budget".to_owned() },
            Event::SkillInjected { skill, route: Route::Mention, bytes: 1, digest: Digest::of(b"") },
            Event::SessionResumed { turns: 2 },
        ];
        for event in events {
            let json = serde_json::to_value(&event).unwrap();
            assert_eq!(json["event"], event.name());
            assert_eq!(serde_json::from_value::<Event>(json).unwrap(), event);
        }
    }
}
