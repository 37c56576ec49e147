//! Zones used one after the other.

use cardiograph_core::rng::derive_seed;
use cardiograph_core::workload::{StridedZones, Workload};

use super::piece::Piece;

/// Draws offsets in a zone until a number of bytes was moved there, then in the next zone, cyclically.
#[derive(Debug, Clone)]
pub(super) struct Strided {
    /// Offsets in a zone.
    whole: Piece,
    /// Offsets in the last zone if the region's end truncates it.
    cut: Option<Piece>,
    zones: u64,
    /// Distance between starts of zones.
    distance_bytes: u64,
    /// Bytes to move in a zone, and in the last one.
    used_bytes: u64,
    cut_used_bytes: u64,
    zone: u64,
    moved_bytes: u64,
}

impl Strided {
    /// The zones of a region that have space for the longest I/O. The same seed gives the same offsets.
    pub fn new(workload: &Workload, zones: &StridedZones, region_len_bytes: u64, seed: u64) -> Self {
        let distance_bytes = zones.zone_len_bytes.saturating_add(zones.skip_bytes).max(1);
        let (longest_bytes, shortest_bytes) =
            (workload.block_len_bytes_max(), workload.block_len_bytes_min().max(1));
        let count = region_len_bytes.saturating_sub(longest_bytes) / distance_bytes + 1;
        let last_len_bytes = region_len_bytes - (count - 1) * distance_bytes;
        let places = |len_bytes, part| Piece::new(workload, len_bytes, derive_seed(seed, part));
        let is_cut = last_len_bytes < zones.zone_len_bytes;
        Self {
            whole: places(zones.zone_len_bytes, 0),
            cut: is_cut.then(|| places(last_len_bytes, 1)),
            zones: count,
            distance_bytes,
            used_bytes: zones.used_bytes,
            // A truncated zone is covered once, in whole blocks.
            cut_used_bytes: zones.used_bytes.min(last_len_bytes - last_len_bytes % shortest_bytes),
            zone: 0,
            moved_bytes: 0,
        }
    }

    /// Whether a sequential I/O of this length would exceed the end of the zone, and thus restarts.
    pub fn is_beyond(&self, index: usize, len_bytes: u64) -> bool {
        let places = if self.is_in_cut() { self.cut.as_ref() } else { None };
        places.unwrap_or(&self.whole).is_beyond(index, len_bytes)
    }

    /// Offset of the next I/O in bytes from the start of the region.
    #[inline(never)]
    pub fn next(&mut self, index: usize, len_bytes: u64) -> u64 {
        let is_in_cut = self.is_in_cut();
        let used_bytes = if is_in_cut { self.cut_used_bytes } else { self.used_bytes };
        let places = if is_in_cut { self.cut.as_mut() } else { None };
        let places = places.unwrap_or(&mut self.whole);
        let at = self.zone * self.distance_bytes + places.next(index, len_bytes);
        self.moved_bytes += len_bytes;
        if self.moved_bytes >= used_bytes {
            places.restart();
            self.moved_bytes = 0;
            self.zone = if self.zone + 1 == self.zones { 0 } else { self.zone + 1 };
        }
        at
    }

    fn is_in_cut(&self) -> bool {
        self.cut.is_some() && self.zone + 1 == self.zones
    }
}
