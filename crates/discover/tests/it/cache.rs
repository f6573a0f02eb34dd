//! A scan with a cache gives what a scan without one gives.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use lorimer_core::{Scope, SourceId};
use lorimer_discover::{
    FsSource, LooseMarkdown, MetadataCache, Place, Reading, RootBase, RootRule, Scan, ScanRequest, Source,
    WalkPolicy,
};
use proptest::prelude::*;

use crate::support::{Folder, names, skill_text};

/// A clock that says of every file that its last change is long over. A test that uses it lets the real clock tick
/// between two edits.
fn later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(10)
}

fn tick() {
    thread::sleep(Duration::from_millis(25));
}

fn source(folder: &Folder, reading: Reading) -> FsSource {
    let walk = WalkPolicy { loose_markdown: LooseMarkdown::InRoot, ..WalkPolicy::default() };
    let rule =
        |path: &str| RootRule::new(RootBase::Path(folder.path(path)), Scope::User).with_walk(walk.clone());
    let rules = vec![rule("root"), rule("second")];
    FsSource::new(SourceId::new("host"), Place::new(folder.path("")), rules, reading)
}

fn scan(source: &FsSource) -> Scan {
    source.scan(&ScanRequest::default())
}

/// Everything odd that a cache could get wrong.
fn odd_folder() -> Folder {
    let folder = Folder::new();
    folder.directory("second");
    folder.skill("root/plain");
    folder.write("root/no-name/SKILL.md", "---\ndescription: d\n---\n");
    folder.write("root/broken/SKILL.md", "no frontmatter\n");
    folder.write("root/empty/SKILL.md", "");
    folder.write("root/latin/SKILL.md", b"---\nname: a\ndescription: \xe9\n---\n");
    folder.write(
        "root/repaired/SKILL.md",
        "---\nname: r\ndescription: Use when: x\nx: [1, -2, 1.5, {a: null}]\n---\n",
    );
    folder.write("root/bom/SKILL.md", "\u{feff}---\nname: b\ndescription: d\u{200b}\nname: c\n---\n");
    folder.write("root/text.md", "just a text\n");
    folder.write("root/loose.md", "---\ndescription: loose\n---\n");
    folder.skill("root/yaml");
    folder.write(
        "root/yaml/agents/openai.yaml",
        "interface: {display_name: Y, icon_small: assets/i.png, brand_color: red}\n\
         dependencies: {tools: [{type: mcp, value: v, oauth: {callbackPort: 80}}]}\n\
         policy: {allow_implicit_invocation: false, products: [codex]}\n",
    );
    folder.skill("root/yaml-broken");
    folder.write("root/yaml-broken/agents/openai.yaml", "- x: [\n");
    folder.skill("root/yaml-folder");
    folder.directory("root/yaml-folder/agents/openai.yaml");
    folder.skill("elsewhere/linked");
    folder.write("elsewhere/linked/agents/openai.yaml", "policy: {allow_implicit_invocation: false}\n");
    folder.link(folder.path("elsewhere/linked"), "root/link-to-folder");
    folder.link(folder.path("elsewhere/linked"), "second/another-name");
    folder.write("elsewhere/text.md", "---\ndescription: named by the folder that links\n---\n");
    folder.link(folder.path("elsewhere/text.md"), "root/link-to-file/SKILL.md");
    folder.link("nowhere", "root/dangling");
    folder.directory("root/directory/SKILL.md");
    folder.write("root/invoke/SKILL.md", "---\nname: i\ndescription: d\nuser-invocable: false\n---\n");
    folder
}

fn readings() -> [Reading; 4] {
    let small = Reading { max_file_bytes: Some(60), ..Reading::lenient() };
    [Reading::lenient(), Reading::trimmed_fences(), Reading::minimal(), small]
}

