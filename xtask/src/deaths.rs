//! `cargo xtask deaths`: kills runs at random times: the process that does the I/O, the one that shows it, or
//! both.
//!
//! Each time the saved steps must be unchanged, the next run must leave the directory empty, and no processes
//! or descriptors may be left. Rounds depend only on the seed, except for the machine's timing.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use cardiograph_core::Report;
use cardiograph_core::report::{StepOutcome, StepResult};
use cardiograph_core::rng::Rng;
use cardiograph_store::{Query, SqliteStore, Store};

use crate::workspace;

const USAGE: &str = "Usage: cargo xtask deaths [--rounds N] [--seed N] [--program FILE]";
const ROUNDS: u64 = 300;
/// Time limit for the end of a run whose Agent died, also on a busy machine.
const END_MAX: Duration = Duration::from_secs(60);
/// After this time no process of a dead run may be running.
const REST_MAX: Duration = Duration::from_secs(3);
/// The same if the kernel holds it.
const HELD_MAX: Duration = Duration::from_secs(60);
/// The user time in `/proc/PID/stat`, counted from the state (proc_pid_stat(5): fields 14 and 3).
const STAT_USER_TIME: usize = 11;
/// Polling interval for processes.
const LOOK: Duration = Duration::from_millis(20);
/// The latest time of a death, in milliseconds.
const MOMENT_MS_MAX: u64 = 3_500;
/// Number of rounds between progress reports.
const SHOWN_EVERY: u64 = 50;

const CHECKS: [&str; 4] = [
    "check --max-time 6s",
    "check --yes --suite capacity --set size=256M",
    "check --yes --suite apps --set load=sqlite-wal --set time=3s",
    "check --yes --suite durability --max-time 6s",
];
const ENGINES: [&str; 5] = ["psync", "io_uring", "libaio", "mmap", "posixaio"];
const SIGNALS: [&str; 3] = ["KILL", "ABRT", "BUS"];

/// The process to kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    Agent,
    Parent,
    Both,
}

/// Directories of the runs and their Reports.
struct Setup {
    home: tempfile::TempDir,
    program: PathBuf,
}

pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let (mut rounds, mut seed, mut program) = (ROUNDS, 1, None);
    for pair in words.chunks(2) {
        let [option, value] = pair else { return Err(USAGE.to_string()) };
        let number = || value.parse().map_err(|_| format!("{option} {value}: not a number\n\n{USAGE}"));
        match *option {
            "--rounds" => rounds = number()?,
            "--seed" => seed = number()?,
            "--program" => {
                program = Some(fs::canonicalize(value).map_err(|error| format!("{value}: {error}"))?)
            }
            _ => return Err(USAGE.to_string()),
        }
    }
    let program = program.map_or_else(workspace::build_program, Ok)?;
    let target = workspace::target_directory()?;
    let home = tempfile::tempdir_in(target).map_err(|error| error.to_string())?;
    let setup = Setup { home, program };
    for name in ["work", "data"] {
        fs::create_dir(setup.home.path().join(name)).map_err(|error| error.to_string())?;
    }
    println!("{rounds} rounds, seed {seed}");
    let (descriptors, mut deaths) = (count("/proc/self/fd"), 0);
    for round in 0..rounds {
        let outcome = setup.round(&mut Rng::new(seed.wrapping_mul(1_000_003) + round));
        let outcome = outcome.and_then(|has_died| match count("/proc/self/fd") {
            now if now == descriptors => Ok(has_died),
            now => Err(format!("{now} descriptors are open, {descriptors} before")),
        });
        match outcome {
            Ok(has_died) => deaths += u64::from(has_died),
            Err(message) => {
                println!("FAILED: round {round}, seed {seed}: {message}");
                return Ok(ExitCode::FAILURE);
            }
        }
        if (round + 1) % SHOWN_EVERY == 0 {
            println!("{} rounds, {deaths} deaths", round + 1);
        }
    }
    println!("{deaths} of {rounds} runs were killed; nothing was lost or left behind");
    // If most runs end before their death, the test shows nothing.
    Ok(if deaths * 2 > rounds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn count(directory: &str) -> usize {
    fs::read_dir(directory).map_or(0, Iterator::count)
}

/// The child processes, from `/proc`.
fn children(process: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|child| child.parse().ok()).collect()
}

