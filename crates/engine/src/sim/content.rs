//! Stored data: a stamp for each 4 KiB, and all bytes if a job verifies its writes.

use super::decoder::Decoder;
use super::model::DriveModel;
use super::whole_blocks::{Block, CONTENT_BLOCK_BYTES, WholeBlocks};
use crate::buffers::STAMP_LEN_BYTES;

/// Size of an atomic write, in bytes.
const SECTOR_BYTES: usize = 512;
const BLOCK_BYTES: u64 = CONTENT_BLOCK_BYTES as u64;
/// Stamps per chunk: those of 1 MiB.
const CHUNK_BLOCKS: usize = 256;
/// Chunks per shelf: those of 1 GiB.
const SHELF_CHUNKS: usize = 1_024;

type Chunk = [u128; CHUNK_BLOCKS];
type Shelf = [Option<Box<Chunk>>; SHELF_CHUNKS];

/// Location of a block's stamp.
struct StampLocation {
    shelf: usize,
    chunk: usize,
    block: usize,
}

/// Corruption of a range while it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alteration {
    /// Other stamps and bytes are stored.
    Flip,
    /// The bit with this index in the range is flipped.
    FlipBit(u64),
    /// The range is stored this many bytes further on.
    Move(u64),
    /// Nothing is stored.
    Lose,
}

impl Alteration {
    /// Applies it to bytes that lie `at_bytes` into the range.
    fn apply(self, bytes: &mut [u8], at_bytes: u64) {
        match self {
            Self::Flip => bytes.iter_mut().for_each(|byte| *byte = !*byte),
            Self::FlipBit(bit) => {
                let at = (bit / 8).checked_sub(at_bytes).and_then(|at| bytes.get_mut(at as usize));
                at.into_iter().for_each(|byte| *byte ^= 1 << (bit % 8));
            }
            Self::Move(_) | Self::Lose => {}
        }
    }
}

/// A drive's content. Memory use depends on the data written: 4 KiB for each MiB. If all bytes are kept, it
/// equals the data written, or a twentieth of that for blocks that differ only in their stamps.
#[derive(Debug)]
pub(super) struct Content {
    decoder: Decoder,
    shelves: Vec<Option<Box<Shelf>>>,
    /// Blocks whose bytes were all stored, by number.
    whole: WholeBlocks,
    /// Ranges whose last write was corrupted.
    altered: Vec<(u64, u64, Alteration)>,
}

impl Content {
    pub fn new(model: &DriveModel) -> Self {
        Self {
            decoder: Decoder::new(model),
            shelves: Vec::new(),
            whole: WholeBlocks::default(),
            altered: Vec::new(),
        }
    }

    /// Real location of the block at a position; `None` if the drive loses it.
    fn locate(&self, position_bytes: u64) -> Option<StampLocation> {
        Some(stamp_location(self.decoder.real_bytes(position_bytes)?))
    }

    /// Prepares a position for a write.
    fn admit(&mut self, position_bytes: u64) {
        if let Some(pushed_out_bytes) = self.decoder.admit(position_bytes) {
            self.whole.remove(pushed_out_bytes / BLOCK_BYTES);
            self.put(stamp_location(pushed_out_bytes), 0);
        }
    }

    /// Prepares a range for a write, with its corruption.
    pub fn begin_write(&mut self, start_bytes: u64, len_bytes: u64, altered: Option<(u64, u64, Alteration)>) {
        let end_bytes = start_bytes + len_bytes;
        self.altered.retain(|&(start, end, _)| end <= start_bytes || end_bytes <= start);
        self.altered.extend(altered.filter(|&(start, end, _)| start < end));
    }

    fn alteration(&self, position_bytes: u64) -> Option<(u64, Alteration)> {
        let within = |&&(start, end, _): &&(u64, u64, Alteration)| (start..end).contains(&position_bytes);
        self.altered.iter().find(within).map(|&(start, _, alteration)| (start, alteration))
    }