#[test]
fn odd_folders_give_the_same_with_and_without_a_cache() {
    let folder = odd_folder();
    let cache = MetadataCache::in_memory(later);
    for reading in readings() {
        let fresh = scan(&source(&folder, reading.clone()));
        let cached = source(&folder, reading).with_cache(cache.clone());
        let before = cache.counts();
        assert_eq!(scan(&cached), fresh, "cold");
        let cold = cache.counts();
        assert_eq!(cold.recalled, before.recalled, "no entry of another reading is used");
        assert_eq!(scan(&cached), fresh, "warm");
        assert_eq!(scan(&cached), fresh, "still warm");
        assert!(cache.counts().recalled > cold.recalled);
    }
}

#[test]
fn a_file_that_is_recalled_is_not_read() {
    let folder = odd_folder();
    let cache = MetadataCache::in_memory(later);
    let source = source(&folder, Reading::lenient()).with_cache(cache.clone());
    scan(&source);
    let cold = cache.counts();
    scan(&source);
    let warm = cache.counts();
    // An `openai.yaml` that is a folder is an error of the platform's, and such are looked at anew.
    assert_eq!((warm.read - cold.read, warm.recalled), (1, cold.read - 1));
    let mut force = ScanRequest::default();
    force.force = true;
    source.scan(&force);
    assert_eq!(cache.counts().recalled, warm.recalled, "force");
    scan(&source);
    assert_eq!(cache.counts().recalled, 2 * warm.recalled, "a forced scan fills the cache again");
}

#[test]
fn touched_paths_are_read_again() {
    let folder = Folder::new();
    folder.directory("second");
    for name in ["a", "b", "group/c"] {
        folder.skill(&format!("root/{name}"));
    }
    folder.link(folder.path("root"), "alias");
    let cache = MetadataCache::in_memory(later);
    let source = source(&folder, Reading::lenient()).with_cache(cache.clone());
    let first = scan(&source);
    for (touched, read) in [
        ("root/a/SKILL.md", 1),
        ("root/a/agents/openai.yaml", 1),
        ("root/group", 1),
        ("root", 3),
        ("alias/b/SKILL.md", 1),
        ("alias/b/gone.md", 0),
        ("root/a/agents", 1),
        ("elsewhere", 0),
    ] {
        let before = cache.counts();
        let mut request = ScanRequest::default();
        request.touched = vec![folder.path(touched)];
        assert_eq!(source.scan(&request), first);
        assert_eq!(cache.counts().read - before.read, read, "{touched}");
    }
}

/// Who knows everything that has changed spares the scan the look at everything else, until something is not known.
#[test]
fn only_touched_paths_are_looked_at() {
    let folder = odd_folder();
    let cache = MetadataCache::in_memory(later);
    let plain = source(&folder, Reading::lenient());
    let cached = source(&folder, Reading::lenient()).with_cache(cache.clone());
    let told = |paths: &[&str]| {
        let mut request = ScanRequest::default();
        request.touched = paths.iter().map(|path| folder.path(path)).collect();
        request.only_touched = true;
        cached.scan(&request)
    };
    assert_eq!(told(&[]), scan(&plain), "the first scan looks at everything");
    tick();
    folder.write("root/plain/SKILL.md", skill_text("new"));
    folder.write("root/yaml/agents/openai.yaml", "interface: {display_name: Z}\n");
    let before = cache.counts();
    assert_eq!(told(&["root/plain/SKILL.md", "root/yaml/agents/openai.yaml"]), scan(&plain));
    assert_eq!(cache.counts().read - before.read, 3, "two, and the one whose openai.yaml is a folder");
    // A promise is taken at its word.
    tick();
    folder.write("root/plain/SKILL.md", skill_text("later"));
    assert!(!names(&told(&["root/yaml/agents/openai.yaml"])).contains(&"later"));
    assert!(names(&told(&["root/plain/SKILL.md"])).contains(&"later"));
    // What the last walk did not find is walked for.
    folder.skill("root/added");
    assert_eq!(told(&["root/added/SKILL.md"]), scan(&plain));
    fs::remove_file(folder.path("root/plain/SKILL.md")).unwrap();
    assert_eq!(told(&["root/plain/SKILL.md"]), scan(&plain));
    folder.link(folder.path("elsewhere/text.md"), "root/plain/SKILL.md");
    assert_eq!(told(&["root/plain/SKILL.md"]), scan(&plain));
    folder.write("root/added/agents/openai.yaml", "policy: {allow_implicit_invocation: false}\n");
    assert_eq!(told(&["root/added/agents/openai.yaml"]), scan(&plain));
    fs::remove_dir_all(folder.path("second")).unwrap();
    assert_eq!(told(&["second"]), scan(&plain));
}

