//! Which metric a test of another program measures, judging by its method, since its name is arbitrary.
//!
//! A suite knows its own steps. A test of another program is known only by its [`Method`], and must be
//! specified completely to count as a metric: if the source does not report the queue depth, it may have been
//! 1 or 32.

use cardiograph_core::drive::Drive;
use cardiograph_core::imported::Figure;
use cardiograph_core::method::{CLAIM, Durability, Method, Pattern};
use cardiograph_core::metric::{Measured, Measurements, Metric};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::report::{StepOutcome, StepRole};
use cardiograph_core::text::unique;
use cardiograph_core::{Direction, Doubt, Estimate, KIB, NS_PER_S, Report, Verdict};

use crate::compare::{ComparedPurpose, Group};
use crate::purpose::{PURPOSES, Purpose};
use crate::purposes;
use crate::record::{RunFigures, TestFigures, tests_of};

/// From this block size on, a sequential test counts as large blocks.
const LARGE_BLOCK_BYTES: u64 = 128 * KIB;
/// A small block.
const SMALL_BLOCK_BYTES: u64 = 4 * KIB;
/// Queue depth from which a test counts as deep: that of the suites.
const DEEP: u64 = 32;
/// Duration from which writing counts as sustained, in nanoseconds: by then any cache for the first gigabytes
/// is full on cards and small drives, and [`Metric::SustainedWrite`] is the mean.
const SUSTAINED_NS: u64 = 60 * NS_PER_S;

/// A test with its duration in nanoseconds, if known.
struct Test<'a> {
    method: &'a Method,
    duration_ns: Option<u64>,
}

/// The figure of a test that a metric is taken from; `None` if no single figure gives it.
pub const fn figure_of(metric: Metric) -> Option<(Direction, Quantity)> {
    const fn percentile(percent: f64) -> Quantity {
        Quantity::Latency(LatencyKind::Total, Statistic::Percentile(percent))
    }
    Some(match metric {
        Metric::SequentialRead | Metric::MixedSequentialRead => (Direction::Read, Quantity::Bandwidth),
        Metric::SequentialWrite | Metric::MixedSequentialWrite | Metric::SustainedWrite => {
            (Direction::Write, Quantity::Bandwidth)
        }
        Metric::RandomReadIops | Metric::RandomReadDeepIops => (Direction::Read, Quantity::Iops),
        Metric::RandomWriteIops | Metric::DurableWriteIops => (Direction::Write, Quantity::Iops),
        Metric::RandomReadP99 => (Direction::Read, percentile(99.0)),
        Metric::RandomWriteP99 => (Direction::Write, percentile(99.0)),
        Metric::SyncP99 => (Direction::Sync, percentile(99.0)),
        Metric::SyncP999 => (Direction::Sync, percentile(99.9)),
        Metric::WriteStallMax => (Direction::Write, Quantity::LongestStall),
        Metric::Capacity
        | Metric::RealCapacity
        | Metric::LifeLeft
        | Metric::SqliteCommits
        | Metric::CommitPauseMax
        | Metric::Cameras
        | Metric::CamerasAtLeast
        | Metric::RecordingMissed
        | Metric::RecordingStallMax => return None,
    })
}

