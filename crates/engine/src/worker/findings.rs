//! Errors of a worker's I/O, and durations of its phases.

use super::tolerance::Tolerated;
use cardiograph_core::result::{IoFailure, MissedRate, Phases, SlowIo};

/// Errors of a worker's I/O, and durations of its phases.
#[derive(Default)]
pub(super) struct Findings {
    pub failure: Option<IoFailure>,
    /// Tolerated errors; `None` if any error ends it.
    pub tolerated: Option<Box<Tolerated>>,
    pub missed_rate: Option<MissedRate>,
    pub slow_io: Option<SlowIo>,
    pub phases: Phases,
}
