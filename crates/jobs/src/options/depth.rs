//! Queue depth, and how I/Os are submitted and reaped.

use super::row::rows;
use cardiograph_core::message;

rows! {
    "Queue depth";
    works "iodepth": Count { min: 1, max: 32_768 }, "1", "I/Os kept in flight, with engines that can.";
    works "iodepth_batch" | "iodepth_batch_submit": COUNT, "1",
        "I/Os handed over in one call; 0 is the depth.";
    works "iodepth_batch_complete_min" | "iodepth_batch_complete": COUNT, "1",
        "Completions to wait for in one call; 0 waits only when the queue is full.";
    works "iodepth_batch_complete_max": COUNT, "", "Completions to take in one call.";
    works "iodepth_low": COUNT, "", "Submit new I/Os once this few are in flight; the depth if not set.";
    refused(&message!("jobs-option.serialize-overlap")) "serialize_overlap":
        Switch, "0", "Hold an I/O back while one that it overlaps is in flight.";
    works "io_submit_mode": Word(&["inline", "offload"]), "inline",
        "Whether the job's thread submits I/Os, or separate threads do.";
}
