//! Skills and catalogs for the tests.

use std::sync::Arc;

use lorimer_catalog::{
    Allocation, AsGiven, ByScopeThenName, Catalog, CatalogRequest, Cataloger, Composed, Format, NativeLines,
    RootedLines, RoundRobin,
};
use lorimer_core::{Budget, Locator, Root, Scope, ScopeOrder, Skill, SkillId, SourceId};

/// A project skill in the folder `name` of `root`.
pub(crate) fn skill(root: &str, order: u32, name: &str, description: &str) -> Skill {
    let path = format!("{root}/{name}/SKILL.md");
    let id = SkillId::new(SourceId::new("host"), Locator::Path(path.into()));
    let mut skill = Skill::new(id, name, description);
    skill.scope = Scope::Project { depth: 0 };
    skill.root = Root { path: root.to_owned(), order };
    skill
}

pub(crate) fn shared(skills: impl IntoIterator<Item = Skill>) -> Vec<Arc<Skill>> {
    skills.into_iter().map(Arc::new).collect()
}

pub(crate) fn list(cataloger: &impl Cataloger, skills: &[Arc<Skill>], budget: Budget) -> Catalog {
    cataloger.catalog(&CatalogRequest { skills, budget, input: None })
}

/// The composition of the Codex profile.
pub(crate) fn codex() -> Composed {
    rooted(RoundRobin, RootedLines::default())
}

pub(crate) fn native() -> Composed {
    rooted(RoundRobin, NativeLines::default())
}

pub(crate) fn rooted(allocation: impl Allocation + 'static, format: impl Format + 'static) -> Composed {
    let order = ByScopeThenName(ScopeOrder::new(&["system", "admin", "project", "user"]));
    Composed::new(order, allocation, format)
}

/// Lines with whole locators only, in the order given.
pub(crate) fn absolute(allocation: impl Allocation + 'static) -> Composed {
    Composed::new(AsGiven, allocation, RootedLines { aliases: None, ..RootedLines::default() })
}

/// Characters of the description of each row; `None` for a row that is left out.
pub(crate) fn shown(catalog: &Catalog) -> Vec<Option<usize>> {
    catalog.entries.iter().map(|entry| (entry.cost > 0).then(|| entry.description.chars().count())).collect()
}
