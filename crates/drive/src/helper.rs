//! External programs for information that the kernel does not show: started in parallel, with a time limit of
//! a few seconds.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cardiograph_core::drive::Why;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use crate::attribute;
use crate::system::System;

/// Time limit for all programs started together.
const DEADLINE: Duration = Duration::from_secs(3);
/// Maximum output: the longest is some 100 KiB, from a controller with many drives.
const OUTPUT_LEN_BYTES_MAX: u64 = 1 << 20;
/// Maximum error output to keep.
const COMPLAINT_LEN_BYTES_MAX: u64 = 4 << 10;
/// How long to wait for error output after the program has ended.
const COMPLAINT_GRACE: Duration = Duration::from_millis(100);
/// Search path of the started programs.
const PATH: &str = "/usr/sbin:/usr/bin:/sbin:/bin";

/// A program to start.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// Names of the program; the first that is installed is used.
    pub programs: &'static [&'static str],
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// A program's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Output {
    /// The name under which it was found.
    pub program: &'static str,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Error output, in one line.
    pub complaint: Option<String>,
}

impl Call {
    /// A call of a program with one name.
    pub fn new(programs: &'static [&'static str], arguments: &[&str]) -> Self {
        Self { programs, arguments: arguments.iter().map(ToString::to_string).collect() }
    }

    fn name(&self) -> String {
        self.programs.first().copied().unwrap_or_default().to_string()
    }
}

/// Starts all programs at once, and returns their output in the order of the calls after [`DEADLINE`] at the
/// latest. Ignores exit codes: these programs also report the same in words.
pub(crate) fn run(system: &System, calls: &[Call]) -> Vec<Result<Output, Why>> {
    run_within(system, calls, DEADLINE)
}

/// Like [`run`], with a shorter time limit.
pub(crate) fn run_within(system: &System, calls: &[Call], patience: Duration) -> Vec<Result<Output, Why>> {
    run_until(system, calls, Instant::now() + patience)
}

fn run_until(system: &System, calls: &[Call], deadline: Instant) -> Vec<Result<Output, Why>> {
    let started: Vec<_> = calls.iter().map(|call| Started::new(system, call)).collect();
    calls.iter().zip(started).map(|(call, started)| started?.answer(call, deadline)).collect()
}

/// A started program, and the thread that waits for it. If the program is stuck in the kernel, the thread is
/// abandoned.
struct Started {
    program: &'static str,
    stage: Arc<Mutex<Stage>>,
    answer: Receiver<io::Result<(Vec<u8>, Option<String>)>>,
}

/// State of a program. It may be killed only while its process id is valid.
enum Stage {
    Starting,
    Running(Pid),
    Over,
}

impl Started {
    fn new(system: &System, call: &Call) -> Result<Self, Why> {
        let found = call.programs.iter().find_map(|program| Some((*program, system.program(program)?)));
        let (program, path) = found.ok_or_else(|| Why::NotInstalled { program: call.name() })?;
        let stage = Arc::new(Mutex::new(Stage::Starting));
        let (sender, answer) = mpsc::channel();
        let (arguments, its_stage) = (call.arguments.clone(), Arc::clone(&stage));
        let spawned = thread::Builder::new().spawn(move || attend(&path, &arguments, &its_stage, &sender));
        spawned.map_err(|error| Why::Unreadable { message: error.to_string() })?;
        Ok(Self { program, stage, answer })
    }

    fn answer(self, call: &Call, deadline: Instant) -> Result<Output, Why> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.answer.recv_timeout(left) {
            Ok(Ok((stdout, complaint))) => Ok(Output { program: self.program, stdout, complaint }),
            Ok(Err(error)) => {
                let program = self.program.to_string();
                Err(match error.kind() {
                    io::ErrorKind::FileTooLarge => Why::NoAnswer { program },
                    _ => Why::NotUnderstood { program, message: error.to_string() },
                })
            }
            Err(_) => {
                kill(&self.stage, true);
                Err(Why::TimedOut { program: call.name() })
            }
        }
    }
}

