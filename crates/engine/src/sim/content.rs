//! What is stored where: a stamp for each 4 KiB.

use super::model::{Beyond, DriveModel};

/// Length of the blocks whose content is kept, in bytes.
pub const CONTENT_BLOCK_BYTES: usize = 4096;

const BLOCK_BYTES: u64 = CONTENT_BLOCK_BYTES as u64;
/// Stamps that are kept together: those of 1 MiB.
const CHUNK_BLOCKS: usize = 256;
/// Chunks that are kept together: those of 1 GiB.
const SHELF_CHUNKS: usize = 1_024;

type Chunk = [u128; CHUNK_BLOCKS];
type Shelf = [Option<Box<Chunk>>; SHELF_CHUNKS];

/// Where the stamp of a block is kept.
struct Place {
    shelf: usize,
    chunk: usize,
    block: usize,
}

/// What happens to the content of a range while it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alteration {
    /// Other stamps are stored.
    Flip,
    /// It is stored so many bytes further on.
    Move(u64),
}

/// A drive's content. Memory is used for what was written, 4 KiB for each MiB.
#[derive(Debug)]
pub(super) struct Content {
    capacity_bytes: u64,
    real_capacity_bytes: u64,
    beyond: Beyond,
    shelves: Vec<Option<Box<Shelf>>>,
    /// Ranges whose last write was altered.
    altered: Vec<(u64, u64, Alteration)>,
}

impl Content {
    pub fn new(model: &DriveModel) -> Self {
        Self {
            capacity_bytes: model.capacity_bytes,
            real_capacity_bytes: model.real_capacity_bytes(),
            beyond: model.fake.map_or(Beyond::Limbo, |fake| fake.beyond),
            shelves: Vec::new(),
            altered: Vec::new(),
        }
    }

    /// Where the block that a position lies in is kept in truth; `None` where the drive forgets.
    fn place(&self, position_bytes: u64) -> Option<Place> {
        let real = match self.beyond {
            _ if position_bytes < self.real_capacity_bytes => position_bytes,
            _ if position_bytes >= self.capacity_bytes => return None,
            Beyond::Wrap => position_bytes % self.real_capacity_bytes,
            Beyond::Limbo => return None,
        };
        let block = real / BLOCK_BYTES;
        let chunk = block / CHUNK_BLOCKS as u64;
        Some(Place {
            shelf: (chunk / SHELF_CHUNKS as u64) as usize,
            chunk: (chunk % SHELF_CHUNKS as u64) as usize,
            block: (block % CHUNK_BLOCKS as u64) as usize,
        })
    }

    /// Takes note that a range is about to be written, and how that goes wrong.
    pub fn begin_write(&mut self, start_bytes: u64, len_bytes: u64, alteration: Option<Alteration>) {
        let end_bytes = start_bytes + len_bytes;
        self.altered.retain(|&(start, end, _)| end <= start_bytes || end_bytes <= start);
        self.altered.extend(alteration.map(|alteration| (start_bytes, end_bytes, alteration)));
    }

    /// Stores the stamp of a block.
    pub fn store(&mut self, position_bytes: u64, stamp: u128) {
        let within = |&&(start, end, _): &&(u64, u64, Alteration)| (start..end).contains(&position_bytes);
        let (position_bytes, stamp) = match self.altered.iter().find(within) {
            None => (position_bytes, stamp),
            Some((.., Alteration::Flip)) => (position_bytes, !stamp),
            Some((.., Alteration::Move(by_bytes))) => {
                let moved =
                    (u128::from(position_bytes) + u128::from(*by_bytes)) % u128::from(self.capacity_bytes);
                (moved as u64, stamp)
            }
        };
        if let Some(place) = self.place(position_bytes) {
            self.put(place, stamp);
        }
    }

    fn put(&mut self, place: Place, stamp: u128) {
        if place.shelf >= self.shelves.len() {
            self.shelves.resize_with(place.shelf + 1, || None);
        }
        let chunks =
            self.shelves[place.shelf].get_or_insert_with(|| Box::new([const { None }; SHELF_CHUNKS]));
        let stamps = chunks[place.chunk].get_or_insert_with(|| Box::new([0; CHUNK_BLOCKS]));
        stamps[place.block] = stamp;
    }

    /// The stamp of a block; 0 where nothing was written, or it was forgotten.
    pub fn load(&self, position_bytes: u64) -> u128 {
        let stored = self.place(position_bytes).and_then(|place| {
            let chunks = self.shelves.get(place.shelf)?.as_ref()?;
            Some(chunks[place.chunk].as_ref()?[place.block])
        });
        stored.unwrap_or(0)
    }

    /// Forgets what is stored in a range, as far as it covers whole blocks.
    pub fn forget(&mut self, start_bytes: u64, len_bytes: u64) {
        self.begin_write(start_bytes, len_bytes, None);
        let end_bytes = start_bytes + len_bytes;
        let first_bytes = start_bytes.next_multiple_of(BLOCK_BYTES);
        for position in (first_bytes..end_bytes).step_by(CONTENT_BLOCK_BYTES) {
            if position + BLOCK_BYTES > end_bytes || self.load(position) == 0 {
                continue;
            }
            if let Some(place) = self.place(position) {
                self.put(place, 0);
            }
        }
    }

    /// Turns what is stored in a range into something else.
    pub fn decay(&mut self, start_bytes: u64, len_bytes: u64) {
        for position in (start_bytes..start_bytes + len_bytes).step_by(CONTENT_BLOCK_BYTES) {
            if let Some(place) = self.place(position) {
                self.put(place, !self.load(position));
            }
        }
    }
}
