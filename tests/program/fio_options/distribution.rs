//! The distribution of offsets in a file.

use cardiograph_testing::skip;

use super::ask::refuses;
use super::disk::run_job;
use crate::common::Bench;
use crate::common::fio::LogLine;

/// The number of 4 KiB blocks: a power of two, in which fio scatters ranks without collisions.
const BLOCKS: u64 = 1_024;
/// The number of I/Os.
const IOS: usize = 20_000;

/// I/Os over all blocks.
fn ios(line: &str) -> Vec<LogLine> {
    Bench::new().ios(&format!("--size={}k --io_size={}k {line}", BLOCKS * 4, IOS * 4))
}

/// Their offsets, in blocks.
fn blocks(ios: &[LogLine]) -> Vec<u64> {
    ios.iter().map(|io| io.offset_bytes / 4_096).collect()
}

/// The number of I/Os at each block.
fn counts(blocks: &[u64]) -> Vec<f64> {
    let mut counts = vec![0.0; BLOCKS as usize];
    blocks.iter().for_each(|&block| counts[block as usize] += 1.0);
    counts
}

/// The share of I/Os at the most popular block, the ten and the hundred most popular.
fn hottest(blocks: &[u64]) -> [f64; 3] {
    let mut counts = counts(blocks);
    counts.sort_by(|a, b| b.total_cmp(a));
    [1, 10, 100].map(|first| counts[..first].iter().sum::<f64>() / blocks.len() as f64)
}

fn drawn(distribution: &str) -> Vec<u64> {
    blocks(&ios(&format!("--rw=randread --random_distribution={distribution}")))
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < tolerance);
    assert!(is_near, "{what}: {found:?}, expected {expected:?}");
}

#[test]
fn fio_option_random_distribution() {
    assert_eq!(drawn("random"), blocks(&ios("--rw=randread")), "the default");
    // Zipf's law: 1/k^1.2 over its sum, which is 4.335 for 1,024 blocks.
    let sum = |last: u32, theta: f64| (1..=last).map(|rank| f64::from(rank).powf(-theta)).sum::<f64>();
    for theta in [0.6, 1.2] {
        let expected = [1, 10, 100].map(|first| sum(first, theta) / sum(1_024, theta));
        assert_near(&hottest(&drawn(&format!("zipf:{theta}"))), &expected, 0.012, "zipf");
    }
    // The first x of all blocks have the share x^(ln 0.8 / ln 0.2).
    let expected = [1, 10, 100].map(|first| (f64::from(first) / 1_024.0).powf(0.8_f64.ln() / 0.2_f64.ln()));
    assert_near(&hottest(&drawn("pareto:0.2")), &expected, 0.012, "pareto");
    // Two thirds within one deviation of the middle, and 95 % within two.
    for (word, center, deviation) in [("normal:10", 512.0, 102.4), ("normal:5:0.25", 256.0, 51.2)] {
        let found = drawn(word);
        let within = [1.0, 2.0].map(|deviations| {
            let is_near = |&&block: &&u64| (block as f64 - center).abs() < deviations * deviation;
            found.iter().filter(is_near).count() as f64 / found.len() as f64
        });
        assert_near(&within, &[0.683, 0.954], 0.012, word);
    }
    // The center is the position of the most popular block.
    for (word, block) in [("zipf:1.2:0.5", 512), ("zipf:1.2:0", 0), ("pareto:0.2:1", 1_023)] {
        let counts = counts(&drawn(word));
        assert_eq!(counts.iter().position(|&n| n == counts.iter().copied().fold(0.0, f64::max)), Some(block));
    }
}

