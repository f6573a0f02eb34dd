//! Where rules lead.

use std::path::PathBuf;

use lorimer_core::{Scope, SourceId};
use lorimer_discover::{
    FsSource, Place, Reading, RootBase, RootRule, ScanRequest, Source, UpwardOrder, WalkPolicy,
};

use crate::support::{Folder, codes, names};

const PROJECT: Scope = Scope::Project { depth: 0 };

fn nearest() -> Vec<RootRule> {
    vec![RootRule::new(RootBase::NearestUpward { relative: ".agents/skills".into() }, PROJECT)]
}

fn upward(order: UpwardOrder) -> RootRule {
    RootRule::new(RootBase::ProjectUpward { relative: ".agents/skills".into(), order }, PROJECT)
}

/// Root paths below the folder, with their scopes.
fn resolved(folder: &Folder, place: Place, rules: Vec<RootRule>) -> Vec<String> {
    let source = FsSource::new(SourceId::new("host"), place, rules, Reading::lenient());
    let base = folder.path("");
    let roots = source.roots().into_iter();
    roots
        .map(|root| {
            format!("{} {}", root.path.strip_prefix(&base).unwrap_or(&root.path).display(), root.scope)
        })
        .collect()
}

/// S1-06: the nearest ancestor that holds the directory, up to the root of the file system.
#[test]
fn s1_06_the_nearest_ancestor_wins() {
    let folder = Folder::new();
    folder.skill("a/.agents/skills/outer");
    folder.skill("a/b/.agents/skills/inner");
    folder.directory("a/b/c/d");
    let at = |cwd: &str| resolved(&folder, Place::new(folder.path(cwd)), nearest());
    assert_eq!(at("a/b/c/d"), ["a/b/.agents/skills project"]);
    assert_eq!(at("a/b"), ["a/b/.agents/skills project"]);
    assert_eq!(at("a"), ["a/.agents/skills project"]);
    let found = FsSource::new(
        SourceId::new("host"),
        Place::new(folder.path("a/b/c/d")),
        nearest(),
        Reading::minimal(),
    );
    assert_eq!(names(&found.scan(&ScanRequest::default())), ["inner"]);
}

/// S1-06: no such directory, no skills; and it only has to exist, so a file ends the search without skills.
#[test]
fn s1_06_nothing_and_a_file() {
    let folder = Folder::new();
    folder.skill("a/.agents/skills/outer");
    let file = folder.write("a/b/.agents/skills", "a file");
    folder.directory("a/b/c");
    let source =
        FsSource::new(SourceId::new("host"), Place::new(folder.path("a/b/c")), nearest(), Reading::minimal());
    let scan = source.scan(&ScanRequest::default());
    assert!(scan.skills.is_empty());
    assert_eq!(codes(&scan.diagnostics), [lorimer_core::Code::RootNotDirectory]);
    std::fs::remove_file(file).unwrap();
    assert_eq!(names(&source.scan(&ScanRequest::default())), ["outer"], "rules are resolved anew");

    let elsewhere = Folder::new();
    let rule =
        RootRule::new(RootBase::NearestUpward { relative: ".no-such-folder-of-skills".into() }, PROJECT);
    assert!(resolved(&elsewhere, Place::new(elsewhere.path("")), vec![rule]).is_empty());
}

#[test]
fn a_project_reaches_from_its_marker_to_the_working_directory() {
    let folder = Folder::new();
    folder.directory("p/.git");
    folder.directory("p/q/r/s");
    let at = |cwd: &str, order| resolved(&folder, Place::new(folder.path(cwd)), vec![upward(order)]);
    assert_eq!(
        at("p/q/r", UpwardOrder::OutermostFirst),
        ["p/.agents/skills project", "p/q/.agents/skills project:1", "p/q/r/.agents/skills project:2"]
    );
    assert_eq!(
        at("p/q", UpwardOrder::InnermostFirst),
        ["p/q/.agents/skills project:1", "p/.agents/skills project"]
    );
    folder.write("p/q/.git", "gitdir: elsewhere");
    assert_eq!(
        at("p/q/r", UpwardOrder::OutermostFirst).len(),
        2,
        "the nearest marker counts, and a file is one"
    );

    let markers = |markers: &[&str]| {
        let mut place = Place::new(folder.path("p/q/r"));
        place.project_markers = markers.iter().map(ToString::to_string).collect();
        resolved(&folder, place, vec![upward(UpwardOrder::OutermostFirst)])
    };
    assert_eq!(markers(&[]), ["p/q/r/.agents/skills project"]);
    assert_eq!(markers(&["no-such-marker-anywhere"]), ["p/q/r/.agents/skills project"]);
    folder.write("p/.root", "");
    assert_eq!(markers(&[".root"]).len(), 3);
}

/// S3-03: repository, user, system and administrator, in one declared order.
#[test]
fn s3_03_sources_in_the_declared_order() {
    let folder = Folder::new();
    folder.directory("home/p/.git");
    let mut place = Place::new(folder.path("home/p"));
    place.home = Some(folder.path("home"));
    place.system_root = Some(folder.path("etc"));
    let relative = |path: &str| PathBuf::from(path);
    let own =
        RootBase::ProjectUpward { relative: relative(".codex/skills"), order: UpwardOrder::InnermostFirst };
    let rules = vec![
        RootRule::new(own, PROJECT).except(RootBase::Home(relative(".codex/skills"))),
        RootRule::new(RootBase::Home(relative(".codex/skills")), Scope::User),
        RootRule::new(RootBase::Home(relative(".agents/skills")), Scope::User),
        RootRule::new(RootBase::Home(relative(".codex/skills/.system")), Scope::System),
        RootRule::new(RootBase::System(relative("skills")), Scope::Admin),
        upward(UpwardOrder::OutermostFirst),
    ];
    assert_eq!(
        resolved(&folder, place.clone(), rules.clone()),
        [
            "home/p/.codex/skills project",
            "home/.codex/skills user",
            "home/.agents/skills user",
            "home/.codex/skills/.system system",
            "etc/skills admin",
            "home/p/.agents/skills project",
        ]
    );
    // In the home directory itself, what is the user's stays the user's.
    place.cwd = folder.path("home");
    assert_eq!(
        resolved(&folder, place, rules.clone()),
        [
            "home/.codex/skills user",
            "home/.agents/skills user",
            "home/.codex/skills/.system system",
            "etc/skills admin",
        ]
    );
    let unknown = Place::new(folder.path("home/p"));
    assert_eq!(resolved(&folder, unknown, rules).len(), 2, "no home and no system root: only the project's");
}

#[test]
fn literally_equal_roots_are_one() {
    let folder = Folder::new();
    let rules = vec![
        RootRule::new(RootBase::Path("./skills".into()), Scope::User),
        RootRule::new(RootBase::Path(folder.path("skills")), Scope::Admin),
        RootRule::new(RootBase::Path("skills/../skills".into()), Scope::System)
            .with_walk(WalkPolicy::six_levels()),
    ];
    let roots = resolved(&folder, Place::new(folder.path("")), rules);
    assert_eq!(roots, ["skills user", "skills/../skills system"]);
}
