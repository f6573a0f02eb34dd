//! Skills of another environment, which is a process of its own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use lorimer_core::{Code, Content, Locator, ReadLimit, Scope, SourceId};
use lorimer_discover::{
    Listing, MemorySource, PipeLimits, PipeRemote, ReadError, Reading, Remote, RemoteError, RemoteSkill,
    RemoteSource, ScanRequest, Source,
};

use crate::support::{Folder, codes, names, skill_text};

/// The example that serves a folder. Cargo builds examples along with all tests, but not with a single one.
fn environment() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let target = tests.parent().unwrap().parent().unwrap();
    let program = target.join("examples").join(format!("environment{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let built = Command::new(cargo)
            .args(["build", "--quiet", "--example", "environment", "--manifest-path", manifest])
            .status();
        assert!(built.unwrap().success());
    }
    program
}

fn remote(folder: &Folder, fault: &str) -> PipeRemote {
    let mut command = Command::new(environment());
    command.arg(folder.path("")).arg(fault);
    PipeRemote::new(command)
        .with_limits(PipeLimits { deadline: Duration::from_secs(20), message_bytes: 1 << 20 })
}

fn source(remote: impl Remote + 'static) -> RemoteSource {
    RemoteSource::new(SourceId::new("box"), "box", "env:/", remote, Reading::lenient())
}

fn uri(uri: &str) -> Locator {
    Locator::Uri(uri.to_owned())
}

/// S3-03, S3-04, S3-14: another process lists skills and reads them; no path of this machine is in them.
#[test]
fn s3_03_s3_04_s3_14_another_process_offers_skills_by_uri() {
    let folder = Folder::new();
    for name in ["b", "a"] {
        folder.skill(name);
    }
    folder.write("a/notes.bin", b"\xff\xfe");
    folder.write("b/agents/openai.yaml", "policy: {allow_implicit_invocation: false}");
    folder.write("bad/SKILL.md", "no frontmatter");
    folder.directory("empty");
    let source = source(remote(&folder, ""));
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(names(&scan), ["a", "b"]);
    assert_eq!(codes(&scan.diagnostics), [Code::FrontmatterMissing, Code::FileUnreadable]);
    assert!(scan.complete);
    let [a, b] = scan.skills.as_slice() else { panic!("two skills") };
    assert_eq!(a.scope, Scope::Environment { id: "box".to_owned() });
    assert_eq!((&a.id.locator, a.paths().count()), (&uri("env:/a/SKILL.md"), 0));
    assert!(a.policy.implicit && !b.policy.implicit, "agents/openai.yaml counts over there too");
    assert_eq!(source.scan(&ScanRequest::default()), scan, "the same state gives the same scan");

    let read = |locator: &Locator, limit| source.read(locator, ReadLimit(limit));
    assert_eq!(read(&a.id.locator, None).unwrap().bytes, skill_text("a").as_bytes());
    let content = read(&a.id.locator, Some(3)).unwrap();
    assert_eq!((content.bytes.as_slice(), content.cut), (b"---".as_slice(), true));
    let notes = uri("env:/a/notes.bin");
    assert!(matches!(read(&notes, None), Err(ReadError::NotListed(_))));
    assert_eq!(source.files(&a.id.locator).unwrap(), std::slice::from_ref(&notes));
    assert_eq!(read(&notes, None).unwrap().bytes, b"\xff\xfe");
    for other in [uri("env:/../secret"), uri("env:/bad/SKILL.md"), Locator::Path("/etc/passwd".into())] {
        assert!(matches!(read(&other, None), Err(ReadError::NotListed(_))), "{other}");
    }
    folder.write("a/SKILL.md", "now");
    assert_eq!(read(&a.id.locator, None).unwrap().bytes, b"now", "read as it is now");
    fs::remove_dir_all(folder.path("a")).unwrap();
    assert!(matches!(read(&a.id.locator, None), Err(ReadError::NotFound(_))));
}

/// A process that dies, hangs or talks nonsense costs its own skills only, says so, and is tried anew the next time.
#[test]
fn s3_03_a_process_that_misbehaves_is_named_and_costs_no_other_source() {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.skill(name);
    }
    let memory = MemorySource::new(SourceId::new("memory"));
    memory.add("other", "Does other.", "Body.");
    for (fault, told) in [
        ("die", "3 skills were not read: the other side ended (exit status: 7)"),
        ("garbage", "3 skills were not read: the answer is no message"),
        ("stranger", "3 skills were not read: the answer belongs to no question"),
        ("half", "3 skills were not read: the other side"),
        ("endless", "3 skills were not read: the answer is longer than a message may be"),
    ] {
        let source = source(remote(&folder, fault));
        for _ in 0..2 {
            let scan = source.scan(&ScanRequest::default());
            assert_eq!((names(&scan).len(), scan.complete), (0, false), "{fault}");
            assert_eq!(codes(&scan.diagnostics), [Code::RemoteUnavailable], "{fault}");
            let message = &scan.diagnostics[0].message;
            if fault == "die" {
                // How an end is put into words is the platform's business, and it may be noticed late.
                assert!(message.starts_with("3 skills were not read: the other side"), "{message}");
            } else {
                assert!(message.starts_with(told), "{fault}: {message}");
            }
        }
        let sources: [&dyn Source; 2] = [&source, &memory];
        let scans = sources.map(|source| source.scan(&ScanRequest::default()));
        assert_eq!(names(&scans[1]), ["other"]);
    }
}

