//! Bytes as a recording of I/O.
#![no_main]

libfuzzer_sys::fuzz_target!(|content: &[u8]| cardiograph_fuzz::recording(content));
