//! What is measured and shown.

use super::OptionDef;
use super::kind::{MILLISECONDS, OptionKind};
use super::row::{refused, works};

pub(super) const ROWS: &[OptionDef] = &[
    works!("group_reporting").kind(OptionKind::Flag).display().help("Show the jobs of a group as one."),
    works!("stats").kind(OptionKind::Switch).default("1").display().help("Show the job in the report."),
    works!("percentile_list")
        .kind(OptionKind::Percentiles)
        .default("1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99")
        .display()
        .help("Percentiles to show, at most 20."),
    works!("clat_percentiles")
        .kind(OptionKind::Switch)
        .default("1")
        .display()
        .help("Show percentiles of the latency from hand-over to completion."),
    works!("lat_percentiles")
        .kind(OptionKind::Switch)
        .default("0")
        .display()
        .help("Show percentiles of the total latency."),
    works!("slat_percentiles")
        .kind(OptionKind::Switch)
        .default("0")
        .display()
        .help("Show percentiles of the latency until hand-over."),
    works!("significant_figures")
        .kind(OptionKind::Count { min: 1, max: 10 })
        .default("4")
        .display()
        .help("Digits of figures in the normal output."),
    works!("kb_base")
        .kind(OptionKind::Word(&["1024", "1000"]))
        .default("1024")
        .help("What k means in sizes that are read, and which units are shown first."),
    works!("unit_base")
        .kind(OptionKind::Word(&["0", "8", "1"]))
        .default("0")
        .display()
        .help("Show bandwidth in bytes (8) or bits (1); 0 is the format's choice."),
    works!("bwavgtime")
        .kind(MILLISECONDS)
        .default("500")
        .display()
        .help("Length of the windows whose bandwidths are compared."),
    works!("iopsavgtime")
        .kind(MILLISECONDS)
        .default("500")
        .display()
        .help("Length of the windows whose IOPS are compared."),
    works!("disk_util")
        .kind(OptionKind::Switch)
        .default("1")
        .display()
        .help("Show the kernel's counters of the drive."),
    works!("unified_rw_reporting")
        .kind(OptionKind::Word(&["none", "mixed", "both", "0", "1", "2"]))
        .default("none")
        .display()
        .help("Show all directions as one."),
    works!("gtod_reduce")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Measure no latency and no spread of bandwidth, and read the clock seldom."),
    works!("disable_lat").kind(OptionKind::Switch).default("0").help("Do not measure the total latency."),
    works!("disable_clat")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Do not measure the latency from hand-over to completion."),
    works!("disable_slat")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Do not measure the latency until hand-over."),
    works!("disable_bw_measurement")
        .aliases(&["disable_bw"])
        .kind(OptionKind::Switch)
        .default("0")
        .display()
        .help("Do not show the spread of bandwidth and IOPS."),
    refused("block_error_percentiles", "it belongs to raw flash (MTD), which is not tested here")
        .kind(OptionKind::Switch)
        .default("0")
        .display()
        .help("Show after how many erasures blocks failed."),
];
