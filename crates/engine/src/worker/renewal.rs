//! Files that are removed after each of a job's loops, and made anew for the next.

use std::io;

use super::{Phase, Worker};
use crate::engine::IoEngine;
use crate::engines::null;
use crate::offload::HandOvers;

/// An engine on files that were just made, and what tells when its threads handed requests over.
type Renewed = (Box<dyn IoEngine>, Option<HandOvers>);

/// When a worker's files are removed, and how.
pub(super) struct Renewal {
    every_bytes: u64,
    /// Bytes that are still issued before that.
    left_bytes: u64,
    renew: Box<dyn FnMut() -> io::Result<Renewed>>,
}

impl Worker {
    /// Has the files removed and opened anew whenever `every_bytes` were issued and more are to come, those of the ramp
    /// included. `renew` removes the files and opens an engine on new ones; it is called when nothing is in flight and no
    /// engine has them open.
    pub fn renew_every(&mut self, every_bytes: u64, renew: impl FnMut() -> io::Result<Renewed> + 'static) {
        self.draws_freely = false;
        self.renewal =
            Some(Box::new(Renewal { every_bytes, left_bytes: every_bytes, renew: Box::new(renew) }));
    }

    /// Whether a loop is over: then nothing is issued before the files are new.
    #[inline]
    pub(super) fn awaits_renewal(&self) -> bool {
        self.renewal.as_ref().is_some_and(|renewal| renewal.left_bytes == 0)
    }

    /// Notes that a request of the loop was issued.
    #[inline]
    pub(super) fn count_for_renewal(&mut self, len_bytes: u64) {
        if let Some(renewal) = &mut self.renewal {
            renewal.left_bytes = renewal.left_bytes.saturating_sub(len_bytes);
        }
    }

    /// Removes the files and opens new ones, where a loop is over. Nothing is in flight.
    ///
    /// # Errors
    /// When a file cannot be removed or made.
    pub(super) fn renew(&mut self) -> io::Result<()> {
        debug_assert!(self.phase == Phase::Running && self.in_flight == 0);
        if !self.awaits_renewal() {
            return Ok(());
        }
        let Some(renewal) = &mut self.renewal else { return Ok(()) };
        // Room on the drive is given back when nobody has the old files open any more.
        self.engine = null::engine(&self.clock);
        self.hand_overs = None;
        (self.engine, self.hand_overs) = (renewal.renew)()?;
        renewal.left_bytes = renewal.every_bytes;
        Ok(())
    }
}
