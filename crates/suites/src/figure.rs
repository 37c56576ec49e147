//! Figures of steps, and doubts about them.

use std::borrow::Cow;

use cardiograph_core::Doubt;
use cardiograph_core::figures::StepFigures;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::report::{StepResult, Work};
use cardiograph_core::{Direction, Estimate, Latency, RunResult};

/// A figure of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Figure {
    /// Bytes per second.
    Bandwidth(Direction),
    /// I/Os per second.
    Iops(Direction),
    /// A percentile of the total latency of an I/O or a sync, in nanoseconds.
    Percentile(Direction, f64),
    /// The mean of the latency, in nanoseconds.
    MeanLatency(Direction),
}

impl Figure {
    fn parts(self) -> (Direction, Quantity) {
        let latency = |statistic| Quantity::Latency(LatencyKind::Total, statistic);
        match self {
            Figure::Bandwidth(direction) => (direction, Quantity::Bandwidth),
            Figure::Iops(direction) => (direction, Quantity::Iops),
            Figure::Percentile(direction, percent) => (direction, latency(Statistic::Percentile(percent))),
            Figure::MeanLatency(direction) => (direction, latency(Statistic::Mean)),
        }
    }
}

/// A figure of a step; `None` if the step does not have it.
pub(crate) fn estimate(step: &StepResult, figure: Figure) -> Option<Estimate> {
    let (direction, quantity) = figure.parts();
    over(step, &[direction], quantity)
}

/// The doubt about a figure of a step, if any.
pub(crate) fn doubt_of(step: &StepResult, figure: Figure) -> Option<Doubt> {
    step.doubt(figure.parts().0).cloned()
}

/// A figure of mixed directions: rates are summed, latencies merged. A sum has no interval: reads and writes
/// are not independent.
pub(crate) fn over(step: &StepResult, directions: &[Direction], quantity: Quantity) -> Option<Estimate> {
    let result = step.result.as_ref()?;
    if let Quantity::Latency(_, statistic) = quantity {
        let merged = result.merged(|_| true);
        let mut all = Latency::default();
        directions.iter().for_each(|&direction| all.merge(merged[direction].total()));
        return match statistic {
            Statistic::Percentile(percentile) => Estimate::percentile(&all, percentile),
            _ => (all.n() > 0).then(|| Estimate::bare(all.mean_ns(), all.n())),
        };
    }
    let kept = step.figures.as_ref().map(Cow::Borrowed);
    let figures = kept.unwrap_or_else(|| Cow::Owned(StepFigures::from_result(result)));
    let rate = |&direction: &Direction| {
        let by_direction = figures.direction(direction)?;
        Some(match quantity {
            Quantity::Bandwidth => by_direction.bandwidth_bytes_per_s,
            Quantity::LongestStall => {
                let (value, n) = (figures.longest_stall_ns as f64, by_direction.ios);
                // A maximum has no interval: a longer run finds a longer stall.
                Estimate { value, n, n_effective: n as f64, low: None, high: None }
            }
            _ => by_direction.iops,
        })
    };
    let rates: Vec<Estimate> = directions.iter().filter_map(rate).collect();
    match &rates[..] {
        [] => None,
        [only] => Some(*only),
        several => {
            let (value, n) = several.iter().fold((0.0, 0), |(sum, n), rate| (sum + rate.value, n + rate.n));
            Some(Estimate::bare(value, n))
        }
    }
}

/// The result of one job, as if it had been a separate step.
pub(crate) fn job_result(step: &StepResult, job: usize) -> StepResult {
    let result = step.result.as_ref().map(|result| RunResult {
        outcome: result.outcome,
        duration_ns: result.duration_ns,
        clock: result.clock.clone(),
        started_monotonic_ns: result.started_monotonic_ns,
        workers: result.workers.iter().filter(|worker| worker.job == job).cloned().collect(),
        notes: result.notes.clone(),
        steady: Vec::new(),
        precision: Vec::new(),
        pauses: result.pauses.clone(),
    });
    let mut single = step.step.clone();
    single.work = Work::Jobs(single.jobs().iter().skip(job).take(1).cloned().collect());
    StepResult {
        jobs: step.jobs.iter().skip(job).take(1).cloned().collect(),
        figures: result.as_ref().map(StepFigures::from_result),
        result,
        counter_checks: step.counter_checks.clone(),
        standings: step.standings.clone(),
        doubts: step.doubts.clone(),
        ..StepResult::new(single, step.outcome.clone())
    }
}

/// The doubt about figures that are taken from single windows, if any. An interruption is not one: the windows before it
/// are complete.
pub(crate) fn doubt_of_windows(step: &StepResult, direction: Direction) -> Option<Doubt> {
    let doubts = step.doubts.iter().filter(|entry| entry.is_of(direction));
    doubts.map(|entry| &entry.doubt).find(|doubt| **doubt != Doubt::Interrupted).cloned()
}
