//! Samples the rate of a group of jobs at even intervals until it is steady.

use cardiograph_core::steady::{SpeedSample, SteadyDetector, Work};
use cardiograph_core::workload::SteadyState;

use super::watch::Judging;
use crate::clock::Clock;

/// Decides whether a rate is steady.
pub(super) struct Settling {
    pub detector: SteadyDetector,
    interval_ticks: u64,
    /// When the next sample is due, in ticks since its jobs count.
    next_ticks: u64,
    last: Option<(u64, Work)>,
}

impl Judging for Settling {
    fn next_at(&self, count_from: u64) -> u64 {
        count_from.saturating_add(self.next_ticks)
    }
}

impl Settling {
    pub fn new(wanted: &SteadyState, clock: &Clock) -> Self {
        Self {
            detector: SteadyDetector::new(wanted),
            interval_ticks: clock.ticks(wanted.interval_ns).max(1),
            next_ticks: clock.ticks(wanted.ramp_ns),
            last: None,
        }
    }

    /// Samples the work of its jobs when due. Returns whether their rate has just become steady.
    ///
    /// A sample that is `late_ticks` late covers the longer time: its rate is right, and missed samples are
    /// not repeated.
    pub fn look(&mut self, clock: &Clock, now: u64, late_ticks: u64, done: Work) -> bool {
        let intervals = late_ticks / self.interval_ticks + 1;
        self.next_ticks = self.next_ticks.saturating_add(intervals * self.interval_ticks);
        let Some((last_at, last)) = self.last.replace((now, done)) else { return false };
        let sample = SpeedSample::over(done.since(last), clock.ns_between(last_at, now));
        sample.is_some_and(|sample| self.detector.push(sample))
    }
}
