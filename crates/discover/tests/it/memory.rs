//! Skills that are on no disk.

use lorimer_core::{Code, Locator, ReadLimit, Scope, SourceId};
use lorimer_discover::{MemorySource, ReadError, ScanRequest, Source};

use crate::support::{codes, names, skill_text};

fn source() -> MemorySource {
    MemorySource::new(SourceId::new("memory"))
}

#[test]
fn skills_keep_their_order_and_can_be_edited_between_scans() {
    let source = source();
    let b = source.add("b", "Does b: \"quoted\"\n# no comment", "Body.");
    source.add("a", "Does a.", "Body.");
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(names(&scan), ["b", "a"]);
    assert_eq!(scan.skills[0].description, "Does b: \"quoted\" # no comment");
    source.set(b.clone(), skill_text("renamed"));
    assert_eq!(names(&source.scan(&ScanRequest::default())), ["renamed", "a"]);
    assert!(source.remove(&b));
    assert!(!source.remove(&b));
    assert_eq!(names(&source.scan(&ScanRequest::default())), ["a"]);
}

/// S3-04: a remote skill has a package and a resource, and no path.
#[test]
fn s3_04_any_locator_will_do() {
    let source = source().with_scope(Scope::Orchestrator);
    let locator = Locator::Package { package: "pkg/deploy".to_owned(), resource: "SKILL.md".to_owned() };
    source.set(locator.clone(), "---\ndescription: d\n---\nBody");
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(scan.skills[0].name, "deploy");
    assert_eq!(scan.skills[0].scope, Scope::Orchestrator);
    assert_eq!(scan.skills[0].paths().count(), 0);
    let content = source.read(&locator, ReadLimit(Some(3))).unwrap();
    assert_eq!((content.bytes.as_slice(), content.cut), (b"---".as_slice(), true));
    assert!(!source.read(&locator, ReadLimit(None)).unwrap().cut);
}

/// S3-30: only what was listed is read.
#[test]
fn s3_30_what_was_not_listed_is_refused() {
    let source = source();
    let skill = source.add("a", "d", "Body");
    let file = Locator::Uri("memory://a/notes.md".to_owned());
    assert!(matches!(source.read(&file, ReadLimit::default()), Err(ReadError::NotListed(_))));
    assert!(source.add_file(&skill, file.clone(), b"notes"));
    assert_eq!(source.files(&skill).unwrap(), std::slice::from_ref(&file));
    assert_eq!(source.read(&file, ReadLimit::default()).unwrap().bytes, b"notes");
    assert!(matches!(source.files(&file), Err(ReadError::NotListed(_))));
}

#[test]
fn one_bad_skill_costs_no_other() {
    let source = source();
    source.set(Locator::Uri("memory://bad/SKILL.md".to_owned()), "no frontmatter");
    source.add("good", "d", "Body");
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(names(&scan), ["good"]);
    assert_eq!(codes(&scan.diagnostics), [Code::FrontmatterMissing]);
}
