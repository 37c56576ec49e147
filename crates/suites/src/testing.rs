//! Model drives for tests: results of steps by arithmetic.

use cardiograph_core::drive::{Drive, Environment, Leaf, LeafKind, Mount};
use cardiograph_core::figures::StepFigures;
use cardiograph_core::histogram::{LatencyHistogram, LatencyParts, bucket_of};
use cardiograph_core::report::{Step, StepOutcome, StepResult};
use cardiograph_core::result::{DirectionResult, WorkerResult};
use cardiograph_core::series::Interval;
use cardiograph_core::workload::{Order, Workload};
use cardiograph_core::{Direction, Latency, MIB, Message, NS_PER_S, PerDirection, Plan, RunResult, Series};
use cardiograph_jobs::method::ran_jobs;
use cardiograph_jobs::resolve::{ResolveContext, resolve};
use cardiograph_judge::doubt;

use crate::next_step::NextStep;
use crate::suite::{Context, Options, Suite};

pub(crate) const GB: u64 = 1_000_000_000;
const RESOLVE: ResolveContext<'static> = ResolveContext::new(7, 100_000_000);

/// A drive with constant speeds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Model {
    pub read_mib_per_s: u64,
    pub write_mib_per_s: u64,
    pub random_read_iops: u64,
    pub random_read_deep_iops: u64,
    pub random_write_iops: u64,
    pub durable_write_iops: u64,
}

/// A usual card.
pub(crate) const SLOW_CARD: Model = Model {
    read_mib_per_s: 90,
    write_mib_per_s: 31,
    random_read_iops: 3_800,
    random_read_deep_iops: 5_000,
    random_write_iops: 500,
    durable_write_iops: 166,
};

/// A fast NVMe drive.
pub(crate) const FAST_SSD: Model = Model {
    read_mib_per_s: 2_500,
    write_mib_per_s: 3_000,
    random_read_iops: 15_000,
    random_read_deep_iops: 300_000,
    random_write_iops: 60_000,
    durable_write_iops: 20_000,
};

/// A card that hardly writes.
pub(crate) const BAD_CARD: Model = Model {
    read_mib_per_s: 13,
    write_mib_per_s: 4,
    random_read_iops: 598,
    random_read_deep_iops: 577,
    random_write_iops: 1,
    durable_write_iops: 1,
};

/// A card of `capacity_bytes`, of which `available_bytes` are free.
pub(crate) fn card(capacity_bytes: u64, available_bytes: u64) -> Drive {
    Drive {
        capacity_bytes: Some(capacity_bytes),
        mount: Some(Mount { size_bytes: capacity_bytes, available_bytes, ..Default::default() }),
        leaves: vec![Leaf { kind: LeafKind::SdCard, ..Default::default() }],
        ..Default::default()
    }
}

/// Runs a suite to its end.
pub(crate) fn run_all(suite: &dyn Suite, drive: &Drive, options: &Options, model: &Model) -> Vec<StepResult> {
    with_context(drive, options, |context| {
        let mut done = Vec::new();
        while let Some(NextStep { step, .. }) = suite.next(context, &done) {
            done.push(run(step, model));
            settle(&mut done, drive, options);
            assert!(done.len() < 60, "the suite does not end");
        }
        done
    })
}

/// Sets the doubts of steps, as the program does after running them. Tests that change results repeat it.
pub(crate) fn settle(done: &mut [StepResult], drive: &Drive, options: &Options) {
    done.iter_mut().for_each(|step| doubt::settle(step, drive, !options.direct));
}

