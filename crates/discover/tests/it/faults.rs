//! What goes wrong while somebody looks: disks that are unplugged, rights that are taken away, files that change under
//! the scan. A few rounds belong to every test run; `cargo xtask faults` runs hundreds.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::SystemTime;

use lorimer_core::{Code, Scope, Skill, SourceId};
use lorimer_discover::{
    FsSource, MetadataCache, Place, Reading, RootBase, RootRule, Scan, ScanRequest, Source,
};

use crate::support::{Folder, names};

/// Set for the full size.
const FULL: &str = "LORIMER_FAULTS_FULL";
/// Set for the other processes of a test: the folder that they work on.
const PLACE: &str = "LORIMER_FAULTS_PLACE";

fn rounds(short: usize, full: usize) -> usize {
    if std::env::var_os(FULL).is_some() { full } else { short }
}

/// A source over some directories of a place, each a root.
fn source(place: &Path, roots: &[&str]) -> FsSource {
    let rule = |root: &&str| RootRule::new(RootBase::Path(place.join(root)), Scope::User);
    let rules = roots.iter().map(rule).collect();
    FsSource::new(SourceId::new("host"), Place::new(place), rules, Reading::lenient())
}

fn scan(source: &FsSource) -> Scan {
    source.scan(&ScanRequest::default())
}

/// Returns a command that runs one test of this program again, for a folder.
fn again(test: &str, place: &Path) -> Command {
    // The program may lie where another user may not look; this way leads to it without its path.
    let own = Path::new("/proc/self/exe");
    let program = if own.exists() { own.to_owned() } else { std::env::current_exe().unwrap() };
    let mut command = Command::new(program);
    command.args(["--exact", test, "--nocapture"]).env(PLACE, place).current_dir("/");
    command
}

fn place_of_child() -> Option<PathBuf> {
    std::env::var_os(PLACE).map(PathBuf::from)
}

fn is_below(scan: &Scan, path: &Path) -> bool {
    scan.diagnostics.iter().any(|diagnostic| {
        let place = diagnostic.location.as_ref().and_then(|location| location.locator.as_path());
        place.is_some_and(|place| place.starts_with(path))
    })
}

/// Runs something again and again beside a test, until the test is done.
fn beside<R>(act: impl Fn(usize) + Sync, test: impl FnOnce() -> R) -> R {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut round = 0;
            while !done.load(Ordering::Relaxed) {
                act(round);
                round += 1;
            }
        });
        // The others must end also when the test fails.
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(test));
        done.store(true, Ordering::Relaxed);
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The source once as it is, once with a cache that it alone has, and once with one on disk.
fn each_way(place: &Path, roots: &[&str]) -> [FsSource; 3] {
    [
        source(place, roots),
        source(place, roots).with_cache(MetadataCache::in_memory(SystemTime::now)),
        source(place, roots).with_cache(MetadataCache::open(place.join("cache"))),
    ]
}

/// Skills in every group of a root, so that a scan takes its time.
fn many_skills(folder: &Folder, root: &str) -> usize {
    for group in 0..8 {
        for skill in 0..8 {
            folder.skill(&format!("{root}/group-{group}/{root}-{group}-{skill}"));
        }
    }
    64
}

#[test]
fn a_root_that_goes_away_and_comes_back_costs_no_other_and_is_never_half_there_in_silence() {
    let folder = Folder::new();
    let all = many_skills(&folder, "disk");
    many_skills(&folder, "stay");
    let (disk, away) = (folder.path("disk"), folder.path("away"));
    for source in each_way(&folder.path(""), &["disk", "stay"]) {
        let (mut whole, mut torn) = (0, 0);
        let unplug = |_| {
            fs::rename(&disk, &away).unwrap();
            thread::yield_now();
            fs::rename(&away, &disk).unwrap();
            thread::yield_now();
        };
        beside(unplug, || {
            for _ in 0..rounds(30, 1_000) {
                let scan = scan(&source);
                let (here, stay) =
                    names(&scan).into_iter().partition::<Vec<_>, _>(|name| name.starts_with("disk"));
                assert_eq!(stay.len(), all, "{:?}", scan.diagnostics);
                if here.len() == all || here.is_empty() {
                    whole += 1;
                } else {
                    torn += 1;
                    assert!(is_below(&scan, &disk), "{} of {all} and no word", here.len());
                }
            }
        });
        let quiet = scan(&source);
        assert_eq!(quiet, scan(&self::source(&folder.path(""), &["disk", "stay"])));
        assert_eq!((quiet.skills.len(), quiet.diagnostics.len(), quiet.complete), (2 * all, 0, true));
        eprintln!("unplugged: {whole} scans saw all or nothing of the root, {torn} a part of it");
    }
}