/// Files as young as these could change again within a tick of the clock, so nothing is kept of them.
#[test]
fn young_files_are_read_again() {
    let folder = Folder::new();
    folder.directory("second");
    folder.skill("root/a");
    for cache in [MetadataCache::in_memory(SystemTime::now), MetadataCache::open(folder.path("cache"))] {
        let source = source(&folder, Reading::lenient()).with_cache(cache.clone());
        for _ in 0..3 {
            scan(&source);
        }
        assert_eq!((cache.counts().recalled, cache.counts().read), (0, 3));
    }
}

/// One test waits until files are old enough, and looks at everything that needs that.
#[test]
fn a_folder_serves_the_next_process_and_damage_means_a_cold_start() {
    let folder = odd_folder();
    let place = folder.path("cache/of/mine");
    thread::sleep(Duration::from_millis(2_200));
    let uncached = source(&folder, Reading::lenient());
    let open = || {
        let cache = MetadataCache::open(&place);
        (source(&folder, Reading::lenient()).with_cache(cache.clone()), cache)
    };
    let fresh = scan(&uncached);
    let (first, cache) = open();
    assert_eq!(scan(&first), fresh);
    let all = cache.counts().read;
    let (second, cache) = open();
    assert_eq!(scan(&second), fresh);
    assert_eq!((cache.counts().recalled, cache.counts().read), (all - 1, 1));

    let files = || -> Vec<PathBuf> {
        let listing = fs::read_dir(&place).unwrap();
        listing.map(|entry| entry.unwrap().path()).collect()
    };
    let [file] = files().try_into().expect("no file is left behind");
    let good = fs::read(&file).unwrap();
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    for bytes in [&damaged, &good[..middle], b"", b"#!/bin/sh\n"] {
        fs::write(&file, bytes).unwrap();
        let (source, cache) = open();
        assert_eq!(scan(&source), fresh);
        assert_eq!(cache.counts().recalled, 0, "a damaged file is not used");
        assert_eq!(fs::read(&file).unwrap().len(), good.len(), "and is replaced");
    }
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(scan(&open().0), fresh, "a folder in the file's place");
    fs::remove_dir_all(&place).unwrap();
    fs::write(&place, "").unwrap();
    let (in_the_way, cache) = open();
    assert_eq!(
        (scan(&in_the_way), scan(&in_the_way)),
        (fresh.clone(), fresh.clone()),
        "a file in the folder's place"
    );
    assert_eq!(cache.counts().recalled, 0, "without a clock nothing is settled");
    fs::remove_file(&place).unwrap();

    // Several writers and readers of one folder.
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for round in 0..8 {
                    let (source, _) = open();
                    let mut request = ScanRequest::default();
                    request.force = round % 2 == 0;
                    assert_eq!(source.scan(&request), fresh);
                }
            });
        }
    });
    let (after, cache) = open();
    assert_eq!(scan(&after), fresh);
    assert_eq!(cache.counts().recalled, all - 1, "the last writer left a whole file");

    // Edits of the same size within one tick of the clock, over entries that were good.
    let path = folder.path("root/plain/SKILL.md");
    for round in 0..200 {
        fs::write(&path, skill_text(&format!("plai{}", round % 7))).unwrap();
        assert_eq!(scan(&after), scan(&uncached), "round {round}");
    }
}

/// What an editor, a user or git may do to a folder between two scans.
#[derive(Clone, Debug)]
enum Edit {
    Write { skill: usize, text: usize },
    Replace { skill: usize, text: usize },
    Rename { from: usize, to: usize },
    Delete { skill: usize },
    Mode { skill: usize, open: bool },
    Policy { skill: usize, text: usize },
    PolicyDelete { skill: usize },
    Link { skill: usize, to: usize },
    OldTime { skill: usize },
    Nested { skill: usize, text: usize },
    RemoveFolder { skill: usize },
    Swap { one: usize, other: usize },
    OldFolderTime { skill: usize },
}

