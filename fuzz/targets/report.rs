//! JSON as a Report, whose values are mutated rather than its bytes.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|content: &[u8]| cardiograph_fuzz::report(content));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match cardiograph_fuzz::mutated_report(&data[..size], seed) {
        Some(mutated) if mutated.len() <= max_size => {
            data[..mutated.len()].copy_from_slice(&mutated);
            mutated.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
});
