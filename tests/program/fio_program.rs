//! The program in fio's place: outputs, exit status, signals, devices, and `cardiograph run`.

use std::process::Command;

use cardiograph_core::counters::CounterOutcome;
use cardiograph_core::report::StepOutcome;
use serde_json::Value;

use crate::common::fio::{PLAIN, is_compared, job_names, json_of};
use crate::common::loop_device::LoopDevice;
use crate::common::{Bench, PROGRAM, run, start};

/// The number of the signal.
const SIGUSR1: u32 = 10;

/// A job file with two sections on the null engine.
const TWO: &str = "[global]\nioengine=null\nsize=1M\n[one]\nrw=read\n[two]\nrw=randwrite\nstonewall\n";

#[test]
fn the_version_is_the_one_that_scripts_look_for() {
    let bench = Bench::new();
    for option in ["--version", "-v", "-version"] {
        let outcome = bench.fio(option).exits_with(0);
        let lines: Vec<&str> = outcome.stdout.lines().collect();
        assert_eq!(lines, ["fio-3.39", concat!("cardiograph ", env!("CARGO_PKG_VERSION"))]);
        // Under fio's name it prints one line: xfstests calculates with it.
        assert_eq!(run(bench.called_fio([option])).exits_with(0).stdout, "fio-3.39\n");
    }
}

#[test]
fn a_link_called_fio_is_fio() {
    let bench = Bench::new();
    let outcome = run(bench.called_fio(["-name=a", "-ioengine", "null", "-size=1M"])).exits_with(0);
    outcome.says(&["a: (groupid=0, jobs=1): err= 0", "Run status group 0 (all jobs):"]);
}

#[test]
fn several_outputs_come_in_fios_order() {
    let bench = Bench::new();
    let outcome =
        bench.fio("--name=a --ioengine=null --size=1M --output-format=normal,json,terse").exits_with(0);
    let text = &outcome.stdout;
    let [announced, terse, json, normal] = ["a: (g=0)", "\n3;fio-3.39;a;0;0;", "\n{\n", "Run status group"]
        .map(|part| text.find(part).unwrap_or_else(|| panic!("no {part:?} in {text}")));
    assert!(announced < terse && terse < json && json < normal, "{text}");
    assert_eq!(outcome.stderr, "");
}

#[test]
fn the_bandwidth_of_all_jobs_together_is_left_to_their_logs() {
    let outcome = Bench::new().fio("--bandwidth-log --name=job --ioengine=null --size=4k").exits_with(1);
    outcome.complains(&["--bandwidth-log", "@fio-program.bandwidth-log"]);
}

#[test]
fn the_output_goes_to_a_file() {
    let bench = Bench::new();
    let outcome = bench
        .fio("--name=a --ioengine=null --size=1M --thread --output-format=json --output=out.json")
        .exits_with(0);
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("", ""));
    let json: Value =
        serde_json::from_str(&std::fs::read_to_string(bench.work().join("out.json")).unwrap()).unwrap();
    assert_eq!(json["fio version"], "fio-3.39");
    assert!(json["jobs"][0]["cardiograph"]["notes"][0].as_str().unwrap().contains("'thread'"));
}

#[test]
fn json_is_valid_when_jobs_fail() {
    let bench = Bench::new();
    // The drive does 10,000 I/Os per second: both clones fail, and fio's exit status counts them.
    let model = bench.file("plain.toml", PLAIN);
    let outcome = bench.fio(&format!(
        "--name=a --ioengine=sim --sim_model={} --size=1M --numjobs=2 --rate_iops=20000 --rate_iops_min=15000 --runtime=9 \
         --time_based --output-format=json",
        model.display()
    ));
    let outcome = outcome.exits_with(2);
    let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(json["jobs"][0]["error"], 5);
    assert!(outcome.stderr.contains("wanted=15000iops"), "{}", outcome.stderr);
}

#[test]
fn intermediate_results_are_whole_documents() {
    let bench = Bench::new();
    let line = "--name=a --ioengine=null --size=1M --time_based --runtime=1 --thinktime=1ms --output-format=json --status-interval=250ms";
    let outcome = bench.fio(line).exits_with(0);
    let documents: Vec<Value> = serde_json::Deserializer::from_str(&outcome.stdout)
        .into_iter()
        .map(|document| document.unwrap())
        .collect();
    assert!((3..=5).contains(&documents.len()), "{}", documents.len());
    let ios: Vec<u64> =
        documents.iter().map(|document| document["jobs"][0]["read"]["total_ios"].as_u64().unwrap()).collect();
    assert!(ios.is_sorted() && ios[0] > 0, "what was done so far only grows: {ios:?}");
}