/// Kills a program and its children. With `for_good`, a program that has not started yet is killed when it
/// starts.
fn kill(stage: &Mutex<Stage>, for_good: bool) {
    let mut stage = stage.lock().unwrap_or_else(PoisonError::into_inner);
    if let Stage::Running(pid) = *stage {
        // It may have ended by itself, so that there is nothing to kill.
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    }
    if for_good && matches!(*stage, Stage::Starting) {
        *stage = Stage::Over;
    }
}

/// The thread of a program: starts it, reads its output, and waits for its end.
fn attend(
    path: &Path,
    arguments: &[String],
    stage: &Mutex<Stage>,
    sender: &Sender<io::Result<(Vec<u8>, Option<String>)>>,
) {
    let answer = start(path, arguments).and_then(|child| listen(child, stage));
    // The receiver may have given up.
    let _ = sender.send(answer);
}

fn start(path: &Path, arguments: &[String]) -> io::Result<Child> {
    let mut command = Command::new(path);
    command.args(arguments).env_clear().env("LC_ALL", "C").env("PATH", PATH).current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut attempts = 0;
    loop {
        match command.spawn() {
            // A package manager may be writing it.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && attempts < 20 => {
                attempts += 1;
                thread::sleep(Duration::from_millis(10));
            }
            other => return other,
        }
    }
}

