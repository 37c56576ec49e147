//! A Report as flat figures, for storing in rows, comparing and drawing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use cardiograph_core::app::{AppPart, AppResult};
use cardiograph_core::direction::Direction;
use cardiograph_core::doubt::Doubt;
use cardiograph_core::estimate::Estimate;
use cardiograph_core::figures::{DirectionFigures, LatencyFigures, StepFigures, WindowFigures};
use cardiograph_core::histogram::Latency;
use cardiograph_core::imported::Figure;
use cardiograph_core::message::Message;
use cardiograph_core::method::{Method, TOOL};
use cardiograph_core::metric::Measurements;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::report::{Report, StepResult, StepRole};
use cardiograph_core::result::RunResult;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::text::unique;
use cardiograph_jobs::method as jobs_method;
use serde::Serialize;

use crate::facts;

pub mod tail;
pub mod tries;

pub use tail::TestLatency;

/// A checkup as flat figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunFigures {
    /// Its summary.
    pub run: RunSummary,
    /// Other possible causes of differences: kernel, scheduler, file system, ... ([`facts::collect`]).
    pub facts: BTreeMap<String, String>,
    /// The measurements that verdicts use.
    pub measurements: Measurements,
    /// Its tests, in the order they ran.
    pub tests: Vec<TestFigures>,
}

/// A test's figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestFigures {
    /// Its id in the checkup: the step's, for several tries that of the first, with the part of an
    /// application after a `/`.
    pub test: String,
    /// Title, in a line.
    pub title: Message,
    /// How it was measured.
    pub method: Method,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Its latencies, if they come from a Report that this program measured.
    #[serde(skip)]
    pub latencies: Vec<TestLatency>,
}

/// How to show a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shown<'t> {
    /// Its value, with its doubt, if any.
    Value(&'t Figure),
    /// Its value, lightly: few samples lie above the percentile.
    Few(&'t Figure),
    /// Withheld: it is not the drive's, and why.
    Withheld(&'t Doubt),
    /// Too few samples above the percentile.
    FewSamples,
    /// Nothing: it was not reported, or does not exist.
    Missing,
}

impl TestFigures {
    /// How to show a figure.
    pub fn shown(&self, direction: Option<Direction>, quantity: Quantity) -> Shown<'_> {
        match self.figure(direction, quantity) {
            Some(figure) => match &figure.doubt {
                Some(doubt) if doubt.withholds() => Shown::Withheld(doubt),
                Some(Doubt::FewSamples { .. }) => Shown::Few(figure),
                _ => Shown::Value(figure),
            },
            None => match quantity {
                // If this program measured a mean but no percentile, there were too few samples.
                Quantity::Latency(kind, Statistic::Percentile(_)) if self.method.tool == TOOL => {
                    match self.shown(direction, Quantity::Latency(kind, Statistic::Mean)) {
                        Shown::Value(_) => Shown::FewSamples,
                        other => other,
                    }
                }
                _ => Shown::Missing,
            },
        }
    }

    /// Doubts of its figures, each once, in order, without those of single percentiles.
    pub fn doubts(&self) -> Vec<&Doubt> {
        let doubts = self.figures.iter().filter_map(|figure| figure.doubt.as_ref());
        unique(doubts.filter(|doubt| !matches!(doubt, Doubt::FewSamples { .. })))
    }

    /// A figure, reliable or not.
    pub fn figure(&self, direction: Option<Direction>, quantity: Quantity) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.direction == direction && figure.quantity == quantity)
    }

    /// The same; a missing rate is derived from the other one: I/Os per second of one block size are the
    /// bandwidth divided by it.
    pub fn reported_or_derived(
        &self,
        direction: Option<Direction>,
        quantity: Quantity,
    ) -> Option<Cow<'_, Figure>> {
        if let Some(reported) = self.figure(direction, quantity) {
            return Some(Cow::Borrowed(reported));
        }
        let block_bytes = self.method.block_bytes.filter(|&bytes| bytes > 0)? as f64;
        let (from, factor) = match quantity {
            Quantity::Iops => (Quantity::Bandwidth, 1.0 / block_bytes),
            Quantity::Bandwidth => (Quantity::Iops, block_bytes),
            _ => return None,
        };
        let mut made = self.figure(direction, from)?.clone();
        made.quantity = quantity;
        let estimate = &mut made.estimate;
        estimate.value *= factor;
        estimate.low = estimate.low.map(|low| low * factor);
        estimate.high = estimate.high.map(|high| high * factor);
        Some(Cow::Owned(made))
    }
}

