//! A figure of a step, and why it may not be the drive's.

use cardiograph_core::Doubt;
use cardiograph_core::figures::StepFigures;
use cardiograph_core::quantity::{Quantity, Statistic};
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
    /// The longest time in which nothing completed, in nanoseconds.
    LongestStall(Direction),
}

impl Figure {
    /// Whose bytes speak for or against the figure. A sync moves none of its own: the writes before it do.
    fn data_direction(self) -> Direction {
        let (Figure::Bandwidth(direction)
        | Figure::Iops(direction)
        | Figure::Percentile(direction, _)
        | Figure::MeanLatency(direction)
        | Figure::LongestStall(direction)) = self;
        direction.counted_with()
    }
}

/// A figure of a step; `None` where the step does not give it.
pub(crate) fn estimate(step: &StepResult, figure: Figure) -> Option<Estimate> {
    let result = step.result.as_ref()?;
    if let Figure::Percentile(direction, percentile) = figure {
        return Estimate::percentile(&latency(result, direction), percentile);
    }
    if let Figure::MeanLatency(direction) = figure {
        let latency = latency(result, direction);
        return (latency.n() > 0).then(|| Estimate::bare(latency.mean_ns(), latency.n()));
    }
    let derived;
    let figures = match &step.figures {
        Some(figures) => figures,
        None => {
            derived = StepFigures::of(result);
            &derived
        }
    };
    let of_direction = figures.direction(figure.data_direction())?;
    match figure {
        Figure::Bandwidth(_) => Some(of_direction.bandwidth_bytes_per_s),
        Figure::Iops(_) | Figure::Percentile(..) | Figure::MeanLatency(_) => Some(of_direction.iops),
        Figure::LongestStall(_) => {
            let (value, n) = (figures.longest_stall_ns as f64, of_direction.ios);
            // A maximum has no interval: a longer run finds a longer stall.
            Some(Estimate { value, n, n_effective: n as f64, low: None, high: None })
        }
    }
}

/// The latencies of all workers: of the whole way of an I/O, or of a sync.
fn latency(result: &RunResult, direction: Direction) -> Latency {
    let merged = result.merged(|_| true);
    match direction {
        Direction::Sync => merged.sync.completion.clone(),
        _ => merged[direction].total().clone(),
    }
}

/// A figure of a mix of directions: rates added up, latencies taken together. There is no interval around a sum of two: reads
/// and writes are not independent.
pub(crate) fn over(step: &StepResult, directions: &[Direction], quantity: Quantity) -> Option<Estimate> {
    let figure = match quantity {
        Quantity::Bandwidth => Figure::Bandwidth,
        Quantity::Latency(_, statistic) => {
            let mut all = Latency::default();
            let merged = step.result.as_ref()?.merged(|_| true);
            directions.iter().for_each(|&direction| all.merge(merged[direction].total()));
            return match statistic {
                Statistic::Percentile(percentile) => Estimate::percentile(&all, percentile),
                _ => (all.n() > 0).then(|| Estimate::bare(all.mean_ns(), all.n())),
            };
        }
        _ => Figure::Iops,
    };
    let rates: Vec<Estimate> =
        directions.iter().filter_map(|&direction| estimate(step, figure(direction))).collect();
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

/// Why a figure of a step is not the drive's, or may not be, if so.
pub(crate) fn doubt_of(step: &StepResult, figure: Figure) -> Option<Doubt> {
    step.doubt(figure.data_direction()).cloned()
}

/// The same for what is read off windows one by one: those before an interruption are whole.
pub(crate) fn doubt_of_windows(step: &StepResult, figure: Figure) -> Option<Doubt> {
    let doubts = step.doubts.iter().filter(|of| of.is_of(figure.data_direction()));
    doubts.map(|of| &of.doubt).find(|doubt| **doubt != Doubt::Interrupted).cloned()
}
