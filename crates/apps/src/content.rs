//! Content to write: incompressible and unique to a run.

use cardiograph_core::MIB;
use cardiograph_core::rng::{Rng, derive_seed};

/// The longest slice, in bytes.
pub(crate) const SLICE_BYTES_MAX: usize = MIB as usize;
/// Range of offsets at which slices begin.
const STARTS: u64 = 4 * MIB;

/// Random bytes, cut from a pool at unaligned offsets, so that blocks are equal only if whole slices are.
pub(crate) struct Content {
    seed: u64,
    pool: Vec<u8>,
}

impl Content {
    pub fn new(seed: u64) -> Self {
        let mut pool = vec![0; STARTS as usize + SLICE_BYTES_MAX];
        Rng::new(seed).fill(&mut pool);
        Self { seed, pool }
    }

    /// The bytes of a key: the same for the same key, `len` long and at most [`SLICE_BYTES_MAX`].
    pub fn slice(&self, key: u64, len: usize) -> &[u8] {
        let start = (derive_seed(self.seed, key) % STARTS) as usize;
        &self.pool[start..start + len.min(SLICE_BYTES_MAX)]
    }

    /// `len_bytes` bytes of a key, chunk by chunk.
    pub fn chunks(&self, key: u64, len_bytes: u64) -> impl Iterator<Item = &[u8]> {
        (0..len_bytes.div_ceil(MIB)).map(move |chunk| {
            let len = (len_bytes - chunk * MIB).min(MIB) as usize;
            self.slice(derive_seed(key, chunk), len)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_reproducible_and_differ() {
        let content = Content::new(5);
        assert_eq!(content.slice(7, 4_096), Content::new(5).slice(7, 4_096));
        assert_ne!(content.slice(7, 4_096), content.slice(8, 4_096));
        assert_ne!(content.slice(7, 4_096), Content::new(6).slice(7, 4_096));
        assert_eq!(content.slice(u64::MAX, SLICE_BYTES_MAX).len(), SLICE_BYTES_MAX);
    }
}
