//! Content after a header, reproducible from the header alone.
//!
//! All writes of a run start with the same random bytes, derived from the run's tag. Each 512-byte sector of
//! a block except the first, which has the header, gets a stamp: the header's seed, and the sector's offset
//! with the worker's number. So no two sectors are equal, and each identifies its write, which distinguishes
//! a torn block from one with a flipped bit.

use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::workload::Content;

use super::BlockForm;
use super::header::{Header, u64_at};
use crate::buffers::{STAMP_EVERY_BYTES, STAMP_LEN_BYTES};

/// Bits of a stamp's second half that hold the offset; the others hold the worker.
const PLACE_BITS: u32 = 48;
/// Maximum number of flipped bits in the seed of a stamp that still counts as the same.
const SEED_FLIPPED_BITS_MAX: u32 = 4;

/// Offsets of stamps in a block, in bytes.
#[inline]
fn stamped_sectors(block_len_bytes: usize) -> impl Iterator<Item = usize> {
    (STAMP_EVERY_BYTES..)
        .step_by(STAMP_EVERY_BYTES)
        .take_while(move |at| at + STAMP_LEN_BYTES <= block_len_bytes)
}

/// The seed as stored in stamps: those of two writes differ in about half of their bits, so that one is not
/// taken for the other with a flipped bit. This is the finalizer of splitmix64, a bijection.
#[inline]
fn mixed(seed: u64) -> u64 {
    let seed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let seed = (seed ^ (seed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    seed ^ (seed >> 31)
}

/// Inverse of `mixed`.
fn unmixed(mixed: u64) -> u64 {
    let seed = (mixed ^ (mixed >> 31) ^ (mixed >> 62)).wrapping_mul(0x3196_42b2_d24d_8ec3);
    let seed = (seed ^ (seed >> 27) ^ (seed >> 54)).wrapping_mul(0x96de_1b17_3f11_9089);
    seed ^ (seed >> 30) ^ (seed >> 60)
}

/// Stamps the sectors of a block.
#[inline]
pub(super) fn stamp(block: &mut [u8], seed: u64, offset_bytes: u64, thread: u16) {
    let seed = mixed(seed);
    for at in stamped_sectors(block.len()) {
        let place = (offset_bytes + at as u64) | (u64::from(thread) << PLACE_BITS);
        block[at..at + 8].copy_from_slice(&seed.to_le_bytes());
        block[at + 8..at + 16].copy_from_slice(&place.to_le_bytes());
    }
}

/// The seed in the stamp of the sector at `at` of a block, if it is a stamp for this offset in a file.
pub(super) fn stamp_at(block: &[u8], at: usize, offset_bytes: u64) -> Option<u64> {
    if at + STAMP_LEN_BYTES > block.len() {
        return None;
    }
    let place = u64_at(block, at + 8) & ((1 << PLACE_BITS) - 1);
    (place == offset_bytes + at as u64).then(|| unmixed(u64_at(block, at)))
}

/// Whether two seeds belong to two writes, rather than to one with flipped bits in its stamp.
pub(super) fn are_of_two_writes(seed: u64, other: u64) -> bool {
    (mixed(seed) ^ mixed(other)).count_ones() > SEED_FLIPPED_BITS_MAX
}

/// The content of a block as written according to its header, `position` bytes into its write; the header
/// itself is left as in `block`. `None` if content does not follow from the header.
pub(super) fn rebuilt(form: &BlockForm, block: &[u8], header: &Header, position: usize) -> Option<Vec<u8>> {
    let mut bytes = match &form.content {
        Content::Stamped | Content::Repeated => {
            let mut base = vec![0; (position + block.len()).next_multiple_of(4_096)];
            // As in a worker's filler.
            Rng::new(derive_seed(header.tag(), 1)).fill(&mut base);
            base[position..position + block.len()].to_vec()
        }
        Content::Zeros => vec![0; block.len()],
        Content::Pattern { pattern } => {
            let mut write = vec![0; position + block.len()];
            pattern.fill(&mut write, header.offset_bytes.saturating_sub(position as u64));
            write.split_off(position)
        }
        _ => return None,
    };
    if form.content == Content::Stamped {
        stamp(&mut bytes, header.seed, header.offset_bytes, header.thread);
    }
    bytes[..form.header_len_bytes].copy_from_slice(&block[..form.header_len_bytes]);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_found_again_in_stamps() {
        for seed in (0..1_000).map(|n| (n << 50) | (n * 7)) {
            assert_eq!(unmixed(mixed(seed)), seed);
            let mut block = vec![0; 2_048];
            stamp(&mut block, seed, 8_192, 9);
            assert_eq!(stamp_at(&block, 1_024, 8_192), Some(seed));
            assert_eq!(stamp_at(&block, 1_024, 4_096), None);
            assert!(are_of_two_writes(seed, seed + 1) && !are_of_two_writes(seed, seed));
        }
    }
}
