//! Logs of a run.

use cardiograph_testing::skip;

use super::ask::{READ_NS, WRITE_NS, job, refuses, simulated, text};
use crate::common::Bench;

/// Two seconds of reads at 10,000 a second.
const READS: &str = "--rw=randread --bs=4k --size=4M --time_based --runtime=2";
/// Three reads.
const THREE: &str = "--rw=read --bs=4k --size=12k";

/// The lines of a file, each as its columns.
#[track_caller]
fn lines(bench: &Bench, name: &str) -> Vec<Vec<u64>> {
    let path = bench.work().join(name);
    let text = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{name}: {error}: {:?}", bench.entries()));
    text.lines().map(|line| line.split(", ").map(|column| column.parse().unwrap()).collect()).collect()
}

/// Names of the logs in a bench.
fn logs(bench: &Bench) -> Vec<String> {
    bench.entries().into_iter().filter(|name| name.ends_with(".log")).collect()
}

#[test]
fn fio_option_write_bw_log() {
    let bench = Bench::new();
    text(&bench, &format!("{READS} --log_avg_msec=500 --write_bw_log=x"));
    assert_eq!(logs(&bench), ["x_bw.1.log"]);
    let found = lines(&bench, "x_bw.1.log");
    let columns = |line: &Vec<u64>| (line[0], line[1], line[2]);
    // 40,000 KiB a second.
    let expected = [500, 1_000, 1_500, 2_000].map(|at_ms| (at_ms, 40_000, 0));
    assert_eq!(found.iter().map(columns).collect::<Vec<_>>(), expected);
    // Without windows it is the speed of each I/O, in units of 1000 bytes: 4,096 bytes in 100 µs.
    let bench = Bench::new();
    text(&bench, &format!("{THREE} --write_bw_log"));
    assert_eq!(logs(&bench), ["job_bw.1.log"]);
    assert_eq!(lines(&bench, "job_bw.1.log"), vec![vec![0, 40_960, 0, 4_096, 0]; 3]);
    refuses(&format!("{THREE} --write_bw_log=missing/x"), &["missing/x_bw.1.log"]);
}

#[test]
fn fio_option_write_iops_log() {
    let bench = Bench::new();
    text(&bench, &format!("{READS} --log_avg_msec=500 --write_iops_log=x"));
    assert_eq!(logs(&bench), ["x_iops.1.log"]);
    let found: Vec<(u64, u64)> =
        lines(&bench, "x_iops.1.log").iter().map(|line| (line[0], line[1])).collect();
    assert_eq!(found, [500, 1_000, 1_500, 2_000].map(|at_ms| (at_ms, 10_000)));
    let bench = Bench::new();
    text(&bench, &format!("{THREE} --write_iops_log"));
    assert_eq!(lines(&bench, "job_iops.1.log"), vec![vec![0, 1, 0, 4_096, 0]; 3]);
}

#[test]
fn fio_option_write_lat_log() {
    let bench = Bench::new();
    text(&bench, &format!("{THREE} --write_lat_log=x"));
    assert_eq!(logs(&bench), ["x_clat.1.log", "x_lat.1.log", "x_slat.1.log"]);
    for (name, value) in [("clat", READ_NS), ("lat", READ_NS), ("slat", 0)] {
        assert_eq!(lines(&bench, &format!("x_{name}.1.log")), vec![vec![0, value, 0, 4_096, 0]; 3]);
    }
    // Directions are distinguished, and time increases.
    text(&bench, "--rw=rw --bs=8k --size=160k --write_lat_log");
    let found = lines(&bench, "job_lat.1.log");
    assert_eq!(found.len(), 20);
    let mut at_ns = 0;
    for line in &found {
        at_ns += line[1];
        assert_eq!(line[0], at_ns / 1_000_000);
        assert_eq!((line[1] > 150_000, line[3]), (line[2] == 1, 8_192));
    }
    // It does not include syncs.
    text(&bench, "--rw=write --bs=4k --size=40k --fsync=1 --write_lat_log=s");
    assert!(lines(&bench, "s_lat.1.log").iter().all(|line| line[1..3] == [WRITE_NS, 1]));
    assert_eq!(lines(&bench, "s_lat.1.log").len(), 10);
}

