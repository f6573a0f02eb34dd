//! What a walk finds, and what it says about the rest.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use insta::assert_snapshot;
use lorimer_core::{Code, Locator, ReadLimit, Scope, Severity, SourceId};
use lorimer_discover::{
    FsSource, InnerFolder, LinkLimit, LooseMarkdown, Place, ReadError, Reading, RootBase, RootRule,
    ScanRequest, Source, UpwardOrder, WalkPolicy,
};

use crate::support::{Folder, codes, names, skill_text};

/// S1-07, S1-10, S1-11: every SKILL.md below the root, with name, description and path.
#[test]
fn s1_07_s1_10_s1_11_skills_are_found_recursively() {
    let folder = Folder::new();
    folder.skill("b");
    folder.skill("a");
    folder.skill("a/references/inner");
    folder.skill("group/team/deep");
    folder.write("unnamed/SKILL.md", "---\ndescription: d\n---\nBody");
    folder.write("a/notes.md", "not a skill");
    folder.write("flat.md", skill_text("flat"));
    folder.skill(".hidden/x");
    folder.skill("node_modules/y");
    let scan = folder.scan();
    assert_eq!(names(&scan), ["a", "b", "unnamed", "inner", "deep"], "level by level, then by name");
    assert!(scan.complete);
    let skill = &scan.skills[0];
    assert_eq!(skill.description, "Does a.");
    assert_eq!(skill.id.locator, Locator::Path(folder.path("a/SKILL.md")));
    assert_eq!(skill.root.path, folder.path("").to_string_lossy());
    assert_eq!(skill.provenance.discovered, None);
    let text = folder.told(&scan.diagnostics);
    assert_snapshot!(text, @"unnamed/SKILL.md: note[discover/name-missing]: there is no `name`, so the folder's name is used");
}

#[test]
fn a_skill_file_in_the_root_itself_hides_nothing() {
    let folder = Folder::new();
    folder.write("SKILL.md", skill_text("umbrella"));
    folder.skill("below");
    assert_eq!(names(&folder.scan()), ["umbrella", "below"]);
    let shallow = WalkPolicy { descend_into_skills: false, ..WalkPolicy::default() };
    assert_eq!(names(&folder.scan_with(shallow)), ["umbrella"]);
}

/// S3-51: what is no regular file is never opened, and costs no other skill.
#[test]
fn s3_51_pipes_and_directories_are_not_opened() {
    let folder = Folder::new();
    folder.skill("good");
    folder.skill("dir/SKILL.md/inside");
    let pipe = folder.directory("pipe").join("SKILL.md");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: mkfifo is not there");
        return;
    }
    folder.link(&pipe, "linked-pipe/SKILL.md");
    let scan = folder.scan();
    assert_eq!(names(&scan), ["good", "inside"]);
    assert_snapshot!(folder.told(&scan.diagnostics), @r"
    dir/SKILL.md: warning[discover/not-regular-file]: this is a directory and not a regular file
    linked-pipe/SKILL.md: warning[discover/not-regular-file]: this is a link to something that is not a regular file
    pipe/SKILL.md: warning[discover/not-regular-file]: this is a pipe, a device or a socket and not a regular file
    ");
    // A listed file that becomes a pipe is not waited for.
    let source = folder.source(Reading::lenient(), WalkPolicy::default());
    let locator = source.scan(&ScanRequest::default()).skills[0].id.locator.clone();
    fs::remove_file(folder.path("good/SKILL.md")).unwrap();
    fs::rename(&pipe, folder.path("good/SKILL.md")).unwrap();
    assert!(matches!(source.read(&locator, ReadLimit::default()), Err(ReadError::NotRegularFile(_))));
}

/// S3-51: an unreadable file and an unreadable directory are said to be so.
#[test]
fn s3_51_unreadable_paths() {
    let folder = Folder::new();
    folder.skill("good");
    let locked = folder.skill("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let closed = folder.directory("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&locked).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    let scan = folder.scan();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(names(&scan), ["good"]);
    assert!(!scan.complete);
    assert_eq!(codes(&scan.diagnostics), [Code::DirectoryUnreadable, Code::FileUnreadable]);
}

