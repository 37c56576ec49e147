//! Recording the I/O of a run, and replaying a recorded one.

use super::row::rows;
use cardiograph_core::{Message, message};

const BLKTRACE: &Message = &message!("jobs-option.merge-blktrace");

rows! {
    "Recording and replay";
    works "write_iolog": Text, "",
        "Record the job's I/O in this file; further clones in files with .1, .2, ... behind the name.";
    works "read_iolog": List, "", "Replay the I/O of these files, one for each clone in turn.";
    works "read_iolog_chunked": Switch, "0",
        "Read them while they are replayed, for those that do not fit into memory.";
    works "replay_no_stall": Switch, "0", "Replay as fast as possible.";
    works "replay_redirect": Text, "", "Replay all I/O onto this file or device.";
    works "replay_scale": Count { min: 0, max: u64::MAX }, "1", "Divide recorded offsets by this.";
    works "replay_align": Bytes, "0", "Bring recorded offsets down to multiples of this power of two.";
    works "replay_time_scale": Count { min: 1, max: u64::MAX }, "100",
        "Speed of the replay in percent of the recorded one.";
    works "replay_skip": Text, "",
        "Directions that are not replayed: read, write, trim, sync, separated by commas.";
    refused(BLKTRACE) "merge_blktrace_file": Text, "", "File for the merged trace.";
    refused(BLKTRACE) "merge_blktrace_scalars": Floats, "", "Speed of each trace in percent.";
    refused(BLKTRACE) "merge_blktrace_iters": Floats, "", "How often each trace is used.";
}
