//! Verification between writes.

use cardiograph_core::Request;
use cardiograph_core::verify::Backlog;

use super::Worker;
use crate::engine::{IoOp, OpKind};

/// State of the verification between writes.
///
/// Nothing else is in flight meanwhile: a block could be read half old and half new while it is written.
#[derive(Debug)]
pub(super) struct Checks {
    backlog: Backlog,
    /// Writes issued since the last verification.
    writes: u64,
    /// Writes left to read back this time.
    left: u64,
    is_checking: bool,
}

/// The next step with verification between writes.
pub(super) enum Next {
    /// Issue an I/O of the job itself.
    Own,
    /// Read back a write.
    Check(IoOp),
    /// Wait for requests in flight.
    Wait,
}

impl Checks {
    pub fn new(backlog: Backlog) -> Self {
        Self { backlog, writes: 0, left: 0, is_checking: false }
    }

    /// Notes that a write is about to be issued.
    pub fn wrote(&mut self) {
        self.writes += 1;
        if self.writes == self.backlog.writes {
            (self.writes, self.left) = (0, self.backlog.batch);
        }
    }
}

impl Worker {
    /// The next step with verification between writes.
    #[inline(never)]
    pub(super) fn next_of_backlog(&mut self) -> Next {
        let is_idle = self.queue.in_flight == 0 && self.queue.batch.is_empty();
        let Some(checks) = &mut self.checking.backlog else { return Next::Own };
        if checks.left == 0 && !checks.is_checking {
            return Next::Own;
        }
        if !checks.is_checking {
            if !is_idle {
                return Next::Wait;
            }
            checks.is_checking = true;
            self.checking.is_comparing = true;
            self.note_issued();
        }
        let op = self.next_of_batch();
        match op {
            Some(op) => Next::Check(op),
            None if !is_idle => Next::Wait,
            None => {
                self.end_batch();
                Next::Own
            }
        }
    }

    fn next_of_batch(&mut self) -> Option<IoOp> {
        let checks = self.checking.backlog.as_mut().filter(|checks| checks.left > 0)?;
        checks.left -= 1;
        let op = self.next_read_back();
        if op.is_none() {
            // All writes have been checked.
            self.checking.backlog.iter_mut().for_each(|checks| checks.left = 0);
        }
        op
    }

    /// Resumes the job's own I/O.
    pub(super) fn end_batch(&mut self) {
        if let Some(checks) = &mut self.checking.backlog {
            (checks.left, checks.is_checking) = (0, false);
            self.checking.is_comparing = false;
        }
    }

    /// The next write that did not fail, and its number.
    fn next_kept_write(&mut self) -> Option<(u64, Request)> {
        let read_back = self.checking.read_back.as_mut()?;
        let has_failed =
            |number| self.found.tolerated.as_ref().is_some_and(|tolerated| tolerated.has_lost(number));
        loop {
            let (number, request) = read_back.next_write()?;
            if !has_failed(number) {
                return Some((number, request));
            }
        }
    }

    /// Reads back the next write.
    pub(super) fn next_read_back(&mut self) -> Option<IoOp> {
        let (number, request) = self.next_kept_write()?;
        let slot = self.queue.free.pop()?;
        self.checking.numbers[slot as usize] = number;
        self.filler.read_into(slot);
        self.writer.issued(cardiograph_core::Direction::Read, request.len_bytes);
        Some(IoOp {
            slot,
            file: request.file,
            kind: OpKind::Read,
            offset_bytes: request.offset_bytes,
            len_bytes: request.len_bytes as u32,
        })
    }
}
