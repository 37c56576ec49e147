//! The data of writes.
//!
//! Random bytes do not compress, but generating them for every write is expensive. So each slot is filled
//! once, and each 512 bytes of a write get a unique 16-byte stamp: a tag of run and worker, and a counter. No
//! two blocks of any length are equal, so neither drive nor file system can deduplicate them, at the cost of
//! a few stores per block.

use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::workload::{Compression, Content, Repeats};
use cardiograph_jobs::offsets::Mix;

use crate::buffers::{Arena, STAMP_EVERY_BYTES, STAMP_LEN_BYTES};
use crate::sim::CONTENT_BLOCK_BYTES;

/// Generates the data of a worker's writes.
#[derive(Debug)]
pub(crate) struct Filler {
    content: Content,
    seed: u64,
    tag: u64,
    next: u64,
    rng: Rng,
    /// Chooses duplicate blocks; `None` without deduplication.
    duplicates: Option<Box<Duplicates>>,
    /// Whether the pattern is refilled for each write, because it depends on the offset.
    refills_pattern: bool,
    /// Whether only the stamps of content blocks are stored.
    keeps_stamps_alone: bool,
    /// Slots that still hold their fill. A read into a slot clears its flag.
    is_filled: Box<[bool]>,
}

/// Seeds of a worker's content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContentSeeds {
    /// Unique to this worker and run.
    pub own: u64,
    /// Shared by all workers of a run.
    pub shared: u64,
}

impl Filler {
    /// A filler whose stamps differ from those of all other seeds. Fills the first `slots` slots.
    /// `files_len_bytes` is the total length of the files written to. With `keeps_stamps_alone` it writes
    /// only what a simulated drive stores.
    pub fn new(
        arena: &Arena,
        content: &Content,
        seeds: ContentSeeds,
        slots: usize,
        files_len_bytes: u64,
        keeps_stamps_alone: bool,
    ) -> Self {
        let seed = seeds.own;
        let mut filler = Self {
            content: content.clone(),
            seed: derive_seed(seed, 1),
            tag: derive_seed(seed, 0),
            next: 0,
            rng: Rng::new(derive_seed(seed, 1)),
            duplicates: Duplicates::new(content, seeds, files_len_bytes).map(Box::new),
            refills_pattern: matches!(content, Content::Pattern { pattern } if pattern.has_offsets()),
            keeps_stamps_alone,
            is_filled: vec![true; slots].into(),
        };
        for slot in 0..slots as u32 {
            // SAFETY: the worker is being built and owns all slots.
            filler.fill(unsafe { arena.slot_bytes(slot, arena.slot_len_bytes()) });
        }
        filler
    }

    /// Refills the pattern for each write, because it is changed before it is written.
    pub fn refill_pattern(&mut self) {
        self.refills_pattern = true;
    }

    /// Notes that a slot is about to be read into.
    #[inline]
    pub fn read_into(&mut self, slot: u32) {
        if let Some(is_filled) = self.is_filled.get_mut(slot as usize) {
            *is_filled = false;
        }
    }

    /// Prepares the first `len_bytes` of a slot for the next write, at `offset_bytes` of its file.
    ///
    /// # Safety
    /// The caller owns the slot (see [`Arena::slot_bytes`]).
    #[inline]
    pub unsafe fn prepare(&mut self, arena: &Arena, slot: u32, offset_bytes: u64, len_bytes: usize) {
        if !self.is_filled[slot as usize] {
            self.is_filled[slot as usize] = true;
            // SAFETY: passed on to the caller.
            self.fill(unsafe { arena.slot_bytes(slot, arena.slot_len_bytes()) });
        }
        // SAFETY: passed on to the caller.
        let bytes = unsafe { arena.slot_bytes(slot, len_bytes) };
        match &self.content {
            Content::Stamped => self.stamp(bytes),
            Content::Refilled => self.rng.fill(bytes),
            Content::Pattern { pattern } if self.refills_pattern => pattern.fill(bytes, offset_bytes),
            Content::Repeated | Content::Zeros | Content::Pattern { .. } => {}
            Content::Compressible { compression } => {
                let (chunk, random) = shares(compression);
                for chunk in bytes.chunks_mut(chunk) {
                    let random = random.min(chunk.len());
                    self.stamp_or_refill(&mut chunk[..random]);
                }
            }
            Content::Deduplicable { .. } => self.fill_blocks(bytes),
        }
    }

