//! What is measured and shown.

use cardiograph_testing::skip;
use serde_json::Value;

use super::ask::{READ_NS, job, line, number, refuses, sections, simulated, text};
use crate::common::Bench;
use crate::common::fio::{job_names, json_of};

/// A hundred reads at 10,000 a second.
const READS: &str = "--rw=randread --bs=4k --size=400k";
/// Three seconds of them.
const LONG: &str = "--rw=randread --bs=4k --size=4M --time_based --runtime=3";

/// Which latencies of a direction have percentiles: slat, clat, lat.
fn with_percentiles(job: &Value) -> [bool; 3] {
    ["slat_ns", "clat_ns", "lat_ns"].map(|kind| job["read"][kind].get("percentile").is_some())
}

/// The number of I/Os in the latencies of a direction: slat, clat, lat.
fn measured(job: &Value) -> [u64; 3] {
    ["slat_ns", "clat_ns", "lat_ns"].map(|kind| number(&job["read"][kind]["N"]))
}

#[test]
fn fio_option_group_reporting() {
    let bench = Bench::new();
    let apart = bench.job(&format!("{READS} --numjobs=3"));
    assert_eq!(apart["jobs"].as_array().unwrap().len(), 3);
    let together = bench.job(&format!("{READS} --numjobs=3 --group_reporting"));
    let [group] = &together["jobs"].as_array().unwrap()[..] else { panic!("one for the group") };
    let read = &group["read"];
    assert_eq!((number(&read["total_ios"]), number(&read["io_bytes"])), (300, 300 * 4_096));
    assert_eq!(number(&read["clat_ns"]["N"]), 300);
    // All run for the same time: the group is three times as fast as one of them.
    let one = &apart["jobs"][0]["read"];
    assert!(number(&read["bw_bytes"]) > number(&one["bw_bytes"]) * 5 / 2);
    let shown = text(&bench, &format!("{READS} --numjobs=3 --group_reporting"));
    assert_eq!(shown.matches("(groupid=0, jobs=3)").count(), 1);
    let shown = text(&bench, &format!("{READS} --numjobs=3 --group_reporting=0"));
    assert_eq!(shown.matches("(groupid=0, jobs=1)").count(), 3);
    // Groups stay apart.
    let two =
        sections(&bench, "group_reporting\nrw=read\nsize=40k\n[a]\nnumjobs=2\n[b]\nnew_group\nnumjobs=2\n");
    let ios: Vec<u64> =
        two["jobs"].as_array().unwrap().iter().map(|job| number(&job["read"]["total_ios"])).collect();
    assert_eq!(ios, [20, 20]);
}

#[test]
fn fio_option_stats() {
    let bench = Bench::new();
    let two = |option: &str| sections(&bench, &format!("rw=read\nsize=40k\n[a]\n{option}\n[b]\n"));
    assert_eq!(job_names(&two("stats=1")), ["a", "b"]);
    assert_eq!(job_names(&two("stats=0")), ["b"]);
    // Its I/O is done nevertheless.
    let shown = text(&bench, &format!("{READS} --stats=0 --write_iops_log=x"));
    assert!(!shown.contains("groupid=") && !shown.contains("READ:"), "{shown}");
    assert_eq!(std::fs::read_to_string(bench.work().join("x_iops.1.log")).unwrap().lines().count(), 100);
}

