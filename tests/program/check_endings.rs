//! `check` that ends early: signals, a closed terminal, a drive that hangs.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cardiograph_core::report::{ReportState, StepOutcome};
use cardiograph_core::result::RunOutcome;
use cardiograph_testing::{Frozen, LoopMount, skip};

use crate::common::{Bench, PROGRAM, entries, has_message, run, signal_is_ignored, start, step_ids};

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[test]
fn signals_end_it_in_order() {
    std::thread::scope(|scope| {
        for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
            if signal_is_ignored(signal) {
                skip(&format!("ending by SIG{signal}"), "the tests run with that signal ignored");
                continue;
            }
            scope.spawn(move || ends_in_order(signal, code));
        }
    });
}

fn ends_in_order(signal: &str, code: i32) {
    let bench = Bench::new();
    let mut running = bench.start("check --max-time 40s --export-json out.json");
    bench.wait_for_steps(1, &mut running);
    // Into the next step, which takes over 3 s, and past the sync of the Report, which a busy disk delays.
    std::thread::sleep(Duration::from_millis(1_500));
    running.signal(signal);
    let outcome = running.finish().exits_with(code);
    outcome.says(&["@checkup-state.interrupted", "@cleaned-all"]);
    let report = bench.saved_report();
    assert_eq!(report.state, ReportState::Interrupted, "{signal}");
    assert_eq!(bench.entries(), ["out.json"], "{signal}");
    let exported = std::fs::read_to_string(bench.work().join("out.json")).unwrap();
    assert_eq!(crate::common::read_report(&exported), report, "{signal}");
    let (last, before) = report.steps.split_last().unwrap();
    assert!(!before.is_empty() && before.iter().all(|step| step.outcome == StepOutcome::Done), "{signal}");
    assert_eq!(last.outcome, StepOutcome::Interrupted, "{signal}: {:?}", step_ids(&report));
    let result = last.result.as_ref().unwrap();
    assert_eq!(result.outcome, RunOutcome::Stopped, "{signal}");
    assert!(last.figures.as_ref().unwrap().directions[0].ios > 0, "{signal}: what was measured is there");
}

#[test]
fn signals_that_the_caller_ignores_stay_ignored() {
    let bench = Bench::new();
    // As under nohup.
    let line = format!("trap '' HUP; exec '{PROGRAM}' check --max-time 3s");
    let mut running = start(bench.command("sh", ["-c", &line]));
    bench.wait_for_steps(1, &mut running);
    running.signal("HUP");
    running.finish().exits_with(0);
    assert_ne!(bench.saved_report().state, ReportState::Running);
}

#[test]
fn a_single_job_ends_in_order_too() {
    if signal_is_ignored("INT") {
        return skip("ending a single job by SIGINT", "the tests run with that signal ignored");
    }
    let bench = Bench::new();
    let running = bench.start("job rw=randread bs=4k size=16M ioengine=null runtime=60 time_based=1 --json");
    std::thread::sleep(Duration::from_millis(600));
    running.signal("INT");
    let outcome = running.finish().exits_with(130);
    let result: cardiograph_core::RunResult = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(result.outcome, RunOutcome::Stopped);
    assert!(result.merged(|_| true).read.ios > 0);
}

#[test]
fn killing_it_leaves_no_file_and_loses_no_finished_step() {
    let bench = Bench::new();
    let mut running = bench.start("check --max-time 24s");
    bench.wait_for_steps(1, &mut running);
    let path = bench.work();
    let made_nameless = rustix::fs::open(
        &path,
        rustix::fs::OFlags::TMPFILE | rustix::fs::OFlags::RDWR,
        rustix::fs::Mode::RUSR,
    );
    running.signal("KILL");
    assert_eq!(running.finish().status.code(), None);
    let report = bench.saved_report();
    assert_eq!(report.state, ReportState::Running, "nobody said how it ended");
    assert!(!report.steps.is_empty() && report.steps.iter().all(|step| step.outcome == StepOutcome::Done));
    match made_nameless {
        Ok(_) => assert!(bench.entries().is_empty()),
        Err(errno) => skip("nameless test files", &format!("the build directory has none ({errno})")),
    }
}

/// A directory on a file system without nameless files (O_TMPFILE).
struct Bound {
    mount_point: PathBuf,
}

impl Bound {
    fn new(directory: &Path, mount_point: PathBuf) -> Result<Self, String> {
        std::fs::create_dir(&mount_point).map_err(|error| error.to_string())?;
        cardiograph_testing::run(
            Command::new("bindfs").arg("--no-allow-other").arg(directory).arg(&mount_point),
        )?;
        Ok(Self { mount_point })
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        let _ = cardiograph_testing::run(Command::new("umount").arg("--lazy").arg(&self.mount_point));
    }
}

