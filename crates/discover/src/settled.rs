//! Reads a file that somebody may be writing.
//!
//! A file that is truncated and written anew is empty for a moment, then half there. What the platform says about it
//! before and after reading tells whether that happened meanwhile.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::thread;
use std::time::Duration;

use lorimer_core::ReadLimit;

use crate::cache::Stamp;

/// How often a file is read until it is given up.
const ATTEMPTS: u32 = 5;

/// How long the writer gets before the second attempt; twice as long before each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(2);

/// Bytes that were all there at one moment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    /// The bytes, at most as many as the limit allows.
    pub(crate) bytes: Vec<u8>,
    /// Whether there are more.
    pub(crate) cut: bool,
}

/// Why there are no such bytes.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotSettled {
    /// The file was another one before each reading and after it.
    #[error("the file is being written and does not come to rest")]
    Restless,
    /// The platform says no.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads an opened file from its start, as it is at one moment. Blocks for some ten milliseconds where the file does
/// not come to rest.
///
/// An empty file is looked at again too: its writer may have got no further than making it so.
pub(crate) fn read_settled(file: &mut File, limit: ReadLimit) -> Result<Settled, NotSettled> {
    settle(file, limit, thread::sleep)
}

/// What is read; a trait only so that tests can play the writer.
trait Subject {
    /// By what the present state is known, and its length in bytes.
    fn state(&mut self) -> io::Result<(Option<Stamp>, u64)>;
    /// Reads from the start, at most so many bytes.
    fn read(&mut self, most: u64) -> io::Result<Vec<u8>>;
}

impl Subject for File {
    fn state(&mut self) -> io::Result<(Option<Stamp>, u64)> {
        let metadata = self.metadata()?;
        Ok((Stamp::of(&metadata), metadata.len()))
    }

    fn read(&mut self, most: u64) -> io::Result<Vec<u8>> {
        self.rewind()?;
        let mut bytes = Vec::new();
        self.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn settle(
    subject: &mut impl Subject,
    limit: ReadLimit,
    mut pause: impl FnMut(Duration),
) -> Result<Settled, NotSettled> {
    let most = limit.0.map_or(u64::MAX, |limit| u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1));
    let mut wait = FIRST_PAUSE;
    for attempt in 1..=ATTEMPTS {
        let before = subject.state()?;
        let bytes = subject.read(most)?;
        let after = subject.state()?;
        // Some file systems say 0 of a file that has bytes, so only a file that is too short is torn.
        let whole = u64::try_from(bytes.len()).unwrap_or(u64::MAX) >= after.1.min(most);
        if before == after && whole && (!bytes.is_empty() || attempt == ATTEMPTS) {
            return Ok(cut_at(bytes, limit));
        }
        if attempt < ATTEMPTS {
            pause(wait);
            wait *= 2;
        }
    }
    Err(NotSettled::Restless)
}

fn cut_at(mut bytes: Vec<u8>, limit: ReadLimit) -> Settled {
    let cut = limit.0.is_some_and(|limit| bytes.len() > limit);
    if let Some(limit) = limit.0 {
        bytes.truncate(limit);
    }
    Settled { bytes, cut }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::fs;
    use std::io::Write as _;

    use super::*;

    /// A file of which each reading finds the next version; the last one stays.
    struct Script {
        versions: VecDeque<&'static [u8]>,
        /// Bytes that a reading gets, where it does not get all.
        torn: Option<usize>,
        stamp: fs::Metadata,
        reads: u32,
    }

    impl Script {
        fn new(versions: &[&'static [u8]]) -> Self {
            let stamp = tempfile::tempfile().unwrap().metadata().unwrap();
            Self { versions: versions.iter().copied().collect(), torn: None, stamp, reads: 0 }
        }

        fn run(&mut self, limit: Option<usize>) -> (Result<Settled, NotSettled>, Vec<Duration>) {
            let mut pauses = Vec::new();
            let settled = settle(self, ReadLimit(limit), |pause| pauses.push(pause));
            (settled, pauses)
        }
    }

    impl Subject for Script {
        fn state(&mut self) -> io::Result<(Option<Stamp>, u64)> {
            Ok((Stamp::of(&self.stamp), self.versions[0].len() as u64))
        }

        fn read(&mut self, most: u64) -> io::Result<Vec<u8>> {
            self.reads += 1;
            let bytes = self.versions[0];
            let most = usize::try_from(most).unwrap_or(usize::MAX).min(self.torn.unwrap_or(usize::MAX));
            if self.versions.len() > 1 {
                self.versions.pop_front();
            }
            Ok(bytes[..bytes.len().min(most)].to_vec())
        }
    }

    fn whole(bytes: &[u8]) -> Settled {
        Settled { bytes: bytes.to_vec(), cut: false }
    }

    #[test]
    fn a_file_at_rest_is_read_once() {
        let mut script = Script::new(&[b"body"]);
        let (settled, pauses) = script.run(None);
        assert_eq!((settled.unwrap(), script.reads, pauses.len()), (whole(b"body"), 1, 0));
    }

    #[test]
    fn a_file_that_grows_while_it_is_read_is_read_again() {
        let mut script = Script::new(&[b"ha", b"half", b"whole body"]);
        let (settled, pauses) = script.run(None);
        assert_eq!(settled.unwrap(), whole(b"whole body"));
        assert_eq!((script.reads, pauses), (3, vec![FIRST_PAUSE, FIRST_PAUSE * 2]));
    }

    #[test]
    fn a_truncated_file_waits_for_its_bytes_and_an_empty_one_stays_empty() {
        let mut script = Script::new(&[b"", b"body"]);
        assert_eq!(script.run(None).0.unwrap(), whole(b"body"));
        let mut script = Script::new(&[b""]);
        let (settled, pauses) = script.run(None);
        assert_eq!((settled.unwrap(), script.reads, pauses.len()), (whole(b""), ATTEMPTS, 4));
    }

    #[test]
    fn a_file_that_never_rests_is_given_up() {
        let versions: [&[u8]; 8] =
            [b"1", b"12", b"123", b"1234", b"12345", b"123456", b"1234567", b"12345678"];
        let mut script = Script::new(&versions);
        assert!(matches!(script.run(None).0, Err(NotSettled::Restless)));
        assert_eq!(script.reads, ATTEMPTS);
        let mut script = Script::new(&[b"body"]);
        script.torn = Some(2);
        assert!(matches!(script.run(None).0, Err(NotSettled::Restless)), "shorter than the platform says");
    }

    #[test]
    fn a_limit_cuts_and_costs_no_further_attempt() {
        for (limit, cut, bytes) in
            [(0, true, &b""[..]), (2, true, b"bo"), (4, false, b"body"), (9, false, b"body")]
        {
            let mut script = Script::new(&[b"body"]);
            let (settled, _) = script.run(Some(limit));
            assert_eq!(settled.unwrap(), Settled { bytes: bytes.to_vec(), cut }, "{limit}");
            assert_eq!(script.reads, 1, "{limit}");
        }
    }

    #[test]
    fn a_real_file_is_read_from_its_start() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"body").unwrap();
        assert_eq!(read_settled(&mut file, ReadLimit(None)).unwrap(), whole(b"body"));
        assert_eq!(read_settled(&mut file, ReadLimit(Some(2))).unwrap().bytes, b"bo");
    }
}
