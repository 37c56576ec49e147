//! Jobs on real files: their I/Os and the files they leave, compared with Debian's fio.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::common::fio::{Fio, LogLine, is_compared};
use crate::common::{Bench, Outcome, all_below, run};

/// Direction (0 read, 1 write), length and offset of an I/O, in bytes.
pub type Io = (u64, u64, u64);

/// The results of a job.
#[derive(Debug, PartialEq, Eq)]
pub struct JobResult {
    /// The exit code.
    pub exit: i32,
    /// The I/Os of each clone, in an order independent of the clones' numbers.
    pub ios: Vec<Vec<Io>>,
    /// The files it left, by name, with their lengths in bytes.
    pub files: BTreeMap<String, u64>,
}

impl JobResult {
    /// The offsets of the I/Os of the only clone, in blocks of 4 KiB.
    #[track_caller]
    pub fn blocks(&self) -> Vec<u64> {
        assert_eq!(self.ios.len(), 1, "{self:?}");
        self.ios[0].iter().map(|&(_, _, offset_bytes)| offset_bytes / 4_096).collect()
    }

    /// The files it left, with their lengths in bytes.
    pub fn files(&self) -> Vec<(&str, u64)> {
        self.files.iter().map(|(name, &len_bytes)| (name.as_str(), len_bytes)).collect()
    }
}

/// The I/Os in a log.
pub fn ios_of(lines: &[LogLine]) -> Vec<Io> {
    lines.iter().map(|line| (line.direction, line.len_bytes, line.offset_bytes)).collect()
}

/// Runs a job with pread and pwrite on files of 4 KiB blocks, in a bench set up by `prepare`. For some jobs, checks that
/// Debian's fio does the same and leaves the same files.
#[track_caller]
pub fn run_job_after(line: &str, prepare: impl Fn(&Bench)) -> JobResult {
    let ours = run_once(Fio::Ours, line, &prepare);
    if is_compared(line) {
        assert_eq!(ours, run_once(Fio::Debian, line, &prepare), "not as Debian's fio: {line}");
    }
    ours
}

/// The same in an empty bench.
#[track_caller]
pub fn run_job(line: &str) -> JobResult {
    run_job_after(line, |_| {})
}

fn run_once(fio: Fio, line: &str, prepare: &impl Fn(&Bench)) -> JobResult {
    let bench = Bench::new();
    prepare(&bench);
    let outcome = run_in(&bench, fio, &format!("{line} --write_lat_log=ios --log_offset=1"));
    let exit = outcome.status.code().unwrap_or_else(|| panic!("{line}: {}", outcome.status));
    let mut ios = Vec::new();
    let len_bytes = |path: PathBuf| {
        let name = path.strip_prefix(bench.work()).unwrap().to_str().unwrap().to_string();
        (name, path.symlink_metadata().unwrap().len())
    };
    let mut files: BTreeMap<String, u64> = all_below(&bench.work()).into_iter().map(len_bytes).collect();
    files.retain(|name, _| {
        let is_log = name.starts_with("ios_lat.");
        if is_log {
            ios.push(ios_of(&bench.log(name)));
        }
        // fio may create logs before it refuses a job.
        !is_log && !name.starts_with("ios_")
    });
    ios.retain(|clone| !clone.is_empty());
    ios.sort();
    JobResult { exit, ios, files }
}

fn run_in(bench: &Bench, fio: Fio, line: &str) -> Outcome {
    let line = format!("--name=job --ioengine=psync {line}");
    run(bench.fio_by(fio, line.split_whitespace()))
}

/// Creates a file of `kib` KiB without zeros.
pub fn fill(bench: &Bench, name: &str, kib: usize) {
    std::fs::write(bench.work().join(name), vec![0xa5; kib << 10]).unwrap();
}