#[test]
fn a_root_that_is_deleted_and_made_again_costs_no_other() {
    let folder = Folder::new();
    let all = many_skills(&folder, "stay");
    let remake = |_| {
        many_skills(&folder, "disk");
        fs::remove_dir_all(folder.path("disk")).unwrap();
    };
    for source in each_way(&folder.path(""), &["disk", "stay"]) {
        beside(remake, || {
            for _ in 0..rounds(20, 500) {
                let scan = scan(&source);
                assert_eq!(names(&scan).iter().filter(|name| name.starts_with("stay")).count(), all);
                for skill in &scan.skills {
                    assert_eq!(skill.description, format!("Does {}.", skill.name));
                }
            }
        });
        let quiet = scan(&source);
        assert_eq!(quiet, scan(&self::source(&folder.path(""), &["disk", "stay"])));
        assert_eq!(quiet.skills.len(), all);
    }
}

/// Modes stop nobody who is root, so root asks somebody else to look.
fn as_somebody_whom_modes_stop(test: &str, act: impl FnOnce(&Folder)) {
    const NOBODY: u32 = 65_534;
    let folder = Folder::new();
    let locked = folder.write("locked", "");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&locked).is_err() {
        return act(&folder);
    }
    assert!(place_of_child().is_none(), "the child is still somebody whom no mode stops");
    let status = again(test, Path::new("/")).uid(NOBODY).gid(NOBODY).status();
    match status {
        Ok(status) => assert!(status.success(), "as another user: {status}"),
        Err(error) => eprintln!("skipped: modes stop nobody here, and no other user can be asked: {error}"),
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_may_not_be_read_is_told_and_costs_only_itself() {
    as_somebody_whom_modes_stop("faults::what_may_not_be_read_is_told_and_costs_only_itself", |folder| {
        let mut closed = Vec::new();
        let mut close = |path: PathBuf, mode| {
            set_mode(&path, mode);
            closed.push(path);
        };
        folder.skill("root/a");
        folder.skill("root/group/deeper/z");
        close(folder.skill("root/file"), 0);
        folder.skill("root/no-search/inner");
        close(folder.path("root/no-search"), 0o600);
        folder.skill("root/no-list/inner");
        close(folder.path("root/no-list"), 0o300);
        folder.skill("root/group/nothing/inner");
        close(folder.path("root/group/nothing"), 0);
        folder.skill("root/yaml");
        close(
            folder.write("root/yaml/agents/openai.yaml", "policy: {allow_implicit_invocation: false}\n"),
            0,
        );
        folder.skill("elsewhere/inner");
        folder.link(folder.path("elsewhere/inner"), "root/link-to-folder");
        folder.link(folder.path("elsewhere/inner/SKILL.md"), "root/link-to-file/SKILL.md");
        close(folder.path("elsewhere"), 0);
        folder.skill("closed/inner");
        close(folder.path("closed"), 0);
        let roots = ["root", "closed"];
        let fresh = scan(&source(&folder.path(""), &roots));
        let cached = source(&folder.path(""), &roots).with_cache(MetadataCache::open(folder.path("cache")));
        assert_eq!((scan(&cached), scan(&cached)), (fresh.clone(), fresh.clone()));
        for path in &closed {
            set_mode(path, 0o700);
        }
        assert_eq!(names(&fresh), ["a", "yaml", "z"]);
        assert!(!fresh.complete);
        // No snapshot, since whom modes stop may not be able to read one.
        let told = folder.told(&fresh.diagnostics).replace(": Permission denied (os error 13)", "");
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(
            lines,
            [
                "root/link-to-folder: warning[discover/directory-unreadable]: the link cannot be followed",
                "root/link-to-file/SKILL.md: warning[discover/directory-unreadable]: the link cannot be followed",
                "root/no-list: warning[discover/directory-unreadable]: the directory cannot be read",
                "root/group/nothing: warning[discover/directory-unreadable]: the directory cannot be read",
                "root/no-search/inner: warning[discover/directory-unreadable]: the directory cannot be read",
                "closed: warning[discover/directory-unreadable]: the directory cannot be read",
                "root/file/SKILL.md: error[discover/file-unreadable]: the file cannot be read",
                "root/yaml/agents/openai.yaml: warning[discover/openai-yaml-invalid]: the file cannot be read",
            ]
        );
        let open = scan(&cached);
        assert_eq!(open, scan(&source(&folder.path(""), &roots)), "rights that are given back are noticed");
        let mut opened = names(&open);
        opened.sort_unstable();
        // Two links lead to one of the five, and a third root to another.
        assert_eq!(opened, ["a", "file", "inner", "inner", "inner", "inner", "inner", "yaml", "z"]);
    });
}

#[test]
fn rights_that_come_and_go_cost_no_neighbour() {
    as_somebody_whom_modes_stop("faults::rights_that_come_and_go_cost_no_neighbour", |folder| {
        let all = many_skills(folder, "root");
        let closed = folder.path("root/group-3");
        let file = folder.path("root/group-5/root-5-5/SKILL.md");
        let toggle = |_| {
            for mode in [0, 0o300, 0o700] {
                set_mode(&closed, mode);
                set_mode(&file, mode);
                thread::yield_now();
            }
        };
        for source in each_way(&folder.path(""), &["root"]) {
            beside(toggle, || {
                for _ in 0..rounds(30, 1_000) {
                    let scan = scan(&source);
                    let lost = all - scan.skills.len();
                    let file_is_there = names(&scan).contains(&"root-5-5");
                    let group = names(&scan).iter().filter(|name| name.starts_with("root-3-")).count();
                    assert_eq!(lost, 8 - group + usize::from(!file_is_there));
                    assert!(group == 8 || is_below(&scan, &closed), "{group} and no word");
                    assert!(file_is_there || is_below(&scan, &file));
                }
            });
            assert_eq!(scan(&source), scan(&self::source(&folder.path(""), &["root"])));
        }
    });
}

/// How somebody saves a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Save {
    /// Cuts it to nothing and writes it again.
    Over,
    /// Writes another one and gives it the name.
    Rename,
    /// Deletes it and makes another one.
    Again,
    /// Lets a link lead to it, and then nowhere.
    Link,
}

