//! What depends on latencies while they come: limits that end the job, the search for a depth, and pauses.

use cardiograph_core::result::SlowIo;

use super::depth_search::Turn;
use super::{Phase, Worker};
use crate::engine::IoOp;

impl Worker {
    /// Looks at a completion for what depends on it.
    #[inline(never)]
    pub(super) fn follow(&mut self, op: &IoOp, started_at: u64, completed_at: u64) {
        if op.len_bytes == 0 || self.phase == Phase::Verifying {
            return;
        }
        if let Some(thinker) = &mut self.pace.thinker {
            thinker.completed();
        }
        let latency_ns = self.clock.ns_between(started_at, completed_at);
        if let Some(limit_ns) = self.workload.latency_max_ns[op.kind.direction()]
            && latency_ns > limit_ns
        {
            self.note_slow(op, latency_ns, limit_ns);
        }
        // A search does not begin before what counts.
        if let Some(search) = &mut self.search
            && self.phase == Phase::Running
            && started_at >= self.count_from
        {
            match search.completed(latency_ns, completed_at) {
                Turn::None => self.depth_now = search.depth,
                Turn::Empty => {}
                Turn::Found => self.drain(),
                Turn::Missed => {
                    let target_ns = search.target_ns;
                    self.note_slow(op, latency_ns, target_ns);
                }
            }
        }
    }

    /// Makes an I/O that took longer than it may the worker's failure.
    fn note_slow(&mut self, op: &IoOp, latency_ns: u64, limit_ns: u64) {
        self.found.slow_io.get_or_insert_with(|| SlowIo {
            target: self.file_names.get(op.file as usize).cloned().unwrap_or_default(),
            direction: op.kind.direction(),
            offset_bytes: op.offset_bytes,
            len_bytes: u64::from(op.len_bytes),
            latency_ns,
            limit_ns,
        });
        if self.phase == Phase::Running {
            self.drain();
        }
    }

    /// Whether nothing is issued until nothing is in flight, because another depth is tried next. What was done before the
    /// last window of a search does not count.
    pub(super) fn empties(&mut self) -> bool {
        let Some(search) = &mut self.search else { return false };
        if !search.is_emptying {
            return false;
        }
        if self.queue.in_flight > 0 || !self.queue.batch.is_empty() {
            return true;
        }
        let starts_over = search.emptied(self.now);
        self.depth_now = search.depth;
        if starts_over {
            self.count_from = self.now;
            self.cpu_at_start = None;
            self.writer.start_over(self.now);
        }
        false
    }
}
