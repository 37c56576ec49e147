//! Decides whether a block is as written.

use super::checksum::{self, FIELD_LEN_BYTES_MAX};
use super::header::{self, Header};
use super::{BlockForm, NUMBER_MASK};

/// The write expected at an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Any write of any run.
    Any,
    /// This worker's write with this number, or a later one that overwrote it.
    NotBefore(u64),
    /// Exactly the write of its sequence with this number.
    Exactly(u64),
}

/// Decides whether blocks are as written.
#[derive(Debug)]
pub(super) struct BlockJudge {
    pub form: BlockForm,
    /// Whether other workers write to the same offsets at the same time.
    pub shares_files: bool,
}

impl BlockJudge {
    /// Whether a block is as expected at `offset_bytes`, `position` bytes into its I/O.
    #[inline]
    pub(super) fn is_whole(
        &self,
        block: &[u8],
        offset_bytes: u64,
        position: usize,
        expected: Expected,
    ) -> bool {
        if self.form.pattern.is_some() && !self.is_pattern_whole(block, offset_bytes, position) {
            return false;
        }
        self.form.header_len_bytes == 0 || self.is_header_whole(block, offset_bytes, expected)
    }

    /// Whether a block has the header expected at `offset_bytes`, and content that matches it.
    #[inline]
    fn is_header_whole(&self, block: &[u8], offset_bytes: u64, expected: Expected) -> bool {
        let Ok(header) = Header::read(block) else { return false };
        checksum::is_kind(header.kind, self.form.checksum)
            && header.block_len_bytes as usize == block.len()
            && header.offset_bytes == offset_bytes
            && self.is_content_whole(block)
            && self.is_recent(&header, expected)
    }

    /// Whether the content of a block matches the checksum in its header.
    #[inline]
    pub(super) fn is_content_whole(&self, block: &[u8]) -> bool {
        let (front, behind) = block.split_at(self.form.header_len_bytes);
        let stored = &front[header::LEN_BYTES..];
        let mut field = [0; FIELD_LEN_BYTES_MAX];
        let calculated = &mut field[..stored.len()];
        checksum::put(self.form.checksum, behind, calculated);
        *calculated == *stored
    }

    /// Whether a block with this header may be the latest write.
    #[inline]
    pub(super) fn is_recent(&self, header: &Header, expected: Expected) -> bool {
        match expected {
            Expected::Any => true,
            Expected::Exactly(number) => header.seed == header::seed_of(self.form.tag, number),
            Expected::NotBefore(_) if header.tag() != self.form.tag => false,
            Expected::NotBefore(_) if header.thread != self.form.thread => self.shares_files,
            Expected::NotBefore(number) => header.number() >= number & NUMBER_MASK,
        }
    }
}
