//! Runs whose Agent or parent dies, or both: figures stay, test files do not.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cardiograph_core::report::{ReportState, StepOutcome};
use cardiograph_core::result::RunOutcome;
use cardiograph_core::{Report, RunResult};
use cardiograph_testing::control_group::ControlGroup;
use cardiograph_testing::{skip, soon};
use serde_json::Value;

use crate::common::{
    Bench, Outcome, PROGRAM, Running, entries, flat, has_message, send, signal_is_ignored, start, step_ids,
};

/// Signals that kill an Agent, and their names.
const DEATHS: [(&str, &str); 4] =
    [("KILL", "SIGKILL"), ("ABRT", "SIGABRT"), ("BUS", "SIGBUS"), ("SEGV", "SIGSEGV")];
/// Figures of a run are reported to the parent about every second.
const REPORTED: Duration = Duration::from_millis(1_500);
/// An Agent without a parent ends within two seconds; a busy machine may double that.
const END_MAX: Duration = Duration::from_secs(5);
/// A job that runs until it is stopped, and removes its file.
const FIO: &str = "fio --name=job --rw=randread --bs=4k --size=16M --time_based --runtime=60 --unlink=1";

/// Whether a process is running, rather than a zombie.
fn is_alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, fields)| !fields.starts_with(['Z', 'X']))
}

/// Kills an Agent by a signal. The first `SIGBUS` or `SIGSEGV` that no fault raised only disarms the handler of Rust's library.
fn kill(signal: &str, agent: u32) {
    soon(|| {
        send(signal, agent);
        (!is_alive(agent)).then_some(())
    });
}

