//! dd: its operands, and the jobs for them. Numbers, flags and output are those of GNU coreutils 9.
//!
//! Copies from memory to a drive (`if=/dev/zero`, `if=/dev/urandom`) or from a drive to nowhere (`of=/dev/null`), as
//! benchmarks do. File-to-file copies are not supported.

use cardiograph_core::{JobSpec, Origin};

use super::as_filename;

mod number;
mod operands;
mod output;

pub use operands::parse;
pub use output::{Copied, progress, records, transfer};

/// Default block length in bytes.
const BLOCK_LEN_BYTES: u64 = 512;

/// A requested copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// Source and destination.
    pub way: Way,
    /// `bs`, the block length in bytes.
    pub block_len_bytes: u64,
    /// `count`, in bytes; `None` reads to the end.
    pub len_bytes: Option<u64>,
    /// Bypass the page cache.
    pub direct: bool,
    /// The output to print.
    pub status: Status,
    /// Ids of devices approved for erasing.
    pub consents: Vec<String>,
}

/// Source or destination of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// Read a file or device.
    Read {
        /// Its path.
        from: String,
        /// `skip`: bytes to skip at its beginning.
        skip_bytes: u64,
    },
    /// Write a file or device.
    Write(Write),
}

/// A copy to a file or device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// Its path.
    pub to: String,
    /// Whether to write random bytes rather than zeros.
    pub random: bool,
    /// `seek`: the offset of the first write in bytes.
    pub seek_bytes: u64,
    /// The sync after the last write, included in the measured time.
    pub end_sync: Option<EndSync>,
    /// `oflag=dsync` or `oflag=sync`: the durability of each write.
    pub write_through: Option<WriteThrough>,
    /// `conv=notrunc`: keep the file's content after the written part.
    pub keeps_rest: bool,
}

/// The sync that makes all writes durable at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndSync {
    /// `conv=fsync`.
    Fsync,
    /// `conv=fdatasync`.
    Fdatasync,
}

/// The durability of a completed write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteThrough {
    /// Its data is durable.
    Data,
    /// Its data and all metadata of the file are durable.
    All,
}

/// The output to print.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Status {
    /// Records and transfer.
    #[default]
    All,
    /// Also the transfer once a second.
    Progress,
    /// Only records.
    NoTransfer,
    /// Nothing.
    None,
}

impl Copy {
    /// The offset and length in bytes of the copied part of a file or device of `found_bytes`. A written part need not
    /// exist yet.
    pub fn part(&self, found_bytes: u64) -> (u64, u64) {
        match &self.way {
            Way::Read { skip_bytes, .. } => {
                let left_bytes = found_bytes.saturating_sub(*skip_bytes);
                (*skip_bytes, self.len_bytes.unwrap_or(u64::MAX).min(left_bytes))
            }
            Way::Write(write) => (write.seek_bytes, self.len_bytes.unwrap_or(0)),
        }
    }

    /// The path to read or write.
    pub fn path(&self) -> &str {
        match &self.way {
            Way::Read { from, .. } => from,
            Way::Write(write) => &write.to,
        }
    }

    /// The jobs of the copy: one for the whole blocks, and one for the remainder, which dd reads and writes through the
    /// page cache.
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
                    // dd does not advise the kernel, and leaves the cache as it is.
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
            // The file grows as it is written, as with dd.
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
    fn the_rest_after_whole_blocks_is_a_separate_job() {
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
