//! Bytes as what a sender's request has as its body.
#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| cardiograph_fuzz::ingest(body));
