//! `cargo xtask faults`: a short checkup in which one call fails, for each of its calls.
//!
//! Once for each system call (strace makes it fail with an error that its manual page names), and once for each allocation of
//! memory. Each time the program has to end clearly, leave nothing behind that it does not name, keep the old export or write
//! a whole one, and leave a store in which the earlier checkup is, and the new one if it said so. An allocation that fails may
//! abort the program; the next checkup has to remove the rest then.

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
    --every N: each Nth case only; --only N: the case with this number";
/// The exit code when faults cannot be had here.
const NOT_RUN: u8 = 77;
/// A checkup that takes longer hangs, in seconds. It takes one.
const TIME_MAX_S: &str = "60";
/// Of more allocations than these, so many are chosen at even distances.
const ALLOCATIONS_MAX: usize = 2_000;
/// How much is shown of what a checkup said that ended badly.
const SHOWN_LINES: usize = 15;
/// So many checkups run at the same time.
const WORKERS: usize = 2;
/// Makes allocations fail.
const SHIM: &str = include_str!("faults/allocation.c");
/// The checkup, as short as there is one.
const CHECK: [&str; 6] = ["check", "drive", "--max-time", "1s", "--json", "out/report.json"];
/// What is in the exported file before.
const OLD: &str = "{\"old\":true}\n";

/// Calls that do not fail with EIO, and with what they do, by their manual pages.
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
/// Calls that cannot fail when they are made as they are made, or never return; and the first one, which strace makes.
const INFALLIBLE: [&str; 24] = [
    "arch_prctl",
    // It fails by leaving the break where it is, and an error's number would be taken for a place in memory.
    "brk",
    "clock_gettime",
    "clock_nanosleep",
    "execve",
    "exit",
    "exit_group",
    // Its errors are those of wrong arguments, and a C library aborts on any other.
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

/// What fails.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fault {
    /// In each thread, the call of this name with this number.
    Call(String, usize),
    /// The allocation with this number.
    Allocation(usize),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Call(name, nth) => write!(f, "{name} {nth} fails with {}", error_of(name)),
            Fault::Allocation(nth) => write!(f, "allocation {nth} fails"),
        }
    }
}

/// Where the checkups run, and with what.
struct Bench {
    program: PathBuf,
    directory: PathBuf,
    shim: PathBuf,
}

/// Runs the cases that are asked for.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let (mut kinds, mut every, mut only, mut program) = (Vec::new(), 1, None, None);
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let number = |text: Option<&&str>| text.and_then(|text| text.parse::<usize>().ok()).ok_or(USAGE);
        match word {
            "calls" | "allocations" => kinds.push(word),
            "--every" => every = number(words.next())?.max(1),
            "--only" => only = Some(number(words.next())?),
            "--program" => program = Some(PathBuf::from(words.next().ok_or(USAGE)?)),
            _ => return Err(USAGE.to_string()),
        }
    }
    let directory = workspace::target_directory()?.join("faults");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let shim = directory.join("allocation.so");
    if let Err(reason) = lacking(&directory, &shim) {
        println!("not run: {reason}");
        return Ok(ExitCode::from(NOT_RUN));
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

/// What is needed and not there, and the shim where it is.
fn lacking(directory: &Path, shim: &Path) -> Result<(), String> {
    workspace::stdout_of(Command::new("strace").args(["-f", "-qq", "-e", "trace=none", "true"]))?;
    let source = directory.join("allocation.c");
    fs::write(&source, SHIM).map_err(|error| format!("{}: {error}", source.display()))?;
    let mut compiler = Command::new("cc");
    workspace::stdout_of(compiler.args(["-shared", "-fPIC", "-O1", "-o"]).args([shim, &source])).map(drop)
}

fn error_of(call: &str) -> &'static str {
    ERRORS.iter().find(|(name, _)| *name == call).map_or("EIO", |(_, error)| error)
}

