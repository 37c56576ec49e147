//! Where in a file's region the next I/O lies.

use super::BlockOrder;
use crate::direction::Direction;
use crate::rng::Rng;
use crate::workload::{BlockLen, Order, Workload};

/// Directions that move data at a place of their own: reads and writes.
const MOVING: [Direction; 2] = [Direction::Read, Direction::Write];

/// Draws places in one region. Reads have index 0, all else 1.
#[derive(Debug, Clone)]
pub(super) struct Places {
    offset_bytes: u64,
    region_len_bytes: u64,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Sequential(Sequential),
    Random(Random),
    Runs(Box<Runs>),
}

/// A position for each direction.
#[derive(Debug, Clone)]
struct Sequential {
    next_bytes: [u64; 2],
    skip_bytes: i64,
}

#[derive(Debug, Clone)]
enum Random {
    /// Each place of one grid once per pass, all directions together.
    Unique { order: BlockOrder, align_bytes: u64 },
    /// Any place of a direction's grid at any time.
    Repeating { rng: Rng, grids: [Grid; 2] },
}

/// Where I/Os of one direction may start: at the multiples of a length, as far as the longest of them has room.
#[derive(Debug, Clone, Copy)]
struct Grid {
    places: u64,
    align_bytes: u64,
}

/// So many sequential I/Os from each random place, by direction.
#[derive(Debug, Clone)]
struct Runs {
    random: Random,
    len_ios: u64,
    runs: [Run; 2],
}

#[derive(Debug, Clone, Copy, Default)]
struct Run {
    ios_left: u64,
    next_bytes: u64,
}

impl Places {
    /// Places of a workload in a region. The same seed gives the same places.
    pub fn new(workload: &Workload, offset_bytes: u64, region_len_bytes: u64, seed: u64) -> Self {
        let kind = match workload.order {
            Order::Sequential => {
                let skip_bytes = workload.sequential_skip_bytes;
                Kind::Sequential(Sequential { next_bytes: [0; 2], skip_bytes })
            }
            Order::RandomUnique | Order::RandomRepeating => {
                let random = Random::new(workload, region_len_bytes, seed);
                match workload.random_run {
                    0 | 1 => Kind::Random(random),
                    len_ios => Kind::Runs(Box::new(Runs { random, len_ios, runs: [Run::default(); 2] })),
                }
            }
        };
        Self { offset_bytes, region_len_bytes, kind }
    }

    /// Whether a sequential I/O of this length would come to lie beyond the end of the region, so that it begins anew.
    #[inline]
    pub fn is_beyond(&self, index: usize, len_bytes: u64) -> bool {
        match &self.kind {
            Kind::Sequential(sequential) => sequential.next_bytes[index] + len_bytes > self.region_len_bytes,
            // Places at random have room for the longest.
            Kind::Random(_) | Kind::Runs(_) => false,
        }
    }

    /// Where the next I/O starts, in bytes from the start of the file.
    #[inline(always)]
    pub fn next_offset(&mut self, index: usize, len_bytes: u64) -> u64 {
        let inside = match &mut self.kind {
            Kind::Sequential(sequential) => sequential.next(index, len_bytes, self.region_len_bytes),
            Kind::Random(random) => random.next(index),
            Kind::Runs(runs) => runs.next(index, len_bytes, self.region_len_bytes),
        };
        self.offset_bytes + inside
    }
}

impl Sequential {
    #[inline]
    fn next(&mut self, index: usize, len_bytes: u64, region_len_bytes: u64) -> u64 {
        let mut at = self.next_bytes[index];
        if at + len_bytes > region_len_bytes {
            at = if self.skip_bytes < 0 { region_len_bytes.saturating_sub(len_bytes) } else { 0 };
        }
        self.next_bytes[index] = match self.skip_bytes {
            0 => at + len_bytes,
            skip => Self::skipped(at + len_bytes, skip, region_len_bytes),
        };
        at
    }

