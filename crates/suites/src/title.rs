//! Titles of steps: `Random read 4K QD32`.

use cardiograph_core::message::Parameter;
use cardiograph_core::{Message, message};

/// The title for I/O of fio's `rw` in blocks of a length; `read_percent` matters only for mixes.
pub(crate) fn for_io(rw: &str, block_bytes: u64, read_percent: u32) -> Message {
    let block = Parameter::BlockBytes(block_bytes);
    let reads = Parameter::share(f64::from(read_percent) / 100.0);
    match rw {
        "read" => message!("step-read", block),
        "write" => message!("step-write", block),
        "randread" => message!("step-random-read", block),
        "randwrite" => message!("step-random-write", block),
        "randrw" => message!("step-random-mix", block, reads),
        _ => message!("step-mix", block, reads),
    }
}

/// The title with a queue depth.
pub(crate) fn with_depth(test: Message, depth: u32) -> Message {
    message!("step-depth", test, depth)
}

/// The title with the number of jobs, if there are several.
pub(crate) fn with_jobs(test: Message, jobs: u32) -> Message {
    if jobs == 1 { test } else { message!("step-jobs", test, jobs) }
}

/// The title of a step that fills the test file.
pub(crate) const fn fill() -> Message {
    message!("step-fill")
}
