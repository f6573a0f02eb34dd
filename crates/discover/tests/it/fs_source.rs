//! Skills on disk: what is listed, and what may be read.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;

use lorimer_core::{Code, Locator, ReadLimit, Scope, SourceId};
use lorimer_discover::{
    FsSource, Place, ReadError, Reading, RootBase, RootRule, ScanRequest, Source, WalkPolicy,
};

use crate::support::{Folder, codes, names, skill_text};

/// S3-05: one file is one skill, whatever leads to it; further ways are remembered.
#[test]
fn s3_05_one_file_reached_twice_is_listed_once() {
    let folder = Folder::new();
    folder.skill("real/x");
    folder.link("real/x", "root/first");
    folder.link("../real/x", "root/b");
    fs::remove_file(folder.path("root/first")).unwrap();
    folder.link("../real/x", "root/a");
    let rule = |path: &str, scope| RootRule::new(RootBase::Path(folder.path(path)), scope);
    let rules = vec![rule("root", Scope::User), rule("real", Scope::Admin)];
    let source = FsSource::new(SourceId::new("host"), Place::new(folder.path("")), rules, Reading::lenient());
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(names(&scan), ["x"]);
    let skill = &scan.skills[0];
    assert_eq!((&skill.scope, skill.root.order), (&Scope::User, 0), "the first root wins");
    assert_eq!(skill.id.locator, Locator::Path(folder.path("real/x/SKILL.md")));
    assert_eq!(skill.provenance.discovered, Some(folder.path("root/a/SKILL.md")));
    assert_eq!(skill.provenance.aliases, [folder.path("root/b/SKILL.md")]);
    assert_eq!(codes(&scan.diagnostics), [Code::SameFile]);
}

#[test]
fn a_linked_root_is_shown_where_it_leads() {
    let folder = Folder::new();
    folder.skill("real/x");
    folder.link("real", "root");
    let rules = vec![RootRule::new(RootBase::Path("root".into()), Scope::User)];
    let source = FsSource::new(SourceId::new("host"), Place::new(folder.path("")), rules, Reading::lenient());
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(scan.skills[0].root.path, folder.path("real").to_string_lossy());
    assert_eq!(scan.skills[0].provenance.discovered, None);
    fs::remove_dir_all(folder.path("real")).unwrap();
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(codes(&scan.diagnostics), [Code::SymlinkDangling]);
    fs::remove_file(folder.path("root")).unwrap();
    assert_eq!(
        source.scan(&ScanRequest::default()).diagnostics,
        [],
        "a root that is not there is no trouble"
    );
}

/// S3-30: only what was listed is read, and only inside its own skill.
#[test]
fn s3_30_read_refuses_what_was_not_listed() {
    let folder = Folder::new();
    folder.skill("good");
    folder.write("good/notes.md", "notes");
    folder.write("bad/SKILL.md", "no frontmatter");
    let secret = folder.write("secret.txt", "secret");
    let source = folder.source(Reading::lenient(), WalkPolicy::default());
    let read = |path: &std::path::Path| source.read(&Locator::Path(path.to_owned()), ReadLimit::default());
    assert_eq!(
        read(&folder.path("good/SKILL.md")).unwrap().bytes,
        skill_text("good").as_bytes(),
        "scans by itself"
    );
    for path in [&secret, &folder.path("bad/SKILL.md"), &folder.path("good/notes.md")] {
        assert!(matches!(read(path), Err(ReadError::NotListed(_))), "{}", path.display());
    }
    assert!(matches!(read(&folder.path("good/../secret.txt")), Err(ReadError::Outside(_))));
    assert!(matches!(
        source.read(&Locator::Uri("x".to_owned()), ReadLimit::default()),
        Err(ReadError::NotListed(_))
    ));
    source.files(&Locator::Path(folder.path("good/SKILL.md"))).unwrap();
    assert_eq!(read(&folder.path("good/notes.md")).unwrap().bytes, b"notes");

    fs::remove_file(folder.path("good/notes.md")).unwrap();
    symlink(&secret, folder.path("good/notes.md")).unwrap();
    assert!(matches!(read(&folder.path("good/notes.md")), Err(ReadError::Outside(_))));
    fs::rename(folder.path("good"), folder.path("moved")).unwrap();
    assert!(matches!(read(&folder.path("good/SKILL.md")), Err(ReadError::NotFound(_))));
    symlink(folder.path("moved"), folder.path("good")).unwrap();
    assert!(matches!(read(&folder.path("good/SKILL.md")), Err(ReadError::Outside(_))));
}

/// S3-30: a skill's folder that became a link is not gone through for the files beside the skill either.
#[test]
fn s3_30_a_folder_that_became_a_link_gives_no_files() {
    let folder = Folder::new();
    folder.skill("root/a");
    folder.write("root/a/config", "mine");
    folder.write("private/config", "SECRET");
    let rules = vec![RootRule::new(RootBase::Path(folder.path("root")), Scope::User)];
    let source = FsSource::new(SourceId::new("host"), Place::new(folder.path("")), rules, Reading::lenient());
    let skill = Locator::Path(folder.path("root/a/SKILL.md"));
    let files = source.files(&skill).unwrap();
    assert_eq!(files, [Locator::Path(folder.path("root/a/config"))]);
    fs::rename(folder.path("root/a"), folder.path("away")).unwrap();
    symlink(folder.path("private"), folder.path("root/a")).unwrap();
    let read = source.read(&files[0], ReadLimit::default());
    assert!(matches!(read, Err(ReadError::Outside(_))), "{read:?}");
    assert!(matches!(source.files(&skill), Err(ReadError::Outside(_))));
}

