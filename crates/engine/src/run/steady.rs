//! Samples the speed of a group of jobs at even intervals, until it has settled.

use cardiograph_core::Plan;
use cardiograph_core::result::SteadyOutcome;
use cardiograph_core::steady::{SpeedSample, SteadyDetector, Work};

use super::asking::{self, Asking};
use crate::clock::Clock;

/// Watches the jobs of one group that ask for a steady state, as one.
pub(super) struct SteadyWatch {
    /// Jobs that asked, the first of which said what to look for.
    pub jobs: Vec<usize>,
    pub group: u32,
    detector: SteadyDetector,
    ramp_ticks: u64,
    interval_ticks: u64,
    /// When the next sample is due (ticks); `None` before the first job counts.
    next_at: Option<u64>,
    last: Option<(u64, Work)>,
    is_over: bool,
}

impl SteadyWatch {
    /// One for each group in which a job asks.
    pub fn all(plan: &Plan, clock: &Clock) -> Vec<SteadyWatch> {
        let asking = asking::groups(plan, |workload| workload.steady_state.as_ref());
        let watch = |Asking { jobs, group, wanted }| SteadyWatch {
            jobs,
            group,
            detector: SteadyDetector::new(wanted),
            ramp_ticks: clock.ticks(wanted.ramp_ns),
            interval_ticks: clock.ticks(wanted.interval_ns).max(1),
            next_at: None,
            last: None,
            is_over: false,
        };
        asking.into_iter().map(watch).collect()
    }

    /// Whether it waits for the first of its jobs to count.
    pub fn is_waiting(&self) -> bool {
        !self.is_over && self.next_at.is_none()
    }

    /// Notes when the first of its jobs begins to count, in ticks.
    pub fn begin(&mut self, count_from: u64) {
        self.next_at = Some(count_from.saturating_add(self.ramp_ticks));
    }

    /// When it wants to look next, in ticks.
    pub fn next_at(&self) -> Option<u64> {
        self.next_at.filter(|_| !self.is_over)
    }

    /// Takes nothing in any more.
    pub fn end(&mut self) {
        self.is_over = true;
    }

    /// Whether it wants to look at `now` (ticks).
    pub fn is_due(&self, now: u64) -> bool {
        self.next_at().is_some_and(|at| at <= now)
    }

    /// Looks at what its jobs have done, when it is due. Returns whether their speed has just settled.
    ///
    /// A sample that is taken late covers the longer time: its speed is right, and those that were missed are not made
    /// up for.
    pub fn look(&mut self, clock: &Clock, now: u64, done: Work) -> bool {
        let late = now.saturating_sub(self.next_at.unwrap_or(now)) / self.interval_ticks;
        self.next_at = self.next_at.map(|at| at.saturating_add((late + 1) * self.interval_ticks));
        if let Some((last_at, last)) = self.last.replace((now, done)) {
            let sample = SpeedSample::over(done.since(last), clock.ns_between(last_at, now));
            self.is_over = sample.is_some_and(|sample| self.detector.push(sample));
        }
        self.is_over
    }

    /// What it found.
    pub fn outcome(&self) -> SteadyOutcome {
        self.detector.outcome(self.jobs[0])
    }
}