#[test]
fn fio_option_write_hist_log() {
    let bench = Bench::new();
    text(&bench, &format!("{READS} --write_hist_log=x --log_hist_msec=500"));
    assert_eq!(logs(&bench), ["x_clat_hist.1.log"]);
    let found = lines(&bench, "x_clat_hist.1.log");
    assert_eq!(found.len(), 4);
    for line in &found {
        assert_eq!((line[1], line[2], line.len()), (0, 4_096, 3 + 1_856));
        // Counts since the line before. 100,000 ns lie in the octave from 65,536 ns on, in steps of 1,024 ns: bucket
        // 64 * (16 - 5) + (100,000 - 65,536) / 1,024.
        assert_eq!((line[3 + 64 * 11 + 33], line[3..].iter().sum()), (5_000, 5_000));
    }
    text(&bench, &format!("{READS} --write_hist_log --log_hist_msec=500"));
    assert_eq!(lines(&bench, "job_clat_hist.1.log"), found);
    refuses(&format!("{READS} --write_hist_log=x"), &["write_hist_log=x", "log_hist_msec"]);
}

#[test]
fn fio_option_log_hist_msec() {
    let bench = Bench::new();
    for (every_ms, expected) in
        [(500, &[500, 1_000, 1_500, 2_000][..]), (1_000, &[1_000, 2_000]), (800, &[800, 1_600, 2_000])]
    {
        text(&bench, &format!("{READS} --write_hist_log=x --log_hist_msec={every_ms}"));
        let found = lines(&bench, "x_clat_hist.1.log");
        assert_eq!(found.iter().map(|line| line[0]).collect::<Vec<_>>(), expected);
        assert_eq!(found.iter().flat_map(|line| &line[3..]).sum::<u64>(), 20_000, "none is lost");
    }
}

#[test]
fn fio_option_log_hist_coarseness() {
    let bench = Bench::new();
    for coarseness in 0..=6 {
        let line =
            format!("{READS} --write_hist_log=x --log_hist_msec=1000 --log_hist_coarseness={coarseness}");
        text(&bench, &line);
        for line in lines(&bench, "x_clat_hist.1.log") {
            assert_eq!(line.len(), 3 + (1_856 >> coarseness));
            assert_eq!(line[3 + ((64 * 11 + 33) >> coarseness)], 10_000, "coarseness {coarseness}");
        }
    }
    refuses(
        &format!("{READS} --log_hist_coarseness=7"),
        &["log_hist_coarseness=7", "@jobs-value.out-of-range", "6"],
    );
}

#[test]
fn fio_option_per_job_logs() {
    let jobs = format!("{THREE} --numjobs=2 --write_iops_log=x --write_lat_log=x");
    let bench = Bench::new();
    text(&bench, &jobs);
    let each =
        ["clat", "iops", "lat", "slat"].map(|kind| [1, 2].map(|number| format!("x_{kind}.{number}.log")));
    assert_eq!(logs(&bench), each.concat());
    assert_eq!(lines(&bench, "x_iops.2.log").len(), 3);
    let bench = Bench::new();
    text(&bench, &format!("{jobs} --per_job_logs=0"));
    assert_eq!(logs(&bench), ["x_clat.log", "x_iops.log", "x_lat.log", "x_slat.log"]);
    assert_eq!(lines(&bench, "x_iops.log").len(), 6, "both write to one");
}

#[test]
fn logs_are_numbered_through_all_jobs() {
    let bench = Bench::new();
    text(
        &bench,
        &format!(
            "{THREE} --write_iops_log --name=other --ioengine=sim --sim_model=plain.toml {THREE} --write_iops_log"
        ),
    );
    assert_eq!(logs(&bench), ["job_iops.1.log", "other_iops.2.log"]);
}

