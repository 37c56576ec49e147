//! Reactions to latencies: limits that end the job, the depth search, and pauses.

use cardiograph_core::result::SlowIo;

use super::depth_search::Turn;
use super::{Phase, Worker};
use crate::engine::IoOp;

impl Worker {
    /// Handles the latency of a completion.
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
        // The search begins when counting begins.
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

    /// Makes an I/O above the latency limit the worker's failure.
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

    /// Whether the queue is being emptied to try another depth. I/Os before the last window of a search do
    /// not count.
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
