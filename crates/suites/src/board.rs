//! How far a checkup is, in the terms of its suite.

use cardiograph_core::app::CamerasOutcome;
use cardiograph_core::schemars;
use cardiograph_core::table::Table;
use serde::{Deserialize, Serialize};

/// What the steps so far have found, and where the next one belongs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Board {
    /// A matrix that fills up.
    Matrix {
        /// The figures so far.
        table: Box<Table>,
        /// Row and column of the next step; `None` if it only prepares.
        current: Option<(usize, usize)>,
    },
    /// The tested range of a drive.
    Map {
        /// Its parts, of the same length, in order.
        parts: Vec<PartState>,
        /// Bytes that the next step moves.
        step_bytes: u64,
    },
    /// Cameras that record at the same time.
    Cameras {
        /// The trials in order.
        trials: Vec<CameraTrial>,
        /// Number of cameras of the next one.
        next: u64,
    },
}

/// State of a part of a drive.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum PartState {
    /// Read back as written.
    Verified,
    /// Written, and not yet read back.
    Written,
    /// Not yet written.
    Waiting,
    /// The next step writes it.
    Writing,
    /// The next step reads it back.
    Reading,
    /// Read back, and not as written.
    Bad,
}

/// A number of cameras that was tried.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CameraTrial {
    /// The number.
    pub cameras: u64,
    /// Seconds of video that were not written before their deadline.
    pub late: u64,
    /// Whether the drive kept up; `None` if nothing was recorded.
    pub outcome: Option<CamerasOutcome>,
}