#[test]
fn fio_option_log_avg_msec() {
    let bench = Bench::new();
    for (window, expected) in
        [("500", &[500, 1_000, 1_500, 2_000][..]), ("1000", &[1_000, 2_000]), ("1s", &[1_000, 2_000])]
    {
        text(&bench, &format!("{READS} --write_lat_log=x --log_avg_msec={window}"));
        let found = lines(&bench, "x_lat.1.log");
        assert_eq!(found.iter().map(|line| line[0]).collect::<Vec<_>>(), expected, "{window}");
        assert!(found.iter().all(|line| line[1..4] == [READ_NS, 0, 0]), "{found:?}");
    }
    for window in ["", "--log_avg_msec=0"] {
        text(&bench, &format!("{READS} --write_lat_log=x {window}"));
        assert_eq!(lines(&bench, "x_lat.1.log").len(), 20_000);
    }
    // The mean of a window: reads of 100 µs, and every other time writes of 200 µs, by direction.
    text(
        &bench,
        &READS.replace("randread", "randrw").replace("4M", "4M --write_lat_log=m --log_avg_msec=1000"),
    );
    let found = lines(&bench, "m_lat.1.log");
    // The last I/O may complete just behind them.
    assert_eq!(
        found[..4].iter().map(|line| (line[0], line[1], line[2])).collect::<Vec<_>>(),
        [(1_000, READ_NS, 0), (1_000, WRITE_NS, 1), (2_000, READ_NS, 0), (2_000, WRITE_NS, 1)]
    );
    // A window without I/Os has no line: one read per second leaves gaps.
    text(&bench, &format!("{READS} --rate_iops=1 --write_lat_log=g --log_avg_msec=250"));
    assert_eq!(lines(&bench, "g_lat.1.log").iter().map(|line| line[0]).collect::<Vec<_>>(), [250, 1_001]);
}

#[test]
fn fio_option_log_window_value() {
    let bench = Bench::new();
    // Sixteen at a time on eight channels: half of the first sixteen take 100 µs, all others twice as long.
    let value = |option: &str| {
        text(
            &bench,
            &format!(
                "--rw=randread --bs=4k --size=64k --iodepth=16 --log_avg_msec=500 --write_lat_log=x {option}"
            ),
        );
        let [line] = &lines(&bench, "x_lat.1.log")[..] else { panic!("one window") };
        line[1..line.len() - 3].to_vec()
    };
    let mean = value("");
    assert_eq!(mean, [150_014]);
    assert_eq!(value("--log_window_value=avg"), mean);
    let max = value("--log_window_value=max");
    assert_eq!(max, [200_028]);
    assert_eq!((value("--log_max_value=1"), value("--log_max_value=0")), (max.clone(), mean.clone()));
    assert_eq!(value("--log_window_value=both"), [mean[0], max[0]]);
    refuses("--rw=read --size=4k --log_window_value=min", &["log_window_value=min"]);
}

#[test]
fn fio_option_log_offset() {
    let bench = Bench::new();
    let line = "--rw=randread --bs=4k --size=40k --write_lat_log=x --write_bw_log=x --write_iops_log=x";
    text(&bench, &format!("{line} --log_offset=0"));
    assert!(lines(&bench, "x_lat.1.log").iter().all(|line| line.len() == 5));
    text(&bench, &format!("{line} --log_offset=1"));
    for kind in ["clat", "slat", "lat", "bw", "iops"] {
        let mut offsets: Vec<u64> =
            lines(&bench, &format!("x_{kind}.1.log")).iter().map(|line| line[4]).collect();
        offsets.sort_unstable();
        assert_eq!(offsets, (0..10).map(|block| block * 4_096).collect::<Vec<_>>(), "{kind}");
    }
    // A window has no offset.
    text(&bench, &format!("{line} --log_offset=1 --log_avg_msec=500"));
    assert_eq!(lines(&bench, "x_lat.1.log"), [[1, READ_NS, 0, 0, 0, 0]]);
}