#[test]
fn a_process_that_hangs_is_given_up_at_the_deadline() {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.skill(name);
    }
    for fault in ["hang", "mute"] {
        let limits = PipeLimits { deadline: Duration::from_millis(700), ..PipeLimits::default() };
        let source = source(remote(&folder, fault).with_limits(limits));
        let started = Instant::now();
        let scan = source.scan(&ScanRequest::default());
        // One deadline for the one question that hangs, not one a skill, with room for a busy machine.
        assert!(started.elapsed() < Duration::from_secs(20), "{fault}");
        assert_eq!((codes(&scan.diagnostics), scan.complete), (vec![Code::RemoteUnavailable], false));
        let message = &scan.diagnostics[0].message;
        assert!(message.contains("no answer came within 700ms"), "{message}");
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let folder = Folder::new();
    let scan = source(PipeRemote::new(Command::new(folder.path("none")))).scan(&ScanRequest::default());
    assert_eq!((codes(&scan.diagnostics), scan.complete), (vec![Code::RemoteUnavailable], false));
    assert!(scan.diagnostics[0].message.starts_with("the skills cannot be listed: the other side cannot"));
}

#[test]
fn what_is_listed_in_part_is_an_incomplete_scan() {
    let folder = Folder::new();
    folder.skill("a");
    let scan = source(remote(&folder, "partial")).scan(&ScanRequest::default());
    assert_eq!((names(&scan), scan.complete), (vec!["a"], false));
}

/// What a remote of somebody else's may answer.
struct Odd {
    listing: Listing,
    bytes: Vec<u8>,
    cut: bool,
}

impl Remote for Odd {
    fn list(&self) -> Result<Listing, RemoteError> {
        Ok(self.listing.clone())
    }

    fn read(&self, _uri: &str, _limit: ReadLimit) -> Result<Content, RemoteError> {
        Ok(Content { cut: self.cut, ..Content::whole(self.bytes.clone()) })
    }
}

fn odd(uris: &[&str], bytes: Vec<u8>, cut: bool) -> Odd {
    let skills = uris.iter().map(|uri| RemoteSkill { uri: (*uri).to_owned(), files: Vec::new() }).collect();
    Odd { listing: Listing { skills, complete: true }, bytes, cut }
}

#[test]
fn addresses_that_cannot_be_used_are_named() {
    let long = format!("env:/{}", "x".repeat(2_000));
    let uris = ["env:/a/SKILL.md", "env:/a/SKILL.md", "", "env:/\n", &long];
    let scan = source(odd(&uris, skill_text("a").into_bytes(), false)).scan(&ScanRequest::default());
    assert_eq!((names(&scan), scan.complete), (vec!["a"], true));
    assert_eq!(codes(&scan.diagnostics), [Code::RemoteInvalid; 4]);

    let many: Vec<String> = (0..2_001).map(|number| format!("env:/{number}/SKILL.md")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let scan = source(odd(&many, skill_text("a").into_bytes(), false)).scan(&ScanRequest::default());
    assert_eq!((scan.skills.len(), scan.complete), (2_000, false));
    assert_eq!(codes(&scan.diagnostics), [Code::RemoteInvalid]);
}

#[test]
fn a_remote_that_sends_too_much_is_cut_here() {
    let text = skill_text("a") + &"x".repeat(100_000);
    let source = source(odd(&["env:/a/SKILL.md"], text.into_bytes(), false));
    let skill = &source.scan(&ScanRequest::default()).skills[0];
    let content = source.read(&skill.id.locator, ReadLimit(Some(10))).unwrap();
    assert_eq!((content.bytes.len(), content.cut), (10, true));
    let whole = source.read(&skill.id.locator, ReadLimit::default()).unwrap();
    assert!(whole.instructions > 0, "the frontmatter is told apart from the instructions");
    assert!(!whole.bytes[whole.instructions..].starts_with(b"---"));
    let limited = Reading { max_file_bytes: Some(50_000), ..Reading::lenient() };
    let remote = odd(&["env:/a/SKILL.md"], vec![b'x'; 60_000], false);
    let source = RemoteSource::new(SourceId::new("box"), "box", "env:/", remote, limited);
    assert_eq!(codes(&source.scan(&ScanRequest::default()).diagnostics), [Code::FileTooLarge]);
}

#[test]
fn an_orchestrator_is_a_scope_of_its_own() {
    let remote = odd(&["skill://deploy/SKILL.md"], b"---\ndescription: d\n---\n".to_vec(), false);
    let source = source(remote).with_scope(Scope::Orchestrator);
    let skill = &source.scan(&ScanRequest::default()).skills[0];
    assert_eq!((skill.name.as_str(), &skill.scope), ("deploy", &Scope::Orchestrator));
}
