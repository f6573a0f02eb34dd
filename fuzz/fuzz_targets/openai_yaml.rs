//! Any bytes as an `agents/openai.yaml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lorimer_discover::fuzzing::openai_yaml(bytes));