/// Checks that an option makes a log's times count from 1970.
#[track_caller]
fn counts_from_1970(option: &str) {
    let bench = Bench::new();
    let now_ms =
        || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64;
    let line = "--rw=read --bs=4k --size=4M --runtime=50ms --write_lat_log=x";
    text(&bench, &format!("{line} --{option}=0"));
    let plain = lines(&bench, "x_lat.1.log");
    assert_eq!((plain[0][0], plain[499][0]), (0, 50));
    let before_ms = now_ms();
    text(&bench, &format!("{line} --{option}=1"));
    let found = lines(&bench, "x_lat.1.log");
    assert!((before_ms..=now_ms()).contains(&found[0][0]), "{}", found[0][0]);
    // The rest is the same.
    for (found_line, plain_line) in found.iter().zip(&plain) {
        assert_eq!((found_line[0] - found[0][0], &found_line[1..]), (plain_line[0], &plain_line[1..]));
    }
}

#[test]
fn fio_option_log_unix_epoch() {
    counts_from_1970("log_unix_epoch");
}

#[test]
fn fio_option_log_alternate_epoch() {
    counts_from_1970("log_alternate_epoch");
}

#[test]
fn fio_option_log_alternate_epoch_clock_id() {
    let bench = Bench::new();
    let uptime_ms = || {
        let text = std::fs::read_to_string("/proc/uptime").unwrap();
        (text.split_whitespace().next().unwrap().parse::<f64>().unwrap() * 1e3) as u64
    };
    let first_ms = |options: &str| {
        text(&bench, &format!("{THREE} --write_lat_log=x {options}"));
        lines(&bench, "x_lat.1.log")[0][0]
    };
    // The clock since boot; /proc/uptime has hundredths of a second.
    let before_ms = uptime_ms();
    let found_ms = first_ms("--log_alternate_epoch=1 --log_alternate_epoch_clock_id=7");
    assert!((before_ms.saturating_sub(10)..=uptime_ms() + 10).contains(&found_ms), "{found_ms}");
    assert!(first_ms("--log_unix_epoch=1 --log_alternate_epoch_clock_id=0") > 1_000_000_000_000);
    // It has no effect by itself.
    assert_eq!(first_ms("--log_alternate_epoch_clock_id=7"), 0);
    let wrong = format!("{THREE} --log_alternate_epoch=1 --log_alternate_epoch_clock_id=99");
    refuses(&wrong, &["log_alternate_epoch_clock_id=99"]);
}

#[test]
fn a_job_that_starts_later_counts_from_its_own_start() {
    let bench = Bench::new();
    let job = "--ioengine=null --rw=read --bs=4k --size=12k --write_lat_log --log_unix_epoch=1";
    let since_1970 = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let before_ms = since_1970().as_millis() as u64;
    bench.fio(&format!("--name=a {job} --name=b {job} --startdelay=300ms")).exits_with(0);
    let first_ms = |name: &str| lines(&bench, name)[0][0];
    let after_ms = since_1970().as_millis() as u64;
    // A busy machine may let the first start late, too.
    assert!((before_ms..=after_ms).contains(&first_ms("a_lat.1.log")), "{before_ms}");
    assert!((before_ms + 290..=after_ms).contains(&first_ms("b_lat.2.log")), "{before_ms}");
}

#[test]
fn fio_option_log_prio() {
    let bench = Bench::new();
    let last_column = |options: &str| {
        text(&bench, &format!("{THREE} --write_lat_log=x --write_bw_log=x {options}"));
        ["x_lat.1.log", "x_bw.1.log"].map(|name| {
            let text = std::fs::read_to_string(bench.work().join(name)).unwrap();
            text.lines().next().unwrap().rsplit(", ").next().unwrap().to_string()
        })
    };
    assert_eq!(last_column(""), ["0", "0"]);
    assert_eq!(last_column("--log_prio=1"), ["0x0000", "0x0000"]);
    assert_eq!(last_column("--log_prio=1 --log_avg_msec=500"), ["0x0000", "0x0000"]);
}

