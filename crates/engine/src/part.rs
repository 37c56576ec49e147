//! What a run has come to since it was last looked at: small enough to be sent each second.

use cardiograph_core::pause::Pause;
use cardiograph_core::result::{ClockInfo, EngineNote, RunResult, SteadyOutcome, WorkerResult};
use cardiograph_core::schemars;
use cardiograph_core::series::WINDOWS_MAX;
use cardiograph_core::{Direction, Interval};
use serde::{Deserialize, Serialize};

/// What has changed in a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RunPart {
    /// Whether no other part belongs to the same look.
    pub is_last: bool,
    /// Workers that have begun and had not ended before.
    pub workers: Vec<WorkerPart>,
    /// What an engine did otherwise than it was asked to, all of it.
    pub notes: Vec<EngineNote>,
    /// Where times come from.
    pub clock: ClockInfo,
    /// Times in which the program did not run, all of them.
    pub pauses: Vec<Pause>,
    /// Steady states that are looked for.
    pub steady: Vec<SteadyOutcome>,
}

/// What has changed of a worker.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WorkerPart {
    /// Its number in the Plan's order.
    pub worker: usize,
    /// Whether the figures are with histograms and latencies over time. Without them those that were told before hold.
    pub has_latency: bool,
    /// How many whole windows stay as they were told before, at the length that windows have now.
    pub windows_before: usize,
    /// Its figures so far; of its windows those behind them.
    pub result: WorkerResult,
}

/// What was told of a run's workers.
#[derive(Debug, Default)]
pub struct Told {
    workers: Vec<ToldWorker>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ToldWorker {
    duration_ns: u64,
    has_ended: bool,
}

impl Told {
    /// Whether the end of a worker was told: then nothing of it changes any more.
    pub fn has_ended(&self, worker: usize) -> bool {
        self.workers.get(worker).is_some_and(|told| told.has_ended)
    }

    /// A worker's part: cuts off the windows that were told.
    pub(crate) fn part(
        &mut self,
        worker: usize,
        mut result: WorkerResult,
        (has_latency, has_ended): (bool, bool),
    ) -> WorkerPart {
        if self.workers.len() <= worker {
            self.workers.resize(worker + 1, ToldWorker::default());
        }
        let told = &mut self.workers[worker];
        let series = &mut result.series;
        // A worker that starts over has fewer.
        let told_ns = told.duration_ns.min(series.duration_ns);
        let windows_before = told_ns.checked_div(series.window_ns).unwrap_or(0) as usize;
        for direction in Direction::ALL {
            let rows = &mut series.rows[direction];
            rows.drain(..windows_before.min(rows.len()));
        }
        *told = ToldWorker { duration_ns: series.duration_ns, has_ended };
        WorkerPart { worker, has_latency, windows_before, result }
    }
}

impl RunPart {
    /// Brings what is known of a run up to date. Workers of which nothing was told are as in `result`.
    pub fn add_to(self, result: &mut RunResult) {
        let Self { is_last: _, workers, notes, clock, pauses, steady } = self;
        for WorkerPart { worker, has_latency, windows_before, result: mut now } in workers {
            // What comes from outside may name any.
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

    /// A run of one worker that is looked at again and again is, put together, what it is at the last look.
    #[test]
    fn parts_come_to_the_whole() {
        let looks: [(u64, &[u64]); 6] = [
            (10, &[1, 2, 1]),
            (10, &[1, 2, 3, 4, 1]),
            (10, &[1, 2, 3, 4, 5]),
            (20, &[3, 7, 8]),
            (20, &[3, 7, 11, 2]),
            (20, &[9]),
        ];
        let mut told = Told::default();
        let mut known = RunResult { workers: vec![WorkerResult::default()], ..RunResult::default() };
        let mut sent = 0;
        for (window_ns, ios) in looks {
            let whole = worker(window_ns, ios);
            let part = told.part(0, whole.clone(), (true, false));
            sent += part.result.series.rows.read.len();
            RunPart { workers: vec![part], ..RunPart::default() }.add_to(&mut known);
            assert_eq!(known.workers[0], whole, "{ios:?}");
        }
        assert!(sent < looks.iter().map(|(_, ios)| ios.len()).sum(), "{sent}");
        RunPart { workers: vec![WorkerPart { worker: 7, ..WorkerPart::default() }], ..RunPart::default() }
            .add_to(&mut known);
    }

    /// A part that claims more windows than a series can have takes no more memory than one.
    #[test]
    fn windows_before_are_no_more_than_there_can_be() {
        let mut known = RunResult { workers: vec![WorkerResult::default()], ..RunResult::default() };
        let part =
            WorkerPart { windows_before: usize::MAX, result: worker(10, &[1]), ..WorkerPart::default() };
        RunPart { workers: vec![part], ..RunPart::default() }.add_to(&mut known);
        assert_eq!(known.workers[0].series.rows.read.len(), WINDOWS_MAX + 1);
    }
}
