//! Handmade Reports for tests. The figures of the first follow a published measurement of a SanDisk Ultra 64
//! GB in a Raspberry Pi 5 with fio.

use cardiograph_core::counters;
use cardiograph_core::drive::{
    DeviceCounters, Drive, Environment, Host, Layer, LayerKind, Leaf, LeafKind, Mount,
};
use cardiograph_core::falloff::{FallOff, FallOffSearch};
use cardiograph_core::figures::{
    CpuPerIo, DirectionFigures, LatencyFigures, PERCENTILES, PercentileFigure, QUOTED_WINDOW_NS,
    SAMPLES_ABOVE_MIN, StepFigures, WindowFigures,
};
use cardiograph_core::message::Parameter;
use cardiograph_core::metric::{Measured, Metric};
use cardiograph_core::report::{
    Report, ReportState, Step, StepOutcome, StepResult, StepRole, TestFile, Work,
};
use cardiograph_core::result::{ClockInfo, ClockSource, CpuTime, EngineNote, RunResult, WorkerResult};
use cardiograph_core::rng::Rng;
use cardiograph_core::series::Spread;
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level, Verdict};
use cardiograph_core::{
    Direction, Doubt, Estimate, Interval, JobSpec, KIB, Latency, MIB, Message, NS_PER_MS, NS_PER_S, Origin,
    PerDirection, Series, message,
};
use cardiograph_judge::doubt;

mod drives;
mod leaves;
pub(crate) mod verdicts;
mod volumes;

pub(crate) use drives::{named_drives, passport};
use verdicts::{finding, verdict, verdicts};

const US: f64 = 1_000.0;
const MS: f64 = 1_000_000.0;

/// All of them.
pub(crate) fn all() -> Vec<Report> {
    vec![card(), interrupted(), contradicted(), array()]
}

/// A microSD card that is good for some purposes.
pub(crate) fn card() -> Report {
    let steps = vec![
        fill(),
        sequential_read(),
        random_read(),
        random_read_deep(),
        random_write(),
        durable_write(),
        sustained_write(None),
    ];
    let mut report = report(steps, verdicts());
    let sustained = Estimate { value: 31.3 * MIB as f64, n: 200, n_effective: 80.0, low: None, high: None };
    let measured = Measured { estimate: sustained, step: "sustained-write".to_string(), doubt: None };
    report.measurements.insert(Metric::SustainedWrite, measured);
    report
}

/// The same card, with a checkup that the user ended during the random reads.
pub(crate) fn interrupted() -> Report {
    let mut cut_short = random_read();
    cut_short.outcome = StepOutcome::Interrupted;
    let unjudged = |purpose: &str, title: Message, metric| {
        let missing = Finding {
            required: true,
            ..finding(metric, None, 100.0, Guards::Enough, message!("limit-sd-a2.programs"))
        };
        verdict(purpose, title, Level::CannotBeJudged, vec![missing])
    };
    let verdicts = vec![
        unjudged("os", message!("purpose-os"), Metric::RandomWriteIops),
        unjudged("db-light", message!("purpose-db-light"), Metric::SyncP99),
    ];
    let mut report = report(vec![fill(), sequential_read(), cut_short], verdicts);
    report.state = ReportState::Interrupted;
    report
}

/// A card with a Japanese label on a compressing file system: its writing falls off, and its flush failed.
pub(crate) fn contradicted() -> Report {
    let mut random_read = random_read();
    let counted = DeviceCounters { read_ios: 795, read_bytes: 3_256_320, ..Default::default() };
    random_read.counter_checks = check(&[(Direction::Read, 465_285_120)], &counted);
    random_read.device_counters = Some(counted);
    let cliff = FallOff {
        after_bytes: 2_150 * MIB,
        before_bytes_per_s: 330.0 * MIB as f64,
        after_bytes_per_s: 90.2 * MIB as f64,
        p_value: 1e-6,
    };
    let mut failed = durable_write();
    failed.outcome = StepOutcome::Failed {
        message: message!("io-failed", direction = Direction::Sync.message(), error = Parameter::OsError(5)),
    };
    failed.figures = None;
    failed.counter_checks.clear();
    let doubtful = Finding {
        doubt: Some(Doubt::Contradicted { share: 0.007 }.message()),
        outcome: FindingOutcome::NotJudged,
        ..finding(
            Metric::RandomReadIops,
            Some(3_786.0),
            1_500.0,
            Guards::Enough,
            message!("limit-sd-a2.programs"),
        )
    };
    let verdicts =
        vec![verdict("containers", message!("purpose-containers"), Level::CannotBeJudged, vec![doubtful])];
    let steps = vec![mixed(), random_read, sustained_write(Some(cliff)), failed];
    let mut report = report(steps, verdicts);
    report.label = Some("台所の白いカード".to_string());
    report.suite = "article".to_string();
    report.state = ReportState::Failed;
    report.drive.mount.as_mut().unwrap().fs_type = "btrfs".to_string();
    report.notes = vec![Message::verbatim(
        "btrfs は圧縮が有効なため、読み書きの数値はドライブそのものの速さを表していないことがあります。",
    )];
    report
}

