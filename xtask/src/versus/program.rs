//! The released cardiograph, through its command line.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use cardiograph_core::result::RunResult;

use super::memory;
use crate::workspace;

/// The program.
pub struct Program {
    path: PathBuf,
}

impl Program {
    /// Builds it.
    pub fn build() -> Result<Self, String> {
        Ok(Self { path: workspace::build_program()? })
    }

    /// One that was built before.
    pub const fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// Creates a directory next to it, on the disk of the build.
    pub fn scratch_directory(&self) -> Result<PathBuf, String> {
        let path = self.path.with_file_name("versus");
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The command of a job that runs once.
    pub fn job(&self, settings: &[&str], directory: &Path) -> Command {
        let mut command = Command::new(&self.path);
        command.arg("job").args(settings).arg(format!("directory={}", directory.display())).arg("--json");
        command
    }

    /// The program in fio's place.
    pub fn fio<W: AsRef<std::ffi::OsStr>>(&self, words: impl IntoIterator<Item = W>) -> Command {
        let mut command = Command::new(&self.path);
        command.arg("fio").args(words);
        command
    }

    /// Runs a job once.
    pub fn run(&self, settings: &[&str], directory: &Path) -> Result<RunResult, String> {
        result(&workspace::stdout_of(&mut self.job(settings, directory))?)
    }

    /// A job that runs repeatedly on one file, each time on request.
    pub fn turns(&self, settings: &[&str], directory: &Path) -> Result<Turns, String> {
        let mut command = self.job(settings, directory);
        command.arg("--each-line").stdin(Stdio::piped()).stdout(Stdio::piped());
        println!("  ours: {}", shown(&command));
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", self.path.display()))?;
        let (requests, results) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        Ok(Turns { requests, results: results.ok_or("no standard output")?, child })
    }
}

/// A command line as it would be typed.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn result(text: &str) -> Result<RunResult, String> {
    serde_json::from_str(text).map_err(|error| format!("cardiograph's result cannot be read: {error}"))
}

/// A job that waits for its next turn.
pub struct Turns {
    child: Child,
    /// Open until the end: then the job ends, too.
    requests: Option<ChildStdin>,
    results: BufReader<ChildStdout>,
}

impl Turns {
    /// Runs the job.
    pub fn turn(&mut self) -> Result<RunResult, String> {
        let mut line = String::new();
        let io = |error: std::io::Error| format!("cardiograph does not take its turn: {error}");
        self.requests.as_mut().ok_or("cardiograph has ended")?.write_all(b"\n").map_err(io)?;
        if self.results.read_line(&mut line).map_err(io)? == 0 {
            return Err("cardiograph ended instead of taking its turn; its output is above".to_string());
        }
        result(&line)
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A path by which others can open the job's unnamed file. It exists after the first turn.
    pub fn file(&self, len_bytes: u64) -> Result<PathBuf, String> {
        // The Agent, a child process, has it open.
        let descriptors = |pid: u32| std::fs::read_dir(format!("/proc/{pid}/fd"));
        let entries = memory::living_family(self.pid()).into_iter().flat_map(descriptors).flatten();
        let is_job_file = |path: &PathBuf| {
            std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == len_bytes)
        };
        let found = entries.flatten().map(|entry| entry.path()).find(is_job_file);
        found.ok_or_else(|| format!("cardiograph has no file of {len_bytes} bytes open"))
    }
}

impl Drop for Turns {
    fn drop(&mut self) {
        drop(self.requests.take());
        // It is idle, and ends when its input is closed.
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_shown_as_typed() {
        let program = Program { path: PathBuf::from("/somewhere/cardiograph") };
        let command = program.job(&["ioengine=null", "size=1G"], Path::new("/dev/shm"));
        assert_eq!(shown(&command), "cardiograph job ioengine=null size=1G directory=/dev/shm --json");
    }

    /// `cat` echoes each line; an empty line is not a result.
    #[test]
    fn turns_run_on_request_and_end_with_the_input() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (requests, results) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut turns = Turns { child, requests, results };
        assert!(turns.turn().unwrap_err().contains("cannot be read"));
        assert!(turns.file(1 << 60).unwrap_err().contains("no file of"));
        drop(turns.requests.take());
        assert!(turns.turn().unwrap_err().contains("has ended"));
    }
}
