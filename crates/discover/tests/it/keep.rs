//! Files that are torn, folders that are closed, and roots that go away.

use std::fs;

use lorimer_core::{Code, ReadLimit, Scope, SourceId};
use lorimer_discover::{
    FsSource, KeepLastGood, LooseMarkdown, Place, ReadError, Reading, RootBase, RootRule, Scan, ScanRequest,
    Source, WalkPolicy,
};

use crate::support::{Folder, codes, names, skill_text};

fn keeping(folder: &Folder) -> KeepLastGood<FsSource> {
    KeepLastGood::new(folder.source(Reading::lenient(), WalkPolicy::default()))
}

fn scan(source: &dyn Source) -> Scan {
    source.scan(&ScanRequest::default())
}

fn three() -> Folder {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.skill(name);
    }
    folder
}

/// S3-51: whatever a writer has got to, the skill stays in its place, and both the fault and the keeping are told.
#[test]
fn s3_51_a_torn_file_keeps_its_skill() {
    let folder = three();
    let source = keeping(&folder);
    let first = scan(&source);
    let whole = skill_text("b").replace("Does b", "Does more");
    for length in [0, 2, 4, 10, 30] {
        folder.write("b/SKILL.md", &whole[..length]);
        let torn = scan(&source);
        assert_eq!(torn.skills, first.skills, "{length} bytes");
        assert!(codes(&torn.diagnostics).contains(&Code::KeptLastGood), "{length} bytes");
        assert_eq!(torn.diagnostics.len(), 2, "{length} bytes: {}", folder.told(&torn.diagnostics));
        assert!(torn.complete);
    }
    folder.write("b/SKILL.md", &whole);
    let mended = scan(&source);
    assert_eq!(mended.skills[1].description, "Does more.");
    assert!(mended.diagnostics.is_empty());
}

