//! What went wrong with a worker's I/O, and how long its phases took.

use cardiograph_core::result::{IoFailure, MissedRate, Phases, SlowIo};
use cardiograph_core::workload::Tolerance;

use super::tolerance::Tolerated;

/// What went wrong with a worker's I/O, and how long its phases took.
pub(super) struct Findings {
    pub failure: Option<IoFailure>,
    /// What it goes on after; `None` where any error ends it.
    pub tolerated: Option<Box<Tolerated>>,
    pub missed_rate: Option<MissedRate>,
    pub slow_io: Option<SlowIo>,
    pub phases: Phases,
}

impl Findings {
    pub fn new(tolerance: &Tolerance) -> Self {
        Self {
            failure: None,
            tolerated: Tolerated::new(tolerance),
            missed_rate: None,
            slow_io: None,
            phases: Phases::default(),
        }
    }
}
