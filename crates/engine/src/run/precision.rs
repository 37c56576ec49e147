//! Looks at the windows of a group of jobs until its rates are known as well as is wanted.

use cardiograph_core::precision::PrecisionJudge;
use cardiograph_core::result::{PrecisionOutcome, WorkerResult};
use cardiograph_core::{Plan, Series};

use super::asking::{self, Asking};
use crate::clock::Clock;

/// Watches the jobs of one group that are to reach a precision, as one.
pub(super) struct PrecisionWatch {
    /// Jobs that asked, the first of which said what is wanted.
    pub jobs: Vec<usize>,
    pub group: u32,
    judge: PrecisionJudge,
    window_ns: u64,
    window_ticks: u64,
    /// When the last of its workers began to count (ticks); `None` before.
    begun_at: Option<u64>,
    is_over: bool,
}

impl PrecisionWatch {
    /// One for each group in which a job asks.
    pub fn all(plan: &Plan, clock: &Clock) -> Vec<PrecisionWatch> {
        let asking = asking::groups(plan, |workload| Some((workload.precision?, workload.window_ns)));
        let watch = |Asking { jobs, group, wanted: (wanted, window_ns) }| PrecisionWatch {
            jobs,
            group,
            judge: PrecisionJudge::new(wanted),
            window_ns,
            window_ticks: clock.ticks(window_ns).max(1),
            begun_at: None,
            is_over: false,
        };
        asking.into_iter().map(watch).collect()
    }

    /// Whether it waits for the last of its workers to count.
    pub fn is_waiting(&self) -> bool {
        !self.is_over && self.begun_at.is_none()
    }

    /// Notes when the last of its workers begins to count, in ticks.
    pub fn begin(&mut self, count_from: u64) {
        self.begun_at = Some(count_from);
    }

    /// When it wants to look next, in ticks.
    pub fn next_at(&self) -> Option<u64> {
        let begun_at = self.begun_at.filter(|_| !self.is_over)?;
        Some(begun_at.saturating_add(self.judge.next_look_windows().saturating_mul(self.window_ticks)))
    }

    /// Takes nothing in any more.
    pub fn end(&mut self) {
        self.is_over = true;
    }

    /// Whether it wants to look at `now` (ticks).
    pub fn is_due(&self, now: u64) -> bool {
        self.next_at().is_some_and(|at| at <= now)
    }

    /// How long the windows are that it wants to see at its next look, in nanoseconds.
    pub fn duration_ns(&self) -> u64 {
        self.judge.next_look_windows().saturating_mul(self.window_ns)
    }

    /// Looks at the windows of its workers, when it is due. Returns whether the rates are now known as well as is wanted.
    pub fn look(&mut self, windows: impl Iterator<Item = Series>) -> bool {
        let series = together(windows, self.duration_ns());
        self.is_over = self.judge.look(&series);
        self.is_over
    }

    /// What came of it, from the results of all workers.
    pub fn outcome(&self, workers: &[WorkerResult]) -> PrecisionOutcome {
        let own = || workers.iter().filter(|worker| self.jobs.contains(&worker.job));
        // A window counts when it was whole for each of them.
        let whole_ns = |worker: &WorkerResult| worker.series.whole_windows() as u64 * worker.series.window_ns;
        let duration_ns = own().map(whole_ns).min().unwrap_or(0);
        let series = together(own().map(|worker| worker.series.clone()), duration_ns);
        self.judge.outcome(self.jobs[0], &series)
    }
}

/// The windows of all workers as one, of which so many nanoseconds count.
fn together(all: impl Iterator<Item = Series>, duration_ns: u64) -> Series {
    let mut sum = Series::default();
    all.filter(|series| series.window_ns > 0).for_each(|series| sum.merge(&series));
    Series { duration_ns, ..sum }
}