    /// Where a misdirected write of a position is stored.
    fn moved(&self, position_bytes: u64, by_bytes: u64) -> u64 {
        ((u128::from(position_bytes) + u128::from(by_bytes)) % u128::from(self.decoder.capacity_bytes)) as u64
    }

    /// Stores the stamps at the start of each block of a range.
    pub fn store_stamps(&mut self, position_bytes: u64, bytes: &[u8]) {
        let positions = (position_bytes..).step_by(CONTENT_BLOCK_BYTES);
        for (position, block) in positions.zip(bytes.chunks(CONTENT_BLOCK_BYTES)) {
            if let Some(stamp) = block.first_chunk() {
                self.store(position, u128::from_le_bytes(*stamp));
            }
        }
    }

    /// Stores the stamp of a block.
    pub fn store(&mut self, position_bytes: u64, stamp: u128) {
        let (position_bytes, stamp) = match self.alteration(position_bytes) {
            None => (position_bytes, stamp),
            Some((_, Alteration::Flip)) => (position_bytes, !stamp),
            Some((start, Alteration::FlipBit(bit))) => {
                let is_here = (position_bytes - start) / BLOCK_BYTES == bit / 8 / BLOCK_BYTES;
                (position_bytes, if is_here { stamp ^ (1 << (bit % 128)) } else { stamp })
            }
            Some((_, Alteration::Move(by_bytes))) => (self.moved(position_bytes, by_bytes), stamp),
            Some((_, Alteration::Lose)) => return,
        };
        self.admit(position_bytes);
        let Some(real_bytes) = self.decoder.real_bytes(position_bytes) else { return };
        if !self.whole.is_empty() {
            self.whole.remove(real_bytes / BLOCK_BYTES);
        }
        self.put(stamp_location(real_bytes), stamp);
    }

    /// Stores all bytes of a write.
    pub fn store_bytes(&mut self, position_bytes: u64, bytes: &[u8]) {
        if self.altered.is_empty() {
            return self.store_range(position_bytes, bytes);
        }
        for (sector, position) in bytes.chunks(SECTOR_BYTES).zip((position_bytes..).step_by(SECTOR_BYTES)) {
            match self.alteration(position) {
                None => self.store_range(position, sector),
                Some((_, Alteration::Lose)) => {}
                Some((_, Alteration::Move(by_bytes))) => {
                    self.store_range(self.moved(position, by_bytes), sector)
                }
                Some((start, alteration)) => {
                    let mut sector = sector.to_vec();
                    alteration.apply(&mut sector, position - start);
                    self.store_range(position, &sector);
                }
            }
        }
    }

    fn store_range(&mut self, position_bytes: u64, mut bytes: &[u8]) {
        let mut position = position_bytes;
        while !bytes.is_empty() {
            let at = (position % BLOCK_BYTES) as usize;
            let (front, rest) = bytes.split_at(bytes.len().min(CONTENT_BLOCK_BYTES - at));
            self.admit(position);
            if let Some(real_bytes) = self.decoder.real_bytes(position) {
                let number = real_bytes / BLOCK_BYTES;
                let mut block: Block =
                    self.whole.get(number).unwrap_or_else(|| stamped_block(self.load(position)));
                block[at..at + front.len()].copy_from_slice(front);
                self.whole.put(number, &block);
                let stamp = block.first_chunk().map_or(0, |stamp| u128::from_le_bytes(*stamp));
                if let Some(location) = self.locate(position).filter(|_| at < STAMP_LEN_BYTES) {
                    self.put(location, stamp);
                }
            }
            position += front.len() as u64;
            bytes = rest;
        }
    }

