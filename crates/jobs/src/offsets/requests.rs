//! The sequence of a worker's I/Os.

use cardiograph_core::Request;
use cardiograph_core::direction::Direction;
use cardiograph_core::plan::FileUse;
use cardiograph_core::rng::derive_seed;
use cardiograph_core::workload::{FileTurn, Trims, Workload};

use super::Mix;
use super::lens::Lens;
use super::piece::pass_len_bytes;
use super::places::Places;
use super::turn::Turn;

/// The I/Os of a worker, one after the other, without an end.
///
/// Reads and writes of a sequential job each have a position of their own in each file, as fio has it: a mixed job reads
/// from the start and writes from the start. Random reads and writes of equal length share one order, in which each block
/// comes once per pass.
#[derive(Debug, Clone)]
pub struct Requests {
    mix: Mix,
    /// The direction of the next I/O that is not a read.
    changing: Direction,
    /// Where each write comes behind a trim of the same blocks: that trim, once it was drawn.
    pair: Option<Box<Pair>>,
    /// `None` where there is one file: then nothing is to be chosen.
    turn: Option<Box<Turn>>,
    /// Places in the first file. They lie here and not behind a pointer, because most jobs have no other.
    first: Places,
    others: Box<[Places]>,
    /// Of reads, and of what else there is.
    lens: [Lens; 2],
    /// The shortest I/Os of them in bytes; `u64::MAX` where the workload has none.
    shortest_bytes: [u64; 2],
}

/// A trim and the write behind it.
#[derive(Debug, Clone, Copy, Default)]
struct Pair {
    trimmed: Option<Request>,
}

impl Requests {
    /// The I/Os of a workload over `files`. The same seed gives the same I/Os.
    ///
    /// # Panics
    /// When there is no file.
    pub fn new(workload: &Workload, files: &[FileUse], seed: u64) -> Self {
        assert!(!files.is_empty(), "a worker has at least one file");
        let places_seed = derive_seed(seed, 0);
        let places_of =
            |file: &FileUse, seed| Places::new(workload, file.offset_bytes, file.region_len_bytes, seed);
        let others = files.iter().enumerate().skip(1);
        let drawn = [Direction::Read, workload.changing_direction()];
        let lens_of =
            |index: usize| Lens::new(&workload.block_len[drawn[index]], derive_seed(seed, 3 + index as u64));
        let turn = || {
            let shortest_bytes = workload.block_len_bytes_min();
            let open_max = workload.open_files.unwrap_or(u64::MAX).min(files.len() as u64) as usize;
            let lens = files.iter().map(|file| workload.to_end_bytes(file).unwrap_or(u64::MAX)).collect();
            Box::new(Turn::new(workload.file_turn, open_max, lens, shortest_bytes, derive_seed(seed, 5)))
        };
        Self {
            mix: Mix::new(workload.read_percent, derive_seed(seed, 1)),
            turn: (files.len() > 1).then(turn),
            first: places_of(&files[0], places_seed),
            others: others
                .map(|(index, file)| places_of(file, derive_seed(places_seed, index as u64)))
                .collect(),
            changing: workload.changing_direction(),
            pair: (workload.trims == Trims::BeforeWrites).then(Box::default),
            lens: [lens_of(0), lens_of(1)],
            shortest_bytes: drawn.map(|direction| {
                let shortest_bytes = workload.block_len[direction].min_bytes().max(1);
                if workload.draws(direction) { shortest_bytes } else { u64::MAX }
            }),
        }
    }

    /// The direction that comes next by the shares of reads and writes.
    #[inline]
    pub fn next_direction(&mut self) -> Direction {
        if self.mix.next_is_read() { Direction::Read } else { self.changing }
    }

    /// The next I/O of a direction.
    #[inline(always)]
    pub fn next_in(&mut self, direction: Direction) -> Request {
        let index = index_of(direction);
        match (&self.turn, &self.pair, &self.lens[index]) {
            (None, None, &Lens::Fixed(len_bytes)) => {
                let offset_bytes = self.first.next_offset(index, len_bytes);
                Request { direction, file: 0, offset_bytes, len_bytes }
            }
            _ => self.next_of_several(direction, index, u64::MAX),
        }
    }

    /// The same with several files to choose from, or lengths, or pairs, or an end that is near.
    #[inline(never)]
    fn next_of_several(&mut self, direction: Direction, index: usize, left_bytes: u64) -> Request {
        let Some(trimmed) = self.pair.as_mut().map(|pair| pair.trimmed.take()) else {
            return self.draw(direction, index, left_bytes);
        };
        if let Some(trimmed) = trimmed {
            self.changing = Direction::Trim;
            return Request { direction: Direction::Write, ..trimmed };
        }
        // Half of what is left is the write's.
        let left_bytes = if left_bytes == u64::MAX { left_bytes } else { left_bytes / 2 };
        let request = self.draw(Direction::Trim, index, left_bytes);
        self.changing = Direction::Write;
        if let Some(pair) = &mut self.pair {
            pair.trimmed = Some(request);
        }
        request
    }

