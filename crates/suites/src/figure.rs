//! A figure of a step, and why it may not be the drive's.

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
    /// A percentile of the latency, in nanoseconds: of the whole way of an I/O, or of a sync.
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

/// A figure of a step; `None` where the step does not give it.
pub(crate) fn estimate(step: &StepResult, figure: Figure) -> Option<Estimate> {
    let (direction, quantity) = figure.parts();
    over(step, &[direction], quantity)
}

/// Why a figure of a step is not the drive's, or may not be, if so.
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
    let figures = kept.unwrap_or_else(|| Cow::Owned(StepFigures::of(result)));
    let rate = |&direction: &Direction| {
        let of_direction = figures.direction(direction)?;
        Some(match quantity {
            Quantity::Bandwidth => of_direction.bandwidth_bytes_per_s,
            Quantity::LongestStall => {
                let (value, n) = (figures.longest_stall_ns as f64, of_direction.ios);
                // A maximum has no interval: a longer run finds a longer stall.
                Estimate { value, n, n_effective: n as f64, low: None, high: None }
            }
            _ => of_direction.iops,
        })
    };
    let rates: Vec<Estimate> = directions.iter().filter_map(rate).collect();
    match &rates[..] {
        [] => None,
        [only] => Some(*only),
        several => {
            let (value, n) = several.iter().fold((0.0, 0), |(sum, n), of| (sum + of.value, n + of.n));
            Some(Estimate::bare(value, n))
        }
    }
}

/// What one job of a step gave, as if it had been a step of its own.
pub(crate) fn of_job(step: &StepResult, job: usize) -> StepResult {
    let result = step.result.as_ref().map(|result| RunResult {
        outcome: result.outcome,
        duration_ns: result.duration_ns,
        clock: result.clock.clone(),
        workers: result.workers.iter().filter(|worker| worker.job == job).cloned().collect(),
        notes: result.notes.clone(),
        steady: Vec::new(),
        precision: Vec::new(),
        pauses: result.pauses.clone(),
    });
    let mut of = step.step.clone();
    of.work = Work::Jobs(of.jobs().iter().skip(job).take(1).cloned().collect());
    StepResult {
        jobs: step.jobs.iter().skip(job).take(1).cloned().collect(),
        figures: result.as_ref().map(StepFigures::of),
        result,
        counter_checks: step.counter_checks.clone(),
        standings: step.standings.clone(),
        doubts: step.doubts.clone(),
        ..StepResult::new(of, step.outcome.clone())
    }
}

/// Why figures that are read off windows one by one are not the drive's, if so: those before an interruption are whole.
pub(crate) fn doubt_of_windows(step: &StepResult, direction: Direction) -> Option<Doubt> {
    let doubts = step.doubts.iter().filter(|of| of.is_of(direction));
    doubts.map(|of| &of.doubt).find(|doubt| **doubt != Doubt::Interrupted).cloned()
}