    /// Loads all bytes of a range: stamps and zeros where only stamps were kept.
    pub fn load_bytes(&self, position_bytes: u64, mut bytes: &mut [u8]) {
        let mut position = position_bytes;
        while !bytes.is_empty() {
            let at = (position % BLOCK_BYTES) as usize;
            let (front, rest) = bytes.split_at_mut(bytes.len().min(CONTENT_BLOCK_BYTES - at));
            let whole = self.decoder.real_bytes(position).and_then(|real| self.whole.get(real / BLOCK_BYTES));
            let block = whole.unwrap_or_else(|| stamped_block(self.load(position)));
            front.copy_from_slice(&block[at..at + front.len()]);
            position += front.len() as u64;
            bytes = rest;
        }
    }

    fn put(&mut self, location: StampLocation, stamp: u128) {
        if location.shelf >= self.shelves.len() {
            self.shelves.resize_with(location.shelf + 1, || None);
        }
        let chunks =
            self.shelves[location.shelf].get_or_insert_with(|| Box::new([const { None }; SHELF_CHUNKS]));
        let stamps = chunks[location.chunk].get_or_insert_with(|| Box::new([0; CHUNK_BLOCKS]));
        stamps[location.block] = stamp;
    }

    /// The stamp of a block; 0 if nothing was written, or the value that a fake returns for lost blocks.
    pub fn load(&self, position_bytes: u64) -> u128 {
        let Some(location) = self.locate(position_bytes) else {
            return self.decoder.forgotten_stamp(position_bytes);
        };
        let chunk =
            self.shelves.get(location.shelf).and_then(|shelf| shelf.as_ref()?[location.chunk].as_ref());
        chunk.map_or(0, |stamps| stamps[location.block])
    }

    /// Discards the whole blocks of a range.
    pub fn forget(&mut self, start_bytes: u64, len_bytes: u64) {
        self.begin_write(start_bytes, len_bytes, None);
        let end_bytes = start_bytes + len_bytes;
        let first_bytes = start_bytes.next_multiple_of(BLOCK_BYTES);
        for position in (first_bytes..end_bytes).step_by(CONTENT_BLOCK_BYTES) {
            if position + BLOCK_BYTES > end_bytes {
                continue;
            }
            if let Some(real_bytes) = self.decoder.real_bytes(position) {
                self.whole.remove(real_bytes / BLOCK_BYTES);
            }
            if self.load(position) == 0 {
                continue;
            }
            if let Some(location) = self.locate(position) {
                self.put(location, 0);
            }
        }
    }

    /// Corrupts stored data of a range.
    pub fn decay(&mut self, start_bytes: u64, len_bytes: u64, alteration: Alteration) {
        for position in (start_bytes..start_bytes + len_bytes).step_by(CONTENT_BLOCK_BYTES) {
            let at_bytes = position - start_bytes;
            let Some(location) = self.locate(position) else { continue };
            let mut stamp = self.load(position).to_le_bytes();
            alteration.apply(&mut stamp, at_bytes);
            self.put(location, u128::from_le_bytes(stamp));
            let number = self.decoder.real_bytes(position).unwrap_or_default() / BLOCK_BYTES;
            if let Some(mut block) = self.whole.get(number) {
                let from = (position % BLOCK_BYTES) as usize;
                let until = CONTENT_BLOCK_BYTES.min(from + (len_bytes - at_bytes) as usize);
                alteration.apply(&mut block[from..until], at_bytes);
                self.whole.put(number, &block);
            }
        }
    }
}

/// A block with a given stamp.
fn stamped_block(stamp: u128) -> Block {
    let mut block = [0; CONTENT_BLOCK_BYTES];
    block[..STAMP_LEN_BYTES].copy_from_slice(&stamp.to_le_bytes());
    block
}

/// Location of the stamp of the block at a position.
fn stamp_location(real_bytes: u64) -> StampLocation {
    let block = real_bytes / BLOCK_BYTES;
    let chunk = block / CHUNK_BLOCKS as u64;
    StampLocation {
        shelf: (chunk / SHELF_CHUNKS as u64) as usize,
        chunk: (chunk % SHELF_CHUNKS as u64) as usize,
        block: (block % CHUNK_BLOCKS as u64) as usize,
    }
}