/// A RAID set of two SSDs below a logical volume, before the first step.
pub(crate) fn array() -> Report {
    let mut report = report(Vec::new(), Vec::new());
    let ssd = |name: &str| Leaf {
        name: name.to_string(),
        kind: LeafKind::Nvme,
        vendor: Some("KIOXIA".to_string()),
        model: Some("KIOXIA-EXCERIA PRO SSD".to_string()),
        capacity_bytes: Some(2_000_398_934_016),
        ..Default::default()
    };
    let layer = |kind, name: &str, label: Option<&str>, below: &[&str]| Layer {
        label: label.map(str::to_string),
        ..Layer::new(kind, name, below)
    };
    report.state = ReportState::Running;
    report.drive.leaves = vec![ssd("nvme0n1"), ssd("nvme1n1")];
    report.drive.capacity_bytes = Some(2_000_398_934_016);
    report.drive.layers = vec![
        layer(LayerKind::Lvm, "dm-0", Some("vg0-data"), &["md0"]),
        layer(LayerKind::Md, "md0", None, &["nvme0n1", "nvme1n1"]),
    ];
    report.environment.virtual_machine = Some(true);
    report
}

fn report(mut steps: Vec<StepResult>, verdicts: Vec<Verdict>) -> Report {
    steps.iter_mut().for_each(|step| doubt::settle(step, &Drive::default(), false));
    let leaf = Leaf {
        name: "mmcblk0".to_string(),
        kind: LeafKind::SdCard,
        vendor: Some("SanDisk".to_string()),
        model: Some("SC64G".to_string()),
        capacity_bytes: Some(63_864_569_856),
        ..Default::default()
    };
    let mount = Mount {
        mount_point: "/".to_string(),
        fs_type: "ext4".to_string(),
        source: "/dev/mmcblk0p2".to_string(),
        options: vec!["rw".to_string(), "noatime".to_string()],
        size_bytes: 62_500_000_000,
        available_bytes: 44_244_000_000,
        is_memory: false,
        file_system: None,
    };
    let layer = Layer::new(LayerKind::Partition, "mmcblk0p2", &["mmcblk0"]);
    Report {
        seed: 1,
        state: ReportState::Finished,
        host: Host {
            name: None,
            model: Some("Raspberry Pi 5 Model B Rev 1.0".to_string()),
            kernel: Some("Linux 6.12.47+rpt-rpi-2712".to_string()),
            arch: Some("aarch64".to_string()),
            ..Default::default()
        },
        drive: Drive {
            path: "/home/pi".to_string(),
            mount: Some(mount),
            layers: vec![layer],
            capacity_bytes: Some(63_864_569_856),
            leaves: vec![leaf],
            ..Drive::default()
        },
        environment: Environment { load_1m: Some(0.1 + 0.2), ..Default::default() },
        steps,
        verdicts,
        ..Report::new("20251105T031901Z-5f3a", 1_762_312_741_000, "cardiograph 0.1.0", "quick")
    }
}

const fn four_kib() -> Parameter {
    Parameter::BlockBytes(4 * KIB)
}

fn at_depth(test: Message, depth: u32) -> Message {
    message!("step-depth", test, depth)
}

