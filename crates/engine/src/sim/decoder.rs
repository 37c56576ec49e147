//! Address decoding: an honest drive stores a position where it belongs; a fake stores it in another place or
//! not at all.

use std::collections::{HashMap, VecDeque};

use super::model::{Beyond, DriveModel};
use super::whole_blocks::CONTENT_BLOCK_BYTES;

const BLOCK_BYTES: u64 = CONTENT_BLOCK_BYTES as u64;

/// Maps claimed positions to real ones.
#[derive(Debug)]
pub(super) struct Decoder {
    /// Claimed capacity, in bytes.
    pub capacity_bytes: u64,
    real_capacity_bytes: u64,
    /// `None` for an honest drive.
    beyond: Option<Beyond>,
    decoded_bytes: u64,
    front: Front,
}

/// The latest blocks beyond a fake's real capacity, kept in slots behind its real end.
#[derive(Debug)]
struct Front {
    slots_max: u64,
    slots: HashMap<u64, u64>,
    /// The blocks in `slots`, oldest first.
    order: VecDeque<u64>,
}

impl Decoder {
    pub fn new(model: &DriveModel) -> Self {
        let fake = model.fake;
        Self {
            capacity_bytes: model.capacity_bytes,
            real_capacity_bytes: model.real_capacity_bytes(),
            beyond: fake.map(|fake| fake.beyond),
            decoded_bytes: fake.map_or(0, |fake| fake.decoded_bytes),
            front: Front {
                slots_max: fake.map_or(0, |fake| fake.front_bytes) / BLOCK_BYTES,
                slots: HashMap::new(),
                order: VecDeque::new(),
            },
        }
    }

    /// Real location of a position; `None` if lost.
    pub fn real_bytes(&self, position_bytes: u64) -> Option<u64> {
        let has_place = |position_bytes: &u64| *position_bytes < self.real_capacity_bytes;
        if position_bytes >= self.capacity_bytes {
            return None;
        }
        let place = match self.beyond {
            None => Some(position_bytes),
            Some(Beyond::Wrap) => Some(position_bytes % self.real_capacity_bytes),
            Some(Beyond::Chain) => Some(position_bytes % self.decoded_bytes).filter(has_place),
            Some(Beyond::Limbo | Beyond::Garbage) => Some(position_bytes).filter(has_place),
        };
        place.or_else(|| {
            let slot = self.front.slots.get(&(position_bytes / BLOCK_BYTES))?;
            Some(self.slot_bytes(*slot) + position_bytes % BLOCK_BYTES)
        })
    }

    fn slot_bytes(&self, slot: u64) -> u64 {
        self.real_capacity_bytes + slot * BLOCK_BYTES
    }

    /// Prepares a position for a write. Returns the location whose previous block is evicted.
    pub fn admit(&mut self, position_bytes: u64) -> Option<u64> {
        if self.front.slots_max == 0
            || position_bytes >= self.capacity_bytes
            || self.real_bytes(position_bytes).is_some()
        {
            return None;
        }
        let taken = self.front.order.len() as u64;
        let pushed_out = if taken == self.front.slots_max { self.front.order.pop_front() } else { None };
        let freed = pushed_out.and_then(|block| self.front.slots.remove(&block));
        let block = position_bytes / BLOCK_BYTES;
        self.front.slots.insert(block, freed.unwrap_or(taken));
        self.front.order.push_back(block);
        freed.map(|slot| self.slot_bytes(slot))
    }

    /// The stamp read for lost blocks: that of an arbitrary block, or 0.
    pub fn forgotten_stamp(&self, position_bytes: u64) -> u128 {
        if self.beyond != Some(Beyond::Garbage) || position_bytes >= self.capacity_bytes {
            return 0;
        }
        let block = position_bytes / BLOCK_BYTES;
        let word = |salt: u64| cardiograph_core::rng::derive_seed(block, salt);
        u128::from(word(1)) << 64 | u128::from(word(2))
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Fake;
    use super::super::workbench::plain;
    use super::*;

    const MIB: u64 = 1 << 20;

    fn decoder(beyond: Beyond, decoded_mib: u64, front_blocks: u64) -> Decoder {
        let fake = Fake {
            real_capacity_bytes: 16 * MIB,
            beyond,
            front_bytes: front_blocks * BLOCK_BYTES,
            decoded_bytes: decoded_mib * MIB,
        };
        Decoder::new(&plain(|model| model.fake = Some(fake)))
    }

    #[test]
    fn each_kind_of_fake_decodes_differently() {
        let end = plain(|_| {}).capacity_bytes;
        let positions = [0, 15 * MIB, 16 * MIB, 31 * MIB, 32 * MIB + 1, 50 * MIB, end];
        let cases = [
            (Beyond::Wrap, 0, [Some(0), Some(15), Some(0), Some(15), Some(0), Some(2), None]),
            (Beyond::Limbo, 0, [Some(0), Some(15), None, None, None, None, None]),
            (Beyond::Garbage, 0, [Some(0), Some(15), None, None, None, None, None]),
            (Beyond::Chain, 32, [Some(0), Some(15), None, None, Some(0), None, None]),
        ];
        for (beyond, decoded_mib, expected) in cases {
            let decoder = decoder(beyond, decoded_mib, 0);
            let found = positions.map(|position| decoder.real_bytes(position).map(|real| real / MIB));
            assert_eq!(found, expected, "{beyond:?}");
        }
    }

    #[test]
    fn the_front_keeps_the_latest_and_evicts_the_oldest() {
        let mut decoder = decoder(Beyond::Limbo, 0, 2);
        let at = |block: u64| 20 * MIB + block * BLOCK_BYTES;
        assert_eq!(decoder.admit(MIB), None, "it has a place");
        assert_eq!((decoder.admit(at(0)), decoder.admit(at(1)), decoder.admit(at(0))), (None, None, None));
        let first = decoder.real_bytes(at(0)).unwrap();
        assert_eq!(decoder.real_bytes(at(0) + 5), Some(first + 5));
        assert_eq!(decoder.admit(at(2)), Some(first));
        assert_eq!((decoder.real_bytes(at(0)), decoder.real_bytes(at(2))), (None, Some(first)));
        assert!(decoder.real_bytes(at(1)).is_some());
    }

    #[test]
    fn only_garbage_returns_a_stamp_for_lost_blocks() {
        assert_eq!(decoder(Beyond::Limbo, 0, 0).forgotten_stamp(20 * MIB), 0);
        let garbage = decoder(Beyond::Garbage, 0, 0);
        assert_ne!(garbage.forgotten_stamp(20 * MIB), garbage.forgotten_stamp(21 * MIB));
    }
}
