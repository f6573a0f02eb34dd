//! Homes that are moved, ancestors up to different ends, folders that a session comes to, and odd roots.

use lorimer_core::{Code, Locator, ReadLimit, Scope, SourceId};
use lorimer_discover::{
    DistinctSource, FsSource, InnerFolder, Keep, LinkLimit, LooseMarkdown, Place, ReadError, Reading,
    RootBase, RootRule, ScanRequest, Source, Until, UpwardOrder, WalkOrder, WalkPolicy, resolve,
};

use crate::support::{Folder, codes, names, skill_text};

const PROJECT: Scope = Scope::Project { depth: 0 };
const INNER: InnerFolder = InnerFolder { name: "skills", max_depth: 3 };

/// Paths of a base below the folder.
fn paths(folder: &Folder, place: &Place, base: RootBase) -> Vec<String> {
    let roots = resolve(place, &[RootRule::new(base, PROJECT)]);
    let here = folder.path("");
    let shown = |path: &std::path::Path| path.strip_prefix(&here).unwrap_or(path).display().to_string();
    roots.iter().map(|root| shown(&root.path)).collect()
}

fn moved(otherwise: Option<RootBase>) -> RootBase {
    let variable = "AGENT_HOME".to_owned();
    RootBase::Relocatable { variable, otherwise: otherwise.map(Box::new), relative: "skills".into() }
}

#[test]
fn a_variable_moves_a_folder_and_a_blank_one_does_not() {
    let folder = Folder::new();
    let mut place = Place::new(folder.path("project")).home(folder.path("home"));
    let base = || moved(Some(RootBase::Home(".agent".into())));
    assert_eq!(paths(&folder, &place, base()), ["home/.agent/skills"]);
    for (value, expected) in [
        ("", "home/.agent/skills"),
        ("  ", "home/.agent/skills"),
        ("~", "home/skills"),
        ("~/x", "home/x/skills"),
        ("beside", "project/beside/skills"),
        ("/elsewhere", "/elsewhere/skills"),
    ] {
        place.variables.insert("AGENT_HOME".to_owned(), value.to_owned());
        assert_eq!(paths(&folder, &place, base()), [expected], "{value:?}");
    }
    place.variables.clear();
    assert_eq!(paths(&folder, &place, moved(None)), [""; 0], "a folder that is nowhere by default");
    place.home = None;
    assert_eq!(paths(&folder, &place, base()), [""; 0]);
}

#[test]
fn ancestors_end_at_the_project_the_home_or_the_top() {
    let folder = Folder::new();
    folder.directory("home/repo/.git");
    folder.directory("home/repo/a");
    folder.directory("home/free/b");
    folder.directory("other/c");
    let at = |cwd: &str, until: Until| {
        let place = Place::new(folder.path(cwd)).home(folder.path("home"));
        let order = UpwardOrder::InnermostFirst;
        let mut found = paths(&folder, &place, RootBase::Ancestors { relative: "s".into(), order, until });
        found.retain(|path| !path.starts_with('/'));
        found
    };
    for until in [Until::Project, Until::ProjectOrTop, Until::ProjectOrHome] {
        assert_eq!(at("home/repo/a", until), ["home/repo/a/s", "home/repo/s"], "{until:?}");
    }
    assert_eq!(at("home/free/b", Until::Project), ["home/free/b/s"]);
    assert_eq!(at("home/free/b", Until::ProjectOrHome), ["home/free/b/s", "home/free/s", "home/s"]);
    assert_eq!(at("home/free/b", Until::ProjectOrTop), ["home/free/b/s", "home/free/s", "home/s", "s"]);
    assert_eq!(at("other/c", Until::ProjectOrHome), ["other/c/s", "other/s", "s"]);
    let place = Place::new(folder.path("home/repo/a"));
    assert_eq!(paths(&folder, &place, RootBase::ProjectRoot("s".into())), ["home/repo/s"]);
}

#[test]
fn folders_below_count_once_a_file_in_them_was_opened() {
    let folder = Folder::new();
    folder.directory("repo/.git");
    folder.write("repo/.gitignore", "vendor/\n");
    folder.write("repo/apps/.gitignore", "/out\n!/kept\n");
    let mut place = Place::new(folder.path("repo"));
    let base = || RootBase::Nested { relative: ".x".into() };
    assert_eq!(paths(&folder, &place, base()), [""; 0]);
    place.opened = ["apps/web/a.txt", "vendor/lib/b.txt", "apps/out/c.txt", "d.txt", "../e/f.txt"]
        .map(|file| folder.path("repo").join(file))
        .to_vec();
    assert_eq!(paths(&folder, &place, base()), ["repo/apps/.x", "repo/apps/web/.x"]);
    let roots = resolve(&place, &[RootRule::new(base(), PROJECT)]);
    assert_eq!(roots[1].scope, Scope::Project { depth: 2 });
}

