//! Jobs, their clones, and when they begin and end. On the plain simulated drive jobs do not slow each other down.

use serde_json::Value;

use super::ask::{job, number, refuses, sections, simulated, text};
use super::disk::run_job;
use super::file::refuses_on_disk;
use crate::common::Bench;
use crate::common::fio::PLAIN;

/// A job's name, group, start (in milliseconds after the first) and number of reads.
type Course<'j> = (&'j str, u64, u64, u64);

fn courses(json: &Value) -> Vec<Course<'_>> {
    let jobs = json["jobs"].as_array().unwrap();
    let begin = |job: &Value| number(&job["job_start"]);
    let first = jobs.iter().filter(|job| job["job_start"].is_u64()).map(begin).min().unwrap_or(0);
    let course = |job| {
        let job: &Value = job;
        let name = job["jobname"].as_str().unwrap();
        (name, number(&job["groupid"]), begin(job) - first, number(&job["read"]["total_ios"]))
    };
    jobs.iter().map(course).collect()
}

/// Checks the course of the sections of a job file.
#[track_caller]
fn check_courses(text: &str, expected: &[Course<'_>]) {
    let json = sections(&Bench::new(), text);
    assert_eq!(courses(&json), expected, "{text}");
}

#[test]
fn fio_option_name() {
    let bench = Bench::new();
    let json = sections(&bench, "size=4k\n[first]\n[section]\nname=second\n");
    assert_eq!(courses(&json), [("first", 0, 0, 1), ("second", 0, 0, 1)]);
    // --name begins a new job.
    let line = "--name=b --ioengine=psync --rw=write --size=8k";
    assert_eq!(
        run_job(&format!("--rw=write --size=4k {line}")).files(),
        [("b.0.0", 8_192), ("job.0.0", 4_096)]
    );
}

#[test]
fn fio_option_description() {
    let bench = Bench::new();
    let line = "--rw=read --size=4k";
    assert!(text(&bench, &format!("{line} --description=card-A")).contains("\n  Description  : [card-A]\n"));
    assert!(!text(&bench, line).contains("Description"));
    assert_eq!(job(&bench, &format!("{line} --description=card-A"))["desc"], "card-A");
    assert!(job(&bench, line)["desc"].is_null());
}

#[test]
fn fio_option_numjobs() {
    let bench = Bench::new();
    for (line, clones) in [("", 1), ("--numjobs=1", 1), ("--numjobs=7", 7), ("--numjobs=2 --numjobs=3", 3)] {
        let json = bench.job(&format!("--rw=read --size=40k {line}"));
        assert_eq!(courses(&json), vec![("job", 0, 0, 10); clones], "{line}");
    }
    // Each has its own files and order.
    let deed = run_job("--rw=write --size=8k --numjobs=3");
    assert_eq!(deed.files(), [("job.0.0", 8_192), ("job.1.0", 8_192), ("job.2.0", 8_192)]);
    assert_eq!(deed.ios.len(), 3);
    bench.job("--rw=randread --size=256k --numjobs=2 --write_lat_log=r --log_offset=1");
    assert_ne!(bench.log("r_lat.1.log"), bench.log("r_lat.2.log"));
    refuses("--rw=read --size=4k --numjobs=0", &["numjobs=0", "@jobs-value.out-of-range", "4,096"]);
    refuses("--rw=read --size=4k --numjobs=4097", &["numjobs=4097", "@jobs-value.out-of-range", "4,096"]);
}

#[test]
fn fio_option_stonewall() {
    check_courses("size=400k\n[a]\n[b]\n", &[("a", 0, 0, 100), ("b", 0, 0, 100)]);
    for option in ["stonewall", "stonewall=1", "wait_for_previous"] {
        // The third begins with the second: no stonewall separates them.
        let text = format!("size=400k\n[a]\n[x]\nsize=800k\n[b]\n{option}\n[c]\n");
        check_courses(&text, &[("a", 0, 0, 100), ("x", 0, 0, 200), ("b", 1, 20, 100), ("c", 1, 20, 100)]);
    }
    check_courses(
        "size=400k\nstonewall\n[a]\n[b]\n[c]\n",
        &[("a", 0, 0, 100), ("b", 1, 10, 100), ("c", 2, 20, 100)],
    );
    check_courses("size=400k\n[a]\n[b]\nstonewall=0\n", &[("a", 0, 0, 100), ("b", 0, 0, 100)]);
}

#[test]
fn fio_option_wait_for() {
    let text = "size=400k\n[a]\nnumjobs=2\n[b]\nsize=4M\n[c]\nwait_for=a\n[d]\nwait_for=c\n";
    let expected =
        [("a", 0, 0, 100), ("a", 0, 0, 100), ("b", 0, 0, 1_024), ("c", 0, 10, 100), ("d", 0, 20, 100)];
    check_courses(text, &expected);
    refuses("--rw=read --size=4k --wait_for=nobody", &["wait_for=nobody", "@jobs-problem.no-such-job"]);
}

#[test]
fn fio_option_new_group() {
    check_courses(
        "size=400k\n[a]\n[b]\nnew_group\n[c]\n",
        &[("a", 0, 0, 100), ("b", 1, 0, 100), ("c", 1, 0, 100)],
    );
    check_courses("size=400k\n[a]\n[b]\nnew_group=0\n", &[("a", 0, 0, 100), ("b", 0, 0, 100)]);
    let bench = Bench::new();
    let line = "--rw=read --size=4k --name=b --ioengine=sim --sim_model=plain.toml --size=4k";
    assert!(!text(&bench, line).contains("Run status group 1"));
    assert!(text(&bench, &format!("{line} --new_group")).contains("\nRun status group 1 (all jobs):\n"));
}

/// Jobs of which the first ends after 10 ms, and the others after seconds.
const UNEVEN: &str = "[b]\ntime_based\nruntime=2\n[c]\nnew_group\ntime_based\nruntime=1\n[d]\nstonewall\n";

#[test]
fn fio_option_exitall() {
    let uneven = |options: &str| format!("size=400k\n[a]\n{options}\n{UNEVEN}");
    let whole = [("a", 0, 0, 100), ("b", 0, 0, 20_000), ("c", 1, 0, 10_000), ("d", 2, 2_000, 100)];
    check_courses(&uneven(""), &whole);
    check_courses(&uneven("exitall=0"), &whole);
    // Jobs of the group end with it, after their I/Os in flight.
    check_courses(
        &uneven("exitall"),
        &[("a", 0, 0, 100), ("b", 0, 0, 100), ("c", 1, 0, 10_000), ("d", 2, 1_000, 100)],
    );
}

#[test]
fn fio_option_exit_what() {
    let uneven = |what: &str| format!("size=400k\n[a]\nexitall\nexit_what={what}\n{UNEVEN}");
    let whole = [("a", 0, 0, 100), ("b", 0, 0, 100), ("c", 1, 0, 10_000), ("d", 2, 1_000, 100)];
    check_courses(&uneven("group"), &whole);
    check_courses(
        &uneven("stonewall"),
        &[("a", 0, 0, 100), ("b", 0, 0, 100), ("c", 1, 0, 100), ("d", 2, 10, 100)],
    );
    check_courses(&uneven("all"), &[("a", 0, 0, 100), ("b", 0, 0, 100), ("c", 1, 0, 100), ("d", 2, 0, 0)]);
    refuses("--rw=read --size=4k --exit_what=some", &["exit_what=some", "group", "stonewall", "all"]);
}

#[test]
fn fio_option_exitall_on_error() {
    let bench = Bench::new();
    bench.file("plain.toml", PLAIN);
    // The first fails within a tenth of a second: no read of its drive takes less than 100 µs.
    let reads = |options: &str| {
        let text = format!(
            "[global]\nioengine=sim\nsim_model=plain.toml\nsize=400k\ntime_based\nruntime=2\n\
             [fails]\nrate_iops_min=20000\nrate_cycle=50\n{options}\n[works]\n"
        );
        bench.file("failing.fio", &text);
        let outcome = bench.fio("--output-format=json failing.fio").exits_with(1);
        let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_ne!(json["jobs"][0]["error"], 0);
        assert_eq!(json["jobs"][1]["error"], 0);
        number(&json["jobs"][1]["read"]["total_ios"])
    };
    assert_eq!(reads(""), 20_000);
    assert_eq!(reads("exitall_on_error=0"), 20_000);
    let ended = reads("exitall_on_error");
    assert!((500..2_000).contains(&ended), "{ended} reads");
    // A job that ends without an error ends no other.
    let went_well = "size=400k\n[a]\nexitall_on_error\n[b]\ntime_based\nruntime=1\n";
    check_courses(went_well, &[("a", 0, 0, 100), ("b", 0, 0, 10_000)]);
}

/// A job that writes a file of 64 KiB, and one that reads it.
fn writer_and_reader(first: &str, second: &str) -> String {
    format!(
        "--rw=write --size=64k --filename=a {first} --name=b --ioengine=psync --filename=a --rw=read {second}"
    )
}

/// A file has the length that earlier jobs give it; a job that looks it up at its start finds their data.
#[test]
fn fio_option_create_serialize() {
    for (first, second, blocks) in [
        ("", "", 0..16),
        ("", "--stonewall", 0..16),
        ("", "--wait_for=job --size=50%", 0..8),
        ("", "--stonewall --offset=25%", 4..16),
        ("", "--stonewall --offset=25% --size=50%", 4..12),
        ("", "--stonewall --io_size=25%", 0..4),
        ("", "--stonewall --allow_file_create=0", 0..16),
        ("--offset=16k --io_size=4k", "--stonewall", 0..20),
        ("--filesize=64k --fallocate=truncate", "--stonewall", 0..16),
        ("--fallocate=none --overwrite=1", "--stonewall", 0..16),
        ("--create_only=1", "--stonewall", 0..16),
        ("--fallocate=none", "--stonewall --create_serialize=0", 0..16),
        ("--fill_device=1", "--stonewall --create_serialize=0 --offset=25% --size=50%", 4..12),
        ("--create_on_open=1 --io_size=16k", "--stonewall --create_serialize=0", 0..4),
        ("--create_on_open=1", "--wait_for=job --create_serialize=0 --io_size=25%", 0..4),
    ] {
        let deed = run_job(&writer_and_reader(first, second));
        assert_eq!(deed.blocks(), blocks.collect::<Vec<_>>(), "{first} {second}");
        assert_eq!(deed.files.len(), 1, "{first} {second}");
    }
    for first in ["--fallocate=none", "--fill_device=1", "--create_on_open=1", "--ioengine=null"] {
        refuses_on_disk(
            &writer_and_reader(first, "--stonewall"),
            &["job 'b'", "@jobs-problem-of-job.size-missing"],
        );
    }
    // Without the file the job fails, and the results of others are kept.
    let bench = Bench::new();
    let job =
        "[global]\nioengine=psync\nstonewall\nfilename=a\n[job]\nrw=write\nsize=64k\ncreate_on_open=1\n";
    let others = "exec_postrun=rm a\n[b]\ncreate_serialize=0\n[c]\nrw=write\nsize=4k\nfilename=c\n";
    std::fs::write(bench.work().join("late.fio"), format!("{job}{others}")).unwrap();
    let outcome = bench.fio("late.fio --output-format=json").exits_with(1);
    outcome.complains(&["job 'b'", "@jobs-problem-of-job.size-missing", "create_serialize=0"]);
    let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let results = |job: &Value| (number(&job["write"]["total_ios"]), number(&job["error"]));
    let did: Vec<_> = json["jobs"].as_array().unwrap().iter().map(results).collect();
    assert_eq!(did, [(16, 0), (0, 125), (1, 0)]);
}

#[test]
fn fio_option_loops() {
    for (loops, expected) in [("1", 4), ("2", 8), ("5", 20)] {
        let blocks = run_job(&format!("--rw=read --size=16k --loops={loops}")).blocks();
        assert_eq!(blocks, (0..expected).map(|block| block % 4).collect::<Vec<_>>(), "{loops}");
    }
    assert_eq!(run_job("--rw=write --size=1M --io_size=8k --loops=3").blocks(), [0, 1, 2, 3, 4, 5]);
    // Random order has each block once in each loop.
    let ios = Bench::new().ios("--rw=randread --size=256k --loops=3");
    assert_eq!(ios.len(), 192);
    for pass in ios.chunks(64) {
        let mut offsets: Vec<u64> = pass.iter().map(|io| io.offset_bytes).collect();
        offsets.sort_unstable();
        assert_eq!(offsets, (0..64).map(|block| block * 4_096).collect::<Vec<_>>());
    }
    // A time limit ends them, too.
    let outcome = simulated(&Bench::new(), "--rw=read --size=400k --loops=1000 --runtime=1").exits_with(0);
    outcome.says(&["issued rwts: total=10000,0,0,0"]);
}