fn step(
    id: &str,
    title: Message,
    settings: &[(&str, &str)],
    directions: Vec<DirectionFigures>,
) -> StepResult {
    let origin = Origin::Suite { suite: "quick".to_string(), step: id.to_string() };
    let job = settings.iter().fold(JobSpec::new(id, origin), |job, (option, value)| job.set(option, value));
    let asked: Vec<_> = directions.iter().map(|figures| (figures.direction, figures.bytes)).collect();
    let bytes = |direction| asked.iter().find(|asked| asked.0 == direction).map_or(0, |asked| asked.1);
    let counted = DeviceCounters {
        read_ios: bytes(Direction::Read) / (512 * KIB),
        read_bytes: bytes(Direction::Read),
        write_ios: bytes(Direction::Write) / (512 * KIB),
        write_bytes: bytes(Direction::Write),
        flush_ios: 0,
    };
    let step = Step {
        files: vec![TestFile { name: "cardiograph-read.tmp".to_string(), len_bytes: 152 * MIB }],
        write_bytes_max: bytes(Direction::Write),
        time_ns_max: Some(10 * NS_PER_S),
        ..Step::measuring(id, title, Work::Jobs(vec![job.clone()]))
    };
    StepResult {
        fio_commands: vec![cardiograph_fio::fio_command::command_line(&job)],
        jobs: cardiograph_jobs::method::ran_jobs(step.jobs()),
        result: Some(run(settings)),
        figures: Some(StepFigures {
            directions,
            cpu_per_io: Some(CpuPerIo { user_ns: 1_502.0, system_ns: 11_680.0 }),
            longest_stall_ns: 65_467_000,
            ..StepFigures::default()
        }),
        device_counters: Some(counted),
        counter_checks: check(&asked, &counted),
        ..StepResult::new(step, StepOutcome::Done)
    }
}

fn check(asked: &[(Direction, u64)], counted: &DeviceCounters) -> Vec<counters::CounterCheck> {
    asked.iter().filter_map(|&(direction, bytes)| counters::check(direction, bytes, counted)).collect()
}

/// A small raw result, so that the stored Report has all its parts.
fn run(settings: &[(&str, &str)]) -> RunResult {
    let engine =
        settings.iter().find(|(option, _)| *option == "ioengine").map_or("psync", |(_, value)| value);
    let mut rng = Rng::new(7);
    let mut directions = PerDirection::default();
    let reads: &mut cardiograph_core::result::DirectionResult = &mut directions.read;
    let mut latency = Latency::default();
    (0..500).for_each(|_| latency.record(195_000 + rng.below(190_000)));
    (reads.ios, reads.bytes, reads.issued_bytes) = (500, 500 * 4 * KIB, 500 * 4 * KIB);
    reads.runtime_ns = 132_000_000;
    reads.completion = latency;
    let row = Interval { ios: 50, bytes: 50 * 4 * KIB, latency_ns_sum: 13_200_000, latency_ns_max: 383_000 };
    let rows = PerDirection { read: vec![row; 80], ..Default::default() };
    let worker = WorkerResult {
        engine: engine.to_string(),
        end_ns: 8_000_000_000,
        directions,
        series: Series { window_ns: 100 * NS_PER_MS, duration_ns: 8 * NS_PER_S, rows, ..Series::default() },
        longest_gap_ns: 383_000,
        cpu: Some(CpuTime { user_ns: 751_000, system_ns: 5_840_000, ..CpuTime::default() }),
        ..WorkerResult::default()
    };
    RunResult {
        duration_ns: 8 * NS_PER_S,
        clock: ClockInfo {
            source: ClockSource::Cntvct,
            resolution_ns: 18.5,
            read_cost_ns: 9.2,
            drift_ppm: Some(0.4),
        },
        workers: vec![worker],
        ..RunResult::default()
    }
}

/// Figures of a direction: `nominal` is IOPS, bytes of one I/O and time in seconds.
fn direction(direction: Direction, nominal: (f64, u64, f64), total: LatencyFigures) -> DirectionFigures {
    let (iops, io_bytes, seconds) = nominal;
    let ios = (iops * seconds) as u64;
    let rate = |value: f64| Estimate {
        value,
        n: 80,
        n_effective: 41.0,
        low: Some(value * 0.985),
        high: Some(value * 1.015),
    };
    let speed = iops * io_bytes as f64;
    let spread = Spread {
        n: (seconds * 2.0) as u64,
        min: speed * 0.895,
        mean: speed,
        max: speed * 1.15,
        stdev: speed * 0.039,
    };
    let predictability = total.percentile_ns(99.99).zip(total.percentile_ns(50.0));
    DirectionFigures {
        direction,
        ios,
        bytes: ios * io_bytes,
        short_ios: 0,
        runtime_ns: (seconds * 1e9) as u64,
        bandwidth_bytes_per_s: rate(speed),
        iops: rate(iops),
        submission: None,
        completion: total.clone(),
        predictability: predictability.map(|(worst, median)| worst as f64 / median as f64),
        total,
        windows: Some(WindowFigures { window_ns: QUOTED_WINDOW_NS, bandwidth_bytes_per_s: spread }),
    }
}

