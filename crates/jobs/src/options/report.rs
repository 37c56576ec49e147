//! Measurement and display.

use super::row::rows;
use cardiograph_core::message;

rows! {
    "Measurement and reports";
    works "group_reporting": Flag, "", "Show the jobs of a group as one.";
    works "stats": Switch, "1", "Show the job in the report.";
    works "percentile_list": Percentiles, "1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99",
        "Percentiles to show, at most 20.";
    works "clat_percentiles": Switch, "1", "Show percentiles of the latency from submission to completion.";
    works "lat_percentiles": Switch, "0", "Show percentiles of the total latency.";
    works "slat_percentiles": Switch, "0", "Show percentiles of the latency until submission.";
    works "significant_figures": Count { min: 1, max: 10 }, "4", "Digits of figures in the normal output.";
    works "kb_base": Word(&["1024", "1000"]), "1024",
        "What k means in sizes, and which units are shown first.";
    works "unit_base": Word(&["0", "8", "1"]), "0",
        "Show bandwidth in bytes (8) or bits (1); 0 is the format's choice.";
    works "bwavgtime": MILLISECONDS, "500", "Length of the windows for the spread of bandwidth.";
    works "iopsavgtime": MILLISECONDS, "500", "Length of the windows for the spread of IOPS.";
    works "disk_util": Switch, "1", "Show the kernel's counters of the drive.";
    works "unified_rw_reporting": Word(&["none", "mixed", "both", "0", "1", "2"]), "none",
        "Show all directions as one.";
    works "gtod_reduce": Switch, "0",
        "Measure no latency and no spread of bandwidth, and read the clock rarely.";
    works "disable_lat": Switch, "0", "Do not measure the total latency.";
    works "disable_clat": Switch, "0", "Do not measure the latency from submission to completion.";
    works "disable_slat": Switch, "0", "Do not measure the latency until submission.";
    works "disable_bw_measurement" | "disable_bw": Switch, "0",
        "Do not show the spread of bandwidth and IOPS.";
    refused(&message!("jobs-option.block-error-percentiles")) "block_error_percentiles": Switch, "0",
        "Show after how many erasures blocks failed.";
}
