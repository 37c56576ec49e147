//! Jobs that end in a steady state.

use cardiograph_testing::skip;
use serde_json::Value;

use super::ask::{job, number, refuses, sections, simulated};
use crate::common::Bench;
use crate::common::fio::json_of;

/// Reads at constant speed, for a minute unless something ends them.
const READS: &str = "--rw=randread --bs=4k --size=4M --time_based --runtime=60";

/// A job slowed down to two thirds by another in seconds two and three.
fn disturbed(option: &str) -> (u64, Value) {
    let job = "rw=randread\nbs=4k\nsize=4M\ntime_based\niodepth=8\n";
    let text = format!(
        "{job}[looked-at]\nruntime=60\nss_dur=3\n{option}\n[other]\nnew_group\nstartdelay=1\nruntime=2\nsize=8M\niodepth=4\n"
    );
    let json = sections(&Bench::new(), &text);
    let job = &json["jobs"][0];
    (number(&job["read"]["runtime"]), job["steadystate"].clone())
}

#[test]
fn fio_option_steadystate() {
    let bench = Bench::new();
    assert_eq!(job(&bench, &format!("{READS} --runtime=9"))["steadystate"], Value::Null);
    for (word, metric) in [
        ("--steadystate=iops:5%", "iops:5.000000%"),
        ("--ss=iops:5", "iops:5.000000"),
        ("--ss=bw:1%", "bw:1.000000%"),
        ("--ss=iops_slope:0.1%", "iops_slope:0.100000%"),
        ("--ss=bw_slope:0.1%", "bw_slope:0.100000%"),
        ("--ss=lat:1%", "lat:1.000000%"),
        ("--ss=lat:1000", "lat:1000.000000"),
        ("--ss=lat_slope:0.1%", "lat_slope:0.100000%"),
    ] {
        let job = job(&bench, &format!("{READS} {word} --ss_dur=5"));
        let steady = &job["steadystate"];
        assert_eq!((&steady["ss"], &steady["attained"]), (&metric.into(), &1.into()), "{steady}");
        assert!(number(&job["read"]["runtime"]).abs_diff(5_000) <= 1, "{}", job["read"]["runtime"]);
    }
    // Nothing is within a limit of 0.
    let never = job(&bench, &format!("{READS} --ss=iops:0% --ss_dur=5 --runtime=9"));
    assert_eq!((number(&never["read"]["runtime"]), &never["steadystate"]["attained"]), (9_000, &0.into()));
    refuses("--rw=read --size=4k --ss=lat:1% --ss_dur=5 --gtod_reduce=1", &["=lat:1%", "gtod_reduce"]);
    refuses(
        "--rw=read --size=4k --ss=lat:1% --ss_dur=5 --disable_lat=1 --disable_clat=1",
        &["=lat:1%", "disable_clat"],
    );
    refuses("--rw=read --size=4k --ss=iops --ss_dur=5", &["=iops"]);
    refuses("--rw=read --size=4k --ss=speed:5% --ss_dur=5", &["=speed:5%"]);
}

#[test]
fn a_disturbance_has_to_leave_the_window() {
    // Speed by seconds: all, two thirds, two thirds, all, all, all.
    let (runtime_ms, steady) = disturbed("ss=iops:10%");
    assert!(runtime_ms.abs_diff(6_000) <= 1, "{runtime_ms} {steady}");
    assert_eq!(steady["attained"], 1);
    assert!(
        steady["data"]["iops"].as_array().unwrap().iter().all(|iops| number(iops).abs_diff(80_000) < 80),
        "{steady}"
    );
    // A wide limit tolerates it.
    assert!(disturbed("ss=iops:40%").0.abs_diff(3_000) <= 1);
    // A limit without percent is in I/Os per second.
    assert!(disturbed("ss=iops:8000").0.abs_diff(6_000) <= 1);
    assert!(disturbed("ss=iops:40000").0.abs_diff(3_000) <= 1);
    // A drop by a third that stays is a slope of a sixth per second.
    assert!(disturbed("ss=iops_slope:25%").0.abs_diff(3_000) <= 1);
    assert!(disturbed("ss=iops_slope:5%").0 > 4_000);
}

#[test]
fn latency_settles_as_speed_does() {
    // While the other job runs, each I/O takes half as long again.
    let (runtime_ms, steady) = disturbed("ss=lat:10%");
    assert!(runtime_ms.abs_diff(6_000) <= 1, "{runtime_ms} {steady}");
    let latencies = steady["data"]["lat_ns"].as_array().unwrap();
    let mean_ns = steady["data"]["lat_mean"].as_f64().unwrap();
    assert!((mean_ns - 100_000.0).abs() < 200.0, "{steady}");
    assert!(
        latencies.len() == 3 && latencies.iter().all(|ns| number(ns).abs_diff(100_000) < 200),
        "{steady}"
    );
    assert!(disturbed("ss=lat:60000").0.abs_diff(3_000) <= 1);
    assert!(disturbed("ss=lat_slope:5%").0 > 4_000);
    assert_eq!(disturbed("ss=iops:10%").1["data"]["lat_ns"], Value::Null);
}