fn listen(mut child: Child, stage: &Mutex<Stage>) -> io::Result<(Vec<u8>, Option<String>)> {
    let pid = Pid::from_child(&child);
    let is_given_up = {
        let mut stage = stage.lock().unwrap_or_else(PoisonError::into_inner);
        let is_given_up = matches!(*stage, Stage::Over);
        *stage = Stage::Running(pid);
        is_given_up
    };
    if is_given_up {
        kill(stage, false);
    }
    let (complaint_sender, complaint) = mpsc::channel();
    if let Some(stderr) = child.stderr.take() {
        thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            let mut stderr = stderr;
            let read = stderr.by_ref().take(COMPLAINT_LEN_BYTES_MAX).read_to_end(&mut bytes);
            let _ = complaint_sender.send(bytes);
            // Read the rest too, so that the program can continue.
            if read.is_ok() {
                let _ = io::copy(&mut stderr, &mut io::sink());
            }
        })?;
    }
    let mut bytes = Vec::new();
    let read = match child.stdout.take() {
        Some(stdout) => stdout.take(OUTPUT_LEN_BYTES_MAX + 1).read_to_end(&mut bytes),
        None => Ok(0),
    };
    let is_too_long = bytes.len() as u64 > OUTPUT_LEN_BYTES_MAX;
    if is_too_long || read.is_err() {
        kill(stage, false);
    }
    // Keep its process id valid until nobody can kill it any more.
    let waited = rustix::process::waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    {
        let mut stage = stage.lock().unwrap_or_else(PoisonError::into_inner);
        child.wait()?;
        *stage = Stage::Over;
    }
    waited?;
    read?;
    if is_too_long {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let complaint = complaint.recv_timeout(COMPLAINT_GRACE).ok();
    Ok((bytes, complaint.and_then(|bytes| attribute::clean(&bytes))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    const PROGRAM: &[&str] = &["asked"];

    fn ask(script: &str, patience: Duration) -> Result<Output, Why> {
        let fixture = Fixture::new();
        fixture.program("asked", script);
        let calls = [Call::new(PROGRAM, &["one", "two words"])];
        run_until(&fixture.system(), &calls, Instant::now() + patience).remove(0)
    }

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(300);

    fn not_understood(answer: Result<Output, Why>) -> String {
        match answer {
            Err(Why::NotUnderstood { program, message }) if program == "asked" => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn output_is_returned() {
        let output = ask("echo \"$#:$2\"; echo bad >&2; exit 4", LONG).unwrap();
        assert_eq!((output.program, output.stdout.as_slice()), ("asked", &b"2:two words\n"[..]));
        assert_eq!(output.complaint.as_deref(), Some("bad"));
        let output = ask("echo \"$LC_ALL $HOME $(pwd)\"; cat", LONG).unwrap();
        assert_eq!(output.stdout, b"C  /\n");
        assert_eq!(ask("kill -9 $$", LONG).unwrap().stdout, b"");
    }

    #[test]
    fn hanging_programs_are_not_waited_for() {
        let timed_out = Err(Why::TimedOut { program: "asked".to_string() });
        // Silent, with closed outputs, with a child that keeps them open, ignoring all ignorable signals.
        for script in [
            "sleep 600",
            "exec >&- 2>&-; sleep 600",
            "sleep 600 & exit 0",
            "trap '' TERM INT HUP PIPE; while :; do sleep 600; done",
        ] {
            assert_eq!(ask(script, SHORT), timed_out, "{script}");
        }
    }

    #[test]
    fn hanging_programs_are_killed_with_their_children() {
        let fixture = Fixture::new();
        let file = fixture.root().join("pids");
        fixture.program("asked", "sleep 600 & echo $$ $! > \"$root/pids\"; wait");
        let calls = [Call::new(PROGRAM, &[])];
        let started = Started::new(&fixture.system(), &calls[0]).unwrap();
        let pids = loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if text.ends_with('\n') {
                break text;
            }
            thread::sleep(Duration::from_millis(5));
        };
        assert!(started.answer(&calls[0], Instant::now()).is_err());
        for pid in pids.split_whitespace() {
            // A zombie whose parent has died may remain until init reaps it.
            let is_alive = || {
                let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
            };
            let limit = Instant::now() + LONG;
            while is_alive() {
                assert!(Instant::now() < limit, "{pid} is still there");
                thread::sleep(Duration::from_millis(5));
            }
        }
    }

    #[test]
    fn excessive_output_is_refused() {
        let answer = ask("while :; do echo 0123456789012345678901234567890123456789; done", LONG);
        assert_eq!(answer, Err(Why::NoAnswer { program: "asked".to_string() }));
        let complaints = "i=0; while [ $i -lt 20000 ]; do echo complaint >&2; i=$((i+1)); done; echo done";
        let output = ask(complaints, LONG).unwrap();
        assert_eq!(output.stdout, b"done\n");
        assert!(output.complaint.unwrap().len() <= 4 << 10);
    }

    #[test]
    fn programs_that_cannot_be_started_are_reported() {
        let fixture = Fixture::new();
        let missing =
            |fixture: &Fixture| run(&fixture.system(), &[Call::new(&["asked", "other"], &[])]).remove(0);
        let not_installed = Err(Why::NotInstalled { program: "asked".to_string() });
        assert_eq!(missing(&fixture), not_installed);
        // A file that is not a program, and a directory with its name.
        fixture.file("bin/asked", "#!/bin/sh\n");
        fixture.file("bin/other/file", "");
        assert_eq!(missing(&fixture), not_installed);
        fixture.remove("bin/other");
        fixture.program("other", "echo other");
        assert_eq!(missing(&fixture).unwrap().program, "other");
        fixture.program("asked", "true");
        fixture.file("bin/asked", "#!/no/such/interpreter\n");
        assert!(!not_understood(missing(&fixture)).is_empty());
    }

    #[test]
    fn programs_run_in_parallel_and_a_fixture_starts_none_of_this_machine() {
        let fixture = Fixture::new();
        fixture.program("asked", "echo \"$1\"");
        fixture.program("slow", "sleep 600");
        let calls: Vec<Call> = (0..20)
            .map(|index| match index % 2 {
                0 => Call::new(PROGRAM, &[if index % 4 == 0 { "a" } else { "b" }]),
                _ => Call::new(&["slow"], &[]),
            })
            .chain([Call::new(&["sh"], &["-c", "echo no"])])
            .collect();
        let answers = run_until(&fixture.system(), &calls, Instant::now() + Duration::from_secs(2));
        for (index, answer) in answers.iter().enumerate().take(20) {
            match (index % 4, answer) {
                (0, Ok(output)) => assert_eq!(output.stdout, b"a\n"),
                (2, Ok(output)) => assert_eq!(output.stdout, b"b\n"),
                (1 | 3, Err(Why::TimedOut { program })) => assert_eq!(program, "slow"),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(answers[20], Err(Why::NotInstalled { program: "sh".to_string() }));
    }
}
