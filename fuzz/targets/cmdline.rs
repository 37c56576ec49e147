//! Bytes as a command line, a word in a line.
#![no_main]

libfuzzer_sys::fuzz_target!(|words: &[u8]| cardiograph_fuzz::command_line(words));
