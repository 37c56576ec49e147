//! What is stored where: a stamp for each 4 KiB.

use super::model::{Beyond, DriveModel};

/// Length of the blocks whose content is kept, in bytes.
pub const CONTENT_BLOCK_BYTES: usize = 4096;

const BLOCK_BYTES: u64 = CONTENT_BLOCK_BYTES as u64;
/// Blocks that are kept together: the stamps of 1 MiB.
const CHUNK_BLOCKS: usize = 256;

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
    chunks: Vec<Option<Box<[u128; CHUNK_BLOCKS]>>>,
    /// Ranges whose last write was altered.
    altered: Vec<(u64, u64, Alteration)>,
}

impl Content {
    pub fn new(model: &DriveModel) -> Self {
        Self {
            capacity_bytes: model.capacity_bytes,
            real_capacity_bytes: model.real_capacity_bytes(),
            beyond: model.fake.map_or(Beyond::Limbo, |fake| fake.beyond),
            chunks: Vec::new(),
            altered: Vec::new(),
        }
    }

    /// The block that a position really lies in; `None` where the drive forgets.
    fn block(&self, position_bytes: u64) -> Option<usize> {
        let real = match self.beyond {
            _ if position_bytes < self.real_capacity_bytes => position_bytes,
            _ if position_bytes >= self.capacity_bytes => return None,
            Beyond::Wrap => position_bytes % self.real_capacity_bytes,
            Beyond::Limbo => return None,
        };
        usize::try_from(real / BLOCK_BYTES).ok()
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
            Some((.., Alteration::Move(by))) => ((position_bytes + by) % self.capacity_bytes, stamp),
        };
        let Some(block) = self.block(position_bytes) else { return };
        let chunk = block / CHUNK_BLOCKS;
        if chunk >= self.chunks.len() {
            self.chunks.resize_with(chunk + 1, || None);
        }
        let stamps = self.chunks[chunk].get_or_insert_with(|| Box::new([0; CHUNK_BLOCKS]));
        stamps[block % CHUNK_BLOCKS] = stamp;
    }

    /// The stamp of a block; 0 where nothing was written, or it was forgotten.
    pub fn load(&self, position_bytes: u64) -> u128 {
        let stored = self.block(position_bytes).and_then(|block| {
            let stamps = self.chunks.get(block / CHUNK_BLOCKS)?.as_ref()?;
            Some(stamps[block % CHUNK_BLOCKS])
        });
        stored.unwrap_or(0)
    }

    /// Turns what is stored in a range into something else.
    pub fn decay(&mut self, start_bytes: u64, len_bytes: u64) {
        for position in (start_bytes..start_bytes + len_bytes).step_by(CONTENT_BLOCK_BYTES) {
            let Some(block) = self.block(position) else { continue };
            if let Some(Some(stamps)) = self.chunks.get_mut(block / CHUNK_BLOCKS) {
                stamps[block % CHUNK_BLOCKS] = !stamps[block % CHUNK_BLOCKS];
            }
        }
    }
}
