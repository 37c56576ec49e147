//! Iterates over a job's writes again.

use cardiograph_core::Request;
use cardiograph_core::rng::derive_seed;
use cardiograph_core::{Direction, FileUse, Workload};
use cardiograph_jobs::offsets::Requests;

/// The writes that a worker has issued, in order, by drawing its whole sequence again from its seed.
#[derive(Debug)]
pub(super) struct ReadBack {
    requests: Requests,
    /// The direction to verify: writes, or the reads of a read-only job.
    direction: Direction,
    next_number: u64,
    writes: u64,
    /// Remaining bytes of the job when it issued the next I/O, if its last one was cut.
    left_bytes: Option<u64>,
    /// Remaining bytes and I/Os of a sequence issued by another worker.
    left: Option<(u64, u64)>,
    /// How many writes older than the last one issued for an offset its content may be.
    pub earlier_max: u64,
    in_doubt: Vec<Request>,
}

impl ReadBack {
    /// The writes of a workload's sequence with this seed: none, until they are [issued](Self::issued).
    pub fn new(workload: &Workload, files: &[FileUse], seed: u64) -> Self {
        Self {
            requests: Requests::new(workload, files, seed),
            direction: if workload.draws(Direction::Write) { Direction::Write } else { Direction::Read },
            next_number: 0,
            writes: 0,
            left_bytes: Requests::cut_at_bytes(workload),
            left: None,
            earlier_max: 0,
            in_doubt: Vec::new(),
        }
    }

    /// The known writes of a clone, or all up to the workload's end, or one pass over its files.
    pub fn from_other_clone(workload: &Workload, files: &[FileUse], seed: u64, clone: u32) -> Self {
        if let Some(known) = workload.verify.as_ref().and_then(|verify| verify.known.as_ref()) {
            let (writes, in_doubt) = known[clone as usize].clone();
            return Self { writes, in_doubt, ..Self::new(workload, files, seed) };
        }
        let once_bytes = files.iter().map(|file| file.region_len_bytes).fold(0, u64::saturating_add);
        let left = (workload.stop.bytes.unwrap_or(once_bytes), workload.stop.ios.unwrap_or(u64::MAX));
        Self { writes: u64::MAX, left: Some(left), ..Self::new(workload, files, seed) }
    }

    /// Records that `writes` writes of it were issued. Each offset holds the last write issued for it, or one
    /// at most `earlier_max` writes earlier.
    pub fn issued(&mut self, writes: u64, earlier_max: u64) {
        (self.writes, self.earlier_max) = (writes, earlier_max);
    }

    /// The next write, and its number.
    #[inline(never)]
    pub fn next_write(&mut self) -> Option<(u64, Request)> {
        while self.next_number < self.writes {
            let Some(request) = self.next_request() else {
                self.writes = self.next_number;
                return None;
            };
            if request.direction == self.direction {
                self.next_number += 1;
                let begins_before = |a: &Request, b: &Request| a.offset_bytes < b.offset_bytes + b.len_bytes;
                let overlaps =
                    |other: &Request| begins_before(other, &request) && begins_before(&request, other);
                if !self.in_doubt.iter().any(|other| other.file == request.file && overlaps(other)) {
                    return Some((self.next_number - 1, request));
                }
            }
        }
        None
    }

    /// The next I/O, cut as when it was issued.
    fn next_request(&mut self) -> Option<Request> {
        if self.left.is_some_and(|(bytes, ios)| bytes == 0 || ios == 0) {
            return None;
        }
        let request = match self.left_bytes {
            Some(left_bytes) => self.requests.next_within(left_bytes)?,
            None => self.requests.next_request(),
        };
        if let Some((bytes, ios)) = &mut self.left {
            *bytes = bytes.saturating_sub(request.len_bytes);
            *ios -= 1;
        }
        if let Some(left_bytes) = &mut self.left_bytes {
            *left_bytes = left_bytes.saturating_sub(request.len_bytes);
        }
        Some(request)
    }

    /// Whether all writes have been visited.
    pub fn is_empty(&self) -> bool {
        self.next_number >= self.writes
    }
}

/// The writes of a clone of a job, drawn again from the start.
pub fn writes_again(workload: &Workload, files: &[FileUse], clone: u32) -> impl Iterator<Item = Request> {
    let mut all = ReadBack::new(workload, files, derive_seed(workload.seed, u64::from(clone)));
    all.issued(u64::MAX, 0);
    std::iter::from_fn(move || all.next_write().map(|(_, write)| write))
}