fn send(signal: &str, process: u32) {
    // It may already have ended.
    let _ = Command::new("kill")
        .args([&format!("-{signal}"), &process.to_string()])
        .stderr(Stdio::null())
        .status();
}

/// Waits for the end of a run; `None` if it takes too long.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let began = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            _ if began.elapsed() > END_MAX => {
                let _ = child.kill().and_then(|()| child.wait());
                return None;
            }
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

impl Setup {
    fn work(&self) -> PathBuf {
        self.home.path().join("work")
    }

    fn output(&self, name: &str) -> String {
        fs::read_to_string(self.home.path().join(name)).unwrap_or_default()
    }

    fn start(&self, line: &str) -> Result<Child, String> {
        let file = |name| File::create(self.home.path().join(name)).map_err(|error| error.to_string());
        let mut command = Command::new(&self.program);
        command.args(line.split(' ')).current_dir(self.work()).stdin(Stdio::null());
        command.env("XDG_DATA_HOME", self.home.path().join("data")).env("HOME", self.home.path());
        command.stdout(file("stdout")?).stderr(file("stderr")?);
        command.spawn().map_err(|error| error.to_string())
    }

    /// Runs the program to its end, which must be successful.
    fn finish(&self, line: &str) -> Result<(), String> {
        match wait(&mut self.start(line)?) {
            Some(status) if status.success() => Ok(()),
            status => {
                Err(format!("{line}: {status:?}\n{}\n{}", self.output("stdout"), self.output("stderr")))
            }
        }
    }

    /// The newest saved Report.
    fn newest(&self) -> Result<Option<Report>, String> {
        let store = SqliteStore::new(self.home.path().join("data/cardiograph/cardiograph.db"));
        let runs = store.find(&Query::default()).map_err(|error| error.to_string())?;
        runs.first().map(|run| store.load(&run.id).map_err(|error| error.to_string())).transpose()
    }

    /// One run and its death. Returns whether it died.
    fn round(&self, rng: &mut Rng) -> Result<bool, String> {
        let draw = |rng: &mut Rng, len: usize| rng.below(len as u64) as usize;
        let is_check = rng.below(2) == 0;
        let line = if is_check {
            CHECKS[draw(rng, CHECKS.len())].to_string()
        } else {
            let engine = ENGINES[draw(rng, ENGINES.len())];
            format!(
                "fio --name=job --ioengine={engine} --rw=randrw --bs=4k --size=8M --iodepth=8 --time_based --runtime=6 --unlink=1 \
                 --output-format=json"
            )
        };
        let victim = [Victim::Agent, Victim::Parent, Victim::Both][draw(rng, 3)];
        let signal = SIGNALS[draw(rng, SIGNALS.len())];
        let moment = Duration::from_millis(rng.below(MOMENT_MS_MAX));
        self.die(&line, victim, signal, moment)
            .map_err(|message| format!("{line}: {victim:?} by {signal} after {moment:?}: {message}"))
    }

    fn die(&self, line: &str, victim: Victim, signal: &str, moment: Duration) -> Result<bool, String> {
        let earlier = self.newest()?.map(|report| report.id);
        let mut child = self.start(line)?;
        std::thread::sleep(moment);
        let saved = self.newest()?.filter(|report| Some(&report.id) != earlier.as_ref());
        let has_ended = child.try_wait().map_err(|error| error.to_string())?.is_some();
        let agents = children(child.id());
        if victim != Victim::Agent {
            send("KILL", child.id());
        }
        if victim != Victim::Parent {
            // The first SIGBUS only disarms a handler.
            agents.iter().for_each(|agent| (0..2).for_each(|_| send(signal, *agent)));
        }
        let status = wait(&mut child).ok_or("it did not end")?;
        self.wait_for_processes()?;
        if let Some(saved) = saved {
            self.check_kept(&saved)?;
        }
        let (output, complained) = (self.output("stdout"), self.output("stderr"));
        if complained.contains("panicked")
            || (victim == Victim::Agent && !status.success() && complained.is_empty())
        {
            return Err(format!("{status}: {complained}"));
        }
        let is_json = || serde_json::from_str::<serde_json::Value>(&output).is_ok();
        if line.starts_with("fio") && victim == Victim::Agent && !output.is_empty() && !is_json() {
            return Err(format!("incomplete output: {output}"));
        }
        self.check_cleanup(line, victim)?;
        Ok(!has_ended && (victim != Victim::Agent || !agents.is_empty()))
    }

