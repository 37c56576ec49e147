//! Known content: blocks of a pattern.
//!
//! A pattern is the same in each write to an offset. So a block identifies only its offset, if the pattern
//! includes it (`%o`): it is unknown whose write it is, or whether one was lost over an equal one.

use cardiograph_core::pattern::PatternBytes;
use cardiograph_core::result::MismatchKind;
use cardiograph_core::{Message, message};

use super::block_judge::BlockJudge;
use super::diagnosis::{Diagnosis, Difference, FLIPPED_BITS_MAX, content_from, flipped, hex};
use crate::buffers::{STAMP_EVERY_BYTES, STAMP_LEN_BYTES};

/// One flipped bit is allowed per this many bits in a short block that is otherwise intact.
const BITS_OF_WHICH_ONE_FLIPS: u32 = 16;

impl BlockJudge {
    /// Whether the content after the header of a block at `offset_bytes`, `position` bytes into its I/O, is
    /// the pattern; true if there is no pattern.
    #[inline]
    pub(super) fn is_pattern_whole(&self, block: &[u8], offset_bytes: u64, position: usize) -> bool {
        let Some(pattern) = &self.form.pattern else { return true };
        let header_len = self.form.header_len_bytes;
        let write_offset_bytes = offset_bytes.saturating_sub(position as u64);
        pattern.matches(&block[header_len..], position + header_len, write_offset_bytes)
            || self.is_of_other_write(pattern, block, offset_bytes, position)
    }

    /// Whether a block is the pattern as left by a write that began at another offset and covers part of this
    /// block.
    #[cold]
    fn is_of_other_write(
        &self,
        pattern: &PatternBytes,
        block: &[u8],
        offset_bytes: u64,
        position: usize,
    ) -> bool {
        let (header_len, step) = (self.form.header_len_bytes, self.form.write_step_bytes.max(1));
        let last = self.form.write_len_bytes_max.saturating_sub(block.len());
        (position % step..=last).step_by(step).any(|position| {
            offset_bytes.checked_sub(position as u64).is_some_and(|write_offset_bytes| {
                pattern.matches(&block[header_len..], position + header_len, write_offset_bytes)
            })
        })
    }

    /// The expected block of a pattern without headers at `offset_bytes`.
    pub(super) fn wanted_pattern(&self, len: usize, offset_bytes: u64, position: usize) -> Option<Vec<u8>> {
        let mut write = vec![0; position + len];
        self.form.pattern.as_ref()?.fill(&mut write, offset_bytes.saturating_sub(position as u64));
        Some(write.split_off(position))
    }

    /// The offset of the write that a block is part of, if the block contains one at which this job could
    /// write.
    fn misdirected_offset(&self, block: &[u8], offset_bytes: u64, position: usize) -> Option<u64> {
        let pattern = self.form.pattern.as_ref()?;
        let found_bytes = pattern.write_offset_in(block, position)?;
        let step_bytes = self.form.write_step_bytes.max(1) as u64;
        let is_possible = i64::try_from(found_bytes).is_ok()
            && offset_bytes.saturating_sub(position as u64).abs_diff(found_bytes).is_multiple_of(step_bytes);
        (is_possible && pattern.matches(block, position, found_bytes)).then_some(found_bytes)
    }

    /// Diagnoses a block without a header.
    pub(super) fn diagnose_pattern(&self, block: &[u8], offset_bytes: u64, position: usize) -> Diagnosis {
        use MismatchKind::{Damaged, Misdirected, Torn, Unwritten};
        let wanted = || match self.form.pattern.as_ref().is_some_and(PatternBytes::has_offsets) {
            true => pattern_at(offset_bytes.saturating_sub(position as u64)),
            false => message!("verify-pattern-content"),
        };
        if block.iter().all(|&byte| byte == 0) {
            return Diagnosis::new(Unwritten, wanted(), message!("verify-content.zeros"));
        }
        if let Some(offset_bytes) = self.misdirected_offset(block, offset_bytes, position) {
            return Diagnosis::new(Misdirected, wanted(), pattern_at(offset_bytes));
        }
        let was = self.wanted_pattern(block.len(), offset_bytes, position);
        let differs = was.and_then(|was| Difference::between(block, &was, position).map(|by| (was, by)));
        let Some((was, difference)) = differs else {
            return Diagnosis::new(Damaged, wanted(), message!("verify-content.other"));
        };
        let (first, byte) = difference.first;
        let flips_max = (block.len() as u32).saturating_mul(8) / BITS_OF_WHICH_ONE_FLIPS;
        if difference.bits <= FLIPPED_BITS_MAX.min(flips_max.max(1)) {
            return flipped(first, byte, block[first], difference.bits);
        }
        let torn = |found| Diagnosis::new(Torn, message!("verify-torn.whole", content = wanted()), found);
        let equal_at_end = block.iter().zip(&was).rev().take_while(|(found, was)| found == was).count();
        if let Some(at) = difference.torn_at.filter(|_| equal_at_end < STAMP_EVERY_BYTES) {
            let content = match block[at..].iter().all(|&byte| byte == 0) {
                true => message!("verify-content.zeros"),
                false => message!("verify-content.other"),
            };
            return torn(content_from(content, at));
        }
        let whole_from = (block.len() - equal_at_end).next_multiple_of(STAMP_EVERY_BYTES);
        if first < STAMP_LEN_BYTES && whole_from < block.len() {
            return torn(message!("verify-torn.pattern", byte = whole_from.to_string()));
        }
        let value = hex(&block[first..=first]);
        let found = message!("verify-byte.differs", value, bits = difference.bits);
        let (value, byte) = (hex(&[byte]), first.to_string());
        let wanted = message!("verify-byte.at-in", content = wanted(), value, byte);
        Diagnosis::new(Damaged, wanted, found)
    }
}

fn pattern_at(offset_bytes: u64) -> Message {
    message!("verify-pattern-content.at", offset = offset_bytes.to_string())
}
