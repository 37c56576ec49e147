//! Shared by the tests of the program: running it in a separate directory, and checking its output.

pub mod fio;
pub mod fio_shell;
pub mod fio_text;
pub mod loop_device;
mod words;

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cardiograph_core::Report;
use cardiograph_core::json;
use cardiograph_core::report::StepResult;
use cardiograph_core::verdict::{Level, Verdict};
use cardiograph_store::{Query, SqliteStore, Store};

pub use words::has_message;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_cardiograph");

/// The limit for a run, unless it hangs: on a busy machine hdparm waits for everything the system has to write.
const PATIENCE: Duration = Duration::from_secs(300);

/// A place for runs: an empty working directory, and a data directory.
pub struct Bench {
    home: tempfile::TempDir,
}

/// The files of a [`Bench`] and their contents.
pub type Made = OnceLock<Vec<(PathBuf, Vec<u8>)>>;

/// The files in a directory and below it. Links are not followed.
pub fn all_below(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    let files = entries.flat_map(|entry| match entry.file_type().unwrap().is_dir() {
        true => all_below(&entry.path()),
        false => vec![entry.path()],
    });
    files.collect()
}

impl Bench {
    /// A bench on the disk of the build.
    pub fn new() -> Self {
        let home = cardiograph_testing::disk_dir();
        std::fs::create_dir(home.path().join("work")).unwrap();
        std::fs::create_dir(home.path().join("data")).unwrap();
        Self { home }
    }

    /// A bench with the files that `make` leaves, which runs for the first test only.
    pub fn made_once(made: &Made, make: fn(&Bench)) -> Self {
        let files = made.get_or_init(|| {
            let bench = Self::new();
            make(&bench);
            let root = bench.home.path();
            let relative = |path: PathBuf| {
                (path.strip_prefix(root).unwrap().to_path_buf(), std::fs::read(&path).unwrap())
            };
            all_below(root).into_iter().map(relative).collect()
        });
        let bench = Self::new();
        for (path, content) in files {
            let path = bench.home.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        bench
    }

    /// The working directory.
    pub fn work(&self) -> PathBuf {
        self.home.path().join("work")
    }

    /// Writes a file in the working directory.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.work().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Names in the working directory.
    pub fn entries(&self) -> Vec<String> {
        entries(&self.work())
    }

    /// A command in this bench.
    pub fn command<A: AsRef<OsStr>>(&self, program: &str, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.work()).stdin(Stdio::null());
        command.env("XDG_DATA_HOME", self.home.path().join("data")).env("HOME", self.home.path());
        command
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("NO_COLOR")
            .env_remove("COLUMNS")
            .env_remove("CARDIOGRAPH_NOTES")
            .env_remove("LC_ALL")
            .env_remove("LC_MESSAGES")
            .env_remove("LANG")
            .env("TERM", "xterm");
        command
    }

    /// The program under the name `fio`, in this bench.
    pub fn called_fio<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        let link = self.home.path().join("fio");
        if !link.exists() {
            std::os::unix::fs::symlink(PROGRAM, &link).unwrap();
        }
        self.command(link.to_str().unwrap(), arguments)
    }

    /// Runs the program to its end. `line` is its arguments, separated by spaces.
    pub fn run(&self, line: &str) -> Outcome {
        run(self.command(PROGRAM, line.split_whitespace()))
    }

    /// Starts the program.
    pub fn start(&self, line: &str) -> Running {
        start(self.command(PROGRAM, line.split_whitespace()))
    }

    /// The saved Reports, newest first.
    pub fn saved(&self) -> Vec<Report> {
        let store = SqliteStore::new(self.store_file());
        let runs = store.find(&Query::default()).unwrap();
        runs.iter().map(|run| store.load(&run.id).unwrap()).collect()
    }

    /// The home directory.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The store.
    pub fn store_file(&self) -> PathBuf {
        self.home.path().join("data/cardiograph/cardiograph.db")
    }

    /// Deletes the saved Reports.
    pub fn delete_saved(&self) {
        for suffix in ["", "-wal", "-shm"] {
            let file = format!("{}{suffix}", self.store_file().display());
            if Path::new(&file).exists() {
                std::fs::remove_file(file).unwrap();
            }
        }
    }

    /// The only saved Report.
    pub fn saved_report(&self) -> Report {
        let mut kept = self.saved();
        assert_eq!(kept.len(), 1, "{:?}", kept.iter().map(|report| &report.id).collect::<Vec<_>>());
        kept.remove(0)
    }

    /// How many steps the saved Report has so far.
    pub fn steps_saved(&self) -> usize {
        self.saved().first().map_or(0, |report| report.steps.len())
    }

    /// Waits until the saved Report has this many steps.
    pub fn wait_for_steps(&self, steps: usize, running: &mut Running) {
        running.wait_until(|| self.steps_saved() >= steps, "the step ends");
    }
}

