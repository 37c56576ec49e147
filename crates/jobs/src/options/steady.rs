//! Ending when the speed has settled.

use super::OptionDef;
use super::kind::{COUNT, OptionKind, SECONDS};
use super::row::works;
use crate::value::STEADY_WORDS;

pub(super) const ROWS: &[OptionDef] = &[
    works!("steadystate")
        .aliases(&["ss"])
        .kind(OptionKind::WordWithArguments(STEADY_WORDS))
        .default("iops_slope:0.01%")
        .help(
            "What must have settled for the job to end, and behind a colon how far; for lat in nanoseconds.",
        ),
    works!("steadystate_duration")
        .aliases(&["ss_dur"])
        .kind(SECONDS)
        .default("0")
        .help("Length of the window in which it must have settled; 0 does not look for it."),
    works!("steadystate_ramp_time")
        .aliases(&["ss_ramp"])
        .kind(SECONDS)
        .default("0")
        .help("Time before the first sample."),
    works!("steadystate_check_interval")
        .aliases(&["ss_interval"])
        .kind(SECONDS)
        .default("1")
        .help("Time between samples."),
    works!("precision").own().kind(OptionKind::Share).help(
        "End when each rate has settled and its 95 % interval reaches no farther to each side. An option of cardiograph's own.",
    ),
    works!("precision_ios")
        .own()
        .kind(COUNT)
        .default("0")
        .help("Not before so many I/Os. An option of cardiograph's own."),
];
