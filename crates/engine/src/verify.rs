//! Checksums in what is written, compared when it is read.
//!
//! Each block begins with a header in the format that fio 3.33 writes for `verify=crc32c`, so that either program can check
//! what the other wrote. All numbers are little-endian, as on every machine that this runs on:
//!
//! | at | bytes | what |
//! |---|---|---|
//! | 0 | 2 | magic, 0xacca |
//! | 2 | 2 | kind of checksum, 5 for CRC-32C |
//! | 4 | 4 | length of the block, header included |
//! | 8 | 8 | seed; here the run's tag and the number of the write |
//! | 16 | 8 | offset of the block in the file |
//! | 24 | 4 + 4 | time of the write in seconds and nanoseconds since the job began |
//! | 32 | 2 | number of the thread, from 1 |
//! | 34 | 2 | number of the write, its low 16 bits |
//! | 36 | 4 | checksum of the bytes before |
//! | 40 | 4 | checksum of the bytes behind |
//!
//! fio's checksum is the register of CRC-32C as it stands after the last byte; the usual one is its complement.

use cardiograph_core::plan::FileUse;
use cardiograph_core::result::{Mismatch, Verified};
use cardiograph_core::workload::{BlockLen, Order, Verify};
use cardiograph_core::{Direction, Workload};

/// Bytes before what is written itself.
pub(crate) const HEADER_LEN_BYTES: usize = 44;
const MAGIC: u16 = 0xacca;
const KIND_CRC32C: u16 = 5;
/// Low bits of the seed that hold the number of the write; the others are the run's tag.
const NUMBER_BITS: u32 = 40;
const NUMBER_MASK: u64 = (1 << NUMBER_BITS) - 1;