/// Figures of a latency: `spread` is minimum, mean, deviation and maximum, `percentiles` those of [`PERCENTILES`]; all
/// in `unit_ns`.
fn latency(n: u64, unit_ns: f64, spread: [f64; 4], percentiles: [f64; 7]) -> LatencyFigures {
    let [min, mean, stdev, max] = spread.map(|value| value * unit_ns);
    let figure = |(percentile, value): (f64, f64)| {
        let samples_above = (n as f64 * (100.0 - percentile) / 100.0) as u64;
        let withheld = samples_above < SAMPLES_ABOVE_MIN;
        PercentileFigure { percentile, value_ns: (value * unit_ns) as u64, samples_above, withheld }
    };
    let percentiles = PERCENTILES.into_iter().zip(percentiles).map(figure).collect();
    LatencyFigures { n, min_ns: min as u64, mean_ns: mean, stdev_ns: stdev, max_ns: max as u64, percentiles }
}

fn fill() -> StepResult {
    let latency =
        latency(152, MS, [23.7, 247.0, 12.0, 298.0], [246.0, 250.0, 261.0, 270.0, 290.0, 298.0, 298.0]);
    let settings =
        [("size", "152M"), ("bs", "1M"), ("rw", "write"), ("ioengine", "io_uring"), ("iodepth", "8")];
    let writes = direction(Direction::Write, (31.0, MIB, 4.91), latency);
    let mut step = step("fill", message!("step-fill"), &settings, vec![writes]);
    step.step.role = StepRole::Prepare;
    step.step.sizing = vec![message!(
        "note-budget.drive",
        bytes = Parameter::Bytes(609 * MIB),
        share = Parameter::share(0.01),
        capacity = Parameter::CapacityBytes(63_900_000_000)
    )];
    step
}

fn sequential_read() -> StepResult {
    let latency = latency(540, MS, [11.0, 11.1, 0.55, 16.5], [11.1, 11.1, 11.1, 11.2, 12.9, 16.5, 16.5]);
    let settings = [("size", "152M"), ("bs", "1M"), ("rw", "read"), ("time_based", ""), ("runtime", "6")];
    let reads = direction(Direction::Read, (90.1, MIB, 6.0), latency);
    step("sequential-read", message!("step-read", block = Parameter::BlockBytes(MIB)), &settings, vec![reads])
}

fn random_read() -> StepResult {
    let latency = latency(
        113_595,
        US,
        [195.0, 263.16, 78.24, 23_177.0],
        [257.0, 262.0, 371.0, 375.0, 379.0, 383.0, 2_180.0],
    );
    let settings = [
        ("filename", "cardiograph-read.tmp"),
        ("size", "152M"),
        ("bs", "4k"),
        ("rw", "randread"),
        ("direct", "1"),
        ("time_based", "1"),
        ("runtime", "30"),
    ];
    let reads = direction(Direction::Read, (3_786.0, 4 * KIB, 30.0), latency);
    step("random-read", at_depth(message!("step-random-read", block = four_kib()), 1), &settings, vec![reads])
}

fn random_read_deep() -> StepResult {
    let percentiles = [8.12, 8.14, 8.31, 8.4, 9.1, 11.3, 25.0];
    let total = latency(23_600, MS, [1.02, 8.12, 0.41, 25.2], percentiles);
    let settings = [("bs", "4k"), ("rw", "randread"), ("ioengine", "io_uring"), ("iodepth", "32")];
    let mut reads = direction(Direction::Read, (3_936.0, 4 * KIB, 6.0), total);
    reads.submission =
        Some(latency(23_600, US, [0.4, 1.21, 0.9, 31.0], [1.1, 1.2, 1.9, 2.4, 4.0, 9.9, 22.0]));
    let mut step = step(
        "random-read-deep",
        at_depth(message!("step-random-read", block = four_kib()), 32),
        &settings,
        vec![reads],
    );
    step.counter_checks[0] = counters::check(
        Direction::Read,
        96_731_136,
        &DeviceCounters { read_bytes: 104_900_000, ..Default::default() },
    )
    .unwrap();
    step
}

