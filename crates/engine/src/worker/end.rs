//! How a worker ended.

use cardiograph_core::result::{FoundDepth, RunOutcome, WorkerResult};

use super::{Worker, usage};

/// How a worker ended.
#[derive(Debug)]
pub(crate) struct WorkerEnd {
    /// When its last I/O was complete, in ticks.
    pub ended_at: u64,
    /// What it knows of its result: all but who it is, when it ran, and what was recorded.
    pub result: WorkerResult,
}

impl Worker {
    /// How it ended. `self` has answered [`super::Wait::Ended`].
    ///
    /// Its time ends with its last completion: what the thread did after that is not I/O.
    pub fn end(&self) -> WorkerEnd {
        let has_failed =
            self.found.failure.is_some() || self.found.missed_rate.is_some() || self.found.slow_io.is_some();
        let outcome = match (has_failed, self.stop.was_asked()) {
            (true, _) => RunOutcome::Failed,
            (false, true) if !self.is_complete() => RunOutcome::Stopped,
            (false, _) => RunOutcome::Completed,
        };
        let cpu = usage::of_this_thread().zip(self.cpu_at_start);
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

    /// The last completion that counts, or the moment until which the worker came where counting did not begin.
    fn last_event_at(&self) -> u64 {
        if self.now < self.count_from { self.now } else { self.writer.last_completion_at() }
    }

    /// Whether it did all that it was asked to do before it ended.
    fn is_complete(&self) -> bool {
        let is_read_back = self.checking.read_back.as_ref().is_none_or(|read_back| read_back.is_empty());
        (self.has_issued_its_part() || self.now >= self.deadline) && is_read_back
    }
}