/// A condition on tests, and the metric that they give.
type Source = (fn(&Test<'_>) -> bool, Metric);

const SOURCES: &[Source] = &[
    (|test| test.is_large(Pattern::Read), Metric::SequentialRead),
    (|test| test.is_large(Pattern::ReadWrite), Metric::MixedSequentialRead),
    (|test| test.is_large(Pattern::ReadWrite), Metric::MixedSequentialWrite),
    (|test| test.is_long_write(), Metric::SustainedWrite),
    (|test| test.is_long_write(), Metric::WriteStallMax),
    (|test| test.is_short_write(), Metric::SequentialWrite),
    (|test| test.is_small(Pattern::RandomRead, 1), Metric::RandomReadIops),
    (|test| test.is_small(Pattern::RandomRead, 1), Metric::RandomReadP99),
    (|test| test.is_deep_read(), Metric::RandomReadDeepIops),
    (|test| test.is_random_write(), Metric::RandomWriteIops),
    (|test| test.is_random_write(), Metric::RandomWriteP99),
    (|test| test.is_durable_write(), Metric::DurableWriteIops),
    (|test| test.is_durable_write(), Metric::SyncP99),
    (|test| test.is_durable_write(), Metric::SyncP999),
];

/// The figure of a test that gives `metric`. A stall is of all directions; tests without total latency use
/// completion latency.
fn figure(test: &TestFigures, metric: Metric) -> Option<&Figure> {
    let (direction, quantity) = figure_of(metric)?;
    match quantity {
        Quantity::LongestStall => test.figure(None, quantity),
        Quantity::Latency(_, statistic) => {
            let completion = Quantity::Latency(LatencyKind::Completion, statistic);
            let total = test.figure(Some(direction), quantity);
            total.or_else(|| test.figure(Some(direction), completion))
        }
        _ => test.figure(Some(direction), quantity),
    }
}

impl Test<'_> {
    fn is_alone(&self) -> bool {
        self.method.jobs == Some(1)
    }

    fn is_large(&self, pattern: Pattern) -> bool {
        let method = self.method;
        let is_even =
            pattern != Pattern::ReadWrite || method.read_percent.is_none_or(|percent| percent == 50);
        method.pattern == Some(pattern)
            && self.is_alone()
            && is_even
            && method.block_bytes.is_some_and(|bytes| bytes >= LARGE_BLOCK_BYTES)
            && !self.is_flushed_between()
    }

    fn is_long_write(&self) -> bool {
        self.is_large(Pattern::Write) && self.duration_ns.is_some_and(|ns| ns >= SUSTAINED_NS)
    }

    fn is_short_write(&self) -> bool {
        self.is_large(Pattern::Write) && self.duration_ns.is_none_or(|ns| ns < SUSTAINED_NS)
    }

    fn is_small(&self, pattern: Pattern, depth: u64) -> bool {
        self.method.pattern == Some(pattern)
            && self.method.block_bytes == Some(SMALL_BLOCK_BYTES)
            && self.method.depth == Some(depth)
            && self.is_alone()
    }

    fn is_deep_read(&self) -> bool {
        let in_flight =
            self.method.depth.zip(self.method.jobs).map(|(depth, jobs)| depth.saturating_mul(jobs));
        self.method.pattern == Some(Pattern::RandomRead)
            && self.method.block_bytes == Some(SMALL_BLOCK_BYTES)
            && in_flight.is_some_and(|in_flight| in_flight >= DEEP)
    }

    fn is_random_write(&self) -> bool {
        self.is_small(Pattern::RandomWrite, 1) && !self.is_flushed_between()
    }

    fn is_durable_write(&self) -> bool {
        let is_small = self.is_small(Pattern::Write, 1) || self.is_small(Pattern::RandomWrite, 1);
        is_small && self.is_each_durable()
    }

    /// Whether each write was made durable before the next: flushing after several is faster.
    fn is_each_durable(&self) -> bool {
        matches!(self.method.durability, Some(Durability::Fsync | Durability::Fdatasync | Durability::Dsync))
    }

    /// Whether some writes were made durable before later ones.
    fn is_flushed_between(&self) -> bool {
        self.is_each_durable() || self.method.durability == Some(Durability::NowAndThen)
    }
}

/// Judges a Report of another program's tests: adds its measurements, verdicts and missing purposes. Purposes
/// with too little data are left out.
pub fn judge_imported(report: &mut Report) {
    let done = report.steps.iter().filter(|step| step.outcome == StepOutcome::Done);
    let tests: Vec<TestFigures> =
        done.filter(|step| step.step.role == StepRole::Measure).flat_map(tests_of).collect();
    let mut measurements = measure(&tests);
    measurements.extend(capacity(&report.drive).map(|capacity| (Metric::Capacity, capacity)));
    report.verdicts = purposes::judge_known(&PURPOSES, &measurements);
    report.not_judged = purposes::left_out(&PURPOSES, &report.verdicts, &measurements);
    report.measurements = measurements;
}

/// Verdicts of several groups of runs on purposes, in the order of the groups. Purposes judged for none of them are
/// left out.
pub fn compare_purposes(groups: &[Group], purposes: &[Purpose]) -> Vec<ComparedPurpose> {
    let all_verdicts: Vec<Vec<Verdict>> =
        groups.iter().map(|group| purposes::judge_known(purposes, &kept(&group.runs))).collect();
    let compared = |purpose: &Purpose| {
        let verdict =
            |verdicts: &Vec<Verdict>| verdicts.iter().find(|verdict| verdict.purpose == purpose.id).cloned();
        ComparedPurpose {
            purpose: purpose.id.to_string(),
            title: purpose.title.clone(),
            verdicts: all_verdicts.iter().map(verdict).collect(),
        }
    };
    let is_judged = |compared: &ComparedPurpose| compared.verdicts.iter().any(Option::is_some);
    purposes.iter().map(compared).filter(is_judged).collect()
}

/// The limits of purposes for a figure of a test, each once.
pub fn limits_of(
    purposes: &[ComparedPurpose],
    method: &Method,
    direction: Option<Direction>,
    quantity: Quantity,
) -> Vec<f64> {
    let timed = Test { method, duration_ns: method.time_ns };
    let is_it = |metric: Metric| {
        let feeds = SOURCES.iter().any(|(feeds, fed)| *fed == metric && feeds(&timed));
        feeds && figure_of(metric).is_some_and(|(of, figure)| Some(of) == direction && figure == quantity)
    };
    let findings = purposes.iter().flat_map(|purpose| purpose.verdicts.iter().flatten());
    let findings = findings.flat_map(|verdict| &verdict.findings).filter(|finding| is_it(finding.metric));
    unique(findings.map(|finding| finding.limit))
}

/// The metrics that a test gives by its method.
pub fn metrics_of(test: &TestFigures) -> impl Iterator<Item = Metric> {
    let timed = Test { method: &test.method, duration_ns: duration_ns(test) };
    SOURCES.iter().filter(move |(feeds, _)| feeds(&timed)).map(|&(_, metric)| metric)
}

/// Measurements from tests, by method. Of several for the same metric, the worst counts.
pub fn measure(tests: &[TestFigures]) -> Measurements {
    let mut all = Kept::default();
    for test in tests.iter().filter(|test| test.method.tool != CLAIM) {
        let timed = Test { method: &test.method, duration_ns: duration_ns(test) };
        for &(_, metric) in SOURCES.iter().filter(|(feeds, _)| feeds(&timed)) {
            // Percentiles with few samples decide nothing.
            let found =
                figure(test, metric).filter(|found| !matches!(found.doubt, Some(Doubt::FewSamples { .. })));
            if let Some(Figure { estimate, doubt, .. }) = found {
                let (estimate, step, doubt) = (*estimate, test.test.clone(), doubt.clone());
                all.add(metric, Measured { estimate, step, doubt });
            }
        }
    }
    all.0
}

/// Duration of a test, measured or else planned.
fn duration_ns(test: &TestFigures) -> Option<u64> {
    let durations = test.figures.iter().filter(|figure| figure.quantity == Quantity::Runtime);
    durations.map(|figure| figure.estimate.value as u64).max().or(test.method.time_ns)
}

/// Worst measurements of all runs of a drive.
fn kept(runs: &[RunFigures]) -> Measurements {
    let mut all = Kept::default();
    for (&metric, measured) in runs.iter().flat_map(|run| &run.measurements) {
        all.add(metric, measured.clone());
    }
    all.0
}

/// The worst of each metric; reliable values come before doubtful ones.
#[derive(Default)]
struct Kept(Measurements);

impl Kept {
    fn add(&mut self, metric: Metric, measured: Measured) {
        let is_kept = self.0.get(&metric).is_some_and(|known| {
            let is_better = match metric.more_is_better() {
                true => measured.estimate.value >= known.estimate.value,
                false => measured.estimate.value <= known.estimate.value,
            };
            match (known.doubt.is_some(), measured.doubt.is_some()) {
                (true, false) => false,
                (false, true) => true,
                _ => is_better,
            }
        });
        if !is_kept {
            self.0.insert(metric, measured);
        }
    }
}

/// Capacity reported by a drive or its file system.
pub fn capacity(drive: &Drive) -> Option<Measured> {
    let bytes = drive.capacity_bytes.or_else(|| Some(drive.mount.as_ref()?.size_bytes))?;
    Some(Measured { estimate: Estimate::exact(bytes as f64), step: String::new(), doubt: None })
}

#[cfg(test)]
mod tests;
