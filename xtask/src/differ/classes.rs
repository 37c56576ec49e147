//! Intended differences.

use super::facts::{BROKEN, EXIT};
use super::job::{Job, is_mixed, value};

/// Differences with the same reason.
pub struct Class {
    /// Beginning of the line of docs/fio.md about it.
    pub line: &'static str,
    /// Whether a difference belongs to it, by job, fact, and fio's value.
    pub covers: fn(job: &Job, fact: &str, fio: &str) -> bool,
}

pub const CLASSES: &[Class] = &[
    Class {
        line: "| jobs at which fio crashes or hangs |",
        covers: |_, fact, fio| fact == EXIT && fio.starts_with(BROKEN),
    },
    Class {
        line: "| `fdatasync` |",
        covers: |job, fact, fio| fact.starts_with("sync.") && fio == "0" && is_on(job, "fdatasync"),
    },
    Class {
        line: "| `fsync`, `fdatasync` over several files |",
        covers: |job, fact, _| {
            let is_synced = is_on(job, "fsync") || is_on(job, "fdatasync");
            is_count(fact) && is_synced && value(job, "nrfiles").is_some()
        },
    },
    Class {
        line: "| how many syncs `fsync` makes |",
        covers: |job, fact, _| fact.starts_with("sync.") && is_on(job, "fsync"),
    },
    Class {
        line: "| each block once, of lengths that vary or differ |",
        covers: |job, fact, _| is_count(fact) && has(job, "bs", ",") && has(job, "rw", "rand"),
    },
    Class {
        line: "| `randread:N`, `randwrite:N` of each block once |",
        covers: |job, fact, fio| {
            let fails_its_check = fact == EXIT && fio.starts_with("1 verify: bad header");
            (is_count(fact) || fails_its_check) && has(job, "rw", "rand") && has(job, "rw", ":")
        },
    },
    Class {
        line: "| `io_size` above `size` with engines that queue |",
        covers: |job, fact, _| {
            let queues =
                ["libaio", "io_uring", "posixaio"].into_iter().any(|engine| has(job, "ioengine", engine));
            (is_count(fact) || fact == "drive") && queues && value(job, "io_size").is_some()
        },
    },
    Class {
        line: "| `vsync` |",
        covers: |job, fact, _| {
            fact != EXIT && has(job, "ioengine", "vsync") && value(job, "iodepth").is_some()
        },
    },
    Class {
        line: "| `offset` in percent of a file that is not there |",
        covers: |job, fact, _| (is_count(fact) || fact == "drive") && has(job, "offset", "%"),
    },
    Class {
        line: "| `create_on_open` with jobs that read |",
        covers: |job, fact, _| {
            let ends = fact == EXIT || fact.starts_with("error");
            ends && (is_on(job, "pre_read") || (is_on(job, "create_on_open") && reads(job)))
        },
    },
    Class {
        line: "| files too small for one I/O each |",
        covers: |job, fact, fio| fact == EXIT && fio.starts_with('0') && value(job, "nrfiles").is_some(),
    },
    Class {
        line: "| `zonemode=strided` over several files |",
        covers: |job, fact, _| {
            is_count(fact) && has(job, "zonemode", "strided") && value(job, "nrfiles").is_some()
        },
    },
    Class {
        line: "| `unlink_each_loop` with jobs that read |",
        covers: |job, fact, _| fact == EXIT && is_on(job, "unlink_each_loop") && reads(job),
    },
    Class {
        line: "| `verify` of places that were written more than once, and of what failed |",
        covers: |job, fact, _| {
            let is_checked = has(job, "verify", "") || has(job, "verify_pattern", "");
            let repeats = value(job, "blockalign").is_some() || has(job, "rw", ":");
            is_count(fact) && is_checked && (repeats || !has(job, "rw", "w"))
        },
    },
    Class {
        line: "| the page cache between passes of `read:N` |",
        covers: |job, fact, _| fact == "drive" && has(job, "rw", ":"),
    },
];

fn is_on(job: &Job, option: &str) -> bool {
    value(job, option).is_some_and(|value| value != "0")
}

fn has(job: &Job, option: &str, part: &str) -> bool {
    value(job, option).is_some_and(|value| value.contains(part))
}

fn reads(job: &Job) -> bool {
    is_mixed(job) || has(job, "rw", "read")
}

/// Whether a fact is about I/Os, bytes or offsets, or the resulting lengths of files.
fn is_count(fact: &str) -> bool {
    ["ios", "bytes", "read", "write", "mixed", "offsets", "files"]
        .into_iter()
        .any(|begin| fact.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES_MAX: usize = 15;

    #[test]
    fn each_class_has_its_line_in_the_documentation() {
        assert!(CLASSES.len() <= CLASSES_MAX);
        let lines = include_str!("../docs/differences.md");
        let is_there = |class: &&Class| lines.lines().any(|line| line.starts_with(class.line));
        let missing: Vec<&str> =
            CLASSES.iter().filter(|class| !is_there(class)).map(|class| class.line).collect();
        assert_eq!(missing, [""; 0]);
    }
}
