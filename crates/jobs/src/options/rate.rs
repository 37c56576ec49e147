//! Limits of speed, pauses, and targets of latency.

use super::OptionDef;
use super::kind::{COUNT, COUNT_PER_DIRECTION, MICROSECONDS, MILLISECONDS, OptionKind, SECONDS};
use super::row::works;

pub(super) const ROWS: &[OptionDef] = &[
    works!("rate").kind(OptionKind::BytesPerDirection).help("Bytes per second that are not exceeded."),
    works!("rate_min")
        .aliases(&["ratemin"])
        .kind(OptionKind::BytesPerDirection)
        .help("Bytes per second below which the job fails."),
    works!("rate_iops").kind(COUNT_PER_DIRECTION).help("I/Os per second that are not exceeded."),
    works!("rate_iops_min").kind(COUNT_PER_DIRECTION).help("I/Os per second below which the job fails."),
    works!("rate_process")
        .kind(OptionKind::Word(&["linear", "poisson"]))
        .default("linear")
        .help("Whether I/Os of a limited job come evenly, or at random moments."),
    works!("rate_cycle")
        .aliases(&["ratecycle"])
        .kind(MILLISECONDS)
        .default("1000")
        .help("How long speed is averaged before it is compared with its minimum."),
    works!("rate_ignore_thinktime")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Do not make up for pauses when the rate is limited."),
    works!("thinktime")
        .kind(MICROSECONDS)
        .default("0")
        .help("Pause after each I/O, or as often as thinktime_blocks and thinktime_iotime say."),
    works!("thinktime_spin")
        .kind(MICROSECONDS)
        .default("0")
        .help("Part of the pause in which the CPU is kept busy."),
    works!("thinkcycles").kind(COUNT).default("0").help("CPU cycles to burn after each I/O."),
    works!("thinktime_blocks").kind(COUNT).default("1").help("I/Os between pauses."),
    works!("thinktime_blocks_type")
        .kind(OptionKind::Word(&["complete", "issue"]))
        .default("complete")
        .help("Whether I/Os are counted when they complete or when they are handed over."),
    works!("thinktime_iotime").kind(SECONDS).default("0").help("Time of I/O between pauses."),
    works!("latency_target")
        .kind(MICROSECONDS)
        .default("0")
        .help("Find the largest depth that keeps this latency."),
    works!("latency_window").kind(MICROSECONDS).default("0").help("How long each depth is tried for it."),
    works!("latency_percentile")
        .kind(OptionKind::Float { min: 0, max: 100 })
        .default("100")
        .help("Share of I/Os that must keep it, in percent."),
    works!("latency_run")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Go on after the depth was found, and adapt it."),
    works!("max_latency")
        .kind(OptionKind::DurationPerDirection { unit_ns: 1_000 })
        .default("0")
        .help("The job fails when an I/O takes longer."),
];
