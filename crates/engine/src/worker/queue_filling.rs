//! Batch sizes for submitting and reaping.

use cardiograph_core::Workload;

/// Batch sizes for submitting and reaping.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueueFilling {
    /// Requests in the first part of a batch.
    pub first_part: usize,
    /// Whether each further part is twice as long.
    pub doubles: bool,
    pub complete_min: u32,
    pub complete_max: u32,
    /// New requests are issued once at most this many are in flight.
    pub low: u32,
    /// Whether the queue is being filled.
    pub is_filling: bool,
}

impl QueueFilling {
    /// The batching of a workload.
    pub fn from_workload(workload: &Workload, depth: u32, is_queueing: bool) -> Self {
        let batching = workload.batching;
        Self {
            first_part: batching.submit.map_or(1, |n| n.max(1) as usize),
            doubles: batching.submit.is_none(),
            // With nothing more to submit, waiting is all that is left.
            complete_min: if is_queueing { batching.complete_min.max(1) } else { 1 },
            complete_max: if is_queueing {
                batching.complete_max.unwrap_or(u32::MAX).max(1)
            } else {
                u32::MAX
            },
            low: if is_queueing { batching.low.min(depth) } else { depth },
            is_filling: true,
        }
    }
}