#[test]
fn fio_option_log_issue_time() {
    let bench = Bench::new();
    let line = "--rw=read --bs=4k --size=40k --write_lat_log=x --log_offset=1";
    text(&bench, &format!("{line} --log_issue_time=1"));
    let issued: Vec<u64> = lines(&bench, "x_lat.1.log").iter().map(|line| line[6]).collect();
    assert_eq!(issued, (0..10).map(|io| io * READ_NS).collect::<Vec<_>>(), "one after the other");
    text(&bench, &format!("{line} --log_issue_time=0"));
    assert!(lines(&bench, "x_lat.1.log").iter().all(|line| line.len() == 6));
    // A window has no issue time.
    text(&bench, &format!("{line} --log_issue_time=1 --log_avg_msec=500"));
    assert_eq!(lines(&bench, "x_lat.1.log"), [[1, READ_NS, 0, 0, 0, 0, 0]]);
}

#[test]
fn fio_option_log_empty_windows() {
    let bench = Bench::new();
    // One read per second leaves gaps.
    let line = format!("{READS} --rate_iops=1 --write_lat_log=x --write_bw_log=x --log_avg_msec=250");
    let seen = |options: &str, name: &str| {
        text(&bench, &format!("{line} {options}"));
        lines(&bench, name).iter().map(|line| (line[0], line[1])).collect::<Vec<_>>()
    };
    assert_eq!(seen("--log_empty_windows=0", "x_lat.1.log"), [(250, READ_NS), (1_001, READ_NS)]);
    let all = [(250, READ_NS), (500, 0), (750, 0), (1_000, 0), (1_001, READ_NS)];
    assert_eq!(seen("--log_empty_windows=1", "x_lat.1.log"), all);
    assert_eq!(seen("--log_empty_windows=1", "x_bw.1.log"), [(250, 16), (500, 0), (750, 0), (1_000, 0)]);
}

#[test]
fn a_log_does_not_change_the_figures() {
    let bench = Bench::new();
    let plain = job(&bench, READS);
    let logged = job(&bench, &format!("{READS} --write_lat_log --write_bw_log --write_iops_log"));
    assert_eq!(logged["read"], plain["read"]);
    assert_eq!(simulated(&bench, &format!("{READS} --stats=0 --write_bw_log=quiet")).status.code(), Some(0));
    assert_eq!(
        lines(&bench, "quiet_bw.1.log").len(),
        20_000,
        "it is written for a job that is not shown, too"
    );
}

/// The logs in a bench: name, number of lines, and columns of the first.
fn shapes(bench: &Bench) -> Vec<(String, usize, usize)> {
    let shape = |name: String| {
        let found = lines(bench, &name);
        (name, found.len(), found.first().map_or(0, Vec::len))
    };
    logs(bench).into_iter().map(shape).collect()
}

#[test]
fn the_files_are_those_that_fio_makes() {
    let all = "--write_lat_log=x --write_bw_log=x --write_iops_log=x";
    for line in [
        "--ioengine=libaio --iodepth=2",
        "--ioengine=libaio --iodepth=2 --log_offset=1",
        "--ioengine=libaio --iodepth=2 --disable_slat=1",
        "--ioengine=libaio --iodepth=2 --disable_clat=1",
        "--ioengine=libaio --iodepth=2 --disable_lat=1",
        "--ioengine=null --numjobs=2",
        "--ioengine=null --numjobs=2 --per_job_logs=0",
    ] {
        let line = format!("--name=job --rw=read --bs=4k --size=40k {all} {line}");
        let (ours, theirs) = (Bench::new(), Bench::new());
        let Some(outcome) = theirs.debian_fio(&line) else {
            return skip("files of logs against fio", "fio is not installed");
        };
        outcome.exits_with(0);
        ours.fio(&line).exits_with(0);
        assert_eq!(shapes(&ours), shapes(&theirs), "{line}");
    }
    // The bandwidth of an I/O is that of its completion latency.
    let bench = Bench::new();
    bench.fio(&format!("--name=job --rw=read --bs=4k --size=400k --ioengine=libaio {all}")).exits_with(0);
    for (bandwidth, latency) in lines(&bench, "x_bw.1.log").iter().zip(lines(&bench, "x_clat.1.log")) {
        assert_eq!(bandwidth[1], 4_096 * 1_000_000 / latency[1].max(1));
    }
}