/// The checksum as fio has it.
fn checksum(bytes: &[u8]) -> u32 {
    !crc32c::crc32c(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// How long the blocks are that have a header each, in bytes: the longest length by which every I/O can be divided
/// wherever it lies. Then a write that covers an earlier one in part covers whole blocks of it.
pub(crate) fn block_len_bytes(workload: &Workload, verify: &Verify, files: &[FileUse]) -> usize {
    let mut divisor = verify.interval_bytes;
    let mut divide = |len_bytes: u64| divisor = greatest_common_divisor(divisor, len_bytes);
    for direction in [Direction::Read, workload.changing_direction()] {
        // A job that only writes reads back what it wrote: its lengths are those of the writes.
        if !workload.uses(direction) {
            continue;
        }
        match &workload.block_len[direction] {
            BlockLen::Fixed { len_bytes } => divide(*len_bytes),
            BlockLen::Range { min_bytes, .. } => divide(*min_bytes),
            BlockLen::Split { parts } => parts.iter().for_each(|part| divide(part.len_bytes)),
        }
        if workload.order.is_random() {
            divide(workload.align_bytes[direction]);
        }
    }
    if workload.order == Order::Sequential && workload.sequential_skip_bytes != 0 {
        divide(workload.sequential_skip_bytes.unsigned_abs());
        if workload.sequential_skip_bytes < 0 {
            files.iter().for_each(|file| divide(file.region_len_bytes));
        }
    }
    if let Some(zones) = workload.strided {
        divide(zones.zone_len_bytes.saturating_add(zones.skip_bytes));
        if workload.order == Order::Sequential && workload.sequential_skip_bytes < 0 {
            divide(zones.zone_len_bytes);
        }
    }
    usize::try_from(divisor).unwrap_or(usize::MAX)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The blocks of an I/O, each with its place in it. A length that holds no header leaves the I/O one block.
fn block_len_in(len_bytes: usize, block_len_bytes: usize) -> usize {
    if block_len_bytes < HEADER_LEN_BYTES { len_bytes.max(1) } else { block_len_bytes }
}

/// Puts headers into what is about to be written.
#[derive(Debug)]
pub(crate) struct Sealer {
    block_len_bytes: usize,
    tag: u64,
    thread: u16,
    next_number: u64,
}

impl Sealer {
    /// A sealer for clone `clone` of a job, whose headers differ from those of all other `seed`s.
    pub fn new(block_len_bytes: usize, seed: u64, clone: u32) -> Self {
        let thread = (clone as u16).wrapping_add(1);
        Self { block_len_bytes, tag: tag_of(seed), thread, next_number: 0 }
    }

    /// Writes that were sealed.
    pub fn writes(&self) -> u64 {
        self.next_number
    }

    /// Seals a write of `bytes` at `offset_bytes` of its file, `since_start_ns` after the job began.
    pub fn seal(&mut self, bytes: &mut [u8], offset_bytes: u64, since_start_ns: u64) {
        let number = self.next_number;
        self.next_number += 1;
        let len = block_len_in(bytes.len(), self.block_len_bytes);
        for (block, at) in bytes.chunks_mut(len).zip((offset_bytes..).step_by(len)) {
            if block.len() < HEADER_LEN_BYTES {
                continue;
            }
            block[0..2].copy_from_slice(&MAGIC.to_le_bytes());
            block[2..4].copy_from_slice(&KIND_CRC32C.to_le_bytes());
            let len = block.len() as u32;
            block[4..8].copy_from_slice(&len.to_le_bytes());
            block[8..16].copy_from_slice(&(self.tag | (number & NUMBER_MASK)).to_le_bytes());
            block[16..24].copy_from_slice(&at.to_le_bytes());
            block[24..28].copy_from_slice(&((since_start_ns / 1_000_000_000) as u32).to_le_bytes());
            block[28..32].copy_from_slice(&((since_start_ns % 1_000_000_000) as u32).to_le_bytes());
            block[32..34].copy_from_slice(&self.thread.to_le_bytes());
            block[34..36].copy_from_slice(&(number as u16).to_le_bytes());
            let of_header = checksum(&block[..36]);
            block[36..40].copy_from_slice(&of_header.to_le_bytes());
            let of_rest = checksum(&block[HEADER_LEN_BYTES..]);
            block[40..44].copy_from_slice(&of_rest.to_le_bytes());
        }
    }
}

fn tag_of(seed: u64) -> u64 {
    seed & !NUMBER_MASK
}

/// Which write is expected in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Any, of whatever run.
    Any,
    /// One of this run.
    ThisRun,
    /// The one of this run that has this number, or a later one that wrote over it.
    NotBefore(u64),
}

/// Compares what is read.
#[derive(Debug)]
pub(crate) struct Checker {
    block_len_bytes: usize,
    tag: u64,
    verified: Verified,
}

impl Checker {
    /// A checker for what a [`Sealer`] of the same seed wrote, or any other.
    pub fn new(block_len_bytes: usize, seed: u64) -> Self {
        Self { block_len_bytes, tag: tag_of(seed), verified: Verified::default() }
    }

    /// Compares what an I/O read from `offset_bytes` of the file `target`. Returns offset and length of the first block
    /// that differs, if one does.
    pub fn check(
        &mut self,
        target: &str,
        bytes: &[u8],
        offset_bytes: u64,
        expected: Expected,
    ) -> Option<(u64, u64)> {
        let len = block_len_in(bytes.len(), self.block_len_bytes);
        let mut first = None;
        for (block, at) in bytes.chunks(len).zip((offset_bytes..).step_by(len)) {
            if block.len() < HEADER_LEN_BYTES {
                continue;
            }
            self.verified.blocks += 1;
            if let Some(what) = self.fault(block, at, expected) {
                self.note_bad(target, at, block.len() as u64, what);
                first.get_or_insert((at, block.len() as u64));
            }
        }
        first
    }

    /// Notes an I/O that came back shorter than it was asked for.
    pub fn check_short(&mut self, target: &str, offset_bytes: u64, len_bytes: u64, read_bytes: u64) {
        self.verified.blocks += 1;
        self.note_bad(target, offset_bytes, len_bytes, format!("only {read_bytes} bytes could be read"));
    }

    /// What was found so far.
    pub fn verified(&self) -> &Verified {
        &self.verified
    }

    #[cold]
    fn note_bad(&mut self, target: &str, offset_bytes: u64, len_bytes: u64, what: String) {
        self.verified.bad_blocks += 1;
        let mismatch = || Mismatch { target: target.to_string(), offset_bytes, len_bytes, what };
        self.verified.first.get_or_insert_with(mismatch);
    }

    /// What is wrong with a block, if anything is.
    fn fault(&self, block: &[u8], offset_bytes: u64, expected: Expected) -> Option<String> {
        let magic = u16_at(block, 0);
        if magic != MAGIC {
            return Some(format!("bad magic {magic:x}, wanted {MAGIC:x}"));
        }
        let (stored, calculated) = (u32_at(block, 36), checksum(&block[..36]));
        if stored != calculated {
            return Some(format!("bad header checksum {stored:x}, calculated {calculated:x}"));
        }
        let kind = u16_at(block, 2);
        if kind != KIND_CRC32C {
            return Some(format!("checksum of kind {kind}, wanted {KIND_CRC32C} (crc32c)"));
        }
        let len = u32_at(block, 4) as usize;
        if len != block.len() {
            return Some(format!("bad block length {len}, wanted {}", block.len()));
        }
        let offset = u64_at(block, 16);
        if offset != offset_bytes {
            return Some(format!("block of offset {offset}, wanted {offset_bytes}"));
        }
        let (stored, calculated) = (u32_at(block, 40), checksum(&block[HEADER_LEN_BYTES..]));
        if stored != calculated {
            return Some(format!("bad checksum {stored:x}, calculated {calculated:x}"));
        }
        let seed = u64_at(block, 8);
        let number = seed & NUMBER_MASK;
        match expected {
            Expected::Any => None,
            _ if tag_of(seed) != self.tag => {
                Some("block of another run: this run's write is lost".to_string())
            }
            Expected::NotBefore(wanted) if number < wanted & NUMBER_MASK => {
                Some(format!("block of write {number}: write {wanted} is lost"))
            }
            Expected::ThisRun | Expected::NotBefore(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