#[test]
fn zones_get_the_shares_that_are_written() {
    let shares = |line: &str, direction: u64, ends: &[usize]| {
        let own: Vec<LogLine> = ios(line).into_iter().filter(|io| io.direction == direction).collect();
        let counts = counts(&blocks(&own));
        let mut begin = 0;
        let share = |&end: &usize| {
            let count: f64 = counts[std::mem::replace(&mut begin, end)..end].iter().sum();
            (count / own.len() as f64 * 1_000.0).round() / 10.0
        };
        ends.iter().map(share).collect::<Vec<f64>>()
    };
    let read = "--rw=randread --random_distribution";
    // A tenth of 1,024 blocks ends in the 103rd.
    assert_eq!(shares(&format!("{read}=zoned:60/10:30/20:10/70"), 0, &[103, 308, 1_024]), [60.0, 30.0, 10.0]);
    assert_eq!(shares(&format!("{read}=zoned:90/10:10/40"), 0, &[103, 512, 1_024]), [90.0, 10.0, 0.0]);
    assert_eq!(shares(&format!("{read}=zoned_abs:70/512k:30/1m"), 0, &[128, 384, 1_024]), [70.0, 30.0, 0.0]);
    // Separately for reads and writes.
    let mixed = "--rw=randrw --random_distribution=zoned:80/50:20/50,10/50:90/50";
    assert_eq!(shares(mixed, 0, &[512, 1_024]), [80.0, 20.0]);
    assert_eq!(shares(mixed, 1, &[512, 1_024]), [10.0, 90.0]);
}

#[test]
fn popular_blocks_are_as_popular_as_with_fio() {
    for (word, tolerance) in
        [("zipf:1.2", 0.03), ("zipf:0.8", 0.03), ("zipf", 0.03), ("pareto:0.2", 0.02), ("pareto", 0.02)]
    {
        let bench = Bench::new();
        let line = format!(
            "--name=job --ioengine=null --rw=randread --size={}k --io_size={}k --random_distribution={word} \
             --write_lat_log=ios --log_offset=1",
            BLOCKS * 4,
            IOS * 4
        );
        let Some(outcome) = bench.debian_fio(&line) else {
            return skip("fio's distribution of blocks", "fio is not installed");
        };
        outcome.exits_with(0);
        let theirs = hottest(&blocks(&bench.log("ios_lat.1.log")));
        assert_near(&hottest(&drawn(word)), &theirs, tolerance, word);
    }
}

#[test]
fn impossible_distributions_are_refused() {
    let line = "--rw=randread --size=4M --random_distribution=";
    for (value, why) in [
        ("dice", "@jobs-value.unknown-word"),
        ("zipf:", "@jobs-value.empty"),
        ("zipf:x", "@jobs-value.not-a-number"),
        ("zipf:-1", "@jobs-value.negative"),
        ("zipf:1.2:2", "@jobs-value.center-outside"),
        ("pareto:0", "@jobs-value.pareto-outside"),
        ("pareto:1.5", "@jobs-value.pareto-outside"),
        ("normal", "@jobs-value.deviation-missing"),
        ("normal:0", "@jobs-value.deviation-outside"),
        ("normal:100", "@jobs-value.deviation-outside"),
        ("zoned", "@jobs-value.zone-incomplete"),
        ("zoned:50/10:40/90", "@jobs-value.shares-not-100"),
        ("zoned:50/50:50/60", "@jobs-value.zones-above-100"),
        ("zoned:33.3/50:66.7/50", "@jobs-value.shares-not-100"),
        ("zoned:100/0", "@jobs-value.zone-empty"),
        ("zoned_abs:50/3M:50/2M", "@jobs-problem.zones-too-long"),
    ] {
        refuses(&format!("{line}{value}"), &[&format!("random_distribution={value}"), why]);
    }
    // They do not affect jobs that are not random.
    assert_eq!(run_job("--rw=read --size=16k --random_distribution=zipf:1.2").blocks(), [0, 1, 2, 3]);
}