impl RunFigures {
    /// The figures of a Report, without steps that only prepare.
    pub fn from_report(report: &Report) -> Self {
        let counted = report.steps.iter().filter(|step| tries::counts(&report.steps, step));
        let measures = counted.filter(|step| step.step.role == StepRole::Measure);
        Self {
            run: RunSummary::from_report(report),
            facts: facts::collect(report),
            measurements: report.measurements.clone(),
            tests: tries::together(measures.flat_map(tests_of).collect()),
        }
    }
}

/// The tests of a step: one, or one for each part of an application. None if nothing was measured. Each try
/// of a test has its own id ([`tries::together`]).
pub fn tests_of(step: &StepResult) -> Vec<TestFigures> {
    let method = jobs_method::from_step(step);
    let whole = |List { figures, latencies, .. }: List| TestFigures {
        test: step.step.test_id().to_string(),
        title: step.step.test_title().clone(),
        method: method.clone(),
        figures,
        latencies,
    };
    match (&step.imported, &step.figures, &step.app) {
        (Some(imported), ..) => vec![whole(List { figures: imported.figures.clone(), ..List::default() })],
        (None, Some(figures), _) => vec![whole(measured(step, figures)).add_few()],
        (None, None, Some(app)) => app_figures(step, app, &method),
        (None, None, None) => Vec::new(),
    }
}

fn app_figures(step: &StepResult, app: &AppResult, method: &Method) -> Vec<TestFigures> {
    let test = |part: &AppPart| TestFigures {
        test: format!("{}/{}", step.step.id, part.id),
        title: step.step.title.clone(),
        method: method.clone(),
        figures: part_figures(part, step.doubt(part.direction).cloned()),
        latencies: Vec::new(),
    };
    app.parts.iter().map(test).collect()
}

fn part_figures(part: &AppPart, doubt: Option<Doubt>) -> Vec<Figure> {
    let direction = Some(part.direction);
    let mut list = List { doubt, ..List::default() };
    list.add(direction, Quantity::Iops, part.operations_per_s());
    list.add(direction, Quantity::Bandwidth, part.bandwidth_bytes_per_s());
    if let Some(figures) = LatencyFigures::from_latency(&part.latency) {
        list.latency(direction, LatencyKind::Total, &figures, Some(&part.latency));
    }
    list.add(direction, Quantity::LongestStall, part.longest_pause());
    list.add(direction, Quantity::Runtime, Estimate::exact(part.duration_ns as f64));
    list.figures
}

fn measured(step: &StepResult, figures: &StepFigures) -> List {
    let merged = step.result.as_ref().map(|result: &RunResult| result.merged(|_| true));
    let mut list = List::default();
    for each in &figures.directions {
        list.doubt = step.doubt(each.direction).cloned();
        let raw = merged.as_ref().map(|merged| &merged[each.direction]);
        add_direction(&mut list, each);
        let direction = Some(each.direction);
        if let Some(submission) = &each.submission {
            let raw = raw.and_then(|raw| raw.submission.as_ref());
            list.latency(direction, LatencyKind::Submission, submission, raw);
        }
        list.latency(direction, LatencyKind::Completion, &each.completion, raw.map(|raw| &raw.completion));
        list.latency(direction, LatencyKind::Total, &each.total, raw.map(|raw| raw.total()));
    }
    if let Some(sync) = &figures.sync {
        list.doubt = step.doubt(Direction::Sync).cloned();
        let raw = merged.as_ref().map(|merged| &merged.sync.completion);
        list.latency(Some(Direction::Sync), LatencyKind::Total, sync, raw);
    }
    // A stall is of all directions: a doubt about one applies to it.
    list.doubt = figures.directions.iter().find_map(|each| step.doubt(each.direction).cloned());
    if !figures.directions.is_empty() {
        // A maximum has no interval: a longer run finds a longer stall.
        let stall = Estimate::bare(figures.longest_stall_ns as f64, 1);
        list.add(None, Quantity::LongestStall, stall);
    }
    list
}

