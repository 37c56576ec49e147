//! From the results of steps to the figures that decide.

use cardiograph_core::counters::{CounterCheck, CounterOutcome};
use cardiograph_core::figures::StepFigures;
use cardiograph_core::metric::{Measured, Measurements, Metric};
use cardiograph_core::report::{StepOutcome, StepResult, Work};
use cardiograph_core::result::EngineNote;
use cardiograph_core::{Direction, Estimate, JobSpec, Latency, RunResult};

use crate::suite::Context;

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
        if direction == Direction::Sync { Direction::Write } else { direction }
    }
}

/// Which figure of which step feeds a metric.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source {
    step: &'static str,
    figure: Figure,
    metric: Metric,
}

impl Source {
    pub(crate) const fn new(step: &'static str, figure: Figure, metric: Metric) -> Self {
        Self { step, figure, metric }
    }
}

/// What the drives together can still take in their rated lives, by the one that has least left; `None` unless all tell.
fn life_left_bytes(context: &Context<'_>) -> Option<f64> {
    let leaves = &context.drive.leaves;
    let left: Option<Vec<f64>> =
        leaves.iter().map(|leaf| leaf.health.as_ref().and_then(|health| health.life_left_bytes())).collect();
    let least = left?.into_iter().reduce(f64::min)?;
    Some(least * leaves.len() as f64)
}

/// The metrics that `done` gives, and the capacity. A percentile with too few samples above it gives none.
pub(crate) fn measure(context: &Context<'_>, done: &[StepResult], sources: &[Source]) -> Measurements {
    let mut measurements = Measurements::new();
    let mount = context.drive.mount.as_ref();
    if let Some(bytes) = context.drive.capacity_bytes.or_else(|| mount.map(|mount| mount.size_bytes)) {
        let estimate = Estimate::exact(bytes as f64);
        measurements.insert(Metric::Capacity, Measured { estimate, step: String::new(), doubt: None });
    }
    if let Some(bytes) = life_left_bytes(context) {
        let estimate = Estimate::bare(bytes, 1);
        measurements.insert(Metric::LifeLeft, Measured { estimate, step: String::new(), doubt: None });
    }
    for source in sources {
        let Some(step) = done.iter().find(|step| step.step.id == source.step) else { continue };
        if let Some(estimate) = estimate(step, source.figure) {
            let doubt = doubt(context, step, source);
            measurements.insert(source.metric, Measured { estimate, step: step.step.id.clone(), doubt });
        }
    }
    measurements
}

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
    });
    let mut of = step.step.clone();
    of.work = Work::Jobs(of.jobs().iter().skip(job).take(1).cloned().collect());
    StepResult {
        figures: result.as_ref().map(StepFigures::of),
        app: None,
        result,
        step: of,
        outcome: step.outcome.clone(),
        fio_commands: Vec::new(),
        counter_checks: step.counter_checks.clone(),
        conditions: None,
        standings: step.standings.clone(),
        device_counters: None,
    }
}

/// Why a figure is not the drive's, if so.
fn doubt(context: &Context<'_>, step: &StepResult, source: &Source) -> Option<String> {
    let is_deep = source.metric == Metric::RandomReadDeepIops && ran_one_at_a_time(step);
    let is_shallow = || Some("the engine ran one I/O at a time instead of many".to_string());
    not_the_drives(context, step, source.figure)
        .or_else(|| if is_deep { is_shallow() } else { None })
        .or_else(|| contradicted(step, source.figure))
}

/// Why a figure of a step is not the drive's, if so.
pub(crate) fn doubt_of(context: &Context<'_>, step: &StepResult, figure: Figure) -> Option<String> {
    not_the_drives(context, step, figure).or_else(|| contradicted(step, figure))
}

/// The same for what is read off windows one by one: those before an interruption are whole.
pub(crate) fn doubt_of_windows(context: &Context<'_>, step: &StepResult, figure: Figure) -> Option<String> {
    let ended = match step.outcome {
        StepOutcome::Interrupted => None,
        _ => ended_early(step),
    };
    ended.or_else(|| answered_by_others(context, step, figure)).or_else(|| contradicted(step, figure))
}

