//! Any bytes as what another environment says.

use std::collections::HashSet;

use lorimer_core::{Code, Content, Locator, ReadLimit, SourceId};

use crate::remote::Answer;
use crate::{Listing, Reading, Remote, RemoteError, RemoteSource, ScanRequest, Source};

/// Reads bytes as the lines that a child process answers with, and checks what a source makes of them.
pub fn wire(bytes: &[u8]) {
    let remote = Said { lines: bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect() };
    let source = RemoteSource::new(SourceId::new("box"), "box", "env:/", remote, Reading::lenient());
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(scan, source.scan(&ScanRequest::default()), "the same answers");
    let mut known = HashSet::new();
    for skill in &scan.skills {
        assert!(known.insert(&skill.id), "two skills are {}", skill.id);
        assert!(matches!(skill.id.locator, Locator::Uri(_)));
        assert_eq!(skill.id.to_string().parse().as_ref(), Ok(&skill.id));
        let limit = ReadLimit(Some(8));
        let read = source.read(&skill.id.locator, limit).expect("what was listed can be read");
        assert!(read.bytes.len() <= 8);
        for file in source.files(&skill.id.locator).expect("what was listed has files") {
            let _ = source.read(&file, limit);
        }
    }
    let told = scan.diagnostics.iter();
    assert!(
        told.clone().all(|diagnostic| !diagnostic.message.contains(char::is_control)),
        "another program's text reaches a terminal as it is"
    );
    let unavailable = told.clone().any(|diagnostic| diagnostic.code == Code::RemoteUnavailable);
    assert!(scan.complete || !scan.diagnostics.is_empty(), "incomplete without a word");
    assert!(!unavailable || !scan.complete, "unavailable, and yet complete");
}

/// Says the first line to whoever wants a list, and the others to whoever reads.
struct Said {
    lines: Vec<Vec<u8>>,
}

impl Remote for Said {
    fn list(&self) -> Result<Listing, RemoteError> {
        Answer::parse(self.lines.first().map_or(&[], Vec::as_slice), 1)?.listing()
    }

    fn read(&self, uri: &str, _: ReadLimit) -> Result<Content, RemoteError> {
        let others = self.lines.get(1..).unwrap_or_default();
        let line = others.get(uri.len().checked_rem(others.len()).unwrap_or_default());
        Answer::parse(line.map_or(&[], Vec::as_slice), 1)?.content()
    }
}