#[test]
fn a_body_is_read_afresh_and_cut_at_the_limit() {
    let folder = Folder::new();
    let path = folder.skill("a");
    let source = folder.source(Reading::lenient(), WalkPolicy::default());
    let locator = source.scan(&ScanRequest::default()).skills[0].id.locator.clone();
    fs::write(&path, "0123456789").unwrap();
    let read = |limit| source.read(&locator, ReadLimit(limit)).unwrap();
    assert_eq!((read(None).bytes.as_slice(), read(None).cut), (b"0123456789".as_slice(), false));
    assert_eq!((read(Some(4)).bytes.as_slice(), read(Some(4)).cut), (b"0123".as_slice(), true));
    assert!(!read(Some(10)).cut);
    assert_eq!(read(Some(4)).digest, lorimer_core::Digest::of(b"0123"));
}

#[test]
fn files_stay_inside_their_skill() {
    let folder = Folder::new();
    folder.skill("a");
    for file in ["scripts/run.sh", "z.txt", "references/b.md", ".secret", ".git/config", "nested/data.txt"] {
        folder.write(&format!("a/{file}"), "x");
    }
    folder.skill("a/nested");
    folder.skill("a/group/other");
    folder.write("a/group/shared.md", "x");
    folder.link("/etc", "a/etc");
    folder.link("z.txt", "a/link.txt");
    let source = folder.source(Reading::lenient(), WalkPolicy::default());
    let files = source.files(&Locator::Path(folder.path("a/SKILL.md"))).unwrap();
    let expected = ["group/shared.md", "link.txt", "references/b.md", "scripts/run.sh", "z.txt"];
    assert_eq!(files, expected.map(|file| Locator::Path(folder.path(&format!("a/{file}")))));
    let linked = source.read(&Locator::Path(folder.path("a/link.txt")), ReadLimit::default()).unwrap();
    assert_eq!(linked.bytes, b"x");
}

/// A root that appears, a skill that changes: each scan sees the disk as it is.
#[test]
fn scans_see_the_disk_as_it_is() {
    let folder = Folder::new();
    let rules = vec![RootRule::new(RootBase::Path("skills".into()), Scope::User)];
    let source = FsSource::new(SourceId::new("host"), Place::new(folder.path("")), rules, Reading::lenient());
    assert!(source.scan(&ScanRequest::default()).skills.is_empty());
    folder.skill("skills/a");
    let first = source.scan(&ScanRequest::default());
    assert_eq!(names(&first), ["a"]);
    assert_eq!(source.scan(&ScanRequest::default()), first, "the same state gives the same scan");
    folder.write("skills/a/SKILL.md", skill_text("b"));
    assert_eq!(names(&source.scan(&ScanRequest::default())), ["b"]);
}

#[test]
fn many_skills_keep_their_order_on_several_threads() {
    let folder = Folder::new();
    for index in 0..600 {
        folder.write(&format!("s{index:04}/SKILL.md"), skill_text(&format!("s{index:04}")));
    }
    let scan = folder.scan();
    assert_eq!(scan.skills.len(), 600);
    assert!(scan.skills.is_sorted_by_key(|skill| &skill.name));
}

#[test]
fn invocation_fields_are_a_policy_of_the_reading() {
    let folder = Folder::new();
    folder.write(
        "a/SKILL.md",
        "---\nname: a\ndescription: d\ndisable-model-invocation: true\nuser-invocable: \"false\"\n---\n",
    );
    let policy = &folder.scan().skills[0].policy;
    assert!(!policy.implicit && !policy.user_invocable);
    let source = folder.source(Reading::trimmed_fences(), WalkPolicy::default());
    let policy = &source.scan(&ScanRequest::default()).skills[0].policy;
    assert!(policy.implicit && policy.user_invocable);
}

#[test]
fn whole_files_have_a_size_limit_where_the_reading_wants_one() {
    let folder = Folder::new();
    folder.skill("small");
    folder.write("large/SKILL.md", skill_text("large") + &"x".repeat(1000));
    let reading = Reading { max_file_bytes: Some(500), ..Reading::lenient() };
    let scan = folder.source(reading, WalkPolicy::default()).scan(&ScanRequest::default());
    assert_eq!(names(&scan), ["small"]);
    assert_eq!(codes(&scan.diagnostics), [Code::FileTooLarge]);
}

/// S3-30: what stands beside a skill and was not listed is refused with its reason, and never opened.
#[test]
fn s3_30_what_is_no_file_of_a_skill_is_refused_with_its_reason() {
    let folder = Folder::new();
    folder.skill("root/a");
    folder.directory("root/a/run");
    let stranger = folder.write("stranger.md", "SECRET");
    folder.link(&stranger, "root/a/out");
    let rules = vec![RootRule::new(RootBase::Path(folder.path("root")), Scope::User)];
    let source = FsSource::new(SourceId::new("host"), Place::new(folder.path("")), rules, Reading::lenient());
    source.scan(&ScanRequest::default());
    let read = |path: &str| source.read(&Locator::Path(folder.path(path)), ReadLimit::default()).unwrap_err();
    assert!(matches!(read("root/a/run"), ReadError::NotRegularFile(_)));
    assert!(matches!(read("root/a/gone"), ReadError::NotFound(_)));
    assert!(matches!(read("root/a/out"), ReadError::Outside(_)));
    assert!(matches!(read("stranger.md"), ReadError::NotListed(_)));
    assert!(matches!(read("root/a/../../stranger.md"), ReadError::Outside(_) | ReadError::NotListed(_)));
}