fn add_direction(list: &mut List, figures: &DirectionFigures) {
    let direction = Some(figures.direction);
    list.add(direction, Quantity::Bandwidth, figures.bandwidth_bytes_per_s);
    list.add(direction, Quantity::Iops, figures.iops);
    list.add(direction, Quantity::Bytes, Estimate::exact(figures.bytes as f64));
    list.add(direction, Quantity::Ios, Estimate::exact(figures.ios as f64));
    list.add(direction, Quantity::Runtime, Estimate::exact(figures.runtime_ns as f64));
    if let Some(windows) = &figures.windows {
        list.windows(direction, windows);
    }
}

/// A list of figures under construction, and the doubt of the next ones.
#[derive(Default)]
struct List {
    doubt: Option<Doubt>,
    figures: Vec<Figure>,
    latencies: Vec<TestLatency>,
}

impl List {
    fn add(&mut self, direction: Option<Direction>, quantity: Quantity, estimate: Estimate) {
        let doubt = self.doubt.clone().filter(|_| !quantity.is_amount());
        self.figures.push(Figure { direction, quantity, estimate, window_ns: None, doubt });
    }

    /// Adds latencies, without withheld percentiles; percentiles have intervals if the distribution is available.
    fn latency(
        &mut self,
        direction: Option<Direction>,
        kind: LatencyKind,
        figures: &LatencyFigures,
        raw: Option<&Latency>,
    ) {
        let mut add = |statistic, estimate| self.add(direction, Quantity::Latency(kind, statistic), estimate);
        add(Statistic::Min, Estimate::bare(figures.min_ns as f64, figures.n));
        add(Statistic::Mean, Estimate::bare(figures.mean_ns, figures.n));
        add(Statistic::Stdev, Estimate::bare(figures.stdev_ns, figures.n));
        add(Statistic::Max, Estimate::bare(figures.max_ns as f64, figures.n));
        for figure in figures.percentiles.iter().filter(|figure| !figure.withheld) {
            let value = figure.value_ns as f64;
            let known = raw.and_then(|raw| Estimate::percentile(raw, figure.percentile));
            let estimate =
                known.map_or(Estimate::bare(value, figures.n), |known| Estimate { value, ..known });
            add(Statistic::Percentile(figure.percentile), estimate);
        }
        if let Some((latency, direction)) = raw.cloned().zip(direction) {
            self.latencies.push(TestLatency { direction, kind, latency });
        }
    }

