//! The bandwidth of all jobs together, as `--bandwidth-log` asks for it: a file for reads, one for writes, one for trims.
//!
//! A line is the time in milliseconds since the run began, KiB a second since the line before, the direction, and two
//! zeros, as in fio's other logs.

use std::path::Path;

use cardiograph_core::result::RunResult;
use cardiograph_core::{Direction, NS_PER_MS, NS_PER_S, PerDirection};
use cardiograph_engine::observer::Progress;

use super::logs::LogFile;
use crate::exit::Failure;

/// The files, and what stands in them.
pub struct BandwidthLog {
    files: Vec<LogFile>,
    /// Time between two lines, in nanoseconds.
    window_ns: u64,
    /// When the last line was written, in nanoseconds since the run began.
    last_ns: u64,
    /// Bytes until then.
    last_bytes: PerDirection<u64>,
}

impl BandwidthLog {
    /// Makes the files `PREFIX-read_bw.log` and so on.
    ///
    /// # Errors
    /// When one cannot be made.
    pub fn create(prefix: &str, window_ns: u64) -> Result<Self, Failure> {
        let open = |direction: Direction| {
            let path = format!("{prefix}-{}_bw.log", direction.name());
            LogFile::open(Path::new(&path), "--bandwidth-log=/tmp/card")
        };
        let files = Direction::DATA.into_iter().map(open).collect::<Result<_, _>>()?;
        let last_bytes = PerDirection::default();
        Ok(Self { files, window_ns: window_ns.max(NS_PER_MS), last_ns: 0, last_bytes })
    }

    /// Takes in how a run goes.
    pub fn progress(&mut self, progress: &Progress) {
        if progress.elapsed_ns.saturating_sub(self.last_ns) >= self.window_ns {
            self.line(progress.elapsed_ns, &progress.total.map(|done| done.bytes));
        }
    }

    /// Writes the line of what is left of a run, and brings everything into the files. A rest of less than half a line's time
    /// has none, unless there is no other.
    ///
    /// # Errors
    /// The first line that could not be written.
    pub fn finish(mut self, result: &RunResult) -> Result<(), Failure> {
        let end_ns = result.workers.iter().map(|worker| worker.end_ns).max().unwrap_or(0);
        let rest_ns = end_ns.saturating_sub(self.last_ns);
        if rest_ns >= self.window_ns / 2 || (self.last_ns == 0 && rest_ns > 0) {
            let merged = result.merged(|_| true);
            self.line(end_ns, &PerDirection::from_fn(|direction| merged[direction].bytes));
        }
        self.files.iter_mut().try_for_each(LogFile::finish)
    }

    fn line(&mut self, at_ns: u64, bytes: &PerDirection<u64>) {
        let long_ns = u128::from(at_ns - self.last_ns).max(1);
        for (number, (direction, file)) in Direction::DATA.into_iter().zip(&mut self.files).enumerate() {
            let moved_bytes = bytes[direction].saturating_sub(self.last_bytes[direction]);
            let kib_per_s = u128::from(moved_bytes) * u128::from(NS_PER_S) / 1_024 / long_ns;
            let line = format!("{}, {kib_per_s}, {number}, 0, 0\n", at_ns / NS_PER_MS);
            file.text.extend_from_slice(line.as_bytes());
            file.write_out_if_long();
        }
        (self.last_ns, self.last_bytes) = (at_ns, *bytes);
    }
}
