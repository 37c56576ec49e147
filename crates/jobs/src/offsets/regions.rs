//! Offsets in a file's region.

use cardiograph_core::workload::Workload;

use super::piece::Piece;
use super::strided::Strided;

/// Draws offsets in a region, which is one piece or divided into zones. Reads have index 0, others 1: writes, or trims,
/// whose offset is reused by the write that follows.
#[derive(Debug, Clone)]
pub(super) struct RegionOffsets {
    offset_bytes: u64,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Piece(Piece),
    Strided(Box<Strided>),
}

impl RegionOffsets {
    /// Offsets of a workload in a region. The same seed gives the same offsets.
    pub fn new(workload: &Workload, offset_bytes: u64, region_len_bytes: u64, seed: u64) -> Self {
        let kind = match &workload.strided {
            Some(zones) => Kind::Strided(Box::new(Strided::new(workload, zones, region_len_bytes, seed))),
            None => Kind::Piece(Piece::new(workload, region_len_bytes, seed)),
        };
        Self { offset_bytes, kind }
    }

    /// Whether a sequential I/O of this length would exceed the end of the region, and thus restarts.
    #[inline]
    pub fn is_beyond(&self, index: usize, len_bytes: u64) -> bool {
        match &self.kind {
            Kind::Piece(piece) => piece.is_beyond(index, len_bytes),
            Kind::Strided(strided) => strided.is_beyond(index, len_bytes),
        }
    }

    /// Offset of the next I/O in bytes from the start of the file.
    #[inline(always)]
    pub fn next_offset(&mut self, index: usize, len_bytes: u64) -> u64 {
        let inside = match &mut self.kind {
            Kind::Piece(piece) => piece.next(index, len_bytes),
            Kind::Strided(strided) => strided.next(index, len_bytes),
        };
        self.offset_bytes + inside
    }
}