/// Names in a directory, sorted; none where it does not exist.
pub fn entries(directory: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// How a run ended, and its output.
pub struct Outcome {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// Checks the exit code.
    #[track_caller]
    pub fn exits_with(self, code: i32) -> Self {
        let found = self.status.code();
        assert_eq!(found, Some(code), "signal {:?}\n{}\n{}", self.status.signal(), self.stdout, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// Checks that standard error has all `words`, however its lines are broken.
    #[track_caller]
    pub fn complains(&self, words: &[&str]) -> &Self {
        contains(&self.stderr, words);
        self
    }

    /// Checks that the notes behind fio's own output, text or JSON, have all `words`, and that standard error is silent.
    #[track_caller]
    pub fn notes(&self, words: &[&str]) -> &Self {
        assert_eq!(self.stderr, "");
        let notes_in_json = |json: &serde_json::Value| {
            let jobs = json["jobs"].as_array().into_iter().flatten();
            let notes = jobs.filter_map(|job| job["cardiograph"]["notes"].as_array()).flatten();
            notes.map(|note| note.as_str().unwrap().to_string()).collect::<Vec<_>>().join("\n")
        };
        let notes = match serde_json::from_str(&self.stdout) {
            Ok(json) => notes_in_json(&json),
            Err(_) => {
                let lines = self.stdout.lines().filter(|line| line.starts_with("cardiograph: note: "));
                lines.collect::<Vec<_>>().join("\n")
            }
        };
        contains(&notes, words);
        self
    }

    /// Checks that standard output has all `words`, however its lines are broken.
    #[track_caller]
    pub fn says(&self, words: &[&str]) -> &Self {
        contains(&self.stdout, words);
        self
    }

    /// The Report on standard output.
    #[track_caller]
    pub fn report(&self) -> Report {
        read_report(&self.stdout)
    }
}

/// Checks that `text` has all `words`, however its lines are broken. A word that begins with `@` is the id of a message.
#[track_caller]
fn contains(text: &str, words: &[&str]) {
    let whole = flat(text);
    for word in words {
        let found = match word.strip_prefix('@') {
            Some(id) => has_message(text, id),
            None => whole.contains(&flat(word)),
        };
        assert!(found, "'{word}' is missing in:\n{text}");
    }
}

/// Text in one line, with single spaces.
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a Report.
#[track_caller]
pub fn read_report(text: &str) -> Report {
    json::from_json(text).unwrap_or_else(|error| panic!("{error:?}:\n{}", text.get(..500).unwrap_or(text)))
}

/// Whether the tests run with a signal such as `INT` ignored: everything they start ignores it too.
pub fn signal_is_ignored(signal: &str) -> bool {
    let numbers = [("HUP", 1), ("INT", 2), ("TERM", 15)];
    let number: u32 = numbers.into_iter().find(|(name, _)| *name == signal).unwrap().1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() >> (number - 1) & 1 == 1
}

/// Runs a command to its end.
pub fn run(command: Command) -> Outcome {
    start(command).finish()
}

/// Starts a command and collects its output.
pub fn start(mut command: Command) -> Running {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stdout = collect(child.stdout.take().unwrap());
    let stderr = collect(child.stderr.take().unwrap());
    Running { child, stdout: Some(stdout), stderr: Some(stderr), began: Instant::now() }
}

fn collect(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    })
}

/// A running command. It is killed when dropped.
pub struct Running {
    child: Child,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
    began: Instant,
}

impl Running {
    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal by its name, such as `INT`. Those that kill, stop or continue it are sent to its Agents too, as a
    /// terminal or the kernel does.
    pub fn signal(&self, name: &str) {
        let agents = if name == "KILL" { self.agents() } else { Vec::new() };
        if ["STOP", "CONT"].contains(&name) {
            for agent in self.agents() {
                send(name, agent);
            }
        }
        for agent in &agents {
            send("STOP", *agent);
        }
        assert!(send(name, self.id()));
        for agent in &agents {
            send("KILL", *agent);
        }
    }

    /// The process that does its I/O, once it has begun.
    pub fn io_id(&self) -> u32 {
        loop {
            if let Some(agent) = self.agents().first() {
                return *agent;
            }
            assert!(self.began.elapsed() < PATIENCE, "it has no Agent");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The Agents of this run.
    pub fn agents(&self) -> Vec<u32> {
        let id = self.id();
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let is_agent = |child: &u32| {
            let words = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
            words.starts_with(b"cardiograph-agent")
        };
        children.split_whitespace().filter_map(|child| child.parse().ok()).filter(is_agent).collect()
    }

    /// Waits until a condition holds.
    pub fn wait_until(&mut self, mut is_so: impl FnMut() -> bool, what: &str) {
        while !is_so() {
            if let Some(status) = self.child.try_wait().unwrap() {
                let said = self.stderr.take().map(|thread| thread.join().unwrap());
                panic!("it ended ({status}) before {what}: {said:?}");
            }
            assert!(self.began.elapsed() < PATIENCE, "waited too long: {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Its peak memory in bytes, as last seen before its end.
    pub fn peak_memory_bytes(&mut self) -> u64 {
        let mut peak_kib = 0;
        while !self.has_ended() {
            if self.began.elapsed() > PATIENCE {
                let _ = self.child.kill();
                panic!("it does not end");
            }
            let seen = [self.id()].into_iter().chain(self.agents()).map(|process| {
                let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
                let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
                line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0)
            });
            peak_kib = peak_kib.max(seen.sum());
            std::thread::sleep(Duration::from_millis(5));
        }
        peak_kib << 10
    }

    /// Waits for its end.
    pub fn finish(mut self) -> Outcome {
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if self.began.elapsed() > PATIENCE {
                let _ = self.child.kill();
                panic!("it does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let said = |pipe: &mut Option<JoinHandle<String>>| pipe.take().unwrap().join().unwrap();
        Outcome { status, stdout: said(&mut self.stdout), stderr: said(&mut self.stderr) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A checkup of a simulated drive, with its Report on standard output only.
pub fn simulate(model: &str, more: &str) -> Outcome {
    Bench::new().run(&format!("check --simulate {model} --json --no-keep {more}"))
}

/// The Report of a successful checkup of a simulated drive.
pub fn simulated(model: &str, more: &str) -> Report {
    simulate(model, more).exits_with(0).report()
}

/// The time of all steps in nanoseconds.
pub fn time_ns(report: &Report) -> u64 {
    report.steps.iter().filter_map(|step| step.result.as_ref()).map(|result| result.duration_ns).sum()
}

/// A step of a Report by its id.
#[track_caller]
pub fn step<'a>(report: &'a Report, id: &str) -> &'a StepResult {
    let ids: Vec<_> = report.steps.iter().map(|step| &step.step.id).collect();
    report.steps.iter().find(|step| step.step.id == id).unwrap_or_else(|| panic!("no step {id} in {ids:?}"))
}

/// Ids of the steps of a Report.
pub fn step_ids(report: &Report) -> Vec<&str> {
    report.steps.iter().map(|step| step.step.id.as_str()).collect()
}

/// The verdict for a purpose.
pub fn verdict<'a>(report: &'a Report, purpose: &str) -> &'a Verdict {
    report.verdicts.iter().find(|verdict| verdict.purpose == purpose).unwrap()
}

/// The levels of all verdicts, in order: os, db-light, db-heavy, containers, nas, sensors, cameras.
pub fn levels(report: &Report) -> Vec<Level> {
    report.verdicts.iter().map(|verdict| verdict.level).collect()
}

/// The text of a shipped model.
pub fn model_text(name: &str) -> &'static str {
    cardiograph_engine::sim::MODELS.iter().find(|(model, _)| *model == name).unwrap().1
}

/// Sends a signal to a process. Returns whether the process exists.
pub fn send(signal: &str, process: u32) -> bool {
    let sent = Command::new("kill").args([&format!("-{signal}"), &process.to_string()]).output().unwrap();
    sent.status.success()
}
