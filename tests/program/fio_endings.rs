//! `fio` runs on drives that stop responding.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use cardiograph_testing::drives::PLAIN;
use cardiograph_testing::{Frozen, LoopMount, skip};
use serde_json::Value;

use crate::common::{Bench, PROGRAM, has_message};

/// The error, the number of I/Os, and the longest stall.
fn entry(json: &Value) -> (u64, u64, u64) {
    let job = &json["jobs"][0];
    let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{value}"));
    (
        number(&job["error"]),
        number(&job["read"]["total_ios"]) + number(&job["write"]["total_ios"]),
        number(&job["cardiograph"]["longest_stall_ns"]),
    )
}

#[test]
fn a_simulated_drive_that_hangs_ends_the_job_behind_its_deadline() {
    for (options, end_s) in
        [("--runtime=3 --time_based", 13), ("--runtime=3 --time_based --iodepth=8", 13), ("--size=4M", 60)]
    {
        let bench = Bench::new();
        bench.file("hangs.toml", &format!("{PLAIN}\n[[faults]]\nkind = 'hang'\non = 'read'\nnth = 500\n"));
        let line = format!(
            "--name=job --ioengine=sim --sim_model=hangs.toml --rw=randread --bs=4k --size=4M {options} \
             --output-format=normal,json --write_lat_log=log"
        );
        let outcome = bench.fio(&line).exits_with(1);
        outcome.complains(&["job 'job', clone 0: err=110", "@drive-hung.shown"]);
        outcome.says(&["err=110", "@fio-job-error.hung", "IOPS="]);
        let from = outcome.stdout.find("\n{\n").expect("JSON is there");
        let len = outcome.stdout[from..].find("\n}\n").expect("it ends") + 3;
        let json = serde_json::from_str(&outcome.stdout[from..from + len]).unwrap();
        let (error, ios, silence_ns) = entry(&json);
        assert_eq!(error, 110);
        // Up to a queue depth of requests were in flight behind the one that hangs.
        assert!((492..=506).contains(&ios), "{ios}");
        assert!(silence_ns.abs_diff(end_s * 1_000_000_000) < 300_000_000, "{silence_ns}");
        let logged = std::fs::read_to_string(bench.work().join("log_lat.1.log")).unwrap();
        assert_eq!(logged.lines().count() as u64, ios, "what was done is logged");
    }
}

#[test]
fn a_drive_that_hangs_in_the_kernel_is_reported_while_it_hangs() {
    let what = "a drive that hangs in the kernel, through fio";
    let mount = match LoopMount::new(&["mkfs.ext4", "-q"], 64 << 20, "") {
        Ok(mount) => mount,
        Err(reason) => return skip(what, &reason),
    };
    let bench = Bench::new();
    let (shown, complained) = (bench.work().join("shown"), bench.work().join("complained"));
    // Into files: a pipe stays open as long as the process, which the kernel holds.
    let line = format!(
        "fio --name=job --directory={0} --rw=write --bs=4k --size=4M --fsync=1 --time_based --runtime=3 --unlink=1 \
         --write_lat_log={0}/log --output-format=json",
        mount.path().display()
    );
    let log = mount.path().join("log_lat.1.log");
    std::fs::write(&log, "of an earlier run").unwrap();
    let mut command = bench.command(PROGRAM, line.split_whitespace());
    command.stdout(File::create(&shown).unwrap()).stderr(File::create(&complained).unwrap());
    let mut child = command.spawn().unwrap();
    let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let began = Instant::now();
    let wait_for = |is_so: &dyn Fn() -> bool| {
        while !is_so() && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(is_so(), "{:?} {:?}", text(&shown), text(&complained));
    };
    let file = mount.path().join("job.0.0");
    wait_for(&|| file.metadata().is_ok_and(|metadata| metadata.len() > 0));
    std::thread::sleep(Duration::from_millis(500));
    let frozen = match Frozen::new(&mount) {
        Ok(frozen) => frozen,
        Err(reason) => {
            let _ = child.wait();
            return skip(what, &reason);
        }
    };
    // The logs are on the same drive, and the file is to be removed: neither delays the end.
    wait_for(&|| has_message(&text(&complained), "logs-late"));
    let complained_text = text(&complained);
    assert_eq!(text(&log), "of an earlier run", "what replaces it is not whole");
    assert!(complained_text.contains("err=110"), "{complained_text}");
    for id in ["drive-hung-held.shown", "logs-late"] {
        assert!(has_message(&complained_text, id), "{id}: {complained_text}");
    }
    let json: Value = serde_json::from_str(&std::fs::read_to_string(&shown).unwrap()).unwrap();
    let (error, ios, silence_ns) = entry(&json);
    assert_eq!(error, 110);
    assert!(ios > 0 && silence_ns > 9_000_000_000, "{ios} {silence_ns}");
    assert_eq!(json["jobs"][0]["cardiograph"].get("pauses"), None, "the drive hangs, and not the program");
    drop(frozen);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