/// A root that belongs to a plugin gives its skills the plugin's namespace, as a plugin that was found does.
#[test]
fn s3_14_a_plain_root_of_a_plugin_gives_its_namespace() {
    let folder = Folder::new();
    folder.skill("skills/add");
    let scope = Scope::Plugin { name: "notes".to_owned() };
    let rules = vec![RootRule::new(RootBase::Path(folder.path("skills")), scope)];
    let source = FsSource::new(SourceId::new("host"), Place::new(folder.path("")), rules, Reading::lenient());
    let scan = source.scan(&ScanRequest::default());
    assert_eq!((scan.skills[0].call_name(), scan.skills[0].name.as_str()), ("notes:add", "add"));
}

fn ignoring() -> WalkPolicy {
    let ignore_files = &[".gitignore", ".ignore"];
    WalkPolicy { ignore_files, loose_markdown: LooseMarkdown::InRoot, ..WalkPolicy::default() }
}

#[test]
fn ignore_files_hide_and_that_is_told() {
    let folder = Folder::new();
    for skill in ["demo", "open", "sealed", "grp/a", "grp/deep/a", "deep/demo", "logs"] {
        folder.skill(skill);
    }
    folder.write("note.md", skill_text("note"));
    folder.write(".gitignore", "# comment\n/demo\nlogs/\nnote.md\n");
    folder.write("sealed/.ignore", "SKILL.md\n");
    folder.write("grp/.gitignore", "a\n");
    let scan = folder.scan_with(ignoring());
    assert_eq!(names(&scan), ["open", "a"], "a line below the root speaks of its own folder only");
    assert_eq!(scan.skills[1].id.locator, Locator::Path(folder.path("grp/deep/a/SKILL.md")));
    let ignored = scan.diagnostics.iter().filter(|diagnostic| diagnostic.code == Code::IgnoredByRule);
    let places: Vec<String> =
        ignored.filter_map(|diagnostic| Some(diagnostic.location.as_ref()?.locator.shown())).collect();
    let short: Vec<String> =
        places.iter().map(|place| place.replace(&format!("{}/", folder.path("").display()), "")).collect();
    assert_eq!(short, ["demo", "logs", "note.md", "deep/demo", "grp/a", "sealed/SKILL.md"]);
    assert_eq!(folder.scan().skills.len(), 7, "without the policy nothing is hidden");
}

#[test]
fn a_root_may_be_a_file_and_skills_may_lie_in_an_inner_folder() {
    let folder = Folder::new();
    let file = folder.write("one.md", skill_text("one"));
    folder.write("two.txt", "x");
    let walk = WalkPolicy { root_may_be_file: true, ..WalkPolicy::default() };
    let scan = |path: &str, walk: &WalkPolicy| {
        let rule = RootRule::new(RootBase::Path(folder.path(path)), Scope::User).with_walk(walk.clone());
        let place = Place::new(folder.path(""));
        FsSource::new(SourceId::new("host"), place, vec![rule], Reading::lenient())
            .scan(&ScanRequest::default())
    };
    let found = scan("one.md", &walk);
    assert_eq!((names(&found), &found.skills[0].id.locator), (vec!["one"], &Locator::Path(file)));
    assert_eq!(codes(&scan("two.txt", &walk).diagnostics), [Code::RootNotDirectory]);

    let walk = WalkPolicy { inner_folder: Some(&INNER), max_depth: 1, ..WalkPolicy::default() };
    folder.skill("pack/skills/group/deeper");
    folder.directory("pack/docs");
    assert_eq!(names(&scan("pack", &walk)), ["deeper"], "the root itself has none");
    assert_eq!(names(&scan("pack/skills", &walk)), ["deeper"], "a root of that name is as deep");
    folder.skill("pack/beside");
    assert_eq!(names(&scan("pack", &walk)), ["beside"], "now it has, and is walked as it stands");
}

