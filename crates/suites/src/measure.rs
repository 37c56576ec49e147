//! From the results of steps to the figures that decide.

use cardiograph_core::figures::StepFigures;
use cardiograph_core::metric::{Measured, Measurements, Metric};
use cardiograph_core::report::{StepOutcome, StepResult, Work};
use cardiograph_core::result::EngineNote;
use cardiograph_core::{Direction, Estimate, Latency, RunResult};
use cardiograph_judge::by_method;
use cardiograph_judge::doubt::{self};

use crate::suite::Context;
use crate::tries;

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

/// The metrics that `done` gives, and the capacity: of a step that was tried several times what all tries kept. A percentile
/// with too few samples above it gives none.
pub(crate) fn measure(context: &Context<'_>, done: &[StepResult], sources: &[Source]) -> Measurements {
    let mut measurements = Measurements::new();
    measurements.extend(by_method::capacity(context.drive).map(|capacity| (Metric::Capacity, capacity)));
    if let Some(bytes) = life_left_bytes(context) {
        let estimate = Estimate::bare(bytes, 1);
        measurements.insert(Metric::LifeLeft, Measured { estimate, step: String::new(), doubt: None });
    }
    for source in sources {
        if let Some(measured) = kept(context, done, source) {
            measurements.insert(source.metric, measured);
        }
    }
    measurements
}

/// What a drive keeps of a figure: its worst over all tries of the step, with the interval of that try. A mean hides the try
/// in which a drive that had room for the first was slow, and between few tries its interval says little; what a purpose
/// rests on has to be there each time. Tries that did not end as planned count only where no other did; a figure that one of
/// the others cannot give is not known; a doubt about one of them is a doubt about what is kept.
fn kept(context: &Context<'_>, done: &[StepResult], source: &Source) -> Option<Measured> {
    let mut all = tries::of(done, source.step);
    if all.iter().any(|step| step.outcome == StepOutcome::Done) {
        all.retain(|step| step.outcome == StepOutcome::Done);
    }
    let estimates = all.iter().map(|step| Some((*step, estimate(step, source.figure)?)));
    let estimates: Vec<(&StepResult, Estimate)> = estimates.collect::<Option<_>>()?;
    let by_value = |a: &&(_, Estimate), b: &&(_, Estimate)| a.1.value.total_cmp(&b.1.value);
    let &(step, estimate) = match source.metric.more_is_better() {
        true => estimates.iter().min_by(by_value),
        false => estimates.iter().max_by(by_value),
    }?;
    let doubt = all.iter().find_map(|step| doubt(context, step, source));
    Some(Measured { estimate, step: step.step.id.clone(), doubt })
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
        ..StepResult::new(of, step.outcome.clone())
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
    ended
        .or_else(|| doubt::paused(step))
        .or_else(|| answered_by_others(context, step, figure))
        .or_else(|| contradicted(step, figure))
}

/// Why a figure is not one of the drive in that state, whatever was counted.
fn not_the_drives(context: &Context<'_>, step: &StepResult, figure: Figure) -> Option<String> {
    ended_early(step).or_else(|| doubt::paused(step)).or_else(|| answered_by_others(context, step, figure))
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
    let asked_buffered = !context.options.direct;
    let memory = doubt::memory(step, context.drive, figure.data_direction(), asked_buffered)?;
    Some(memory.reason().to_string())
}

/// Why the figure cannot be the drive's: by the link's ceiling, or by the kernel's count.
fn contradicted(step: &StepResult, figure: Figure) -> Option<String> {
    let direction = figure.data_direction();
    if step.is_above_link(direction) {
        return Some("more than the link to the drive carries: something nearer answered".to_string());
    }
    let percent = step.contradiction(direction)?.share * 100.0;
    Some(format!(
        "the kernel counted only {percent:.0} % of the bytes: a cache, a hole or compression answered for the drive"
    ))
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

#[cfg(test)]
mod tests {
    use cardiograph_jobs::method::ran_jobs;

    use super::*;
    use crate::suite::Options;
    use crate::testing::{GB, Model, SLOW_CARD, card, run_all, with_context};

    /// The same suite on drives that write so fast, as if they were the tries of one checkup.
    fn tried(speeds: [u64; 3]) -> Vec<StepResult> {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let runs = speeds.map(|write_mib_per_s| {
            run_all(&crate::sd_class::SdClass, &drive, &options, &Model { write_mib_per_s, ..SLOW_CARD })
        });
        let [first, second, third] = runs;
        let of_try = |id: &str| match id.rsplit_once('-').map(|(_, nth)| nth) {
            Some("2") => &second,
            Some("3") => &third,
            _ => &first,
        };
        let pick = |at: usize| of_try(&first[at].step.id)[at].clone();
        (0..first.len()).map(pick).collect()
    }

    const SPEED: &[Source] =
        &[Source::new("sequential-write", Figure::Bandwidth(Direction::Write), Metric::SequentialWrite)];

    fn kept_speed(done: &[StepResult]) -> Option<Measured> {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        with_context(&drive, &options, |context| {
            measure(context, done, SPEED).remove(&Metric::SequentialWrite)
        })
    }

    fn mib_per_s(measured: &Measured) -> u64 {
        libm::round(measured.estimate.value / cardiograph_core::MIB as f64) as u64
    }

    #[test]
    fn the_worst_try_is_what_the_drive_keeps() {
        for (speeds, worst, step) in [
            ([24, 12, 8], 8, "sequential-write-3"),
            ([8, 24, 12], 8, "sequential-write"),
            ([24, 8, 12], 8, "sequential-write-2"),
        ] {
            let measured = kept_speed(&tried(speeds)).expect("a figure");
            assert_eq!((mib_per_s(&measured), measured.step.as_str()), (worst, step));
            assert_eq!(measured.doubt, None);
        }
    }

    #[test]
    fn the_longest_latency_is_what_the_drive_keeps() {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let source = Figure::Percentile(Direction::Write, 50.0);
        let sources = [Source::new("sequential-write", source, Metric::RandomWriteP99)];
        let done = tried([24, 8, 12]);
        let measured = with_context(&drive, &options, |context| measure(context, &done, &sources));
        assert_eq!(measured[&Metric::RandomWriteP99].step, "sequential-write-2");
    }

    #[test]
    fn a_try_that_was_cut_short_or_gave_nothing_is_not_passed_over_in_silence() {
        let mut done = tried([24, 12, 8]);
        done[2].outcome = StepOutcome::Interrupted;
        let measured = kept_speed(&done).expect("a figure");
        assert_eq!((mib_per_s(&measured), measured.doubt), (12, None), "two tries ended as planned");
        let alone = kept_speed(&done[2..3]).expect("a figure");
        assert_eq!(alone.doubt.as_deref(), Some("the step was stopped before its end"));
        let mut done = tried([24, 12, 8]);
        done[1].result = None;
        assert_eq!(kept_speed(&done), None);
        let mut done = tried([24, 12, 8]);
        let buffered = done[0].step.jobs()[0].clone().set("direct", 0).set("ioengine", "psync");
        done[0].jobs = ran_jobs(&[buffered]);
        let doubted = kept_speed(&done).expect("a figure");
        assert_eq!((mib_per_s(&doubted), doubted.doubt.is_some()), (8, true));
    }
}