    /// Writes the part that is the same in every write.
    fn fill(&mut self, bytes: &mut [u8]) {
        match &self.content {
            Content::Stamped if self.keeps_stamps_alone => {}
            Content::Stamped => self.rng.fill(bytes),
            // Filled for each write separately.
            Content::Refilled | Content::Deduplicable { .. } => {}
            Content::Repeated => Rng::new(self.seed).fill(bytes),
            Content::Zeros => bytes.fill(0),
            Content::Pattern { pattern } => pattern.fill(bytes, 0),
            Content::Compressible { compression } => fill_compressible(&mut self.rng, compression, bytes),
        }
    }

    #[inline]
    fn stamp(&mut self, bytes: &mut [u8]) {
        let every_bytes = if self.keeps_stamps_alone { CONTENT_BLOCK_BYTES } else { STAMP_EVERY_BYTES };
        for sector in bytes.chunks_mut(every_bytes) {
            if let Some(place) = sector.first_chunk_mut::<STAMP_LEN_BYTES>() {
                let stamp = u128::from(self.tag) | (u128::from(self.next) << 64);
                *place = stamp.to_le_bytes();
                self.next += 1;
            }
        }
    }

    /// Stamps blocks that have room for a stamp, otherwise refills.
    fn stamp_or_refill(&mut self, bytes: &mut [u8]) {
        if bytes.len() < STAMP_LEN_BYTES {
            self.rng.fill(bytes);
        } else {
            self.stamp(bytes);
        }
    }

    /// Fills blocks, some of them duplicates. Blocks with equal seeds are equal.
    #[inline(never)]
    fn fill_blocks(&mut self, bytes: &mut [u8]) {
        let (Content::Deduplicable { block_len_bytes, compression, .. }, Some(duplicates)) =
            (&self.content, &mut self.duplicates)
        else {
            return;
        };
        let block_len = usize::try_from(*block_len_bytes).unwrap_or(usize::MAX).max(1);
        for block in bytes.chunks_mut(block_len) {
            let mut rng = Rng::new(duplicates.next_seed());
            match compression {
                Some(compression) => fill_compressible(&mut rng, compression, block),
                None => rng.fill(block),
            }
        }
    }
}

/// Decides which block is new and which is a duplicate.
#[derive(Debug)]
struct Duplicates {
    /// Keeps the exact share in every hundred blocks.
    mix: Mix,
    /// Seed and count of the new blocks.
    seed: u64,
    new_blocks: u64,
    /// Seed and size of the set that duplicates are drawn from; `None` repeats the last new block. A job's
    /// own set is the first of its new blocks, as in fio, so it adds no blocks.
    set: Option<(u64, u64)>,
    choices: Rng,
}

impl Duplicates {
    fn new(content: &Content, seeds: ContentSeeds, files_len_bytes: u64) -> Option<Self> {
        let Content::Deduplicable { percent, block_len_bytes, repeats, .. } = *content else { return None };
        let new_seed = derive_seed(seeds.own, 4);
        let set = match repeats {
            Repeats::Last => None,
            Repeats::OneOf { percent, is_shared } => {
                let blocks = files_len_bytes / block_len_bytes.max(1);
                let blocks = (u128::from(blocks) * u128::from(percent) / 100).max(1) as u64;
                let seed = if is_shared { derive_seed(seeds.shared, 2) } else { new_seed };
                Some((seed, blocks))
            }
        };
        Some(Self {
            mix: Mix::new(percent, derive_seed(seeds.own, 3)),
            seed: new_seed,
            new_blocks: 0,
            set,
            choices: Rng::new(derive_seed(seeds.own, 5)),
        })
    }

    /// The seed of the next block.
    fn next_seed(&mut self) -> u64 {
        // This mix usually picks reads among writes; here it picks duplicates among new blocks.
        let is_old = self.mix.next_is_read();
        match (is_old, self.set) {
            (true, Some((seed, blocks))) => derive_seed(seed, self.choices.below(blocks)),
            (true, None) => derive_seed(self.seed, self.new_blocks.saturating_sub(1)),
            (false, _) => {
                self.new_blocks += 1;
                derive_seed(self.seed, self.new_blocks - 1)
            }
        }
    }
}

