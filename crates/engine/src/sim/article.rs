//! The four experiments of the article that two models are based on, with its figures.
//!
//! Source: "Raspberry Pi: microSD vs SSD", section 4 with the raw outputs of fio 3.39 on a Raspberry Pi 5.

use std::sync::Arc;

use cardiograph_core::series::Spread;
use cardiograph_core::{Direction, GIB, MIB, NS_PER_S};
use cardiograph_jobs::offsets::{BlockOrder, Mix};

use super::drive::{SimDrive, SimFile};
use super::model::DriveModel;
use super::workbench::{Done, drive_at_depth, drive_one_by_one, request};
use crate::engine::OpKind;

/// A figure: name, value in the article, measured value.
type Figure = (&'static str, f64, f64);

/// The article's figures for a drive, in the units of the names.
struct Article {
    read_mib_s: f64,
    write_mib_s: f64,
    read_mean_ms: f64,
    write_mean_ms: f64,
    mixed_ms: f64,
    random_iops: f64,
    random_mean_us: f64,
    random_p95_us: f64,
    random_p99_us: f64,
    random_p999_us: f64,
    random_below_250_share: f64,
    random_deviation_us: f64,
    durable_iops: f64,
    durable_write_mean_us: f64,
    durable_write_p50_us: f64,
    durable_write_p99_us: f64,
    sync_mean_us: f64,
    sync_p50_us: f64,
    sync_p95_us: f64,
    sync_p99_us: f64,
    durable_sectors: f64,
    sustained_mib_s: f64,
    sustained_mib: f64,
    sustained_mean_ms: f64,
    sustained_p50_ms: f64,
    sustained_p95_ms: f64,
    sustained_p99_ms: f64,
    window_deviation_kib_s: f64,
}

const CARD: Article = Article {
    read_mib_s: 22.7,
    write_mib_s: 23.2,
    read_mean_ms: 11.133,
    write_mean_ms: 32.142,
    mixed_ms: 4_353.0,
    random_iops: 3_786.0,
    random_mean_us: 263.03,
    random_p95_us: 375.0,
    random_p99_us: 379.0,
    random_p999_us: 383.0,
    random_below_250_share: 0.3166,
    random_deviation_us: 78.23,
    durable_iops: 166.0,
    durable_write_mean_us: 1_866.03,
    durable_write_p50_us: 1_745.0,
    durable_write_p99_us: 4_293.0,
    sync_mean_us: 4_152.8,
    sync_p50_us: 3_720.0,
    sync_p95_us: 6_521.0,
    sync_p99_us: 7_570.0,
    durable_sectors: 278_528.0,
    sustained_mib_s: 31.3,
    sustained_mib: 3_756.0,
    sustained_mean_ms: 31.930,
    sustained_p50_ms: 31.065,
    sustained_p95_ms: 42.730,
    sustained_p99_ms: 47.973,
    window_deviation_kib_s: 1_248.7,
};

/// fio shows the percentiles of the last experiment in whole milliseconds, rounded up: "4" means above 3 and
/// up to 4, "7" above 6 and up to 7. The first experiment, with the same writes, gives a more precise median:
/// 3.064.
const SSD: Article = Article {
    read_mib_s: 144.0,
    write_mib_s: 147.0,
    read_mean_ms: 3.685,
    write_mean_ms: 3.164,
    mixed_ms: 687.0,
    random_iops: 5_275.0,
    random_mean_us: 188.53,
    random_p95_us: 192.0,
    random_p99_us: 196.0,
    random_p999_us: 198.0,
    random_below_250_share: 0.9997,
    random_deviation_us: 83.38,
    durable_iops: 178.0,
    durable_write_mean_us: 359.28,
    durable_write_p50_us: 330.0,
    durable_write_p99_us: 445.0,
    sync_mean_us: 5_232.38,
    sync_p50_us: 5_211.0,
    sync_p95_us: 5_538.0,
    sync_p99_us: 5_735.0,
    durable_sectors: 430_200.0,
    sustained_mib_s: 198.0,
    sustained_mib: 23_766.0,
    sustained_mean_ms: 5.04,
    sustained_p50_ms: 3.064,
    sustained_p95_ms: 3.458,
    sustained_p99_ms: 7.0,
    window_deviation_kib_s: 115_503.55,
};

struct Latencies(Vec<f64>);

impl Latencies {
    fn collect(done: &[Done], direction: Direction) -> Self {
        let matching = done.iter().filter(|done| done.direction == direction);
        let mut all: Vec<f64> = matching.map(|done| done.latency_ns() as f64 / 1e3).collect();
        all.sort_by(f64::total_cmp);
        Self(all)
    }

    fn mean_us(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    fn deviation_us(&self) -> f64 {
        Spread::from_values(&self.0).map_or(0.0, |spread| spread.stdev)
    }

    fn at_us(&self, share: f64) -> f64 {
        self.0[((share * self.0.len() as f64).ceil() as usize).clamp(1, self.0.len()) - 1]
    }
}

fn until<T>(limit_ns: u64, mut next: impl FnMut() -> T) -> impl FnMut(u64) -> Option<T> {
    move |now_ns| (now_ns < limit_ns).then(&mut next)
}

fn times<T>(count: u64, mut next: impl FnMut(u64) -> T) -> impl FnMut(u64) -> Option<T> {
    let mut numbers = 0..count;
    move |_| numbers.next().map(&mut next)
}

/// Writes a file once, as a checkup does before it reads.
fn fill(file: &SimFile) {
    let write = |i| request(OpKind::Write, file.base_bytes() + i * MIB, MIB as u32);
    drive_at_depth(file.drive(), 4, times(file.len_bytes() / MIB, write));
}

fn mixed(drive: &Arc<SimDrive>, seed: u64, article: &Article) -> Vec<Figure> {
    let file = drive.create_file(200 * MIB).unwrap();
    fill(&file);
    let mut mix = Mix::new(50, seed);
    let done = drive_one_by_one(
        drive,
        times(200, |i| {
            let kind = if mix.next_is_read() { OpKind::Read } else { OpKind::Write };
            request(kind, file.base_bytes() + i * MIB, MIB as u32)
        }),
    );
    let runtime_s = done.last().unwrap().completed_at_ns as f64 / 1e9;
    let (reads, writes) =
        (Latencies::collect(&done, Direction::Read), Latencies::collect(&done, Direction::Write));
    vec![
        ("mixed read MiB/s", article.read_mib_s, reads.0.len() as f64 / runtime_s),
        ("mixed write MiB/s", article.write_mib_s, writes.0.len() as f64 / runtime_s),
        ("mixed read mean ms", article.read_mean_ms, reads.mean_us() / 1e3),
        ("mixed write mean ms", article.write_mean_ms, writes.mean_us() / 1e3),
        ("mixed runtime ms", article.mixed_ms, runtime_s * 1e3),
    ]
}

fn random_read(drive: &Arc<SimDrive>, seed: u64, article: &Article) -> Vec<Figure> {
    let file = drive.create_file(GIB).unwrap();
    fill(&file);
    let mut order = BlockOrder::new(GIB / 4_096, seed);
    let next = || request(OpKind::Read, file.base_bytes() + order.next_block() * 4_096, 4_096);
    let done = drive_one_by_one(drive, until(30 * NS_PER_S, next));
    let reads = Latencies::collect(&done, Direction::Read);
    let below = reads.0.iter().filter(|&&us| us < 250.0).count() as f64;
    vec![
        ("random read IOPS", article.random_iops, reads.0.len() as f64 / 30.0),
        ("random read mean µs", article.random_mean_us, reads.mean_us()),
        ("random read p95 µs", article.random_p95_us, reads.at_us(0.95)),
        ("random read p99 µs", article.random_p99_us, reads.at_us(0.99)),
        ("random read p99.9 µs", article.random_p999_us, reads.at_us(0.999)),
        ("random read share below 250 µs", article.random_below_250_share, below / reads.0.len() as f64),
        ("random read deviation µs", article.random_deviation_us, reads.deviation_us()),
    ]
}

fn durable_write(drive: &Arc<SimDrive>, _: u64, article: &Article) -> Vec<Figure> {
    let file = drive.create_file(256 * MIB).unwrap();
    let before = drive.counters();
    let mut number = 0;
    let next = || {
        number += 1;
        let position = file.base_bytes() + (number - 1) / 2 * 4_096;
        if number % 2 == 1 { request(OpKind::Write, position, 4_096) } else { request(OpKind::Fsync, 0, 0) }
    };
    let done = drive_one_by_one(drive, until(30 * NS_PER_S, next));
    let (writes, syncs) =
        (Latencies::collect(&done, Direction::Write), Latencies::collect(&done, Direction::Sync));
    vec![
        ("durable write IOPS", article.durable_iops, writes.0.len() as f64 / 30.0),
        ("durable write mean µs", article.durable_write_mean_us, writes.mean_us()),
        ("durable write p50 µs", article.durable_write_p50_us, writes.at_us(0.5)),
        ("durable write p99 µs", article.durable_write_p99_us, writes.at_us(0.99)),
        ("sync mean µs", article.sync_mean_us, syncs.mean_us()),
        ("sync p50 µs", article.sync_p50_us, syncs.at_us(0.5)),
        ("sync p95 µs", article.sync_p95_us, syncs.at_us(0.95)),
        ("sync p99 µs", article.sync_p99_us, syncs.at_us(0.99)),
        (
            "durable write sectors",
            article.durable_sectors,
            drive.counters().since(&before).write_bytes as f64 / 512.0,
        ),
    ]
}

fn sustained_write(drive: &Arc<SimDrive>, _: u64, article: &Article) -> Vec<Figure> {
    const WINDOW_NS: u64 = NS_PER_S / 2;
    let file = drive.create_file(3 * GIB).unwrap();
    let mut blocks = (0..3 * GIB / MIB).cycle();
    let next = || request(OpKind::Write, file.base_bytes() + blocks.next().unwrap() * MIB, MIB as u32);
    let done = drive_one_by_one(drive, until(120 * NS_PER_S, next));
    let runtime_s = done.last().unwrap().completed_at_ns as f64 / 1e9;
    let mut windows = vec![0.0; 240];
    for done in done.iter().filter(|done| done.completed_at_ns < 120 * NS_PER_S) {
        windows[(done.completed_at_ns / WINDOW_NS) as usize] += 2_048.0;
    }
    let spread = Spread::from_values(&windows).unwrap();
    let writes = Latencies::collect(&done, Direction::Write);
    vec![
        ("sustained MiB/s", article.sustained_mib_s, writes.0.len() as f64 / runtime_s),
        ("sustained total MiB", article.sustained_mib, writes.0.len() as f64),
        ("sustained mean ms", article.sustained_mean_ms, writes.mean_us() / 1e3),
        ("sustained p50 ms", article.sustained_p50_ms, writes.at_us(0.5) / 1e3),
        ("sustained p95 ms", article.sustained_p95_ms, writes.at_us(0.95) / 1e3),
        ("sustained p99 ms", article.sustained_p99_ms, writes.at_us(0.99) / 1e3),
        ("sustained window deviation KiB/s", article.window_deviation_kib_s, spread.stdev),
    ]
}

fn all(model: &str, seed: u64, article: &Article) -> Vec<Figure> {
    let drive = SimDrive::new(DriveModel::named(model).unwrap(), seed);
    let experiments = [mixed, random_read, durable_write, sustained_write];
    experiments.iter().flat_map(|experiment| experiment(&drive, seed, article)).collect()
}

/// Half-second windows give their deviation to 3.5 % from 240 of them, for any drive, so it misses 5 % in
/// about one run of seven; everything else stays within 5 % for any seed.
fn assert_found_again(model: &str, article: &Article) {
    const SEEDS: u64 = 10;
    const SEEDS_MIN: usize = 8;
    let misses = |seed| -> Vec<Figure> {
        let far = |(_, expected, found): &Figure| (found / expected - 1.0).abs() > 0.05;
        all(model, seed, article).into_iter().filter(far).collect()
    };
    let misses: Vec<Vec<Figure>> = (0..SEEDS).map(misses).collect();
    let good = misses.iter().filter(|misses| misses.is_empty()).count();
    assert!(good >= SEEDS_MIN, "{model}: {good} of {SEEDS} seeds: (figure, article, found) {misses:#?}");
    let others = misses.iter().flatten().filter(|(name, ..)| !name.contains("window deviation"));
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&Figure>::new(), "{model}");
}

#[test]
fn the_card_model_reproduces_the_article() {
    assert_found_again("sandisk-ultra-64", &CARD);
}

#[test]
fn the_ssd_model_reproduces_the_article() {
    assert_found_again("kioxia-sata-960", &SSD);
}
