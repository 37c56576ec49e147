//! Whose word it takes to destroy what is on a device: the command line's, the environment's, or that of whoever sits
//! at the terminal.

use cardiograph_formats::fio::invocation::ProgramOptions;

use crate::screen;

/// Ids, separated by commas, for scripts that cannot be changed.
const VARIABLE: &str = "CARDIOGRAPH_ALLOW_DESTROY";

/// The ids that were given.
pub fn given(options: &ProgramOptions) -> Vec<String> {
    let variable = std::env::var(VARIABLE).unwrap_or_default();
    let of_variable = variable.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_string);
    options.allow_destroy.iter().cloned().chain(of_variable).collect()
}

/// Asks at the terminal for the id of a device. Without a terminal, or with another answer, nothing is given.
pub fn ask(path: &str, id: &str, what: &str, stake: Stake) -> bool {
    let question = stake.question(path, what);
    let answer = screen::ask(&format!("{question}\nType its id, {id}, to go on; anything else ends here: "));
    answer.is_some_and(|answer| answer == id)
}

/// What becomes of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stake {
    /// What is on it is lost.
    Lost,
    /// What is overwritten is put back.
    PutBack,
}

impl Stake {
    fn question(self, path: &str, what: &str) -> String {
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
