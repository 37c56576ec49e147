//! What is written.
//!
//! Random bytes do not compress, and making them anew for every write costs. So each slot is filled once, and each 512
//! bytes of a write get a stamp of 16 bytes that no other sector of this or another run has: a tag of run and worker, and a
//! counter. No two blocks of any length are equal, and neither a drive nor a file system can store one for the other, at
//! the price of a few stores per block.

use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::workload::Content;

use crate::buffers::{Arena, STAMP_EVERY_BYTES, STAMP_LEN_BYTES};

/// Makes the content of a worker's writes.
#[derive(Debug)]
pub(crate) struct Filler {
    content: Content,
    seed: u64,
    tag: u64,
    next: u64,
    rng: Rng,
    /// Slots that hold what they were filled with. What is read into a slot takes it away.
    is_filled: Box<[bool]>,
}

impl Filler {
    /// A filler whose stamps differ from those of all other seeds. Fills the first `slots` slots.
    pub fn new(arena: &Arena, content: Content, seed: u64, slots: usize) -> Self {
        let mut filler = Self {
            content,
            seed: derive_seed(seed, 1),
            tag: derive_seed(seed, 0),
            next: 0,
            rng: Rng::new(derive_seed(seed, 1)),
            is_filled: vec![true; slots].into(),
        };
        for slot in 0..slots as u32 {
            // SAFETY: the worker is being built; all slots are its own.
            filler.fill(unsafe { arena.slot_bytes(slot, arena.slot_len_bytes()) });
        }
        filler
    }

    /// Notes that a slot is about to be read into.
    #[inline]
    pub fn read_into(&mut self, slot: u32) {
        if let Some(is_filled) = self.is_filled.get_mut(slot as usize) {
            *is_filled = false;
        }
    }

    /// Makes the first `len_bytes` of a slot the content of the next write.
    ///
    /// # Safety
    /// The caller owns the slot (see [`Arena::slot_bytes`]).
    #[inline]
    pub unsafe fn prepare(&mut self, arena: &Arena, slot: u32, len_bytes: usize) {
        if !self.is_filled[slot as usize] {
            self.is_filled[slot as usize] = true;
            // SAFETY: passed on to the caller.
            self.fill(unsafe { arena.slot_bytes(slot, arena.slot_len_bytes()) });
        }
        // SAFETY: passed on to the caller.
        let bytes = unsafe { arena.slot_bytes(slot, len_bytes) };
        match self.content {
            Content::Stamped => self.stamp(bytes),
            Content::Refilled => self.rng.fill(bytes),
            Content::Repeated | Content::Zeros => {}
            Content::Compressible { percent, chunk_bytes } => {
                let (chunk, random) = shares(percent, chunk_bytes);
                for chunk in bytes.chunks_mut(chunk) {
                    let random = random.min(chunk.len());
                    self.stamp_or_refill(&mut chunk[..random]);
                }
            }
        }
    }

    /// What stays the same from write to write.
    fn fill(&mut self, bytes: &mut [u8]) {
        match self.content {
            Content::Stamped => self.rng.fill(bytes),
            // Each write is filled by itself.
            Content::Refilled => {}
            Content::Repeated => Rng::new(self.seed).fill(bytes),
            Content::Zeros => bytes.fill(0),
            Content::Compressible { percent, chunk_bytes } => {
                let (chunk, random) = shares(percent, chunk_bytes);
                for chunk in bytes.chunks_mut(chunk) {
                    let (front, back) = chunk.split_at_mut(random.min(chunk.len()));
                    self.rng.fill(front);
                    back.fill(0);
                }
            }
        }
    }

    #[inline]
    fn stamp(&mut self, bytes: &mut [u8]) {
        for sector in bytes.chunks_mut(STAMP_EVERY_BYTES) {
            if let Some(place) = sector.first_chunk_mut::<STAMP_LEN_BYTES>() {
                let stamp = u128::from(self.tag) | (u128::from(self.next) << 64);
                *place = stamp.to_le_bytes();
                self.next += 1;
            }
        }
    }

    /// Stamps where a stamp has room.
    fn stamp_or_refill(&mut self, bytes: &mut [u8]) {
        if bytes.len() < STAMP_LEN_BYTES {
            self.rng.fill(bytes);
        } else {
            self.stamp(bytes);
        }
    }
}

