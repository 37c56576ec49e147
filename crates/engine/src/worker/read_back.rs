//! Goes through a job's writes again.

use cardiograph_core::offsets::{Request, Requests};
use cardiograph_core::{Direction, FileUse, Workload};

/// The writes that a worker has issued, in their order, found by drawing its whole sequence once more from its seed.
#[derive(Debug)]
pub(super) struct ReadBack {
    requests: Requests,
    next_number: u64,
    writes: u64,
    is_strict: bool,
}

impl ReadBack {
    /// The first `writes` writes of the sequence that a workload has with this seed. With `is_strict` each place must hold
    /// the write that went there last.
    pub fn new(workload: &Workload, files: &[FileUse], seed: u64, writes: u64, is_strict: bool) -> Self {
        Self { requests: Requests::new(workload, files, seed), next_number: 0, writes, is_strict }
    }

    /// The next write, and its number.
    #[inline(never)]
    pub fn next_write(&mut self) -> Option<(u64, Request)> {
        while self.next_number < self.writes {
            let request = self.requests.next_request();
            if request.direction == Direction::Write {
                self.next_number += 1;
                return Some((self.next_number - 1, request));
            }
        }
        None
    }

    /// Whether each place must hold the write that went there last.
    pub fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// Whether all writes have been gone through.
    pub fn is_empty(&self) -> bool {
        self.next_number >= self.writes
    }
}
