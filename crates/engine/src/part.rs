//! Incremental results of a run, small enough to be sent each second.

use cardiograph_core::pause::Pause;
use cardiograph_core::result::{ClockInfo, EngineNote, RunResult, SteadyOutcome, WorkerResult};
use cardiograph_core::schemars;
use cardiograph_core::series::WINDOWS_MAX;
use cardiograph_core::{Direction, Interval};
use serde::{Deserialize, Serialize};

/// Changes of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RunPart {
    /// Whether this is the last part of an update.
    pub is_last: bool,
    /// Workers that have begun and had not ended before.
    pub workers: Vec<WorkerPart>,
    /// All engine notes so far.
    pub notes: Vec<EngineNote>,
    /// Clock properties.
    pub clock: ClockInfo,
    /// All pauses so far.
    pub pauses: Vec<Pause>,
    /// Steady-state detection so far.
    pub steady: Vec<SteadyOutcome>,
}

/// Changes of a worker.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WorkerPart {
    /// Its number in the Plan's order.
    pub worker: usize,
    /// Whether histograms and latencies over time are included. If not, those sent earlier remain valid.
    pub has_latency: bool,
    /// Number of complete windows sent earlier that remain valid, at the current window length.
    pub windows_before: usize,
    /// Its figures so far, with only the windows after those.
    pub result: WorkerResult,
}

/// The state of reporting on a run's workers.
#[derive(Debug, Default)]
pub struct Reported {
    workers: Vec<ReportedWorker>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ReportedWorker {
    duration_ns: u64,
    has_ended: bool,
}

impl Reported {
    /// Whether the end of a worker was reported, so that it no longer changes.
    pub fn has_ended(&self, worker: usize) -> bool {
        self.workers.get(worker).is_some_and(|reported| reported.has_ended)
    }

    /// A worker's part, without the windows reported before.
    pub(crate) fn part(
        &mut self,
        worker: usize,
        mut result: WorkerResult,
        (has_latency, has_ended): (bool, bool),
    ) -> WorkerPart {
        if self.workers.len() <= worker {
            self.workers.resize(worker + 1, ReportedWorker::default());
        }
        let reported = &mut self.workers[worker];
        let series = &mut result.series;
        // A restarted worker has fewer.
        let reported_ns = reported.duration_ns.min(series.duration_ns);
        let windows_before = reported_ns.checked_div(series.window_ns).unwrap_or(0) as usize;
        for direction in Direction::ALL {
            let rows = &mut series.rows[direction];
            rows.drain(..windows_before.min(rows.len()));
        }
        *reported = ReportedWorker { duration_ns: series.duration_ns, has_ended };
        WorkerPart { worker, has_latency, windows_before, result }
    }
}

impl RunPart {
    /// Applies the part to a result. Workers never reported stay as they are.
    pub fn add_to(self, result: &mut RunResult) {
        let Self { is_last: _, workers, notes, clock, pauses, steady } = self;
        for WorkerPart { worker, has_latency, windows_before, result: mut now } in workers {
            // Untrusted input may name any worker.
            let Some(known) = result.workers.get_mut(worker) else { continue };
            let known = std::mem::take(known);
            let window_ns = now.series.window_ns.max(1);
            let windows_before = windows_before.min(WINDOWS_MAX);
            let factor = window_ns / known.series.window_ns.max(1);
            let before = known.series.coarser(factor.max(1) as usize);
            for direction in Direction::ALL {
                let new = std::mem::take(&mut now.series.rows[direction]);
                let mut rows: Vec<Interval> =
                    before.rows[direction].iter().take(windows_before).copied().collect();
                if !new.is_empty() {
                    rows.resize(windows_before, Interval::default());
                }
                rows.extend(new);
                now.series.rows[direction] = rows;
                if !has_latency {
                    let (now, known) = (&mut now.directions[direction], &known.directions[direction]);
                    now.submission = known.submission.clone();
                    now.completion = known.completion.clone();
                    now.total = known.total.clone();
                    now.intended = known.intended.clone();
                }
            }
            if !has_latency {
                now.series.latency = before.latency;
                now.series.latency_doublings = before.latency_doublings;
            }
            result.workers[worker] = now;
        }
        result.duration_ns = result.workers.iter().map(|worker| worker.end_ns).max().unwrap_or(0);
        (result.notes, result.clock, result.pauses) = (notes, clock, pauses);
        result.steady = steady;
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::series::Series;

    use super::*;

    fn worker(window_ns: u64, ios: &[u64]) -> WorkerResult {
        let row = |&ios: &u64| Interval { ios, ..Interval::default() };
        let mut series = Series {
            window_ns,
            duration_ns: window_ns * ios.len() as u64 - window_ns / 2,
            ..Series::default()
        };
        series.rows.read = ios.iter().map(row).collect();
        WorkerResult { series, ..WorkerResult::default() }
    }

    /// Parts of a growing run, applied in order, give its final state.
    #[test]
    fn parts_add_up_to_the_whole() {
        let looks: [(u64, &[u64]); 6] = [
            (10, &[1, 2, 1]),
            (10, &[1, 2, 3, 4, 1]),
            (10, &[1, 2, 3, 4, 5]),
            (20, &[3, 7, 8]),
            (20, &[3, 7, 11, 2]),
            (20, &[9]),
        ];
        let mut reported = Reported::default();
        let mut known = RunResult { workers: vec![WorkerResult::default()], ..RunResult::default() };
        let mut sent = 0;
        for (window_ns, ios) in looks {
            let whole = worker(window_ns, ios);
            let part = reported.part(0, whole.clone(), (true, false));
            sent += part.result.series.rows.read.len();
            RunPart { workers: vec![part], ..RunPart::default() }.add_to(&mut known);
            assert_eq!(known.workers[0], whole, "{ios:?}");
        }
        assert!(sent < looks.iter().map(|(_, ios)| ios.len()).sum(), "{sent}");
        RunPart { workers: vec![WorkerPart { worker: 7, ..WorkerPart::default() }], ..RunPart::default() }
            .add_to(&mut known);
    }

    /// A part that claims more windows than a series can hold needs no more memory than one that does not.
    #[test]
    fn windows_before_is_limited() {
        let mut known = RunResult { workers: vec![WorkerResult::default()], ..RunResult::default() };
        let part =
            WorkerPart { windows_before: usize::MAX, result: worker(10, &[1]), ..WorkerPart::default() };
        RunPart { workers: vec![part], ..RunPart::default() }.add_to(&mut known);
        assert_eq!(known.workers[0].series.rows.read.len(), WINDOWS_MAX + 1);
    }
}
