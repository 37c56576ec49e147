//! Jobs that move no data (they create, look up, remove or resize files), and the options that do not apply to them.

use cardiograph_core::direction::Direction;
use cardiograph_core::workload::{FileAction, Trims, Workload, WriteThrough};
use cardiograph_core::{Message, message};

use super::Problem;
use super::reader::Reader;
use crate::options;

const ONE_DIRECTION: &Message = &message!("jobs-refused.one-direction");
const ONLY_WRITES: &Message = &message!("jobs-refused.only-writes");
const ONE_LENGTH: &Message = &message!("jobs-refused.one-length");
const NO_CONTENT: &Message = &message!("jobs-refused.no-content");
const NO_SYNC: &Message = &message!("jobs-refused.no-sync");
const NO_BLOCKS: &Message = &message!("jobs-refused.no-blocks");

/// Sets a workload's action on files, and reports what an engine without data cannot do.
pub(super) fn apply(reader: &mut Reader<'_>, workload: &mut Workload, is_mixed: bool) {
    workload.file_action = options::engine(&workload.engine).file_action;
    let Some(action) = workload.file_action else { return };
    let is_whole_file = action.is_whole_file();
    if is_whole_file && (is_mixed || workload.trims != Trims::None) {
        reader.report("rw", Problem::Refused { why: ONE_DIRECTION });
    }
    if action == FileAction::Truncate && (workload.trims != Trims::None || workload.draws(Direction::Read)) {
        reader.report("rw", Problem::Refused { why: ONLY_WRITES });
    }
    if is_whole_file && workload.block_len_bytes_min() < workload.block_len_bytes_max() {
        let option = if reader.find("bssplit").is_some() { "bssplit" } else { "bsrange" };
        reader.report(option, Problem::Refused { why: ONE_LENGTH });
    }
    for (option, is_set, why) in [
        ("verify", workload.verify.is_some(), NO_CONTENT),
        ("fsync", reader.count("fsync") > 0, NO_SYNC),
        ("fdatasync", reader.count("fdatasync") > 0, NO_SYNC),
        ("end_fsync", workload.end_sync, NO_SYNC),
        ("fsync_on_close", workload.close_sync, NO_SYNC),
        ("fill_device", workload.fills, NO_BLOCKS),
        ("zonemode", workload.strided.is_some() && is_whole_file, NO_BLOCKS),
        ("pre_read", workload.files.pre_read, NO_BLOCKS),
        ("read_iolog", reader.find("read_iolog").is_some(), NO_BLOCKS),
        ("write_iolog", workload.record.is_some(), NO_BLOCKS),
    ] {
        if is_set {
            reader.report(option, Problem::Refused { why });
        }
    }
    for (is_set, options) in [
        (workload.direct, &["direct", "buffered"][..]),
        (workload.write_through != WriteThrough::None, &["sync"][..]),
    ] {
        if let Some(option) = options.iter().find(|option| is_set && reader.find(option).is_some()) {
            reader.remark(option, message!("jobs-remark.no-cache"));
        }
    }
    (workload.direct, workload.write_through) = (false, WriteThrough::None);
}
