//! Whose word it takes to destroy what is on a device: the command line's, the environment's, or that of whoever sits
//! at the terminal.

use std::path::Path;

use cardiograph_core::Plan;
use cardiograph_engine::files::{self, PrepareError, PrepareObserver, PrepareRequest, Prepared};
use cardiograph_engine::gate::DeviceContent;
use cardiograph_engine::{Consent, Control};
use cardiograph_fio::invocation::ProgramOptions;

use super::prepare_messages;
use crate::place::fresh_seed;
use crate::screen;

/// Ids, separated by commas, for scripts that cannot be changed.
const VARIABLE: &str = "CARDIOGRAPH_ALLOW_DESTROY";

/// The ids that were given.
fn given(options: &ProgramOptions) -> Vec<String> {
    let variable = std::env::var(VARIABLE).unwrap_or_default();
    let of_variable = variable.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_string);
    options.allow_destroy.iter().cloned().chain(of_variable).collect()
}

/// Opens what the jobs name, and makes what is missing. A device is written to with consent alone.
///
/// # Errors
/// Why that is not possible.
pub fn prepare(
    plan: &Plan,
    options: &ProgramOptions,
    stake: Stake,
    control: &Control,
    observer: &dyn PrepareObserver,
) -> Result<Prepared, PrepareError> {
    let mut ids = given(options);
    loop {
        let (consent, seed, root) = (Consent::to(ids.clone()), fresh_seed(), Path::new("/"));
        let request = PrepareRequest { plan, consent: &consent, control, observer, seed, root };
        match files::prepare(&request) {
            Err(PrepareError::NeedsConsent { path, id, content, .. }) if ask(&path, &id, &content, stake) => {
                ids.push(id);
            }
            done => return done,
        }
    }
}

/// Asks at the terminal for the id of a device. Without a terminal, or with another answer, nothing is given.
fn ask(path: &Path, id: &str, content: &DeviceContent, stake: Stake) -> bool {
    let question = stake.question(&path.display().to_string(), &prepare_messages::device_content(content));
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
