//! Errors that a job goes on after.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::Direction;
use crate::errno::EILSEQ;

/// What an error befell, as far as jobs tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// A read.
    Read,
    /// A write, a trim or a sync.
    Write,
    /// A comparison of what was read with what was written.
    Check,
}

impl ErrorKind {
    /// The kind of an error of a request. A block that is not what was written is `EILSEQ`, as in fio.
    pub fn of(direction: Direction, errno: i32) -> Self {
        match direction {
            _ if errno == EILSEQ => Self::Check,
            Direction::Read => Self::Read,
            Direction::Write | Direction::Trim | Direction::Sync => Self::Write,
        }
    }
}

/// Errors that a job goes on after: numbers of the system's, by what they befell. A kind without a list ends the job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tolerance {
    /// Of reads.
    pub read: Option<Vec<i32>>,
    /// Of writes, trims and syncs.
    pub write: Option<Vec<i32>>,
    /// Of checks.
    pub check: Option<Vec<i32>>,
    /// Whether each of them is told.
    pub is_told: bool,
}

impl Tolerance {
    /// The errors of a kind that the job goes on after; `None` where the kind always ends it.
    pub fn of(&self, kind: ErrorKind) -> Option<&[i32]> {
        let list = match kind {
            ErrorKind::Read => &self.read,
            ErrorKind::Write => &self.write,
            ErrorKind::Check => &self.check,
        };
        list.as_deref()
    }

    /// Whether the job goes on after this error.
    pub fn holds(&self, kind: ErrorKind, errno: i32) -> bool {
        self.of(kind).is_some_and(|list| list.contains(&errno))
    }

    /// Whether there is any kind of errors after which it may go on.
    pub const fn is_any(&self) -> bool {
        self.read.is_some() || self.write.is_some() || self.check.is_some()
    }
}
