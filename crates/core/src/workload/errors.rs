//! Tolerated errors of a job.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::Direction;
use crate::errno::EILSEQ;

/// Kind of the failed operation, as distinguished by jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// A read.
    Read,
    /// A write, a trim or a sync.
    Write,
    /// A verification.
    Check,
}

impl ErrorKind {
    /// The kind of a request's error. A failed verification is `EILSEQ`, as in fio.
    pub fn classify(direction: Direction, errno: i32) -> Self {
        match direction {
            _ if errno == EILSEQ => Self::Check,
            Direction::Read => Self::Read,
            Direction::Write | Direction::Trim | Direction::Sync => Self::Write,
        }
    }
}

/// Errors that a job tolerates: system error numbers by operation. A kind without a list ends the job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tolerance {
    /// Of reads.
    pub read: Option<Vec<i32>>,
    /// Of writes, trims and syncs.
    pub write: Option<Vec<i32>>,
    /// Of verifications.
    pub check: Option<Vec<i32>>,
    /// Whether each of them is reported.
    pub is_told: bool,
}

impl Tolerance {
    /// The tolerated errors of a kind; `None` if it always ends the job.
    pub fn tolerated(&self, kind: ErrorKind) -> Option<&[i32]> {
        let list = match kind {
            ErrorKind::Read => &self.read,
            ErrorKind::Write => &self.write,
            ErrorKind::Check => &self.check,
        };
        list.as_deref()
    }

    /// Whether the job tolerates this error.
    pub fn holds(&self, kind: ErrorKind, errno: i32) -> bool {
        self.tolerated(kind).is_some_and(|list| list.contains(&errno))
    }

    /// Whether any errors are tolerated.
    pub const fn is_any(&self) -> bool {
        self.read.is_some() || self.write.is_some() || self.check.is_some()
    }
}
