//! What kinds of suites there are, for lists.

use cardiograph_core::schemars;
use cardiograph_core::{Message, message};
use serde::{Deserialize, Serialize};

/// A kind of suites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Checkups of cardiograph's own: each answers a question about a drive.
    Checkup,
    /// Tests that a standard describes.
    Standard,
    /// Test sets that others published, with the tables that their readers know.
    Published,
}

impl Group {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Group; 3] = [Group::Checkup, Group::Standard, Group::Published];

    /// What the list of its suites is called.
    pub const fn title(self) -> Message {
        match self {
            Group::Checkup => message!("suite-group.checkup"),
            Group::Standard => message!("suite-group.standard"),
            Group::Published => message!("suite-group.published"),
        }
    }
}
