//! Any bytes as what another environment says.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lorimer_discover::fuzzing::wire(bytes));
