//! Any bytes as the journal of a session.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lorimer_persist::fuzzing::journal(bytes));