#[test]
fn the_progress_line_is_shown_on_request() {
    let bench = Bench::new();
    let job =
        "--name=a --ioengine=null --size=1M --time_based --runtime=1 --thinktime=1ms --eta-interval=250ms";
    let shown = bench.fio(&format!("{job} --eta=always")).exits_with(0);
    let lines = shown.stdout.lines().filter(|line| line.starts_with("Jobs: 1 (f=1): [R(1)]"));
    assert!(lines.clone().count() >= 2, "{}", shown.stdout);
    assert!(lines.clone().all(|line| line.contains("[eta 00m:0")), "{}", shown.stdout);
    let silent = bench.fio(job).exits_with(0);
    assert!(!silent.stdout.contains("[eta"), "standard output is no terminal: {}", silent.stdout);
}

#[test]
fn a_signal_ends_it_with_statistics() {
    let bench = Bench::new();
    let mut running =
        bench.start("fio --name=a --ioengine=null --size=1G --time_based --runtime=60 --output=out");
    let out = bench.work().join("out");
    running.wait_until(
        || std::fs::read_to_string(&out).is_ok_and(|text| text.contains("Starting 1 process")),
        "the job starts",
    );
    std::thread::sleep(std::time::Duration::from_millis(200));
    running.signal("INT");
    let outcome = running.finish().exits_with(128);
    assert!(outcome.stderr.contains("terminating on signal 2"), "{}", outcome.stderr);
    let text = std::fs::read_to_string(out).unwrap();
    assert!(text.contains("Run status group 0") && text.contains("err= 0"), "{text}");
}

#[test]
fn a_signal_shows_the_results_so_far() {
    let job = "--name=a --ioengine=null --size=1G --time_based --runtime=60 --thinktime=1ms";
    for (format, mark) in [("normal", "\na: (groupid=0"), ("json", "\n{\n"), ("terse", "\n3;fio-")] {
        let bench = Bench::new();
        let out = bench.work().join("out");
        let line = format!("{job} --output-format={format} --output=out");
        let mut running = start(bench.called_fio(line.split_whitespace()));
        let shown =
            || format!("\n{}", std::fs::read_to_string(&out).unwrap_or_default()).matches(mark).count();
        let status = format!("/proc/{}/status", running.id());
        let catches = || {
            let status = std::fs::read_to_string(&status).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
            u64::from_str_radix(caught.trim(), 16).unwrap() >> (SIGUSR1 - 1) & 1 == 1
        };
        running.wait_until(catches, "it listens");
        for times in 1..=2 {
            running.signal("USR1");
            running.wait_until(|| shown() == times, "the results so far are there");
        }
        running.signal("INT");
        running.finish().exits_with(128);
        assert_eq!(shown(), 3, "{format}");
    }
}

#[test]
fn sections_files_and_standard_input() {
    let bench = Bench::new();
    bench.file("two.fio", TWO);
    let json = |line: &str| json_of(&bench.fio(&format!("--output-format=json {line}")).exits_with(0));
    assert_eq!(job_names(&json("two.fio")), ["one", "two"]);
    assert_eq!(job_names(&json("--section=two two.fio")), ["two"]);
    let twice = json("two.fio two.fio");
    assert_eq!(job_names(&twice), ["one", "two", "one", "two"]);
    let groups: Vec<&Value> = twice["jobs"].as_array().unwrap().iter().map(|job| &job["groupid"]).collect();
    assert_eq!(groups, [0, 1, 2, 3], "a second file waits for the first");
    let mut piped = Command::new("sh");
    let line = format!("'{PROGRAM}' fio --output-format=json - < two.fio");
    piped.args(["-c", &line]).current_dir(bench.work());
    assert_eq!(job_names(&json_of(&run(piped).exits_with(0))), ["one", "two"]);
}

#[test]
fn help_comes_from_the_tables() {
    let bench = Bench::new();
    bench.fio("--help").exits_with(0).says(&["--output-format", "--allow-erase"]);
    bench.fio("--cmdhelp=bs").exits_with(0).says(&["alias: blocksize", "default: 4096", "status: works"]);
    bench.fio("--cmdhelp=zonemode").exits_with(0).says(&["zonemode"]);
    assert!(bench.fio("--cmdhelp").exits_with(0).stdout.lines().count() > 150);
    bench.fio("--enghelp").exits_with(0).says(&["libaio", "io_uring", "psync"]);
    bench.fio("--enghelp=io_uring").exits_with(0).says(&["force_async"]);
    bench
        .fio("--cmdhelp=blocksise")
        .exits_with(1)
        .complains(&["@jobs-problem.unknown-option-meant", "'blocksize'"]);
    bench.fio("--enghelp=psink").exits_with(1).complains(&["@fio-enghelp", "'psink'"]);
}

