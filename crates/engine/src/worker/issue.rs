//! Issuing requests.

use cardiograph_core::Direction;
use cardiograph_core::Request;
use cardiograph_core::workload::SyncMethod;

use super::checks::Next;
use super::{InFlight, Phase, Worker, usage};
use crate::engine::{IoOp, OpKind};
use crate::pacer::NEVER;

impl Worker {
    /// Adds requests to the batch until the queue depth is reached.
    pub(super) fn fill_batch(&mut self) {
        self.pace.due_at = NEVER;
        if self.phase == Phase::Running && self.wants_more() {
            while self.has_room() {
                let Some(op) = self.next_op() else { return };
                self.put(op);
            }
            // Without a low mark to wait for, refilling may continue at once.
            self.queue_filling.is_filling = self.queue_filling.low >= self.depth;
        } else if matches!(self.phase, Phase::Closing | Phase::Turning | Phase::Settling | Phase::Verifying) {
            while self.has_room() {
                let Some(op) = self.next_closing_op() else { return };
                self.put(op);
            }
        }
    }

    fn has_room(&self) -> bool {
        self.queue.in_flight + (self.queue.batch.len() as u32) < self.depth_now
    }

    /// Whether few enough requests are in flight to issue new ones, or the queue is being filled.
    #[inline]
    fn wants_more(&mut self) -> bool {
        if !self.queue_filling.is_filling && self.queue.in_flight <= self.queue_filling.low {
            self.queue_filling.is_filling = true;
        }
        self.queue_filling.is_filling
    }

    fn put(&mut self, op: IoOp) {
        if let Some(tracer) = &mut self.tracer {
            tracer.issued(op.slot);
        }
        self.queue.slots[op.slot as usize] = InFlight { op, started_at: self.now, submitted_at: self.now };
        self.queue.batch.push(op);
    }

    /// The next request; `None` if there is none now, or no more at all.
    fn next_op(&mut self) -> Option<IoOp> {
        if self.has_issued_all() || self.stop.is_set() || self.found.failure.is_some() {
            if !self.awaits_pass() {
                self.drain();
            }
            return None;
        }
        if self.tracks_writes
            && let Some(file) = self.syncs.next_due()
        {
            // Requests in flight continue meanwhile, as in fio: a sync covers the completed writes.
            let kind = match self.workload.sync_every.map(|every| every.method) {
                Some(SyncMethod::Fdatasync) => OpKind::Fdatasync,
                _ => OpKind::Fsync,
            };
            self.writer.issued(Direction::Sync, 0);
            return self.sync_op(kind, file);
        }
        let request = if self.draws_freely {
            self.requests.next_request()
        } else if self.player.is_some() {
            return self.next_replayed_op();
        } else {
            match self.next_of_backlog() {
                Next::Own => self.next_bound_request()?,
                Next::Check(op) => return Some(op),
                Next::Wait => return None,
            }
        };
        self.op_of(&request)
    }

    /// The next request if it may have to wait, or be cut to the remaining work.
    #[inline(never)]
    fn next_bound_request(&mut self) -> Option<Request> {
        if self.empties() || self.thinks() || self.is_ahead() {
            return None;
        }
        let request = self.next_allowed_request()?;
        if let Some(thinker) = &mut self.pace.thinker {
            thinker.issued();
        }
        if let Some(share) = &mut self.pace.share {
            share.issued();
        }
        Some(request)
    }

    fn next_allowed_request(&mut self) -> Option<Request> {
        if !self.remaining.cuts_last && self.pace.pacer.is_none() {
            return Some(self.requests.next_request());
        }
        let left_bytes = if self.remaining.cuts_last { self.remaining.bytes } else { u64::MAX };
        if self.pace.pacer.is_some() {
            return self.next_due_request(left_bytes);
        }
        let request = self.requests.next_within(left_bytes);
        if request.is_none() {
            self.end_short();
        }
        request
    }

    /// Ends the job if fewer bytes are left than the shortest request has.
    #[cold]
    pub(super) fn end_short(&mut self) {
        self.remaining.bytes = 0;
        self.drain();
    }

    /// The next request if it is due. The queue is not drained meanwhile.
    #[cold]
    fn next_due_request(&mut self, left_bytes: u64) -> Option<Request> {
        if self.pace.drawn.is_none() {
            self.pace.drawn = self.requests.next_direction_within(left_bytes);
        }
        let Some(drawn) = self.pace.drawn else {
            self.end_short();
            return None;
        };
        let pacer = self.pace.pacer.as_mut()?;
        let have_both_room = [Direction::Read, Direction::Write]
            .into_iter()
            .all(|direction| self.requests.has_room(direction, left_bytes));
        let (direction, due_at) = pacer.choose(drawn, self.now, self.is_mixed && have_both_room);
        if due_at > self.now {
            self.pace.due_at = due_at;
            return None;
        }
        self.pace.drawn = None;
        let request = self.requests.next_in_within(direction, left_bytes);
        pacer.issued(direction, request.len_bytes);
        // The slot that it will get. Without its own rate limit it is due now.
        if let Some(&slot) = self.queue.free.last() {
            let may_go_at = self.pace.thinker.as_ref().map_or(0, |thinker| thinker.last_at);
            self.pace.dues[slot as usize] = if due_at == 0 { self.now } else { due_at.max(may_go_at) };
        }
        Some(request)
    }

