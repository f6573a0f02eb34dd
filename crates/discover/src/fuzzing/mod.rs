//! What holds for any bytes, for the fuzz targets. Nothing of this is there in an ordinary build.
//!
//! Each function takes whatever a fuzzer makes up and panics where a property does not hold. The seeds in
//! `fuzz/seeds` go through the same functions in ordinary tests, so that they hold where no fuzzer can be built.

#[cfg(feature = "archives")]
mod archive;
mod cache_file;
mod frontmatter;
mod openai_yaml;
mod wire;

#[cfg(feature = "archives")]
pub use self::archive::archive;
pub use self::cache_file::cache_file;
pub use self::frontmatter::frontmatter;
pub use self::openai_yaml::openai_yaml;
pub use self::wire::wire;

use lorimer_core::Span;

use crate::frontmatter::span::span_of;

/// Checks that a span lies inside a file, cuts no character in two, and has the line and column of its start.
fn check_span(file: &[u8], span: &Span) {
    assert!(span.start <= span.end && span.end <= file.len(), "{span:?} of {} bytes", file.len());
    assert!(is_boundary(file, span.start) && is_boundary(file, span.end), "{span:?} cuts a character");
    assert_eq!(*span, span_of(file, &(span.start..span.end)));
}

/// Returns whether an offset lies inside no character. Bytes that are not UTF-8 are no characters.
fn is_boundary(file: &[u8], offset: usize) -> bool {
    let mut start = 0;
    for chunk in file.utf8_chunks() {
        let valid = chunk.valid();
        if offset <= start + valid.len() {
            return valid.is_char_boundary(offset - start);
        }
        start += valid.len() + chunk.invalid().len();
        if offset < start {
            return true;
        }
    }
    offset <= file.len()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Puts every seed of a target through its properties, whole and cut short.
    fn replay(target: &str, property: fn(&[u8])) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
        let seeds: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!seeds.is_empty(), "{} is empty", folder.display());
        for seed in seeds {
            let bytes = fs::read(&seed).unwrap();
            let step = (bytes.len() / 24).max(1);
            for end in (0..bytes.len()).step_by(step).chain([bytes.len()]) {
                property(&bytes[..end]);
            }
        }
    }

    #[test]
    fn seeds_of_frontmatter() {
        replay("frontmatter", frontmatter);
    }

    #[test]
    fn seeds_of_openai_yaml() {
        replay("openai_yaml", openai_yaml);
    }

    #[test]
    fn seeds_of_cache_file() {
        replay("cache_file", cache_file);
    }

    #[test]
    fn seeds_of_wire() {
        replay("wire", wire);
    }

    #[test]
    #[cfg(feature = "archives")]
    fn seeds_of_archive() {
        replay("archive", archive);
    }

    #[test]
    fn boundaries_are_those_of_characters() {
        let file = b"a\xc3\xa9\xff\xffb\xe2\x82";
        let boundaries: Vec<usize> = (0..=file.len() + 1).filter(|at| is_boundary(file, *at)).collect();
        assert_eq!(boundaries, [0, 1, 3, 4, 5, 6, 7, 8]);
    }
}
