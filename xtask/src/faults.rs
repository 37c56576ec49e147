//! `cargo xtask faults`: repeats a short checkup with each of its calls failing once.
//!
//! Once for each system call (strace makes it fail with an error from its manual page), and once for each
//! memory allocation. Each time the program must end with a clear message, report everything it leaves
//! behind, keep the old export or write a complete one, and keep the earlier checkup in the store, and the
//! new one if it said so. A failing allocation may abort the program; then the next checkup must clean up.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::workspace;

const USAGE: &str = "Usage: cargo xtask faults [calls|allocations] [--every N] [--only N] [--program FILE]\n\n\
    --every N: only each Nth case; --only N: only the case with this number";
/// Time limit of a checkup in seconds. It normally takes one.
const TIME_MAX_S: &str = "60";
/// Maximum number of allocations tested, evenly spaced among all.
const ALLOCATIONS_MAX: usize = 2_000;
/// Lines shown of the output of a failed case.
const SHOWN_LINES: usize = 15;
/// Number of concurrent checkups.
const WORKERS: usize = 2;
/// Source of the library that makes allocations fail.
const SHIM: &str = include_str!("faults/allocation.c");
/// The shortest possible checkup.
const CHECK: [&str; 6] = ["check", "drive", "--max-time", "1s", "--export-json", "out/report.json"];
/// Content of the exported file before the checkup.
const OLD: &str = "{\"old\":true}\n";

/// Calls that never fail with EIO, and an error from their manual pages.
const ERRORS: [(&str, &str); 20] = [
    ("clone3", "EAGAIN"),
    ("fallocate", "ENOSPC"),
    ("fcntl", "EINVAL"),
    ("flock", "ENOLCK"),
    ("getrandom", "ENOSYS"),
    ("io_uring_setup", "ENOMEM"),
    ("ioctl", "ENOTTY"),
    ("madvise", "EINVAL"),
    ("mkdir", "ENOSPC"),
    ("mmap", "ENOMEM"),
    ("mprotect", "ENOMEM"),
    ("mremap", "ENOMEM"),
    ("open", "EMFILE"),
    ("openat", "EMFILE"),
    ("poll", "ENOMEM"),
    ("prctl", "EINVAL"),
    ("pwrite64", "ENOSPC"),
    ("renameat", "ENOSPC"),
    ("sched_setaffinity", "EINVAL"),
    ("sigaltstack", "ENOMEM"),
];
/// Calls that cannot fail as used here, or never return; and the first one, which strace makes.
const INFALLIBLE: [&str; 24] = [
    "arch_prctl",
    // It fails by not moving the break; an error number would be taken for an address.
    "brk",
    "clock_gettime",
    "clock_nanosleep",
    "execve",
    "exit",
    "exit_group",
    // Its only errors are invalid arguments, and C libraries abort on any other.
    "futex",
    "getegid",
    "geteuid",
    "getgid",
    "getpid",
    "getuid",
    "gettid",
    // A process may lower its limits; if it cannot raise them it continues with the current ones.
    "prlimit64",
    "rseq",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sched_yield",
    "set_robust_list",
    "set_tid_address",
    "munmap",
    "umask",
];

/// The injected fault.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fault {
    /// The call with this name and number in each thread.
    Call(String, usize),
    /// The allocation with this number.
    Allocation(usize),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Call(name, nth) => write!(f, "{name} {nth} fails with {}", injected_error(name)),
            Fault::Allocation(nth) => write!(f, "allocation {nth} fails"),
        }
    }
}

/// The directory of the checkups, and the program.
struct Bench {
    program: PathBuf,
    directory: PathBuf,
    shim: PathBuf,
}

