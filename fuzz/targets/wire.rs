//! Bytes as they come out of a socket.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| cardiograph_fuzz::wire(bytes));
