//! Well-known benchmark tools: parses their arguments, runs the equivalent jobs, and prints their output. Sizes and
//! units are the tools' own.

use cardiograph_core::result::RunResult;

pub mod dd;
pub mod hdparm;
pub mod iozone;

/// Bytes moved by a tool's jobs, and the time of their I/O in nanoseconds, including a final sync. Jobs run one after
/// the other; the time between them does not count.
pub fn moved(result: &RunResult) -> (u64, u64) {
    let merged = result.merged(|_| true);
    let bytes = merged.read.bytes + merged.write.bytes;
    let ns = result.workers.iter().map(|worker| worker.end_ns.saturating_sub(worker.start_ns)).sum();
    (bytes, ns)
}

/// A path as a job's `filename`, in which colons separate names.
fn as_filename(path: &str) -> String {
    path.replace(':', "\\:")
}