const SAVES: [Save; 4] = [Save::Over, Save::Rename, Save::Again, Save::Link];

fn description(name: &str, version: usize) -> String {
    format!("Version {version} of {name}, {}and no other.", "which is a long one, ".repeat(version % 40))
}

fn save(directory: &Path, name: &str, how: Save, version: usize) {
    let (file, other) = (directory.join("SKILL.md"), directory.join("other"));
    let text = format!("---\nname: {name}\ndescription: {}\n---\nBody\n", description(name, version));
    match how {
        Save::Over => fs::write(file, text).unwrap(),
        Save::Rename => {
            fs::write(&other, text).unwrap();
            fs::rename(other, file).unwrap();
        }
        Save::Again => {
            let _ = fs::remove_file(&file);
            fs::write(file, text).unwrap();
        }
        Save::Link => {
            fs::write(directory.join("target"), text).unwrap();
            let target = if version.is_multiple_of(2) { "target" } else { "nowhere" };
            symlink(target, &other).unwrap();
            fs::rename(other, file).unwrap();
        }
    }
}

/// What a scan says about the skills of this test: nobody's are as they were, and the others are one of the versions
/// that somebody has written, or something is said about them.
fn check_scan(scan: &Scan, place: &Path, untouched: &[Arc<Skill>], writers: usize) {
    let same = scan.skills.iter().filter(|skill| skill.name.starts_with("still")).eq(untouched);
    assert!(same, "a skill that nobody touched is not as it was: {:?}", names(scan));
    for writer in 0..writers {
        let (name, how) = (format!("written-{writer}"), SAVES[writer % SAVES.len()]);
        match scan.skills.iter().find(|skill| skill.name == name) {
            Some(skill) => {
                let version = skill.description.split(' ').nth(1).and_then(|version| version.parse().ok());
                assert_eq!(
                    Some(&skill.description),
                    version.map(|version| description(&name, version)).as_ref()
                );
            }
            // Between the deletion and the writing there is no file, and nothing to be said.
            None if how == Save::Again => {}
            None => assert!(
                is_below(scan, &place.join("root").join(&name)),
                "{name} ({how:?}) is lost in silence"
            ),
        }
    }
}

