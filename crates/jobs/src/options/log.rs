//! Files with the course of a run.

use super::OptionDef;
use super::kind::{MILLISECONDS, OptionKind};
use super::row::{hint, refused, works};

/// Linux' numbers of the clocks that are not a process's or a thread's own.
pub(crate) const LOG_CLOCKS: &[&str] = &["0", "1", "4", "5", "6", "7", "8", "9", "11"];

const COMPRESSION: &str = "logs are written as they come: nothing is held that could be compressed";

pub(super) const ROWS: &[OptionDef] = &[
    works!("write_bw_log")
        .kind(OptionKind::OptionalText)
        .display()
        .help("Log bandwidth to files whose names begin so; with the job's name if not set."),
    works!("write_lat_log")
        .kind(OptionKind::OptionalText)
        .display()
        .help("Log latencies to files whose names begin so; with the job's name if not set."),
    works!("write_iops_log")
        .kind(OptionKind::OptionalText)
        .display()
        .help("Log IOPS to files whose names begin so; with the job's name if not set."),
    works!("write_hist_log")
        .kind(OptionKind::OptionalText)
        .display()
        .help("Log histograms of latency to files whose names begin so; with the job's name if not set."),
    works!("per_job_logs")
        .kind(OptionKind::Switch)
        .default("1")
        .display()
        .help("Write a log of its own for each clone."),
    works!("log_avg_msec")
        .kind(MILLISECONDS)
        .default("0")
        .display()
        .help("Length of a log's windows; 0 logs each I/O."),
    works!("log_window_value")
        .aliases(&["log_max_value"])
        .kind(OptionKind::Word(&["avg", "max", "both", "0", "1"]))
        .default("avg")
        .display()
        .help("Whether a window's line has its mean, its largest value, or both."),
    works!("log_hist_msec")
        .kind(MILLISECONDS)
        .default("0")
        .display()
        .help("Time between histograms of a log; 0 is none."),
    works!("log_hist_coarseness")
        .kind(OptionKind::Count { min: 0, max: 6 })
        .default("0")
        .display()
        .help("How often the buckets of a logged histogram are joined in pairs."),
    works!("log_offset").kind(OptionKind::Switch).default("0").display().help("Log the offset of each I/O."),
    works!("log_prio")
        .kind(OptionKind::Switch)
        .default("0")
        .display()
        .help("Log each I/O's priority as the kernel writes it, and not only whether it is a high one."),
    works!("log_issue_time")
        .kind(OptionKind::Switch)
        .default("0")
        .display()
        .help("Log in nanoseconds when each I/O was decided on."),
    works!("log_empty_windows")
        .own()
        .kind(OptionKind::Switch)
        .default("0")
        .display()
        .help("Write a line of zeros for a window without I/O, too. An option of cardiograph's own."),
    works!("log_unix_epoch")
        .kind(OptionKind::Switch)
        .default("0")
        .display()
        .help("Count a log's times from 1970 instead of the job's start."),
    works!("log_alternate_epoch")
        .kind(OptionKind::Switch)
        .default("0")
        .display()
        .help("Count a log's times from a clock's own beginning; that of the system's clock is 1970."),
    works!("log_alternate_epoch_clock_id").kind(OptionKind::Word(LOG_CLOCKS)).default("0").display().help(
        "Which clock that is, by Linux' numbers: 0 is the system's, 1 counts from the machine's start.",
    ),
    hint("log_entries", "logs are written while the job runs and need no room set aside")
        .kind(OptionKind::Count { min: 1_024, max: 1_048_576 })
        .default("1024")
        .display()
        .help("Lines of a log that memory is set aside for."),
    hint("log_compression", COMPRESSION)
        .kind(OptionKind::Count { min: 1_024, max: 536_870_912 })
        .display()
        .help("Compress a log in memory, in pieces of so many bytes."),
    hint("log_compression_cpus", COMPRESSION).kind(OptionKind::CpuList).display().help("CPUs that compress."),
    refused("log_store_compressed", "logs are text; compress them with gzip afterwards")
        .kind(OptionKind::Switch)
        .default("0")
        .display()
        .help("Write logs compressed."),
];
