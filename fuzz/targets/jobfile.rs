//! Bytes as a job file.
#![no_main]

libfuzzer_sys::fuzz_target!(|content: &[u8]| cardiograph_fuzz::job_file(content));