    pub(super) fn op_of(&mut self, request: &Request) -> Option<IoOp> {
        let Request { direction, file, offset_bytes, len_bytes } = *request;
        let slot = self.queue.free.pop()?;
        if self.cpu_at_start.is_none() {
            self.cpu_at_start = usage::thread_cpu_time();
        }
        self.remaining.bytes = self.remaining.bytes.saturating_sub(len_bytes);
        self.remaining.ios = self.remaining.ios.saturating_sub(1);
        self.writer.issued(direction, len_bytes);
        let kind = if direction == Direction::Read {
            if self.is_mixed {
                self.filler.read_into(slot);
            }
            OpKind::Read
        } else if direction == Direction::Trim {
            OpKind::Trim
        } else {
            if self.tracks_writes {
                self.syncs.wrote(file);
            }
            self.write_content(slot, offset_bytes, len_bytes as usize);
            OpKind::Write
        };
        Some(IoOp { slot, file, kind, offset_bytes, len_bytes: len_bytes as u32 })
    }

    fn write_content(&mut self, slot: u32, offset_bytes: u64, len_bytes: usize) {
        // SAFETY: the slot was just taken from the free list and is not yet submitted.
        unsafe { self.filler.prepare(&self.buffers, slot, offset_bytes, len_bytes) };
        if let Some(sealer) = &mut self.checking.sealer {
            if let Some(number) = self.checking.numbers.get_mut(slot as usize) {
                *number = sealer.writes();
            }
            if let Some(checks) = &mut self.checking.backlog {
                checks.wrote();
            }
            let since_start_ns = self.clock.ns_between(self.begin_at, self.now);
            // SAFETY: as above; the filler no longer holds a reference.
            let bytes = unsafe { self.buffers.slot_bytes(slot, len_bytes) };
            sealer.seal(bytes, offset_bytes, since_start_ns);
        }
    }

    pub(super) fn sync_op(&mut self, kind: OpKind, file: u32) -> Option<IoOp> {
        self.queue.free.pop().map(|slot| IoOp { slot, file, kind, offset_bytes: 0, len_bytes: 0 })
    }

    /// The next request of the phases after a job's own I/O.
    fn next_closing_op(&mut self) -> Option<IoOp> {
        if self.phase != Phase::Verifying {
            let file = self.syncs.next_of_all()?;
            return self.sync_op(OpKind::Fsync, file);
        }
        if self.found.failure.is_some() || self.stop.is_set() {
            return None;
        }
        self.next_read_back()
    }

    /// Ends the ramp, or checks the minimum rates.
    #[cold]
    pub(super) fn reach_moment(&mut self) {
        if self.writer.is_in_ramp() {
            return self.end_ramp();
        }
        let Some(watch) = &mut self.watch else {
            self.watch_at = NEVER;
            return;
        };
        if self.phase == Phase::Running {
            let totals = |direction| self.writer.totals(direction);
            self.found.missed_rate = watch.check(self.now, &self.clock, totals);
            self.watch_at = watch.next_check_at();
            if self.found.missed_rate.is_some() {
                self.drain();
            }
        } else {
            self.watch_at = NEVER;
        }
    }

    /// Begins to count. Bytes of the ramp count towards the job, its I/Os do not, as in fio.
    fn end_ramp(&mut self) {
        self.writer.end_ramp(self.count_from);
        self.remaining.ios = self.workload.stop.ios.unwrap_or(u64::MAX);
        self.cpu_at_start = None;
        if let Some(pacer) = &mut self.pace.pacer {
            // Drop everything due before and not issued.
            pacer.start_at(self.count_from);
        }
        self.watch_at = self.watch.as_ref().map_or(NEVER, |watch| watch.next_check_at());
    }

    /// Stops issuing the job's own I/O. If the job ends in its ramp, all of it counts, as in fio.
    pub(super) fn drain(&mut self) {
        if self.writer.is_in_ramp() {
            self.count_from = self.begin_at;
            self.writer.keep_ramp();
        }
        // A job ended by time or by other jobs is not read back, as in fio.
        self.did_its_part = self.has_issued_its_part();
        // Other jobs of its flow no longer wait for it.
        self.pace.share = None;
        self.phase = Phase::Draining;
        self.phase_since = self.now;
    }
}
