//! Who may do what.

use std::fmt;
use std::str::FromStr;

/// What somebody may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Reads.
    Viewer,
    /// Sends Reports, and reads nothing: the token of a machine.
    Sender,
    /// Reads, and starts and stops checkups.
    Operator,
    /// Does everything.
    Admin,
}

/// What a route needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Needs {
    /// Nothing: open to everybody who reaches the server.
    Nothing,
    /// To be known, in any role.
    Name,
    /// To read.
    Read,
    /// To send Reports.
    Send,
    /// To start and stop checkups.
    Operate,
    /// To change who may do what, and to delete.
    Administer,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Viewer, Self::Sender, Self::Operator, Self::Admin];

    /// Its name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Sender => "sender",
            Self::Operator => "operator",
            Self::Admin => "admin",
        }
    }

    /// Whether it may do what `needs` names.
    pub const fn may(self, needs: Needs) -> bool {
        match needs {
            Needs::Nothing | Needs::Name => true,
            Needs::Read => !matches!(self, Self::Sender),
            Needs::Send => matches!(self, Self::Sender | Self::Admin),
            Needs::Operate => matches!(self, Self::Operator | Self::Admin),
            Needs::Administer => matches!(self, Self::Admin),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|role| role.name() == name).ok_or(())
    }
}
