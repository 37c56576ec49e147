//! The file of the next I/O.

use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::workload::FileTurn;

use super::popular::Popular;

/// Chooses among several files. A file whose region is covered is left out until all others are covered, too; then a
/// new pass begins. Unequally popular files restart independently: otherwise the popular ones would soon be left out.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    kind: FileTurn,
    /// I/Os per turn.
    turn_ios: u64,
    ios_left: u64,
    /// Files that currently take turns, none of them finished.
    open: Vec<usize>,
    /// Maximum number of files that take turns at a time.
    open_max: usize,
    /// The file that replaces the next finished one. Later files follow.
    next_unopened: usize,
    /// Index of the current file among the open ones.
    at: usize,
    /// Bytes left in each file in this pass.
    left_bytes: Box<[u64]>,
    pass_len_bytes: Box<[u64]>,
    /// The shortest I/O: a file with less left is finished.
    shortest_bytes: u64,
    rng: Rng,
    /// Chooses the next open file, if they are not equally popular.
    popular: Option<Popular>,
}

impl Turn {
    /// Turns over files, of `turn_ios` I/Os each, `open_max` of them at a time. A pass of each has `pass_len_bytes`.
    /// The same seed gives the same turns.
    pub fn new(
        (kind, turn_ios): (FileTurn, u64),
        open_max: usize,
        pass_len_bytes: Box<[u64]>,
        shortest_bytes: u64,
        seed: u64,
    ) -> Self {
        let open_max = open_max.clamp(1, pass_len_bytes.len().max(1));
        let popular = match kind {
            FileTurn::Skewed(distribution) => {
                Some(Popular::adjacent(distribution, open_max as u64, derive_seed(seed, 0)))
            }
            FileTurn::RoundRobin | FileTurn::Sequential | FileTurn::Random => None,
        };
        let mut turn = Self {
            kind,
            turn_ios: turn_ios.max(1),
            ios_left: 0,
            open: Vec::new(),
            open_max,
            next_unopened: 0,
            at: 0,
            left_bytes: pass_len_bytes.clone(),
            pass_len_bytes,
            shortest_bytes: shortest_bytes.max(1),
            rng: Rng::new(seed),
            popular,
        };
        turn.begin_pass();
        turn
    }

    /// The file of the next I/O.
    pub fn next_file(&mut self) -> usize {
        if self.ios_left == 0 {
            let open = self.open.len();
            self.at = match (&mut self.popular, self.kind) {
                (Some(popular), _) => popular.next_index() as usize,
                (None, FileTurn::Random) => self.rng.below(open as u64) as usize,
                (None, _) => (self.at + 1) % open,
            };
            self.ios_left = if self.kind == FileTurn::Sequential { u64::MAX } else { self.turn_ios };
        }
        self.ios_left -= 1;
        self.open[self.at]
    }

    /// Records the length of the I/O for which [`Turn::next_file`] was called.
    pub fn moved(&mut self, len_bytes: u64) {
        if self.popular.is_some() {
            return;
        }
        let left = &mut self.left_bytes[self.open[self.at]];
        *left = left.saturating_sub(len_bytes);
        if *left < self.shortest_bytes {
            self.finish_current();
        }
    }

    fn finish_current(&mut self) {
        self.ios_left = 0;
        if self.next_unopened < self.left_bytes.len() {
            self.open[self.at] = self.next_unopened;
            self.next_unopened += 1;
            return;
        }
        self.open.remove(self.at);
        if self.open.is_empty() {
            self.begin_pass();
        } else {
            // The next file has taken its index.
            self.at = (self.at + self.open.len() - 1) % self.open.len();
        }
    }

    fn begin_pass(&mut self) {
        self.left_bytes.copy_from_slice(&self.pass_len_bytes);
        self.open = (0..self.open_max).collect();
        self.next_unopened = self.open_max;
        self.ios_left = 0;
        // The first turn is the first file's.
        self.at = self.open_max - 1;
    }
}
