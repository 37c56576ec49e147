//! What a worker may still issue.

use cardiograph_core::Workload;
use cardiograph_jobs::offsets::Requests;

/// What a worker may still issue.
pub(super) struct Left {
    pub bytes: u64,
    /// What is left of the bytes when a pass is over; 0 without passes.
    pub pass_end_bytes: u64,
    /// I/Os.
    pub ios: u64,
    /// Whether the last I/O is cut to the bytes that are left: only where lengths vary.
    pub cuts_last: bool,
}

impl Left {
    /// All that a workload does.
    pub fn of(workload: &Workload) -> Self {
        Self {
            bytes: workload.stop.bytes.unwrap_or(u64::MAX),
            pass_end_bytes: 0,
            ios: workload.stop.ios.unwrap_or(u64::MAX),
            cuts_last: Requests::cut_at_bytes(workload).is_some(),
        }
    }
}
