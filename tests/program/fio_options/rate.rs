//! Limits of speed.

use serde_json::Value;

use super::ask::{READ_NS, WRITE_NS, job, number, refuses, simulated};
use crate::common::Bench;
use crate::common::fio::LogLine;

/// The start of each I/O in milliseconds: I/Os of the plain drive take less than one.
fn begun_ms(ios: &[LogLine], direction: u64) -> Vec<u64> {
    ios.iter().filter(|io| io.direction == direction).map(|io| io.at_ms).collect()
}

/// `count` evenly spaced times.
fn every_ms(distance_ms: u64, count: u64) -> Vec<u64> {
    (0..count).map(|index| index * distance_ms).collect()
}

#[test]
fn fio_option_rate() {
    let bench = Bench::new();
    // A hundred blocks of 4 KiB per second.
    let ios = bench.ios("--rw=read --bs=4k --size=80k --rate=400k");
    assert_eq!(begun_ms(&ios, 0), every_ms(10, 20));
    assert!(ios.iter().all(|io| io.value == READ_NS), "waiting is not latency");
    // It counts bytes, not I/Os.
    assert_eq!(begun_ms(&bench.ios("--rw=read --bs=8k --size=160k --rate=400k"), 0), every_ms(20, 20));
    // A limit for each direction; a single one holds for both.
    for (rate, read_ms, write_ms) in [("400k,800k", 10, 5), ("400k", 10, 10)] {
        let ios = bench.ios(&format!("--rw=randrw --bs=4k --size=1M --number_ios=40 --rate={rate}"));
        for (direction, distance_ms) in [(0, read_ms), (1, write_ms)] {
            let begun = begun_ms(&ios, direction);
            assert!(begun.len() > 10);
            assert_eq!(begun, every_ms(distance_ms, begun.len() as u64), "{rate}, direction {direction}");
        }
    }
    // A direction without a limit is not slowed down.
    for (rate, limited, free, free_ios) in
        [(",400k", "write", "read", 19_000), ("400k,", "read", "write", 9_500)]
    {
        let line = format!("--rw=randrw --bs=4k --size=4M --time_based --runtime=2 --rate={rate}");
        let job = job(&bench, &line);
        assert_eq!(job[limited]["total_ios"], 200, "{rate}");
        assert!(number(&job[free]["total_ios"]) > free_ios, "{rate}: {}", job[free]["total_ios"]);
    }
    refuses(
        "--rw=read --size=4k --rate=1m --rate_iops=10",
        &["rate_iops=10", "@jobs-problem.contradicts", "\'rate\'"],
    );
    refuses("--rw=read --size=4k --rate=fast", &["rate=fast"]);
}

#[test]
fn a_job_that_was_held_up_catches_up() {
    let bench = Bench::new();
    // The drive does ten reads in a millisecond; one is due every 50 µs.
    let fast = job(&bench, "--rw=read --bs=4k --size=4M --rate_iops=20000");
    assert_eq!(number(&fast["read"]["runtime"]), 103, "the limit is beyond the drive");
    let deep = job(&bench, "--rw=read --bs=4k --size=4M --rate_iops=20000 --iodepth=8");
    assert_eq!(number(&deep["read"]["runtime"]), 52, "with more in flight the limit is reached");
    // Waiting for the drive shows in the latency from the intended time.
    let intended = &fast["cardiograph"]["intended_lat_ns"]["read"];
    assert_eq!(number(&intended["min"]), READ_NS);
    assert_eq!(number(&intended["max"]), 1_023 * (READ_NS - 50_000) + READ_NS);
}

