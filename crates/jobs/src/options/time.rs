//! Duration of a job, and its clock.

use super::row::rows;
use cardiograph_core::NS_PER_S;
use cardiograph_core::message;

rows! {
    "Time";
    works "runtime" | "timeout": SECONDS, "0", "End after this time; 0 is no limit.";
    works "time_based": Flag, "", "Start over at the region's end until runtime is over.";
    works "ramp_time": SECONDS, "0", "Run this long before anything counts.";
    refused(&message!("jobs-option.ramp-size")) "ramp_size": Bytes, "0",
        "Move so many bytes before anything counts.";
    works "startdelay": DurationRange { unit_ns: NS_PER_S }, "0",
        "Wait this long before the first I/O; of a range, each clone draws a moment.";
    hint(&message!("jobs-hint.clocksource")) "clocksource":
        Word(&["gettimeofday", "clock_gettime", "cpu"]), "", "Clock source.";
    hint(&message!("jobs-hint.gtod-cpu")) "gtod_cpu": COUNT, "",
        "CPU of a thread that reads the clock for all others.";
    hint(&message!("jobs-hint.job-start-clock-id")) "job_start_clock_id": COUNT, "0",
        "Clock that a job's start is given by.";
}