#[test]
fn limits_and_order_are_the_walks() {
    let folder = Folder::new();
    for name in ["b", "Alpha", "alpha2", "_x", "10", "9"] {
        folder.skill(name);
    }
    let walk = |order| WalkPolicy { order, ..WalkPolicy::default() };
    assert_eq!(
        names(&folder.scan_with(walk(WalkOrder::Collated))),
        ["_x", "10", "9", "Alpha", "alpha2", "b"]
    );
    assert_eq!(names(&folder.scan_with(walk(WalkOrder::ByPath))), ["10", "9", "Alpha", "_x", "alpha2", "b"]);
    let few = folder.scan_with(WalkPolicy { max_skills: 2, ..walk(WalkOrder::Collated) });
    assert_eq!((names(&few), codes(&few.diagnostics)), (vec!["_x", "10"], vec![Code::LimitSkills]));
    assert!(!few.complete);
    let few = folder.scan_with(WalkPolicy { max_children: 3, ..WalkPolicy::default() });
    assert_eq!(names(&few).len(), 3);
}

#[cfg(unix)]
#[test]
fn what_is_called_like_a_skill_file_may_end_the_way_down() {
    let folder = Folder::new();
    folder.skill("odd/SKILL.md/inner");
    folder.skill("synced/a");
    folder.skill("b");
    folder.write("elsewhere.md", skill_text("c"));
    folder.directory("c");
    folder.link("../elsewhere.md", "c/SKILL.md");
    let walk = WalkPolicy {
        odd_skill_file_ends: true,
        descend_into_skills: false,
        skip_in_root: &["Synced"],
        file_links_stay_in_skill: true,
        ..WalkPolicy::default()
    };
    let scan = folder.scan_with(walk);
    assert_eq!(names(&scan), ["b"]);
    assert!(codes(&scan.diagnostics).contains(&Code::SymlinkEscape));
    assert_eq!(names(&folder.scan()), ["b", "c", "a", "inner"]);
}

#[cfg(unix)]
#[test]
fn links_may_lead_to_places_that_are_named() {
    let folder = Folder::new();
    folder.skill("outside/x");
    folder.directory("root");
    folder.link(folder.path("outside/x"), "root/x");
    let scan = |allowed: Vec<std::path::PathBuf>| {
        let walk = WalkPolicy { links: LinkLimit::Root, link_targets: allowed, ..WalkPolicy::default() };
        let rule = RootRule::new(RootBase::Path(folder.path("root")), Scope::User).with_walk(walk);
        FsSource::new(SourceId::new("host"), Place::new(folder.path("")), vec![rule], Reading::lenient())
            .scan(&ScanRequest::default())
    };
    assert_eq!(codes(&scan(Vec::new()).diagnostics), [Code::SymlinkEscape]);
    assert_eq!(names(&scan(vec![folder.path("outside")])), ["x"]);
}

#[test]
fn one_skill_of_each_name_stays_and_the_others_are_told() {
    let folder = Folder::new();
    folder.write("a/SKILL.md", skill_text("same"));
    folder.write("b/SKILL.md", skill_text("same"));
    folder.skill("c");
    for (keep, kept, lost) in [(Keep::First, "a", "b"), (Keep::Last, "b", "a")] {
        let source = DistinctSource::new(folder.source(Reading::lenient(), WalkPolicy::default()), keep);
        let scan = source.scan(&ScanRequest::default());
        assert_eq!(scan.skills.len(), 2, "{keep:?}");
        let at = |name: &str| Locator::Path(folder.path(&format!("{name}/SKILL.md")));
        assert!(scan.skills.iter().any(|skill| skill.id.locator == at(kept)));
        assert_eq!(codes(&scan.diagnostics), [Code::NameCollision]);
        let read = |name: &str| source.read(&at(name), ReadLimit::default());
        assert!(read(kept).is_ok());
        assert!(matches!(read(lost), Err(ReadError::NotListed(_))), "{keep:?}");
    }
}

#[test]
fn one_skill_of_each_name_depends_on_the_same_places() {
    let folder = Folder::new();
    folder.skill("a");
    let inner = folder.source(Reading::lenient(), WalkPolicy::default());
    let paths = |source: &dyn Source| source.watched().into_iter().map(|root| root.path).collect::<Vec<_>>();
    let expected = paths(&inner);
    assert!(!expected.is_empty());
    assert_eq!(paths(&DistinctSource::new(inner, Keep::First)), expected);
}

