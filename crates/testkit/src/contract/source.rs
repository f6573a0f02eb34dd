//! What every [`Source`] owes.

use std::collections::HashSet;

use lorimer::core::{Digest, Locator, ReadLimit};
use lorimer::discover::{ReadError, ScanRequest, Source};

/// Runs every check. `make` returns a source over the same, unchanged origin each time; it should offer at least
/// one skill.
pub fn all<S: Source>(make: impl Fn() -> S) {
    scans_are_deterministic(&make);
    identities_are_its_own(&make());
    reads_what_it_listed(&make());
    refuses_what_it_did_not_list(&make());
}

/// The same state of the origin gives the same scan, in the same order.
pub fn scans_are_deterministic<S: Source>(make: impl Fn() -> S) {
    let request = ScanRequest::default();
    let (first, second) = (make(), make());
    let scan = first.scan(&request);
    assert_eq!(scan, first.scan(&request), "two scans of one source differ");
    assert_eq!(scan, second.scan(&request), "scans of two sources over one origin differ");
    assert!(!scan.skills.is_empty(), "the suite needs a source that offers at least one skill");
}

/// Every skill has the source's id, and an identity of its own.
pub fn identities_are_its_own(source: &dyn Source) {
    let mut seen = HashSet::new();
    for skill in source.scan(&ScanRequest::default()).skills {
        assert_eq!(skill.id.source, *source.id(), "`{}` carries the id of another source", skill.name);
        assert!(seen.insert(skill.id.clone()), "the identity {} stands twice", skill.id);
    }
}

/// Every listed skill can be read, whole and up to a limit, and the digest is that of the bytes.
pub fn reads_what_it_listed(source: &dyn Source) {
    for skill in source.scan(&ScanRequest::default()).skills {
        let locator = &skill.id.locator;
        let whole = source.read(locator, ReadLimit(None)).expect("a listed skill can be read");
        assert!(!whole.cut, "{locator}: a read without a limit was cut");
        assert_eq!(whole.digest, Digest::of(&whole.bytes), "{locator}: the digest is of other bytes");
        let half = whole.bytes.len() / 2;
        let part = source.read(locator, ReadLimit(Some(half))).expect("a limit is no reason to fail");
        assert_eq!(
            Some(part.bytes.as_slice()),
            whole.bytes.get(..half),
            "{locator}: not the first {half} bytes"
        );
        assert!(whole.instructions <= whole.bytes.len(), "{locator}: the instructions begin behind the end");
        assert_eq!(part.cut, half < whole.bytes.len(), "{locator}: a cut has to be told");
    }
}

/// Nothing is opened that was not listed, whatever it is (S3-30).
pub fn refuses_what_it_did_not_list(source: &dyn Source) {
    source.scan(&ScanRequest::default());
    let real = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    let strangers = [
        Locator::Path(real.path().to_path_buf()),
        Locator::Uri("contract://nobody/listed/this".to_owned()),
        Locator::Package { package: "contract".to_owned(), resource: "SKILL.md".to_owned() },
    ];
    for locator in strangers {
        let answer = source.read(&locator, ReadLimit(None));
        assert!(matches!(answer, Err(ReadError::NotListed(_))), "{locator} was not refused: {answer:?}");
    }
}
