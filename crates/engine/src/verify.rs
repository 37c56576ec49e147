//! Headers in written data, compared when it is read.
//!
//! Each block begins with a header in the format of fio 3.33, so that either program can verify the other's
//! data. All numbers are little-endian, as on all supported machines:
//!
//! | at | bytes | what |
//! |---|---|---|
//! | 0 | 2 | magic, 0xacca |
//! | 2 | 2 | kind of checksum (see `checksum`) |
//! | 4 | 4 | length of the block, header included |
//! | 8 | 8 | seed; here the run's tag and the number of the write |
//! | 16 | 8 | offset of the block in the file |
//! | 24 | 4 + 4 | time of the write in seconds and nanoseconds since the job began |
//! | 32 | 2 | number of the thread, from 1; here of the worker in its run |
//! | 34 | 2 | number of the write, its low 16 bits |
//! | 36 | 4 | CRC-32C of the bytes before |
//! | 40 | 0 to 128 | checksum of all bytes after it |
//!
//! With `verify_offset` the header is then swapped with the bytes at that offset. Blocks of `verify=pattern`
//! have no header.
//!
//! Reading order: `checksum` → `header` → `content` (after the header) → `sealer` → `checker` → `block_judge`
//! (whether a block is intact) → `pattern` (content known in advance) → `diagnosis` (how a bad block
//! differs).

use cardiograph_core::checked;
use cardiograph_core::pattern::PatternBytes;
use cardiograph_core::rng::derive_seed;
use cardiograph_core::verify::{Checksum, Verify};
use cardiograph_core::workload::Content;
use cardiograph_core::{FileUse, Workload};

mod block_judge;
mod checker;
mod checksum;
mod content;
mod diagnosis;
mod dump;
mod header;
mod pattern;
mod sealer;

pub(crate) use block_judge::Expected;
pub(crate) use checker::Checker;
pub(crate) use sealer::Sealer;

/// Low bits of the seed that hold the write number; the others are the run's tag.
const NUMBER_BITS: u32 = 40;
const NUMBER_MASK: u64 = (1 << NUMBER_BITS) - 1;

/// The bits that identify headers and content of a run. Never 0, which is fio's seed for blocks of a pattern.
pub(crate) fn tag_of(run_seed: u64) -> u64 {
    (derive_seed(run_seed, 3) & !NUMBER_MASK).max(1 << NUMBER_BITS)
}

/// Whether a block starts with a header of a run with this seed.
pub(crate) fn is_marked(block: &[u8], run_seed: u64) -> bool {
    block.len() >= header::LEN_BYTES
        && header::Header::read(block).is_ok_and(|header| header.tag() == tag_of(run_seed))
}

/// Whether a block is exactly what a run with this seed wrote to `offset_bytes` under CRC-32C.
pub(crate) fn is_intact(block: &[u8], offset_bytes: u64, run_seed: u64) -> bool {
    const LEN: usize = header::LEN_BYTES + size_of::<u32>();
    is_marked(block, run_seed)
        && block.len() > LEN
        && header::Header::read(block).is_ok_and(|header| {
            checksum::is_kind(header.kind, Checksum::Crc32c) && header.offset_bytes == offset_bytes
        })
        && {
            let mut field = [0; size_of::<u32>()];
            checksum::put(Checksum::Crc32c, &block[LEN..], &mut field);
            field == block[header::LEN_BYTES..LEN]
        }
}

/// A block with a header of a run with this seed, the first of a file.
#[cfg(test)]
pub(crate) fn marked_block(run_seed: u64, len_bytes: usize) -> Vec<u8> {
    let mut block = vec![1; len_bytes];
    let (kind, seed) = (checksum::kind_of(Checksum::Crc32c), tag_of(run_seed));
    let block_len_bytes = len_bytes as u32;
    header::Header { kind, block_len_bytes, seed, offset_bytes: 0, since_start_ns: 0, thread: 1 }
        .put(&mut block);
    block
}

/// Layout of a job's blocks.
#[derive(Debug, Clone)]
pub(crate) struct BlockForm {
    pub checksum: Checksum,
    /// Block size per header, in bytes.
    pub block_len_bytes: usize,
    /// Length of a header with its checksum; 0 if there is none.
    pub header_len_bytes: usize,
    /// Offset of the header in a block.
    pub header_offset_bytes: usize,
    /// Whether bad blocks are dumped to files.
    pub dump: bool,
    /// Content after the headers.
    pub content: Content,
    /// Expected content of any writer; `None` if it is not compared.
    pub pattern: Option<PatternBytes>,
    /// Alignment of writes, in bytes.
    pub write_step_bytes: usize,
    /// Length of the longest write, in bytes.
    pub write_len_bytes_max: usize,
    /// Identifies this run's writes.
    pub tag: u64,
    /// Number of the worker in its run, from 1.
    pub thread: u16,
    /// Number of the first write, if a sequence spans several runs.
    pub first_write: Option<u64>,
}

impl BlockForm {
    /// The layout of a worker's blocks.
    pub fn new(workload: &Workload, verify: &Verify, files: &[FileUse], run_seed: u64, worker: u32) -> Self {
        let len = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let pattern = match &workload.content {
            Content::Pattern { pattern } if verify.compares_pattern => Some(pattern.clone()),
            _ => None,
        };
        Self {
            checksum: verify.checksum,
            block_len_bytes: len(checked::block_len_bytes(verify, workload, files)),
            header_len_bytes: len(verify.checksum.header_len_bytes()),
            header_offset_bytes: len(verify.header_offset_bytes),
            dump: verify.dump,
            content: workload.content.clone(),
            pattern,
            write_step_bytes: len(checked::common_len_bytes(workload, files)),
            write_len_bytes_max: len(workload.block_len_bytes_max()),
            tag: tag_of(run_seed),
            thread: (worker as u16).wrapping_add(1),
            first_write: verify.first_write,
        }
    }

    /// Block size in an I/O of `len_bytes`. If that cannot hold a header, it is one block.
    fn block_len_in(&self, len_bytes: usize) -> usize {
        let holds_header = self.block_len_bytes > 0 && self.block_len_bytes >= self.header_len_bytes;
        if holds_header { self.block_len_bytes } else { len_bytes.max(1) }
    }

    /// Swaps the header with the content at its offset.
    fn swap_header(&self, block: &mut [u8]) {
        let (at, len) = (self.header_offset_bytes, self.header_len_bytes);
        if at >= len && at.saturating_add(len) <= block.len() {
            let (front, back) = block.split_at_mut(at);
            front[..len].swap_with_slice(&mut back[..len]);
        }
    }
}

#[cfg(test)]
mod tests;
