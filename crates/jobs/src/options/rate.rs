//! Rate limits, pauses, and latency targets.

use super::row::rows;

rows! {
    "Rate and latency";
    works "rate": BytesPerDirection, "", "Limit in bytes per second.";
    works "rate_min" | "ratemin": BytesPerDirection, "", "Bytes per second below which the job fails.";
    works "rate_iops": COUNT_PER_DIRECTION, "", "Limit in I/Os per second.";
    works "rate_iops_min": COUNT_PER_DIRECTION, "", "I/Os per second below which the job fails.";
    works "rate_process": Word(&["linear", "poisson"]), "linear",
        "Whether I/Os of a rate-limited job come evenly or at random times.";
    works "rate_cycle" | "ratecycle": MILLISECONDS, "1000",
        "How long the rate is averaged before it is compared with its minimum.";
    works "rate_ignore_thinktime": Switch, "0", "Do not make up for pauses in a rate-limited job.";
    works "thinktime": MICROSECONDS, "0",
        "Pause after each I/O, or as often as thinktime_blocks and thinktime_iotime set.";
    works "thinktime_spin": MICROSECONDS, "0", "Part of the pause in which the CPU is kept busy.";
    works "thinkcycles": COUNT, "0", "CPU cycles to burn after each I/O.";
    works "thinktime_blocks": COUNT, "1", "I/Os between pauses.";
    works "thinktime_blocks_type": Word(&["complete", "issue"]), "complete",
        "Whether I/Os are counted when they complete or when they are handed over.";
    works "thinktime_iotime": SECONDS, "0", "Time of I/O between pauses.";
    works "latency_target": MICROSECONDS, "0", "Find the largest depth that meets this latency.";
    works "latency_window": MICROSECONDS, "0", "How long each depth is tried.";
    works "latency_percentile": Float { min: 0, max: 100 }, "100",
        "Share of I/Os that must meet it, in percent.";
    works "latency_run": Switch, "0", "Continue after the depth was found, and adapt it.";
    works "max_latency": DurationPerDirection { unit_ns: 1_000 }, "0",
        "Fail the job when an I/O takes longer.";
}