/// Command lines that are correct whatever the machine has, and wrong ones; with fio's exit status.
const PARSED: [(&str, i32); 17] = [
    ("", 0),
    ("--name=x", 0),
    ("--name=x --filename=/dev/nonexistent --rw=read", 0),
    ("--name=x --filename=/dev/nonexistent --rw=read --size=50%", 0),
    ("--name=x --filename=/dev/nonexistent --rw=randtrim --offset=1G", 0),
    ("--name=x --directory=nonexistent --rw=write", 0),
    ("--name=x --filename=.", 0),
    ("--name=x --read_iolog=nonexistent", 0),
    ("--name=x --rw=trim --size=1M", 0),
    ("--name=x --size=4k --bs=64k", 0),
    ("--name=x --rw=write --verify=md5 --verify_only --size=1M", 0),
    ("--name=x --cpus_allowed=1000 --size=1M", 0),
    ("--name=x --rw=raed", 1),
    ("--name=x --directory=nonexistent --iodepth=a", 1),
    ("--name=x --blocksise=4k", 1),
    ("--name=x --ioengine=psink", 1),
    ("--readonly --name=x --rw=randwrite", 1),
];

#[test]
fn parsing_alone_needs_no_drive() {
    let bench = Bench::new();
    for (line, status) in PARSED {
        let line = format!("--parse-only {line}");
        let ours = bench.fio(&line).exits_with(status);
        assert_eq!((ours.stdout.as_str(), ours.stderr.is_empty()), ("", status == 0), "{line}");
        if is_compared(&line) {
            bench.debian_fio(&line).unwrap().exits_with(status);
        }
    }
    assert!(bench.entries().is_empty());
}

#[test]
fn parsing_alone_runs_nothing() {
    let bench = Bench::new();
    bench.file("write.fio", "[w]\nrw=write\nsize=1M\nfilename=w.tmp\n");
    let outcome = bench.fio("--parse-only write.fio").exits_with(0);
    assert_eq!((outcome.stdout.as_str(), bench.entries()), ("", vec!["write.fio".to_string()]));
    bench.fio("--parse-only --readonly write.fio").exits_with(1).complains(&["@fio-readonly", "'w'"]);
    bench.fio("--readonly write.fio").exits_with(1).complains(&["@fio-readonly", "'w'"]);
    assert_eq!(bench.entries(), ["write.fio"]);
    let shown = bench.fio("--showcmd write.fio").exits_with(0);
    assert!(
        shown.stdout.contains("--name=w") && shown.stdout.contains("--filename=w.tmp"),
        "{}",
        shown.stdout
    );
}

#[test]
fn figures_that_fio_lacks_are_under_one_key() {
    let bench = Bench::new();
    // Nothing is done between the first I/O and the next that the limit allows: three windows of 500 ms are empty.
    let json = bench.job("--rw=read --bs=4k --size=8k --rate=2k --runtime=5 --time_based");
    let own = &json["jobs"][0]["cardiograph"];
    assert!(own["zero_windows"].as_u64().unwrap() >= 3, "{own}");
    assert!(own["longest_stall_ns"].as_u64().unwrap() >= 1_900_000_000, "{own}");
    assert_eq!(own["clock"]["source"], "virtual");
    let limited = bench.job("--rw=read --bs=4k --size=400k --rate_iops=100");
    assert!(
        limited["jobs"][0]["cardiograph"]["intended_lat_ns"]["read"]["N"].as_u64().unwrap() >= 99,
        "{limited}"
    );
}

#[test]
fn a_job_file_as_a_checkup_is_saved_as_a_report() {
    let bench = Bench::new();
    bench.file(
        "card.fio",
        "[global]\nsize=1M\nfilename=card.tmp\ndirect=1\n[seq]\nrw=read\nbs=64k\n[rand]\nrw=randread\nbs=4k\nstonewall\n",
    );
    let outcome = bench.run("run card.fio --label card-a -v").exits_with(0);
    outcome.says(&["job file", "card-a", "seq: read 64K QD1", "rand: randread 4K QD1"]);
    // The table of a checkup, with a row for each job.
    let (_, table) = outcome.stdout.split_once("MB/s ").unwrap();
    assert!(
        table.contains("p99.9") && table.contains("seq: read") && table.contains("rand: randread"),
        "{table}"
    );
    let report = bench.saved_report();
    let ids: Vec<&str> = report.steps.iter().map(|step| step.step.id.as_str()).collect();
    assert_eq!(
        (ids, report.suite.as_str(), report.label.as_deref()),
        (vec!["seq", "rand"], "job file", Some("card-a"))
    );
    let reads = report.steps[1].result.as_ref().unwrap().merged(|_| true).read;
    assert_eq!((reads.ios, reads.bytes), (256, 1 << 20));
    assert!(report.steps[1].fio_commands[0].contains("--rw=randread"));
    for (words, message) in [
        ("none.fio", "cardiograph: cannot read the job file 'none.fio': No such file or directory"),
        ("card.fio --section none", "cardiograph: unknown section 'none'"),
    ] {
        bench.run(&format!("run {words}")).exits_with(2).complains(&[message]);
    }
}