#[test]
fn the_next_run_removes_what_a_killed_one_left_and_nothing_else() {
    let what = "leftovers on a file system without nameless files";
    if !is_installed("bindfs") {
        return skip(what, "bindfs is not installed");
    }
    let bench = Bench::new();
    let below = bench.work();
    let bound = match Bound::new(&below, below.with_file_name("bound")) {
        Ok(bound) => bound,
        Err(reason) => return skip(what, &reason),
    };
    let flags = rustix::fs::OFlags::TMPFILE | rustix::fs::OFlags::RDWR;
    assert!(
        rustix::fs::open(&bound.mount_point, flags, rustix::fs::Mode::RUSR).is_err(),
        "or nothing is tested"
    );
    let check = |more: &str| format!("check {} --buffered --max-time {more}", bound.mount_point.display());
    bench.file("photo.jpg", "mine");
    bench.file(".cardiograph-notes", "mine, too");

    let mut running = bench.start(&check("24s"));
    let count = |bench: &Bench| bench.entries().len();
    running.wait_until(|| count(&bench) > 2, "a test file is made");
    bench.wait_for_steps(1, &mut running);
    let mut second = bench.start(&check("1s"));
    second.wait_until(|| bench.saved().len() > 1, "the second run has a Report");
    second.finish().exits_with(0);
    assert_eq!(count(&bench), 3, "the file of a run that is alive is left alone");
    running.signal("KILL");
    running.finish();
    assert_eq!(count(&bench), 3, "{:?}", bench.entries());

    let outcome = bench.run(&check("1s")).exits_with(0);
    outcome.says(&["@cleaned-removed"]);
    assert_eq!(bench.entries(), [".cardiograph-notes", "photo.jpg"]);
}

#[test]
fn a_reader_that_goes_away_is_not_an_error() {
    let bench = Bench::new();
    for line in ["check --simulate sandisk-ultra-64", "suites", "engines", "completions bash", "check --help"]
    {
        let mut command = bench.command(PROGRAM, line.split(' '));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty(), "{line}");
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.as_str()), (Some(0), ""), "{line}");
    }
    assert_eq!(bench.saved_report().state, ReportState::Finished);
}

#[test]
fn closed_outputs_are_not_an_error() {
    let bench = Bench::new();
    for closed in [">&-", "2>&-", ">&- 2>&-", "<&-", ">/dev/full"] {
        let line = format!("exec '{PROGRAM}' check --simulate sandisk-ultra-64 {closed}");
        let outcome = run(bench.command("sh", ["-c", &line])).exits_with(0);
        assert!(outcome.stderr.is_empty(), "{closed}: {}", outcome.stderr);
        assert_eq!(bench.saved_report().state, ReportState::Finished, "{closed}");
    }
}

#[test]
fn closing_the_terminal_ends_it_in_order() {
    if !is_installed("script") {
        return skip("closing the terminal", "script is not installed");
    }
    if signal_is_ignored("HUP") {
        return skip("closing the terminal", "the tests run with SIGHUP ignored");
    }
    let bench = Bench::new();
    // `script` holds the other end of a terminal, so killing it closes the terminal.
    let line = format!("exec '{PROGRAM}' check --max-time 24s");
    let mut terminal = start(bench.command("script", ["--quiet", "--command", &line, "/dev/null"]));
    bench.wait_for_steps(1, &mut terminal);
    terminal.signal("KILL");
    drop(terminal);
    let began = Instant::now();
    while bench.saved_report().state == ReportState::Running {
        assert!(began.elapsed() < Duration::from_secs(30), "it continues without a terminal");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(bench.saved_report().state, ReportState::Interrupted);
    assert!(bench.entries().is_empty());
}

#[test]
fn a_drive_that_hangs_in_the_kernel_does_not_take_the_results_with_it() {
    let what = "a drive that hangs in the kernel";
    let mount = match LoopMount::new(&["mkfs.ext4", "-q"], 1 << 30, "") {
        Ok(mount) => mount,
        Err(reason) => return skip(what, &reason),
    };
    let bench = Bench::new();
    let (shown, complained) = (bench.work().join("shown"), bench.work().join("complained"));
    // Into files: a pipe stays open as long as the process, which the kernel holds.
    let line = format!("check {} --max-time 16s --export-json out.json", mount.path().display());
    let mut command = bench.command(PROGRAM, line.split(' '));
    command
        .stdout(std::fs::File::create(&shown).unwrap())
        .stderr(std::fs::File::create(&complained).unwrap());
    let mut child = command.spawn().unwrap();
    let began = Instant::now();
    let wait_for = |is_so: &dyn Fn() -> bool| {
        while !is_so() && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(is_so(), "{:?} {:?}", std::fs::read_to_string(&shown), std::fs::read_to_string(&complained));
    };
    // The four read steps are over, and the random write is running.
    wait_for(&|| bench.steps_saved() >= 4);
    std::thread::sleep(Duration::from_millis(200));
    let frozen = match Frozen::new(&mount) {
        Ok(frozen) => frozen,
        Err(reason) => {
            let _ = child.wait();
            return skip(what, &reason);
        }
    };
    let since = Instant::now();
    let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    wait_for(&|| {
        has_message(&text(&complained), "drive-hung.saved") && has_message(&text(&shown), "report-saved")
    });
    let waited = since.elapsed();
    assert!(waited > Duration::from_secs(9) && waited < Duration::from_secs(30), "{waited:?}");
    let report = bench.saved_report();
    let exported = std::fs::read_to_string(bench.work().join("out.json")).unwrap();
    assert_eq!(crate::common::read_report(&exported), report, "both are saved while it hangs");
    assert!(has_message(&text(&shown), "unfinished-whole.failed"));
    drop(frozen);
    assert_eq!(child.wait().unwrap().code(), Some(3));

    assert_eq!(report.state, ReportState::Failed);
    let (hung, before) = report.steps.split_last().unwrap();
    assert_eq!(hung.outcome, StepOutcome::Hung);
    assert!(before.len() >= 4 && before.iter().all(|step| step.outcome == StepOutcome::Done));
    assert!(hung.figures.as_ref().unwrap().longest_stall_ns > 9_000_000_000, "the stall includes the hang");
    assert_eq!(entries(mount.path()), ["lost+found"]);
}
