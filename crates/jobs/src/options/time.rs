//! How long a job runs, and what tells the time.

use cardiograph_core::NS_PER_S;

use super::OptionDef;
use super::kind::{COUNT, OptionKind, SECONDS};
use super::row::{hint, refused, works};

pub(super) const ROWS: &[OptionDef] = &[
    works!("runtime")
        .aliases(&["timeout"])
        .kind(SECONDS)
        .default("0")
        .help("End after this time; 0 is no limit."),
    works!("time_based").kind(OptionKind::Flag).help("Start over at the region's end until runtime is over."),
    works!("ramp_time").kind(SECONDS).default("0").help("Run this long before anything counts."),
    refused("ramp_size", "what comes before the measurement is told by time; use ramp_time")
        .kind(OptionKind::Bytes)
        .default("0")
        .help("Move so many bytes before anything counts."),
    works!("startdelay")
        .kind(OptionKind::DurationRange { unit_ns: NS_PER_S })
        .default("0")
        .help("Wait this long before the first I/O; of a range, each clone draws a moment."),
    hint("clocksource", "the clock is chosen and checked at the start, and named in the result")
        .kind(OptionKind::Word(&["gettimeofday", "clock_gettime", "cpu"]))
        .help("What tells the time."),
    hint("gtod_cpu", "reading the clock costs too little here to need a CPU of its own")
        .kind(COUNT)
        .help("CPU of a thread that reads the clock for all others."),
    hint("job_start_clock_id", "the start of a job is given by the system's clock")
        .kind(COUNT)
        .default("0")
        .help("Clock that a job's start is given by."),
];