/// Length of a chunk, and of the random bytes with which it begins.
fn shares(percent: u32, chunk_bytes: u32) -> (usize, usize) {
    let chunk_bytes = chunk_bytes.max(1);
    let zeros = u64::from(chunk_bytes) * u64::from(percent.min(100)) / 100;
    (chunk_bytes as usize, chunk_bytes as usize - zeros as usize)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The first `writes` writes of 4 KiB, each from the next of two slots.
    fn written(content: Content, seed: u64, writes: u32) -> Vec<Vec<u8>> {
        let arena = Arena::new(2, 4_096).unwrap();
        let mut filler = Filler::new(&arena, content, seed, 2);
        let write = |write: u32| {
            // SAFETY: nothing else uses the arena.
            unsafe { filler.prepare(&arena, write % 2, 4_096) };
            // SAFETY: as above.
            unsafe { arena.slot_bytes(write % 2, 4_096) }.to_vec()
        };
        (0..writes).map(write).collect()
    }

    fn compressed_share(bytes: &[u8]) -> f64 {
        miniz_oxide::deflate::compress_to_vec(bytes, 6).len() as f64 / bytes.len() as f64
    }

    #[test]
    fn no_two_sectors_of_any_two_writes_are_equal() {
        for content in
            [Content::Stamped, Content::Refilled, Content::Compressible { percent: 60, chunk_bytes: 512 }]
        {
            let mut seen = HashSet::new();
            for write in [written(content, 0, 100), written(content, 1, 100)].concat() {
                assert!(write.chunks(512).all(|sector| seen.insert(sector.to_vec())), "{content:?}");
            }
        }
    }

    #[test]
    fn content_compresses_as_far_as_it_is_asked_to() {
        let compressible = |percent, chunk_bytes| Content::Compressible { percent, chunk_bytes };
        for (content, zeros) in [
            (Content::Stamped, 0.0),
            (Content::Refilled, 0.0),
            (Content::Repeated, 0.0),
            (Content::Zeros, 1.0),
            (compressible(0, 512), 0.0),
            (compressible(30, 4_096), 0.3),
            (compressible(50, 512), 0.5),
            (compressible(80, 2_048), 0.8),
            (compressible(100, 512), 1.0),
        ] {
            for write in written(content, 7, 4) {
                let found = write.iter().filter(|&&byte| byte == 0).count() as f64 / 4_096.0;
                assert!((found - zeros).abs() < 0.03, "{content:?}: {found:.3} are zeros");
                let share = compressed_share(&write);
                assert!((share - (1.0 - zeros)).abs() < 0.06, "{content:?}: {share:.3} is left");
            }
        }
    }

    #[test]
    fn zeros_stand_at_the_end_of_each_chunk() {
        for write in written(Content::Compressible { percent: 25, chunk_bytes: 1_024 }, 3, 3) {
            for chunk in write.chunks(1_024) {
                assert!(chunk[768..].iter().all(|&byte| byte == 0));
                assert!(chunk[..768].iter().filter(|&&byte| byte == 0).count() < 40);
            }
        }
    }

    #[test]
    fn repeated_content_is_the_same_in_each_write() {
        let writes = written(Content::Repeated, 5, 4);
        assert!(writes.iter().all(|write| *write == writes[0]));
        assert_ne!(written(Content::Repeated, 6, 1), writes[..1]);
    }

    #[test]
    fn what_was_read_is_not_written() {
        let kinds = [
            Content::Stamped,
            Content::Repeated,
            Content::Zeros,
            Content::Compressible { percent: 50, chunk_bytes: 512 },
        ];
        for content in kinds {
            let arena = Arena::new(1, 4_096).unwrap();
            let mut filler = Filler::new(&arena, content, 1, 1);
            filler.read_into(0);
            // SAFETY: nothing else uses the arena.
            unsafe { arena.slot_bytes(0, 4_096) }.fill(0xaa);
            // SAFETY: as above.
            unsafe { filler.prepare(&arena, 0, 4_096) };
            // SAFETY: as above.
            let found = unsafe { arena.slot_bytes(0, 4_096) }.iter().filter(|&&byte| byte == 0xaa).count();
            assert!(found < 60, "{content:?}: {found} bytes are left");
        }
    }
}