/// Fills with random bytes of which the given share compresses.
fn fill_compressible(rng: &mut Rng, compression: &Compression, bytes: &mut [u8]) {
    let (chunk, random) = shares(compression);
    for chunk in bytes.chunks_mut(chunk) {
        let (front, back) = chunk.split_at_mut(random.min(chunk.len()));
        rng.fill(front);
        match &compression.filler {
            Some(pattern) => pattern.fill(back, 0),
            None => back.fill(0),
        }
    }
}

/// Length of a chunk, and of the random bytes at its start.
fn shares(compression: &Compression) -> (usize, usize) {
    let chunk_bytes = compression.chunk_bytes.max(1);
    let filled = u64::from(chunk_bytes) * u64::from(compression.percent.min(100)) / 100;
    (chunk_bytes as usize, chunk_bytes as usize - filled as usize)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use cardiograph_core::pattern::PatternBytes;
    use cardiograph_jobs::value::{PatternKind, parse_pattern};

    use super::*;

    const SEEDS: ContentSeeds = ContentSeeds { own: 7, shared: 1 };

    fn seeds(own: u64) -> ContentSeeds {
        ContentSeeds { own, ..SEEDS }
    }

    fn pattern(text: &str) -> PatternBytes {
        parse_pattern(text, PatternKind::Buffer, |_| Err(cardiograph_core::Message::default())).unwrap()
    }

    fn compressible(percent: u32, chunk_bytes: u32) -> Content {
        Content::Compressible { compression: Compression { percent, chunk_bytes, filler: None } }
    }

    /// The first `writes` writes of 4 KiB, each from the next of two slots.
    fn written(content: &Content, seed: u64, writes: u32) -> Vec<Vec<u8>> {
        let arena = Arena::new(2, 4_096).unwrap();
        let mut filler = Filler::new(&arena, content, seeds(seed), 2, 1 << 20, false);
        let write = |write: u32| {
            // SAFETY: nothing else uses the arena.
            unsafe { filler.prepare(&arena, write % 2, u64::from(write) * 4_096, 4_096) };
            // SAFETY: as above.
            unsafe { arena.slot_bytes(write % 2, 4_096) }.to_vec()
        };
        (0..writes).map(write).collect()
    }

    fn compressed_share(bytes: &[u8]) -> f64 {
        miniz_oxide::deflate::compress_to_vec(bytes, 6).len() as f64 / bytes.len() as f64
    }

    #[test]
    fn no_two_sectors_of_any_writes_are_equal() {
        for content in &[Content::Stamped, Content::Refilled, compressible(60, 512)] {
            let mut seen = HashSet::new();
            for write in [written(content, 0, 100), written(content, 1, 100)].concat() {
                assert!(write.chunks(512).all(|sector| seen.insert(sector.to_vec())), "{content:?}");
            }
        }
    }

    #[test]
    fn content_compresses_as_requested() {
        for (content, zeros) in &[
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
    fn zeros_are_at_the_end_of_each_chunk() {
        for write in written(&compressible(25, 1_024), 3, 3) {
            for chunk in write.chunks(1_024) {
                assert!(chunk[768..].iter().all(|&byte| byte == 0));
                assert!(chunk[..768].iter().filter(|&&byte| byte == 0).count() < 40);
            }
        }
    }

    #[test]
    fn repeated_content_is_the_same_in_each_write() {
        let writes = written(&Content::Repeated, 5, 4);
        assert!(writes.iter().all(|write| *write == writes[0]));
        assert_ne!(written(&Content::Repeated, 6, 1), writes[..1]);
    }

    #[test]
    fn data_that_was_read_is_not_written() {
        let kinds = [
            Content::Stamped,
            Content::Repeated,
            Content::Zeros,
            Content::Pattern { pattern: pattern("0x123456") },
            compressible(50, 512),
        ];
        for content in &kinds {
            let arena = Arena::new(1, 4_096).unwrap();
            let mut filler = Filler::new(&arena, content, seeds(1), 1, 1 << 20, false);
            filler.read_into(0);
            // SAFETY: nothing else uses the arena.
            unsafe { arena.slot_bytes(0, 4_096) }.fill(0xaa);
            // SAFETY: as above.
            unsafe { filler.prepare(&arena, 0, 0, 4_096) };
            // SAFETY: as above.
            let found = unsafe { arena.slot_bytes(0, 4_096) }.iter().filter(|&&byte| byte == 0xaa).count();
            assert!(found < 60, "{content:?}: {found} bytes are left");
        }
    }

    /// Blocks of 512 bytes of the given number of writes: how often each content occurs, most frequent first.
    fn blocks(percent: u32, repeats: Repeats, seeds: ContentSeeds) -> Vec<(Vec<u8>, usize)> {
        let compression = None;
        let content = Content::Deduplicable { percent, block_len_bytes: 512, repeats, compression };
        let arena = Arena::new(1, 4_096).unwrap();
        // A set of 20 %: 40 blocks.
        let mut filler = Filler::new(&arena, &content, seeds, 1, 200 * 512, false);
        let mut counts = std::collections::HashMap::<Vec<u8>, usize>::new();
        for _ in 0..100 {
            // SAFETY: nothing else uses the arena.
            unsafe { filler.prepare(&arena, 0, 0, 4_096) };
            // SAFETY: as above.
            for block in unsafe { arena.slot_bytes(0, 4_096) }.chunks(512) {
                *counts.entry(block.to_vec()).or_default() += 1;
            }
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }

    #[test]
    fn the_share_of_duplicates_is_as_requested() {
        for (percent, kinds) in [(0, 800), (1, 792), (50, 400), (80, 160), (100, 1)] {
            let found = blocks(percent, Repeats::Last, SEEDS).len();
            // The first may duplicate a block that was never written.
            assert!(found.abs_diff(kinds) <= 1, "{percent} %: {found} kinds of blocks");
        }
        let of_set = Repeats::OneOf { percent: 20, is_shared: false };
        for (percent, kinds) in [(0, 800), (50, 400), (90, 80), (100, 40)] {
            let counts = blocks(percent, of_set, SEEDS);
            assert!(counts.len().abs_diff(kinds) <= 2, "{percent} %: {} kinds of blocks", counts.len());
            let repeated = counts.iter().filter(|(_, count)| *count > 1).count();
            assert!(
                repeated <= 40 && (percent < 50 || repeated >= 38),
                "{percent} %: {repeated} are repeated"
            );
        }
    }

    #[test]
    fn duplicates_come_from_the_jobs_own_set_or_a_shared_one() {
        let kinds = |is_shared, own| -> HashSet<Vec<u8>> {
            let of_set = Repeats::OneOf { percent: 20, is_shared };
            blocks(100, of_set, seeds(own)).into_iter().map(|(block, _)| block).collect()
        };
        assert!(kinds(false, 1).is_disjoint(&kinds(false, 2)));
        assert!(kinds(true, 1).intersection(&kinds(true, 2)).count() >= 38);
    }

    #[test]
    fn patterns_restart_in_each_write_and_fill_the_compressible_part() {
        let content = Content::Pattern { pattern: pattern("\"abc\"") };
        for write in written(&content, 1, 4) {
            assert_eq!(write, b"abc".repeat(1_366)[..4_096]);
        }
        let compression = Compression { percent: 50, chunk_bytes: 100, filler: Some(pattern("\"abc\"")) };
        let repeats = Repeats::Last;
        let [plain, deduplicable] = [
            Content::Compressible { compression: compression.clone() },
            Content::Deduplicable {
                percent: 50,
                block_len_bytes: 1_000,
                repeats,
                compression: Some(compression),
            },
        ];
        for chunk in written(&plain, 1, 2).iter().flat_map(|write| write.chunks_exact(100)) {
            assert_eq!(chunk[50..], b"abc".repeat(17)[..50]);
            assert_ne!(chunk[..50], b"abc".repeat(17)[..50]);
        }
        for write in written(&deduplicable, 1, 2) {
            let share = compressed_share(&write[..4_000]);
            assert!(share < 0.65, "{share:.3} is left");
        }
    }
}