#[test]
fn a_hundred_writers_cost_no_neighbour_and_leave_nothing_behind() {
    const TEST: &str = "faults::a_hundred_writers_cost_no_neighbour_and_leave_nothing_behind";
    let (writers, scans) = (rounds(12, 100), rounds(25, 1_000));
    let folder = Folder::new();
    // A child looks at the place of its parent, through a cache that both share.
    let child = place_of_child();
    let place = child.clone().unwrap_or_else(|| folder.path(""));
    if child.is_none() {
        for index in 0..20 {
            folder.skill(&format!("root/still-{index}"));
        }
        for writer in 0..writers {
            let name = format!("written-{writer}");
            save(&folder.directory(&format!("root/{name}")), &name, SAVES[writer % SAVES.len()], 0);
        }
    }
    let fresh = || source(&place, &["root"]);
    let shared = || fresh().with_cache(MetadataCache::open(place.join("cache")));
    let mut untouched = scan(&fresh()).skills;
    untouched.retain(|skill| skill.name.starts_with("still"));
    assert_eq!(untouched.len(), 20);
    let look = |source: FsSource| {
        for _ in 0..scans {
            check_scan(&scan(&source), &place, &untouched, writers);
        }
        source
    };
    if child.is_some() {
        look(shared());
        return;
    }
    let write = |version: usize| {
        for writer in 0..writers {
            let name = format!("written-{writer}");
            save(&place.join("root").join(&name), &name, SAVES[writer % SAVES.len()], version);
        }
    };
    let mut other = Other::start(TEST, &place);
    let sources = each_writer(writers, &place, || {
        thread::scope(|scope| {
            let in_memory = fresh().with_cache(MetadataCache::in_memory(SystemTime::now));
            let ways = [fresh(), in_memory, shared(), shared()];
            let looking: Vec<_> = ways.into_iter().map(|source| scope.spawn(|| look(source))).collect();
            looking.into_iter().map(|looked| looked.join().unwrap()).collect::<Vec<_>>()
        })
    });
    other.end();
    for last in 0..2 {
        let cold = scan(&fresh());
        for source in sources.iter().chain(&[shared()]) {
            assert_eq!(scan(source), cold, "the first quiet scan, and the next");
        }
        write(1_000_000 + last);
    }
}

/// Lets each writer write in a thread of its own while a test goes on.
fn each_writer<R>(writers: usize, place: &Path, test: impl FnOnce() -> R) -> R {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for writer in 0..writers {
            let (name, done) = (format!("written-{writer}"), &done);
            scope.spawn(move || {
                let directory = place.join("root").join(&name);
                for version in (1..).take_while(|_| !done.load(Ordering::Relaxed)) {
                    save(&directory, &name, SAVES[writer % SAVES.len()], version);
                    thread::yield_now();
                }
            });
        }
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(test));
        done.store(true, Ordering::Relaxed);
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Another process that takes part in a test. It ends with the test, also where that fails.
struct Other(Child);

impl Other {
    fn start(test: &str, place: &Path) -> Self {
        Self(again(test, place).spawn().unwrap())
    }

    fn end(&mut self) {
        let status = self.0.wait().unwrap();
        assert!(status.success(), "the other process: {status}");
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A name that was a file when it was listed may be something else when it is opened.
#[test]
fn a_file_that_becomes_something_else_is_never_waited_for() {
    let folder = Folder::new();
    folder.skill("root/still");
    let place = folder.path("root/odd");
    let turn = |_| {
        for kind in ["file", "folder", "pipe", "link"] {
            let file = place.join("SKILL.md");
            match kind {
                "file" => drop(folder.skill("root/odd")),
                "folder" => fs::create_dir_all(&file).unwrap(),
                "link" => symlink("../still/SKILL.md", &file).unwrap(),
                _ => assert!(Command::new("mkfifo").arg(&file).status().unwrap().success()),
            }
            thread::yield_now();
            if kind == "folder" { fs::remove_dir(&file).unwrap() } else { fs::remove_file(&file).unwrap() }
        }
    };
    folder.directory("root/odd");
    for source in each_way(&folder.path(""), &["root"]) {
        beside(turn, || {
            for _ in 0..rounds(50, 2_000) {
                let scan = scan(&source);
                assert!(names(&scan).contains(&"still"), "{:?}", scan.diagnostics);
                let errors =
                    [Code::FileUnreadable, Code::NotRegularFile, Code::SameFile, Code::FrontmatterMissing];
                let gone = [Code::DirectoryUnreadable, Code::SymlinkDangling];
                let fine = |code| errors.contains(&code) || gone.contains(&code);
                assert!(
                    scan.diagnostics.iter().all(|diagnostic| fine(diagnostic.code)),
                    "{:?}",
                    scan.diagnostics
                );
            }
        });
        assert_eq!(scan(&source), scan(&self::source(&folder.path(""), &["root"])));
    }
}