#[test]
fn links_are_followed_once_and_their_trouble_is_told() {
    let folder = Folder::new();
    let outside = Folder::new();
    outside.skill("elsewhere");
    folder.skill("plain");
    folder.link(outside.path("elsewhere"), "linked");
    folder.link("nowhere", "dead");
    folder.link("self", "self");
    folder.link("..", "plain/up");
    folder.link("../file-target/SKILL.md", "by-file/SKILL.md");
    folder.write("file-target/real.md", "");
    let scan = folder.scan();
    assert_eq!(names(&scan), ["elsewhere", "plain"]);
    let linked = &scan.skills[0];
    assert_eq!(linked.id.locator, Locator::Path(outside.path("elsewhere/SKILL.md")));
    assert_eq!(linked.provenance.discovered, Some(folder.path("linked/SKILL.md")));
    assert_snapshot!(folder.told(&scan.diagnostics), @r"
    dead: warning[discover/symlink-dangling]: the link leads nowhere
    self: note[discover/symlink-cycle]: the link leads back to itself
    by-file/SKILL.md: warning[discover/symlink-dangling]: the link leads nowhere
    plain/up: note[discover/symlink-cycle]: the link leads back to a folder that it lies in
    ");
}

#[test]
fn a_linked_skill_file_is_a_policy() {
    let folder = Folder::new();
    let outside = Folder::new();
    let real = outside.write("shared.md", skill_text("shared"));
    folder.link(&real, "demo/SKILL.md");
    let scan = folder.scan();
    assert_eq!(names(&scan), ["shared"]);
    assert_eq!(scan.skills[0].id.locator, Locator::Path(real));
    outside.write("private.txt", "");
    let own = folder.write("demo/own.txt", "");
    let source = folder.source(Reading::lenient(), WalkPolicy::default());
    let files = source.files(&scan.skills[0].id.locator).unwrap();
    assert_eq!(
        files,
        [Locator::Path(own)],
        "the folder with the link is the skill's, not the one it leads to"
    );
    let scan = folder.scan_with(WalkPolicy::six_levels());
    assert!(scan.skills.is_empty());
    assert_eq!(codes(&scan.diagnostics), [Code::SymlinkFileRefused]);
    folder.link(outside.directory("d"), "linked");
    outside.skill("d");
    assert_eq!(names(&folder.scan_with(WalkPolicy::default().without_links())), [] as [&str; 0]);
}

#[test]
fn depth_is_limited_and_what_lies_deeper_is_told() {
    let folder = Folder::new();
    folder.skill("1/2/3/4/5/six");
    folder.skill("1/2/3/4/5/6/seven");
    folder.skill("1/2/3/4/5/6/other");
    let policy = WalkPolicy { report_too_deep: true, ..WalkPolicy::six_levels() };
    let scan = folder.scan_with(policy);
    assert_eq!(names(&scan), ["six"]);
    assert!(!scan.complete);
    assert_snapshot!(folder.told(&scan.diagnostics), @"1/2/3/4/5/6/other: warning[discover/limit-depth]: this skill and 1 more lie more than 6 levels below their root");
    let scan = folder.scan_with(WalkPolicy::six_levels());
    assert_eq!((names(&scan), scan.complete, scan.diagnostics.len()), (vec!["six"], true, 0));
}

#[test]
fn directories_and_entries_are_limited_in_a_fixed_order() {
    let folder = Folder::new();
    for name in ["c", "a", "d", "b"] {
        folder.skill(name);
    }
    folder.skill(".hidden");
    let limited = |directories, entries| {
        folder.scan_with(WalkPolicy {
            max_directories: directories,
            max_entries: entries,
            ..WalkPolicy::default()
        })
    };
    let scan = limited(3, 100);
    assert_eq!(names(&scan), ["a", "b"], "the root is one of the directories");
    assert_snapshot!(folder.told(&scan.diagnostics), @".: warning[discover/limit-directories]: the root holds more than 3 directories");
    assert!(!scan.complete);
    assert!(limited(5, 100).complete);
    let scan = limited(100, 6);
    assert_eq!(names(&scan), ["a"], "five entries in the root, one in the first folder");
    assert_snapshot!(folder.told(&scan.diagnostics), @".: warning[discover/limit-entries]: the root holds more than 6 entries");
}

#[test]
fn a_file_name_in_the_wrong_case_is_told() {
    let folder = Folder::new();
    folder.write("a/Skill.md", skill_text("a"));
    folder.write("b/skill.md", skill_text("b"));
    folder.skill("b");
    let scan = folder.scan();
    if names(&scan) != ["b"] {
        eprintln!("skipped: this file system knows no case");
        return;
    }
    assert_snapshot!(folder.told(&scan.diagnostics), @"a/Skill.md: warning[discover/file-name-case]: this is not read, because its name is not exactly `SKILL.md`");
    let either = WalkPolicy { file_names: &["SKILL.md", "Skill.md"], ..WalkPolicy::default() };
    assert_eq!(names(&folder.scan_with(either)), ["a", "b"]);
}

/// S3-51: one bad skill never costs another.
#[test]
fn s3_51_one_bad_skill_costs_no_other() {
    let folder = Folder::new();
    folder.skill("alpha");
    folder.write("broken/SKILL.md", "---\nname: \"open\n---\n");
    folder.write("bytes/SKILL.md", b"---\nname: \xFF\n---\n");
    folder.write("none/SKILL.md", "text");
    folder.skill("omega");
    let scan = folder.scan();
    assert_eq!(names(&scan), ["alpha", "omega"]);
    assert!(scan.complete);
    assert_snapshot!(folder.told(&scan.diagnostics), @r"
    broken/SKILL.md:2:7: error[discover/frontmatter-invalid-yaml]: invalid YAML: unclosed quote
    bytes/SKILL.md:2:7: error[discover/encoding-invalid]: byte 0xFF at offset 10 is not UTF-8
    none/SKILL.md:1:1: error[discover/frontmatter-missing]: the file does not start with a line `---`
    ");
}

#[test]
fn loose_markdown_is_a_policy_and_costs_only_notes() {
    let folder = Folder::new();
    folder.skill("a");
    folder.write("a/guide.md", skill_text("never"));
    folder.write("flat.md", "---\ndescription: d\n---\n");
    folder.write("README.md", "# Read me\n");
    folder.write("notes.txt", "");
    folder.write("group/inner.md", skill_text("inner"));
    folder.link("nowhere.md", "dead.md");
    let with = |loose_markdown| folder.scan_with(WalkPolicy { loose_markdown, ..WalkPolicy::default() });
    assert_eq!(names(&with(LooseMarkdown::None)), ["a"]);
    let scan = with(LooseMarkdown::InRoot);
    assert_eq!(names(&scan), ["flat", "a"], "the file's name stands in for a missing one");
    assert!(scan.diagnostics.iter().all(|diagnostic| diagnostic.severity < Severity::Error));
    assert_eq!(names(&with(LooseMarkdown::BelowRoot)), ["a", "inner"]);
}

#[test]
fn what_lies_directly_in_the_root_or_below_a_skill_is_a_policy() {
    let folder = Folder::new();
    folder.write("SKILL.md", skill_text("root"));
    folder.skill("a");
    folder.skill("a/references/r");
    folder.skill("a/more/m");
    folder.skill("references/top");
    let only_folders =
        WalkPolicy { skill_file_in_root: false, skip_in_skills: &["references"], ..WalkPolicy::default() };
    assert_eq!(names(&folder.scan_with(only_folders)), ["a", "top", "m"]);
    let one_level = WalkPolicy { max_depth: 1, skill_file_in_root: false, ..WalkPolicy::default() };
    assert_eq!(names(&folder.scan_with(WalkPolicy { report_too_deep: false, ..one_level })), ["a"]);
}

#[test]
fn links_out_of_a_root_are_a_policy() {
    let folder = Folder::new();
    let outside = Folder::new();
    outside.skill("x");
    folder.skill("real/in");
    folder.link(outside.path("x"), "out");
    folder.link(outside.path("x/SKILL.md"), "file/SKILL.md");
    folder.link("real/in", "again");
    let scan = folder.scan_with(WalkPolicy { links: LinkLimit::Root, ..WalkPolicy::default() });
    assert_eq!(names(&scan), ["in"]);
    let told = folder.told(&scan.diagnostics).replace(outside.path("").to_str().unwrap(), "OUTSIDE");
    assert_snapshot!(told, @r"
    out: warning[discover/symlink-escape]: the link leads out of its root, to `OUTSIDE/x`
    file/SKILL.md: warning[discover/symlink-escape]: the link leads out of its root, to `OUTSIDE/x/SKILL.md`
    ");
    let allowed = vec![outside.path("x")];
    let walk = WalkPolicy { links: LinkLimit::Root, link_targets: allowed, ..WalkPolicy::default() };
    let scan = folder.scan_with(walk);
    assert_eq!(names(&scan), ["in", "x"], "a directory that is allowed by name");
}

/// Links of a project may lead anywhere in the project, and a root that is a link itself is held to the same.
#[test]
fn links_of_a_project_stay_in_the_project() {
    let folder = Folder::new();
    folder.directory("repo/.git");
    folder.directory("repo/sub");
    folder.skill("repo/shared/in");
    folder.skill("outside/out");
    folder.link("../../shared/in", "repo/.agents/skills/in");
    folder.link("../../../outside/out", "repo/.agents/skills/out");
    folder.link("../outside", "repo/.other");
    let walk = WalkPolicy { links: LinkLimit::Project, ..WalkPolicy::default() };
    let rules = [".agents/skills", ".other"].map(|relative| {
        let base = RootBase::ProjectUpward { relative: relative.into(), order: UpwardOrder::OutermostFirst };
        RootRule::new(base, Scope::Project { depth: 0 }).with_walk(walk.clone())
    });
    let place = Place::new(folder.path("repo/sub"));
    let source = FsSource::new(SourceId::new("host"), place, rules.into(), Reading::lenient());
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(names(&scan), ["in"]);
    assert_snapshot!(folder.told(&scan.diagnostics), @r"
    repo/.agents/skills/out: warning[discover/symlink-escape]: the link leads out of the directory that it must stay in, to `outside/out`
    repo/.other: warning[discover/symlink-escape]: the skill root is a link that leads to `outside`
    ");
}

/// What lies beside a skill is held to the limit of its root: its text could be shown in a diagnostic.
#[test]
fn metadata_beside_a_skill_stays_within_the_limit() {
    let folder = Folder::new();
    let outside = Folder::new();
    outside.write("openai.yaml", "policy: {allow_implicit_invocation: false}");
    folder.skill("a");
    folder.link(outside.path("openai.yaml"), "a/agents/openai.yaml");
    folder.skill("b");
    folder.write("b/meta/openai.yaml", "policy: {allow_implicit_invocation: false}");
    folder.link("meta", "b/agents");
    let implicit = |links| {
        let scan = folder.scan_with(WalkPolicy { links, ..WalkPolicy::default() });
        let skills = scan.skills.iter().map(|skill| skill.policy.implicit).collect::<Vec<_>>();
        (skills, codes(&scan.diagnostics))
    };
    assert_eq!(implicit(LinkLimit::Anywhere), (vec![false, false], vec![]));
    assert_eq!(implicit(LinkLimit::Root), (vec![true, false], vec![Code::OpenaiYamlInvalid]));
}

/// A folder that stands for its root, a root that is a file, and ignore files are held to the limit of links as
/// everything else is.
#[test]
fn every_way_into_a_root_keeps_to_the_limit() {
    static INNER: InnerFolder = InnerFolder { name: "skills", max_depth: 6 };
    let folder = Folder::new();
    let outside = Folder::new();
    outside.skill("x");
    folder.skill("root/.hidden/inner/y");
    folder.link(outside.path(""), "out/skills");
    folder.link(".hidden/inner", "root/skills");
    let scan = |root: &str, walk: WalkPolicy| {
        let rule = RootRule::new(RootBase::Path(folder.path(root)), Scope::User).with_walk(walk);
        let place = Place::new(folder.path(""));
        let source = FsSource::new(SourceId::new("host"), place, vec![rule], Reading::lenient());
        source.scan(&ScanRequest::default())
    };
    let inner = WalkPolicy { inner_folder: Some(&INNER), links: LinkLimit::Root, ..WalkPolicy::default() };
    let refused = scan("out", inner.clone());
    assert_eq!((names(&refused), codes(&refused.diagnostics)), (vec![], vec![Code::SymlinkEscape]));
    let inside = scan("root", inner);
    assert_eq!((names(&inside), codes(&inside.diagnostics)), (vec!["y"], vec![]));

    folder.link(outside.path("x/SKILL.md"), "files/note.md");
    let file = WalkPolicy { root_may_be_file: true, links: LinkLimit::Root, ..WalkPolicy::default() };
    let refused = scan("files/note.md", file.clone());
    assert_eq!((names(&refused), codes(&refused.diagnostics)), (vec![], vec![Code::SymlinkEscape]));
    let anywhere = scan("files/note.md", WalkPolicy { links: LinkLimit::Anywhere, ..file });
    assert_eq!(names(&anywhere), ["x"]);

    folder.skill("ignoring/kept");
    outside.write("ignore", "kept\n");
    folder.link(outside.path("ignore"), "ignoring/.ignore");
    let heeds = WalkPolicy { ignore_files: &[".ignore"], links: LinkLimit::Root, ..WalkPolicy::default() };
    assert_eq!(names(&scan("ignoring", heeds.clone())), ["kept"], "somebody else's file says nothing here");
    assert!(names(&scan("ignoring", WalkPolicy { links: LinkLimit::Anywhere, ..heeds })).is_empty());
}

#[test]
fn folders_beyond_a_limit_are_told() {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.skill(name);
    }
    let scan = folder.scan_with(WalkPolicy { max_children: 2, ..WalkPolicy::default() });
    assert_eq!((names(&scan), scan.complete), (vec!["a", "b"], false));
    assert_eq!(codes(&scan.diagnostics), [Code::LimitDirectories]);
    assert!(folder.scan_with(WalkPolicy { max_children: 3, ..WalkPolicy::default() }).complete);
}