#[test]
fn fio_option_rate_iops() {
    let bench = Bench::new();
    for bs in ["4k", "8k"] {
        let ios = bench.ios(&format!("--rw=read --bs={bs} --size=1M --number_ios=20 --rate_iops=100"));
        assert_eq!(begun_ms(&ios, 0), every_ms(10, 20), "it counts I/Os, not bytes");
    }
    let ios = bench.ios("--rw=randrw --bs=4k --size=1M --number_ios=60 --rate_iops=50,200");
    for (direction, distance_ms) in [(0, 20), (1, 5)] {
        let begun = begun_ms(&ios, direction);
        assert!(begun.len() > 10);
        assert_eq!(begun, every_ms(distance_ms, begun.len() as u64));
    }
    assert!(ios.iter().filter(|io| io.direction == 1).all(|io| io.value == WRITE_NS));
    let job = job(&bench, "--rw=randread --bs=4k --size=4M --time_based --runtime=2 --rate_iops=100");
    assert_eq!(job["read"]["total_ios"], 200);
}

/// How a job with a minimum speed ended: whether it reached it, and after how many milliseconds.
fn ended(line: &str) -> (bool, u64) {
    let bench = Bench::new();
    let line =
        format!("--output-format=json --rw=randread --bs=4k --size=4M --time_based --runtime=8 {line}");
    let outcome = simulated(&bench, &line);
    let json: Value =
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error} {}", outcome.stderr));
    let reached = json["jobs"][0]["error"] == 0;
    assert_eq!(outcome.status.code(), Some(i32::from(!reached)));
    if !reached {
        outcome.complains(&["below its minimum"]);
    }
    (reached, number(&json["jobs"][0]["read"]["runtime"]))
}

#[test]
fn fio_option_rate_min() {
    // The drive does 10,000 reads of 4 KiB, or 40,000 KiB, per second.
    for option in ["rate_min", "ratemin"] {
        assert_eq!(ended(&format!("--{option}=39990k")), (true, 8_000));
        let (reached, runtime_ms) = ended(&format!("--{option}=40010k"));
        assert!(!reached && runtime_ms < 8_000, "{runtime_ms}");
    }
    // A direction that the job does not have has no minimum.
    assert!(ended("--rate_min=,1g").0);
    refuses(
        "--rw=read --size=4k --rate=10m --rate_min=20m",
        &["rate_min=20m", "@jobs-value.out-of-range", "10,485,760"],
    );
    refuses(
        "--rw=read --size=4k --rate_min=10m --rate_iops_min=10",
        &["rate_iops_min=10", "@jobs-problem.contradicts"],
    );
}

#[test]
fn fio_option_rate_iops_min() {
    assert_eq!(ended("--rate_iops_min=9990"), (true, 8_000));
    let (reached, runtime_ms) = ended("--rate_iops_min=10010");
    assert!(!reached && runtime_ms < 8_000, "{runtime_ms}");
    assert!(ended("--rate_iops_min=,99999").0);
    refuses(
        "--rw=read --size=4k --rate_iops=10 --rate_iops_min=20",
        &["rate_iops_min=20", "@jobs-value.out-of-range", "10"],
    );
}

#[test]
fn fio_option_rate_cycle() {
    let [long, short] =
        ["", "--rate_cycle=300"].map(|option| ended(&format!("--rate_iops_min=10010 {option}")).1);
    // It fails at the end of a cycle.
    assert!(short < long, "{short} {long}");
    assert_eq!(long % 1_000, 0);
    assert_eq!(ended("--rate_iops_min=10010 --ratecycle=300").1, short);
    // Half a second of reads and half a second without: a cycle of 300 ms may have none.
    let pauses = "--thinktime=500ms --thinktime_blocks=5000 --rate_iops_min=4000";
    assert!(ended(&format!("{pauses} --rate_cycle=2000")).0);
    assert!(!ended(&format!("{pauses} --rate_cycle=300")).0);
    // At exactly the minimum rate an I/O is in flight when a cycle ends, which fio accepts too.
    for line in ["--rate_iops=1 --rate_iops_min=1 --rate_cycle=400", "--rate=40k --rate_min=40k"] {
        assert!(ended(line).0, "{line}");
    }
}

