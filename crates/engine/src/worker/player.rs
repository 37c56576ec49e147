//! Issues recorded I/O instead of drawing it.

use std::io;

use cardiograph_core::Request;
use cardiograph_core::replay::ReplayStep;
use cardiograph_core::{Direction, NS_PER_MS};

use super::Worker;
use crate::clock::Clock;
use crate::engine::IoOp;
use crate::replay::ReplaySteps;

/// Schedules recorded I/O.
///
/// Times in a recording count from the previous I/O, as in fio: one that is late because the drive is busy
/// delays all later ones, as it would have delayed the recorded program. Wakeup delays do not add up.
pub(super) struct Player {
    steps: Box<dyn ReplaySteps>,
    /// Due time of the last I/O issued, in ticks.
    last_due_at: u64,
    begin_at: u64,
    /// The next step, and when it is due.
    next: Option<(ReplayStep, u64)>,
    error: Option<io::Error>,
}

/// The next step of a replay.
pub(super) enum Turn {
    /// Issue this step.
    Now(ReplayStep),
    /// Wait until this time, in ticks.
    At(u64),
    /// No more steps.
    End,
}

impl Player {
    pub fn new(steps: Box<dyn ReplaySteps>) -> Self {
        Self { steps, last_due_at: 0, begin_at: 0, next: None, error: None }
    }

    /// Counts from `at` (ticks).
    pub fn start_at(&mut self, at: u64) {
        (self.begin_at, self.last_due_at) = (at, at);
    }

    fn turn(&mut self, now: u64, clock: &Clock) -> Turn {
        let (step, due_at) = match self.next {
            Some(next) => next,
            None => match self.steps.next() {
                Ok(Some(step)) => {
                    let after = self.last_due_at.saturating_add(clock.ticks(step.gap_ns));
                    let not_before_ns = u64::from(step.not_before_ms) * NS_PER_MS;
                    let not_before = self.begin_at.saturating_add(clock.ticks(not_before_ns));
                    // Anything late is due now.
                    (step, after.max(not_before).max(now))
                }
                Ok(None) => return Turn::End,
                Err(error) => {
                    self.error = Some(error);
                    return Turn::End;
                }
            },
        };
        if due_at > now {
            self.next = Some((step, due_at));
            return Turn::At(due_at);
        }
        (self.next, self.last_due_at) = (None, due_at);
        Turn::Now(step)
    }
}

impl Worker {
    /// Makes the worker replay these steps.
    pub fn replay(&mut self, steps: Box<dyn ReplaySteps>) {
        // Times come from the recording: "now" must be known.
        (self.draws_freely, self.reads_clock) = (false, true);
        self.player = Some(Box::new(Player::new(steps)));
    }

    /// Returns the error of reading the recording, if any.
    pub(super) fn take_replay_error(&mut self) -> io::Result<()> {
        match self.player.as_mut().and_then(|player| player.error.take()) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// The next request of a recording; `None` if none is due now, or there are no more.
    #[cold]
    pub(super) fn next_replayed_op(&mut self) -> Option<IoOp> {
        let player = self.player.as_mut()?;
        let step = match player.turn(self.now, &self.clock) {
            Turn::Now(step) => step,
            Turn::At(due_at) => {
                self.pace.due_at = due_at;
                return None;
            }
            Turn::End => {
                self.end_short();
                return None;
            }
        };
        let direction = step.action.direction();
        if direction == Direction::Sync {
            self.writer.issued(Direction::Sync, 0);
            return self.sync_op(step.action, step.file);
        }
        let (offset_bytes, len_bytes) = (step.offset_bytes, u64::from(step.len_bytes));
        self.op_of(&Request { direction, file: step.file, offset_bytes, len_bytes })
    }
}