#[test]
fn a_skill_whose_name_is_taken_cannot_be_read_before_a_scan_either() {
    let folder = Folder::new();
    let kept = folder.write("a/SKILL.md", skill_text("same"));
    let lost = folder.write("b/SKILL.md", skill_text("same"));
    let source =
        || DistinctSource::new(folder.source(Reading::lenient(), WalkPolicy::default()), Keep::First);
    let read = source().read(&Locator::Path(lost.clone()), ReadLimit::default());
    assert!(matches!(read, Err(ReadError::NotListed(_))));
    assert!(matches!(source().files(&Locator::Path(lost)), Err(ReadError::NotListed(_))));
    assert!(source().read(&Locator::Path(kept), ReadLimit::default()).is_ok());
}

/// A Markdown file anywhere below the root, called by its path; fields that such a file does not have.
#[test]
fn commands_are_called_by_their_path() {
    let folder = Folder::new();
    for (path, text) in [
        ("c/plain.md", "---\nname: other\ndescription: d\n---\n"),
        ("c/a/b/deep.md", "---\ndescription: d\npaths: x\nmodel: m\n---\n"),
        ("c/a/SKILL.md", "---\ndescription: d\n---\n"),
        ("c/a/note.txt", "x"),
    ] {
        folder.write(path, text);
    }
    let walk = WalkPolicy {
        file_names: &[],
        loose_markdown: LooseMarkdown::Anywhere,
        loose_names_are_paths: true,
        order: WalkOrder::Collated,
        ..WalkPolicy::default()
    };
    let reading = Reading { name_is_folder: true, loose_ignores: &["name", "paths"], ..Reading::lenient() };
    let rule = RootRule::new(RootBase::Path(folder.path("c")), PROJECT).with_walk(walk);
    let source = FsSource::new(SourceId::new("host"), Place::new(folder.path("")), vec![rule], reading);
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(names(&scan), ["a:b:deep", "a:SKILL", "plain"]);
    let fields: Vec<_> = scan.skills[0].frontmatter.keys().map(String::as_str).collect();
    assert_eq!(fields, ["description", "model"]);
}

/// Skills that are meant for one folder get its name where they would lose their own.
#[test]
fn namesakes_get_their_folder_in_front() {
    let folder = Folder::new();
    for path in ["p/s/a", "p/sub/s/a", "p/sub/s/b", "p/sub/deep/s/a", "beside/s/a", "beside/s/z"] {
        folder.skill(path);
    }
    let mut place = Place::new(folder.path("p"));
    place.opened.push(folder.path("p/sub/deep/f"));
    let nested = RootRule::new(RootBase::Nested { relative: "s".into() }, PROJECT).serving_its_folder();
    let rules = vec![
        RootRule::new(RootBase::Path("s".into()), PROJECT),
        RootRule::new(RootBase::Path(folder.path("beside/s")), Scope::User),
        nested,
    ];
    let reading = Reading { name_is_folder: true, ..Reading::lenient() };
    let files = FsSource::new(SourceId::new("host"), place, rules, reading);
    let source = DistinctSource::new(files, Keep::First);
    let scan = source.scan(&ScanRequest::default());
    let called: Vec<_> = scan.skills.iter().map(|skill| skill.call_name()).collect();
    assert_eq!(called, ["a", "z", "sub:a", "b", "sub/deep:a"]);
    let serves: Vec<_> = scan.skills.iter().map(|skill| skill.provenance.serves.as_deref()).collect();
    assert_eq!(serves, [None, None, Some("sub"), Some("sub"), Some("sub/deep")]);
    assert_eq!(
        codes(&scan.diagnostics),
        [Code::NameCollision],
        "what serves the whole session has no folder to be told by"
    );
    assert!(source.read(&scan.skills[2].id.locator, ReadLimit(None)).is_ok());
}

/// A name that is kept for something else is said where the policy wants that.
#[test]
fn reserved_folders_are_reported() {
    let folder = Folder::new();
    for name in ["Synced", "ok"] {
        folder.skill(&format!("r/{name}"));
    }
    for report_reserved in [false, true] {
        let walk = WalkPolicy { skip_in_root: &["synced"], report_reserved, ..WalkPolicy::default() };
        let rule = RootRule::new(RootBase::Path(folder.path("r")), PROJECT).with_walk(walk);
        let place = Place::new(folder.path(""));
        let scan = FsSource::new(SourceId::new("host"), place, vec![rule], Reading::lenient())
            .scan(&ScanRequest::default());
        assert_eq!(names(&scan), ["ok"]);
        assert_eq!(codes(&scan.diagnostics).contains(&Code::ReservedName), report_reserved);
    }
}
