//! Length and content of the blocks, and the memory that they lie in.

use super::kind::{COUNT, OptionKind, PERCENT};
use super::row::{hint, refused, works};
use super::{OptionDef, Status, WordStatus};

const CUDA: &str = "memory of graphics cards is not here; use malloc";

pub(super) const ROWS: &[OptionDef] = &[
    works!("bs")
        .aliases(&["blocksize"])
        .kind(OptionKind::BytesPerDirection)
        .default("4096")
        .help("Length of one I/O, per direction."),
    works!("bsrange")
        .aliases(&["blocksize_range"])
        .kind(OptionKind::BytesRangePerDirection)
        .help("Range of lengths from which each I/O's is drawn, as multiples of the smallest."),
    works!("bssplit")
        .kind(OptionKind::Split)
        .help("Lengths with the share of I/Os that each has, in percent."),
    works!("ba")
        .aliases(&["blockalign"])
        .kind(OptionKind::BytesPerDirection)
        .help("Grid of random offsets; the shortest I/O if not set."),
    hint("bs_unaligned", "it has no effect on I/Os of one length, as in fio")
        .aliases(&["blocksize_unaligned"])
        .kind(OptionKind::Flag)
        .help("Draw any length of a bsrange, not only multiples of its smallest."),
    refused(
        "bs_is_seq_rand",
        "lengths belong to directions; write one job for sequential and one for random I/O",
    )
    .kind(OptionKind::Switch)
    .default("0")
    .help("Take the lengths of reads and writes as those of sequential and random I/O."),
    works!("zero_buffers").kind(OptionKind::Flag).help("Write zeros."),
    works!("refill_buffers")
        .kind(OptionKind::Flag)
        .help("New random content for each write, instead of new stamps."),
    works!("scramble_buffers")
        .kind(OptionKind::Switch)
        .default("1")
        .help("Stamp each write so that no two are alike; 0 writes the same content again and again."),
    works!("buffer_compress_percentage")
        .kind(PERCENT)
        .default("0")
        .help("Share of the content that a compressor takes away, in percent."),
    works!("buffer_compress_chunk")
        .kind(OptionKind::Bytes)
        .default("512")
        .help("Length of the pieces that each compress by that share."),
    works!("buffer_pattern")
        .help("Content of writes: numbers, \"strings\" and 'files', one behind the other."),
    works!("dedupe_percentage")
        .kind(PERCENT)
        .default("0")
        .help("Share of writes that repeat a content, in percent."),
    works!("dedupe_mode")
        .kind(OptionKind::Word(&["repeat", "working_set"]))
        .default("repeat")
        .help("Whether a repeated content is the last one or one of a set."),
    works!("dedupe_working_set_percentage")
        .kind(PERCENT)
        .default("5")
        .help("Size of that set, in percent of the file."),
    works!("dedupe_global").kind(OptionKind::Switch).default("0").help("Whether jobs share that set."),
    works!("mem")
        .aliases(&["iomem"])
        .kind(OptionKind::WordWithArguments(&[
            "malloc",
            "shm",
            "shmhuge",
            "mmap",
            "mmapshared",
            "mmaphuge",
            "cudamalloc",
        ]))
        .default("malloc")
        .words(&[WordStatus::refused(&["cudamalloc"], CUDA)])
        .help("Where the memory of buffers comes from."),
    works!("iomem_align")
        .aliases(&["mem_align"])
        .kind(OptionKind::Bytes)
        .default("0")
        .help("How far behind the beginning of a page buffers begin."),
    OptionDef::new("hugepage-size", Status::Works { test: "fio_option_hugepage_size" })
        .kind(OptionKind::Bytes)
        .default("2097152")
        .help("Length of a huge page."),
    refused("gpu_dev_id", CUDA).kind(COUNT).default("0").help("Which graphics card mem=cudamalloc uses."),
];