#[test]
fn a_job_file_on_a_simulated_drive_is_a_checkup_of_that_drive() {
    let bench = Bench::new();
    let jobs = "[global]\nioengine=sim\nsim_model=drive.toml\nsize=4M\nbs=4k\n[one]\nrw=randread\n[two]\nrw=write\nstonewall\n";
    bench.file("drive.toml", PLAIN);
    bench.file("simulated.fio", jobs);
    bench.run("run simulated.fio").exits_with(0).says(&["A drive without any chance", "one: randread"]);
    let piped = bench.run("run simulated.fio --no-keep --json").exits_with(0).stdout;
    assert_eq!(cardiograph_core::json::from_json(&piped).unwrap().suite, "job file");
    let report = bench.saved_report();
    assert!(report.drive.simulated);
    for step in &report.steps {
        assert_eq!(step.outcome, StepOutcome::Done);
        assert!(!step.counter_checks.is_empty());
        for check in &step.counter_checks {
            assert_eq!(check.outcome, CounterOutcome::Agrees, "{check:?}");
        }
    }
    // A job that hangs ends the checkup, and its figures are saved.
    bench.file("drive.toml", &format!("{PLAIN}\n[[faults]]\nkind = 'hang'\non = 'read'\nnth = 500\n"));
    let outcome = bench.run("run simulated.fio --export-json out.json").exits_with(3);
    outcome.complains(&["one", "@drive-hung.saved"]);
    let exported = std::fs::read_to_string(bench.work().join("out.json")).unwrap();
    let report = crate::common::read_report(&exported);
    assert_eq!((report.steps.len(), &report.steps[0].outcome), (1, &StepOutcome::Hung));
    let reads = report.steps[0].result.as_ref().unwrap().merged(|_| true).read.ios;
    assert!((498..=500).contains(&reads), "{reads}");
}

#[test]
fn a_job_file_as_a_checkup_follows_fios_options() {
    let bench = Bench::new();
    bench.file(
        "all.fio",
        "[global]\nioengine=null\nsize=1M\n[one]\nexitall\nexit_what=all\nwrite_iops_log=log\nlog_avg_msec=1\n[two]\nstonewall\n",
    );
    let outcome = bench.run("run all.fio --no-keep").exits_with(0);
    assert!(
        outcome.stdout.contains("one: read") && !outcome.stdout.contains("two: read"),
        "{}",
        outcome.stdout
    );
    assert!(bench.entries().contains(&"log_iops.1.log".to_string()), "{:?}", bench.entries());
    bench.run("run all.fio --no-keep --section none").exits_with(2);
}

#[test]
fn a_refused_run_changes_no_files() {
    let bench = Bench::new();
    bench.file("results.txt", "precious");
    bench.file("note.txt", "8 bytes.");
    for line in [
        "--name=a --filename=x --size=8k --rw=write --output=results.txt --write_bw_log=nowhere/log",
        "--name=a --filename=note.txt --size=1M --rw=read --unlink=1 --output=results.txt --write_bw_log=nowhere/log",
        "--name=a --filename=nowhere/x --size=8k --rw=write --output=results.txt --write_bw_log=log --allow_file_create=0",
    ] {
        bench.fio(line).exits_with(1);
        assert_eq!(bench.entries(), ["note.txt", "results.txt"], "{line}");
        assert_eq!(std::fs::read_to_string(bench.work().join("results.txt")).unwrap(), "precious", "{line}");
        assert_eq!(std::fs::read_to_string(bench.work().join("note.txt")).unwrap(), "8 bytes.", "{line}");
    }
}

#[test]
fn a_shell_that_ignores_interrupts_does_not_make_it_deaf() {
    let bench = Bench::new();
    let line = format!(
        "'{PROGRAM}' fio --name=a --ioengine=null --size=1G --time_based --runtime=60 --output=out & pid=$!; sleep 0.5; \
         kill -INT $pid; wait $pid; echo status $?"
    );
    let mut script = bench.command("bash", ["-c"]);
    script.arg(line);
    run(script).exits_with(0).says(&["status 128"]);
}