/// Runs the selected cases.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let (mut kinds, mut every, mut only, mut program) = (Vec::new(), 1, None, None);
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let number = |text: Option<&&str>| text.and_then(|text| text.parse::<usize>().ok()).ok_or(USAGE);
        match word {
            "calls" | "allocations" => kinds.push(word),
            "--every" => every = number(words.next())?.max(1),
            "--only" => only = Some(number(words.next())?),
            "--program" => {
                let file = Path::new(words.next().ok_or(USAGE)?);
                program = Some(file.canonicalize().map_err(|error| format!("{}: {error}", file.display()))?);
            }
            _ => return Err(USAGE.to_string()),
        }
    }
    let directory = workspace::target_directory()?.join("faults");
    workspace::empty_directory(&directory)?;
    let shim = directory.join("allocation.so");
    if let Err(reason) = check_requirements(&directory, &shim) {
        println!("not run: {reason}");
        return Ok(ExitCode::from(workspace::NOT_RUN));
    }
    let program = program.map_or_else(workspace::build_program, Ok)?;
    let bench = Bench { program, directory, shim };
    let mut has_failed = false;
    for kind in ["calls", "allocations"] {
        if kinds.is_empty() || kinds.contains(&kind) {
            let faults = if kind == "calls" { bench.calls()? } else { bench.allocations()? };
            let chosen: Vec<(usize, Fault)> = faults
                .into_iter()
                .enumerate()
                .filter(|(at, _)| only.map_or(at % every == every / 2, |only| *at == only))
                .collect();
            has_failed |= bench.all(kind, &chosen)?;
        }
    }
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Checks the requirements and builds the shim. Fails with a missing one.
fn check_requirements(directory: &Path, shim: &Path) -> Result<(), String> {
    workspace::stdout_of(Command::new("strace").args(["-f", "-qq", "-e", "trace=none", "true"]))?;
    let source = directory.join("allocation.c");
    fs::write(&source, SHIM).map_err(|error| format!("{}: {error}", source.display()))?;
    let mut compiler = Command::new("cc");
    workspace::stdout_of(compiler.args(["-shared", "-fPIC", "-O1", "-o"]).args([shim, &source])).map(drop)
}

fn injected_error(call: &str) -> &'static str {
    ERRORS.iter().find(|(name, _)| *name == call).map_or("EIO", |(_, error)| error)
}

impl Bench {
    /// Creates a directory with a store containing a checkup, an old export, and an empty directory to check.
    fn create_directory(&self, name: &str) -> Result<PathBuf, String> {
        let directory = self.directory.join(name);
        workspace::empty_directory(&directory)?;
        let wrong = |error: std::io::Error| format!("{}: {error}", directory.display());
        fs::create_dir_all(directory.join("drive")).map_err(wrong)?;
        fs::create_dir_all(directory.join("out")).map_err(wrong)?;
        fs::create_dir_all(directory.join("store")).map_err(wrong)?;
        fs::write(directory.join("out/report.json"), OLD).map_err(wrong)?;
        let first = self.directory.join("first.db");
        if first.exists() {
            fs::copy(&first, directory.join("store/drives.db")).map_err(wrong)?;
        }
        Ok(directory)
    }

    /// The program in such a directory, run by the command `before`.
    fn command(&self, directory: &Path, before: &[String], words: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        command.args(["--signal=KILL", TIME_MAX_S]).args(before).arg(&self.program);
        command.args(["--store", "store/drives.db"]).args(words).current_dir(directory).stdin(Stdio::null());
        command.env("HOME", directory).env_remove("XDG_DATA_HOME");
        command
    }