    fn windows(&mut self, direction: Option<Direction>, figures: &WindowFigures) {
        let spread = &figures.bandwidth_bytes_per_s;
        let values = [
            (Statistic::Min, spread.min),
            (Statistic::Mean, spread.mean),
            (Statistic::Max, spread.max),
            (Statistic::Stdev, spread.stdev),
        ];
        for (statistic, value) in values {
            let quantity = Quantity::WindowBandwidth(statistic);
            let mut figure = Figure::bare(direction, quantity, value, spread.n);
            figure.window_ns = Some(figures.window_ns);
            figure.doubt = self.doubt.clone();
            self.figures.push(figure);
        }
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::counters::CounterOutcome;
    use cardiograph_core::drive::Drive;
    use cardiograph_core::imported::Imported;
    use cardiograph_core::report::{Step, StepOutcome, Work};
    use cardiograph_core::spec::JobSpec;

    use super::*;
    use crate::doubt;

    fn step() -> StepResult {
        let mut latency = Latency::default();
        (1..=2_000).for_each(|n| latency.record(n * 1_000));
        let total = LatencyFigures::from_latency(&latency).unwrap();
        let reads = DirectionFigures {
            direction: Direction::Read,
            ios: 2_000,
            bytes: 2_000 * 4_096,
            short_ios: 0,
            runtime_ns: 1_000_000_000,
            bandwidth_bytes_per_s: Estimate::bare(8_192_000.0, 10),
            iops: Estimate::bare(2_000.0, 10),
            submission: None,
            completion: total.clone(),
            total: total.clone(),
            predictability: None,
            windows: None,
        };
        let work =
            Work::Jobs(vec![JobSpec::for_step("s", "random-read").set("rw", "randread").set("direct", "1")]);
        StepResult {
            jobs: jobs_method::ran_jobs(work.jobs()),
            figures: Some(StepFigures {
                directions: vec![reads],
                sync: Some(total),
                longest_stall_ns: 5,
                ..StepFigures::default()
            }),
            ..StepResult::new(
                Step::measuring("random-read", cardiograph_core::Message::verbatim("Random read"), work),
                StepOutcome::Done,
            )
        }
    }

    fn value(test: &TestFigures, direction: Option<Direction>, name: &str) -> Option<f64> {
        test.figure(direction, name.parse().unwrap()).map(|figure| figure.estimate.value)
    }

    #[test]
    fn a_measured_step_gives_flat_figures() {
        let tests = tests_of(&step());
        let [test] = &tests[..] else { panic!("{tests:?}") };
        let read = Some(Direction::Read);
        assert_eq!(value(test, read, "iops"), Some(2_000.0));
        assert_eq!(value(test, read, "latency_max"), Some(2_000_000.0));
        assert_eq!(value(test, Some(Direction::Sync), "latency_mean"), Some(1_000_500.0));
        assert_eq!(value(test, None, "longest_stall"), Some(5.0));
        // Twenty are above p99, two above p99.9: too few.
        assert!(value(test, read, "completion_p99").is_some());
        assert_eq!(value(test, read, "completion_p99.9"), None);
        assert!(test.figures.iter().all(|figure| figure.doubt.is_none()));
    }

    #[test]
    fn figures_carry_the_doubts_of_their_step() {
        let tests = |mut step: StepResult| {
            doubt::settle(&mut step, &Drive::default(), false);
            tests_of(&step).remove(0).figures
        };
        let cut = StepResult { outcome: StepOutcome::Interrupted, ..step() };
        let doubted = Some(Doubt::Interrupted);
        assert!(tests(cut).iter().all(|figure| figure.quantity.is_amount() || figure.doubt == doubted));
        let check = cardiograph_core::counters::CounterCheck {
            direction: Direction::Read,
            asked_bytes: 100,
            counted_bytes: 1,
            share: 0.01,
            outcome: CounterOutcome::Contradicts,
        };
        let cached = StepResult { counter_checks: vec![check], ..step() };
        let doubted = tests(cached);
        // The longest stall is of all directions.
        let is_doubted =
            |figure: &Figure| figure.direction != Some(Direction::Sync) && !figure.quantity.is_amount();
        assert!(doubted.iter().all(|figure| is_doubted(figure) == figure.doubt.is_some()));
    }

    #[test]
    fn one_rate_is_derived_from_the_other_if_all_ios_have_one_length() {
        let read = Some(Direction::Read);
        for (reported, block_bytes, wanted, expected) in [
            (Quantity::Bandwidth, Some(4_096), Quantity::Iops, Some(100.0)),
            (Quantity::Iops, Some(4_096), Quantity::Bandwidth, Some(409_600.0 * 4_096.0)),
            (Quantity::Bandwidth, None, Quantity::Iops, None),
            (Quantity::Bandwidth, Some(0), Quantity::Iops, None),
            (Quantity::Bandwidth, Some(4_096), Quantity::Bandwidth, Some(409_600.0)),
            (Quantity::Bandwidth, Some(4_096), Quantity::Ios, None),
        ] {
            let mut figure = Figure::bare(read, reported, 409_600.0, 0);
            (figure.estimate.low, figure.doubt) = (Some(204_800.0), Some(Doubt::PageCache));
            let test = TestFigures {
                test: "t".to_string(),
                title: Message::verbatim("T"),
                method: Method { block_bytes, ..Method::default() },
                figures: vec![figure],
                latencies: Vec::new(),
            };
            let found = test.reported_or_derived(read, wanted);
            assert_eq!(found.as_ref().map(|figure| figure.estimate.value), expected, "{reported} {wanted}");
            if let Some(found) = found {
                assert_eq!(found.estimate.low, expected.map(|value| value / 2.0));
                assert_eq!((found.quantity, found.doubt.clone()), (wanted, Some(Doubt::PageCache)));
            }
            assert_eq!(test.reported_or_derived(None, wanted), None);
        }
    }

    #[test]
    fn an_imported_step_has_the_figures_of_its_source() {
        let figure = Figure::bare(Some(Direction::Write), Quantity::Bandwidth, 34.4e6, 0);
        let reported = Imported { figures: vec![figure.clone()], ..Imported::default() };
        let method = Method { tool: "dd".to_string(), ..Method::default() };
        let mut step = StepResult { imported: Some(reported), figures: None, ..step() };
        step.step.work = Work::Imported(method.clone());
        let test = tests_of(&step).remove(0);
        assert_eq!((test.figures, test.method), (vec![figure], method));
        assert!(tests_of(&StepResult { imported: None, ..step }).is_empty());
    }
}
