//! How a worker ended.

use cardiograph_core::result::{FoundDepth, RunOutcome, WorkerResult};

use super::{Worker, usage};

/// The end of a worker.
#[derive(Debug)]
pub(crate) struct WorkerEnd {
    /// Time of its last completion, in ticks.
    pub ended_at: u64,
    /// Its part of the result, without its identity, its time, and the recorded figures.
    pub result: WorkerResult,
}

impl Worker {
    /// The end of this worker, whose `step` must have returned [`super::Wait::Ended`].
    ///
    /// Its time ends with its last completion: anything the thread did later is not I/O.
    pub fn end(&self) -> WorkerEnd {
        let has_failed =
            self.found.failure.is_some() || self.found.missed_rate.is_some() || self.found.slow_io.is_some();
        let outcome = match (has_failed, self.stop.is_external()) {
            (true, _) => RunOutcome::Failed,
            (false, true) if !self.is_complete() => RunOutcome::Stopped,
            (false, _) => RunOutcome::Completed,
        };
        let cpu = usage::thread_cpu_time().zip(self.cpu_at_start);
        let cpu = cpu.map(|(end, start)| usage::between(start, end));
        let result = WorkerResult {
            outcome,
            cpu: cpu.filter(|_| !self.clock.is_simulated()),
            failure: self.found.failure,
            tolerated: self.found.tolerated.as_ref().map(|tolerated| {
                tolerated.errors(self.checking.checker.as_ref().map(|checker| checker.verified()))
            }),
            missed_rate: self.found.missed_rate,
            slow_io: self.found.slow_io.clone(),
            found_depth: self
                .search
                .as_ref()
                .map(|search| FoundDepth { depth: search.depth, is_found: search.is_found() }),
            verified: self.checking.checker.as_ref().map(|checker| checker.verified().clone()),
            depths: self.writer.depths(),
            phases: self.found.phases,
            ..WorkerResult::default()
        };
        WorkerEnd { ended_at: self.last_event_at(), result }
    }

    /// The last counted completion, or the end of the worker if counting did not begin.
    fn last_event_at(&self) -> u64 {
        if self.now < self.count_from { self.now } else { self.writer.last_completion_at() }
    }

    /// Whether it did all its work before it ended.
    fn is_complete(&self) -> bool {
        let is_read_back = self.checking.read_back.as_ref().is_none_or(|read_back| read_back.is_empty());
        (self.has_issued_its_part() || self.now >= self.deadline) && is_read_back
    }
}
