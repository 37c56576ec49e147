//! Verification of written data.

use super::row::rows;
use cardiograph_core::{Message, message};

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

const ASYNC: &Message = &message!("jobs-hint.verify-async");
const TRIM: &Message = &message!("jobs-option.trim");
const HEADER: &Message = &message!("jobs-option.header");

rows! {
    "Verification";
    works "verify": Word(VERIFY_WORDS), "0",
        "Write a checksum with each block, or a pattern, and check it after all writes.";
    works "do_verify": Switch, "1", "Read back and check; 0 only writes the checksums.";
    works "verify_fatal": Switch, "0", "End the job at the first bad block.";
    works "verify_only": Flag, "", "Check what an earlier run of the same job wrote.";
    works "verify_dump": Switch, "0", "Save bad blocks and their expected content in files.";
    works "verify_interval": Count { min: 80, max: u64::MAX }, "",
        "Bytes per checksum; the whole I/O if not set.";
    works "verify_offset": Count { min: 40, max: u64::MAX }, "", "Position of the header in a block.";
    works "verify_pattern": Text, "",
        "Content of the blocks: numbers (0x2a, 42), \"strings\", 'files' and %o, the offset of the I/O; \
         without verify, a header comes before it.";
    works "verify_pattern_interval": Count { min: 0, max: u32::MAX as u64 }, "0",
        "Restart that content after this many bytes of an I/O, with the offset there.";
    works "verify_backlog": COUNT, "0", "Check after this many writes, not at the end.";
    works "verify_backlog_batch": COUNT, "0", "How many blocks are checked each time.";
    hint(ASYNC) "verify_async": COUNT, "0", "Threads that check blocks during the job.";
    hint(ASYNC) "verify_async_cpus": CpuList, "", "CPUs of those threads.";
    works "verify_state_save": Switch, "1",
        "Save in local-JOB-INDEX-verify.state how far the writes of a job with verify came.";
    works "verify_state_load": Switch, "0",
        "Check the writes that such a file lists as complete, with verify_only or rw=read.";
    works "experimental_verify": Switch, "0",
        "Replay the job to check its writes, instead of listing them: always done here.";
    refused(HEADER) "verify_write_sequence": Switch, "1", "Check in which order blocks were written.";
    refused(HEADER) "verify_header_seed": Switch, "1", "Check the seed in a block's header.";
    refused(HEADER) "verify_policy": Text, "", "What of a block is checked.";
    hint(&message!("jobs-hint.dropped")) "verifysort": Switch, "",
        "A former order of checks.";
    hint(&message!("jobs-hint.dropped")) "verifysort_nr": COUNT, "",
        "A former limit of that order.";
    refused(TRIM) "trim_percentage": PERCENT, "0", "Share of written blocks that are trimmed.";
    refused(TRIM) "trim_verify_zero": Switch, "1", "Check that trimmed blocks read as zeros.";
    refused(TRIM) "trim_backlog": COUNT, "0", "Trim after so many writes.";
    refused(TRIM) "trim_backlog_batch": COUNT, "0", "How many blocks are trimmed each time.";
}
