//! Offsets in a piece of a file: sequential, random, or runs that start at random offsets.

use cardiograph_core::rng::derive_seed;
use cardiograph_core::workload::{Order, Workload};

use super::deck::Deck;
use super::random::{Random, drawn, grids, shared_grid};

/// Draws offsets in one piece of a file. Reads have index 0, others 1: writes, or trims, whose offset is reused by the
/// write that follows.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    len_bytes: u64,
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

/// Number of sequential I/Os from each random offset, by direction.
#[derive(Debug, Clone)]
struct Runs {
    random: Random,
    len_ios: u64,
    runs: [Run; 2],
    /// By direction, whether the next run starts at random (0) or where the last one ended (1). `None` if all start at
    /// random.
    begin: Option<[Deck; 2]>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Run {
    ios_left: u64,
    next_bytes: u64,
}

impl Piece {
    /// Offsets of a workload in a piece of this length. The same seed gives the same offsets.
    pub fn new(workload: &Workload, len_bytes: u64, seed: u64) -> Self {
        let kind = match workload.order {
            Order::Sequential => {
                let skip_bytes = workload.sequential_skip_bytes;
                Kind::Sequential(Sequential { next_bytes: [0; 2], skip_bytes })
            }
            Order::RandomUnique | Order::RandomRepeating => {
                let random = Random::new(workload, len_bytes, seed);
                match Runs::has_runs(workload) {
                    false => Kind::Random(random),
                    true => Kind::Runs(Box::new(Runs::new(workload, random, seed))),
                }
            }
        };
        Self { len_bytes, kind }
    }

    /// Restarts; random offsets are drawn anew.
    pub fn restart(&mut self) {
        match &mut self.kind {
            Kind::Sequential(sequential) => sequential.next_bytes = [0; 2],
            Kind::Random(random) => random.restart(),
            Kind::Runs(runs) => runs.restart(),
        }
    }

    /// Whether a sequential I/O of this length would exceed the end, and thus restarts.
    #[inline]
    pub fn is_beyond(&self, index: usize, len_bytes: u64) -> bool {
        match &self.kind {
            Kind::Sequential(sequential) => sequential.next_bytes[index] + len_bytes > self.len_bytes,
            // Random offsets leave space for the longest I/O.
            Kind::Random(_) | Kind::Runs(_) => false,
        }
    }

    /// Offset of the next I/O in bytes from the start of the piece.
    #[inline(always)]
    pub fn next(&mut self, index: usize, len_bytes: u64) -> u64 {
        match &mut self.kind {
            Kind::Sequential(sequential) => sequential.next(index, len_bytes, self.len_bytes),
            Kind::Random(random) => random.next(index),
            Kind::Runs(runs) => runs.next(index, len_bytes, self.len_bytes),
        }
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
            skip => Self::skip(at + len_bytes, skip, region_len_bytes),
        };
        at
    }

    /// Skips bytes. Forwards, the next I/O detects the end of the region; backwards, positions wrap around to the end.
    #[cold]
    fn skip(end_bytes: u64, skip_bytes: i64, region_len_bytes: u64) -> u64 {
        end_bytes.checked_add_signed(skip_bytes).unwrap_or_else(|| {
            if skip_bytes < 0 { region_len_bytes.saturating_sub(skip_bytes.unsigned_abs()) } else { 0 }
        })
    }
}

impl Runs {
    /// Whether a random job has sequential runs.
    fn has_runs(workload: &Workload) -> bool {
        workload.random_run > 1 || workload.is_partly_sequential()
    }

    fn new(workload: &Workload, random: Random, seed: u64) -> Self {
        let begin = workload.is_partly_sequential().then(|| {
            drawn(workload).map(|direction| {
                let percent = workload.random_percent[direction].min(100);
                Deck::new([percent, 100 - percent], derive_seed(seed, 16 + direction.index() as u64))
            })
        });
        Self { random, len_ios: workload.random_run.max(1), runs: [Run::default(); 2], begin }
    }

    fn restart(&mut self) {
        self.runs = [Run::default(); 2];
        self.random.restart();
    }

    #[inline(never)]
    fn next(&mut self, index: usize, len_bytes: u64, region_len_bytes: u64) -> u64 {
        let run = &mut self.runs[index];
        let is_beyond = run.next_bytes + len_bytes > region_len_bytes;
        // A run is cut short at the region's end.
        if run.ios_left == 0 || is_beyond {
            let goes_on = self.begin.as_mut().is_some_and(|begin| begin[index].draw() == 1);
            let next_bytes = match (goes_on, is_beyond) {
                (false, _) => self.random.next(index),
                (true, false) => run.next_bytes,
                (true, true) => 0,
            };
            *run = Run { ios_left: self.len_ios, next_bytes };
        }
        let at = run.next_bytes;
        *run = Run { ios_left: run.ios_left - 1, next_bytes: at + len_bytes };
        at
    }
}

/// Minimum number of bytes that a workload moves in a region before any offset repeats; 0 if offsets repeat at random.
pub(super) fn pass_len_bytes(workload: &Workload, region_len_bytes: u64) -> u64 {
    let grids = grids(workload, region_len_bytes);
    let shared = shared_grid(workload, &grids);
    let longest_bytes = workload.block_len_bytes_max();
    match workload.order {
        _ if workload.strided.is_some() => 0,
        Order::Sequential if workload.sequential_skip_bytes != 0 => 0,
        Order::Sequential if shared.is_some() => region_len_bytes - region_len_bytes % longest_bytes.max(1),
        // The last I/O that starts inside may not fit, and then restarts.
        Order::Sequential => region_len_bytes.saturating_sub(longest_bytes),
        Order::RandomUnique if !Runs::has_runs(workload) => match shared {
            Some(grid) if grid.align_bytes >= longest_bytes => grid.places * longest_bytes,
            _ => 0,
        },
        Order::RandomUnique | Order::RandomRepeating => 0,
    }
}
