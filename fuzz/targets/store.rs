//! Bytes as what somebody did to a store.
#![no_main]

libfuzzer_sys::fuzz_target!(|content: &[u8]| cardiograph_fuzz::store(content));
