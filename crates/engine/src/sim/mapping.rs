//! The cost of mapping units larger than a write.
//!
//! A unit is written front to back. A write that begins inside a unit has the part before it copied from its
//! old location; when the drive has too many open units, the oldest is closed, and the rest of it is copied.
//! So a sequential write has no extra cost, and a single 4 KiB write costs a whole unit: 16 KiB on a good
//! card, 4 MiB on one made for video.

use super::model::Mapping;

/// Positions at which writes can continue without copying, latest last.
#[derive(Debug)]
pub(super) struct OpenUnits {
    mapping: Mapping,
    ends: Vec<u64>,
}

impl OpenUnits {
    pub fn new(mapping: Mapping) -> Self {
        Self { mapping, ends: Vec::with_capacity(mapping.open_units as usize) }
    }

    /// Records a write, and returns how many bytes the drive has to copy for it.
    pub fn write(&mut self, position_bytes: u64, len_bytes: u64) -> u64 {
        let unit = self.mapping.unit_bytes;
        let mut copied_bytes = 0;
        if let Some(at) = self.ends.iter().position(|&end| end == position_bytes) {
            self.ends.remove(at);
        } else {
            // A non-sequential write closes its unit; if there are too many, the oldest one is closed.
            let same =
                self.ends.iter().position(|&end| end % unit != 0 && end / unit == position_bytes / unit);
            let is_full = self.ends.len() >= self.mapping.open_units as usize;
            if let Some(at) = same.or(is_full.then_some(0)) {
                let end = self.ends.remove(at);
                copied_bytes += end.next_multiple_of(unit) - end;
            }
            copied_bytes += position_bytes % unit;
        }
        self.ends.push(position_bytes + len_bytes);
        copied_bytes
    }

    /// Records a trim: an open unit with nothing left to copy is closed.
    pub fn trim(&mut self, position_bytes: u64, len_bytes: u64) {
        let unit = self.mapping.unit_bytes;
        let end_bytes = position_bytes.saturating_add(len_bytes);
        self.ends.retain(|&end| end < position_bytes || end.next_multiple_of(unit) > end_bytes);
    }

    /// How long copying takes, in nanoseconds.
    pub fn copy_ns(&self, copied_bytes: u64) -> f64 {
        copied_bytes as f64 * 1e9 / self.mapping.copy_bytes_per_s as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(open_units: u32, writes: &[(u64, u64)]) -> Vec<u64> {
        let mut open =
            OpenUnits::new(Mapping { unit_bytes: 100, open_units, copy_bytes_per_s: 1_000_000_000 });
        writes.iter().map(|&(position, len)| open.write(position, len)).collect()
    }

    #[test]
    fn sequential_writes_copy_nothing() {
        assert_eq!(copied(1, &[(0, 30), (30, 30), (60, 60), (120, 300)]), [0, 0, 0, 0]);
        assert_eq!(copied(2, &[(0, 30), (1_000, 50), (30, 30), (1_050, 50)]), [0, 0, 0, 0]);
    }

    #[test]
    fn a_single_write_costs_the_rest_of_its_unit() {
        // Each copies the part before it, and the part after the one that it closes.
        assert_eq!(copied(1, &[(20, 10), (520, 10), (900, 10)]), [20, 70 + 20, 70]);
        // Whole units have no extra cost anywhere.
        assert_eq!(copied(1, &[(500, 100), (0, 200), (900, 100)]), [0, 0, 0]);
    }

    #[test]
    fn too_many_streams_close_the_oldest() {
        assert_eq!(copied(2, &[(0, 10), (100, 10), (200, 10), (10, 10)]), [0, 0, 90, 90 + 10]);
    }

    #[test]
    fn writing_at_another_place_in_an_open_unit_closes_it() {
        assert_eq!(copied(2, &[(0, 10), (100, 10), (50, 10)]), [0, 0, 90 + 50]);
    }

    #[test]
    fn trimmed_data_is_not_copied() {
        for (trimmed, copied_bytes) in [((30, 70), 0), ((0, 1_000), 0), ((30, 69), 70), ((31, 100), 70)] {
            let mut open =
                OpenUnits::new(Mapping { unit_bytes: 100, open_units: 1, copy_bytes_per_s: 1_000 });
            open.write(0, 30);
            open.trim(trimmed.0, trimmed.1);
            assert_eq!(open.write(500, 100), copied_bytes, "{trimmed:?}");
        }
    }

    #[test]
    fn copying_takes_time() {
        let open = OpenUnits::new(Mapping { unit_bytes: 100, open_units: 1, copy_bytes_per_s: 2_000 });
        assert_eq!(open.copy_ns(1_000), 0.5e9);
    }
}
