//! dd: what its operands ask for, and the jobs that do it. Numbers, flags and outputs are those of GNU coreutils 9.
//!
//! What is copied goes from memory to a drive (`if=/dev/zero`, `if=/dev/urandom`) or from a drive to nowhere
//! (`of=/dev/null`): that is what figures are made with. From one file to another nothing is copied here.

use cardiograph_core::{JobSpec, Origin};

use super::as_filename;

mod number;
mod operands;
mod output;

pub use operands::parse;
pub use output::{Copied, progress, records, transfer};

/// Length of a block where none is given, in bytes.
const BLOCK_LEN_BYTES: u64 = 512;

/// What dd is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// From where to where.
    pub way: Way,
    /// `bs`: what is read and written at a time, in bytes.
    pub block_len_bytes: u64,
    /// `count`, in bytes; `None` reads to the end.
    pub len_bytes: Option<u64>,
    /// Past the page cache.
    pub direct: bool,
    /// What is printed.
    pub status: Status,
    /// Ids of devices that may be overwritten.
    pub consents: Vec<String>,
}

/// From where to where is copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// A file or device is read.
    Read {
        /// Its path.
        from: String,
        /// `skip`: bytes that are left out at its beginning.
        skip_bytes: u64,
    },
    /// A file or device is written.
    Write(Write),
}

/// How a file or device is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// Its path.
    pub to: String,
    /// Whether random bytes are written; zeros otherwise.
    pub random: bool,
    /// `seek`: where writing begins, in bytes.
    pub seek_bytes: u64,
    /// What follows the last write, in the measured time.
    pub end_sync: Option<EndSync>,
    /// `oflag=dsync` or `oflag=sync`: what each write promises.
    pub write_through: Option<WriteThrough>,
    /// `conv=notrunc`: what lies behind what is written stays.
    pub keeps_rest: bool,
}

/// What makes all writes durable at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndSync {
    /// `conv=fsync`.
    Fsync,
    /// `conv=fdatasync`.
    Fdatasync,
}

/// What a write promises when it is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteThrough {
    /// Its data is durable.
    Data,
    /// Its data and all that the file system keeps of the file are.
    All,
}

/// What is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Status {
    /// Records and transfer.
    #[default]
    All,
    /// Transfer once a second, too.
    Progress,
    /// Records alone.
    NoTransfer,
    /// Nothing.
    None,
}

impl Copy {
    /// The part of a file or device of `found_bytes` that is copied: where it begins and how long it is, in bytes. What
    /// is written need not be there.
    pub fn part(&self, found_bytes: u64) -> (u64, u64) {
        match &self.way {
            Way::Read { skip_bytes, .. } => {
                let left_bytes = found_bytes.saturating_sub(*skip_bytes);
                (*skip_bytes, self.len_bytes.unwrap_or(u64::MAX).min(left_bytes))
            }
            Way::Write(write) => (write.seek_bytes, self.len_bytes.unwrap_or(0)),
        }
    }

    /// The path that is read or written.
    pub fn path(&self) -> &str {
        match &self.way {
            Way::Read { from, .. } => from,
            Way::Write(write) => &write.to,
        }
    }

    /// The jobs that do it: one for the whole blocks, and one for what is left behind them. dd reads and writes that
    /// through the page cache.
    pub fn jobs(&self, (start_bytes, len_bytes): (u64, u64)) -> Vec<JobSpec> {
        let rest_bytes = len_bytes % self.block_len_bytes;
        let whole_bytes = len_bytes - rest_bytes;
        let parts = [
            (start_bytes, whole_bytes, self.block_len_bytes, self.direct),
            (start_bytes + whole_bytes, rest_bytes, rest_bytes, false),
        ];
        let parts: Vec<_> = parts.into_iter().filter(|(_, len_bytes, ..)| *len_bytes > 0).collect();
        let last = parts.len().saturating_sub(1);
        let job =
            |(index, (offset_bytes, len_bytes, block_len_bytes, direct)): (usize, (u64, u64, u64, bool))| {
                let job = JobSpec::new("dd", Origin::CommandLine { word: 1 })
                    .set("filename", as_filename(self.path()))
                    .set("offset", offset_bytes)
                    .set("size", len_bytes)
                    .set("bs", block_len_bytes)
                    .set("direct", u8::from(direct))
                    // dd gives the kernel no advice, and leaves the cache as it is.
                    .set("fadvise_hint", 0)
                    .set("invalidate", 0)
                    .set("stonewall", 1);
                match &self.way {
                    Way::Read { .. } => job.set("rw", "read"),
                    Way::Write(write) => write.job(job, index == last),
                }
            };
        parts.into_iter().enumerate().map(job).collect()
    }
}

impl Write {
    fn job(&self, job: JobSpec, is_last: bool) -> JobSpec {
        let content = if self.random { "refill_buffers" } else { "zero_buffers" };
        let write_through = match self.write_through {
            None => "none",
            Some(WriteThrough::Data) => "dsync",
            Some(WriteThrough::All) => "sync",
        };
        job.set("rw", "write")
            .set(content, 1)
            .set("sync", write_through)
            // The file grows with what is written, as dd's does.
            .set("fallocate", "none")
            .set("end_fsync", u8::from(is_last && self.end_sync.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_jobs::settings::Settings as _;

    use super::*;

    fn parsed(line: &str) -> Copy {
        parse(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn seed_001_is_one_job() {
        let copy = parsed("if=/dev/zero of=/home/pi/test bs=8k count=50k conv=fsync");
        assert_eq!(copy.part(0), (0, 419_430_400));
        let jobs = copy.jobs(copy.part(0));
        assert_eq!(jobs.len(), 1);
        let expected = [
            ("filename", "/home/pi/test"),
            ("rw", "write"),
            ("size", "419430400"),
            ("bs", "8192"),
            ("direct", "0"),
            ("zero_buffers", "1"),
            ("fallocate", "none"),
            ("end_fsync", "1"),
        ];
        for (option, value) in expected {
            assert_eq!(jobs[0].last(option), Some(value), "{option}");
        }
    }

    #[test]
    fn what_is_left_behind_whole_blocks_is_a_job_of_its_own() {
        let copy = parsed("if=/dev/urandom of=x bs=4k count=10000B oflag=direct,dsync conv=fdatasync seek=2");
        let jobs = copy.jobs(copy.part(0));
        let values = |option: &str| jobs.iter().map(|job| job.last(option).unwrap()).collect::<Vec<_>>();
        assert_eq!(values("offset"), ["8192", "16384"]);
        assert_eq!(values("size"), ["8192", "1808"]);
        assert_eq!(values("bs"), ["4096", "1808"]);
        assert_eq!(values("direct"), ["1", "0"]);
        assert_eq!(values("sync"), ["dsync", "dsync"]);
        assert_eq!(values("end_fsync"), ["0", "1"]);
        assert_eq!(values("refill_buffers"), ["1", "1"]);
    }

    #[test]
    fn reading_ends_where_the_file_does() {
        let copy = parsed("if=x of=/dev/null bs=1k skip=3 count=5");
        assert_eq!(copy.part(100_000), (3_072, 5_120));
        assert_eq!(copy.part(4_000), (3_072, 928));
        assert_eq!(copy.part(3_000), (3_072, 0));
        assert!(copy.jobs((3_072, 0)).is_empty());
        assert_eq!(parsed("if=x of=/dev/null").part(700), (0, 700));
        assert_eq!(copy.jobs((0, 700))[0].last("bs"), Some("700"));
    }
}