pub(crate) fn with_context<T>(drive: &Drive, options: &Options, f: impl FnOnce(&Context<'_>) -> T) -> T {
    let environment = Environment::default();
    f(&Context { drive, environment: &environment, options })
}

/// The Plan of a step.
///
/// # Panics
/// When the step's jobs do not resolve.
pub(crate) fn plan(step: &Step) -> Plan {
    resolve(step.jobs(), &RESOLVE).unwrap_or_else(|diagnostics| panic!("{}: {diagnostics:?}", step.id))
}

/// The result of a step on a model.
pub(crate) fn run(step: Step, model: &Model) -> StepResult {
    let plan = plan(&step);
    let workers = plan.jobs.iter().enumerate();
    let workers: Vec<_> =
        workers.map(|(at, job)| WorkerResult { job: at, ..worker(&job.workload, model) }).collect();
    let result = RunResult {
        duration_ns: workers.iter().map(|worker| worker.end_ns).max().unwrap_or(0),
        workers,
        ..RunResult::default()
    };
    StepResult {
        jobs: ran_jobs(step.jobs()),
        figures: Some(StepFigures::from_result(&result)),
        result: Some(result),
        ..StepResult::new(step, StepOutcome::Done)
    }
}

fn worker(workload: &Workload, model: &Model) -> WorkerResult {
    let is_random = workload.order != Order::Sequential;
    let iops = |direction| match (direction, is_random, workload.depth) {
        (Direction::Read, true, 1) => model.random_read_iops,
        (Direction::Read, true, _) => model.random_read_deep_iops,
        (Direction::Write, true, _) => model.random_write_iops,
        (Direction::Write, false, _) if workload.sync_every.is_some() => model.durable_write_iops,
        (Direction::Read, ..) => model.read_mib_per_s * MIB / workload.block_len.read.max_bytes(),
        _ => model.write_mib_per_s * MIB / workload.block_len.write.max_bytes(),
    };
    let used: Vec<_> = [Direction::Read, Direction::Write]
        .into_iter()
        .filter(|&direction| workload.uses(direction))
        .collect();
    let mut directions = PerDirection::<DirectionResult>::default();
    let mut series = Series { window_ns: RESOLVE.window_ns, ..Default::default() };
    for &direction in &used {
        let len_bytes = workload.block_len[direction].max_bytes();
        // In a mix, both directions wait for each other.
        let iops = iops(direction) / used.len() as u64;
        let by_bytes = workload.stop.bytes.map(|bytes| bytes / used.len() as u64 / len_bytes);
        let by_time = workload.stop.time_ns.map(|ns| iops * (ns / 1_000_000) / 1_000);
        let ios = by_bytes.unwrap_or(u64::MAX).min(by_time.unwrap_or(u64::MAX));
        let runtime_ns = ios * NS_PER_S / iops.max(1);
        let latency = constant(ios, NS_PER_S / iops.max(1));
        directions[direction] = DirectionResult {
            ios,
            bytes: ios * len_bytes,
            issued_bytes: ios * len_bytes,
            runtime_ns,
            completion: latency.clone(),
            ..Default::default()
        };
        if workload.sync_every.is_some() {
            directions.sync = DirectionResult { ios, runtime_ns, completion: latency, ..Default::default() };
        }
        let windows = (runtime_ns / series.window_ns).max(1);
        let row = Interval { ios: ios / windows, bytes: ios * len_bytes / windows, ..Default::default() };
        series.rows[direction] = vec![row; windows as usize];
        series.duration_ns = series.duration_ns.max(windows * series.window_ns);
    }
    WorkerResult {
        engine: workload.engine.clone(),
        end_ns: Direction::ALL
            .into_iter()
            .map(|direction| directions[direction].runtime_ns)
            .max()
            .unwrap_or(0),
        directions,
        series,
        longest_gap_ns: 40_000_000,
        ..WorkerResult::default()
    }
}

/// Bytes that all steps wrote.
pub(crate) fn written(done: &[StepResult]) -> u64 {
    let results = done.iter().filter_map(|step| step.result.as_ref());
    results.map(|result| result.issued_bytes(Direction::Write)).sum()
}

fn constant(n: u64, ns: u64) -> Latency {
    let mut histogram = LatencyHistogram::default();
    if n > 0 {
        histogram.add(bucket_of(ns), n);
    }
    let (wide_n, wide_ns) = (u128::from(n), u128::from(ns));
    let sum_squares_ns2 = wide_n * wide_ns * wide_ns;
    Latency::from_parts(
        histogram,
        LatencyParts { min_ns: ns, max_ns: ns, sum_ns: wide_n * wide_ns, sum_squares_ns2 },
    )
}

/// The suite with this name.
pub(crate) fn suite(name: &str) -> &'static dyn Suite {
    crate::find(name).unwrap()
}

/// Whether one of the messages has this id.
pub(crate) fn has(messages: &[Message], id: &str) -> bool {
    messages.iter().any(|message| message.id() == id)
}
