//! Many scans become one snapshot.

use std::collections::HashSet;
use std::sync::Arc;

use lorimer_core::{
    Claims, Code, Diagnostic, Event, SameName, ScopeOrder, Severity, Skill, Snapshot, SnapshotBuilder,
    SourceId, collation_key,
};
use lorimer_discover::{ScanRequest, Source};

/// The order of a snapshot, which is the order in which selected skills are handed over.
#[derive(Clone, Copy, Debug)]
pub enum SnapshotOrder {
    /// As the sources list them.
    AsFound,
    /// By scope, then name, then location, all by code point.
    ByScope(ScopeOrder),
    /// By name, UTF-16 code unit by code unit; same names as the sources list them.
    ByName,
    /// By scope, then by name as people sort names; equal ones as the sources list them.
    Collated(ScopeOrder),
}

impl SnapshotOrder {
    fn arrange(self, builder: &mut SnapshotBuilder) {
        match self {
            Self::AsFound => {}
            Self::ByScope(order) => builder.sort_by(|left, right| {
                let key = |skill: &Skill| order.rank(&skill.scope);
                (key(left), left.call_name(), &left.id.locator).cmp(&(
                    key(right),
                    right.call_name(),
                    &right.id.locator,
                ))
            }),
            Self::ByName => builder
                .sort_by(|left, right| left.call_name().encode_utf16().cmp(right.call_name().encode_utf16())),
            Self::Collated(order) => builder
                .sort_by_cached_key(|skill| (order.rank(&skill.scope), collation_key(skill.call_name()))),
        }
    }
}

/// A snapshot, and what did not make it in.
#[derive(Clone, Debug)]
pub(crate) struct Gathered {
    pub(crate) snapshot: Snapshot,
    /// One `skill.rejected` for each file or resource that could not be taken in.
    pub(crate) rejected: Vec<Event>,
}

impl Default for Gathered {
    fn default() -> Self {
        Self { snapshot: Snapshot::empty(), rejected: Vec::new() }
    }
}

/// Scans all sources and puts what they offer into one snapshot. Same-named skills all stay (S3-11).
pub(crate) fn gather(sources: &[Arc<dyn Source>], order: SnapshotOrder, request: &ScanRequest) -> Gathered {
    let mut rejected = Vec::new();
    let mut builder = SnapshotBuilder::default();
    let mut next_root = 0;
    for source in sources {
        let scan = source.scan(request);
        let first_root = next_root;
        for mut skill in scan.skills {
            // A skill that its source keeps is copied only where it has to differ.
            if first_root > 0 {
                let root = &mut Arc::make_mut(&mut skill).root;
                root.order = root.order.saturating_add(first_root);
            }
            next_root = next_root.max(skill.root.order.saturating_add(1));
            if let Err(repeated) = builder.push(skill) {
                builder.diagnose([same_identity(&repeated)]);
            }
        }
        rejected.extend(rejections(source.id(), &scan.diagnostics));
        builder.diagnose(scan.diagnostics);
        if !scan.complete {
            builder.mark_incomplete();
        }
    }
    order.arrange(&mut builder);
    Gathered { snapshot: builder.finish(), rejected }
}

/// An error about a file means that the file was not taken in; a second error about it counts no second time.
fn rejections(source: &SourceId, diagnostics: &[Diagnostic]) -> Vec<Event> {
    let mut seen = HashSet::new();
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors
        .filter_map(|diagnostic| {
            let locator = &diagnostic.location.as_ref()?.locator;
            seen.insert(locator).then(|| Event::SkillRejected {
                source: source.clone(),
                locator: locator.clone(),
                code: diagnostic.code,
            })
        })
        .collect()
}

fn same_identity(skill: &Skill) -> Diagnostic {
    Diagnostic::new(
        Code::SameFile,
        format!("`{}` was listed twice by its source; once is enough", skill.name),
    )
    .at(skill.id.locator.clone(), None)
}

/// Finds names that several skills share.
pub(crate) fn collisions(snapshot: &Snapshot, rule: SameName) -> Vec<Diagnostic> {
    let claims = Claims::new(rule, snapshot.skills().map(|skill| &**skill));
    let mut found = Vec::new();
    for skill in snapshot.skills() {
        let name = skill.call_name();
        let place = |diagnostic: Diagnostic| diagnostic.at(skill.id.locator.clone(), None);
        if let Some(by) = claims.shadowed_by(skill) {
            let message = format!("`{name}` means {}, which is nearer", by.shown_location());
            let help = "rename one of them, or select this one by its path";
            found.push(place(Diagnostic::new(Code::Shadowed, message)).with_help(help));
            continue;
        }
        let Some(first) = claims.first(name).filter(|first| first.id != skill.id) else { continue };
        let message = format!("`{name}` is also the name of {}", first.shown_location());
        let help = "rename one of them, disable one by its path, or select by path";
        found.push(place(Diagnostic::new(Code::NameCollision, message)).with_help(help));
    }
    found
}
