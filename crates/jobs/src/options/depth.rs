//! How many I/Os are in flight, and how they are handed over and taken back.

use super::OptionDef;
use super::kind::{COUNT, OptionKind};
use super::row::{refused, works};

pub(super) const ROWS: &[OptionDef] = &[
    works!("iodepth")
        .kind(OptionKind::Count { min: 1, max: 32_768 })
        .default("1")
        .help("I/Os kept in flight, with engines that can."),
    works!("iodepth_batch")
        .aliases(&["iodepth_batch_submit"])
        .kind(COUNT)
        .default("1")
        .help("I/Os handed over in one call; 0 is the depth."),
    works!("iodepth_batch_complete_min")
        .aliases(&["iodepth_batch_complete"])
        .kind(COUNT)
        .default("1")
        .help("Completions to wait for in one call; 0 waits only when the queue is full."),
    works!("iodepth_batch_complete_max").kind(COUNT).help("Completions to take in one call."),
    works!("iodepth_low").kind(COUNT).help("Make new I/Os once so few are in flight; the depth if not set."),
    refused("serialize_overlap", "I/Os overlap only where blocks repeat; omit norandommap, or use iodepth=1")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Hold an I/O back while one that it overlaps is in flight."),
    works!("io_submit_mode")
        .kind(OptionKind::Word(&["inline", "offload"]))
        .default("inline")
        .help("Whether the job's thread hands I/Os over, or threads beside it."),
];
