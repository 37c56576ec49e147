//! Where in a file's region the next I/O lies.

use cardiograph_core::workload::Workload;

use super::piece::Piece;
use super::strided::Strided;

/// Draws places in one region, which is one piece or divided into zones. Reads have index 0, all else 1: writes, or trims,
/// which lend their place to the write behind them.
#[derive(Debug, Clone)]
pub(super) struct Places {
    offset_bytes: u64,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Piece(Piece),
    Strided(Box<Strided>),
}

impl Places {
    /// Places of a workload in a region. The same seed gives the same places.
    pub fn new(workload: &Workload, offset_bytes: u64, region_len_bytes: u64, seed: u64) -> Self {
        let kind = match &workload.strided {
            Some(zones) => Kind::Strided(Box::new(Strided::new(workload, zones, region_len_bytes, seed))),
            None => Kind::Piece(Piece::new(workload, region_len_bytes, seed)),
        };
        Self { offset_bytes, kind }
    }

    /// Whether a sequential I/O of this length would come to lie beyond the end of the region, so that it begins anew.
    #[inline]
    pub fn is_beyond(&self, index: usize, len_bytes: u64) -> bool {
        match &self.kind {
            Kind::Piece(piece) => piece.is_beyond(index, len_bytes),
            Kind::Strided(strided) => strided.is_beyond(index, len_bytes),
        }
    }

    /// Where the next I/O starts, in bytes from the start of the file.
    #[inline(always)]
    pub fn next_offset(&mut self, index: usize, len_bytes: u64) -> u64 {
        let inside = match &mut self.kind {
            Kind::Piece(piece) => piece.next(index, len_bytes),
            Kind::Strided(strided) => strided.next(index, len_bytes),
        };
        self.offset_bytes + inside
    }
}
