//! Any bytes as a file of the metadata cache.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lorimer_discover::fuzzing::cache_file(bytes));