    /// Moves on. Forwards, what lies behind the region is found out by the next I/O; backwards, what would lie before it
    /// is reckoned from its end.
    #[cold]
    fn skipped(end_bytes: u64, skip_bytes: i64, region_len_bytes: u64) -> u64 {
        end_bytes.checked_add_signed(skip_bytes).unwrap_or_else(|| {
            if skip_bytes < 0 { region_len_bytes.saturating_sub(skip_bytes.unsigned_abs()) } else { 0 }
        })
    }
}

impl Random {
    fn new(workload: &Workload, region_len_bytes: u64, seed: u64) -> Self {
        let grids = MOVING.map(|direction| Grid::new(workload, direction, region_len_bytes));
        match shared_grid(workload, &grids) {
            Some(grid) if workload.order == Order::RandomUnique => Random::Unique {
                order: BlockOrder::new(Order::RandomUnique, grid.places, seed),
                align_bytes: grid.align_bytes,
            },
            _ => Random::Repeating { rng: Rng::new(seed), grids },
        }
    }

    #[inline(always)]
    fn next(&mut self, index: usize) -> u64 {
        match self {
            Random::Unique { order, align_bytes } => order.next_block() * *align_bytes,
            Random::Repeating { rng, grids } => rng.below(grids[index].places) * grids[index].align_bytes,
        }
    }
}

impl Runs {
    #[inline(never)]
    fn next(&mut self, index: usize, len_bytes: u64, region_len_bytes: u64) -> u64 {
        let run = &mut self.runs[index];
        // A run that comes to the region's end is cut short there.
        if run.ios_left == 0 || run.next_bytes + len_bytes > region_len_bytes {
            *run = Run { ios_left: self.len_ios, next_bytes: self.random.next(index) };
        }
        let at = run.next_bytes;
        *run = Run { ios_left: run.ios_left - 1, next_bytes: at + len_bytes };
        at
    }
}

impl Grid {
    fn new(workload: &Workload, direction: Direction, region_len_bytes: u64) -> Self {
        let len = &workload.block_len[direction];
        let align_bytes = match workload.align_bytes[direction] {
            0 => len.min_bytes().max(1),
            align_bytes => align_bytes,
        };
        let places = region_len_bytes.saturating_sub(len.max_bytes()) / align_bytes + 1;
        Self { places, align_bytes }
    }
}

/// The grid that all I/Os of a workload share; `None` where lengths vary or differ, so that no grid could be covered
/// exactly once.
fn shared_grid(workload: &Workload, grids: &[Grid; 2]) -> Option<Grid> {
    let mut shared: Option<(u64, Grid)> = None;
    for (direction, grid) in MOVING.into_iter().zip(grids).filter(|&(direction, _)| workload.uses(direction))
    {
        let BlockLen::Fixed { len_bytes } = workload.block_len[direction] else { return None };
        match shared {
            Some((other, first)) if other != len_bytes || first.align_bytes != grid.align_bytes => {
                return None;
            }
            _ => shared = Some((len_bytes, *grid)),
        }
    }
    shared.map(|(_, grid)| grid)
}

/// Bytes that a workload moves in a region before any place there comes a second time, at the least; 0 where places
/// repeat as they like.
pub(super) fn pass_len_bytes(workload: &Workload, region_len_bytes: u64) -> u64 {
    let grids = MOVING.map(|direction| Grid::new(workload, direction, region_len_bytes));
    let shared = shared_grid(workload, &grids);
    let longest_bytes = workload.block_len_bytes_max();
    match workload.order {
        Order::Sequential if workload.sequential_skip_bytes != 0 => 0,
        Order::Sequential if shared.is_some() => region_len_bytes - region_len_bytes % longest_bytes.max(1),
        // The last I/O that begins inside may not fit, and then begins anew.
        Order::Sequential => region_len_bytes.saturating_sub(longest_bytes),
        Order::RandomUnique if workload.random_run <= 1 => match shared {
            Some(grid) if grid.align_bytes >= longest_bytes => grid.places * longest_bytes,
            _ => 0,
        },
        Order::RandomUnique | Order::RandomRepeating => 0,
    }
}
