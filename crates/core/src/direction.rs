//! The direction of an I/O, and a value for each.

use serde::{Deserialize, Serialize};

use crate::message;
use crate::{JsonSchema, Message};

/// Direction of an I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Data from the drive.
    Read,
    /// Data to the drive.
    Write,
    /// Blocks discarded (trim).
    Trim,
    /// A flush: fsync, fdatasync and similar. It moves no bytes itself.
    Sync,
}

impl Direction {
    /// All directions, in the order in which results are shown.
    pub const ALL: [Direction; 4] = [Direction::Read, Direction::Write, Direction::Trim, Direction::Sync];

    /// Directions that move or discard blocks, in the same order: all but syncs.
    pub const DATA: [Direction; 3] = [Direction::Read, Direction::Write, Direction::Trim];

    /// Position in [`Direction::ALL`], for arrays that hold a value per direction.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether the direction modifies the drive.
    pub const fn is_modifying(self) -> bool {
        matches!(self, Direction::Write | Direction::Trim)
    }

    /// The direction whose bytes it is counted with: syncs count with writes, as they depend on them.
    pub const fn counted_with(self) -> Self {
        if matches!(self, Direction::Sync) { Direction::Write } else { self }
    }

    /// A phrase for it.
    pub const fn message(self) -> Message {
        match self {
            Direction::Read => message!("direction.read"),
            Direction::Write => message!("direction.write"),
            Direction::Trim => message!("direction.trim"),
            Direction::Sync => message!("direction.sync"),
        }
    }

    /// The lower-case English name, as in job files and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::Read => "read",
            Direction::Write => "write",
            Direction::Trim => "trim",
            Direction::Sync => "sync",
        }
    }
}

/// One `T` for each [`Direction`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PerDirection<T> {
    /// The value for reads.
    pub read: T,
    /// The value for writes.
    pub write: T,
    /// The value for trims.
    pub trim: T,
    /// The value for syncs.
    pub sync: T,
}

impl<T> PerDirection<T> {
    /// Builds each value from its direction.
    pub fn from_fn(mut make: impl FnMut(Direction) -> T) -> Self {
        Self {
            read: make(Direction::Read),
            write: make(Direction::Write),
            trim: make(Direction::Trim),
            sync: make(Direction::Sync),
        }
    }

    /// The four values with their directions, in the order of [`Direction::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Direction, &T)> {
        Direction::ALL.into_iter().map(|direction| (direction, &self[direction]))
    }

    /// Applies `f` to each value.
    pub fn map<U>(&self, mut f: impl FnMut(&T) -> U) -> PerDirection<U> {
        PerDirection::from_fn(|direction| f(&self[direction]))
    }
}

impl<T> std::ops::Index<Direction> for PerDirection<T> {
    type Output = T;
    fn index(&self, direction: Direction) -> &T {
        match direction {
            Direction::Read => &self.read,
            Direction::Write => &self.write,
            Direction::Trim => &self.trim,
            Direction::Sync => &self.sync,
        }
    }
}

impl<T> std::ops::IndexMut<Direction> for PerDirection<T> {
    fn index_mut(&mut self, direction: Direction) -> &mut T {
        match direction {
            Direction::Read => &mut self.read,
            Direction::Write => &mut self.write,
            Direction::Trim => &mut self.trim,
            Direction::Sync => &mut self.sync,
        }
    }
}

/// The operation of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpKind {
    /// To read.
    Read,
    /// To write.
    Write,
    /// Discard blocks: the drive need not keep their content.
    Trim,
    /// Make all completed writes of a file durable, with its metadata.
    Fsync,
    /// Make all completed writes of a file durable, with the metadata needed to read them.
    Fdatasync,
}

impl OpKind {
    /// The direction it counts as.
    #[inline]
    pub const fn direction(self) -> Direction {
        match self {
            OpKind::Read => Direction::Read,
            OpKind::Write => Direction::Write,
            OpKind::Trim => Direction::Trim,
            OpKind::Fsync | OpKind::Fdatasync => Direction::Sync,
        }
    }
}
