//! Direction and order of the I/O, and how it is made durable.

use super::OptionDef;
use super::kind::{COUNT, OptionKind, PERCENT, PERCENT_PER_DIRECTION};
use super::row::{hint, refused, works};

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

const PLACEMENT: &str =
    "placing data needs a drive with FDP or streams, and NVMe commands past the block layer";
const SPRANDOM: &str =
    "this preconditioning is not here; write the drive once in order and then twice at random (loops=2)";

pub(super) const ROWS: &[OptionDef] = &[
    works!("rw").aliases(&["readwrite"]).kind(OptionKind::WordWithArguments(RW_WORDS)).default("read").help(
        "Direction and order of the I/O; behind a colon the I/Os from each random offset, or the bytes \
             that each sequential I/O skips.",
    ),
    works!("rwmixread").kind(PERCENT).default("50").help("Share of reads in a mixed workload, in percent."),
    works!("rwmixwrite").kind(PERCENT).default("50").help("Share of writes in a mixed workload, in percent."),
    refused("rwmixcycle", "fio has dropped it; the mix is drawn for each I/O")
        .kind(COUNT)
        .help("A former cycle of mixed workloads."),
    refused("rw_sequencer", "an offset used again at once measures a cache; write rw without a suffix")
        .kind(OptionKind::Word(&["sequential", "identical"]))
        .default("sequential")
        .help("Whether the I/Os from one random offset follow each other or repeat it."),
    works!("direct").kind(OptionKind::Switch).default("0").help("Bypass the page cache (O_DIRECT)."),
    works!("buffered").kind(OptionKind::Switch).default("1").help("The reverse of direct."),
    refused("atomic", "few drives promise that (Linux 6.11); direct=1 writes the same without it")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Write so that a power cut leaves each block old or new (RWF_ATOMIC)."),
    works!("norandommap").kind(OptionKind::Flag).help("Random blocks may repeat within a pass."),
    hint("softrandommap", "the order of blocks needs no map, so there is none that could fail")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Go on without a map of blocks when memory does not suffice for it."),
    works!("randrepeat")
        .aliases(&["allrandrepeat"])
        .kind(OptionKind::Switch)
        .default("1")
        .help("The same random sequence in each run."),
    works!("randseed").kind(COUNT).default("0x89").help("Seed of the random sequence."),
    works!("random_generator")
        .kind(OptionKind::Word(&["tausworthe", "lfsr", "tausworthe64"]))
        .default("tausworthe")
        .help(
            "fio's generators; the order is cardiograph's own with each of them, and lfsr repeats no block.",
        ),
    works!("random_distribution")
        .kind(OptionKind::WordWithArguments(&["random", "zipf", "pareto", "normal", "zoned", "zoned_abs"]))
        .default("random")
        .help(
            "How often which part of the file is hit: zipf:theta, pareto:h and normal:percent, each with a \
             center between 0 and 1 behind another colon; zoned:share/percent:... or zoned_abs:share/size:...",
        ),
    works!("percentage_random")
        .kind(PERCENT_PER_DIRECTION)
        .default("100")
        .help("Share of I/Os in a random workload that are random; the others follow on."),
    refused("percentage_sequential", "fio has dropped it; use percentage_random")
        .kind(PERCENT)
        .help("A former reverse of percentage_random."),
    refused("random_sequence_stride", "random offsets are drawn one by one; choose a grid with blockalign")
        .kind(COUNT)
        .help("Distance of the members of a random sequence."),
    refused("num_range", "a trim covers one range; use a larger bs")
        .kind(OptionKind::Count { min: 1, max: 256 })
        .default("1")
        .help("Ranges that one trim covers."),
    works!("fallocate")
        .kind(OptionKind::Word(&["none", "native", "posix", "keep", "truncate", "0", "1"]))
        .default("native")
        .help("How room is made for a file before it is written."),
    works!("fadvise_hint")
        .kind(OptionKind::Word(&["0", "1", "random", "sequential"]))
        .default("1")
        .help("Tell the kernel in which order blocks will come (posix_fadvise)."),
    works!("fsync").kind(COUNT).default("0").help("fsync after so many writes; 0 is never."),
    works!("fdatasync").kind(COUNT).default("0").help("fdatasync after so many writes; 0 is never."),
    works!("end_fsync")
        .kind(OptionKind::Switch)
        .default("0")
        .help("fsync when all writes are done; its time counts."),
    works!("fsync_on_close")
        .kind(OptionKind::Switch)
        .default("0")
        .help("fsync when a file is closed; its time counts."),
    refused("end_syncfs", "it would wait for other programs' writes too; use end_fsync=1")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Flush the whole file system when all writes are done."),
    works!("sync")
        .kind(OptionKind::Word(&["none", "0", "sync", "1", "dsync"]))
        .default("none")
        .help("Make each write durable by itself (O_SYNC or O_DSYNC)."),
    refused("sync_file_range", "it leaves data in the drive's cache, so nothing is durable; use fdatasync=N")
        .kind(OptionKind::WordWithArguments(&["wait_before", "write", "wait_after"]))
        .help("Start or await the writing of pages after so many writes."),
    refused("write_barrier", "Linux has had no barrier writes since 2.6.37; use fsync")
        .kind(COUNT)
        .default("0")
        .help("Make every so many-th write a barrier."),
    works!("overwrite")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Fill a file with content before it is written, so that writes replace data."),
    refused("write_hint", "few drives take hints of how long data lives, and others ignore them unseen")
        .kind(OptionKind::Word(&["none", "short", "medium", "long", "extreme"]))
        .default("none")
        .help("How long written data will live."),
    refused("dataplacement", PLACEMENT)
        .aliases(&["data_placement"])
        .kind(OptionKind::Word(&["none", "fdp", "streams"]))
        .default("none")
        .help("How data is placed by the host."),
    refused("fdp", PLACEMENT).kind(OptionKind::Switch).default("0").help("Place data by FDP."),
    refused("plids", PLACEMENT).aliases(&["fdp_pli"]).help("Placement handles that the job uses."),
    refused("plid_select", PLACEMENT)
        .aliases(&["fdp_pli_select"])
        .kind(OptionKind::Word(&["random", "roundrobin", "scheme"]))
        .default("roundrobin")
        .help("Which placement handle comes next."),
    refused("dp_scheme", PLACEMENT).help("File that gives regions of the drive their placement handles."),
    refused("sprandom", SPRANDOM)
        .kind(OptionKind::Switch)
        .default("0")
        .help("Precondition an SSD in one pass with writes that age it as random ones would."),
    refused("spr_num_regions", SPRANDOM).kind(COUNT).default("100").help("Regions of that pass."),
    refused("spr_op", SPRANDOM)
        .kind(OptionKind::Float { min: 0, max: 1 })
        .default("0.15")
        .help("Spare room of the SSD that this pass reckons with."),
    refused("spr_cs", SPRANDOM)
        .kind(OptionKind::Bytes)
        .default("0")
        .help("Cache of the SSD that this pass reckons with."),
];
