//! Handling of completed requests.

use std::sync::atomic::Ordering;

use cardiograph_core::Direction;
use cardiograph_core::result::IoFailure;
use cardiograph_jobs::offsets::Requests;

use super::{InFlight, Phase, Worker};
use crate::engine::{Completion, IoOp, OpKind};
use crate::recorder::{Moments, Transfer};
use crate::verify::Expected;

/// The largest error number.
const ERRNO_MAX: i32 = 4_095;

impl Worker {
    /// Frees the slots of completed requests, and records them.
    pub(super) fn complete_all(&mut self) {
        let taken = self.queue.done.len() as u32;
        assert!(taken <= self.queue.in_flight, "an engine completed what it was not given");
        self.queue.in_flight -= taken;
        if self.is_queueing {
            self.writer.taken(taken);
        }
        if let Some(submit_times) = &self.submit_times {
            for completion in &self.queue.done {
                let handed_over_at = submit_times[completion.slot as usize].load(Ordering::Relaxed);
                let slot = &mut self.queue.slots[completion.slot as usize];
                slot.submitted_at = handed_over_at.max(slot.started_at).min(completion.completed_at);
            }
        }
        for index in 0..self.queue.done.len() {
            let completion = self.queue.done[index];
            self.complete(&completion);
            self.queue.free.push(completion.slot);
        }
        self.queue.done.clear();
        if self.found.failure.is_some() && self.phase == Phase::Running {
            self.drain();
        }
    }

    #[inline]
    fn complete(&mut self, completion: &Completion) {
        let InFlight { op, started_at, submitted_at } = self.queue.slots[completion.slot as usize];
        self.now = completion.completed_at;
        if self.tracer.is_some() {
            self.trace_completion(&InFlight { op, started_at, submitted_at }, completion);
        }
        if completion.result <= 0 && self.has_failed(&InFlight { op, started_at, submitted_at }, completion) {
            return;
        }
        let bytes = u64::from(completion.result as u32);
        if self.is_followed {
            self.follow(&op, started_at, completion.completed_at);
        }
        if self.checking.checker.is_some() {
            self.note_for_check(&op, bytes);
        }
        if (started_at < self.count_from && !self.writer.is_in_ramp())
            || matches!(self.phase, Phase::Closing | Phase::Turning | Phase::Settling)
        {
            self.complete_uncounted(completion.completed_at);
            return;
        }
        let due_at = if self.pace.dues.is_empty() || op.len_bytes == 0 {
            started_at
        } else {
            self.pace.dues[completion.slot as usize]
        };
        let moments = Moments { due_at, started_at, submitted_at, completed_at: completion.completed_at };
        let (direction, offset_bytes, len_bytes) = (op.kind.direction(), op.offset_bytes, op.len_bytes);
        self.writer.completed(&Transfer { direction, offset_bytes, len_bytes, bytes }, &moments);
    }

    /// Handles a request issued in a ramp that has ended, or a sync at the end.
    #[cold]
    pub(super) fn complete_uncounted(&mut self, completed_at: u64) {
        if self.phase == Phase::Closing && self.phase_since >= self.count_from {
            self.writer.flushed(completed_at);
        } else {
            self.writer.completed_uncounted();
        }
    }

    /// Checks a request that moved nothing. If it should have moved something it failed, even without an
    /// error: reads of a truncated file end like this, and fast.
    #[cold]
    fn has_failed(&mut self, in_flight: &InFlight, completion: &Completion) -> bool {
        let moves = in_flight.op.len_bytes > 0;
        match completion.result {
            0 if moves && !self.reports_short_reads(&in_flight.op) => {
                self.fail(in_flight, libc::EIO, completion)
            }
            0 => return false,
            // All other values are numbers of bytes as the kernel returns them: 2 GiB uses the sign bit, too.
            result if result < -ERRNO_MAX => return false,
            errno => self.fail(in_flight, -errno, completion),
        }
        true
    }

    /// Whether an empty read is reported as a bad block.
    fn reports_short_reads(&self, op: &IoOp) -> bool {
        op.kind == OpKind::Read && self.checking.is_comparing
    }

    fn fail(&mut self, in_flight: &InFlight, errno: i32, completion: &Completion) {
        let op = &in_flight.op;
        if self.workload.fills && op.kind == OpKind::Write && errno == libc::ENOSPC {
            // The job has done its work.
            if self.phase == Phase::Running {
                self.drain();
            }
            return;
        }
        if self.is_cancelled && errno == libc::ECANCELED {
            return;
        }
        let failure = IoFailure {
            direction: op.kind.direction(),
            offset_bytes: op.offset_bytes,
            len_bytes: u64::from(op.len_bytes),
            errno,
        };
        if !self.tolerates(&failure, in_flight, completion.completed_at) {
            self.found.failure.get_or_insert(failure);
        }
    }

    /// Records information about a completed request for reading back.
    #[inline(never)]
    fn note_for_check(&mut self, op: &IoOp, bytes: u64) {
        match op.kind {
            OpKind::Read if self.checking.is_comparing => self.check(op, bytes),
            OpKind::Write => {
                let next_number = self.checking.sealer.as_ref().map_or(0, |sealer| sealer.writes());
                let issued_meanwhile = next_number - self.checking.numbers[op.slot as usize];
                self.checking.issued_meanwhile_max = self.checking.issued_meanwhile_max.max(issued_meanwhile);
            }
            _ => {}
        }
    }

    /// Verifies data that was read.
    fn check(&mut self, op: &IoOp, read_bytes: u64) {
        let Some(checker) = &mut self.checking.checker else { return };
        let file_name = self.file_names.get(op.file as usize).map_or("", String::as_str);
        let len_bytes = u64::from(op.len_bytes);
        let bad = if read_bytes < len_bytes {
            checker.check_short(file_name, op.offset_bytes, len_bytes, read_bytes);
            Some((op.offset_bytes, len_bytes))
        } else {
            let number = self.checking.numbers[op.slot as usize];
            let expected = match &self.checking.read_back {
                None => Expected::Any,
                _ if self.checking.sealer.is_none() => checker.expect_earlier_run(number),
                Some(read_back) => Expected::NotBefore(number.saturating_sub(read_back.earlier_max)),
            };
            // SAFETY: the request was reaped and its slot is not yet on the free list, so the slot belongs to
            // the worker.
            let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
            checker.check(file_name, bytes, op.offset_bytes, expected)
        };
        if let Some(bad) = bad
            && self.workload.verify.as_ref().is_some_and(|verify| verify.fatal)
        {
            self.note_mismatch(bad);
        }
    }

    /// Makes a bad block the worker's failure.
    pub(super) fn note_mismatch(&mut self, (offset_bytes, len_bytes): (u64, u64)) {
        self.found.failure.get_or_insert(mismatch(offset_bytes, len_bytes));
    }

    /// How many writes older than the last one issued for an offset its content may be: the number that can
    /// have been in flight together with it; zero if nothing was written twice.
    pub(super) fn earlier_writes_max(&self) -> u64 {
        let moved_bytes =
            self.writer.issued_bytes(Direction::Read) + self.writer.issued_bytes(Direction::Write);
        let is_one_pass = moved_bytes <= Requests::pass_len_bytes(&self.workload, &self.files);
        if is_one_pass { 0 } else { self.checking.issued_meanwhile_max.saturating_sub(1) }
    }
}

/// A bad block, as the failure of a read.
pub(super) const fn mismatch(offset_bytes: u64, len_bytes: u64) -> IoFailure {
    IoFailure { direction: Direction::Read, offset_bytes, len_bytes, errno: libc::EILSEQ }
}
