//! The lines before the results: announced jobs and preparations.

use cardiograph_core::Direction;

use super::run::Style;

/// Note for a job that asks for more depth than its engine supports. It is part of the output, as in fio.
pub const DEPTH_CAPPED_NOTE: &str =
    "note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be capped at 1";

/// An announced job.
#[derive(Debug, Clone, PartialEq)]
pub struct Announcement {
    /// Its name.
    pub name: String,
    /// Its group.
    pub group: u32,
    /// Its kind of I/O, such as `randread`, without a suffix: see [`rw_name`].
    pub rw: String,
    /// Shortest and longest I/O in bytes: of reads, writes and trims.
    pub block_len_bytes: [(u64, u64); 3],
    /// The requested engine.
    pub engine: String,
    /// I/Os kept in flight.
    pub depth: u32,
    /// Number of workers.
    pub clones: u32,
}

impl Announcement {
    /// The line, or two lines if the job has clones, with line ends.
    pub fn text(&self, style: &Style) -> String {
        let len = |bytes: u64| style.scaled(bytes, style.is_binary(), "B");
        let letters = ["R", "W", "T"]
            .iter()
            .zip(self.block_len_bytes)
            .map(|(letter, (min, max))| format!("({letter}) {}-{}", len(min), len(max)));
        let lengths: Vec<String> = letters.collect();
        format!(
            "{}: (g={}): rw={}, bs={}, ioengine={}, iodepth={}\n{}",
            self.name,
            self.group,
            self.rw,
            lengths.join(", "),
            self.engine,
            self.depth,
            if self.clones > 1 { "...\n" } else { "" }
        )
    }
}

/// The name of a kind of I/O: `read`, `randrw`, `trimwrite`. No job has all three directions; they would be named like
/// reads and writes.
pub fn rw_name(directions: &[Direction], random: bool) -> String {
    let does = |direction| directions.contains(&direction);
    let name = match (does(Direction::Read), does(Direction::Write), does(Direction::Trim)) {
        (true, true, _) => "rw",
        (_, true, true) => "trimwrite",
        (true, ..) => "read",
        (_, true, _) => "write",
        _ => "trim",
    };
    format!("{}{name}", if random { "rand" } else { "" })
}

/// `Starting 2 threads and 1 process`, with its line end. fio runs jobs as processes unless `thread` is set; this
/// counts what the jobs asked for.
pub fn starting(threads: u32, processes: u32) -> String {
    let count = |n: u32, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let threads_text = count(threads, "thread", "threads");
    let processes_text = count(processes, "process", "processes");
    match (threads, processes) {
        (0, _) => format!("Starting {processes_text}\n"),
        (_, 0) => format!("Starting {threads_text}\n"),
        _ => format!("Starting {threads_text} and {processes_text}\n"),
    }
}

/// The line about laying out `files` files of `len_bytes` in total for a job, with its line end.
pub fn laying_out(name: &str, files: u64, len_bytes: u64) -> String {
    let mib = len_bytes >> 20;
    match files {
        1 => format!("{name}: Laying out IO file (1 file / {mib}MiB)\n"),
        _ => format!("{name}: Laying out IO files ({files} files / total {mib}MiB)\n"),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::display::JobDisplay;

    use super::*;

    fn job() -> Announcement {
        Announcement {
            name: "sdtest".to_string(),
            group: 0,
            rw: "rw".to_string(),
            block_len_bytes: [(1 << 20, 1 << 20); 3],
            engine: "psync".to_string(),
            depth: 1,
            clones: 1,
        }
    }

    #[test]
    fn announcements_match_fio() {
        let style = Style::default();
        assert_eq!(
            job().text(&style),
            "sdtest: (g=0): rw=rw, bs=(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB, (T) 1024KiB-1024KiB, \
             ioengine=psync, iodepth=1\n"
        );
        let ranges = Announcement {
            block_len_bytes: [(4_096, 8_192), (16_384, 1 << 20), (16_384, 1 << 20)],
            clones: 2,
            ..job()
        };
        assert_eq!(
            ranges.text(&style),
            "sdtest: (g=0): rw=rw, bs=(R) 4096B-8192B, (W) 16.0KiB-1024KiB, (T) 16.0KiB-1024KiB, \
             ioengine=psync, iodepth=1\n...\n"
        );
        let decimal = Style(JobDisplay { kb_base: 1_000, ..style.0 });
        assert!(job().text(&decimal).contains("(W) 1049kB-1049kB"));
    }

    #[test]
    fn kinds_of_io_are_named_by_direction() {
        use Direction::{Read, Trim, Write};
        for (directions, random, name) in [
            (&[Read][..], false, "read"),
            (&[Write], true, "randwrite"),
            (&[Trim], true, "randtrim"),
            (&[Read, Write], true, "randrw"),
            (&[Write, Trim], false, "trimwrite"),
            (&[Trim, Write], true, "randtrimwrite"),
        ] {
            assert_eq!(rw_name(directions, random), name);
        }
    }

    #[test]
    fn preparations_are_counted_in_words() {
        for (threads, processes, text) in [
            (0, 1, "Starting 1 process\n"),
            (0, 64, "Starting 64 processes\n"),
            (1, 0, "Starting 1 thread\n"),
            (1, 4, "Starting 1 thread and 4 processes\n"),
            (2, 1, "Starting 2 threads and 1 process\n"),
        ] {
            assert_eq!(starting(threads, processes), text);
        }
        assert_eq!(laying_out("a", 1, 200 << 20), "a: Laying out IO file (1 file / 200MiB)\n");
        assert_eq!(laying_out("a", 2, 3 << 30), "a: Laying out IO files (2 files / total 3072MiB)\n");
        assert_eq!(laying_out("a", 1, 40 << 10), "a: Laying out IO file (1 file / 0MiB)\n");
    }
}