#[test]
fn fio_option_rate_process() {
    let bench = Bench::new();
    let line = "--rw=read --bs=4k --size=80k --rate_iops=100";
    let linear = bench.ios(&format!("{line} --rate_process=linear"));
    assert_eq!(linear, bench.ios(line));
    assert_eq!(begun_ms(&linear, 0), every_ms(10, 20));
    // Each gap is drawn: about two thirds of exponential gaps are shorter than the mean, and the number of I/Os is the same.
    let line = "--rw=randread --bs=4k --size=4M --time_based --runtime=100 --rate_iops=20";
    let poisson = begun_ms(&bench.ios(&format!("{line} --rate_process=poisson")), 0);
    let gaps: Vec<u64> = poisson.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let share = |is_meant: &dyn Fn(u64) -> bool| {
        gaps.iter().filter(|gap| is_meant(**gap)).count() as f64 / gaps.len() as f64
    };
    assert!((1_850..2_150).contains(&poisson.len()), "{}", poisson.len());
    assert!((share(&|gap| gap < 50) - (1.0 - (-1.0_f64).exp())).abs() < 0.04);
    assert!((share(&|gap| gap >= 150) - (-3.0_f64).exp()).abs() < 0.02);
    let again = bench.ios(&format!("{line} --rate_process=poisson"));
    assert_eq!(begun_ms(&again, 0), poisson, "a seed repeats it");
    let other = bench.ios(&format!("{line} --rate_process=poisson --randseed=7"));
    assert_ne!(begun_ms(&other, 0), poisson);
    refuses(&format!("{line} --rate_process=even"), &["rate_process=even", "linear", "poisson"]);
}

/// The numbers of I/Os between pauses of at least 5 ms.
fn bursts(begun_ms: &[u64]) -> Vec<usize> {
    begun_ms.chunk_by(|a, b| b - a < 5).map(<[u64]>::len).collect()
}

#[test]
fn fio_option_thinktime() {
    let bench = Bench::new();
    let line = "--rw=read --bs=4k --size=40k";
    let ios = bench.ios(&format!("{line} --thinktime=10000"));
    // 10 ms after each I/O of 100 us; logged when it is complete.
    let expected: Vec<u64> = (0..10).map(|index| (index * 10_100 + 100) / 1_000).collect();
    assert_eq!(begun_ms(&ios, 0), expected);
    assert!(ios.iter().all(|io| io.value == READ_NS), "a pause is not latency");
    assert_eq!(bench.ios(&format!("{line} --thinktime=10ms")), ios);
    assert_eq!(bursts(&begun_ms(&bench.ios(&format!("{line} --thinktime=0")), 0)), [10]);
    // A pause does not outlast the job's time, and counts in it.
    let job = job(&bench, "--rw=read --bs=4k --size=4M --time_based --runtime=2 --thinktime=1s");
    assert_eq!((number(&job["read"]["total_ios"]), number(&job["read"]["runtime"])), (2, 2_000));
}

#[test]
fn fio_option_thinktime_spin() {
    let bench = Bench::new();
    let line = "--rw=read --bs=4k --size=40k --thinktime=10000";
    // A part of the pause, at most all of it.
    let plain = bench.ios(line);
    assert_eq!(bench.ios(&format!("{line} --thinktime_spin=4000")), plain);
    let longer = begun_ms(&bench.ios(&format!("{line} --thinktime_spin=20ms")), 0);
    assert_eq!(longer, (0..10).map(|index| (index * 20_100 + 100) / 1_000).collect::<Vec<_>>());
    // On the machine it takes CPU time, which sleeping does not.
    let user_ms = |spin: &str| {
        let line = format!("--ioengine=null --rw=read --bs=4k --size=12k --thinktime=100ms {spin}");
        let job = job(&bench, &line);
        assert_eq!(job["read"]["total_ios"], 3);
        job["usr_cpu"].as_f64().unwrap() + job["sys_cpu"].as_f64().unwrap()
    };
    // A busy machine may leave it less, and then more.
    cardiograph_testing::soon(|| {
        let (asleep, awake) = (user_ms(""), user_ms("--thinktime_spin=100ms"));
        (awake > asleep + 5.0).then_some(())
    });
}

