//! The minimum of a measurement: pread, or a copy from a mapping, in a loop, with two clock readings and one
//! histogram increment per I/O. cardiograph's additional time is the price of everything else it does.

use std::fs::File;
use std::hint::black_box;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use cardiograph_core::LatencyHistogram;
use cardiograph_engine::Clock;
use cardiograph_engine::mapping::{MapOptions, Mapping};

const BLOCK_LEN_BYTES: u64 = 4_096;

/// A page-aligned buffer, like the engine's.
#[repr(align(4096))]
struct Block([u8; BLOCK_LEN_BYTES as usize]);

/// Source of the loop's blocks.
pub trait Source {
    /// Called before each slice.
    fn begin(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Reads a whole block.
    fn read(&mut self, offset_bytes: u64, block: &mut [u8]) -> Result<(), String>;
}

impl Source for File {
    #[inline]
    fn read(&mut self, offset_bytes: u64, block: &mut [u8]) -> Result<(), String> {
        match self.read_at(block, offset_bytes).map_err(|error| format!("pread: {error}"))? {
            len if len == block.len() => Ok(()),
            len => Err(format!("pread at {offset_bytes} gave {len} bytes")),
        }
    }
}

/// A file mapped again for each slice, as a job does for each turn: the first access to a page causes a
/// fault.
pub struct Mapped {
    file: File,
    len_bytes: u64,
    mapping: Option<Mapping<File>>,
}

impl Source for Mapped {
    fn begin(&mut self) -> Result<(), String> {
        self.mapping = None;
        let file = self.file.try_clone().map_err(|error| format!("dup: {error}"))?;
        let mapping = Mapping::new(file, self.len_bytes, MapOptions::RANDOM_READS);
        self.mapping = Some(mapping.map_err(|error| format!("mmap: {error}"))?);
        Ok(())
    }

    #[inline]
    fn read(&mut self, offset_bytes: u64, block: &mut [u8]) -> Result<(), String> {
        let mapping = self.mapping.as_mut().ok_or("nothing is mapped")?;
        mapping.read(offset_bytes, block).map_err(|error| format!("a copy from {offset_bytes}: {error:?}"))
    }
}

/// The loop.
pub struct BareLoop<S> {
    source: S,
    clock: Clock,
    offsets: Offsets,
    buffer: Box<Block>,
}

impl BareLoop<File> {
    /// Reads the file at `path`, whose length must be a power of two.
    pub fn open(path: &Path, len_bytes: u64) -> Result<Self, String> {
        Ok(Self::over(opened(path)?, len_bytes))
    }
}

impl BareLoop<Mapped> {
    /// Copies from a mapping of the file at `path`, whose length must be a power of two.
    pub fn map(path: &Path, len_bytes: u64) -> Result<Self, String> {
        Ok(Self::over(Mapped { file: opened(path)?, len_bytes, mapping: None }, len_bytes))
    }
}

fn opened(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| format!("{}: {error}", path.display()))
}

impl<S: Source> BareLoop<S> {
    fn over(source: S, len_bytes: u64) -> Self {
        Self {
            source,
            clock: Clock::machine(),
            offsets: Offsets::new(len_bytes / BLOCK_LEN_BYTES),
            buffer: Box::new(Block([0; BLOCK_LEN_BYTES as usize])),
        }
    }

    /// Reads for `duration`. Returns the time per I/O in nanoseconds.
    pub fn slice(&mut self, duration: Duration) -> Result<f64, String> {
        self.source.begin()?;
        let mut histogram = LatencyHistogram::default();
        let mut ios = 0u64;
        let start = self.clock.now();
        let deadline = start + self.clock.ticks(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX));
        loop {
            let offset = self.offsets.next_block() * BLOCK_LEN_BYTES;
            let started_at = self.clock.now();
            self.source.read(offset, &mut self.buffer.0)?;
            let completed_at = self.clock.now();
            histogram.record(self.clock.ns_between(started_at, completed_at));
            ios += 1;
            if completed_at >= deadline {
                black_box(&histogram);
                return Ok(self.clock.ns_between(start, completed_at) as f64 / ios as f64);
            }
        }
    }
}

/// All blocks in random order, each once in a round: a linear congruential generator of full period (Knuth,
/// volume 2, theorem A of section 3.2.1.2), with the high bits folded into the low ones, which would
/// alternate.
struct Offsets {
    state: u64,
    mask: u64,
    shift: u32,
}

impl Offsets {
    /// `blocks` must be a power of two.
    fn new(blocks: u64) -> Self {
        assert!(blocks.is_power_of_two(), "{blocks} blocks");
        Self { state: 1, mask: blocks - 1, shift: (blocks.trailing_zeros() / 2).max(1) }
    }

    #[inline]
    fn next_block(&mut self) -> u64 {
        self.state =
            self.state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f) & self.mask;
        self.state ^ (self.state >> self.shift)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn every_block_comes_once_and_jumps_are_far() {
        for bits in [1, 2, 7, 12] {
            let blocks = 1u64 << bits;
            let mut offsets = Offsets::new(blocks);
            let order: Vec<u64> = (0..blocks).map(|_| offsets.next_block()).collect();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..blocks), "{bits}");
            if bits == 12 {
                // The mean distance of two random blocks is a third of the total.
                let jumps: u64 = order.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum();
                let mean = jumps as f64 / (blocks - 1) as f64 / blocks as f64;
                assert!((0.28..0.39).contains(&mean), "{mean}");
            }
        }
    }

    #[test]
    fn a_slice_lasts_as_long_as_requested_and_short_files_are_noticed() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("blocks");
        std::fs::write(&path, vec![1; 16 * BLOCK_LEN_BYTES as usize]).unwrap();
        let mut bare = BareLoop::open(&path, 16 * BLOCK_LEN_BYTES).unwrap();
        let began = Instant::now();
        let ns = bare.slice(Duration::from_millis(5)).unwrap();
        assert!(began.elapsed() >= Duration::from_millis(5));
        assert!(ns > 10.0 && ns < 5e6, "{ns}");
        let mut longer = BareLoop::open(&path, 32 * BLOCK_LEN_BYTES).unwrap();
        assert!(longer.slice(Duration::from_millis(5)).unwrap_err().contains("gave 0 bytes"));
        let mut mapped = BareLoop::map(&path, 16 * BLOCK_LEN_BYTES).unwrap();
        assert!(mapped.slice(Duration::from_millis(5)).unwrap() > 1.0);
        let mut longer = BareLoop::map(&path, 32 * BLOCK_LEN_BYTES).unwrap();
        assert!(longer.slice(Duration::from_millis(5)).unwrap_err().contains("Fault"));
    }
}
