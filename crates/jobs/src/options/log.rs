//! Log files of a run.

use super::row::rows;
use cardiograph_core::{Message, message};

/// Linux' numbers of clocks that do not belong to a process or a thread.
pub(crate) const LOG_CLOCKS: &[&str] = &["0", "1", "4", "5", "6", "7", "8", "9", "11"];

const COMPRESSION: &Message = &message!("jobs-hint.log-compression");

rows! {
    "Logs";
    works "write_bw_log": OptionalText, "",
        "Log bandwidth to files whose names begin so; with the job's name if not set.";
    works "write_lat_log": OptionalText, "",
        "Log latencies to files whose names begin so; with the job's name if not set.";
    works "write_iops_log": OptionalText, "",
        "Log IOPS to files whose names begin so; with the job's name if not set.";
    works "write_hist_log": OptionalText, "",
        "Log histograms of latency to files whose names begin so; with the job's name if not set.";
    works "per_job_logs": Switch, "1", "Write a separate log for each clone.";
    works "log_avg_msec": MILLISECONDS, "0", "Length of a log's windows; 0 logs each I/O.";
    works "log_window_value" | "log_max_value": Word(&["avg", "max", "both", "0", "1"]), "avg",
        "Whether a window's line has its mean, its maximum, or both.";
    works "log_hist_msec": MILLISECONDS, "0", "Time between histograms of a log; 0 is none.";
    works "log_hist_coarseness": Count { min: 0, max: 6 }, "0",
        "How many times the buckets of a logged histogram are merged in pairs.";
    works "log_offset": Switch, "0", "Log the offset of each I/O.";
    works "log_prio": Switch, "0",
        "Log each I/O's priority as the kernel writes it, not only whether it is high.";
    works "log_issue_time": Switch, "0", "Log, in nanoseconds, when each I/O was issued.";
    works "log_empty_windows": Switch, "0",
        "Write a line of zeros for each window without I/O. Not an option of fio.", is_own: true;
    works "log_unix_epoch": Switch, "0", "Count a log's times from 1970 instead of the job's start.";
    works "log_alternate_epoch": Switch, "0",
        "Count a log's times from a clock's epoch; for the system clock, 1970.";
    works "log_alternate_epoch_clock_id": Word(LOG_CLOCKS), "0",
        "Which clock that is, by Linux's numbers: 0 is the system clock, 1 counts from boot.";
    hint(&message!("jobs-hint.log-entries")) "log_entries":
        Count { min: 1_024, max: 1_048_576 }, "1024", "Lines of a log to reserve memory for.";
    hint(COMPRESSION) "log_compression": Count { min: 1_024, max: 536_870_912 }, "",
        "Compress a log in memory, in pieces of this many bytes.";
    hint(COMPRESSION) "log_compression_cpus": CpuList, "", "CPUs that compress.";
    refused(&message!("jobs-option.log-store-compressed")) "log_store_compressed": Switch, "0",
        "Write logs compressed.";
}
