//! Random offsets in a region.

use cardiograph_core::direction::Direction;
use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::workload::{AccessZone, BlockLen, Order, Workload};

use super::BlockOrder;
use super::deck::Deck;
use super::popular::Popular;

/// The directions whose offsets are drawn, by index.
pub(super) fn drawn(workload: &Workload) -> [Direction; 2] {
    [Direction::Read, workload.changing_direction()]
}

/// Possible start offsets of I/Os in these directions.
pub(super) fn grids(workload: &Workload, region_len_bytes: u64) -> [Grid; 2] {
    drawn(workload).map(|direction| Grid::new(workload, direction, region_len_bytes))
}

/// Draws offsets, in bytes from the region's start.
#[derive(Debug, Clone)]
pub(super) enum Random {
    /// Each offset of a common grid once per pass over all directions.
    Unique { order: BlockOrder, align_bytes: u64 },
    /// Any offset of a direction's grid at any time.
    Repeating { rng: Rng, grids: [Grid; 2] },
    /// Some offsets more often than others, by direction.
    Skewed(Box<[Skewed; 2]>),
}

/// Possible start offsets in one direction: multiples of a length that leave space for the longest I/O.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    pub places: u64,
    pub align_bytes: u64,
}

/// Nonuniform offsets of one direction.
#[derive(Debug, Clone)]
pub(super) struct Skewed {
    draw: Draw,
    align_bytes: u64,
}

#[derive(Debug, Clone)]
enum Draw {
    Popular(Popular),
    Zoned { deck: Deck, zones: Box<[Zone]>, rng: Rng },
}

/// Consecutive offsets of a grid.
#[derive(Debug, Clone, Copy)]
struct Zone {
    first: u64,
    places: u64,
}

impl Random {
    /// Offsets of a workload in a region. The same seed gives the same offsets.
    pub fn new(workload: &Workload, region_len_bytes: u64, seed: u64) -> Self {
        let grids = grids(workload, region_len_bytes);
        if workload.is_skewed() {
            let directions = drawn(workload);
            let skewed =
                |index: usize| Skewed::new(workload, directions[index], grids[index], region_len_bytes, seed);
            return Random::Skewed(Box::new([skewed(0), skewed(1)]));
        }
        match shared_grid(workload, &grids) {
            Some(grid) if workload.order == Order::RandomUnique => {
                Random::Unique { order: BlockOrder::new(grid.places, seed), align_bytes: grid.align_bytes }
            }
            _ => Random::Repeating { rng: Rng::new(seed), grids },
        }
    }

    #[inline(always)]
    pub fn next(&mut self, index: usize) -> u64 {
        match self {
            Random::Unique { order, align_bytes } => order.next_block() * *align_bytes,
            Random::Repeating { rng, grids } => rng.below(grids[index].places) * grids[index].align_bytes,
            Random::Skewed(skewed) => skewed[index].next(),
        }
    }

    /// Begins a new pass, if there are passes.
    pub fn restart(&mut self) {
        if let Random::Unique { order, .. } = self {
            order.begin_pass();
        }
    }
}

impl Skewed {
    fn new(workload: &Workload, direction: Direction, grid: Grid, region_len_bytes: u64, seed: u64) -> Self {
        let part = |number: u64| derive_seed(seed, 2 * number + direction.index() as u64);
        let zones = &workload.access_zones[direction];
        let draw = if zones.is_empty() {
            let places_seed = derive_seed(seed, 0);
            Draw::Popular(Popular::scattered(workload.distribution, grid.places, places_seed, part(1)))
        } else {
            Draw::Zoned {
                deck: Deck::new(zones.iter().map(|zone| zone.percent), part(1)),
                zones: zones_of(zones, grid, region_len_bytes),
                rng: Rng::new(part(2)),
            }
        };
        Self { draw, align_bytes: grid.align_bytes }
    }

    #[inline(never)]
    fn next(&mut self) -> u64 {
        let place = match &mut self.draw {
            Draw::Popular(popular) => popular.next_index(),
            Draw::Zoned { deck, zones, rng } => {
                let zone = zones[deck.draw()];
                zone.first + rng.below(zone.places)
            }
        };
        place * self.align_bytes
    }
}

/// The zones as offsets of a grid: those that start inside. A zone without any has the next one.
fn zones_of(zones: &[AccessZone], grid: Grid, region_len_bytes: u64) -> Box<[Zone]> {
    let mut end_bytes = 0u64;
    let mut first = 0;
    let zone = |zone: &AccessZone| {
        end_bytes = end_bytes.saturating_add(zone.len.len_bytes(region_len_bytes));
        let end = end_bytes.div_ceil(grid.align_bytes).min(grid.places);
        let begin = std::mem::replace(&mut first, end);
        let places = (end - begin).max(1);
        Zone { first: begin.min(grid.places - 1), places }
    };
    zones.iter().map(zone).collect()
}

impl Grid {
    pub fn new(workload: &Workload, direction: Direction, region_len_bytes: u64) -> Self {
        let len = &workload.block_len[direction];
        let align_bytes = match workload.align_bytes[direction] {
            0 => len.min_bytes().max(1),
            align_bytes => align_bytes,
        };
        let places = region_len_bytes.saturating_sub(len.max_bytes()) / align_bytes + 1;
        Self { places, align_bytes }
    }
}

/// The grid shared by all I/Os of a workload; `None` if lengths vary or differ, so that no grid can be covered exactly
/// once.
pub(super) fn shared_grid(workload: &Workload, grids: &[Grid; 2]) -> Option<Grid> {
    let mut shared: Option<(u64, Grid)> = None;
    let drawn = drawn(workload).into_iter().zip(grids);
    for (direction, grid) in drawn.filter(|&(direction, _)| workload.draws(direction)) {
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