impl Bench {
    /// A directory with a store in which a checkup is, an old export, and an empty directory to check.
    fn place(&self, name: &str) -> Result<PathBuf, String> {
        let place = self.directory.join(name);
        let _ = fs::remove_dir_all(&place);
        let wrong = |error: std::io::Error| format!("{}: {error}", place.display());
        fs::create_dir_all(place.join("drive")).map_err(wrong)?;
        fs::create_dir_all(place.join("out")).map_err(wrong)?;
        fs::create_dir_all(place.join("store")).map_err(wrong)?;
        fs::write(place.join("out/report.json"), OLD).map_err(wrong)?;
        let first = self.directory.join("first.db");
        if first.exists() {
            fs::copy(&first, place.join("store/drives.db")).map_err(wrong)?;
        }
        Ok(place)
    }

    /// The program in such a directory, behind the words of another that runs it.
    fn command(&self, place: &Path, before: &[String], words: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        command.args(["--signal=KILL", TIME_MAX_S]).args(before).arg(&self.program);
        command.args(["--store", "store/drives.db"]).args(words).current_dir(place).stdin(Stdio::null());
        command.env("HOME", place).env_remove("XDG_DATA_HOME");
        command
    }

    /// A short checkup, in which a call may fail.
    fn check(&self, place: &Path, fault: Option<&Fault>) -> Result<Output, String> {
        let before = match fault {
            Some(Fault::Call(name, nth)) => {
                let (trace, inject) =
                    (format!("trace={name}"), format!("inject={name}:error={}:when={nth}", error_of(name)));
                ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "calls", "-e", &trace, "-e", &inject]
                    .map(str::to_string)
                    .to_vec()
            }
            Some(Fault::Allocation(nth)) => self.preloaded(&format!("FAULTS_NTH={nth}")),
            None => Vec::new(),
        };
        let mut command = self.command(place, &before, &CHECK);
        command.output().map_err(|error| format!("timeout cannot be started: {error}"))
    }

    /// Words before the program that have its allocations counted, and one fail.
    fn preloaded(&self, wanted: &str) -> Vec<String> {
        // Not for what runs it: that would count as well.
        vec!["env".to_string(), format!("LD_PRELOAD={}", self.shim.display()), wanted.to_string()]
    }

    /// All calls of a checkup that nothing disturbs, by name and the highest number in a thread.
    fn calls(&self) -> Result<Vec<Fault>, String> {
        let place = self.undisturbed()?;
        let before = ["strace", "-f", "-qq", "-o", "calls"].map(str::to_string);
        workspace::stdout_of(&mut self.command(&place, &before, &CHECK))?;
        let text =
            fs::read_to_string(place.join("calls")).map_err(|error| format!("strace's log: {error}"))?;
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
        // glibc's loader takes some of its memory for granted, and dies before the program begins.
        let of_loader = text.lines().take_while(|line| !line.contains(" set_tid_address("));
        let loader_mmaps = of_loader.filter(|line| line.contains(" mmap(")).count();
        let each = |(name, count): (&str, usize)| {
            let (name, first) = (name.to_string(), if name == "mmap" { loader_mmaps + 1 } else { 1 });
            (first..=count).map(move |nth| Fault::Call(name.clone(), nth))
        };
        Ok(most.into_iter().flat_map(each).collect())
    }

    /// Allocations of a checkup that nothing disturbs.
    fn allocations(&self) -> Result<Vec<Fault>, String> {
        let place = self.undisturbed()?;
        workspace::stdout_of(&mut self.command(&place, &self.preloaded("FAULTS_COUNT=count"), &CHECK))?;
        let text = fs::read_to_string(place.join("count")).map_err(|error| format!("count: {error}"))?;
        let count: usize = text.trim().parse().map_err(|_| format!("'{}' is not a count", text.trim()))?;
        let step = count.div_ceil(ALLOCATIONS_MAX).max(1);
        println!("{count} allocations, of which each {step}th fails");
        Ok((1..=count).step_by(step).map(Fault::Allocation).collect())
    }

    /// A directory in which a first checkup was kept.
    fn undisturbed(&self) -> Result<PathBuf, String> {
        let first = self.directory.join("first.db");
        if !first.exists() {
            let place = self.place("first")?;
            workspace::stdout_of(&mut self.command(&place, &[], &CHECK))?;
            fs::copy(place.join("store/drives.db"), &first)
                .map_err(|error| format!("{}: {error}", first.display()))?;
        }
        self.place("undisturbed")
    }

    /// Runs cases side by side, and shows those that ended badly. Returns whether there were any.
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
        println!("{kind}: {} faults in {seconds} s, {bad} ended badly", faults.len());
        Ok(bad > 0)
    }

    /// One case.
    fn case(&self, name: &str, fault: &Fault) -> Result<(), String> {
        let place = self.place(name)?;
        let output = self.check(&place, Some(fault))?;
        let said = said_by(&output);
        let bad = |what: &str| Err(format!("{what}; it said:\n{}", end_of(&said)));
        // strace ends as the program did, by a signal, too.
        // The standard library ends a process where it has no memory, also for the stack on which a thread handles its signals,
        // and the C library does where it has none for the end of a thread.
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
            // The standard library's words: it takes for granted that a directory can be closed, and Linux's always can.
            _ if said.contains("unexpected error during closedir") => return Ok(()),
            _ if said.contains("panicked") && !aborts => return bad("it panicked"),
            (Some(0), _) => {}
            (Some(1..=4), _) if !output.stderr.is_empty() => {}
            (Some(101 | 134), _) | (None, Some(6)) if aborts => {}
            _ => return bad(&format!("it ended with {}", output.status)),
        }
        let leftovers = leftovers(&place)?;
        if let Some(unnamed) = leftovers.iter().find(|left| !aborts && !said.contains(left.as_str())) {
            return bad(&format!("it left {unnamed} and did not say so"));
        }
        if !leftovers.is_empty() {
            let again = self.check(&place, None)?;
            let left = self::leftovers(&place)?;
            if !again.status.success() || !left.is_empty() {
                let again = said_by(&again);
                return bad(&format!("the next one left {left:?} and said:\n{}\nbefore", end_of(&again)));
            }
        }
        let text = fs::read_to_string(place.join("out/report.json")).unwrap_or_default();
        let exported: Result<serde_json::Value, _> = serde_json::from_str(&text);
        if exported.is_err() {
            return bad("the export is neither the old one nor a new one");
        }
        let kept = said.split("cardiograph show ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let listed = workspace::stdout_of(&mut self.command(&place, &[], &["history", "--json"]));
        let listed = listed
            .map_err(|error| format!("the store cannot be listed: {error}; it said:\n{}", end_of(&said)))?;
        let count = listed.matches("\"started_unix_ms\"").count();
        if count == 0 {
            return bad("the first checkup is lost");
        }
        if let Some(id) = kept {
            let shown = workspace::stdout_of(&mut self.command(&place, &[], &["show", id]));
            shown.map_err(|error| {
                format!("what it said is kept cannot be shown: {error}; it said:\n{}", end_of(&said))
            })?;
        }
        Ok(())
    }
}

/// What a program wrote.
fn said_by(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat()
}

/// The last lines of it.
fn end_of(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
}

/// Names of leftovers: in the drive's directory, next to the export and the store.
fn leftovers(place: &Path) -> Result<Vec<String>, String> {
    let expected = ["report.json", "drives.db", "drives.db-wal", "drives.db-shm"];
    let mut found = Vec::new();
    for directory in ["drive", "out", "store"] {
        let entries = fs::read_dir(place.join(directory)).map_err(|error| format!("{directory}: {error}"))?;
        let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
        found.extend(names.filter(|name| !expected.contains(&name.as_str())));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_errors_of_their_manual_pages() {
        assert_eq!((error_of("pwrite64"), error_of("fsync")), ("ENOSPC", "EIO"));
        assert!(ERRORS.iter().all(|(name, _)| !INFALLIBLE.contains(name)));
    }
}
