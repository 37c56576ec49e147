//! `steady` and `steady-short`: the long-term performance of a drive instead of its first minutes.
//!
//! An empty drive is fast until it has to free blocks. So the whole range is written twice, and then the same round of
//! measurements is repeated until the tracked figure of five successive rounds is steady ([`cardiograph_core::rounds`]); the
//! mean of those five is reported. That is the method of SNIA's Solid State Storage Performance Test Specification (2.0.2):
//! purge, workload-independent preconditioning (WIPC), preconditioning by the workload itself (WDPC), steady state.
//!
//! `steady` keeps to the standard's range, points and times: IOPS in 56 points, throughput, or latency, 60 s each. It takes
//! hours and a whole bare drive. `steady-short` keeps only the rule, with a small range, fewer points and some seconds each,
//! in a directory. Its figures are not the standard's and not labelled so.

mod plan;
mod tables;
#[cfg(test)]
mod tests;

use cardiograph_core::Doubt;
use cardiograph_core::metric::{Measured, Measurements, Metric};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::report::StepResult;
use cardiograph_core::rounds::{self, RoundWindow, WINDOW_ROUNDS};
use cardiograph_core::table::Table;
use cardiograph_core::{Direction, Estimate, KIB, MIB, Message, NS_PER_S, message};

use crate::figure::{Figure, doubt_of, job_result, over};
use crate::group::Group;
use crate::measure::measure;
use crate::next_step::{NextStep, went_well};
use crate::setting::{Setting, SettingKind, Settings};
use crate::suite::{Context, Outline, Suite};
use crate::traits::{OnDevice, SuiteTraits};
use plan::{BLOCKS, PURGE, Plan, Point, Test};

/// Range of the number of jobs, and of their queue depth.
const ANY: SettingKind = SettingKind::CountIn { least: 1, most: 4_096 };

const TEST: Setting = Setting::new(
    "test",
    const { &message!("setting-steady.test") },
    SettingKind::Choice(&["iops", "throughput", "latency"]),
    "iops",
);
const ROUNDS: Setting = Setting::new(
    "rounds",
    const { &message!("setting-steady.rounds") },
    SettingKind::CountIn { least: WINDOW_ROUNDS as u64, most: 1_000 },
    "25",
);
const JOBS: Setting = Setting::new("jobs", const { &message!("setting-steady.jobs") }, ANY, "2");
const DEPTH: Setting = Setting::new("depth", const { &message!("setting-steady.depth") }, ANY, "16");
const TIME: Setting =
    Setting::new("time", const { &message!("setting-steady.time") }, SettingKind::Time, "60s");
const MAX: Setting = Setting::new("max", const { &message!("setting-steady.max") }, SettingKind::Bytes, "");

const ROUNDS_SHORT: Setting = Setting { default: "10", ..ROUNDS };
const TIME_SHORT: Setting = Setting { default: "5s", ..TIME };

/// A form of the test.
#[derive(Debug)]
pub struct Form {
    name: &'static str,
    summary: Message,
    /// Whether range, points and times are the standard's.
    is_standard: bool,
    settings: &'static [Setting],
}

/// The standard's form.
pub static STEADY: Form = Form {
    name: "steady",
    summary: message!("suite-steady"),
    is_standard: true,
    settings: &[TEST, ROUNDS, JOBS, DEPTH, TIME],
};

/// The short form.
pub static STEADY_SHORT: Form = Form {
    name: "steady-short",
    summary: message!("suite-steady-short"),
    is_standard: false,
    settings: &[TEST, ROUNDS_SHORT, JOBS, DEPTH, TIME_SHORT, MAX],
};

impl Form {
    fn rounds(&self) -> &'static Setting {
        if self.is_standard { &ROUNDS } else { &ROUNDS_SHORT }
    }

    fn time(&self) -> &'static Setting {
        if self.is_standard { &TIME } else { &TIME_SHORT }
    }

    /// The points of a round, in the standard's order: mixes from reads to writes, blocks from long to short.
    fn points(&self, test: Test) -> Vec<Point> {
        let (mixes, blocks): (&[u32], &[u64]) = match (test, self.is_standard) {
            (Test::Iops, true) => (&[100, 95, 65, 50, 35, 5, 0], &BLOCKS),
            (Test::Iops, false) => (&[100, 65, 0], &[MIB, 64 * KIB, 4 * KIB]),
            (Test::Throughput, _) => (&[100, 0], &[MIB]),
            (Test::Latency, true) => (&[100, 65, 0], &[8 * KIB, 4 * KIB, KIB / 2]),
            (Test::Latency, false) => (&[100, 65, 0], &[8 * KIB, 4 * KIB]),
        };
        let each = |&read_percent| blocks.iter().map(move |&block_bytes| Point { block_bytes, read_percent });
        mixes.iter().flat_map(each).collect()
    }
}

/// The rounds so far.
struct Progress<'a> {
    rounds: Vec<&'a StepResult>,
    /// The window over which the tracked figure is checked; `None` before there are enough rounds.
    window: Option<RoundWindow>,
}

