//! Recording the I/O of a run, and replaying a recorded one.

use super::OptionDef;
use super::kind::{COUNT, OptionKind};
use super::row::{not_yet, refused};

const BLKTRACE: &str =
    "traces of blktrace are not merged here; merge them with fio's own --merge-blktrace-only";

pub(super) const ROWS: &[OptionDef] = &[
    not_yet("write_iolog").help("Record the job's I/O in this file."),
    not_yet("read_iolog").kind(OptionKind::List).help("Replay the I/O of these files."),
    not_yet("read_iolog_chunked")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Read them while they are replayed."),
    not_yet("replay_no_stall").kind(OptionKind::Switch).default("0").help("Replay as fast as possible."),
    not_yet("replay_redirect").help("Replay all I/O onto this device."),
    not_yet("replay_scale").kind(COUNT).default("1").help("Divide recorded offsets by this."),
    not_yet("replay_align").kind(OptionKind::Bytes).default("0").help("Align recorded offsets to this."),
    not_yet("replay_time_scale")
        .kind(OptionKind::Count { min: 1, max: u64::MAX })
        .default("100")
        .help("Speed of the replay in percent of the recorded one."),
    not_yet("replay_skip").help("Directions that are not replayed."),
    refused("merge_blktrace_file", BLKTRACE).help("File for the merged trace."),
    refused("merge_blktrace_scalars", BLKTRACE)
        .kind(OptionKind::Floats)
        .help("Speed of each trace in percent."),
    refused("merge_blktrace_iters", BLKTRACE).kind(OptionKind::Floats).help("How often each trace is used."),
];
