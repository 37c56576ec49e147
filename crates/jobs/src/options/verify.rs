//! Checking what was written.

use super::OptionDef;
use super::kind::{COUNT, OptionKind, PERCENT};
use super::row::{hint, refused, works};

const VERIFY_WORDS: &[&str] = &[
    "0",
    "md5",
    "crc64",
    "crc32",
    "crc32c-intel",
    "crc32c",
    "crc16",
    "crc7",
    "sha1",
    "sha256",
    "sha512",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "xxhash",
    "meta",
    "pattern",
    "pattern_hdr",
    "null",
];

const ASYNC: &str = "blocks are checked by the job's own thread; use more jobs where that is too slow";
const TRIM: &str = "blocks are not trimmed between the writes of a verified job";
const HEADER: &str = "each block's header carries all that its check needs";

pub(super) const ROWS: &[OptionDef] = &[
    works!("verify")
        .kind(OptionKind::Word(VERIFY_WORDS))
        .default("0")
        .help("Write a checksum with each block, or a pattern, and check it when all were written."),
    works!("do_verify")
        .kind(OptionKind::Switch)
        .default("1")
        .help("Read back and check; 0 only writes the checksums."),
    works!("verify_fatal").kind(OptionKind::Switch).default("0").help("End the job at the first bad block."),
    works!("verify_only").kind(OptionKind::Flag).help("Check what an earlier run of the same job wrote."),
    works!("verify_dump")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Keep bad blocks and what they should be in files."),
    works!("verify_interval")
        .kind(OptionKind::Count { min: 80, max: u64::MAX })
        .help("Bytes that have a checksum of their own; the whole I/O if not set."),
    works!("verify_offset")
        .kind(OptionKind::Count { min: 40, max: u64::MAX })
        .help("Where in a block its header stands."),
    works!("verify_pattern").help(
        "Content of the blocks: numbers (0x2a, 42), \"strings\", 'files' and %o, the offset of the I/O; without verify a header \
         stands before it.",
    ),
    works!("verify_pattern_interval")
        .kind(OptionKind::Count { min: 0, max: u32::MAX as u64 })
        .default("0")
        .help("Begin that content anew after so many bytes of an I/O, with the offset of the place."),
    works!("verify_backlog").kind(COUNT).default("0").help("Check after so many writes, not at the end."),
    works!("verify_backlog_batch").kind(COUNT).default("0").help("How many blocks are checked each time."),
    hint("verify_async", ASYNC).kind(COUNT).default("0").help("Threads that check blocks beside the job."),
    hint("verify_async_cpus", ASYNC).kind(OptionKind::CpuList).help("CPUs of those threads."),
    works!("verify_state_save")
        .kind(OptionKind::Switch)
        .default("1")
        .help("Save in local-JOB-INDEX-verify.state how far the writes of a verified job came."),
    works!("verify_state_load")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Check the writes that such a file reports as complete, with verify_only or rw=read."),
    works!("experimental_verify")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Replay the job to check its writes, instead of listing them: always done here."),
    refused("verify_write_sequence", HEADER)
        .kind(OptionKind::Switch)
        .default("1")
        .help("Check in which order blocks were written."),
    refused("verify_header_seed", HEADER)
        .kind(OptionKind::Switch)
        .default("1")
        .help("Check the seed in a block's header."),
    refused("verify_policy", HEADER).help("What of a block is checked."),
    hint("verifysort", "it has no effect in fio either, which has dropped it")
        .kind(OptionKind::Switch)
        .help("A former order of checks."),
    hint("verifysort_nr", "it has no effect in fio either, which has dropped it")
        .kind(COUNT)
        .help("A former limit of that order."),
    refused("trim_percentage", TRIM)
        .kind(PERCENT)
        .default("0")
        .help("Share of written blocks that are trimmed."),
    refused("trim_verify_zero", TRIM)
        .kind(OptionKind::Switch)
        .default("1")
        .help("Check that trimmed blocks read as zeros."),
    refused("trim_backlog", TRIM).kind(COUNT).default("0").help("Trim after so many writes."),
    refused("trim_backlog_batch", TRIM)
        .kind(COUNT)
        .default("0")
        .help("How many blocks are trimmed each time."),
];
