//! Tools that others wrote and whose figures many know: what their arguments ask for, the jobs that do it, and what they
//! print. Sizes and units are the tools' own.

use cardiograph_core::result::RunResult;

pub mod dd;
pub mod hdparm;
pub mod iozone;

/// Bytes that the jobs of a tool moved, and the time of their I/O in nanoseconds, a sync at the end included. Jobs follow
/// each other: what passed between them is not theirs.
pub fn moved(result: &RunResult) -> (u64, u64) {
    let merged = result.merged(|_| true);
    let bytes = merged.read.bytes + merged.write.bytes;
    let ns = result.workers.iter().map(|worker| worker.end_ns.saturating_sub(worker.start_ns)).sum();
    (bytes, ns)
}

/// A path as the value of a job's `filename`, in which colons divide names.
fn as_filename(path: &str) -> String {
    path.replace(':', "\\:")
}
