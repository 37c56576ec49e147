//! Direction, order and durability of the I/O.

use super::row::rows;
use cardiograph_core::{Message, message};

/// The words of `rw`.
pub const RW_WORDS: &[&str] = &[
    "read",
    "write",
    "trim",
    "randread",
    "randwrite",
    "randtrim",
    "rw",
    "readwrite",
    "randrw",
    "trimwrite",
    "randtrimwrite",
];

const PLACEMENT: &Message = &message!("jobs-option.placement");
const SPRANDOM: &Message = &message!("jobs-option.sprandom");

rows! {
    "Direction and order";
    works "rw" | "readwrite": WordWithArguments(RW_WORDS), "read",
        "Direction and order of the I/O; after a colon, the I/Os per random offset, or the bytes that \
         each sequential I/O skips.";
    works "rwmixread": PERCENT, "50", "Share of reads in a mixed workload, in percent.";
    works "rwmixwrite": PERCENT, "50", "Share of writes in a mixed workload, in percent.";
    refused(&message!("jobs-option.rwmixcycle")) "rwmixcycle": COUNT, "",
        "A former cycle of mixed workloads.";
    refused(&message!("jobs-option.rw-sequencer")) "rw_sequencer":
        Word(&["sequential", "identical"]), "sequential",
        "Whether the I/Os from one random offset follow each other or repeat it.";
    works "direct": Switch, "0", "Bypass the page cache (O_DIRECT).";
    works "buffered": Switch, "1", "The reverse of direct.";
    refused(&message!("jobs-option.atomic")) "atomic": Switch,
        "0", "Write so that a power cut leaves each block old or new (RWF_ATOMIC).";
    works "norandommap": Flag, "", "Random blocks may repeat within a pass.";
    hint(&message!("jobs-hint.softrandommap")) "softrandommap": Switch, "0",
        "Continue without a map of blocks if memory is too small for it.";
    works "randrepeat" | "allrandrepeat": Switch, "1", "Use the same random sequence in each run.";
    works "randseed": COUNT, "0x89", "Seed of the random sequence.";
    works "random_generator": Word(&["tausworthe", "lfsr", "tausworthe64"]), "tausworthe",
        "fio's generators; the order is cardiograph's own with each of them, and lfsr repeats no block.";
    works "random_distribution":
        WordWithArguments(&["random", "zipf", "pareto", "normal", "zoned", "zoned_abs"]), "random",
        "How often each part of the file is accessed: zipf:theta, pareto:h and normal:percent, each with a \
         center between 0 and 1 after another colon; zoned:share/percent:... or zoned_abs:share/size:...";
    works "percentage_random": PERCENT_PER_DIRECTION, "100",
        "Share of I/Os in a random workload that are random; the others are sequential.";
    refused(&message!("jobs-option.percentage-sequential")) "percentage_sequential": PERCENT, "",
        "A former reverse of percentage_random.";
    refused(&message!("jobs-option.random-sequence-stride")) "random_sequence_stride":
        COUNT, "", "Distance of the members of a random sequence.";
    refused(&message!("jobs-option.num-range")) "num_range": Count { min: 1, max: 256 }, "1",
        "Ranges that one trim covers.";
    works "fallocate": Word(&["none", "native", "posix", "keep", "truncate", "0", "1"]), "native",
        "How space is reserved for a file before it is written.";
    works "fadvise_hint": Word(&["0", "1", "random", "sequential"]), "1",
        "Tell the kernel in which order blocks will come (posix_fadvise).";
    works "fsync": COUNT, "0", "fsync after this many writes; 0 is never.";
    works "fdatasync": COUNT, "0", "fdatasync after this many writes; 0 is never.";
    works "end_fsync": Switch, "0", "fsync when all writes are done; its time counts.";
    works "fsync_on_close": Switch, "0", "fsync when a file is closed; its time counts.";
    refused(&message!("jobs-option.end-syncfs")) "end_syncfs": Switch, "0",
        "Flush the whole file system when all writes are done.";
    works "sync": Word(&["none", "0", "sync", "1", "dsync"]), "none",
        "Make each write durable (O_SYNC or O_DSYNC).";
    refused(&message!("jobs-option.sync-file-range")) "sync_file_range":
        WordWithArguments(&["wait_before", "write", "wait_after"]), "",
        "Start or await the writing of pages after so many writes.";
    refused(&message!("jobs-option.write-barrier")) "write_barrier": COUNT, "0",
        "Make every so many-th write a barrier.";
    works "overwrite": Switch, "0",
        "Fill a file with content before it is written, so that writes replace data.";
    refused(&message!("jobs-option.write-hint")) "write_hint":
        Word(&["none", "short", "medium", "long", "extreme"]), "none", "How long written data will live.";
    refused(PLACEMENT) "dataplacement" | "data_placement": Word(&["none", "fdp", "streams"]), "none",
        "How data is placed by the host.";
    refused(PLACEMENT) "fdp": Switch, "0", "Place data by FDP.";
    refused(PLACEMENT) "plids" | "fdp_pli": Text, "", "Placement handles that the job uses.";
    refused(PLACEMENT) "plid_select" | "fdp_pli_select": Word(&["random", "roundrobin", "scheme"]),
        "roundrobin", "Which placement handle comes next.";
    refused(PLACEMENT) "dp_scheme": Text, "", "File that gives regions of the drive their placement handles.";
    refused(SPRANDOM) "sprandom": Switch, "0",
        "Precondition an SSD in one pass with writes that age it as random ones would.";
    refused(SPRANDOM) "spr_num_regions": COUNT, "100", "Regions of that pass.";
    refused(SPRANDOM) "spr_op": Float { min: 0, max: 1 }, "0.15",
        "Spare room of the SSD that this pass reckons with.";
    refused(SPRANDOM) "spr_cs": Bytes, "0", "Cache of the SSD that this pass reckons with.";
}