impl<'a> Progress<'a> {
    fn new(plan: &Plan, done: &'a [StepResult]) -> Self {
        let rounds = plan.rounds(done);
        let tracked: Vec<f64> = rounds.iter().map(|round| plan.tracked(round).unwrap_or(0.0)).collect();
        let window = rounds::last_window(&tracked);
        Self { rounds, window }
    }

    fn is_steady(&self) -> bool {
        self.window.is_some_and(|window| window.is_steady())
    }

    /// The rounds of the last window; none before there is one.
    fn in_window(&self) -> &[&'a StepResult] {
        let first = self.window.map_or(self.rounds.len(), |window| window.first);
        &self.rounds[first..]
    }
}

impl Plan {
    /// The figure that the standard tracks over rounds.
    fn tracked(&self, round: &StepResult) -> Option<f64> {
        let at = self.tracked_point()?;
        self.value(round, at)
    }

    /// The point with pure writes of 4 KiB, or of the block size of the throughput test.
    fn tracked_point(&self) -> Option<usize> {
        let block_bytes = if self.test == Test::Throughput { MIB } else { 4 * KIB };
        self.points.iter().position(|point| *point == Point { block_bytes, read_percent: 0 })
    }

    /// A point's figure in a round: I/Os or bytes per second of both directions together, or mean latency in nanoseconds.
    fn value(&self, round: &StepResult, at: usize) -> Option<f64> {
        let quantity = match self.test {
            Test::Iops => Quantity::Iops,
            Test::Throughput => Quantity::Bandwidth,
            Test::Latency => Quantity::Latency(LatencyKind::Total, Statistic::Mean),
        };
        let directions: Vec<Direction> = self.points[at].directions().collect();
        Some(over(&job_result(round, at), &directions, quantity)?.value)
    }

    /// A point's mean over several rounds, with an interval from their spread.
    fn over(&self, rounds: &[&StepResult], at: usize) -> Option<Estimate> {
        let values: Vec<f64> = rounds.iter().filter_map(|round| self.value(round, at)).collect();
        (!values.is_empty()).then(|| Estimate::mean(&values))
    }

    /// The doubt about a point's figures, if any.
    fn doubt(&self, rounds: &[&StepResult], at: usize) -> Option<Doubt> {
        let figures = || self.points[at].directions().map(Figure::Iops);
        rounds.iter().find_map(|round| {
            let result = job_result(round, at);
            figures().find_map(|figure| doubt_of(&result, figure))
        })
    }
}

impl Suite for Form {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> Message {
        self.summary.clone()
    }

    fn settings(&self) -> &'static [Setting] {
        self.settings
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits {
            group: if self.is_standard { Group::Standard } else { Group::Checkup },
            // Rounds take hours: a resolution of seconds is enough.
            window_ns: NS_PER_S,
            says_notes_first: true,
            on_device: OnDevice::Writes,
            ..SuiteTraits::default()
        }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        let plan = Plan::from_context(self.form(), context);
        let mut steps = Vec::new();
        if plan.fits {
            steps = plan.beforehand();
            steps.extend((0..plan.rounds_max).map(|nth| plan.round(nth)));
        }
        Outline::from_steps(context, steps, context.options.max_time_ns, plan.notes)
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        let plan = Plan::from_context(self.form(), context);
        if !plan.fits || !went_well(done) {
            return None;
        }
        let ahead =
            plan.beforehand().into_iter().find(|step| done.iter().all(|result| result.step.id != step.id));
        if let Some(mut step) = ahead {
            if done.is_empty() {
                step.sizing = plan.notes;
            }
            return Some(step.into());
        }
        let progress = Progress::new(&plan, done);
        let count = progress.rounds.len() as u32;
        (!progress.is_steady() && count < plan.rounds_max).then(|| plan.round(count).into())
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        let plan = Plan::from_context(self.form(), context);
        let mut measurements = measure(context, done, &[]);
        let progress = Progress::new(&plan, done);
        if !progress.is_steady() {
            return measurements;
        }
        let rounds = progress.in_window();
        let wanted = match plan.test {
            Test::Iops => (4 * KIB, 100, Metric::RandomReadDeepIops),
            Test::Throughput => (MIB, 0, Metric::SustainedWrite),
            Test::Latency => return measurements,
        };
        let (block_bytes, read_percent, metric) = wanted;
        let at = plan.points.iter().position(|&point| point == Point { block_bytes, read_percent });
        if let Some((at, estimate)) = at.and_then(|at| Some((at, plan.over(rounds, at)?))) {
            let step = rounds[0].step.id.clone();
            measurements.insert(metric, Measured { estimate, step, doubt: plan.doubt(rounds, at) });
        }
        measurements
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        let plan = Plan::from_context(self.form(), context);
        tables::all(&plan, &Progress::new(&plan, done), context, done)
    }
}

impl Form {
    /// The static that this is.
    fn form(&self) -> &'static Form {
        if self.is_standard { &STEADY } else { &STEADY_SHORT }
    }
}
