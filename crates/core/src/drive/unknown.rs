//! Facts that were looked for and not found.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A fact that was looked for and not found, and why. It stands where it is missing: of a drive, of a layer, of a file
/// system, of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unknown {
    /// What is not known.
    pub fact: Fact,
    /// Why.
    pub why: Why,
}

/// What can be unknown for a reason that a user can do something about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// What it is, all but its name.
    Identity,
    /// Temperature, wear and errors that the drive counts.
    Health,
    /// Mode and clock of the bus between host and card.
    BusMode,
    /// Cache policy and battery of a RAID controller.
    ControllerCache,
    /// What a file system was made with.
    FileSystemGeometry,
    /// Cipher and mode of an encryption.
    Cipher,
    /// Segments of a volume of LVM, or of another device of the device mapper.
    Volume,
    /// Throttling and voltage of a Raspberry Pi.
    Throttling,
}

/// Why a fact is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Only root may see it.
    NeedsRoot,
    /// The program that reports it is not installed.
    NotInstalled {
        /// The program.
        program: String,
    },
    /// Another program would report it, which is not supported.
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
        /// What it said, in short.
        message: String,
    },
    /// The program that reports it wrote nothing about it, or too much.
    NoAnswer {
        /// The program.
        program: String,
    },
    /// The drive did not respond within the time limit.
    DriveTimedOut,
    /// The system could not read it.
    Unreadable {
        /// Why, in the system's words.
        message: String,
    },
    /// The drive sleeps, and was not woken up for it.
    Asleep,
    /// It is there and makes no sense.
    Senseless,
    /// It is not reported.
    NotReported,
}
