//! Facts that could not be determined.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A fact that could not be determined, and why. Belongs to a drive, a layer, a file system or the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unknown {
    /// The missing fact.
    pub fact: Fact,
    /// Why.
    pub why: Why,
}

/// Facts that can be missing for a reason that a user can fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// Everything except its name.
    Identity,
    /// Temperature, wear and error counters of a drive.
    Health,
    /// Mode and clock of the bus between host and card.
    BusMode,
    /// Cache policy and battery of a RAID controller.
    ControllerCache,
    /// Creation parameters of a file system.
    FileSystemGeometry,
    /// Cipher and mode of encryption.
    Cipher,
    /// Segments of an LVM volume or another device-mapper device.
    Volume,
    /// Throttling and voltage of a Raspberry Pi.
    Throttling,
}

/// Why a fact is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Only root can read it.
    NeedsRoot,
    /// The program that reports it is not installed.
    NotInstalled {
        /// The program.
        program: String,
    },
    /// It requires another program that is not supported.
    NotAsked {
        /// The program.
        program: String,
    },
    /// The program that reports it exceeded the time limit.
    TimedOut {
        /// The program.
        program: String,
    },
    /// The program that reports it failed, or its output was not understood.
    NotUnderstood {
        /// The program.
        program: String,
        /// Its output, shortened.
        message: String,
    },
    /// The program that reports it printed nothing about it, or too much.
    NoAnswer {
        /// The program.
        program: String,
    },
    /// The drive did not respond within the time limit.
    DriveTimedOut,
    /// The system could not read it.
    Unreadable {
        /// The system's reason.
        message: String,
    },
    /// The drive sleeps, and was not woken up for the query.
    Asleep,
    /// The value makes no sense.
    Senseless,
    /// Not reported.
    NotReported,
}
