//! iozone's tests 0, 1 and 2: write and rewrite, read and reread, random read and random write of a file, record by
//! record. As in iozone, lengths without a unit are in KiB.

use cardiograph_core::{JobSpec, KIB, MIB, Origin};

mod arguments;
mod output;

pub use arguments::parse;
pub use output::{blank, cell, header, row, row_end};

/// The requested tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// `-e`: include a flush after the last write.
    pub flushes: bool,
    /// `-I`: bypass the page cache.
    pub direct: bool,
    /// `-a`: try lengths that are not given one after the other.
    pub auto: bool,
    /// `-+n`: no rewrite or reread.
    pub once: bool,
    /// `-s`, in bytes.
    pub file_lens_bytes: Vec<u64>,
    /// `-r`, in bytes.
    pub record_lens_bytes: Vec<u64>,
    /// `-i`.
    pub tests: Tests,
    /// `-f`.
    pub path: Option<String>,
    /// iozone's remarks on its options before the start, in the order of the options.
    pub said: Vec<String>,
}

/// The selected tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tests {
    /// 0: write and rewrite.
    pub write: bool,
    /// 1: read and reread.
    pub read: bool,
    /// 2: random read and random write.
    pub random: bool,
}

/// One pass over the file: a column of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pass {
    /// Write the file.
    Write,
    /// Write it again.
    Rewrite,
    /// Read it.
    Read,
    /// Read it again.
    Reread,
    /// Read its records, each once, in random order.
    RandomRead,
    /// Write them in the same way.
    RandomWrite,
}

impl Pass {
    /// All passes in the order in which they run.
    pub const ALL: [Pass; 6] =
        [Pass::Write, Pass::Rewrite, Pass::Read, Pass::Reread, Pass::RandomRead, Pass::RandomWrite];

    /// The job's `rw` value.
    const fn rw(self) -> &'static str {
        match self {
            Pass::Write | Pass::Rewrite => "write",
            Pass::Read | Pass::Reread => "read",
            Pass::RandomRead => "randread",
            Pass::RandomWrite => "randwrite",
        }
    }

    const fn is_write(self) -> bool {
        matches!(self, Pass::Write | Pass::Rewrite | Pass::RandomWrite)
    }

    /// Whether it repeats the previous pass.
    const fn is_again(self) -> bool {
        matches!(self, Pass::Rewrite | Pass::Reread)
    }
}

/// Range of file lengths that `-a` tries, each twice the previous one, in bytes.
const AUTO_FILE_LENS_BYTES: (u64, u64) = (64 * KIB, 512 * MIB);
const AUTO_RECORD_LENS_BYTES: (u64, u64) = (4 * KIB, 16 * MIB);
/// Short records are left out for files longer than this.
const AUTO_CROSSOVER_BYTES: u64 = 16 * MIB;
const AUTO_LONG_FILES_RECORD_BYTES: u64 = 64 * KIB;
/// Default lengths without `-a`, in bytes.
const FILE_LEN_BYTES: u64 = 512 * KIB;
const RECORD_LEN_BYTES: u64 = 4 * KIB;

fn doublings((first, last): (u64, u64)) -> Vec<u64> {
    std::iter::successors(Some(first), |len| Some(len * 2)).take_while(|&len| len <= last).collect()
}

impl Request {
    /// The file and record length of each row in bytes.
    pub fn rows(&self) -> Vec<(u64, u64)> {
        let given = |given: &[u64], auto: (u64, u64), single: u64| match (given.is_empty(), self.auto) {
            (false, _) => given.to_vec(),
            (true, true) => doublings(auto),
            (true, false) => vec![single],
        };
        let files = given(&self.file_lens_bytes, AUTO_FILE_LENS_BYTES, FILE_LEN_BYTES);
        let records = given(&self.record_lens_bytes, AUTO_RECORD_LENS_BYTES, RECORD_LEN_BYTES);
        let is_tried = |file: u64, record: u64| {
            let is_chosen = !self.record_lens_bytes.is_empty() || !self.auto;
            record <= file
                && (is_chosen || file <= AUTO_CROSSOVER_BYTES || record >= AUTO_LONG_FILES_RECORD_BYTES)
        };
        let pairs = files.iter().flat_map(|&file| records.iter().map(move |&record| (file, record)));
        pairs.filter(|&(file, record)| is_tried(file, record)).collect()
    }