fn edits() -> impl Strategy<Value = Edit> {
    let (skill, text) = (0_usize..4, 0_usize..5);
    prop_oneof![
        4 => (skill.clone(), text.clone()).prop_map(|(skill, text)| Edit::Write { skill, text }),
        2 => (skill.clone(), text.clone()).prop_map(|(skill, text)| Edit::Replace { skill, text }),
        1 => (skill.clone(), skill.clone()).prop_map(|(from, to)| Edit::Rename { from, to }),
        1 => skill.clone().prop_map(|skill| Edit::Delete { skill }),
        1 => (skill.clone(), any::<bool>()).prop_map(|(skill, open)| Edit::Mode { skill, open }),
        2 => (skill.clone(), text).prop_map(|(skill, text)| Edit::Policy { skill, text }),
        1 => skill.clone().prop_map(|skill| Edit::PolicyDelete { skill }),
        1 => (skill.clone(), skill.clone()).prop_map(|(skill, to)| Edit::Link { skill, to }),
        1 => skill.clone().prop_map(|skill| Edit::OldTime { skill }),
        1 => (skill.clone(), 0_usize..5).prop_map(|(skill, text)| Edit::Nested { skill, text }),
        1 => skill.clone().prop_map(|skill| Edit::RemoveFolder { skill }),
        1 => (skill.clone(), skill.clone()).prop_map(|(one, other)| Edit::Swap { one, other }),
        1 => skill.prop_map(|skill| Edit::OldFolderTime { skill }),
    ]
}

/// The first three have one size.
const TEXTS: [&str; 5] = [
    "---\nname: a\ndescription: one\n---\n",
    "---\nname: b\ndescription: two\n---\n",
    "---\ndescription: without\n---\n--\n",
    "---\nname: c\ndescription: a: b\nextra: [1, 2]\n---\nBody\n",
    "nothing",
];
const POLICIES: [&str; 5] = [
    "policy: {allow_implicit_invocation: false}\n",
    "policy: {allow_implicit_invocation:  true}\n",
    "interface: {display_name: Name}\n",
    "policy: [\n",
    "",
];

