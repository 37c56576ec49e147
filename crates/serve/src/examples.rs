//! Simulated drives for a store that has no checkups: what the pages will show, before anything is measured. They are checked when
//! they are first looked at, and never saved.

use std::sync::{Arc, OnceLock};

use cardiograph_checkup::checkup::{Checkup, Task};
use cardiograph_checkup::failure::Failure;
use cardiograph_checkup::keeper::Keeper;
use cardiograph_checkup::runner::Caller;
use cardiograph_checkup::signals::Signals;
use cardiograph_core::{Report, message};

use crate::live::Log;
use crate::problem::Problem;

/// The examples, by the names of their models: drives that differ in what they are good for.
const EXAMPLES: [&str; 3] = ["sandisk-ultra-64", "kioxia-sata-960", "bad-card"];

/// The examples that were looked at.
#[derive(Debug, Default)]
pub struct Examples([OnceLock<Arc<Report>>; EXAMPLES.len()]);

impl Examples {
    /// All examples.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn all(&self) -> Result<Vec<Arc<Report>>, Problem> {
        EXAMPLES.iter().map(|name| self.find(name)).collect()
    }

    /// The example with this name.
    ///
    /// # Errors
    /// When there is none, or the system refuses.
    pub fn find(&self, name: &str) -> Result<Arc<Report>, Problem> {
        let Some(at) = EXAMPLES.iter().position(|known| *known == name) else {
            return Err(Problem::not_found(message!("serve-no-example", name)));
        };
        if let Some(known) = self.0[at].get() {
            return Ok(known.clone());
        }
        let report = Arc::new(checked(name)?);
        // If another was faster, both are the same.
        Ok(self.0[at].get_or_init(|| report).clone())
    }
}

/// Checks a simulated drive.
fn checked(name: &str) -> Result<Report, Problem> {
    let (log, signals) = (Log::default(), Signals::default());
    let caller = Caller { sink: &log, signals: &signals };
    let task = Task {
        simulate: Some(name.to_string()),
        suite: cardiograph_suites::DEFAULT.to_string(),
        ..Task::default()
    };
    let mut checkup = Checkup::open(task, caller)?;
    let outline = checkup.outline(caller)?;
    checkup.make_ready(&outline, None, caller)?;
    checkup.run(&Arc::new(Nowhere), caller)?;
    Ok(checkup.report)
}

/// Examples are not saved.
struct Nowhere;

impl Keeper for Nowhere {
    fn begin(&self, _: &Report) -> Result<(), Failure> {
        Ok(())
    }

    fn save(&self, _: &Report) -> Result<(), Failure> {
        Ok(())
    }
}