    /// Checks that all steps saved as done are still there.
    fn check_kept(&self, saved: &Report) -> Result<(), String> {
        let now = self.newest()?.filter(|now| now.id == saved.id).ok_or("its Report is lost")?;
        let is_there = |step: &&StepResult| {
            now.steps.iter().any(|now| now.step.id == step.step.id && now.result == step.result)
        };
        let done = saved.steps.iter().filter(|step| step.outcome == StepOutcome::Done);
        match done.clone().find(|step| !is_there(step)) {
            Some(lost) => Err(format!("step {} is lost", lost.step.id)),
            None => Ok(()),
        }
    }

    /// Waits until no process uses the directories. The time limit does not count while the kernel holds one,
    /// for example to write back a file.
    fn wait_for_processes(&self) -> Result<(), String> {
        let (mut waited, mut held) = (Duration::ZERO, Duration::ZERO);
        let mut used = String::new();
        // It neither sleeps nor computes: it is closing files, or waiting for a processor to do so.
        let mut is_held = |process: &Path| {
            let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
            let fields: Vec<&str> =
                stat.rsplit_once(") ").map_or("", |(_, fields)| fields).split(' ').collect();
            let user_time = fields.get(STAT_USER_TIME).copied().unwrap_or_default();
            fields[0] != "S" && std::mem::replace(&mut used, user_time.to_string()) == user_time
        };
        let is_ours = |process: &Path| {
            fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(self.home.path()))
        };
        loop {
            let processes = fs::read_dir("/proc").map_err(|error| error.to_string())?;
            let mut left =
                processes.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_ours(path));
            match left.next() {
                None => break,
                Some(left) if waited > REST_MAX || held > HELD_MAX => {
                    let state = fs::read_to_string(left.join("stat")).unwrap_or_default();
                    return Err(format!("{} is still there: {state}", left.display()));
                }
                Some(left) => {
                    *(if is_held(&left) { &mut held } else { &mut waited }) += LOOK;
                    std::thread::sleep(LOOK);
                }
            }
        }
        match children(std::process::id()).as_slice() {
            [] => Ok(()),
            zombies => Err(format!("child processes are left: {zombies:?}")),
        }
    }

    /// Checks that nothing is left after the next run.
    fn check_cleanup(&self, line: &str, victim: Victim) -> Result<(), String> {
        let names = || -> Result<Vec<String>, String> {
            let entries = fs::read_dir(self.work()).map_err(|error| error.to_string())?;
            Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
        };
        // As with fio, a killed process leaves the user's files.
        if line.starts_with("fio") && victim != Victim::Parent {
            for name in names()?.iter().filter(|name| name.starts_with("job.")) {
                fs::remove_file(self.work().join(name)).map_err(|error| error.to_string())?;
            }
        }
        let left = names()?;
        if line.starts_with("fio") && !left.is_empty() {
            return Err(format!("{left:?} is left"));
        }
        // Filled parts of a file are for the next capacity check.
        if line.contains("capacity") {
            self.finish("check --suite capacity --set leftovers=remove")?;
        } else if !left.is_empty() {
            self.finish("check --max-time 1s --no-keep")?;
        }
        match names()?.as_slice() {
            [] => Ok(()),
            left => Err(format!("the next run left {left:?}")),
        }
    }
}
