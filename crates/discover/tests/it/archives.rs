//! Skills in archives: what is offered, what is refused, and that no bytes do harm.

use std::fs;
use std::io::Write as _;

use lorimer_core::{Code, Locator, ReadLimit, Scope, SourceId};
use lorimer_discover::{
    ArchiveLimits, ArchiveSource, Place, ReadError, Reading, RootBase, RootRule, Scan, ScanRequest, Source,
    WalkPolicy,
};
use proptest::prelude::*;

use crate::packing::{packed, tar, tar_gz, zip};
use crate::support::{Folder, codes, names, skill_text};

fn source(folder: &Folder) -> ArchiveSource {
    let rules = vec![RootRule::new(RootBase::Path(folder.path("")), Scope::Admin)];
    ArchiveSource::new(SourceId::new("packed"), Place::new(folder.path("")), rules, Reading::lenient())
}

fn scan(folder: &Folder) -> Scan {
    source(folder).scan(&ScanRequest::default())
}

fn entry(folder: &Folder, archive: &str, resource: &str) -> Locator {
    let package = folder.path(archive).to_str().unwrap().to_owned();
    Locator::Package { package, resource: resource.to_owned() }
}

const FILES: [(&str, &str); 7] = [
    ("a/SKILL.md", ""),
    ("a/notes.md", "notes"),
    ("a/.hidden", "x"),
    ("a/agents/openai.yaml", "policy: {allow_implicit_invocation: false}"),
    ("a/inner/SKILL.md", ""),
    ("a/inner/data.txt", "data"),
    ("node_modules/x/SKILL.md", ""),
];

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let text = |(name, text): (&'static str, &str)| match name.strip_suffix("/SKILL.md") {
        Some(folder) => (name, skill_text(folder.rsplit('/').next().unwrap()).into_bytes()),
        None => (name, text.as_bytes().to_vec()),
    };
    FILES.map(text).to_vec()
}

/// S3-04, S3-14: a packed skill's locator is its package and its resource, and both formats offer the same.
#[test]
fn s3_04_s3_14_both_formats_offer_the_same() {
    for (name, archive) in
        [("kit.zip", zip(&files())), ("kit.TAR.GZ", tar_gz(&files())), ("k.skill", zip(&files()))]
    {
        let folder = Folder::new();
        folder.write(name, archive);
        folder.write("readme.txt", "no archive");
        let source = source(&folder);
        let scan = source.scan(&ScanRequest::default());
        assert_eq!((names(&scan), scan.complete), (vec!["a", "inner"], true), "{name}");
        assert_eq!(scan.diagnostics, [], "{name}");
        let [a, inner] = scan.skills.as_slice() else { panic!("two skills") };
        assert_eq!((&a.scope, &a.id.locator), (&Scope::Admin, &entry(&folder, name, "a/SKILL.md")));
        assert!(!a.policy.implicit && inner.policy.implicit);
        assert_eq!(a.root.path, folder.path(name).to_string_lossy());

        let read = |locator: &Locator, limit| source.read(locator, ReadLimit(limit));
        assert_eq!(read(&a.id.locator, None).unwrap().bytes, skill_text("a").as_bytes());
        assert!(read(&a.id.locator, Some(3)).unwrap().cut);
        let notes = entry(&folder, name, "a/notes.md");
        assert!(matches!(read(&notes, None), Err(ReadError::NotListed(_))), "{name}");
        let beside = source.files(&a.id.locator).unwrap();
        assert_eq!(beside, [entry(&folder, name, "a/agents/openai.yaml"), notes.clone()], "{name}");
        assert_eq!(read(&notes, None).unwrap().bytes, b"notes");
        assert_eq!(source.files(&inner.id.locator).unwrap(), [entry(&folder, name, "a/inner/data.txt")]);
        for other in ["a/.hidden", "a/inner/SKILL.md/", "../x", "node_modules/x/SKILL.md"] {
            let answer = read(&entry(&folder, name, other), None);
            assert!(matches!(answer, Err(ReadError::NotListed(_))), "{other}");
        }
        fs::write(folder.path(name), "gone").unwrap();
        assert!(matches!(read(&notes, None), Err(ReadError::Io { .. })), "{name}");
        fs::remove_file(folder.path(name)).unwrap();
        assert!(matches!(read(&notes, None), Err(ReadError::NotFound(_))), "{name}");
        assert!(source.scan(&ScanRequest::default()).skills.is_empty());
    }
}

