//! Which metric a test of another program gives: by how it measured, since its name says nothing.
//!
//! A suite knows its own steps. What another program measured is told by its [`Method`] alone, and only what that says in full is
//! taken for a metric: a source that does not tell the depth may have read one block at a time, or thirty-two.

use cardiograph_core::drive::Drive;
use cardiograph_core::imported::Figure;
use cardiograph_core::method::{CLAIM, Durability, Method, Pattern};
use cardiograph_core::metric::{Measured, Measurements, Metric};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::report::{StepOutcome, StepRole};
use cardiograph_core::{Direction, Estimate, KIB, NS_PER_S, Report, Verdict};

use crate::compare::{ComparedPurpose, Group};
use crate::purposes;
use crate::record::{RunFigures, TestFigures, tests_of};

/// From this block length on a read or write is a sequential one of large blocks.
const LARGE_BLOCK_BYTES: u64 = 128 * KIB;
/// A small block.
const SMALL_BLOCK_BYTES: u64 = 4 * KIB;
/// So many in flight are many: what the suites take.
const MANY_IN_FLIGHT: u64 = 32;
/// Writing that goes on for so long is sustained, in nanoseconds: a cache that takes the first gigabytes is full by then on the cards
/// and small drives that have one, and [`Metric::SustainedWrite`] means its mean.
const SUSTAINED_NS: u64 = 60 * NS_PER_S;

/// A test with how long it went on, in nanoseconds, as far as that is told.
struct Test<'a> {
    method: &'a Method,
    duration_ns: Option<u64>,
}

/// What a metric is of the tests that feed it; `None` for those that no single figure of a test gives.
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
        | Metric::CamerasAtLeast => return None,
    })
}

/// Which tests feed a metric.
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

/// The figure of a test that feeds `metric`. A stall is of all directions; tests that do not give the whole latency have that
/// of completion.
fn figure(test: &TestFigures, metric: Metric) -> Option<&Figure> {
    let (direction, quantity) = figure_of(metric)?;
    match quantity {
        Quantity::LongestStall => test.figure(None, quantity),
        Quantity::Latency(_, statistic) => {
            let of_completion = Quantity::Latency(LatencyKind::Completion, statistic);
            let whole = test.figure(Some(direction), quantity);
            whole.or_else(|| test.figure(Some(direction), of_completion))
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
            && in_flight.is_some_and(|in_flight| in_flight >= MANY_IN_FLIGHT)
    }

    fn is_random_write(&self) -> bool {
        self.is_small(Pattern::RandomWrite, 1) && !self.is_flushed_between()
    }

    fn is_durable_write(&self) -> bool {
        let is_small = self.is_small(Pattern::Write, 1) || self.is_small(Pattern::RandomWrite, 1);
        is_small && self.is_each_durable()
    }

    /// Whether each write was made durable before the next: after several it is faster.
    fn is_each_durable(&self) -> bool {
        matches!(self.method.durability, Some(Durability::Fsync | Durability::Fdatasync | Durability::Dsync))
    }

    /// Whether some writes were made durable before others came.
    fn is_flushed_between(&self) -> bool {
        self.is_each_durable() || self.method.durability == Some(Durability::NowAndThen)
    }
}

/// Judges a Report of another program's tests: puts its measurements, verdicts and what is not judged into it. Purposes about which
/// it says too little are left out.
pub fn judge_imported(report: &mut Report) {
    let done = report.steps.iter().filter(|step| step.outcome == StepOutcome::Done);
    let tests: Vec<TestFigures> =
        done.filter(|step| step.step.role == StepRole::Measure).flat_map(tests_of).collect();
    let mut measurements = measure(&tests);
    measurements.extend(capacity(&report.drive).map(|capacity| (Metric::Capacity, capacity)));
    report.verdicts = purposes::judge_known(&measurements);
    report.not_judged = purposes::left_out(&report.verdicts, &measurements);
    report.measurements = measurements;
}

/// What several groups of runs are good for, in the order of the groups. What is judged of none of them is left out.
pub fn compare_purposes(groups: &[Group]) -> Vec<ComparedPurpose> {
    let of_groups: Vec<Vec<Verdict>> =
        groups.iter().map(|group| purposes::judge_known(&kept(&group.runs))).collect();
    let compared = |purpose: &crate::purpose::Purpose| {
        let of = |verdicts: &Vec<Verdict>| verdicts.iter().find(|of| of.purpose == purpose.id).cloned();
        ComparedPurpose {
            purpose: purpose.id.to_string(),
            title: purpose.title.clone(),
            verdicts: of_groups.iter().map(of).collect(),
        }
    };
    let is_judged = |of: &ComparedPurpose| of.verdicts.iter().any(Option::is_some);
    crate::rules::PURPOSES.iter().map(compared).filter(is_judged).collect()
}

/// What tests give, each by its method. Of several that give the same, the worst is what the drive keeps.
pub fn measure(tests: &[TestFigures]) -> Measurements {
    let mut all = Kept::default();
    for test in tests.iter().filter(|test| test.method.tool != CLAIM) {
        let of = Test { method: &test.method, duration_ns: duration_ns(test) };
        for &(_, metric) in SOURCES.iter().filter(|(feeds, _)| feeds(&of)) {
            if let Some(Figure { estimate, doubt, .. }) = figure(test, metric) {
                let (estimate, step, doubt) = (*estimate, test.test.clone(), doubt.clone());
                all.add(metric, Measured { estimate, step, doubt });
            }
        }
    }
    all.0
}

/// How long a test went on: as it was measured, or as it was to be.
fn duration_ns(test: &TestFigures) -> Option<u64> {
    let told = test.figures.iter().filter(|figure| figure.quantity == Quantity::Runtime);
    told.map(|figure| figure.estimate.value as u64).max().or(test.method.time_ns)
}

/// What all runs of a drive kept.
fn kept(runs: &[RunFigures]) -> Measurements {
    let mut all = Kept::default();
    for (&metric, measured) in runs.iter().flat_map(|run| &run.measurements) {
        all.add(metric, measured.clone());
    }
    all.0
}

/// The worst of each metric; one that can be believed before one that cannot.
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

/// What a drive says that it holds, or the file system on it.
pub fn capacity(drive: &Drive) -> Option<Measured> {
    let bytes = drive.capacity_bytes.or_else(|| Some(drive.mount.as_ref()?.size_bytes))?;
    Some(Measured { estimate: Estimate::exact(bytes as f64), step: String::new(), doubt: None })
}

#[cfg(test)]
mod tests;
