//! Recording the I/O of a run, and replaying a recorded one.

use super::OptionDef;
use super::kind::OptionKind;
use super::row::{refused, works};

const BLKTRACE: &str =
    "traces of blktrace are not merged here; merge them with fio's own --merge-blktrace-only";

pub(super) const ROWS: &[OptionDef] = &[
    works!("write_iolog")
        .help("Record the job's I/O in this file; further clones in files with .1, .2, ... behind the name."),
    works!("read_iolog")
        .kind(OptionKind::List)
        .help("Replay the I/O of these files, one for each clone in turn."),
    works!("read_iolog_chunked")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Read them while they are replayed, for those that do not fit into memory."),
    works!("replay_no_stall").kind(OptionKind::Switch).default("0").help("Replay as fast as possible."),
    works!("replay_redirect").help("Replay all I/O onto this file or device."),
    works!("replay_scale")
        .kind(OptionKind::Count { min: 0, max: u64::MAX })
        .default("1")
        .help("Divide recorded offsets by this."),
    works!("replay_align")
        .kind(OptionKind::Bytes)
        .default("0")
        .help("Bring recorded offsets down to multiples of this power of two."),
    works!("replay_time_scale")
        .kind(OptionKind::Count { min: 1, max: u64::MAX })
        .default("100")
        .help("Speed of the replay in percent of the recorded one."),
    works!("replay_skip")
        .help("Directions that are not replayed: read, write, trim, sync, separated by commas."),
    refused("merge_blktrace_file", BLKTRACE).help("File for the merged trace."),
    refused("merge_blktrace_scalars", BLKTRACE)
        .kind(OptionKind::Floats)
        .help("Speed of each trace in percent."),
    refused("merge_blktrace_iters", BLKTRACE).kind(OptionKind::Floats).help("How often each trace is used."),
];