#[test]
fn an_io_that_fails_is_named() {
    let bench = Bench::new();
    let mut limited = bench.command("bash", ["-c"]);
    limited.arg(format!(
        "ulimit -f 16; '{PROGRAM}' fio --name=a --filename=f.tmp --size=64k --bs=4k --rw=write --fallocate=none"
    ));
    let outcome = run(limited).exits_with(1);
    outcome.complains(&["err=27", "write at 16384", "File too large"]);
}

#[test]
fn a_block_that_went_bad_is_named() {
    let bench = Bench::new();
    let job = "--name=a --filename=v.tmp --size=64k --bs=4k --verify=crc32c";
    bench.fio(&format!("{job} --rw=write --do_verify=0")).exits_with(0);
    let path = bench.work().join("v.tmp");
    let mut content = std::fs::read(&path).unwrap();
    content[5 * 4_096 + 100] ^= 1;
    std::fs::write(&path, content).unwrap();
    let outcome = bench.fio(&format!("{job} --rw=read")).exits_with(1);
    outcome.complains(&["err=84", "@verify-failed-first", "v.tmp", "20480, 4096"]);
    assert!(!outcome.stderr.contains("multibyte"), "{}", outcome.stderr);
}

#[test]
fn a_device_is_written_only_with_consent() {
    let bench = Bench::new();
    let Some(device) = LoopDevice::new(&bench) else {
        return cardiograph_testing::skip("writing to devices from outside", "no loop devices");
    };
    let job = |rw: &str, more: &str| {
        format!("--name=d --filename={} --bs=4k --size=1M --rw={rw} {more}", device.path)
    };
    bench.fio(&job("read", "")).exits_with(0).says(&["err= 0", "total=256,0,0,0"]);
    for rw in ["write", "randrw", "trim", "randtrimwrite"] {
        let refused = bench.fio(&job(rw, "")).exits_with(1);
        refused.complains(&[
            &device.path,
            "@prepare-needs-consent.lost",
            "--allow-erase=",
            "CARDIOGRAPH_ALLOW_ERASE=",
        ]);
        assert_eq!(refused.stdout.matches("err=").count(), 0);
    }
    let refused = bench.fio(&job("write", ""));
    let (_, rest) = refused.stderr.split_once("--allow-erase=").unwrap();
    let id = rest.split_whitespace().next().unwrap().to_string();
    bench.fio(&job("write", "--allow-erase=another")).exits_with(1);
    bench.fio(&job("write", &format!("--allow-erase={id}"))).exits_with(0).says(&["total=0,256,0,0"]);
    let mut scripted = bench.command(PROGRAM, format!("fio {}", job("write", "")).split_whitespace());
    scripted.env("CARDIOGRAPH_ALLOW_ERASE", format!("x,{id}"));
    run(scripted).exits_with(0).says(&["total=0,256,0,0"]);
    let output = format!("--name=a --ioengine=null --size=1M --output={}", device.path);
    bench.fio(&output).exits_with(1).complains(&["@output-unfit.block-device"]);
    let allowed = format!("--allow-erase={id} --allow_mounted_write=1");
    let made =
        Command::new("mkfs.ext4").args(["-q", &device.path]).status().is_ok_and(|status| status.success());
    std::fs::create_dir(bench.work().join("mnt")).unwrap();
    let mount = Command::new("mount").arg(&device.path).arg(bench.work().join("mnt")).status();
    if !made || !mount.is_ok_and(|status| status.success()) {
        return cardiograph_testing::skip("refusing mounted devices from outside", "no mount");
    }
    let refused = bench.fio(&job("write", &allowed));
    let unmounted = Command::new("umount").arg(bench.work().join("mnt")).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    refused.exits_with(1).complains(&["@device-use-mounted", "@prepare-device-in-use.mounted-write"]);
}

#[test]
fn debug_names_its_replacements() {
    let outcome = Bench::new().fio("--debug=io --name=job --ioengine=null --size=4k").exits_with(1);
    outcome.complains(&["--debug", "@fio-program.debug"]);
    assert_eq!(outcome.stdout, "");
}

#[test]
fn idle_time_of_the_machine_is_left_to_others() {
    let outcome = Bench::new().fio("--idle-prof=system --name=job --ioengine=null --size=4k").exits_with(1);
    outcome.complains(&["--idle-prof", "@fio-program.idle-prof"]);
}
