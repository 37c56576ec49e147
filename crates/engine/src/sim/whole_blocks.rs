//! Storage for complete blocks. Blocks of a job that verifies its writes differ only in their headers and
//! stamps: only these are stored, plus one block with the rest.

use std::collections::HashMap;

use crate::buffers::{STAMP_EVERY_BYTES, STAMP_LEN_BYTES};

/// Length of the blocks whose content is kept, in bytes.
pub const CONTENT_BLOCK_BYTES: usize = 4096;

/// A block.
pub(super) type Block = [u8; CONTENT_BLOCK_BYTES];

/// Bytes at the front of a block that may be unique: a header with its checksum.
const HEAD_BYTES: usize = 64;
const SECTORS: usize = CONTENT_BLOCK_BYTES / STAMP_EVERY_BYTES;
/// Unique bytes of a block: the head, and the stamps of the sectors after the first.
const OWN_BYTES: usize = HEAD_BYTES + (SECTORS - 1) * STAMP_LEN_BYTES;
/// Maximum number of shared blocks; further ones are stored completely.
const MODELS_MAX: usize = 1_024;
/// Bytes after the head, used to look up a shared block.
const KEY_BYTES: usize = 16;

#[derive(Debug)]
enum Kept {
    Whole(Box<Block>),
    /// Equal to a shared block except for these bytes.
    Like(u32, Box<[u8; OWN_BYTES]>),
}

/// Blocks by number.
#[derive(Debug, Default)]
pub(super) struct WholeBlocks {
    blocks: HashMap<u64, Kept>,
    models: Vec<Box<Block>>,
    by_key: HashMap<[u8; KEY_BYTES], u32>,
}

/// Start and end of the unique parts of a block.
fn own_parts() -> impl Iterator<Item = (usize, usize)> {
    let stamps = (1..SECTORS).map(|sector| sector * STAMP_EVERY_BYTES);
    std::iter::once((0, HEAD_BYTES)).chain(stamps.map(|at| (at, at + STAMP_LEN_BYTES)))
}

/// Whether two blocks are equal except for their unique parts.
fn is_like(block: &Block, other: &Block) -> bool {
    let ends = own_parts().skip(1).map(|(start, _)| start).chain([CONTENT_BLOCK_BYTES]);
    own_parts().zip(ends).all(|((_, from), until)| block[from..until] == other[from..until])
}

impl WholeBlocks {
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn remove(&mut self, number: u64) {
        self.blocks.remove(&number);
    }

    pub fn get(&self, number: u64) -> Option<Block> {
        match self.blocks.get(&number)? {
            Kept::Whole(block) => Some(**block),
            Kept::Like(model, own) => {
                let mut block = *self.models[*model as usize];
                let mut rest = &own[..];
                for (start, end) in own_parts() {
                    let (part, behind) = rest.split_at(end - start);
                    block[start..end].copy_from_slice(part);
                    rest = behind;
                }
                Some(block)
            }
        }
    }

    pub fn put(&mut self, number: u64, block: &Block) {
        let kept = match self.model_of(block) {
            None => Kept::Whole(Box::new(*block)),
            Some(model) => {
                let mut own = Box::new([0; OWN_BYTES]);
                let mut at = 0;
                for (start, end) in own_parts() {
                    own[at..at + end - start].copy_from_slice(&block[start..end]);
                    at += end - start;
                }
                Kept::Like(model, own)
            }
        };
        self.blocks.insert(number, kept);
    }

    /// The shared block that a block equals; if there is none and room for it, the block becomes one.
    fn model_of(&mut self, block: &Block) -> Option<u32> {
        let key: [u8; KEY_BYTES] = std::array::from_fn(|i| block[HEAD_BYTES + i]);
        if let Some(&model) = self.by_key.get(&key) {
            return is_like(block, &self.models[model as usize]).then_some(model);
        }
        let model = u32::try_from(self.models.len()).ok().filter(|&model| (model as usize) < MODELS_MAX)?;
        self.models.push(Box::new(*block));
        self.by_key.insert(key, model);
        Some(model)
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::rng::Rng;

    use super::*;

    fn random(seed: u64) -> Block {
        let mut block = [0; CONTENT_BLOCK_BYTES];
        Rng::new(seed).fill(&mut block);
        block
    }

    #[test]
    fn stored_blocks_are_loaded_unchanged() {
        let mut blocks = WholeBlocks::default();
        let base = random(1);
        let changed = |at: usize| {
            let mut block = base;
            block[at] ^= 1;
            block
        };
        // Bytes that are unique, shared and part of the key, and blocks that have nothing in common.
        let mut all: Vec<Block> = [0, 63, 64, 79, 80, 512, 527, 528, 4_095].map(changed).to_vec();
        all.extend((2..2_000).map(random));
        (0..).zip(&all).for_each(|(number, block)| blocks.put(number, block));
        assert!((0..).zip(&all).all(|(number, block)| blocks.get(number) == Some(*block)));
        blocks.put(3, &base);
        blocks.remove(4);
        assert_eq!((blocks.get(3), blocks.get(4)), (Some(base), None));
    }

    #[test]
    fn blocks_that_differ_only_in_stamps_share_the_rest() {
        let mut blocks = WholeBlocks::default();
        let mut block = random(1);
        for number in 0..100 {
            block[8..16].copy_from_slice(&u64::to_le_bytes(number));
            block[512..520].copy_from_slice(&u64::to_le_bytes(number));
            blocks.put(number, &block);
        }
        assert_eq!(blocks.models.len(), 1);
        assert!(blocks.blocks.values().all(|kept| matches!(kept, Kept::Like(0, _))));
    }
}
