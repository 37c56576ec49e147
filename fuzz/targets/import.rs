//! Bytes as the output of another program.
#![no_main]

libfuzzer_sys::fuzz_target!(|content: &[u8]| cardiograph_fuzz::output(content));
