//! Phases after a job's own I/O: flushing and reading back.

use std::io;

use cardiograph_core::Direction;

use super::read_back::ReadBack;
use super::{Phase, Worker};
use crate::recorder::Stage;

impl Worker {
    /// Ends a phase with nothing left to do. Returns whether that was the last.
    ///
    /// # Errors
    /// When the files cannot be prepared for reading back or for another pass.
    pub(super) fn close(&mut self) -> io::Result<bool> {
        let phase_ns = self.clock.ns_between(self.phase_since, self.now);
        match self.phase {
            Phase::Draining => {
                self.found.phases.drain_ns = phase_ns;
                if self.ends_with_sync() && self.syncs.has_written() {
                    self.enter(Phase::Closing);
                    self.writer.enter(Stage::Closing);
                    return Ok(false);
                }
            }
            Phase::Closing => self.found.phases.flush_ns += phase_ns,
            Phase::Turning => {
                self.found.phases.flush_ns += phase_ns;
                self.check_pass()?;
                return Ok(false);
            }
            Phase::Settling => {
                self.begin_reading_back()?;
                return Ok(false);
            }
            Phase::Verifying => {
                self.found.phases.verify_ns += phase_ns;
                self.end_verification();
                if self.awaits_pass() {
                    self.begin_pass()?;
                    return Ok(false);
                }
            }
            Phase::Running => {
                self.end_pass()?;
                return Ok(false);
            }
            Phase::Delayed | Phase::Ended => return Ok(false),
        }
        if self.phase != Phase::Verifying && self.reads_back() {
            self.enter(Phase::Settling);
            self.writer.enter(Stage::Verifying);
            return Ok(false);
        }
        self.take_replay_error()?;
        self.end_verification();
        self.phase = Phase::Ended;
        if let Some(tracer) = &mut self.tracer {
            tracer.finish();
        }
        self.writer.finish();
        Ok(true)
    }

    pub(super) fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.phase_since = self.now;
    }

    fn ends_with_sync(&self) -> bool {
        // One sync is enough for both, as in fio: nothing is written between them.
        let is_wanted = self.workload.end_sync || self.workload.close_sync;
        is_wanted && self.found.failure.is_none() && !self.stop.is_external()
    }

    fn reads_back(&self) -> bool {
        let is_wanted = self.checking.sealer.is_some() && self.checking.checker.is_some();
        let is_undisturbed = self.found.failure.is_none()
            && self.found.missed_rate.is_none()
            && self.found.slow_io.is_none()
            && !self.stop.is_set();
        is_wanted && is_undisturbed && self.did_its_part
    }

    /// The time for reading back includes the sync before it.
    fn begin_reading_back(&mut self) -> io::Result<()> {
        if let Some(prepare) = &mut self.checking.before_read_back {
            prepare()?;
        }
        self.note_issued();
        self.checking.is_comparing = true;
        // Reading back counts as reads.
        self.writer.resume(|direction| direction == Direction::Read, self.phase_since);
        self.phase = Phase::Verifying;
        Ok(())
    }

    /// Passes the number of writes so far to the read-back.
    pub(super) fn note_issued(&mut self) {
        let writes = self.checking.sealer.as_ref().map_or(0, |sealer| sealer.writes());
        let earlier_max = self.earlier_writes_max();
        let new = || Box::new(ReadBack::new(&self.workload, &self.files, self.seed));
        self.checking.read_back.get_or_insert_with(new).issued(writes, earlier_max);
    }

    /// Begins to verify another run's writes, if there is nothing else to do.
    pub(super) fn begin_only_checking(&mut self) {
        self.checking.is_comparing = true;
        self.enter(Phase::Verifying);
        self.phase_since = self.begin_at;
        self.writer.enter(Stage::Verifying);
        self.writer.resume(|direction| direction == Direction::Read, self.count_from);
    }

    /// Makes the worker fail at the end because of bad blocks, unless it already failed or tolerates them.
    fn end_verification(&mut self) {
        let first = self.checking.checker.as_ref().and_then(|checker| checker.verified().first.as_ref());
        let is_held = self.found.tolerated.as_ref().is_some_and(|tolerated| tolerated.holds_mismatches());
        if let Some(place) = first.map(|first| (first.offset_bytes, first.len_bytes))
            && !is_held
        {
            self.note_mismatch(place);
        }
    }
}
