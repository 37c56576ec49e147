//! A fleet of threads in this process: for tests, and for simulated hosts.

use std::sync::mpsc::{Receiver, Sender, channel};

use cardiograph_engine::clock::monotonic_ns;

use super::{Fleet, lost};
use crate::failure::Failure;

/// One of its hosts. All others are connected to rank 0.
#[derive(Debug)]
pub struct ThreadHost {
    rank: usize,
    size: usize,
    /// From rank 0 to each other, and from those to it.
    lines: Vec<Line>,
    /// How far its clock is ahead, in nanoseconds: a host of its own has been up for another time.
    pub ahead_ns: i64,
}

/// A connection between two hosts.
#[derive(Debug)]
struct Line {
    to: Sender<Vec<u8>>,
    from: Receiver<Vec<u8>>,
}

/// The hosts of a fleet, by rank.
pub fn hosts(size: usize) -> Vec<ThreadHost> {
    let mut of_0 = Vec::new();
    let mut others = Vec::new();
    for rank in 1..size {
        let (down, from_0) = channel();
        let (up, to_0) = channel();
        of_0.push(Line { to: down, from: to_0 });
        others.push(ThreadHost { rank, size, lines: vec![Line { to: up, from: from_0 }], ahead_ns: 0 });
    }
    let first = ThreadHost { rank: 0, size, lines: of_0, ahead_ns: 0 };
    std::iter::once(first).chain(others).collect()
}

impl ThreadHost {
    fn tell(&self, rank: usize, bytes: Vec<u8>) -> Result<(), Failure> {
        self.line(rank).to.send(bytes).map_err(|_| lost(rank))
    }

    fn hear(&self, rank: usize) -> Result<Vec<u8>, Failure> {
        self.line(rank).from.recv().map_err(|_| lost(rank))
    }

    fn line(&self, rank: usize) -> &Line {
        &self.lines[rank.saturating_sub(1)]
    }
}

impl Fleet for ThreadHost {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn broadcast(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
        if self.rank > 0 {
            return self.hear(0);
        }
        (1..self.size).try_for_each(|rank| self.tell(rank, bytes.clone()))?;
        Ok(bytes)
    }

    fn gather(&self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Failure> {
        if self.rank > 0 {
            return self.tell(0, bytes).map(|()| Vec::new());
        }
        std::iter::once(Ok(bytes)).chain((1..self.size).map(|rank| self.hear(rank))).collect()
    }

    fn send(&self, to: usize, number: u64) -> Result<(), Failure> {
        self.tell(to, number.to_le_bytes().to_vec())
    }

    fn receive(&self, from: usize) -> Result<u64, Failure> {
        let bytes = self.hear(from)?;
        bytes.try_into().map(u64::from_le_bytes).map_err(|_| lost(from))
    }

    fn now_ns(&self) -> u64 {
        monotonic_ns().saturating_add_signed(self.ahead_ns)
    }
}
