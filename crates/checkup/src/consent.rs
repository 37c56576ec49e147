//! What is at stake when a device is written to, and who has consented to it.

/// Ids, separated by commas, for scripts that cannot be changed.
pub const VARIABLE: &str = "CARDIOGRAPH_ALLOW_DESTROY";

/// What becomes of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stake {
    /// What is on it is lost.
    Lost,
    /// What is overwritten is put back.
    PutBack,
}

impl Stake {
    /// What a person is asked.
    pub fn question(self, path: &str, what: &str) -> String {
        match self {
            Stake::Lost => format!("Everything on {path} ({what}) will be destroyed."),
            Stake::PutBack => format!(
                "Places all over {path} ({what}) will be overwritten, and put back at the end. A drive that fails or does not \
                 hold what it says can lose some of it."
            ),
        }
    }

    /// Why leave is needed, behind what is written to.
    pub const fn reason(self) -> &'static str {
        match self {
            Stake::Lost => "and all that is on it would be lost",
            Stake::PutBack => {
                "and puts back what it overwrites; a drive that fails or does not hold what it says can lose some of it"
            }
        }
    }
}

/// How leave is given without a terminal.
pub fn how(id: &str) -> String {
    format!("--allow-destroy={id} or {VARIABLE}={id}")
}