#[test]
fn fio_option_thinkcycles() {
    let bench = Bench::new();
    // In simulated time a cycle is a nanosecond.
    let ios = bench.ios("--rw=read --bs=4k --size=40k --thinkcycles=10000000");
    assert_eq!(begun_ms(&ios, 0), (0..10).map(|index| (index * 10_100 + 100) / 1_000).collect::<Vec<_>>());
    // It is added to pauses.
    let ios = bench.ios("--rw=read --bs=4k --size=40k --thinkcycles=10000000 --thinktime=10ms");
    assert_eq!(begun_ms(&ios, 0), (0..10).map(|index| (index * 20_100 + 100) / 1_000).collect::<Vec<_>>());
}

#[test]
fn fio_option_thinktime_blocks() {
    let bench = Bench::new();
    let line = "--rw=read --bs=4k --size=48k --thinktime=10000";
    for (blocks, expected) in [("1", vec![1; 12]), ("5", vec![5, 5, 2]), ("12", vec![12])] {
        let ios = bench.ios(&format!("{line} --thinktime_blocks={blocks}"));
        assert_eq!(bursts(&begun_ms(&ios, 0)), expected, "{blocks}");
    }
    // Alone it has no effect.
    let outcome = simulated(&bench, "--rw=read --bs=4k --size=48k --thinktime_blocks=5").exits_with(0);
    outcome.notes(&["thinktime_blocks", "@jobs-remark.needs-thinktime"]);
}

#[test]
fn fio_option_thinktime_blocks_type() {
    let bench = Bench::new();
    let line = "--rw=randread --bs=4k --size=160k --iodepth=8 --thinktime=10000 --thinktime_blocks=4";
    // Counted at submission, four come between pauses. Counted at completion, more have been submitted by then, and those that
    // complete while the queue drains count for the next pause: the numbers are those of fio.
    let complete = [11, 1, 10, 1, 10, 1, 6];
    for (kind, expected) in [("complete", &complete[..]), ("issue", &[4; 10])] {
        let ios = bench.ios(&format!("{line} --thinktime_blocks_type={kind}"));
        assert_eq!(bursts(&begun_ms(&ios, 0)), expected, "{kind}");
    }
    assert_eq!(bursts(&begun_ms(&bench.ios(line), 0)), complete, "complete is the default");
    refuses(&format!("{line} --thinktime_blocks_type=both"), &["thinktime_blocks_type=both", "issue"]);
}

#[test]
fn fio_option_thinktime_iotime() {
    let bench = Bench::new();
    let line = "--rw=read --bs=4k --size=60k --rate_iops=1000 --thinktime=20ms --rate_ignore_thinktime=1";
    // Five I/Os fit in 5 ms. After a pause the first starts at once, and so does the one due then.
    let ios = bench.ios(&format!("{line} --thinktime_iotime=5ms"));
    assert_eq!(bursts(&begun_ms(&ios, 0)), [5, 6, 4]);
    // The first limit reached counts.
    let ios = bench.ios(&format!("{line} --thinktime_iotime=5ms --thinktime_blocks=3"));
    assert_eq!(bursts(&begun_ms(&ios, 0)), [3; 5]);
    let ios = bench.ios(&format!("{line} --thinktime_iotime=1"));
    assert_eq!(bursts(&begun_ms(&ios, 0)), [15], "a number is seconds");
}

#[test]
fn fio_option_rate_ignore_thinktime() {
    let bench = Bench::new();
    let line = "--rw=read --bs=4k --size=60k --rate_iops=100 --thinktime=50ms --thinktime_blocks=5";
    // After a pause either all I/Os due in it start, or the pace continues; fio's log has the same times.
    let caught_up = begun_ms(&bench.ios(line), 0);
    assert_eq!(caught_up, [0, 10, 20, 30, 40, 90, 90, 90, 90, 90, 140, 140, 140, 141, 141]);
    let ignored = begun_ms(&bench.ios(&format!("{line} --rate_ignore_thinktime=1")), 0);
    assert_eq!(ignored, [0, 10, 20, 30, 40, 90, 100, 110, 120, 130, 180, 190, 200, 210, 220]);
}
