//! The sequence of a worker's I/Os.

use cardiograph_core::Request;
use cardiograph_core::direction::Direction;
use cardiograph_core::plan::FileUse;
use cardiograph_core::rng::derive_seed;
use cardiograph_core::workload::{FileTurn, Trims, Workload};

use super::Mix;
use super::lengths::Lengths;
use super::piece::pass_len_bytes;
use super::regions::RegionOffsets;
use super::turn::Turn;

/// The endless sequence of a worker's I/Os.
///
/// Reads and writes of a sequential job have separate positions in each file, as in fio: in a mixed job, both start at
/// the beginning. Random reads and writes of equal length share one order, in which each block occurs once per pass.
#[derive(Debug, Clone)]
pub struct Requests {
    mix: Mix,
    /// The direction of the next I/O that is not a read.
    changing: Direction,
    /// The trim, once drawn, if each write follows a trim of the same blocks.
    pair: Option<Box<Pair>>,
    /// `None` for a single file.
    turn: Option<Box<Turn>>,
    /// Offsets in the first file. They are stored inline, because most jobs have no other.
    first: RegionOffsets,
    others: Box<[RegionOffsets]>,
    /// Lengths of reads, and of writes or trims.
    lens: [Lengths; 2],
    /// Shortest I/O of each kind in bytes; `u64::MAX` if the workload has none.
    shortest_bytes: [u64; 2],
}

/// A trim and the write that follows it.
#[derive(Debug, Clone, Copy, Default)]
struct Pair {
    trimmed: Option<Request>,
}

impl Requests {
    /// The I/Os of a workload over `files`. The same seed gives the same I/Os.
    ///
    /// # Panics
    /// If there is no file.
    pub fn new(workload: &Workload, files: &[FileUse], seed: u64) -> Self {
        assert!(!files.is_empty(), "a worker has at least one file");
        let places_seed = derive_seed(seed, 0);
        let places_of = |file: &FileUse, seed| {
            RegionOffsets::new(workload, file.offset_bytes, file.region_len_bytes, seed)
        };
        let others = files.iter().enumerate().skip(1);
        let drawn = [Direction::Read, workload.changing_direction()];
        let lens_of = |index: usize| {
            Lengths::new(&workload.block_len[drawn[index]], derive_seed(seed, 3 + index as u64))
        };
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

    /// Draws the next direction by the shares of reads and writes.
    #[inline]
    pub fn next_direction(&mut self) -> Direction {
        if self.mix.next_is_read() { Direction::Read } else { self.changing }
    }

    /// The next I/O of a direction.
    #[inline(always)]
    pub fn next_in(&mut self, direction: Direction) -> Request {
        let index = index_of(direction);
        match (&self.turn, &self.pair, &self.lens[index]) {
            (None, None, &Lengths::Fixed(len_bytes)) => {
                let offset_bytes = self.first.next_offset(index, len_bytes);
                Request { direction, file: 0, offset_bytes, len_bytes }
            }
            _ => self.next_of_several(direction, index, u64::MAX),
        }
    }

    /// As `next_in`, for several files or lengths, for pairs, or close to the end.
    #[inline(never)]
    fn next_of_several(&mut self, direction: Direction, index: usize, left_bytes: u64) -> Request {
        let Some(trimmed) = self.pair.as_mut().map(|pair| pair.trimmed.take()) else {
            return self.draw(direction, index, left_bytes);
        };
        if let Some(trimmed) = trimmed {
            self.changing = Direction::Trim;
            return Request { direction: Direction::Write, ..trimmed };
        }
        // Half of the rest is for the write.
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
        // Cover a region without a gap up to its end, by lengths that fit.
        if let Some(shorter_bytes) = self.lens[index].shorter()
            && places.is_beyond(index, len_bytes)
            && !places.is_beyond(index, shorter_bytes)
        {
            len_bytes = shorter_bytes;
        }
        if len_bytes > left_bytes {
            // Whole blocks, so that it can be divided like the others.
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

    /// Limit of the bytes moved by a workload with varying lengths: the last I/O is truncated to it. `None` if lengths
    /// are equal or there is no limit. The last of equal I/Os is issued whole, as in fio.
    pub fn cut_at_bytes(workload: &Workload) -> Option<u64> {
        let varies = workload.block_len_bytes_min() < workload.block_len_bytes_max();
        workload.stop.bytes.filter(|_| varies)
    }

    /// Whether `left_bytes` suffice for the shortest I/O of a direction.
    #[inline]
    pub fn has_room(&self, direction: Direction, left_bytes: u64) -> bool {
        match (&self.pair, direction) {
            (None, _) => self.shortest_bytes[index_of(direction)] <= left_bytes,
            // Already checked for its trim.
            (Some(_), Direction::Write) => true,
            (Some(_), _) => self.shortest_bytes[1] <= left_bytes / 2,
        }
    }

    /// The next direction by the shares of reads and writes, or the other one if only that fits in `left_bytes`. `None`
    /// if neither does: the sequence ends.
    #[inline]
    pub fn next_direction_within(&mut self, left_bytes: u64) -> Option<Direction> {
        let drawn = self.next_direction();
        if self.has_room(drawn, left_bytes) {
            return Some(drawn);
        }
        let other = if drawn == Direction::Read { self.changing } else { Direction::Read };
        (self.pair.is_none() && self.has_room(other, left_bytes)).then_some(other)
    }

    /// The next I/O of a direction within `left_bytes`, cut to a multiple of the direction's shortest length.
    #[inline]
    pub fn next_in_within(&mut self, direction: Direction, left_bytes: u64) -> Request {
        self.next_of_several(direction, index_of(direction), left_bytes)
    }

    /// The next I/O, truncated to `left_bytes`; `None` if not even the shortest fits.
    #[inline]
    pub fn next_within(&mut self, left_bytes: u64) -> Option<Request> {
        let direction = self.next_direction_within(left_bytes)?;
        Some(self.next_in_within(direction, left_bytes))
    }

    /// Minimum number of bytes that a workload moves over `files` before any offset repeats; 0 if offsets repeat at
    /// random.
    pub fn pass_len_bytes(workload: &Workload, files: &[FileUse]) -> u64 {
        if files.len() > 1 && matches!(workload.file_turn.0, FileTurn::Skewed(_)) {
            return 0;
        }
        let mut passes = files.iter().map(|file| pass_len_bytes(workload, file.region_len_bytes));
        if workload.block_len_bytes_min() < workload.block_len_bytes_max() {
            // A file may reach its end before its turn is over, and restart.
            return passes.min().unwrap_or(0);
        }
        // No file restarts before all others are finished.
        passes.try_fold(0u64, |sum, bytes| (bytes > 0).then(|| sum.saturating_add(bytes))).unwrap_or(0)
    }
}

#[inline(always)]
fn index_of(direction: Direction) -> usize {
    usize::from(direction != Direction::Read)
}

#[cfg(test)]
mod tests;