#[test]
fn what_is_told_names_the_skill_and_the_fault() {
    let folder = three();
    let source = keeping(&folder);
    scan(&source);
    folder.write("b/SKILL.md", "---\nname: b\n");
    insta::assert_snapshot!(folder.told(&scan(&source).diagnostics), @r"
    b/SKILL.md:1:1: error[discover/frontmatter-unclosed]: the frontmatter is opened here and never closed
    b/SKILL.md: warning[discover/kept-last-good]: `b` is listed as it was read last: what its file says now cannot be read as a skill
    ");
}

#[test]
fn a_file_that_is_gone_takes_its_skill_with_it() {
    let folder = three();
    let source = keeping(&folder);
    scan(&source);
    folder.write("a/SKILL.md", "");
    assert_eq!(names(&scan(&source)), ["a", "b", "c"]);
    fs::remove_dir_all(folder.path("a")).unwrap();
    fs::remove_file(folder.path("c/SKILL.md")).unwrap();
    let after = scan(&source);
    assert_eq!(names(&after), ["b"]);
    assert!(after.diagnostics.is_empty() && after.complete);
    folder.write("a/SKILL.md", "");
    assert_eq!(names(&scan(&source)), ["b"], "what was gone is not remembered");
}

#[test]
fn a_skill_that_was_never_good_is_not_kept() {
    let folder = three();
    folder.write("d/SKILL.md", "");
    let source = keeping(&folder);
    for _ in 0..2 {
        let scan = scan(&source);
        assert_eq!(names(&scan), ["a", "b", "c"]);
        assert_eq!(codes(&scan.diagnostics), [Code::FrontmatterMissing]);
    }
}

/// Every skill at once, and the first and the last one among them.
#[test]
fn kept_skills_stand_where_they_stood() {
    for torn in [&["a"][..], &["c"], &["a", "b"], &["b", "c"], &["a", "b", "c"]] {
        let folder = three();
        let source = keeping(&folder);
        let first = scan(&source);
        for name in torn {
            folder.write(&format!("{name}/SKILL.md"), "---\n");
        }
        folder.skill("ab");
        let mut now = scan(&source).skills;
        now.retain(|skill| skill.name != "ab");
        assert_eq!(now, first.skills, "{torn:?}");
    }
}

/// A Markdown file that lies about is softened to a note when it is no skill, and it is kept all the same.
#[test]
fn loose_files_are_kept_too() {
    let folder = Folder::new();
    folder.write("a.md", skill_text("a"));
    let walk = WalkPolicy { loose_markdown: LooseMarkdown::InRoot, ..WalkPolicy::default() };
    let source = KeepLastGood::new(folder.source(Reading::lenient(), walk));
    scan(&source);
    folder.write("a.md", "");
    let torn = scan(&source);
    assert_eq!(names(&torn), ["a"]);
    assert_eq!(codes(&torn.diagnostics), [Code::FrontmatterMissing, Code::KeptLastGood]);
}

/// Half an `openai.yaml` opens nothing that the whole one had closed.
#[test]
fn a_torn_openai_yaml_changes_nothing() {
    let folder = three();
    let closed = "policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: \"B\"\n";
    folder.write("b/agents/openai.yaml", closed);
    let source = keeping(&folder);
    let first = scan(&source);
    folder.write("b/agents/openai.yaml", &closed[..closed.len() - 2]);
    let torn = scan(&source);
    assert_eq!(codes(&torn.diagnostics), [Code::OpenaiYamlInvalid, Code::KeptLastGood]);
    assert!(!torn.skills[1].policy.implicit);
    assert_eq!(torn.skills[1].interface, first.skills[1].interface);
    assert_eq!(scan(&source).diagnostics, torn.diagnostics, "it stays so until the file is good");
    folder.write("b/agents/openai.yaml", "interface:\n  display_name: B\n");
    let mended = scan(&source);
    assert!(mended.skills[1].policy.implicit && mended.diagnostics.is_empty());
}

/// A body is read anew, and half a file is not handed over as one.
#[test]
fn the_body_of_a_kept_skill_is_what_is_there() {
    let folder = three();
    let source = keeping(&folder);
    let locator = scan(&source).skills[1].id.locator.clone();
    folder.write("b/SKILL.md", "---\nname: b\n");
    scan(&source);
    let torn = source.read(&locator, ReadLimit(None)).unwrap_err();
    assert!(matches!(torn, ReadError::Torn(_)), "{torn}");
    folder.write("b/SKILL.md", "---\nname: b\ndescription: \"open\n---\nBody.\n");
    assert_eq!(codes(&scan(&source).diagnostics)[1], Code::KeptLastGood);
    assert!(source.read(&locator, ReadLimit(None)).unwrap().bytes.ends_with(b"Body.\n"));
}

/// A root that vanished is not a root that is empty.
#[test]
fn a_root_that_vanished_is_told_until_it_is_back() {
    let folder = Folder::new();
    folder.skill("one/a");
    folder.skill("one/b");
    folder.skill("two/c");
    let rules =
        ["one", "two"].map(|root| RootRule::new(RootBase::Path(folder.path(root)), Scope::User)).to_vec();
    let place = Place::new(folder.path(""));
    let source = KeepLastGood::new(FsSource::new(SourceId::new("host"), place, rules, Reading::lenient()));
    scan(&source);
    fs::rename(folder.path("one"), folder.path("elsewhere")).unwrap();
    for _ in 0..2 {
        let away = scan(&source);
        assert_eq!(names(&away), ["c"]);
        assert!(!away.complete);
        assert_eq!(
            folder.told(&away.diagnostics),
            "one: warning[discover/root-vanished]: the skill root is gone, and 2 skills with it"
        );
    }
    fs::rename(folder.path("elsewhere"), folder.path("one")).unwrap();
    let back = scan(&source);
    assert_eq!(names(&back), ["a", "b", "c"]);
    assert!(back.complete && back.diagnostics.is_empty());
    fs::remove_dir_all(folder.path("one")).unwrap();
    folder.directory("one");
    let empty = scan(&source);
    assert_eq!(names(&empty), ["c"]);
    assert!(empty.complete && empty.diagnostics.is_empty(), "an empty root has no skills, and that is all");
}

/// Skills below a folder that is closed are not known to be gone.
#[cfg(unix)]
#[test]
fn a_closed_folder_keeps_its_skills() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    folder.skill("a");
    folder.skill("group/b");
    let source = keeping(&folder);
    let first = scan(&source);
    let close = |mode| fs::set_permissions(folder.path("group"), fs::Permissions::from_mode(mode)).unwrap();
    close(0o000);
    // Nothing is closed to the administrator.
    let closed = fs::read_dir(folder.path("group")).is_err();
    let shut = scan(&source);
    close(0o755);
    assert_eq!(shut.skills, first.skills);
    if closed {
        assert_eq!(codes(&shut.diagnostics), [Code::DirectoryUnreadable, Code::KeptLastGood]);
        assert!(!shut.complete);
    }
    assert!(scan(&source).diagnostics.is_empty());
}
