//! Commands that run before and after a job.

use super::ask::{number, refuses};
use crate::common::Bench;
use crate::common::fio::PLAIN;

/// Runs the sections of a job file.
fn run(bench: &Bench, text: &str) -> crate::common::Outcome {
    bench.file("jobs.fio", text);
    bench.fio("--output-format=json jobs.fio")
}

fn read(bench: &Bench, name: &str) -> String {
    std::fs::read_to_string(bench.work().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

const NULL: &str = "[global]\nioengine=null\nrw=read\nsize=64k\n";

#[test]
fn fio_option_exec_prerun() {
    let bench = Bench::new();
    bench.file("job.prerun.txt", "of an earlier run, which was longer than this one");
    let text = format!("{NULL}[job]\nnumjobs=3\nexec_prerun=echo first && echo second >&2 && echo third\n");
    run(&bench, &text).exits_with(0);
    // Each clone has run it, and nothing is lost.
    let written = read(&bench, "job.prerun.txt");
    let mut lines: Vec<&str> = written.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["first", "first", "first", "second", "second", "second", "third", "third", "third"]);
    // It runs at the job's turn, before its files are read.
    let text = "[a]\nioengine=psync\nrw=write\nsize=64k\nfilename=data\nexec_postrun=echo one >> order\n\
                [b]\nstonewall\nioengine=psync\nrw=read\nsize=64k\nfilename=data\nexec_prerun=echo two >> order\n";
    run(&bench, text).exits_with(0);
    assert_eq!(read(&bench, "order"), "one\ntwo\n");
    // Commands that do not run leave no files.
    let bench = Bench::new();
    run(&bench, NULL).exits_with(1);
    bench.fio("--name=job --ioengine=null --rw=read --size=4k").exits_with(0);
    assert_eq!(bench.entries(), ["jobs.fio"]);
    refuses("--rw=read --size=4k --exec_prerun=", &["exec_prerun"]);
}

#[test]
fn a_command_that_fails_is_the_failure_of_its_job() {
    let bench = Bench::new();
    bench.file("plain.toml", PLAIN);
    for engine in ["ioengine=null", "ioengine=sim\nsim_model=plain.toml"] {
        let text = format!(
            "[global]\n{engine}\nrw=read\nsize=64k\n[bad]\nexec_prerun=echo why && exit 3\nexec_postrun=echo never\n[good]\n"
        );
        let outcome = run(&bench, &text).exits_with(1);
        outcome.complains(&["job 'bad'", "exec_prerun=echo why && exit 3", "status 3", "bad.prerun.txt"]);
        let json: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        let reads = |job: usize| number(&json["jobs"][job]["read"]["total_ios"]);
        assert_eq!((reads(0), reads(1)), (0, 16), "{engine}");
        assert_eq!((&json["jobs"][0]["error"], &json["jobs"][1]["error"]), (&125.into(), &0.into()));
        assert_eq!(read(&bench, "bad.prerun.txt"), "why\n");
        assert!(
            !bench.entries().contains(&"bad.postrun.txt".to_string())
                || read(&bench, "bad.postrun.txt").is_empty()
        );
    }
}

#[test]
fn fio_option_exec_postrun() {
    let bench = Bench::new();
    bench.file("plain.toml", PLAIN);
    for engine in ["ioengine=null", "ioengine=sim\nsim_model=plain.toml"] {
        let text = format!("[global]\n{engine}\nrw=read\nsize=64k\n[job]\nexec_postrun=echo done && false\n");
        // Both the figures and the failure are shown.
        let outcome = run(&bench, &text).exits_with(0);
        outcome.notes(&[
            "@engine-note-command",
            "'job'",
            "exec_postrun=echo done && false",
            "job.postrun.txt",
        ]);
        assert_eq!(read(&bench, "job.postrun.txt"), "done\n");
        let json: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(number(&json["jobs"][0]["read"]["total_ios"]), 16);
        std::fs::remove_file(bench.work().join("job.postrun.txt")).unwrap();
    }
    // It runs after a job that ends with an error, too.
    let text = format!(
        "{NULL}[job]\nrate_iops_min=1000000000\nrate_cycle=50\ntime_based\nruntime=10\nexec_postrun=echo done\n"
    );
    run(&bench, &text).exits_with(1);
    assert_eq!(read(&bench, "job.postrun.txt"), "done\n");
}

#[test]
fn the_time_of_commands_is_not_the_jobs() {
    let bench = Bench::new();
    let text = "[a]\nioengine=null\nrw=read\nsize=4k\nexec_prerun=sleep 0.3\nexec_postrun=sleep 0.3\n";
    let outcome = run(&bench, text).exits_with(0);
    let json: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert!(number(&json["jobs"][0]["read"]["runtime"]) < 300, "{}", outcome.stdout);
}

#[test]
fn a_command_ends_with_the_run() {
    let bench = Bench::new();
    bench.file("jobs.fio", &format!("{NULL}[job]\nexec_prerun=echo $$ > started && sleep 1000\n"));
    let mut running = bench.start("fio jobs.fio");
    let group = || std::fs::read_to_string(bench.work().join("started")).ok()?.trim().parse::<i32>().ok();
    running.wait_until(|| group().is_some(), "the command runs");
    running.signal("INT");
    running.finish().exits_with(128);
    // Together with everything it had started.
    assert_eq!(alive_in(group().unwrap()), Vec::<String>::new());
}

/// `/proc/PID/stat` of the processes of a group that have not ended.
fn alive_in(group: i32) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap();
    let stats = processes.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path().join("stat")).ok());
    let is_meant = |stat: &String| {
        // After the name, which may have any characters: state, parent, group.
        let mut fields = stat.rsplit_once(") ").map_or("", |(_, rest)| rest).split(' ');
        let state = fields.next();
        state != Some("Z") && fields.nth(1) == Some(&group.to_string())
    };
    stats.filter(is_meant).collect()
}

#[test]
fn a_missing_directory_for_output_is_reported_before_anything_is_done() {
    let bench = Bench::new();
    let line = "--name=no/such --ioengine=psync --filename=data --rw=write --size=4k --exec_prerun=true";
    let outcome = bench.fio(line).exits_with(1);
    outcome.complains(&["no/such.prerun.txt", "No such file or directory"]);
    assert!(bench.entries().is_empty(), "{:?}", bench.entries());
}
