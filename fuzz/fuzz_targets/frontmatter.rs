//! Any bytes as a `SKILL.md`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lorimer_discover::fuzzing::frontmatter(bytes));