    /// A short checkup, with a fault if any.
    fn check(&self, directory: &Path, fault: Option<&Fault>) -> Result<Output, String> {
        let before = match fault {
            Some(Fault::Call(name, nth)) => {
                let (trace, inject) = (
                    format!("trace={name}"),
                    format!("inject={name}:error={}:when={nth}", injected_error(name)),
                );
                ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "calls", "-e", &trace, "-e", &inject]
                    .map(str::to_string)
                    .to_vec()
            }
            Some(Fault::Allocation(nth)) => self.preloaded(&format!("FAULTS_NTH={nth}")),
            None => Vec::new(),
        };
        let mut command = self.command(directory, &before, &CHECK);
        command.output().map_err(|error| format!("timeout cannot be started: {error}"))
    }

    /// Command prefix that counts the program's allocations, and makes one fail.
    fn preloaded(&self, wanted: &str) -> Vec<String> {
        // Not in the environment of its parent: that would count as well.
        vec!["env".to_string(), format!("LD_PRELOAD={}", self.shim.display()), wanted.to_string()]
    }

    /// All calls of an undisturbed checkup, by name and the highest number in a thread.
    fn calls(&self) -> Result<Vec<Fault>, String> {
        let directory = self.undisturbed()?;
        let before = ["strace", "-f", "-qq", "-o", "calls"].map(str::to_string);
        workspace::stdout_of(&mut self.command(&directory, &before, &CHECK))?;
        let text =
            fs::read_to_string(directory.join("calls")).map_err(|error| format!("strace's log: {error}"))?;
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for line in text.lines() {
            let Some((thread, call)) = line.split_once(char::is_whitespace) else { continue };
            let Some((name, _)) = call.trim_start().split_once('(') else { continue };
            if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                *counts.entry((name, thread)).or_default() += 1;
            }
        }
        let mut most: BTreeMap<&str, usize> = BTreeMap::new();
        for ((name, _), count) in counts.into_iter().filter(|((name, _), _)| !INFALLIBLE.contains(name)) {
            let known = most.entry(name).or_default();
            *known = count.max(*known);
        }
        // glibc's loader does not handle all failures of mmap, and dies before the program begins.
        let in_loader = text.lines().take_while(|line| !line.contains(" set_tid_address("));
        let loader_mmaps = in_loader.filter(|line| line.contains(" mmap(")).count();
        let each = |(name, count): (&str, usize)| {
            let (name, first) = (name.to_string(), if name == "mmap" { loader_mmaps + 1 } else { 1 });
            (first..=count).map(move |nth| Fault::Call(name.clone(), nth))
        };
        Ok(most.into_iter().flat_map(each).collect())
    }

    /// Allocations of an undisturbed checkup.
    fn allocations(&self) -> Result<Vec<Fault>, String> {
        let directory = self.undisturbed()?;
        workspace::stdout_of(&mut self.command(&directory, &self.preloaded("FAULTS_COUNT=count"), &CHECK))?;
        let text = fs::read_to_string(directory.join("count")).map_err(|error| {
            format!("{error}: {} did not load the library that counts; is it static?", self.program.display())
        })?;
        let count: usize = text.trim().parse().map_err(|_| format!("'{}' is not a count", text.trim()))?;
        let step = count.div_ceil(ALLOCATIONS_MAX).max(1);
        println!("{count} allocations; every {step}th fails");
        Ok((1..=count).step_by(step).map(Fault::Allocation).collect())
    }

    /// A directory with a saved first checkup.
    fn undisturbed(&self) -> Result<PathBuf, String> {
        let first = self.directory.join("first.db");
        if !first.exists() {
            let directory = self.create_directory("first")?;
            workspace::stdout_of(&mut self.command(&directory, &[], &CHECK))?;
            fs::copy(directory.join("store/drives.db"), &first)
                .map_err(|error| format!("{}: {error}", first.display()))?;
        }
        self.create_directory("undisturbed")
    }

    /// Runs cases concurrently, and shows the failed ones. Returns whether there were any.
    fn all(&self, kind: &str, faults: &[(usize, Fault)]) -> Result<bool, String> {
        let (next, bad) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let began = Instant::now();
        std::thread::scope(|scope| {
            for worker in 0..WORKERS {
                let (next, bad) = (&next, &bad);
                scope.spawn(move || {
                    while let Some((number, fault)) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if let Err(problem) = self.case(&format!("case-{worker}"), fault) {
                            println!("{kind} --only {number}: {fault}: {problem}");
                            bad.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(*number);
                        }
                    }
                });
            }
        });
        let bad = bad.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).len();
        let seconds = began.elapsed().as_secs();
        println!("{kind}: {} faults in {seconds} s, {bad} failed", faults.len());
        Ok(bad > 0)
    }

    /// Runs one case.
    fn case(&self, name: &str, fault: &Fault) -> Result<(), String> {
        let directory = self.create_directory(name)?;
        let output = self.check(&directory, Some(fault))?;
        let said = output_text(&output);
        let bad = |what: &str| Err(format!("{what}; it said:\n{}", last_lines(&said)));
        // strace ends like the program, including by a signal. The standard library aborts without memory,
        // even for the signal stack of a thread, and the C library without memory for the end of a thread.
        let aborts = matches!(fault, Fault::Allocation(_)) && said.contains("memory allocation of")
            || said.contains("failed to allocate an alternative stack")
            || said.contains("failed to register TLS destructor")
            // fluent-bundle panics where it has no memory for an entry of a catalogue (self_cell's constructor).
            || matches!(fault, Fault::Allocation(_)) && said.contains("fluent-bundle") && said.contains("resource.rs");
        let is_before_main = ["error while loading shared libraries", "initialization or cleanup bug"]
            .iter()
            .any(|words| said.contains(words));
        match (output.status.code(), output.status.signal()) {
            (Some(127 | 134), _) | (None, Some(6)) if is_before_main => {}
            // From the standard library, which assumes that a directory can be closed; on Linux it always
            // can.
            _ if said.contains("unexpected error during closedir") => return Ok(()),
            _ if said.contains("panicked") && !aborts => return bad("it panicked"),
            (Some(0), _) => {}
            (Some(1..=4), _) if !output.stderr.is_empty() => {}
            (Some(101 | 134), _) | (None, Some(6)) if aborts => {}
            _ => return bad(&format!("it ended with {}", output.status)),
        }
        let leftovers = leftovers(&directory)?;
        if let Some(unnamed) = leftovers.iter().find(|left| !aborts && !said.contains(left.as_str())) {
            return bad(&format!("it left {unnamed} behind without reporting it"));
        }
        if !leftovers.is_empty() {
            let again = self.check(&directory, None)?;
            let left = self::leftovers(&directory)?;
            if !again.status.success() || !left.is_empty() {
                let again = output_text(&again);
                return bad(&format!("the next one left {left:?} and said:\n{}\nbefore", last_lines(&again)));
            }
        }
        let text = fs::read_to_string(directory.join("out/report.json")).unwrap_or_default();
        let exported: Result<serde_json::Value, _> = serde_json::from_str(&text);
        if exported.is_err() {
            return bad("the export is neither the old one nor a new one");
        }
        let kept = said.split("cardiograph show ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let listed = workspace::stdout_of(&mut self.command(&directory, &[], &["history", "--json"]));
        let listed = listed.map_err(|error| {
            format!("the store cannot be listed: {error}; it said:\n{}", last_lines(&said))
        })?;
        let count = listed.matches("\"started_unix_ms\"").count();
        if count == 0 {
            return bad("the first checkup is lost");
        }
        if let Some(id) = kept {
            let shown = workspace::stdout_of(&mut self.command(&directory, &[], &["show", id]));
            shown.map_err(|error| {
                format!(
                    "the checkup reported as saved cannot be shown: {error}; it said:\n{}",
                    last_lines(&said)
                )
            })?;
        }
        Ok(())
    }
}

/// The output of a program.
fn output_text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat()
}

/// Its last lines.
fn last_lines(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
}

/// Names of leftovers in the drive's directory, and next to the export and the store.
fn leftovers(directory: &Path) -> Result<Vec<String>, String> {
    let expected = ["report.json", "drives.db", "drives.db-wal", "drives.db-shm"];
    let mut found = Vec::new();
    for part in ["drive", "out", "store"] {
        let entries = fs::read_dir(directory.join(part)).map_err(|error| format!("{part}: {error}"))?;
        let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
        found.extend(names.filter(|name| !expected.contains(&name.as_str())));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_fail_with_errors_of_their_manual_pages() {
        assert_eq!((injected_error("pwrite64"), injected_error("fsync")), ("ENOSPC", "EIO"));
        assert!(ERRORS.iter().all(|(name, _)| !INFALLIBLE.contains(name)));
    }
}
