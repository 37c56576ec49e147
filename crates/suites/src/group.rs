//! Groups of suites, for lists.

use cardiograph_core::schemars;
use cardiograph_core::{Message, message};
use serde::{Deserialize, Serialize};

/// A group of suites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// cardiograph's own checkups; each answers a question about a drive.
    Checkup,
    /// Tests that follow a standard.
    Standard,
    /// Published test sets of others, with the tables that their readers know.
    Published,
}

impl Group {
    /// All groups, in listing order.
    pub const ALL: [Group; 3] = [Group::Checkup, Group::Standard, Group::Published];

    /// The title of the list of its suites.
    pub const fn title(self) -> Message {
        match self {
            Group::Checkup => message!("suite-group.checkup"),
            Group::Standard => message!("suite-group.standard"),
            Group::Published => message!("suite-group.published"),
        }
    }
}
