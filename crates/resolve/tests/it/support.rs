//! Snapshots and requests for the tests.

use lorimer_core::{Locator, Refusal, Route, SameName, Skill, SkillId, Snapshot, SnapshotBuilder, SourceId};
use lorimer_resolve::{Call, Refusals, Resolution, ResolveRequest, Resolver, SigilResolver, Structured};

pub(crate) fn id(path: &str) -> SkillId {
    SkillId::new(SourceId::new("host"), Locator::Path(path.into()))
}

/// A skill of the name that its folder has, unless another is given: `path` or `path=name`.
pub(crate) fn skill(entry: &str) -> Skill {
    let (path, name) = entry.split_once('=').unwrap_or_else(|| {
        let folder = entry.trim_end_matches("/SKILL.md");
        (entry, folder.rsplit_once('/').map_or(folder, |(_, name)| name))
    });
    Skill::new(id(path), name, "Does things.")
}

pub(crate) fn snapshot(skills: impl IntoIterator<Item = Skill>) -> Snapshot {
    let mut builder = SnapshotBuilder::default();
    for skill in skills {
        builder.push(skill).expect("every path once");
    }
    builder.finish()
}

/// What a test asks for.
#[derive(Default)]
pub(crate) struct Ask<'a> {
    pub(crate) texts: &'a [&'a str],
    /// Names and locators.
    pub(crate) structured: &'a [(&'a str, &'a str)],
    pub(crate) tool_name: Option<&'a str>,
    pub(crate) connectors: &'a [&'a str],
    /// Paths of disabled skills.
    pub(crate) disabled: &'a [&'a str],
}

impl Ask<'_> {
    pub(crate) fn of(&self, resolver: &impl Resolver, snapshot: &Snapshot) -> Resolution {
        let refused: Refusals =
            self.disabled.iter().map(|path| (id(path), Refusal::new("disabled"))).collect();
        let structured: Vec<_> = self
            .structured
            .iter()
            .map(|(name, locator)| Structured { name: (*name).to_owned(), locator: (*locator).to_owned() })
            .collect();
        resolver.resolve(
            snapshot,
            &ResolveRequest {
                texts: self.texts,
                structured: &structured,
                call: self.tool_name.map(|name| Call { name, route: Route::Tool }),
                connectors: self.connectors,
                refused: &refused,
                same_name: SameName::default(),
            },
        )
    }

    /// The answer of the Codex rules as text: paths, then `mention: reason (candidates)`.
    pub(crate) fn answer(&self, skills: &[&str]) -> String {
        shown(&self.of(&SigilResolver::new(), &snapshot(skills.iter().map(|entry| skill(entry)))))
    }
}

pub(crate) fn shown(resolution: &Resolution) -> String {
    let mut parts: Vec<String> =
        resolution.selected.iter().map(|selected| selected.skill.locator.shown()).collect();
    parts.extend(resolution.unresolved.iter().map(|row| {
        let candidates: Vec<_> = row.candidates.iter().map(|id| id.locator.shown()).collect();
        format!("{}: {} ({})", row.mention, row.reason.as_str(), candidates.join(" "))
    }));
    parts.join("; ")
}
