//! What suites are like.

use cardiograph_core::NS_PER_MS;
use cardiograph_core::schemars;
use serde::{Deserialize, Serialize};

use crate::group::Group;

/// What a suite is like with given settings. The default is a checkup in files that judges only the purposes about which its
/// figures say enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SuiteTraits {
    /// Which list it stands in.
    pub group: Group,
    /// Whether all purposes are judged, or only those about which it says enough.
    pub judges_all_purposes: bool,
    /// Whether it has steps that end when their rates are known well enough.
    pub ends_by_precision: bool,
    /// Length of the windows of its series, in nanoseconds: fine enough to place a fall-off, and a divisor of the windows
    /// that are quoted. Coarser where a checkup takes hours.
    pub window_ns: u64,
    /// Whether the notes of the outline are printed before anything is written: where it writes much or takes long.
    pub says_notes_first: bool,
    /// Whether an interrupted checkup can be resumed: what was measured stays, and each step that is left finds by itself
    /// what it needs.
    pub can_resume: bool,
    /// Whether it takes a whole device: then all its steps use one file, which stands for the device.
    pub on_device: OnDevice,
    /// Whether device content that the steps overwrite is saved before and restored afterwards. Then each
    /// writing step is one job with a number of I/Os and a time limit, and nothing is written twice.
    pub puts_back: bool,
    /// Whether steps write parts that an interrupted checkup leaves for the next one.
    pub keeps_parts: bool,
    /// Whether nothing is wanted but that what an interrupted checkup left is removed.
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

/// Whether a suite takes a whole block device in the place of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnDevice {
    /// It does not.
    Never,
    /// It reads one.
    Reads,
    /// It writes over one, which takes consent.
    Writes,
}
