//! Space for writes that is used up under load and recovers in idle time: a fast cache, and erased blocks.

use cardiograph_core::rng::Rng;

use super::model::{Cache, Collection};
use super::paths::PathDealer;

/// Number of bytes at a rate in a time.
fn bytes_in(bytes_per_s: u64, ns: u64) -> u64 {
    u64::try_from(u128::from(bytes_per_s) * u128::from(ns) / 1_000_000_000).unwrap_or(u64::MAX)
}

/// The fast region in front of slower flash.
#[derive(Debug)]
pub(super) struct CacheRoom {
    cache: Cache,
    free_bytes: u64,
}

impl CacheRoom {
    pub fn new(cache: Cache) -> Self {
        Self { cache, free_bytes: cache.len_bytes }
    }

    /// Accepts a write, and returns the factor on programming time.
    pub fn write(&mut self, len_bytes: u64) -> f64 {
        let fast_bytes = len_bytes.min(self.free_bytes);
        self.free_bytes -= fast_bytes;
        if fast_bytes == len_bytes {
            return 1.0;
        }
        let slow_bytes = len_bytes - fast_bytes;
        (fast_bytes as f64 + slow_bytes as f64 * self.cache.slow_factor) / len_bytes as f64
    }

    /// Recovers in idle time.
    pub fn rest(&mut self, ns: u64) {
        let refilled = self.free_bytes.saturating_add(bytes_in(self.cache.refill_bytes_per_s, ns));
        self.free_bytes = refilled.min(self.cache.len_bytes);
    }
}

/// Erased blocks, and the stalls in which new ones are made.
#[derive(Debug)]
pub(super) struct ErasedRoom {
    collection: Collection,
    /// Bytes that can be written before the next stall.
    free_bytes: u64,
    /// Space freed by the stalls of a cluster, available after its end.
    saved_bytes: u64,
    stalls: PathDealer,
    rng: Rng,
}

impl ErasedRoom {
    pub fn new(collection: Collection, stalls: PathDealer, rng: Rng) -> Self {
        Self { free_bytes: collection.reserve_bytes, saved_bytes: 0, stalls, rng, collection }
    }

    /// Accepts a write, and returns how long the drive has to stall for it, in nanoseconds.
    pub fn write(&mut self, len_bytes: u64) -> u64 {
        if len_bytes <= self.free_bytes {
            self.free_bytes -= len_bytes;
            return 0;
        }
        let missing_bytes = len_bytes - self.free_bytes;
        let made_bytes = self.saved_bytes.saturating_add(self.collection.superblock_bytes);
        let is_repeated = self.rng.unit() < self.collection.repeat_share;
        let given_bytes = if is_repeated { self.collection.repeat_gap_bytes } else { made_bytes };
        self.saved_bytes = made_bytes - given_bytes.min(made_bytes);
        self.free_bytes = given_bytes.saturating_sub(missing_bytes);
        self.stalls.draw_ns() as u64
    }

    /// Recovers in idle time.
    pub fn rest(&mut self, ns: u64) {
        let made = bytes_in(self.collection.refill_bytes_per_s, ns);
        let refilled = self.free_bytes.saturating_add(made).min(self.collection.reserve_bytes);
        self.free_bytes = self.free_bytes.max(refilled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::model::Path;

    #[test]
    fn the_cache_is_full_at_its_size_to_the_byte() {
        let mut room = CacheRoom::new(Cache { len_bytes: 1_000, slow_factor: 5.0, refill_bytes_per_s: 100 });
        assert_eq!((room.write(900), room.write(100)), (1.0, 1.0));
        assert_eq!(room.write(100), 5.0);
        room.rest(500_000_000);
        // 50 bytes were freed: half of the write is fast.
        assert_eq!(room.write(100), 3.0);
        room.rest(3_600_000_000_000);
        assert_eq!((room.write(1_000), room.write(1)), (1.0, 5.0));
    }

    fn erased(reserve_bytes: u64, repeat_share: f64) -> ErasedRoom {
        let path = Path { share: 1.0, mean_ns: 7, deviation_ns: 0 };
        let collection = Collection {
            reserve_bytes,
            superblock_bytes: 1_000,
            stalls: vec![path],
            repeat_share,
            repeat_gap_bytes: 100,
            refill_bytes_per_s: 2_000,
        };
        ErasedRoom::new(collection, PathDealer::new(&[path], Rng::new(1)), Rng::new(2))
    }

    #[test]
    fn stalls_begin_when_the_reserve_is_used_up_and_occur_once_per_superblock() {
        let mut room = erased(5_000, 0.0);
        let stalls: Vec<u64> = (0..1_000).filter(|_| room.write(100) > 0).collect();
        assert_eq!(stalls[0], 50);
        assert_eq!(stalls.len(), 95, "95,000 bytes behind the reserve, 1,000 a stall");
        assert!(stalls.windows(2).all(|pair| pair[1] - pair[0] == 10));
        room.rest(1_000_000_000);
        assert_eq!((0..20).filter(|_| room.write(100) > 0).count(), 0);
        assert_eq!(room.write(100), 7);
    }

    #[test]
    fn clusters_group_stalls_without_adding_any() {
        let mut room = erased(0, 0.5);
        let stalls: Vec<u64> = (0..100_000).filter(|_| room.write(100) > 0).collect();
        assert!(stalls.len().abs_diff(10_000) < 20, "{}", stalls.len());
        let close = stalls.windows(2).filter(|pair| pair[1] - pair[0] == 1).count();
        assert!(close.abs_diff(5_000) < 250, "{close} follow another at once");
    }
}
