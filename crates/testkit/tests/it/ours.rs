//! Every implementation in this repository passes its suite.

use lorimer::activate::{
    BaseDirectoryBlock, ClosingTags, Part, SkillFragment, SkillReference, ToolResult, WholeText,
};
use lorimer::authorize::{
    AllowAll, CallRule, Conditions, Gate, MissingPolicy, Permissions, Requirements, Rule, RuleSet,
};
use lorimer::catalog::{GroupedIndex, JsonIndex, LineBreaks, NamesFirst, WholeEntriesByRank};
use lorimer::core::SourceId;
use lorimer::discover::MemorySource;
use lorimer::observe::{Fanout, InMemory, LiveFunnel, Null, Tracing};
use lorimer::persist::{JsonlJournal, MemoryJournal};
use lorimer::resolve::{ByName, ByPlace, CommandReferences, Duplicates, Options, SigilResolver};
use lorimer::{Host, profiles};
use lorimer_testkit::{Project, contract};

#[test]
fn folders_on_disk_are_a_source() {
    let project = Project::new();
    project.skill("alpha", "First.", "Do this.\n").skill("beta", "Second.", "And this.\n");
    project.file("project/.agents/skills/broken/SKILL.md", "no frontmatter");
    for name in ["alpha", "beta"] {
        let text = format!("---\nname: {name}\ndescription: For another harness.\n---\nDo this.\n");
        project.file(&format!("project/.claude/skills/{name}/SKILL.md"), text);
    }
    for profile in profiles::ALL {
        // All look into one folder, as not all would look there by themselves.
        let host = project.host().root(project.path("project/.agents/skills"));
        contract::source::all(|| {
            let lifecycle = profile.lifecycle(&host).expect("no setting is wrong");
            std::sync::Arc::clone(&lifecycle.sources()[0])
        });
    }
}

#[test]
fn memory_is_a_source() {
    contract::source::all(|| {
        let source = MemorySource::new(SourceId::new("memory"));
        source.add("alpha", "First.", "Do this.");
        source.add("beta", "Second.", "And this.");
        source
    });
}

#[test]
fn every_profile_has_a_cataloger() {
    for profile in profiles::ALL {
        let lifecycle = profile.lifecycle(&Host::new("/nowhere")).expect("no setting is wrong");
        contract::cataloger::all(lifecycle.cataloger());
    }
}

#[test]
fn names_first_is_a_cataloger_however_it_ranks() {
    let weights = [("skill-03".to_owned(), 2.0), ("wide".to_owned(), 7.5)].into();
    let ranking = WholeEntriesByRank { weights, ..WholeEntriesByRank::default() };
    contract::cataloger::all(&NamesFirst { ranking, ..NamesFirst::default() });
    contract::cataloger::all(&NamesFirst { most_units: 3, splits: true, ..NamesFirst::default() });
}

#[test]
fn resolvers_by_sigil_and_by_name() {
    contract::resolver::all(&SigilResolver::new());
    contract::resolver::all(&SigilResolver::with(Options::strict()));
    contract::resolver::all(&ByName::new(Duplicates::Ambiguous));
    contract::resolver::all(&ByPlace::default());
    // These choose one of two namesakes on purpose.
    for duplicates in [Duplicates::First, Duplicates::Last] {
        let resolver = ByName::new(duplicates);
        contract::resolver::chooses_only_from_the_snapshot(&resolver);
        contract::resolver::respects_refusals(&resolver);
        contract::resolver::places_lie_in_the_text(&resolver);
    }
    let references = CommandReferences::default();
    contract::resolver::chooses_only_from_the_snapshot(&references);
    contract::resolver::respects_refusals(&references);
    contract::resolver::places_lie_in_the_text(&references);
}

#[test]
fn activators() {
    for closing_tags in [ClosingTags::Defuse, ClosingTags::PassThrough] {
        for part in [Part::WholeFile, Part::Instructions] {
            contract::activator::all(&SkillFragment { part, closing_tags, limit: None });
        }
        contract::activator::all(&ToolResult { closing_tags, limit: None });
    }
    contract::activator::all(&SkillReference::default());
    contract::activator::all(&WholeText { folder: Some("FOLDER"), ..WholeText::default() });
    contract::activator::all(&BaseDirectoryBlock);
    for profile in profiles::ALL {
        let lifecycle = profile.lifecycle(&Host::new("/nowhere")).expect("no setting is wrong");
        contract::activator::all(lifecycle.activator());
    }
}

#[test]
fn grouped_and_json_listings() {
    contract::cataloger::all(&GroupedIndex::default());
    let names_only = ["contract".to_owned(), "general".to_owned()].into();
    contract::cataloger::all(&GroupedIndex { names_only, ..GroupedIndex::default() });
    contract::cataloger::all(&GroupedIndex {
        line_breaks: LineBreaks::PassThrough,
        ..GroupedIndex::default()
    });
    contract::cataloger::all(&JsonIndex::default());
}

#[test]
fn authorizers() {
    contract::authorizer::all(&AllowAll);
    contract::authorizer::all(&Requirements::default());
    let only = Some(["plain".to_owned()].into());
    contract::authorizer::all(&Requirements { only, ..Requirements::default() });
    let disabled = ["plain".to_owned()].into();
    contract::authorizer::all(&Conditions { disabled, ..Conditions::default() });
    for missing in [MissingPolicy::Ask, MissingPolicy::Block, MissingPolicy::Ignore] {
        let mut rules = RuleSet::default();
        rules.push(Rule::by_name("plain", false));
        let mut gate = Gate::with_rules(rules);
        gate.product = Some("codex".to_owned());
        gate.missing = missing;
        contract::authorizer::all(&gate);
    }
    let deny = vec![CallRule::Name("plain".to_owned())];
    contract::authorizer::all(&Permissions { deny, ..Permissions::default() });
}

#[test]
fn journals() {
    let memory = MemoryJournal::new();
    contract::journal::all(|| &memory);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    contract::journal::all(|| JsonlJournal::open(folder.path()));
}

#[test]
fn observers() {
    contract::observer::all(&Null);
    contract::observer::all(&Tracing);
    contract::observer::all(&InMemory::new());
    contract::observer::all(&LiveFunnel::new());
    contract::observer::all(&Fanout(vec![Box::new(Null), Box::new(InMemory::new())]));
}