#[test]
fn a_skill_at_the_root_may_be_called_like_its_archive() {
    let folder = Folder::new();
    folder.write("x.tar.gz", tar_gz(&[("./SKILL.md", b"---\ndescription: d\n---\n".to_vec())]));
    folder.write("z.zip", zip(&[("SKILL.md", b"---\ndescription: d\n---\n".to_vec())]));
    assert_eq!(names(&scan(&folder)), ["x", "z"]);
    let rules = vec![RootRule::new(RootBase::Path(folder.path("x.tar.gz")), Scope::User)];
    let source =
        ArchiveSource::new(SourceId::new("packed"), Place::new(folder.path("")), rules, Reading::lenient());
    assert_eq!(names(&source.scan(&ScanRequest::default())), ["x"], "a rule may name one archive");
    let none = WalkPolicy { skill_file_in_root: false, ..WalkPolicy::default() };
    let rules = vec![RootRule::new(RootBase::Path(folder.path("")), Scope::User).with_walk(none)];
    let source =
        ArchiveSource::new(SourceId::new("packed"), Place::new(folder.path("")), rules, Reading::lenient());
    assert!(source.scan(&ScanRequest::default()).skills.is_empty());
}

/// S3-30: what would lead elsewhere if it were unpacked is refused, and its neighbours are not.
#[test]
fn s3_30_unsafe_entries_are_refused() {
    let bad =
        ["../up/SKILL.md", "/abs/SKILL.md", "a/../../b/SKILL.md", "back\\slash/SKILL.md", "C:/d/SKILL.md"];
    let folder = Folder::new();
    let mut files: Vec<(&str, Vec<u8>)> = bad.map(|name| (name, skill_text("bad").into_bytes())).to_vec();
    files.push(("good/SKILL.md", skill_text("good").into_bytes()));
    folder.write("a.zip", zip(&files));
    folder.write("b.tgz", tar_gz(&files));
    let scan = scan(&folder);
    assert_eq!(names(&scan), ["good", "good"]);
    assert_eq!(codes(&scan.diagnostics), [Code::ArchiveEntryRefused; 10]);
    assert!(scan.complete);
}

