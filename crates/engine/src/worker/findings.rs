//! What went wrong with a worker's I/O, and how long its phases took.

use super::tolerance::Tolerated;
use cardiograph_core::result::{IoFailure, MissedRate, Phases, SlowIo};

/// What went wrong with a worker's I/O, and how long its phases took.
#[derive(Default)]
pub(super) struct Findings {
    pub failure: Option<IoFailure>,
    /// What it goes on after; `None` where any error ends it.
    pub tolerated: Option<Box<Tolerated>>,
    pub missed_rate: Option<MissedRate>,
    pub slow_io: Option<SlowIo>,
    pub phases: Phases,
}