/// What goes wrong is one more state of the folder.
fn apply(folder: &Folder, edit: &Edit) {
    let home = |skill: usize| folder.path(&format!("root/s{skill}"));
    let file = |skill: usize| home(skill).join("SKILL.md");
    match edit {
        Edit::Write { skill, text } => {
            let _ = fs::create_dir_all(home(*skill));
            let _ = fs::write(file(*skill), TEXTS[*text]);
        }
        Edit::Replace { skill, text } => {
            let new = folder.write("new", TEXTS[*text]);
            let _ = fs::rename(new, file(*skill));
        }
        Edit::Rename { from, to } => {
            let _ = fs::rename(home(*from), home(*to));
        }
        Edit::Delete { skill } => {
            let _ = fs::remove_file(file(*skill));
        }
        Edit::Mode { skill, open } => {
            let _ =
                fs::set_permissions(file(*skill), fs::Permissions::from_mode(if *open { 0o644 } else { 0 }));
        }
        Edit::Policy { skill, text } => {
            let _ = fs::create_dir_all(home(*skill).join("agents"));
            let _ = fs::write(home(*skill).join("agents/openai.yaml"), POLICIES[*text]);
        }
        Edit::PolicyDelete { skill } => {
            let _ = fs::remove_file(home(*skill).join("agents/openai.yaml"));
        }
        Edit::Link { skill, to } => {
            let _ = fs::remove_file(home(*skill));
            let _ = std::os::unix::fs::symlink(home(*to), home(*skill));
        }
        Edit::Nested { skill, text } => {
            let _ = fs::create_dir_all(home(*skill).join("nested"));
            let _ = fs::write(home(*skill).join("nested/SKILL.md"), TEXTS[*text]);
        }
        Edit::RemoveFolder { skill } => {
            let _ = fs::remove_dir_all(home(*skill));
        }
        Edit::Swap { one, other } => {
            let _ = fs::rename(home(*one), folder.path("aside"));
            let _ = fs::rename(home(*other), home(*one));
            let _ = fs::rename(folder.path("aside"), home(*other));
        }
        Edit::OldFolderTime { skill } => {
            if let Ok(opened) = fs::File::open(home(*skill)) {
                let _ = opened.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000));
            }
        }
        Edit::OldTime { skill } => {
            if let Ok(opened) = fs::File::options().write(true).open(file(*skill)) {
                let _ = opened.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 32, ..ProptestConfig::default() })]

    /// No edit is missed: neither by a cache that believes the clock has ticked, when it has, nor by one that goes by
    /// the real clock, when it has not.
    #[test]
    fn edits_are_never_missed(steps in prop::collection::vec((prop::collection::vec(edits(), 0..4), any::<bool>()), 1..7)) {
        let folder = Folder::new();
        folder.directory("second");
        for skill in 0..3 {
            folder.skill(&format!("root/s{skill}"));
        }
        let plain = source(&folder, Reading::lenient());
        let shared = MetadataCache::in_memory(later);
        let ahead = source(&folder, Reading::lenient()).with_cache(shared.clone());
        let on_disk = source(&folder, Reading::lenient()).with_cache(MetadataCache::open(folder.path("cache")));
        let strict = source(&folder, Reading::lenient()).with_cache(MetadataCache::in_memory(SystemTime::now));
        tick();
        scan(&ahead);
        for (edits, wait) in steps {
            for edit in &edits {
                apply(&folder, edit);
            }
            let expected = scan(&plain);
            if wait {
                prop_assert_eq!(&scan(&on_disk), &expected);
            }
            prop_assert_eq!(&scan(&strict), &expected);
            // The edits are over, and the clock ticks before the next ones.
            tick();
            // Who was told of something does not rely on that alone.
            let mut told = ScanRequest::default();
            told.touched.push(folder.path("root/s0/SKILL.md"));
            prop_assert_eq!(&ahead.scan(&told), &expected);
            prop_assert_eq!(&scan(&ahead), &expected);
            // A source that has nothing but the cache, as in the next process.
            let next = source(&folder, Reading::lenient()).with_cache(shared.clone());
            prop_assert_eq!(&scan(&next), &expected);
            prop_assert_eq!(&next.scan(&told), &expected);
        }
    }
}

/// A skill that did not change is handed out again and not copied.
#[test]
fn an_unchanged_skill_is_the_one_that_was_handed_out() {
    let folder = Folder::new();
    folder.directory("second");
    for name in ["a", "b"] {
        folder.skill(&format!("root/{name}"));
    }
    let source = source(&folder, Reading::lenient()).with_cache(MetadataCache::in_memory(later));
    let first = scan(&source);
    assert!(first.skills.iter().zip(&scan(&source).skills).all(|(before, after)| Arc::ptr_eq(before, after)));
    tick();
    folder.write("root/b/SKILL.md", skill_text("c"));
    let second = scan(&source);
    assert_eq!(names(&second), ["a", "c"]);
    assert!(Arc::ptr_eq(&first.skills[0], &second.skills[0]));
    // Another folder beside it changes the walk, and not the skills that it comes to.
    folder.skill("root/d");
    let third = scan(&source);
    assert_eq!(names(&third), ["a", "c", "d"]);
    assert!(second.skills.iter().zip(&third.skills).all(|(before, after)| Arc::ptr_eq(before, after)));
}

#[test]
fn what_a_source_lists_can_be_read_after_a_warm_scan() {
    let folder = Folder::new();
    folder.directory("second");
    folder.skill("root/a");
    let cache = MetadataCache::in_memory(later);
    scan(&source(&folder, Reading::lenient()).with_cache(cache.clone()));
    let other = source(&folder, Reading::lenient()).with_cache(cache.clone());
    let warm = scan(&other);
    assert_eq!((names(&warm), cache.counts().recalled), (vec!["a"], 1));
    assert!(other.read(&warm.skills[0].id.locator, lorimer_core::ReadLimit::default()).is_ok());
}
