//! Block headers.

use super::checksum::crc32c;
use super::{NUMBER_BITS, NUMBER_MASK};

pub(super) const MAGIC: u16 = 0xacca;
/// Bytes of a header that its own checksum covers.
const COVERED_LEN_BYTES: usize = 36;
/// Length of a header without the checksum of the content.
pub(super) const LEN_BYTES: usize = 40;

/// A header without the checksum of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub kind: u16,
    pub block_len_bytes: u32,
    pub seed: u64,
    pub offset_bytes: u64,
    pub since_start_ns: u64,
    pub thread: u16,
}

/// Why there is no valid header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoHeader {
    Magic { found: u16 },
    Checksum { stored: u32, calculated: u32 },
}

impl Header {
    /// The run that wrote the block.
    pub fn tag(&self) -> u64 {
        self.seed & !NUMBER_MASK
    }

    /// The number of the write, from 0.
    pub fn number(&self) -> u64 {
        self.seed & NUMBER_MASK
    }

    /// Writes it to the front of a block, which must be long enough.
    #[inline]
    pub fn put(&self, block: &mut [u8]) {
        let (seconds, nanoseconds) =
            (self.since_start_ns / 1_000_000_000, self.since_start_ns % 1_000_000_000);
        let block = &mut block[..LEN_BYTES];
        block[0..2].copy_from_slice(&MAGIC.to_le_bytes());
        block[2..4].copy_from_slice(&self.kind.to_le_bytes());
        block[4..8].copy_from_slice(&self.block_len_bytes.to_le_bytes());
        block[8..16].copy_from_slice(&self.seed.to_le_bytes());
        block[16..24].copy_from_slice(&self.offset_bytes.to_le_bytes());
        block[24..28].copy_from_slice(&(seconds as u32).to_le_bytes());
        block[28..32].copy_from_slice(&(nanoseconds as u32).to_le_bytes());
        block[32..34].copy_from_slice(&self.thread.to_le_bytes());
        block[34..36].copy_from_slice(&(self.number() as u16).to_le_bytes());
        let of_header = crc32c(&block[..COVERED_LEN_BYTES]);
        block[36..40].copy_from_slice(&of_header.to_le_bytes());
    }

    /// Reads the header at the front of a block, which must be long enough.
    #[inline]
    pub fn read(block: &[u8]) -> Result<Self, NoHeader> {
        let block = &block[..LEN_BYTES];
        let magic = u16_at(block, 0);
        if magic != MAGIC {
            return Err(NoHeader::Magic { found: magic });
        }
        let (stored, calculated) = (u32_at(block, 36), crc32c(&block[..COVERED_LEN_BYTES]));
        if stored != calculated {
            return Err(NoHeader::Checksum { stored, calculated });
        }
        Ok(Self {
            kind: u16_at(block, 2),
            block_len_bytes: u32_at(block, 4),
            seed: u64_at(block, 8),
            offset_bytes: u64_at(block, 16),
            since_start_ns: u64::from(u32_at(block, 24)) * 1_000_000_000 + u64::from(u32_at(block, 28)),
            thread: u16_at(block, 32),
        })
    }
}

/// The part of a write number that fits into a header.
pub(super) fn seed_of(tag: u64, number: u64) -> u64 {
    debug_assert_eq!(tag.trailing_zeros().min(NUMBER_BITS), NUMBER_BITS);
    tag | (number & NUMBER_MASK)
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}