    fn draw(&mut self, direction: Direction, index: usize, left_bytes: u64) -> Request {
        let mut len_bytes = self.lens[index].next_len();
        let file = self.turn.as_mut().map_or(0, |turn| turn.next_file());
        let places = if file == 0 { &mut self.first } else { &mut self.others[file - 1] };
        // Up to its end a region is gone through without a gap: with what fits there.
        if let Some(shorter_bytes) = self.lens[index].shorter()
            && places.is_beyond(index, len_bytes)
            && !places.is_beyond(index, shorter_bytes)
        {
            len_bytes = shorter_bytes;
        }
        if len_bytes > left_bytes {
            // Whole blocks, so that it can still be divided as all others can.
            let shortest_bytes = self.shortest_bytes[index];
            len_bytes = (left_bytes - left_bytes % shortest_bytes).max(shortest_bytes);
        }
        if let Some(turn) = &mut self.turn {
            turn.moved(len_bytes);
        }
        let offset_bytes = places.next_offset(index, len_bytes);
        Request { direction, file: file as u32, offset_bytes, len_bytes }
    }

    /// The next I/O.
    #[inline]
    pub fn next_request(&mut self) -> Request {
        let direction = self.next_direction();
        self.next_in(direction)
    }

    /// How many bytes the I/Os of a workload may add up to, where its lengths vary: then the last one is cut to what is
    /// left. `None` where all are alike or no such end is set. The last of equal I/Os is issued whole, as in fio.
    pub fn cut_at_bytes(workload: &Workload) -> Option<u64> {
        let varies = workload.block_len_bytes_min() < workload.block_len_bytes_max();
        workload.stop.bytes.filter(|_| varies)
    }

    /// Whether `left_bytes` have room for the shortest I/O of a direction that the workload has.
    #[inline]
    pub fn has_room(&self, direction: Direction, left_bytes: u64) -> bool {
        match (&self.pair, direction) {
            (None, _) => self.shortest_bytes[index_of(direction)] <= left_bytes,
            // Its trim has seen to that.
            (Some(_), Direction::Write) => true,
            (Some(_), _) => self.shortest_bytes[1] <= left_bytes / 2,
        }
    }

    /// The direction that comes next by the shares of reads and writes, or the other one where only that one has room in
    /// `left_bytes`. `None` where neither has: the sequence is at its end.
    #[inline]
    pub fn next_direction_within(&mut self, left_bytes: u64) -> Option<Direction> {
        let drawn = self.next_direction();
        if self.has_room(drawn, left_bytes) {
            return Some(drawn);
        }
        let other = if drawn == Direction::Read { self.changing } else { Direction::Read };
        (self.pair.is_none() && self.has_room(other, left_bytes)).then_some(other)
    }

    /// The next I/O of a direction that has room in `left_bytes`, cut to what is left: to a multiple of the direction's
    /// shortest length.
    #[inline]
    pub fn next_in_within(&mut self, direction: Direction, left_bytes: u64) -> Request {
        self.next_of_several(direction, index_of(direction), left_bytes)
    }

    /// The next I/O, cut to what is left; `None` where not even the shortest has room.
    #[inline]
    pub fn next_within(&mut self, left_bytes: u64) -> Option<Request> {
        let direction = self.next_direction_within(left_bytes)?;
        Some(self.next_in_within(direction, left_bytes))
    }

    /// Bytes that a workload moves over `files` before any place comes a second time, at the least; 0 where places
    /// repeat as they like.
    pub fn pass_len_bytes(workload: &Workload, files: &[FileUse]) -> u64 {
        if files.len() > 1 && matches!(workload.file_turn.0, FileTurn::Skewed(_)) {
            return 0;
        }
        let mut passes = files.iter().map(|file| pass_len_bytes(workload, file.region_len_bytes));
        if workload.block_len_bytes_min() < workload.block_len_bytes_max() {
            // A file may come to its end before its turn is over, and begin anew.
            return passes.min().unwrap_or(0);
        }
        // None begins anew before all others are through.
        passes.try_fold(0u64, |sum, bytes| (bytes > 0).then(|| sum.saturating_add(bytes))).unwrap_or(0)
    }
}

#[inline(always)]
fn index_of(direction: Direction) -> usize {
    usize::from(direction != Direction::Read)
}

#[cfg(test)]
mod tests;