/// Why a figure is not one of the drive in that state, whatever was counted.
fn not_the_drives(context: &Context<'_>, step: &StepResult, figure: Figure) -> Option<String> {
    ended_early(step).or_else(|| answered_by_others(context, step, figure))
}

/// What kept a step from its end.
fn ended_early(step: &StepResult) -> Option<String> {
    match &step.outcome {
        StepOutcome::Done => None,
        StepOutcome::Interrupted => Some("the step was stopped before its end".to_string()),
        StepOutcome::Failed { message } => Some(format!("the step failed: {message}")),
        StepOutcome::Hung => Some("the drive stopped answering during the step".to_string()),
    }
}

/// Why memory may have answered for the drive.
fn answered_by_others(context: &Context<'_>, step: &StepResult, figure: Figure) -> Option<String> {
    if context.drive.mount.as_ref().is_some_and(|mount| mount.is_memory) {
        return Some("the file system lives in memory, not on a drive".to_string());
    }
    let is_buffered = step.step.jobs().iter().any(|job| job.last("direct") != Some("1"));
    if is_buffered && context.drive.simulated {
        return Some("a simulated drive has no page cache in front of it".to_string());
    }
    let by_cache =
        is_buffered && !is_flushed(step, figure) && (!context.options.direct || !is_counted(step, figure));
    by_cache.then(|| "buffered: the page cache may have answered for the drive".to_string())
}

/// Whether what was written was made durable within the step's time.
fn is_flushed(step: &StepResult, figure: Figure) -> bool {
    const FLUSHES: [&str; 4] = ["fsync", "fdatasync", "end_fsync", "sync"];
    let flushes = |job: &JobSpec| FLUSHES.iter().any(|name| job.last(name).is_some_and(|value| value != "0"));
    figure.data_direction() == Direction::Write && step.step.jobs().iter().all(flushes)
}

/// Whether the kernel counted the bytes on the drives.
fn is_counted(step: &StepResult, figure: Figure) -> bool {
    let direction = figure.data_direction();
    step.counter_checks
        .iter()
        .any(|check| check.direction == direction && check.outcome != CounterOutcome::Contradicts)
}

/// Why the figure cannot be the drive's: by the link's ceiling, or by the kernel's count.
fn contradicted(step: &StepResult, figure: Figure) -> Option<String> {
    let direction = figure.data_direction();
    if above_link(step, direction) {
        return Some("more than the link to the drive carries: something nearer answered".to_string());
    }
    let check = step
        .counter_checks
        .iter()
        .find(|check| check.direction == direction && check.outcome == CounterOutcome::Contradicts)?;
    let percent = check.share * 100.0;
    Some(format!(
        "the kernel counted only {percent:.0} % of the bytes: a cache, a hole or compression answered for the drive"
    ))
}

/// Whether the figures cannot be the drive's although the kernel's count does not contradict them.
fn above_link(step: &StepResult, direction: Direction) -> bool {
    let is_contradicted = step.standings.iter().any(|of| of.direction == direction && of.is_contradicted());
    let is_counted =
        |check: &CounterCheck| check.direction == direction && check.outcome == CounterOutcome::Contradicts;
    is_contradicted && !step.counter_checks.iter().any(is_counted)
}

/// Whether the depth that was asked for was not kept.
fn ran_one_at_a_time(step: &StepResult) -> bool {
    let notes = step.result.iter().flat_map(|result| &result.notes);
    notes.into_iter().any(|note| match note {
        EngineNote::FellBack { to, .. } => to == "psync",
        EngineNote::DepthCapped { .. } => true,
        EngineNote::Broke { .. }
        | EngineNote::BuffersNotRegistered { .. }
        | EngineNote::CommandFailed { .. }
        | EngineNote::WentOn { .. }
        | EngineNote::NotPinned { .. }
        | EngineNote::NicenessNotSet { .. } => false,
    })
}
