//! Traits of suites.

use cardiograph_core::NS_PER_MS;
use cardiograph_core::schemars;
use serde::{Deserialize, Serialize};

use crate::group::Group;

/// Traits of a suite with given settings. The default is a checkup in files that judges only the purposes for which its
/// figures suffice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SuiteTraits {
    /// Its group in lists.
    pub group: Group,
    /// Whether all purposes are judged, or only those for which its figures suffice.
    pub judges_all_purposes: bool,
    /// Whether it has steps that end at a precision of their rates.
    pub ends_by_precision: bool,
    /// Length of the windows of its series, in nanoseconds: fine enough to locate a fall-off, and a divisor of the windows
    /// in reports. Coarser if a checkup takes hours.
    pub window_ns: u64,
    /// Whether the notes of the outline are printed first, because it writes much or takes long.
    pub says_notes_first: bool,
    /// Whether an interrupted checkup can be resumed: its results stay, and the remaining steps do not depend on files of
    /// earlier ones.
    pub can_resume: bool,
    /// Whether it works on a whole device: then all its steps use one file, which stands for the device.
    pub on_device: OnDevice,
    /// Whether device content that the steps overwrite is saved before and restored afterwards. Then each
    /// writing step is one job with a number of I/Os and a time limit, and nothing is written twice.
    pub puts_back: bool,
    /// Whether steps write parts that an interrupted checkup leaves for the next one.
    pub keeps_parts: bool,
    /// Whether it only removes what an interrupted checkup left.
    pub only_removes_leftovers: bool,
}

impl Default for SuiteTraits {
    fn default() -> Self {
        Self {
            group: Group::Checkup,
            judges_all_purposes: false,
            ends_by_precision: false,
            window_ns: 100 * NS_PER_MS,
            says_notes_first: false,
            can_resume: false,
            on_device: OnDevice::Never,
            puts_back: false,
            keeps_parts: false,
            only_removes_leftovers: false,
        }
    }
}

/// Whether a suite works on a whole block device instead of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnDevice {
    /// No.
    Never,
    /// It reads the device.
    Reads,
    /// It overwrites the device, which needs approval.
    Writes,
}
