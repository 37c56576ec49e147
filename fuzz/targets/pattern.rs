//! Bytes as a pattern.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| cardiograph_fuzz::pattern(text));