#[test]
fn links_and_devices_are_refused() {
    let folder = Folder::new();
    let mut builder = ::tar::Builder::new(Vec::new());
    for (name, kind) in [
        ("a/SKILL.md", ::tar::EntryType::Symlink),
        ("b/SKILL.md", ::tar::EntryType::Link),
        ("c/SKILL.md", ::tar::EntryType::Fifo),
        ("d/SKILL.md", ::tar::EntryType::Char),
    ] {
        let mut header = ::tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        builder.append_link(&mut header, name, "/etc/passwd").unwrap();
    }
    let good = skill_text("good");
    let mut header = ::tar::Header::new_gnu();
    header.set_size(good.len() as u64);
    builder.append_data(&mut header, "good/SKILL.md", good.as_bytes()).unwrap();
    folder.write("a.tar.gz", packed(&builder.into_inner().unwrap()));

    let mut writer = ::zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.add_symlink("a/SKILL.md", "/etc/passwd", ::zip::write::SimpleFileOptions::default()).unwrap();
    writer.start_file("good/SKILL.md", ::zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(good.as_bytes()).unwrap();
    folder.write("b.zip", writer.finish().unwrap().into_inner());

    let scan = scan(&folder);
    assert_eq!(names(&scan), ["good", "good"]);
    assert_eq!(codes(&scan.diagnostics), [Code::ArchiveEntryRefused; 5]);
}

/// A name that stands twice would be one skill for one program and another skill for the next.
#[test]
fn names_that_stand_twice_are_refused() {
    let folder = Folder::new();
    let text = |name: &str| skill_text(name).into_bytes();
    let files = [("a/SKILL.md", text("one")), ("./a/SKILL.md", text("two")), ("b/SKILL.md", text("b"))];
    folder.write("a.tar.gz", tar_gz(&files));
    folder.write("b.zip", zip(&files));
    let scan_of_both = scan(&folder);
    assert_eq!(names(&scan_of_both), ["b", "b"]);
    assert_eq!(codes(&scan_of_both.diagnostics), [Code::ArchiveEntryRefused; 2]);

    // No honest program writes this one: both names are patched to be the same.
    let mut bytes = zip(&[("a/SKILL.md", text("one")), ("b/SKILL.md", text("two"))]);
    let needle = b"b/SKILL.md";
    for start in 0..bytes.len() - needle.len() {
        if bytes[start..].starts_with(needle) {
            bytes[start] = b'a';
        }
    }
    let folder = Folder::new();
    folder.write("twice.zip", bytes);
    let scan = scan(&folder);
    assert_eq!((names(&scan).len(), codes(&scan.diagnostics)), (0, vec![Code::ArchiveInvalid]));
}

/// How a name is shown is not the name: nothing of a refused file is left, whatever characters it has.
#[test]
fn what_is_refused_is_not_offered_whatever_its_name_looks_like() {
    let folder = Folder::new();
    let text = |name: &str| skill_text(name).into_bytes();
    let long = format!("{}/SKILL.md", "very-".repeat(18));
    for (archive, name) in [("a", "it's/SKILL.md"), ("b", "e\u{301}/SKILL.md"), ("c", long.as_str())] {
        let files = [(name, text("one")), (name, text("two")), ("b/SKILL.md", text("b"))];
        folder.write(&format!("{archive}.tar.gz"), tar_gz(&files));
    }
    let mut builder = ::tar::Builder::new(Vec::new());
    let good = skill_text("link");
    let mut header = ::tar::Header::new_gnu();
    header.set_size(good.len() as u64);
    builder.append_data(&mut header, "l/SKILL.md", good.as_bytes()).unwrap();
    let mut header = ::tar::Header::new_gnu();
    header.set_entry_type(::tar::EntryType::Symlink);
    header.set_size(0);
    builder.append_link(&mut header, "./l/SKILL.md", "elsewhere").unwrap();
    folder.write("d.tar.gz", packed(&builder.into_inner().unwrap()));
    let scan = scan(&folder);
    assert_eq!(names(&scan), ["b", "b", "b"], "{:?}", scan.diagnostics);
    assert_eq!(codes(&scan.diagnostics), [Code::ArchiveEntryRefused; 4]);
}

#[test]
fn an_encrypted_entry_is_refused() {
    let mut bytes =
        zip(&[("a/SKILL.md", skill_text("a").into_bytes()), ("b/SKILL.md", skill_text("b").into_bytes())]);
    // Bit 0 of the flags, in the local header and in the directory.
    bytes[6] |= 1;
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    bytes[directory + 8] |= 1;
    let folder = Folder::new();
    folder.write("locked.zip", bytes);
    let scan = scan(&folder);
    assert_eq!((names(&scan), codes(&scan.diagnostics)), (vec!["b"], vec![Code::ArchiveEntryRefused]));
    assert!(scan.diagnostics[0].message.contains("encrypted"), "{}", scan.diagnostics[0].message);
}

#[test]
fn damaged_archives_are_named_and_cost_no_neighbour() {
    let folder = Folder::new();
    folder.write("a.zip", "this is no archive");
    folder.write("b.zip", "");
    let whole = tar_gz(&files());
    folder.write("c.tar.gz", &whole[..whole.len() / 2]);
    let mut checksum = whole.clone();
    let length = checksum.len();
    checksum[length - 6] ^= 1;
    folder.write("d.tar.gz", checksum);
    let whole = zip(&files());
    folder.write("e.zip", &whole[..whole.len() - 30]);
    folder.directory("f.zip");
    folder.write("g.zip", &whole);
    let scan = scan(&folder);
    assert_eq!((names(&scan), scan.complete), (vec!["a", "inner"], false));
    assert_eq!(codes(&scan.diagnostics), [Code::ArchiveInvalid; 5]);
}

#[test]
fn one_damaged_file_of_a_zip_costs_only_itself() {
    let mut bytes =
        zip(&[("a/SKILL.md", skill_text("a").into_bytes()), ("b/SKILL.md", skill_text("b").into_bytes())]);
    // The first bytes behind the first local header and its name.
    bytes[30 + "a/SKILL.md".len() + 4] ^= 0xff;
    let folder = Folder::new();
    folder.write("a.zip", bytes);
    let scan = scan(&folder);
    assert_eq!((names(&scan), codes(&scan.diagnostics)), (vec!["b"], vec![Code::ArchiveEntryRefused]));
}

#[test]
fn archives_have_limits() {
    let zeros = vec![0; 3_000_000];
    let files = [("a/SKILL.md", skill_text("a").into_bytes()), ("a/zeros", zeros)];
    let folder = Folder::new();
    folder.write("a.zip", zip(&files));
    folder.write("b.tar.gz", tar_gz(&files));
    let scan = |limits| source(&folder).with_limits(limits).scan(&ScanRequest::default());
    let limits = ArchiveLimits::default();
    assert_eq!(names(&scan(limits)), ["a", "a"]);
    let bomb = scan(ArchiveLimits { total_bytes: 1_000_000, ..limits });
    assert_eq!((names(&bomb).len(), codes(&bomb.diagnostics)), (0, vec![Code::ArchiveLimit; 2]));
    assert!(!bomb.complete);
    let many = scan(ArchiveLimits { entries: 1, ..limits });
    assert_eq!((names(&many).len(), codes(&many.diagnostics)), (0, vec![Code::ArchiveLimit; 2]));
    let packed = scan(ArchiveLimits { packed_bytes: 100, ..limits });
    assert_eq!((names(&packed).len(), codes(&packed.diagnostics)), (0, vec![Code::ArchiveLimit; 2]));
    let large = scan(ArchiveLimits { entry_bytes: 1_000_000, ..limits });
    assert_eq!(
        (names(&large), codes(&large.diagnostics)),
        (vec!["a", "a"], vec![Code::ArchiveEntryRefused; 2])
    );
    assert_eq!(large.skills[0].id.locator, entry(&folder, "a.zip", "a/SKILL.md"));
}

#[test]
fn what_lies_too_deep_or_is_too_large_is_told() {
    let folder = Folder::new();
    let deep = format!("{}SKILL.md", "d/".repeat(9));
    folder.write("a.zip", zip(&[(&deep, skill_text("d").into_bytes())]));
    let deep = scan(&folder);
    assert_eq!((codes(&deep.diagnostics), deep.complete), (vec![Code::LimitDepth], false));
    folder.write("a.zip", zip(&[("a/SKILL.md", (skill_text("a") + &"x".repeat(1000)).into_bytes())]));
    let rules = vec![RootRule::new(RootBase::Path(folder.path("")), Scope::User)];
    let reading = Reading { max_file_bytes: Some(500), ..Reading::lenient() };
    let source = ArchiveSource::new(SourceId::new("packed"), Place::new(folder.path("")), rules, reading);
    assert_eq!(codes(&source.scan(&ScanRequest::default()).diagnostics), [Code::FileTooLarge]);
}

#[cfg(unix)]
#[test]
fn the_same_archive_counts_once() {
    let folder = Folder::new();
    folder.write("a.zip", zip(&files()));
    folder.link("a.zip", "b.zip");
    let scan = scan(&folder);
    assert_eq!((names(&scan), codes(&scan.diagnostics)), (vec!["a", "inner"], vec![Code::SameFile]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// Whatever happens to the bytes: no panic, and nothing is lost without a word.
    #[test]
    fn s3_30_mutated_archives_never_panic(
        tarball in any::<bool>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        end in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = if tarball { tar_gz(&files()) } else { zip(&files()) };
        for (place, byte) in edits {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(end) = end {
            bytes.truncate(end.index(bytes.len()));
        }
        let folder = Folder::new();
        folder.write("a.zip", bytes);
        let source = source(&folder);
        let scan = source.scan(&ScanRequest::default());
        prop_assert!(scan.skills.len() == 2 || !scan.diagnostics.is_empty(), "{scan:?}");
        for skill in &scan.skills {
            let _ = source.read(&skill.id.locator, ReadLimit::default());
            let _ = source.files(&skill.id.locator);
        }
    }

    /// The same for what is inside of the compression, where the structure is.
    #[test]
    fn s3_30_mutated_tarballs_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = tar(&files());
        for (place, byte) in edits {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let folder = Folder::new();
        folder.write("a.tgz", packed(&bytes));
        scan(&folder);
    }
}
