//! Ends jobs of a group once their rates are precise enough.

use cardiograph_core::precision::PrecisionJudge;
use cardiograph_core::result::{PrecisionOutcome, WorkerResult};
use cardiograph_core::{Series, Workload};

use super::watch::Judging;
use crate::clock::Clock;

/// Decides whether rates are precise enough.
pub(super) struct Narrowing {
    judge: PrecisionJudge,
    window_ns: u64,
    window_ticks: u64,
}

impl Judging for Narrowing {
    fn next_at(&self, count_from: u64) -> u64 {
        count_from.saturating_add(self.judge.next_look_windows().saturating_mul(self.window_ticks))
    }
}

impl Narrowing {
    /// The precision requested by a workload.
    pub fn from_workload(workload: &Workload, clock: &Clock) -> Option<Self> {
        let (judge, window_ns) = (PrecisionJudge::new(workload.precision?), workload.window_ns);
        Some(Self { judge, window_ns, window_ticks: clock.ticks(window_ns).max(1) })
    }

    /// Duration required for its next check, in nanoseconds.
    pub fn duration_ns(&self) -> u64 {
        self.judge.next_look_windows().saturating_mul(self.window_ns)
    }

    /// Checks the windows of its workers when due. Returns whether the rates are now precise enough.
    pub fn look(&mut self, windows: impl Iterator<Item = Series>) -> bool {
        let series = together(windows, self.duration_ns());
        self.judge.look(&series)
    }

    /// The outcome for some jobs, from the results of all workers.
    pub fn outcome(&self, jobs: &[usize], workers: &[WorkerResult]) -> PrecisionOutcome {
        let own = || workers.iter().filter(|worker| jobs.contains(&worker.job));
        // A window counts if it is complete for each worker.
        let whole_ns = |worker: &WorkerResult| worker.series.whole_windows() as u64 * worker.series.window_ns;
        let duration_ns = own().map(whole_ns).min().unwrap_or(0);
        let series = together(own().map(|worker| worker.series.clone()), duration_ns);
        self.judge.outcome(jobs[0], &series)
    }
}

/// Sum of the windows of all workers, up to `duration_ns`.
fn together(all: impl Iterator<Item = Series>, duration_ns: u64) -> Series {
    let mut sum = Series::default();
    all.filter(|series| series.window_ns > 0).for_each(|series| sum.merge(&series));
    Series { duration_ns, ..sum }
}
