//! Between a job's passes over its files: as in fio, the next pass does not find its blocks in the page
//! cache, loops sync their writes, and `unlink_each_loop` recreates the files.

use std::io;

use cardiograph_core::workload::Trims;
use cardiograph_core::{Direction, FileUse, Workload};

use super::{Phase, Worker};
use crate::engine::IoEngine;
use crate::engines::null;
use crate::offload::SubmitTimes;
use crate::recorder::Stage;

/// An engine on reopened files, and the submission times of its threads.
type Reopened = (Box<dyn IoEngine>, Option<SubmitTimes>);

/// How a worker's files are prepared for another pass.
pub(crate) enum Turn {
    /// While the engine keeps them open.
    Kept(Box<dyn FnMut() -> io::Result<()>>),
    /// No engine has them open meanwhile; this opens a new one.
    Reopened(Box<dyn FnMut() -> io::Result<Reopened>>),
}

/// Length of a worker's passes, and the preparation between them.
pub(super) struct Passes {
    len_bytes: u64,
    turn: Option<Turn>,
}

/// Bytes of a job's pass over its files, including those of the ramp; `None` for a single pass.
fn pass_len_bytes(workload: &Workload, files: &[FileUse]) -> Option<u64> {
    if workload.renew_every_bytes.is_some() {
        return workload.renew_every_bytes;
    }
    if workload.file_action.is_some() || workload.replay.is_some() || !workload.has_passes() {
        return None;
    }
    let once_bytes = files.iter().map(|file| workload.pass_len_bytes(file)).fold(0, u64::saturating_add);
    let factor = if workload.trims == Trims::BeforeWrites { 2 } else { 1 };
    let len_bytes = once_bytes.saturating_mul(factor);
    (len_bytes > 0 && workload.stop.bytes.is_none_or(|bytes| bytes > len_bytes)).then_some(len_bytes)
}

/// Whether a job syncs after each pass: one that runs by time ends only once.
fn syncs_each_pass(workload: &Workload) -> bool {
    let is_wanted = workload.end_sync || workload.close_sync;
    is_wanted && workload.stop.bytes.is_some() && workload.uses(Direction::Write)
}

impl Worker {
    /// Sets the preparation between passes, which follows the sync that some jobs do there.
    pub fn turn_passes(&mut self, turn: Option<Turn>) {
        if (turn.is_some() || syncs_each_pass(&self.workload) || self.checks_each_pass())
            && let Some(len_bytes) = pass_len_bytes(&self.workload, &self.files)
        {
            self.remaining.pass_end_bytes = self.remaining.bytes.saturating_sub(len_bytes);
            self.passes = Some(Box::new(Passes { len_bytes, turn }));
        }
    }

    /// Whether issuing waits for the files to be prepared for another pass.
    #[cold]
    pub(super) fn awaits_pass(&self) -> bool {
        let ends = self.has_issued_its_part() || self.now >= self.deadline;
        self.remaining.bytes <= self.remaining.pass_end_bytes
            && !ends
            && !self.stop.is_set()
            && self.found.failure.is_none()
    }

    /// Begins the phases between two passes, if one is over and nothing is in flight.
    ///
    /// # Errors
    /// When the files cannot be prepared.
    pub(super) fn end_pass(&mut self) -> io::Result<()> {
        debug_assert!(self.phase == Phase::Running && self.queue.in_flight == 0);
        if !self.awaits_pass() {
            return Ok(());
        }
        // Waiting for the drive here does not count as silence.
        self.writer.enter(Stage::Closing);
        if syncs_each_pass(&self.workload) && self.syncs.has_written() {
            self.enter(Phase::Turning);
            return Ok(());
        }
        self.check_pass()
    }

    /// Whether a pass is read back before the next one overwrites it; jobs that run by time do that at the
    /// end.
    fn checks_each_pass(&self) -> bool {
        self.workload.stop.bytes.is_some()
            && self.checking.sealer.is_some()
            && self.checking.checker.is_some()
    }

    /// Begins to read back a pass, or the next pass.
    ///
    /// # Errors
    /// When the files cannot be prepared.
    pub(super) fn check_pass(&mut self) -> io::Result<()> {
        if !self.checks_each_pass() {
            return self.begin_pass();
        }
        self.enter(Phase::Settling);
        self.writer.enter(Stage::Verifying);
        Ok(())
    }

    /// Prepares the files and starts another pass.
    ///
    /// # Errors
    /// When the files cannot be prepared.
    pub(super) fn begin_pass(&mut self) -> io::Result<()> {
        self.enter(Phase::Running);
        if std::mem::take(&mut self.checking.is_comparing) {
            self.writer.resume(|direction| self.workload.uses(direction), self.now);
        }
        let Some(passes) = &mut self.passes else { return Ok(()) };
        self.remaining.pass_end_bytes = self.remaining.bytes.saturating_sub(passes.len_bytes);
        match &mut passes.turn {
            None => {}
            Some(Turn::Kept(turn)) => turn()?,
            Some(Turn::Reopened(turn)) => {
                // Space of removed files is freed only when nobody has them open, and mapped pages stay in
                // the cache.
                self.engine = null::engine(&self.clock);
                self.submit_times = None;
                (self.engine, self.submit_times) = turn()?;
            }
        }
        self.writer.enter(Stage::Running);
        Ok(())
    }
}