#[test]
fn fio_option_steadystate_duration() {
    let bench = Bench::new();
    for option in ["--steadystate_duration=2", "--ss_dur=4", "--ss_dur=10"] {
        let seconds: u64 = option.split_once('=').unwrap().1.parse().unwrap();
        let job = job(&bench, &format!("{READS} --ss=iops:5% {option}"));
        assert!(number(&job["read"]["runtime"]).abs_diff(seconds * 1_000) <= 1, "{option}");
        assert_eq!(number(&job["steadystate"]["duration"]), seconds);
        assert_eq!(job["steadystate"]["data"]["iops"].as_array().unwrap().len() as u64, seconds);
    }
    // Alone it uses fio's default criterion.
    let alone = job(&bench, &format!("{READS} --ss_dur=4"));
    assert_eq!(
        (&alone["steadystate"]["ss"], &alone["steadystate"]["attained"]),
        (&"iops_slope:0.010000%".into(), &1.into())
    );
    // Without it there is no criterion, as in fio, and a note reports that.
    let outcome = simulated(&bench, &format!("{READS} --runtime=3 --ss=iops:5%")).exits_with(0);
    outcome.notes(&["@jobs-remark.needs-steadystate-duration"]);
    assert!(!outcome.stdout.contains("  steadystate"), "{}", outcome.stdout);
}

#[test]
fn fio_option_steadystate_ramp_time() {
    let bench = Bench::new();
    for (option, runtime_ms) in
        [("", 4_000), ("--steadystate_ramp_time=3", 7_000), ("--ss_ramp=500ms", 4_500)]
    {
        let job = job(&bench, &format!("{READS} --ss=iops:5% --ss_dur=4 {option}"));
        assert!(
            number(&job["read"]["runtime"]).abs_diff(runtime_ms) <= 1,
            "{option}: {}",
            job["read"]["runtime"]
        );
        assert_eq!(job["steadystate"]["data"]["iops"].as_array().unwrap().len(), 4);
    }
    // A slow start before it does not matter.
    assert!(disturbed("ss=iops:10%\nss_ramp=3").0.abs_diff(6_000) <= 1);
    assert!(disturbed("ss=iops:10%\nss_ramp=4").0.abs_diff(7_000) <= 1);
}

#[test]
fn fio_option_steadystate_check_interval() {
    let bench = Bench::new();
    for (option, samples) in [
        ("", 4),
        ("--steadystate_check_interval=2", 2),
        ("--ss_interval=500ms", 8),
        ("--ss_interval=100ms", 40),
    ] {
        let job = job(&bench, &format!("{READS} --ss=iops:5% --ss_dur=4 {option}"));
        let iops = job["steadystate"]["data"]["iops"].as_array().unwrap();
        assert_eq!(iops.len(), samples, "{option}");
        assert!(iops.iter().all(|iops| number(iops).abs_diff(10_000) < 20), "in I/Os per second: {iops:?}");
        assert!(number(&job["read"]["runtime"]).abs_diff(4_000) <= 1);
    }
}

#[test]
fn fio_option_precision() {
    let bench = Bench::new();
    // On a drive without randomness the first check, after 44 windows of 100 ms, is enough.
    let even = job(&bench, &format!("{READS} --precision=2%"));
    assert!(number(&even["read"]["runtime"]).abs_diff(4_400) <= 1, "{}", even["read"]["runtime"]);
    let precision = &even["cardiograph"]["precision"];
    assert_eq!((&precision["end"], &precision["look"]), (&"attained".into(), &1.into()), "{precision}");
    assert_eq!(number(&precision["until_ns"]), 4_400_000_000);
    assert!(precision["half_width"].as_f64().unwrap() < 0.001 && precision["wanted"] == 0.02, "{precision}");
    // fio's own keys stay the same.
    assert!(number(&even["read"]["total_ios"]).abs_diff(44_000) <= 2, "{}", even["read"]["total_ios"]);
    assert_eq!(job(&bench, &format!("{READS} --runtime=6"))["cardiograph"]["precision"], Value::Null);
    let short = job(&bench, &format!("{READS} --precision=2% --runtime=3"));
    assert_eq!(short["cardiograph"]["precision"]["end"], "too_short");
    let text = simulated(&bench, &format!("{READS} --precision=0.5%")).exits_with(0).stdout;
    assert!(text.contains("cardiograph  : precision target 0.5 %: "), "{text}");
    let line = "--rw=read --size=4k --precision";
    refuses(&format!("{line}=0"), &["=0", "@jobs-value.not-a-share"]);
    refuses(&format!("{line}=half"), &["=half"]);
    refuses(&format!("{line}=2% --ss=iops:5% --ss_dur=5"), &["=2%", "steadystate_duration"]);
    refuses(&format!("{line}=2% --latency_target=1ms"), &["=2%", "latency_target"]);
}

#[test]
fn fio_option_precision_ios() {
    let bench = Bench::new();
    let job = job(&bench, &format!("{READS} --precision=2% --precision_ios=50000"));
    // 44,000 reads are too few at the first check; the second follows after half as many windows again.
    assert!(number(&job["read"]["runtime"]).abs_diff(6_600) <= 1, "{}", job["read"]["runtime"]);
    assert_eq!(job["cardiograph"]["precision"]["look"], 2);
    refuses("--rw=read --size=4k --precision_ios=5", &["=5", "precision=2%"]);
}

#[test]
fn the_answer_has_fios_keys() {
    let bench = Bench::new();
    let line = "--name=job --output-format=json --ioengine=null --rw=read --bs=4k --size=4k --ss=iops:50% --ss_dur=1 --rate_iops=50 --runtime=2 --time_based";
    let Some(theirs) = bench.debian_fio(line) else {
        return skip("keys of steadystate against fio", "fio is not installed");
    };
    let theirs = json_of(&theirs.exits_with(0));
    let ours = json_of(&bench.fio(line).exits_with(0));
    let keys = |json: &Value| -> Vec<String> {
        let steady = &json["jobs"][0]["steadystate"];
        let objects = [steady, &steady["data"]];
        objects.iter().flat_map(|object| object.as_object().unwrap().keys().cloned()).collect()
    };
    assert_eq!(keys(&ours), keys(&theirs));
    let text = |json: &Value| json["jobs"][0]["steadystate"]["ss"].clone();
    assert_eq!(text(&ours), text(&theirs));
}
