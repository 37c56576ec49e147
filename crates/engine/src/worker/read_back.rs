//! Goes through a job's writes again.

use cardiograph_core::offsets::{Request, Requests};
use cardiograph_core::{Direction, FileUse, Workload};

/// The writes that a worker has issued, in their order, found by drawing its whole sequence once more from its seed.
#[derive(Debug)]
pub(super) struct ReadBack {
    requests: Requests,
    next_number: u64,
    writes: u64,
    /// I/Os of the ramp that have not been drawn again: they took nothing from what was left.
    ramp_ios: u64,
    /// Bytes that were left to the job when it issued the next I/O, where its last one was cut.
    left_bytes: Option<u64>,
    earlier_max: u64,
}

impl ReadBack {
    /// The first `writes` writes of the sequence that a workload has with this seed, when its ramp had `ramp_ios` I/Os. Each
    /// place holds the write that went there last, or one that was issued at most `earlier_max` writes earlier.
    pub fn new(
        workload: &Workload,
        files: &[FileUse],
        seed: u64,
        (writes, ramp_ios): (u64, u64),
        earlier_max: u64,
    ) -> Self {
        let requests = Requests::new(workload, files, seed);
        let left_bytes = Requests::cut_at_bytes(workload);
        Self { requests, next_number: 0, writes, ramp_ios, left_bytes, earlier_max }
    }

    /// The next write, and its number.
    #[inline(never)]
    pub fn next_write(&mut self) -> Option<(u64, Request)> {
        while self.next_number < self.writes {
            let request = self.next_request()?;
            if request.direction == Direction::Write {
                self.next_number += 1;
                return Some((self.next_number - 1, request));
            }
        }
        None
    }

    /// The next I/O, cut as it was when it was issued.
    fn next_request(&mut self) -> Option<Request> {
        let Some(left_bytes) = &mut self.left_bytes else {
            return Some(self.requests.next_request());
        };
        let request = self.requests.next_within(*left_bytes)?;
        if self.ramp_ios > 0 {
            self.ramp_ios -= 1;
        } else {
            *left_bytes = left_bytes.saturating_sub(request.len_bytes);
        }
        Some(request)
    }

    /// By how many writes the one that a place holds may be earlier than the last that was issued for it.
    pub fn earlier_max(&self) -> u64 {
        self.earlier_max
    }

    /// Whether all writes have been gone through.
    pub fn is_empty(&self) -> bool {
        self.next_number >= self.writes
    }
}