fn random_write() -> StepResult {
    let percentiles = [1.71, 1.83, 2.7, 3.5, 12.4, 119.0, 238.0];
    let latency = latency(3_776, MS, [0.81, 2.11, 4.9, 238.0], percentiles);
    let settings = [("bs", "4k"), ("rw", "randwrite"), ("runtime", "8")];
    let writes = direction(Direction::Write, (472.0, 4 * KIB, 8.0), latency);
    step(
        "random-write",
        at_depth(message!("step-random-write", block = four_kib()), 1),
        &settings,
        vec![writes],
    )
}

fn durable_write() -> StepResult {
    let percentiles = [1.745, 1.926, 2.704, 3.523, 4.293, 5.932, 22.938];
    let write = latency(4_983, MS, [0.809, 1.866, 0.78, 22.931], percentiles);
    let percentiles = [3.72, 4.817, 5.538, 6.521, 7.57, 28.967, 38.536];
    let sync = latency(4_983, MS, [2.065, 4.152, 1.646, 38.652], percentiles);
    let settings = [("bs", "4k"), ("rw", "write"), ("fsync", "1")];
    let writes = direction(Direction::Write, (166.1, 4 * KIB, 30.0), write);
    let mut step =
        step("durable-write", message!("step-durable", block = four_kib()), &settings, vec![writes]);
    step.figures.as_mut().unwrap().sync = Some(sync);
    let counted = DeviceCounters { write_ios: 14_928, write_bytes: 278_528 * 512, ..Default::default() };
    step.counter_checks = check(&[(Direction::Write, 4_983 * 4 * KIB)], &counted);
    step
}

fn sustained_write(fall_off: Option<FallOff>) -> StepResult {
    let percentiles = [31.065, 31.851, 34.341, 42.73, 47.973, 63.701, 65.274];
    let latency = latency(3_756, MS, [23.7, 31.952, 4.707, 65.486], percentiles);
    let settings = [("bs", "1M"), ("rw", "write"), ("size", "3G"), ("runtime", "120")];
    let writes = direction(Direction::Write, (31.3, MIB, 120.018), latency);
    let mut step = step(
        "sustained-write",
        message!("step-sustained", block = Parameter::BlockBytes(MIB)),
        &settings,
        vec![writes],
    );
    let search = FallOffSearch { searched_bytes: 3_700 * MIB, found: fall_off };
    step.figures.as_mut().unwrap().fall_off = Some(search);
    let result = step.result.as_mut().unwrap();
    result.notes = vec![EngineNote::DepthCapped { engine: "psync".to_string(), depth: 2 }];
    // A window of 500 ms at 31.3 MiB/s, or faster until it falls off.
    let row = |window: u64| {
        let is_fast = fall_off.is_some_and(|fall_off| window * 165 * MIB < fall_off.after_bytes);
        let bytes = if is_fast { 165 * MIB } else { 14 * MIB + window % 7 * MIB };
        Interval { ios: bytes / MIB, bytes, latency_ns_sum: 0, latency_ns_max: 0 }
    };
    let rows = PerDirection { write: (0..240).map(row).collect(), ..Default::default() };
    result.workers[0].series =
        Series { window_ns: QUOTED_WINDOW_NS, duration_ns: 120 * NS_PER_S, rows, ..Series::default() };
    step
}

fn mixed() -> StepResult {
    let reads = latency(99, MS, [11.046, 11.133, 0.55, 16.543], [11.1, 11.1, 11.1, 11.1, 16.5, 16.5, 16.5]);
    let writes =
        latency(101, MS, [26.492, 32.174, 4.158, 53.319], [31.1, 32.4, 33.4, 39.6, 53.2, 53.2, 53.2]);
    let directions = vec![
        direction(Direction::Read, (22.743, MIB, 4.353), reads),
        direction(Direction::Write, (23.203, MIB, 4.353), writes),
    ];
    let block = Parameter::BlockBytes(MIB);
    let title = message!("step-mix", block, reads = Parameter::share(0.5));
    step("sdtest", title, &[("rw", "readwrite"), ("bs", "1M")], directions)
}