#[test]
fn fio_option_percentage_random() {
    // The share of each direction's I/Os that begin where the last one ended; among 1,024 blocks few do so by chance.
    let follows = |line: &str, direction: u64| {
        let found = ios(&format!("--norandommap {line}"));
        let own: Vec<LogLine> = found.into_iter().filter(|io| io.direction == direction).collect();
        let count =
            own.windows(2).filter(|pair| pair[1].offset_bytes == pair[0].offset_bytes + 4_096).count();
        count as f64 / own.len() as f64
    };
    for percent in [100, 90, 50, 5] {
        let found = follows(&format!("--rw=randread --percentage_random={percent}"), 0);
        let expected = 1.0 - f64::from(percent) / 100.0;
        assert_near(&[found], &[expected], 0.01, &percent.to_string());
    }
    for (option, shares) in [("30,80", [0.7, 0.2]), ("0,100", [1.0, 0.0]), ("40", [0.6, 0.6])] {
        let found =
            [0, 1].map(|direction| follows(&format!("--rw=randrw --percentage_random={option}"), direction));
        assert_near(&found, &shares, 0.01, option);
    }
    assert_eq!(ios("--rw=randread --percentage_random=100"), ios("--rw=randread"), "the default");
    // Nothing random is sequential, as in fio.
    assert_eq!(
        run_job("--rw=randread --size=64k --percentage_random=0").blocks(),
        (0..16).collect::<Vec<_>>()
    );
    assert_eq!(run_job("--rw=read --size=16k --percentage_random=50").blocks(), [0, 1, 2, 3]);
    refuses(
        "--rw=randread --size=4k --percentage_random=101",
        &["percentage_random=101", "@jobs-value.out-of-range", "100"],
    );
}

/// The visits of ten files, the most visited first. Each file is read in order, so the number of I/Os at a block is the
/// number of files that reached it.
fn visits(blocks: &[u64]) -> Vec<f64> {
    let mut files_at = vec![0usize; 1 + blocks.iter().copied().max().unwrap_or(0) as usize];
    blocks.iter().for_each(|&block| files_at[block as usize] += 1);
    let visits = |file: usize| files_at.iter().filter(|&&files| files > file).count() as f64;
    (0..10).map(|file| visits(file) / blocks.len() as f64).collect()
}

#[test]
fn files_may_be_popular_too() {
    let line = |word: &str| {
        format!("--rw=read --size=400M --nrfiles=10 --number_ios=4000 --file_service_type={word}")
    };
    for (word, expected) in [
        ("zipf:1.2", [0.405, 0.176, 0.108]),
        ("zipf:0.5:0.5", [0.199, 0.141, 0.115]),
        ("pareto:0.5", [0.1, 0.1, 0.1]),
        ("pareto:0.2", [0.727, 0.073, 0.049]),
        ("normal:10", [0.341, 0.341, 0.136]),
        ("gauss:10:0.5", [0.341, 0.341, 0.136]),
    ] {
        let found = visits(&blocks(&Bench::new().ios(&line(word))));
        assert_near(&found[..3], &expected, 0.03, word);
    }
    for (word, why) in [
        ("zipf:", "@jobs-value.empty"),
        ("pareto:1", "@jobs-value.pareto-outside"),
        ("normal", "@jobs-value.deviation-missing"),
        ("gauss:0", "@jobs-value.deviation-outside"),
    ] {
        refuses(&line(word), &[&format!("file_service_type={word}"), why]);
    }
    // As in fio, whose integers make a normal distribution of few files too narrow.
    for word in ["pareto:0.2", "pareto"] {
        let bench = Bench::new();
        let theirs = format!("--name=job --ioengine=null {} --write_lat_log=ios --log_offset=1", line(word));
        let Some(outcome) = bench.debian_fio(&theirs) else {
            return skip("fio's distribution of files", "fio is not installed");
        };
        outcome.exits_with(0);
        let theirs = visits(&blocks(&bench.log("ios_lat.1.log")));
        assert_near(&visits(&blocks(&Bench::new().ios(&line(word)))), &theirs, 0.03, word);
    }
}