#[track_caller]
fn ends_soon(agent: u32) {
    let began = Instant::now();
    while is_alive(agent) {
        assert!(began.elapsed() < END_MAX, "the Agent continues without a parent");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Checks that standard error reports once that the Agent died, and by which signal.
#[track_caller]
fn reports_death_once(outcome: &Outcome, signal: &str) {
    let deaths = ["kill", "abort", "bus", "segmentation"].map(|death| format!("agent-killed.{death}"));
    let reports = |text: &str| deaths.iter().any(|death| has_message(text, death));
    let times = outcome.stderr.matches(signal).count();
    assert!(times == 1 && reports(&outcome.stderr), "{times}: {}", outcome.stderr);
}

/// Checks that a Report has the steps before an Agent died, and the figures of the last step up to then.
#[track_caller]
fn check_figures_until_death(report: &Report) {
    assert_eq!(report.state, ReportState::Failed);
    let (died, before) = report.steps.split_last().unwrap();
    assert!(before.iter().all(|step| step.outcome == StepOutcome::Done), "{:?}", step_ids(report));
    let StepOutcome::Failed { message } = &died.outcome else { panic!("{:?}", died.outcome) };
    assert!(message.to_string().contains("agent-killed"), "{message}");
    let result = died.result.as_ref().unwrap();
    assert_eq!(result.outcome, RunOutcome::Failed);
    assert!(result.merged(|_| true).read.ios > 0, "what was measured until then is there");
    assert!(died.figures.as_ref().unwrap().directions[0].ios > 0);
}

/// Starts a checkup and waits until the middle of its second step.
fn start_and_wait_for_second_step(bench: &Bench) -> Running {
    let mut running = bench.start("check --max-time 40s");
    bench.wait_for_steps(1, &mut running);
    std::thread::sleep(REPORTED);
    running
}

/// Starts the program and waits until it does I/O on a file of the bench.
fn start_and_wait_for_io(bench: &Bench, line: &str) -> Running {
    let mut running = bench.start(line);
    running.io_id();
    running.wait_until(|| !bench.entries().is_empty(), "a file is made");
    std::thread::sleep(REPORTED);
    running
}

#[test]
fn figures_survive_the_death_of_an_agent() {
    std::thread::scope(|scope| {
        for (signal, name) in DEATHS {
            scope.spawn(move || {
                let bench = Bench::new();
                let running = start_and_wait_for_second_step(&bench);
                kill(signal, running.io_id());
                reports_death_once(&running.finish().exits_with(3), name);
                let report = bench.saved_report();
                assert!(report.steps.len() > 1);
                check_figures_until_death(&report);
                assert!(bench.entries().is_empty(), "{signal}: {:?}", bench.entries());
            });
        }
    });
}

#[test]
fn a_sweep_whose_agent_died_is_resumed() {
    let bench = Bench::new();
    let line =
        "check --suite sweep --set bs=4k --set depth=1,4 --set mix=randread --set time=4s --set size=16M";
    let mut running = bench.start(line);
    bench.wait_for_steps(2, &mut running);
    std::thread::sleep(REPORTED);
    kill("KILL", running.io_id());
    running.finish().exits_with(3).says(&["@check-resume"]);
    let died = bench.saved_report();
    check_figures_until_death(&died);
    bench.run(&format!("{line} --resume")).exits_with(0);
    let resumed = bench.saved_report();
    assert_eq!((resumed.state, &resumed.id), (ReportState::Finished, &died.id));
    assert_eq!(step_ids(&resumed), ["cell", "fill", "cell-2"]);
    assert_eq!(resumed.steps[0], died.steps[1], "what was measured stays");
}

/// Checks the output of a run and what it left.
type Check = fn(&Bench, &Outcome);

#[test]
fn jobs_whose_agent_dies_show_their_figures() {
    let fio = format!("{FIO} --output-format=json");
    let cases: [(&str, i32, Check); 4] = [
        (&fio, 1, |_, outcome| {
            let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
            let job = &json["jobs"][0];
            assert_ne!(job["error"], 0);
            assert!(job["read"]["total_ios"].as_u64().unwrap() > 0, "{job}");
        }),
        ("run job.fio", 3, |bench, _| {
            check_figures_until_death(&bench.saved_report());
        }),
        ("job rw=randread bs=4k size=16M runtime=60 time_based=1 --json", 3, |bench, outcome| {
            let result: RunResult = serde_json::from_str(&outcome.stdout).unwrap();
            assert_eq!(result.outcome, RunOutcome::Failed);
            assert!(result.merged(|_| true).read.ios > 0);
            assert!(bench.entries().is_empty());
        }),
        ("dd if=zeros of=/dev/null bs=512 iflag=direct", 3, |bench, outcome| {
            let records = outcome.stderr.split_once("+0 records in").unwrap().0;
            let records: u64 = records.rsplit('\n').next().unwrap().parse().unwrap();
            assert!(records > 0, "{}", outcome.stderr);
            assert_eq!(bench.entries(), ["zeros"]);
        }),
    ];
    std::thread::scope(|scope| {
        for (line, code, check) in cases {
            scope.spawn(move || {
                let bench = Bench::new();
                if line.starts_with("run") {
                    let job = "[job]\nrw=randread\nbs=4k\nsize=16M\ntime_based\nruntime=60\nunlink=1\n";
                    bench.file("job.fio", job);
                }
                if line.starts_with("dd") {
                    std::fs::File::create(bench.work().join("zeros")).unwrap().set_len(1 << 40).unwrap();
                }
                let running = bench.start(line);
                let agent = running.io_id();
                std::thread::sleep(REPORTED + Duration::from_secs(1));
                kill("ABRT", agent);
                let outcome = running.finish().exits_with(code);
                reports_death_once(&outcome, "SIGABRT");
                check(&bench, &outcome);
            });
        }
    });
}

#[test]
fn an_agent_whose_parent_dies_removes_its_files_and_ends() {
    for line in ["check --max-time 40s", FIO] {
        let bench = Bench::new();
        let running = if line == FIO {
            start_and_wait_for_io(&bench, line)
        } else {
            start_and_wait_for_second_step(&bench)
        };
        let agent = running.io_id();
        assert!(send("KILL", running.id()));
        running.finish();
        ends_soon(agent);
        assert!(bench.entries().is_empty(), "{line}: {:?}", bench.entries());
        assert!(bench.saved().iter().all(|report| report.state == ReportState::Running));
    }
}

#[test]
fn a_second_interrupt_ends_the_parent_at_once_and_the_agent_cleans_up() {
    if signal_is_ignored("INT") {
        return skip("ending at once by a second SIGINT", "the tests run with that signal ignored");
    }
    let bench = Bench::new();
    let mut running = start_and_wait_for_second_step(&bench);
    let agent = running.io_id();
    // So that the first signal is not enough.
    send("STOP", agent);
    send("INT", running.id());
    std::thread::sleep(Duration::from_millis(500));
    assert!(!running.has_ended(), "it waits for its Agent");
    send("INT", running.id());
    running.finish().exits_with(130);
    assert_eq!(bench.saved_report().state, ReportState::Running, "nobody said how it ended");
    send("CONT", agent);
    ends_soon(agent);
    assert!(bench.entries().is_empty());
}

/// Starts the program from a shell, in a process group, as a terminal does.
fn start_group(bench: &Bench, before: &str, line: &str) -> Running {
    let mut command = bench.command("sh", ["-c", &format!("{before} exec '{PROGRAM}' {line}")]);
    command.process_group(0);
    start(command)
}

fn send_to_group(signal: rustix::process::Signal, running: &Running) {
    let group = rustix::process::Pid::from_raw(running.id() as i32).unwrap();
    rustix::process::kill_process_group(group, signal).unwrap();
}

#[test]
fn a_terminals_interrupt_reaches_both_and_is_reported_once() {
    if signal_is_ignored("INT") {
        return skip("a terminal's SIGINT", "the tests run with that signal ignored");
    }
    let bench = Bench::new();
    let mut running = start_group(&bench, "", "check --max-time 40s");
    bench.wait_for_steps(1, &mut running);
    std::thread::sleep(REPORTED);
    send_to_group(rustix::process::Signal::INT, &running);
    let outcome = running.finish().exits_with(130);
    outcome.says(&["@cleaned-all"]);
    let times = flat(&outcome.stdout).matches("interrupted;").count();
    assert!(times <= 1 && outcome.stderr.is_empty(), "{}{}", outcome.stdout, outcome.stderr);
    let report = bench.saved_report();
    assert_eq!(report.state, ReportState::Interrupted);
    assert_eq!(report.steps.last().unwrap().outcome, StepOutcome::Interrupted);
    assert!(bench.entries().is_empty());
}

#[test]
fn a_closed_terminal_that_the_caller_ignores_is_ignored_by_both() {
    for line in ["check --max-time 4s", "fio --name=job --rw=read --size=4M --time_based --runtime=2"] {
        let bench = Bench::new();
        let running = start_group(&bench, "trap '' HUP;", line);
        let agent = running.io_id();
        std::thread::sleep(Duration::from_millis(500));
        send_to_group(rustix::process::Signal::HUP, &running);
        std::thread::sleep(Duration::from_millis(200));
        assert!(is_alive(agent), "{line}");
        running.finish().exits_with(0);
    }
}

/// Where memory is limited: a directory below /sys/fs/cgroup, and the file of the limit in bytes.
const MEMORY_LIMITS: [(&str, &str); 2] = [("", "memory.max"), ("memory", "memory.limit_in_bytes")];
const MEMORY_MIB: u32 = 256;

#[test]
fn the_kernel_takes_the_agent_before_others_when_memory_runs_out() {
    let (group, nth) = match ControlGroup::new(&MEMORY_LIMITS) {
        Ok(made) => made,
        Err(reason) => return skip("a checkup that runs out of memory", &reason),
    };
    group.write(MEMORY_LIMITS[nth].1, &format!("{MEMORY_MIB}M"));
    let bench = Bench::new();
    let running = start_and_wait_for_second_step(&bench);
    group.take_in(&[running.id(), running.io_id()]);
    // It is started in the group and holds more than the group's limit.
    let line = format!("read start; head -c {}M /dev/zero | tail -c {}M", MEMORY_MIB * 2, MEMORY_MIB * 2);
    let mut glutton =
        Command::new("sh").args(["-c", &line]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    group.take_in(&[glutton.id()]);
    drop(glutton.stdin.take());
    let outcome = running.finish().exits_with(3);
    glutton.wait().unwrap();
    reports_death_once(&outcome, "SIGKILL");
    check_figures_until_death(&bench.saved_report());
    assert!(bench.entries().is_empty(), "{:?}", bench.entries());
}

/// A directory mounted through a user-space file system whose process can be stopped.
struct Stoppable<'a> {
    mount_point: &'a Path,
    bindfs: Child,
}

impl<'a> Stoppable<'a> {
    fn new(directory: &Path, mount_point: &'a Path) -> Result<Self, String> {
        std::fs::create_dir(mount_point).map_err(|error| error.to_string())?;
        let mut command = Command::new("bindfs");
        command.args(["-f", "--no-allow-other"]).arg(directory).arg(mount_point);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let bindfs = command.spawn().map_err(|error| format!("bindfs: {error}"))?;
        let mut bound = Self { mount_point, bindfs };
        let mark = directory.join("mark");
        std::fs::write(&mark, "").map_err(|error| error.to_string())?;
        let is_mounted = soon(|| match mount_point.join("mark").exists() {
            true => Some(true),
            false => bound.bindfs.try_wait().unwrap().map(|_| false),
        });
        std::fs::remove_file(&mark).map_err(|error| error.to_string())?;
        is_mounted.then_some(bound).ok_or("bindfs cannot mount here".to_string())
    }
}

impl Drop for Stoppable<'_> {
    fn drop(&mut self) {
        send("CONT", self.bindfs.id());
        let _ = cardiograph_testing::run(Command::new("umount").arg("--lazy").arg(self.mount_point));
        let _ = self.bindfs.kill();
        let _ = self.bindfs.wait();
    }
}

#[test]
fn a_pipeline_ends_even_while_the_drive_holds_the_agent() {
    let what = "a pipeline whose drive hangs";
    if signal_is_ignored("INT") {
        return skip(what, "the tests run with SIGINT ignored");
    }
    let bench = Bench::new();
    let work = bench.work();
    let (below, mount_point) = (work.join("below"), work.join("bound"));
    std::fs::create_dir(&below).unwrap();
    let bound = match Stoppable::new(&below, &mount_point) {
        Ok(bound) => bound,
        Err(reason) => return skip(what, &reason),
    };
    // `exec` keeps the process id, so that the signal is sent to this process alone.
    let line = format!(
        "shown=$(sh -c 'echo $$ >process; exec \"$0\" fio --name=job --directory=bound --rw=write --bs=4k --size=4M --fsync=1 \
         --time_based --runtime=60 --unlink=1' '{PROGRAM}' 2>complained | cat); printf '%s' \"$shown\""
    );
    let mut shell = start(bench.command("sh", ["-c", &line]));
    let read = |name: &str| std::fs::read_to_string(work.join(name)).unwrap_or_default();
    shell.wait_until(|| !entries(&below).is_empty(), "a file is made");
    std::thread::sleep(REPORTED);
    let process: u32 = read("process").trim().parse().unwrap();
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap();
    let agent: u32 = children.trim().parse().expect("it has one Agent");
    send("STOP", bound.bindfs.id());
    std::thread::sleep(Duration::from_millis(300));
    let since = Instant::now();
    send("INT", process);
    let outcome = shell.finish();
    assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
    outcome.says(&["@fio-job-error.hung", "IOPS="]);
    assert!(has_message(&read("complained"), "fio-job-error.hung"), "{}", read("complained"));

    assert!(is_alive(agent), "otherwise nothing is tested");
    for line in ["history", "check --simulate sandisk-ultra-64 --no-keep"] {
        bench.run(line).complains(&["@process-held", &agent.to_string()]);
    }
    send("CONT", bound.bindfs.id());
    ends_soon(agent);
    assert_eq!(entries(&below), [""; 0]);
    assert_eq!(bench.run("history").stderr, "");
}
