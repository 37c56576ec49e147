//! Remaining work of a worker.

use cardiograph_core::Workload;
use cardiograph_jobs::offsets::Requests;

/// Remaining work of a worker.
pub(super) struct Remaining {
    pub bytes: u64,
    /// Remaining bytes at the end of the current pass; 0 without passes.
    pub pass_end_bytes: u64,
    /// Remaining I/Os.
    pub ios: u64,
    /// Whether the last I/O is cut to the remaining bytes, which happens only if lengths vary.
    pub cuts_last: bool,
}

impl Remaining {
    /// All work of a workload.
    pub fn from_workload(workload: &Workload) -> Self {
        Self {
            bytes: workload.stop.bytes.unwrap_or(u64::MAX),
            pass_end_bytes: 0,
            ios: workload.stop.ios.unwrap_or(u64::MAX),
            cuts_last: Requests::cut_at_bytes(workload).is_some(),
        }
    }
}