    /// Whether a pass is selected.
    pub fn wants(&self, pass: Pass) -> bool {
        match pass {
            Pass::Write | Pass::Rewrite => self.tests.write,
            Pass::Read | Pass::Reread => self.tests.read,
            Pass::RandomRead | Pass::RandomWrite => self.tests.random,
        }
    }

    /// Whether a pass runs. A selected pass that does not run is shown as 0.
    pub fn runs(&self, pass: Pass) -> bool {
        self.wants(pass) && !(self.once && pass.is_again())
    }

    /// The job of a pass over the file `name`.
    pub fn job(&self, pass: Pass, name: &str, (file_len_bytes, record_len_bytes): (u64, u64)) -> JobSpec {
        let flushes = self.flushes && pass.is_write();
        JobSpec::new("iozone", Origin::CommandLine { word: 1 })
            .set("filename", name)
            .set("rw", pass.rw())
            .set("size", file_len_bytes - file_len_bytes % record_len_bytes)
            .set("bs", record_len_bytes)
            .set("direct", u8::from(self.direct))
            .set("end_fsync", u8::from(flushes))
            // iozone does not advise the kernel, and leaves the cache as it is.
            .set("fadvise_hint", 0)
            .set("invalidate", 0)
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_jobs::settings::Settings as _;

    use super::*;

    fn parsed(line: &str) -> Request {
        parse(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn seed_001_is_one_row_of_six_passes() {
        let request = parsed("-e -I -a -s 100M -r 4k -i 0 -i 1 -i 2");
        assert_eq!(request.rows(), [(100 * MIB, 4 * KIB)]);
        let passes: Vec<Pass> = Pass::ALL.into_iter().filter(|&pass| request.runs(pass)).collect();
        assert_eq!(passes, Pass::ALL);
        let job = request.job(Pass::RandomWrite, "x", (100 * MIB, 4 * KIB));
        let expected =
            [("rw", "randwrite"), ("size", "104857600"), ("bs", "4096"), ("direct", "1"), ("end_fsync", "1")];
        for (option, value) in expected {
            assert_eq!(job.last(option), Some(value), "{option}");
        }
        assert_eq!(request.job(Pass::Read, "x", (MIB, KIB)).last("end_fsync"), Some("0"));
    }

    #[test]
    fn auto_mode_tries_unset_lengths() {
        let all = parsed("-a -i 0").rows();
        assert_eq!(all.first(), Some(&(64 * KIB, 4 * KIB)));
        assert_eq!(all.last(), Some(&(512 * MIB, 16 * MIB)));
        assert!(all.contains(&(16 * MIB, 4 * KIB)) && !all.contains(&(32 * MIB, 32 * KIB)));
        assert!(all.iter().all(|(file, record)| record <= file));
        // 5 to 13 records of nine files, and 9 of five.
        assert_eq!(all.len(), (5..=13).sum::<usize>() + 5 * 9);
        assert_eq!(parsed("-i 0").rows(), [(512 * KIB, 4 * KIB)]);
        assert_eq!(parsed("-i 0 -s 32M -r 4k -r 16k").rows(), [(32 * MIB, 4 * KIB), (32 * MIB, 16 * KIB)]);
    }

    #[test]
    fn passes_are_not_repeated_on_request() {
        let request = parsed("-+n -i 0 -i 1");
        assert!(request.runs(Pass::Write) && request.runs(Pass::Read));
        assert!(request.wants(Pass::Rewrite) && !request.runs(Pass::Rewrite));
        assert!(!request.wants(Pass::RandomRead));
    }
}