#[test]
fn fio_option_percentile_list() {
    let bench = Bench::new();
    let list = |option: &str| -> Vec<String> {
        let job = job(&bench, &format!("{READS} {option}"));
        job["read"]["clat_ns"]["percentile"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(list("").len(), 17);
    assert_eq!(list("--percentile_list=95:99:99.9"), ["95.000000", "99.000000", "99.900000"]);
    // In ascending order, whatever the option's.
    assert_eq!(list("--percentile_list=99.99:50"), ["50.000000", "99.990000"]);
    let shown = text(&bench, &format!("{READS} --percentile_list=70:99:99.99"));
    assert_eq!(line(&shown, "| 70.00th="), "| 70.00th=[99840], 99.00th=[99840], 99.99th=[99840]");
    // All are shown with the digits of the finest one.
    let shown = text(&bench, &format!("{READS} --percentile_list=50:99.999"));
    assert_eq!(line(&shown, "| 50.000th="), "| 50.000th=[99840], 99.999th=[99840]");
    // The terse slots are filled from the first.
    let terse =
        simulated(&bench, &format!("{READS} --output-format=terse --percentile_list=50:90")).exits_with(0);
    let fields: Vec<&str> = terse.stdout.trim().split(';').collect();
    assert_eq!(&fields[17..20], ["50.000000%=99", "90.000000%=99", "0%=0"]);
    let many = (1..=21).map(|percentile| percentile.to_string()).collect::<Vec<_>>().join(":");
    assert_eq!(list(&format!("--percentile_list={many}")).len(), 20, "the first ones, as in fio");
    refuses(
        &format!("{READS} --percentile_list=101"),
        &["percentile_list=101", "@jobs-value.out-of-range", "100"],
    );
}

#[test]
fn fio_option_clat_percentiles() {
    let bench = Bench::new();
    assert_eq!(with_percentiles(&job(&bench, READS)), [false, true, false]);
    let without = job(&bench, &format!("{READS} --clat_percentiles=0"));
    assert_eq!(with_percentiles(&without), [false; 3]);
    assert_eq!(measured(&without), [100; 3], "it is measured all the same");
    assert!(!text(&bench, &format!("{READS} --clat_percentiles=0")).contains("percentiles"));
    assert!(text(&bench, READS).contains("    clat percentiles (nsec):"));
}

#[test]
fn fio_option_lat_percentiles() {
    let bench = Bench::new();
    let line = format!("{READS} --lat_percentiles=1");
    assert_eq!(with_percentiles(&job(&bench, &line)), [false, true, true]);
    assert!(text(&bench, &line).contains("    lat percentiles (nsec):"));
    // The terse slots then have the total latency, instead of the missing one.
    let slots = |option: &str| -> Vec<String> {
        let line = format!("{READS} --disable_clat=1 --output-format=terse {option}");
        let terse = simulated(&bench, &line).exits_with(0).stdout;
        terse.split(';').skip(17).take(2).map(str::to_string).collect()
    };
    assert_eq!(slots("--lat_percentiles=1"), ["1.000000%=99", "5.000000%=99"]);
    assert_eq!(slots(""), ["0%=0", "0%=0"]);
}

#[test]
fn fio_option_slat_percentiles() {
    let bench = Bench::new();
    let line = format!("{READS} --iodepth=4 --slat_percentiles=1");
    assert_eq!(with_percentiles(&job(&bench, &line)), [true, true, false]);
    assert!(text(&bench, &line).contains("    slat percentiles (nsec):"));
    // An engine that executes immediately has no submission latency.
    let line = "--ioengine=null --rw=read --bs=4k --size=40k --slat_percentiles=1";
    assert_eq!(with_percentiles(&job(&bench, line)), [false, true, false]);
}

#[test]
fn fio_option_significant_figures() {
    let bench = Bench::new();
    for (figures, expected) in [
        (3, "read: IOPS=10k, BW=39MiB/s (41MB/s)(40MiB/1024msec)"),
        (4, "read: IOPS=10.0k, BW=39.1MiB/s (41.0MB/s)(40.0MiB/1024msec)"),
        (6, "read: IOPS=10000, BW=40000KiB/s (40960kB/s)(40960KiB/1024msec)"),
        (10, "read: IOPS=10000, BW=40960000B/s (40960000B/s)(41943040B/1024msec)"),
    ] {
        let shown = text(&bench, &format!("--rw=read --bs=4k --size=40M --significant_figures={figures}"));
        assert_eq!(line(&shown, "read:"), expected);
    }
    refuses(
        &format!("{READS} --significant_figures=0"),
        &["significant_figures=0", "@jobs-value.out-of-range", "10"],
    );
    refuses(
        &format!("{READS} --significant_figures=11"),
        &["significant_figures=11", "@jobs-value.out-of-range", "10"],
    );
}

#[test]
fn fio_option_kb_base() {
    let bench = Bench::new();
    // Input uses k = 1000; output has the decimal unit first.
    for (base, block, shown) in [
        ("", 4_096, "BW=39.1MiB/s (41.0MB/s)"),
        ("--kb_base=1024", 4_096, "BW=39.1MiB/s (41.0MB/s)"),
        ("--kb_base=1000", 4_000, "BW=40.0MB/s (38.1MiB/s)"),
    ] {
        let line = format!("{base} --rw=read --bs=4k --size=400k");
        let found = job(&bench, &line);
        assert_eq!(
            (number(&found["read"]["io_bytes"]), number(&found["read"]["total_ios"])),
            (100 * block, 100)
        );
        assert!(text(&bench, &line).contains(shown), "{base}");
        // The other spelling means the other one.
        let other = job(&bench, &format!("{base} --rw=read --bs=4kib --size=400kib"));
        assert_eq!(number(&other["read"]["io_bytes"]), 100 * (8_096 - block));
    }
    let shown = text(&bench, "--kb_base=1000 --rw=read --bs=4k --size=4M --time_based --runtime=1");
    assert!(line(&shown, "bw (").starts_with("bw (   kB/s): min=40000, max=40000"), "{shown}");
    refuses(&format!("{READS} --kb_base=10"), &["kb_base=10"]);
}

#[test]
fn fio_option_unit_base() {
    let bench = Bench::new();
    for (base, expected) in [
        ("", "BW=39.1MiB/s (41.0MB/s)"),
        ("--unit_base=0", "BW=39.1MiB/s (41.0MB/s)"),
        ("--unit_base=8", "BW=39.1MiB/s (41.0MB/s)"),
        ("--unit_base=1", "BW=313Mibit/s (328Mbit/s)"),
    ] {
        let shown = text(&bench, &format!("{READS} {base}"));
        assert!(shown.contains(expected), "{base}: {shown}");
    }
    refuses(&format!("{READS} --unit_base=2"), &["unit_base=2"]);
}

#[test]
fn fio_option_bwavgtime() {
    let bench = Bench::new();
    for (option, samples) in [("", (6, 6)), ("--bwavgtime=1000", (3, 6)), ("--bwavgtime=300", (10, 6))] {
        let read = &job(&bench, &format!("{LONG} {option}"))["read"];
        assert_eq!((number(&read["bw_samples"]), number(&read["iops_samples"])), samples, "{option}");
        assert_eq!((number(&read["bw_min"]), number(&read["bw_max"])), (40_000, 40_000));
    }
    // A bandwidth log with windows sets it, unless the option is given.
    let logged = format!("{LONG} --write_bw_log=x --log_avg_msec=1000");
    assert_eq!(job(&bench, &logged)["read"]["bw_samples"], 3);
    assert_eq!(job(&bench, &format!("{logged} --bwavgtime=250"))["read"]["bw_samples"], 12);
}

#[test]
fn fio_option_iopsavgtime() {
    let bench = Bench::new();
    for (option, samples) in [("", (6, 6)), ("--iopsavgtime=1000", (6, 3)), ("--iopsavgtime=250", (6, 12))] {
        let read = &job(&bench, &format!("{LONG} {option}"))["read"];
        assert_eq!((number(&read["bw_samples"]), number(&read["iops_samples"])), samples, "{option}");
        assert_eq!((number(&read["iops_min"]), number(&read["iops_max"])), (10_000, 10_000));
    }
    // One read per second: windows of a second have one each; shorter ones have the speed of their read.
    let slow = |window_ms: u64| {
        job(&bench, &format!("{LONG} --rate_iops=2 --iopsavgtime={window_ms} --size=4M"))["read"].take()
    };
    assert_eq!((number(&slow(1_000)["iops_max"]), number(&slow(250)["iops_max"])), (2, 4));
}

#[test]
fn fio_option_disk_util() {
    let bench = Bench::new();
    let line = "--ioengine=psync --rw=randread --bs=4k --size=64k --direct=1";
    let outcome = bench.fio(&format!("--name=job --output-format=json {line}"));
    if outcome.stderr.contains("direct") {
        return skip("disk_util", "the file system takes no direct I/O");
    }
    let with = json_of(&outcome.exits_with(0));
    let disks = with["disk_util"].as_array().map_or(&[][..], Vec::as_slice);
    if disks.is_empty() {
        return skip("disk_util", "the kernel counts nothing for what the files lie on");
    }
    let reads: u64 = disks.iter().map(|disk| number(&disk["read_ios"])).sum();
    assert!(reads >= 16, "{disks:?}");
    assert!(bench.job(&format!("{line} --disk_util=0")).get("disk_util").is_none());
    let shown = |option: &str| bench.fio(&format!("--name=job {line} {option}")).exits_with(0).stdout;
    assert!(shown("").contains("Disk stats (read/write):"));
    assert!(!shown("--disk_util=0").contains("Disk stats"));
}

#[test]
fn fio_option_unified_rw_reporting() {
    let bench = Bench::new();
    let line = "--rw=randrw --bs=4k --size=400k";
    let plain = bench.job(line);
    for word in ["none", "0"] {
        let found = bench.job(&format!("{line} --unified_rw_reporting={word}"));
        for direction in ["read", "write"] {
            assert_eq!(found["jobs"][0][direction], plain["jobs"][0][direction]);
        }
        assert!(found["jobs"][0].get("mixed").is_none());
    }
    let sum = |key: &str, job: &Value| number(&job["read"][key]) + number(&job["write"][key]);
    for (word, shows_each) in [("mixed", false), ("1", false), ("both", true), ("2", true)] {
        let found = bench.job(&format!("{line} --unified_rw_reporting={word}"));
        let (job, plain) = (&found["jobs"][0], &plain["jobs"][0]);
        let mixed = &job["mixed"];
        assert_eq!(number(&mixed["total_ios"]), sum("total_ios", plain), "{word}");
        assert_eq!(number(&mixed["io_bytes"]), sum("io_bytes", plain), "{word}");
        assert_eq!(number(&mixed["clat_ns"]["N"]), sum("total_ios", plain), "{word}");
        assert_eq!(mixed["runtime"], plain["read"]["runtime"]);
        assert!(mixed["iops"].as_f64() > plain["read"]["iops"].as_f64(), "{word}");
        for direction in ["read", "write"] {
            let expected = if shows_each { &plain[direction] } else { &Value::Null };
            assert_eq!(&job[direction], expected, "{word} {direction}");
        }
        let shown = text(&bench, &format!("{line} --unified_rw_reporting={word}"));
        assert!(shown.contains("\n  mixed: IOPS=") && shown.contains("\n  MIXED: bw="), "{shown}");
        assert_eq!(shown.contains("\n  read: IOPS="), shows_each, "{shown}");
        assert_eq!(shown.contains("total=100,0,0,0"), !shows_each, "{shown}");
    }
    // Windows are added before sampling: each has the reads and the writes.
    let paced = "--rw=randrw --bs=4k --size=4M --rate_iops=100,300 --time_based --runtime=3";
    let found = job(&bench, &format!("{paced} --unified_rw_reporting=both"));
    assert_eq!(found["mixed"]["iops_samples"], found["read"]["iops_samples"]);
    assert!((found["mixed"]["iops_mean"].as_f64().unwrap() - 400.0).abs() < 2.0, "{}", found["mixed"]);
    // Clones shown as one.
    let found = job(&bench, &format!("{line} --numjobs=2 --group_reporting --unified_rw_reporting=mixed"));
    assert_eq!(number(&found["mixed"]["total_ios"]), 200);
}

#[test]
fn fio_option_gtod_reduce() {
    let bench = Bench::new();
    let reduced = job(&bench, &format!("{LONG} --gtod_reduce=1"));
    assert_eq!(measured(&reduced), [0; 3]);
    let read = &reduced["read"];
    assert_eq!((number(&read["bw_samples"]), number(&read["iops_samples"])), (0, 0));
    // The counts are the same.
    assert_eq!((number(&read["total_ios"]), number(&read["runtime"])), (30_000, 3_000));
    let shown = text(&bench, &format!("{LONG} --gtod_reduce=1"));
    for word in ["slat", "clat", " lat ", "bw (", "iops "] {
        assert!(!shown.contains(word), "{word} in {shown}");
    }
    assert_eq!(measured(&job(&bench, &format!("{READS} --gtod_reduce=0"))), [100; 3]);
}

#[test]
fn fio_option_disable_lat() {
    let bench = Bench::new();
    let line = format!("{READS} --disable_lat=1");
    assert_eq!(measured(&job(&bench, &line)), [100, 100, 0]);
    let shown = text(&bench, &line);
    assert!(shown.contains("clat (nsec)") && !shown.contains("     lat (nsec)"), "{shown}");
}

#[test]
fn fio_option_disable_clat() {
    let bench = Bench::new();
    let line = format!("{READS} --disable_clat=1");
    let found = job(&bench, &line);
    assert_eq!(measured(&found), [100, 0, 100]);
    assert_eq!(number(&found["read"]["lat_ns"]["max"]), READ_NS, "the others do not suffer");
    let shown = text(&bench, &line);
    assert!(!shown.contains("clat") && shown.contains("     lat (nsec)"), "{shown}");
}

#[test]
fn fio_option_disable_slat() {
    let bench = Bench::new();
    let line = format!("{READS} --iodepth=4 --disable_slat=1");
    assert_eq!(measured(&job(&bench, &line)), [0, 100, 100]);
    assert!(!text(&bench, &line).contains("slat"));
    assert!(text(&bench, &format!("{READS} --iodepth=4")).contains("slat (nsec)"));
}

#[test]
fn fio_option_disable_bw_measurement() {
    let bench = Bench::new();
    for option in ["disable_bw_measurement", "disable_bw"] {
        let line = format!("{LONG} --{option}=1");
        let found = job(&bench, &line);
        assert_eq!((number(&found["read"]["bw_samples"]), number(&found["read"]["iops_samples"])), (0, 0));
        assert_eq!(number(&found["read"]["bw"]), 40_000, "the total is known all the same");
        assert_eq!(measured(&found), [30_000; 3]);
        let shown = text(&bench, &line);
        assert!(!shown.contains("bw (") && !shown.contains("iops "), "{shown}");
    }
}
